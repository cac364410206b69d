"""What tests do with widgets as a user would, and what they read from them; only what can be seen counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QTreeView,
    QWidget,
)

from ui.widgets.badge import Badge
from ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QAbstractItemModel

    from inspector.compare.compared_frame import ComparedFrame
    from ui.navigator import Navigator

MOUSE_PRESS = QEvent.Type.MouseButtonPress
MOUSE_RELEASE = QEvent.Type.MouseButtonRelease
MOUSE_DOUBLE = QEvent.Type.MouseButtonDblClick
NO_KEYS = Qt.KeyboardModifier.NoModifier

W = TypeVar("W", bound=QWidget)


def find(inside: QWidget, kind: type[W], name: str) -> W:
    """The widget of that name, seen or not."""
    found = inside.findChild(kind, name)
    assert isinstance(found, kind), f"no {kind.__name__} {name}"
    return found


def sees(inside: QWidget, name: str) -> bool:
    """Whether there is anything of that name on the screen."""
    return any(part.isVisible() for part in inside.findChildren(QWidget, name))


def reads(inside: QWidget, name: str = "") -> str:
    """Everything that is written in the parts called `name`, or in all of them."""
    places = inside.findChildren(QWidget, name) if name else [inside]
    parts = (part for place in places for part in (place, *place.findChildren(QWidget)))
    return "\n".join(text for part in parts if part.isVisible() for text in _words(part) if text)


def click(inside: QWidget, name: str) -> None:
    """Press a button that can be pressed."""
    button = find(inside, QAbstractButton, name)
    assert button.isVisible(), f"{name} is hidden"
    assert button.isEnabled(), f"{name} is disabled"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def select_row(view: QAbstractItemView, row: int) -> None:
    """Click on the start of a row."""
    index = view.model().index(row, 0)
    view.scrollTo(index)
    center = view.visualRect(index).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, NO_KEYS, center)


def press(
    widget: QWidget, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    """Press a key."""
    QTest.keyClick(widget, key, modifier)


def has_focus(widget: QWidget) -> bool:
    """Whether keys would go to `widget` while its window is active."""
    return widget.window().focusWidget() is widget


def cells(view: QAbstractItemView, parent: QModelIndex | None = None) -> list[list[str]]:
    """The texts of a list, table or tree, row by row and level by level."""
    return list(_rows(view.model(), parent or QModelIndex()))


def _rows(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[list[str]]:
    for row in range(model.rowCount(parent)):
        columns = range(model.columnCount(parent))
        indexes = [model.index(row, column, parent) for column in columns]
        yield [str(index.data(Qt.ItemDataRole.DisplayRole) or "") for index in indexes]
        yield from _rows(model, indexes[0])


def _words(part: QWidget) -> Iterator[str]:
    if isinstance(part, ElidedLabel):
        yield part.whole_text()
    elif isinstance(part, QLabel | QLineEdit | QAbstractButton | Badge):
        yield part.text()
    elif isinstance(part, QPlainTextEdit | QTextEdit):
        yield part.toPlainText()
    elif isinstance(part, QTreeView):
        yield "\n".join(" ".join(row) for row in cells(part))


def double_click(inside: QWidget, name: str) -> None:
    """Press a button twice, 100 ms apart, as a mouse does it: whatever is there by then gets the second press."""
    button = find(inside, QAbstractButton, name)
    assert button.isVisible(), f"{name} is hidden"
    window = button.window()
    place = button.mapTo(window, button.rect().center())
    for at_ms, kind in (
        (0, MOUSE_PRESS),
        (1, MOUSE_RELEASE),
        (100, MOUSE_DOUBLE),
        (101, MOUSE_RELEASE),
    ):
        target = window.childAt(place) or window
        send_mouse(target, target.mapFrom(window, place), kind, at_ms=1_000_000 + at_ms)


def send_mouse(widget: QWidget, place: QPoint, kind: QEvent.Type, *, at_ms: int) -> None:
    """Send an event of the left mouse button with that time, in milliseconds.

    Not through the window: QTest runs the event loop for that, which coroutine tests do not survive.
    """
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    down = none if kind == MOUSE_RELEASE else left
    spot = QPointF(place)
    event = QMouseEvent(kind, spot, widget.mapToGlobal(spot), left, down, NO_KEYS)
    event.setTimestamp(at_ms)
    QApplication.sendEvent(widget, event)


def requested_comparisons(navigator: Navigator) -> list[ComparedFrame]:
    """The frames that are compared from now on, two for each comparison."""
    requested: list[ComparedFrame] = []

    def receive(before: ComparedFrame, after: ComparedFrame) -> None:
        requested.extend((before, after))

    navigator.comparison_requested.connect(receive)
    return requested


def requested_frames(navigator: Navigator) -> list[int]:
    """The numbers of the frames that are to be shown from now on; the list grows."""
    numbers: list[int] = []

    def add(number: int, _transcript: object) -> None:
        numbers.append(number)

    navigator.frame_requested.connect(add)
    return numbers
