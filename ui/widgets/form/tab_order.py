"""Tab through a form in the order that is seen.

Qt's own order is that in which widgets were made, and a form makes them as they are needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QLayout


def neighbour(form: QWidget, focused: QWidget, *, forward: bool) -> QWidget | None:
    """The widget that Tab goes to from `focused`; None if there is none, inside or outside."""
    stops = list(_stops(form))
    if focused in stops:
        at = stops.index(focused) + (1 if forward else -1)
        if 0 <= at < len(stops):
            return stops[at]
    return _outside(form, focused, forward=forward)


def _stops(widget: QWidget) -> Iterator[QWidget]:
    """Where Tab stops in a widget, from top to bottom."""
    if widget.isHidden():
        return
    if _is_stop(widget):
        yield widget
    if isinstance(widget, QScrollArea):
        inside = widget.widget()
        if inside is not None:
            yield from _stops(inside)
    layout = widget.layout()
    if layout is not None:
        yield from _stops_of(layout)


def _stops_of(layout: QLayout) -> Iterator[QWidget]:
    for at in range(layout.count()):
        item = layout.itemAt(at)
        widget = item.widget() if item is not None else None
        inner = item.layout() if item is not None else None
        if widget is not None:
            yield from _stops(widget)
        elif inner is not None:
            yield from _stops_of(inner)


def _is_stop(widget: QWidget) -> bool:
    tab = Qt.FocusPolicy.TabFocus
    return widget.isEnabled() and widget.focusPolicy() & tab == tab and widget.focusProxy() is None


def _outside(form: QWidget, focused: QWidget, *, forward: bool) -> QWidget | None:
    """The next in Qt's order that does not belong to the form."""
    widget = _next(focused, forward=forward)
    while widget is not None and widget is not focused:
        if widget.isVisible() and _is_stop(widget) and not form.isAncestorOf(widget):
            return widget
        widget = _next(widget, forward=forward)
    return None


def _next(widget: QWidget, *, forward: bool) -> QWidget | None:
    return widget.nextInFocusChain() if forward else widget.previousInFocusChain()
