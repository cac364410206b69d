"""A column that scrolls, with a view in it that scrolls too: where there is little height, one scroll bar moves both.

A view that is an `InnerScroll` gets the height of all its content. Any other, such as a tree or a text of any length, fills the column with
what is below it in the body, such as a field to find text: the bar moves the column to there, then the view through its content, and then
the rest of the column. When another part or the column itself changes its height, the view keeps its place in its content.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QPlainTextEdit,
    QWidget,
)
from shiboken6 import isValid

from ui.widgets.inner_scroll import InnerScroll
from ui.widgets.layout_parts import ScrollColumn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QResizeEvent

MARGIN = 50
"""Pixels around a widget that is moved to, as Qt has them."""

_OFF = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
_AS_NEEDED = Qt.ScrollBarPolicy.ScrollBarAsNeeded


class JointColumn(ScrollColumn):
    """A column whose `body` holds the view that scrolls."""

    # Qt sends events before there is an instance that is complete.
    _body: QWidget | None = None
    _minimum = 0
    _followed: QAbstractScrollArea | None = None
    _is_joint = False
    _is_moving = False

    def __init__(self, *, name: str, parent: QWidget | None = None) -> None:
        """Start without a body."""
        super().__init__(name=name, parent=parent)
        self.verticalScrollBar().rangeChanged.connect(self._extend_range)

    def set_body(self, body: QWidget, minimum: int) -> None:
        """Let `body`, a part of the column, have at least `minimum` pixels of height."""
        if body is not self._body or minimum != self._minimum:
            self._body, self._minimum = body, minimum
            self.fit()

    def fit(self) -> None:
        """Let the body have the height that is left, or where that is too little, what its view needs so that there is one scroll bar."""
        body = self._body
        if body is None:
            return
        visible, before = self.viewport().height(), body.minimumHeight()
        is_low = self._needed_height() - before + self._minimum > visible
        view = next(_views_in(body), None)
        self._follow(view)
        height = self._minimum
        if view is not None and is_low:
            needed = self._height_for(view, body)
            height = max(body.height() - view.height() + needed, self._minimum)
        self._join(is_low)
        if height != before:
            body.setMinimumHeight(height)
        self._extend_range()

    def _height_for(self, view: QAbstractScrollArea, body: QWidget) -> int:
        if isinstance(view, InnerScroll):
            return view.needed_height()
        visible = self.viewport().height()
        below = body.height() - view.mapTo(body, QPoint(0, view.height())).y()
        return visible - below if 2 * below <= visible else visible

    def _needed_height(self) -> int:
        column = self.column
        if column.hasHeightForWidth():
            return column.minimumHeightForWidth(self.viewport().width())
        return column.minimumSize().height()

    @property
    def _existing(self) -> QAbstractScrollArea | None:
        """What was followed last, wherever it is now."""
        followed = self._followed
        return followed if followed is not None and isValid(followed) else None

    @property
    def _view(self) -> QAbstractScrollArea | None:
        """What scrolls in the body, while it is in the column: a body that was just made is put there later."""
        view = self._existing
        return view if view is not None and self._inner.isAncestorOf(view) else None

    def _follow(self, view: QAbstractScrollArea | None) -> None:
        """Follow `view` from now on; the one before has its own scroll bar again."""
        before = self._existing
        if view is before:
            return
        if before is not None:
            self._join(is_low=False)
            before.verticalScrollBar().rangeChanged.disconnect(self._extend_range)
            before.verticalScrollBar().valueChanged.disconnect(self._follow_view)
            before.viewport().removeEventFilter(self)
            before.removeEventFilter(self)
        if isinstance(before, InnerScroll):
            before.refitted.disconnect(self.fit)
        self._followed = view
        if view is not None:
            view.verticalScrollBar().rangeChanged.connect(self._extend_range)
            view.verticalScrollBar().valueChanged.connect(self._follow_view)
            view.viewport().installEventFilter(self)
            view.installEventFilter(self)
        if isinstance(view, InnerScroll):
            view.refitted.connect(self.fit)

    def _join(self, is_low: bool) -> None:
        """Move the view with the column, or leave it its own scroll bar; where all of it is in the column, it has none either."""
        view, was_joint = self._existing, self._is_joint
        self._is_joint = is_low and view is not None and not isinstance(view, InnerScroll)
        if was_joint and not self._is_joint:
            self.verticalScrollBar().setRange(0, self._own_range())
        policy = _OFF if is_low else _AS_NEEDED
        if view is not None and view.verticalScrollBarPolicy() != policy:
            view.setVerticalScrollBarPolicy(policy)

    # --- one position for both -----------------------------------------------------------------

    def _own_range(self) -> int:
        """How far the column itself moves."""
        return max(self._inner.height() - self.viewport().height(), 0)

    def _view_range(self) -> int:
        """How far the view moves, in pixels."""
        view = self._view
        return view.verticalScrollBar().maximum() * _step(view) if view and self._is_joint else 0

    def _view_top(self) -> int:
        """How far the column has moved when the view begins to."""
        view = self._view
        if view is None:
            return 0
        top = view.mapTo(self._inner, QPoint()).y()
        return min(top, self._own_range())

    def _extend_range(self) -> None:
        total = self._own_range() + self._view_range()
        bar = self.verticalScrollBar()
        if self._is_joint and bar.maximum() != total:
            bar.setRange(0, total)  # before Qt bounds the position by its own range
        self._keep_position()

    def _steps_at(self, value: int) -> int:
        """How far the view has moved, in its own steps, when the column is at `value`."""
        view, inside = self._view, value - self._view_top()
        if view is None:
            return 0
        is_end = inside >= self._view_range()
        return view.verticalScrollBar().maximum() if is_end else max(inside, 0) // _step(view)

    def _keep_position(self) -> None:
        """Move the column to the place of the view, where another height of a part has come between them."""
        view = self._view
        if view is None or not self._is_joint or self._is_moving:
            return
        if view.verticalScrollBar().value() != self._steps_at(self.verticalScrollBar().value()):
            self._follow_view()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Move the column, the view in it, or both."""
        if not self._is_joint:
            super().scrollContentsBy(dx, dy)
            return
        self._move_to(self.verticalScrollBar().value())

    def _move_to(self, value: int) -> None:
        view, top = self._view, self._view_top()
        if view is None or self._is_moving:
            return
        inside = min(max(value - top, 0), self._view_range())
        self._is_moving = True
        self._inner.move(self._inner.x(), inside - value)
        bar, steps = view.verticalScrollBar(), self._steps_at(value)
        bar.setValue(steps)
        self._is_moving = False
        if bar.value() != steps:  # it got more text before what is visible
            self._follow_view()

    def _follow_view(self) -> None:
        """Move the column to where all of the view is visible, after keys or a search moved the view."""
        view, bar = self._view, self.verticalScrollBar()
        if view is None or not self._is_joint or self._is_moving:
            return
        inside, top = view.verticalScrollBar().value(), self._view_top()
        if not inside:
            bar.setValue(min(bar.value(), top))
        elif inside == view.verticalScrollBar().maximum():
            bar.setValue(max(bar.value(), top + self._view_range()))
        else:
            bar.setValue(top + inside * _step(view))

    def ensureWidgetVisible(
        self,
        childWidget: QWidget,  # noqa: N803 - Qt's name
        xmargin: int = MARGIN,
        ymargin: int = MARGIN,
    ) -> None:
        """Move to where a widget is visible; the view has a place of its own, and moves what is in it."""
        self.fit()  # another view may have come to the front
        view = self._view
        if not self._is_joint or view is None:
            super().ensureWidgetVisible(childWidget, xmargin, ymargin)
        elif view.isAncestorOf(childWidget):
            self._show_view()
        else:
            top = childWidget.mapTo(self._inner, QPoint()).y()
            self._show_area(top, top + childWidget.height(), ymargin)

    def ensureVisible(self, x: int, y: int, xmargin: int = MARGIN, ymargin: int = MARGIN) -> None:
        """Move to where a point of the column is visible, also one of what the view shows now."""
        self.fit()
        if self._is_joint:
            self._show_area(y, y + 1, ymargin)
        else:
            super().ensureVisible(x, y, xmargin, ymargin)

    def _show_area(self, top: int, bottom: int, margin: int) -> None:
        visible, start = self.viewport().height(), self._view_top()
        if start <= top and bottom <= start + visible:
            self._show_view()  # visible wherever the view is in its content
            return
        current = -self._inner.y()
        target = min(max(current, bottom + margin - visible), top - margin)
        target = min(max(target, 0), self._own_range())
        if target != current:
            beyond = self._view_range() if target > start else 0
            self.verticalScrollBar().setValue(target + beyond)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002 - Qt's name
        """Tab moves to where the next widget is visible."""
        if not QWidget.focusNextPrevChild(self, next):
            return False
        self.ensureWidgetVisible(self.focusWidget())
        return True

    def _show_view(self) -> None:
        """Move the column to where all of the view is visible."""
        bar, top = self.verticalScrollBar(), self._view_top()
        bar.setValue(min(max(bar.value(), top), top + self._view_range()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the wheel move both, and keys that go to the view show all of it."""
        if self._is_joint and (view := self._view) is not None:
            kind = event.type()
            if kind is QEvent.Type.Wheel and watched is view.viewport():
                if isinstance(event, QWheelEvent) and event.angleDelta().y():
                    QCoreApplication.sendEvent(self.verticalScrollBar(), event)
                    return True
            elif kind is QEvent.Type.KeyPress and watched is view:
                self._show_view()
            elif kind is QEvent.Type.Move and watched is self._inner:
                self._keep_position()
                self._move_to(self.verticalScrollBar().value())  # Qt moves it by the whole position
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """Fit the height again after a part got another one."""
        done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:
            self.fit()
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another height may be enough for the view, or no longer."""
        super().resizeEvent(event)
        self.fit()


def _views_in(widget: QWidget) -> Iterator[QAbstractScrollArea]:
    """Yield the scroll areas in `widget` that are visible with it and in no other."""
    if isinstance(widget, QAbstractScrollArea):
        yield widget
        return
    for child in widget.children():
        if isinstance(child, QWidget) and not child.isHidden():
            yield from _views_in(child)


def _step(view: QAbstractScrollArea) -> int:
    """Return how many pixels a step of the scroll bar of `view` is."""
    if isinstance(view, QPlainTextEdit):
        return max(view.fontMetrics().lineSpacing(), 1)
    by_item = QAbstractItemView.ScrollMode.ScrollPerItem
    if isinstance(view, QAbstractItemView) and view.verticalScrollMode() == by_item:
        return max(view.sizeHintForRow(0), 1)
    return 1
