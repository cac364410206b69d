"""Someone who uses a form with keyboard and mouse: plays the steps of the corpus, and finds widgets by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QWidget,
)

from ui.widgets.form.layout import TimeSlicer
from ui.widgets.form.row import Row

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json, JsonObject
    from ui.widgets.form import Form

W = TypeVar("W", bound=QWidget)


class Player:
    """Uses one form."""

    def __init__(self, qtbot: QtBot, form: Form) -> None:
        self.sent: str | None = None
        """What was sent last; None if nothing was."""
        self._qtbot = qtbot
        self._form = form

    def show(self, schema: Json) -> None:
        """Wait until all rows of a form that are shown at first are made."""
        self._form.set_schema(schema)
        self.settle()

    def settle(self) -> None:
        """Wait until no more rows are being made."""
        pace = self._form.findChild(TimeSlicer)
        assert pace is not None
        self._qtbot.waitUntil(
            lambda: (
                pace.is_idle() and not any(row.isHidden() for row in self._form.findChildren(Row))
            ),
            timeout=20_000,
        )
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def play(self, steps: list[JsonObject]) -> None:
        """Do what the steps of a case say."""
        for step in steps:
            for key, act in self._acts().items():
                if key in step:
                    act(step)
                    break

    def _acts(self) -> dict[str, Callable[[JsonObject], object]]:
        """What to do for each kind of step; the first key that a step has decides."""
        return {
            "press": lambda step: self._press(str(step["press"])),
            "variant": lambda step: self.choose_arm(str(step["variant"]), str(step["choose"])),
            "addKey": self._add_key,
            "enter": lambda step: self.enter(_pointer(step), str(step["enter"])),
            "choose": lambda step: self.choose(_pointer(step), str(step["choose"])),
            "add": lambda step: self.add(_pointer(step), cast("int", step["add"])),
            "json": lambda step: self.write_json(_pointer(step), str(step["json"])),
            "rawJson": lambda step: self.write_all(str(step["rawJson"])),
            "switchTo": lambda step: self._form.show_json(step["switchTo"] == "raw"),
            "setNull": lambda step: self.act(_pointer(step), "null"),
            "setEmptyString": lambda step: self.act(_pointer(step), "empty"),
            "clear": lambda step: self.act(_pointer(step), "unset"),
            "erase": lambda step: self.erase(_pointer(step)),
            "accept": lambda _step: self._press("call"),
        }

    # --- finding -------------------------------------------------------------------------------

    def find(self, kind: type[W], name: str) -> W:
        """The widget of that name; what is not made yet is brought about as *Show more* and opening would."""
        self.settle()
        found = self._form.findChild(kind, name)
        if found is None:
            self._form.reveal(name.partition(":")[2])
            found = self._form.findChild(kind, name)
        assert found is not None, f"no {kind.__name__} {name}"
        return found

    def has(self, name: str) -> bool:
        """Whether there is a widget of that name."""
        self.settle()
        return self._form.findChild(QWidget, name) is not None

    def row(self, pointer: str) -> Row:
        """The row of a field."""
        return self.find(Row, f"row:{pointer}")

    def words(self, pointer: str, *names: str) -> str:
        """What is written under a field: hint, notes, problem, remark."""
        wanted = names or ("hint", "notes", "problem", "remark")
        labels = (
            label for name in wanted for label in self.row(pointer).findChildren(QLabel, name)
        )
        return "\n".join(label.text() for label in labels if not label.isHidden())

    def validate(self) -> None:
        """Do not wait for the pause after the last key."""
        self._form.problems()
        self._form.show_problems()

    # --- doing ---------------------------------------------------------------------------------

    def enter(self, pointer: str, text: str) -> None:
        """Type a text into the box of a field in place of what is there."""
        box = self.find(QWidget, f"field:{pointer}")
        self._retype(box, text)

    def erase(self, pointer: str) -> None:
        """Take out what is typed."""
        self._retype(self.find(QWidget, f"field:{pointer}"), "")

    def choose(self, pointer: str, text: str) -> None:
        """Choose an entry of a drop-down, or press one of a row of buttons."""
        box = self.find(QWidget, f"field:{pointer}")
        if isinstance(box, QComboBox):
            self._pick(box, text)
            return
        button = box.findChild(QAbstractButton, text)
        assert button is not None, f"no button {text}"
        self._click(button)

    def choose_arm(self, pointer: str, text: str) -> None:
        """Choose a form of a union."""
        self._pick(self.find(QComboBox, f"variant:{pointer}"), text)

    def add(self, pointer: str, times: int = 1) -> None:
        """Add items to a list."""
        for _ in range(times):
            self._click(self.find(QAbstractButton, f"add:{pointer}"))

    def act(self, pointer: str, name: str) -> None:
        """Choose an entry of the menu of a field."""
        row = self.row(pointer)
        row.open_menu()
        menu = row.findChildren(QMenu, "row menu")[-1]
        entry = next(entry for entry in menu.actions() if entry.objectName() == name)
        assert entry.isEnabled(), f"{name} is disabled"
        entry.trigger()
        menu.close()

    def press_in_row(self, pointer: str, name: str) -> None:
        """Press a button of a row by its name."""
        button = next(iter(self.row(pointer).findChildren(QAbstractButton, name)))
        self._click(button)

    def write_json(self, pointer: str, text: str) -> None:
        """Edit a field as JSON, and write `text` there."""
        if not self.has(f"json:{pointer}"):
            self.act(pointer, "json")
        self._retype(self.find(QWidget, f"json:{pointer}"), text)

    def write_all(self, text: str) -> None:
        """Write `text` into the JSON view."""
        self._form.show_json(True)
        self._retype(self.find(QPlainTextEdit, "json text"), text)

    def press(self, text: str) -> None:
        """Press *Call* or *Call anyway* as a page has them."""
        self._press(text)

    def _press(self, text: str) -> None:
        stopped = text == "call" and self._form.problems()
        self.sent = None if stopped or not self._form.can_send() else self._form.text()

    def _add_key(self, step: JsonObject) -> None:
        pointer, name = _pointer(step), str(step["addKey"])
        line = self.find(QLineEdit, f"new key:{pointer}")
        QTest.keyClicks(line, name)
        QTest.keyClick(line, Qt.Key.Key_Return)
        self.write_json(f"{pointer}/{name}", str(step["json"]))

    def _retype(self, box: QWidget, text: str) -> None:
        assert isinstance(box, QLineEdit | QPlainTextEdit), f"{box} is nothing to type into"
        box.selectAll()
        if not text:
            QTest.keyClick(box, Qt.Key.Key_Delete)
        QTest.keyClicks(box, text)

    def _pick(self, box: QComboBox, text: str) -> None:
        at = box.findText(text)
        assert at >= 0, f"no entry {text} in {[box.itemText(i) for i in range(box.count())]}"
        box.showPopup()
        view = box.view()
        index = box.model().index(at, 0)
        view.scrollTo(index)
        view.setCurrentIndex(index)
        QTest.keyClick(view, Qt.Key.Key_Return)
        box.hidePopup()

    def _click(self, button: QAbstractButton) -> None:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def _pointer(step: JsonObject) -> str:
    return str(step["field"])
