"""Someone who uses a window of Spyglass by mouse and keyboard, finds what is there by its name, and waits for what should come."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTabWidget,
    QWidget,
)

from tests.e2e.qt_queries import W, is_in_reach, lines, rows, spot, text_in, window_called
from tests.e2e.waits import patience, until
from ui.app import App, AppPaths

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator
    from pathlib import Path

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMenu

    from inspector.transcript.transcript import Transcript


class User:
    """Uses one window."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.window = app.window

    # --- seeing --------------------------------------------------------------------------------

    @property
    def transcript(self) -> Transcript:
        """The record of what is shown."""
        transcript = self.app.controller.transcript
        assert transcript is not None
        return transcript

    def sees(self, name: str) -> bool:
        """Whether there is anything of that name on the screen."""
        return spot(QWidget, name, self.window) is not None

    def reads(self, name: str, inside: QWidget | None = None) -> str:
        """What is written there; nothing where there is nothing."""
        widget = spot(QWidget, name, inside or self.window)
        return text_in(widget) if widget is not None else ""

    def reads_rows(self, name: str) -> list[list[str]]:
        """The rows of a list, table or tree."""
        view = spot(QAbstractItemView, name, self.window)
        return rows(view) if view is not None else []

    async def finds(self, kind: type[W], name: str, inside: QWidget | None = None) -> W:
        """The widget of that name, as soon as it is there."""
        place = inside or self.window
        await until(lambda: spot(kind, name, place) is not None, f"the {kind.__name__} {name}")
        found = spot(kind, name, place)
        assert found is not None
        return found

    async def finds_window(self, name: str) -> QWidget:
        """The dialog or popup of that name, as soon as it is open."""
        await until(lambda: window_called(name) is not None, f"the window {name}")
        found = window_called(name)
        assert found is not None
        return found

    async def reads_soon(self, name: str, text: str) -> None:
        """Wait until `words` are part of what is written there."""
        try:
            await until(lambda: text in self.reads(name), text)
        except AssertionError:
            seen = self.reads(name)
            latest = "\n".join(self.latest_frames())
            raise AssertionError(f"«{text}» is not in {name}: «{seen}», after\n{latest}") from None

    def latest_frames(self, most: int = 20) -> list[str]:
        """The frames that came last, shortened: what a failure that happens once in a hundred runs is explained by."""
        transcript = self.app.controller.transcript
        if transcript is None:
            return []
        numbers = range(max(1, transcript.count - most + 1), transcript.count + 1)
        frames = map(transcript.frame, numbers)
        return [
            f"#{frame.number} {frame.direction.name} {frame.channel.name} {frame.raw[:200]!r}"
            for frame in frames
        ]

    # --- doing ---------------------------------------------------------------------------------

    async def clicks(self, name: str, inside: QWidget | None = None) -> None:
        """Press a button once it can be pressed."""
        place = inside or self.window
        await until(lambda: _pressable(name, place) is not None, f"{name} to be there and enabled")
        button = _pressable(name, place)
        assert button is not None
        self.leaves_popups(button)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    async def presses(self, keys: str, widget: QWidget | None = None) -> None:
        """Press a key or a shortcut, where the focus is or in `widget`."""
        await self.is_in_front()
        QTest.keySequence(widget or QApplication.focusWidget() or self.window, QKeySequence(keys))

    async def goes_to(self, widget: QWidget) -> None:
        """Give it the focus, as a click into it does.

        Its window comes to the front first: a list of suggestions that just closed was the active window offscreen, and
        where the focus is to go meanwhile does not hold until its window is active again.
        """
        self.leaves_popups(widget)
        window = widget.window()
        await until(lambda: _comes_to_the_front(window), f"the window of {widget.objectName()}")
        widget.setFocus()
        await until(widget.hasFocus, f"{widget.objectName()} to have the focus")

    def leaves_popups(self, widget: QWidget) -> None:
        """Close what would get a click on `widget` in its place, as such a click does."""
        while (popup := QApplication.activePopupWidget()) is not None:
            if popup is widget or popup.isAncestorOf(widget):
                return
            popup.close()

    async def is_in_front(self) -> None:
        """Have a window of Spyglass in front: without a desktop, nobody else sees to that when a dialog has closed."""
        await until(
            lambda: QApplication.activeWindow() is not None or _comes_to_the_front(self.window),
            "a window in front",
        )

    async def types(self, name: str, text: str, inside: QWidget | None = None) -> None:
        """Type `text` in place of what is there."""
        box = await self.finds(QWidget, name, inside)
        assert isinstance(box, QLineEdit | QPlainTextEdit | QAbstractSpinBox), f"no field {name}"
        await self.goes_to(box)
        box.selectAll()
        QTest.keyClicks(box, text) if text else QTest.keyClick(box, Qt.Key.Key_Delete)

    async def pastes(self, name: str, text: str, inside: QWidget | None = None) -> None:
        """Paste `text` in place of what is there."""
        box = await self.finds(QWidget, name, inside)
        assert isinstance(box, QLineEdit | QPlainTextEdit), f"no field {name}"
        QGuiApplication.clipboard().setText(text)
        await self.goes_to(box)
        box.selectAll()
        await self.presses("Ctrl+V", box)

    async def picks(self, name: str, text: str, inside: QWidget | None = None) -> None:
        """Choose the entry of a drop-down list that says `words`, or begins with them."""
        box = await self.finds(QComboBox, name, inside)
        exactly, start = Qt.MatchFlag.MatchExactly, Qt.MatchFlag.MatchStartsWith
        at = max(box.findText(text, exactly), box.findText(text, start))
        assert at >= 0, f"no {text} among {[box.itemText(i) for i in range(box.count())]}"
        box.showPopup()
        view = box.view()
        view.setCurrentIndex(box.model().index(at, 0))
        QTest.keyClick(view, Qt.Key.Key_Return)
        box.hidePopup()

    async def chooses_row(self, name: str, text: str, *, twice: bool = False) -> None:
        """Click the row that has `words` as one of its texts."""
        view = await self.finds(QAbstractItemView, name)
        await until(lambda: any(text in row for row in rows(view)), f"the row {text} in {name}")
        index = next(index for index, row in lines(view) if text in row)
        view.scrollTo(index)
        self.leaves_popups(view)
        place = view.visualRect(index).center()
        for click in (QTest.mouseClick, QTest.mouseDClick)[: 1 + twice]:
            click(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)

    async def opens_tab(self, text: str, name: str = "workbench_tabs") -> None:
        """Bring the tab to the front whose title begins with `words`."""
        tabs = await self.finds(QTabWidget, name)
        titles = [tabs.tabText(at) for at in range(tabs.count())]
        at = next(at for at, title in enumerate(titles) if title.startswith(text))
        self.leaves_popups(tabs)
        place = tabs.tabBar().tabRect(at).center()
        QTest.mouseClick(
            tabs.tabBar(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place
        )

    async def chooses_entry(self, menu: QMenu, text: str) -> None:
        """Open a menu and click an entry that begins with `words`."""
        self.leaves_popups(menu)
        menu.popup(self.window.mapToGlobal(QPoint(20, 20)))
        await until(menu.isVisible, f"the menu {menu.title()}")
        await until(lambda: any(_begin_with(text, menu)), f"the entry {text}")
        entry = next(_begin_with(text, menu))
        place = menu.actionGeometry(entry).center()
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def _begin_with(text: str, menu: QMenu) -> Iterator[QAction]:
    return (entry for entry in menu.actions() if entry.text().startswith(text))


def _pressable(name: str, place: QWidget) -> QAbstractButton | None:
    """The button of that name, once a click on it would do something."""
    button = spot(QAbstractButton, name, place)
    return button if button is not None and button.isEnabled() and is_in_reach(button) else None


@asynccontextmanager
async def spyglass(
    qapp: QApplication, folder: Path, size: tuple[int, int] | None = (1360, 860)
) -> AsyncGenerator[User]:
    """Spyglass, started with its settings and records in `folder`, and ended in order; it must have had no fault of its own.

    The window gets the `size` of its first start on a usual screen, where there may be a smaller one; with None, the size that was saved.
    """
    app = App(qapp, AppPaths(folder, folder / "records"))
    stop = asyncio.Event()
    running = asyncio.ensure_future(app.run(stop))
    try:
        await until(lambda: app.window.is_populated, "the window")
        if size is not None:
            app.window.resize(*size)
        user = User(app)
        await user.is_in_front()
        yield user
    finally:
        stop.set()
        async with asyncio.timeout(patience()):
            code = await running
        dispose(app)
    assert [problem.traceback for problem in app.reporter.problems] == []
    assert code == 0


def _comes_to_the_front(window: QWidget) -> bool:
    if not window.isActiveWindow():
        window.activateWindow()
    return window.isActiveWindow()


def dispose(app: App) -> None:
    """Delete what the end of the program would."""
    app.collector.stop()
    for thing in (app.window, app.controller, app.collector, app.reporter, app.theme):
        thing.deleteLater()
