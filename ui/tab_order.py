"""Tab through widgets in the order that is seen.

Qt's own order is that in which widgets were made, and most are made as they are needed.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QMainWindow,
    QMenuBar,
    QScrollArea,
    QSplitter,
    QWidget,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QRect

MARGIN = 50
"""Pixels above and below what is scrolled into sight, as Qt has it."""


def neighbour(root: QWidget, focused: QWidget | None, *, forward: bool) -> QWidget | None:
    """The widget in `root` that Tab goes to from `focused`, or from the part it belongs to; None if Tab leaves `root`."""
    seen = list(_walk(root))
    while focused is not None and focused not in seen:
        focused = focused.parentWidget()
    if focused is None or focused is root:
        return None
    at = seen.index(focused)
    rest = seen[at + 1 :] if forward else reversed(seen[:at])
    return next(filter(_is_stop, rest), None)


def tab_around(window: QWidget, *, forward: bool) -> bool:
    """Go to the next stop in `window`, or to the one before, and round at the end; False if Tab stops nowhere in it.

    For `focusNextPrevChild` of windows and dialogs, whose fields are seldom made in the order that is seen.
    """
    found = neighbour(window, QApplication.focusWidget(), forward=forward)
    if found is None:
        found = next(iter(stops(window) if forward else reversed([*stops(window)])), None)
    if found is None:
        return False
    reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
    go_to(found, reason)
    return True


def stops(root: QWidget) -> Iterator[QWidget]:
    """Where Tab stops in `root`, in the order that is seen."""
    return filter(_is_stop, _walk(root))


def focus_first(root: QWidget) -> bool:
    """Go to where Tab stops first in `root`; False if it stops nowhere."""
    first = next(stops(root), None)
    if first is not None:
        go_to(first, Qt.FocusReason.OtherFocusReason)
    return first is not None


def go_to(widget: QWidget, reason: Qt.FocusReason) -> None:
    """Give the focus to a widget, and scroll it into sight."""
    widget.setFocus(reason)
    scroll_to(widget)


def scroll_to(widget: QWidget, margin: int = MARGIN) -> None:
    """Scroll a widget into sight in all areas that it is in, with `margin` pixels above and below it."""
    around = widget.parentWidget()
    while around is not None:
        if isinstance(around, QScrollArea):
            around.ensureWidgetVisible(widget, 0, margin)
        around = around.parentWidget()


def scroll_to_part(view: QAbstractScrollArea, part: QRect) -> None:
    """Scroll a part of what `view` shows, in pixels of its viewport, into sight in all areas that the view is in."""
    around = view.parentWidget()
    while around is not None:
        content = around.widget() if isinstance(around, QScrollArea) else None
        if isinstance(around, QScrollArea) and content is not None and view.isVisibleTo(content):
            middle = view.viewport().mapTo(content, QPoint(0, part.center().y()))
            around.ensureVisible(middle.x(), middle.y(), 0, part.height())
        around = around.parentWidget()


def arrange(root: QWidget) -> None:
    """Bring that part of Qt's order into the one that is seen, so that Qt leaves it where it ends.

    Qt's order is never read: a widget taken from `nextInFocusChain` belongs, for Python, to the one before it from then on, and is
    taken for deleted when that is.
    """
    for before, after in pairwise(stops(root)):
        QWidget.setTabOrder(before, after)


def _walk(widget: QWidget) -> Iterator[QWidget]:
    if widget.isHidden():
        return
    yield widget
    for inside in _inside(widget):
        yield from _walk(inside)


def _inside(widget: QWidget) -> list[QWidget]:
    """The parts of a widget, row by row; nothing of what a tab covers, or a splitter shut.

    Places are asked for, not layouts: a widget taken from an item of a layout belongs, for Python, to that item, and is taken for
    deleted when it is forgotten.
    """
    if isinstance(widget, QAbstractScrollArea) and not isinstance(widget, QScrollArea):
        return []
    parts = [
        part
        for part in widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        if not (part.isWindow() or part.isHidden())
    ]
    if isinstance(widget, QMainWindow):
        parts = [part for part in parts if not (_is_covered(part) or isinstance(part, QMenuBar))]
    elif isinstance(widget, QSplitter):
        parts = [part for part in parts if part.geometry().intersects(widget.rect())]
    return list(_by_rows(parts))


def _is_covered(part: QWidget) -> bool:
    return part.visibleRegion().isEmpty()


def _by_rows(parts: list[QWidget]) -> Iterator[QWidget]:
    """From top to bottom; what stands beside each other from left to right."""
    rest = sorted(parts, key=lambda part: (part.y(), part.x()))
    while rest:
        # A layout without room gives a widget a negative height.
        middle = rest[0].y() + max(rest[0].height(), 0) // 2
        row = [part for part in rest if part.y() <= middle]
        yield from sorted(row, key=lambda part: part.x())
        rest = [part for part in rest if part not in row]


def _is_stop(widget: QWidget) -> bool:
    tab = Qt.FocusPolicy.TabFocus
    return widget.isEnabled() and widget.focusPolicy() & tab == tab and widget.focusProxy() is None
