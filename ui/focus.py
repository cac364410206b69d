"""Where the keyboard focus goes when the widget that has it is hidden, disabled or removed.

Qt gives it to the next widget of its own order, which may be a button at the other end of the window: the next Space presses it. Here the
focus stays close: it rests on what is around the lost widget, where no key does any harm, and returns as soon as the widget can take it
again. When the widget is removed for good, its neighbor gets the focus, or the widget that had it before.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget
from shiboken6 import isValid

from ui.tab_order import go_to, stops

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_HISTORY = 20
"""Widgets that are remembered as having had the focus."""

_RETURNS = {QEvent.Type.Show, QEvent.Type.EnabledChange}


class _Loss:
    """A widget that lost the focus without the user having moved it."""

    def __init__(self, widget: QWidget) -> None:
        self.widget = weakref.ref(widget)
        self.rest = _around(widget)
        """What has the focus for it."""
        self.height = widget.mapToGlobal(QPoint(0, 0)).y()
        self.is_page = _is_of_hidden_page(widget, self.rest)
        """Whether it went with the page of a stack, so that what comes in its place has nothing to do with it."""


class FocusKeeper(QObject):
    """Watches the focus in all windows of the application."""

    def __init__(self, app: QApplication, *, parent: QObject | None = None) -> None:
        """Begin to watch `app`."""
        super().__init__(parent)
        self._history: list[weakref.ref[QWidget]] = []
        self._loss: _Loss | None = None
        self._moves = False
        app.focusChanged.connect(self._on_focus_changed)

    def _on_focus_changed(self, old: QWidget | None, now: QWidget | None) -> None:
        if self._moves:
            return
        if old is not None and isValid(old) and _was_taken(old, now):
            self._move_focus(old)
            return
        if now is not None:
            self._forget_loss()
            self._note(now)

    def _note(self, widget: QWidget) -> None:
        known = [ref for ref in self._history if ref() is not None and ref() is not widget]
        self._history = [*known, weakref.ref(widget)][-MAX_HISTORY:]

    def _move_focus(self, lost: QWidget) -> None:
        """Keep the focus near a widget that cannot have it any more."""
        loss = self._loss
        if loss is not None and lost is loss.rest:  # what it rested on goes, too
            loss.rest = _around(lost)
        else:
            self._forget_loss()
            loss = self._loss = _Loss(lost)
            lost.installEventFilter(self)
            lost.destroyed.connect(lambda: self._on_lost_destroyed(loss))
        if loss.rest is not None:
            self._move(loss.rest)

    def _forget_loss(self) -> None:
        loss, self._loss = self._loss, None
        widget = loss.widget() if loss is not None else None
        if widget is not None and isValid(widget):
            widget.removeEventFilter(self)

    def _move(self, widget: QWidget) -> None:
        self._moves = True
        try:
            go_to(widget, Qt.FocusReason.OtherFocusReason)
        finally:
            self._moves = False

    def _on_lost_destroyed(self, loss: _Loss) -> None:
        # Not at once: a parent destroys its children one by one, and an access to one that is half destroyed takes
        # the whole process down.
        if isValid(self) and self._loss is loss:
            QTimer.singleShot(0, self, lambda: self._replace(loss))

    def _replace(self, loss: _Loss) -> None:
        """Give the focus to the neighbor of a widget that is gone, unless it has moved since."""
        if self._loss is not loss:
            return
        self._loss = None
        found = _neighbour(loss) or self._latest(loss)
        if found is not None:
            self._move(found)
            self._note(found)

    def _latest(self, loss: _Loss) -> QWidget | None:
        """The widget of the same window that had the focus last and can have it."""
        window = loss.rest.window() if loss.rest is not None and isValid(loss.rest) else None
        for ref in reversed(self._history):
            widget = ref()
            if widget is not None and _can_take(widget) and widget.window() is window:
                return widget
        return None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The lost widget can take the focus again."""
        loss = self._loss
        if event.type() in _RETURNS and loss is not None and watched is loss.widget():
            widget = loss.widget()
            if widget is not None and _can_take(widget):
                self._forget_loss()
                self._move(widget)
        return super().eventFilter(watched, event)


def _was_taken(old: QWidget, now: QWidget | None) -> bool:
    """Whether `old` lost the focus within its window because it cannot have it any more."""
    if old.isVisible() and old.isEnabled():
        return False
    window = old.window()
    return now.window() is window if now is not None else window.isActiveWindow()


def _can_take(widget: QWidget) -> bool:
    return isValid(widget) and widget.isVisible() and widget.isEnabled()


def _ancestors(widget: QWidget) -> Iterator[QWidget]:
    while not widget.isWindow() and (parent := widget.parentWidget()) is not None:
        widget = parent
        yield widget


def _around(widget: QWidget) -> QWidget | None:
    """The nearest part around `widget` that is seen and enabled."""
    return next((part for part in _ancestors(widget) if _can_take(part)), None)


def _is_of_hidden_page(widget: QWidget, rest: QWidget | None) -> bool:
    inner = widget
    for part in _ancestors(widget):
        if isinstance(part, QStackedWidget) and inner.isHidden():
            return True
        if part is rest:
            return False
        inner = part
    return False


def _neighbour(loss: _Loss) -> QWidget | None:
    """What took the place of a removed row, or else the row before it."""
    rest = loss.rest
    if rest is None or not _can_take(rest) or rest.isWindow() or loss.is_page:
        return None
    before: QWidget | None = None
    for stop in stops(rest):
        if stop.mapToGlobal(QPoint(0, 0)).y() >= loss.height:
            return stop
        before = stop
    return before
