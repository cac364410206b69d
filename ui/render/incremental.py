"""Many parts drawn, and put away, without stopping the window: a few at once, the others one a turn, or some if they are small.

One part may take half a frame, and a server may send hundreds of them.
"""

from __future__ import annotations

from itertools import chain, islice
from time import monotonic
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QLayout, QScrollArea, QVBoxLayout, QWidget

if TYPE_CHECKING:
    from collections.abc import Iterator

FEW = 6
"""Parts that are drawn at once."""

TURN_SECONDS = 0.004
"""How long is drawn in each turn; one part in any case, and laying it out takes as long again."""

PAUSE_MS = 5
"""Between two turns: everything else goes on."""


class IncrementalBuilder(QObject):
    """Takes steps, each of which draws one part; goes when it is done, or with its owner."""

    def __init__(
        self, steps: Iterator[object], owner: QWidget, *, at_once: bool, few: int = FEW
    ) -> None:
        """Take the first `few` steps `at_once`, or from the next turn on, and the others while `owner` exists, whose layout they fill."""
        super().__init__(owner)
        self._steps = steps
        self._timer = QTimer(self, interval=PAUSE_MS)
        self._timer.timeout.connect(self._on_turn)
        if at_once and sum(1 for _ in islice(steps, few)) < few:
            self.deleteLater()
            return
        _let_grow(owner)
        self._timer.start()

    def stop(self) -> None:
        """Draw no more."""
        self._timer.stop()

    def _on_turn(self) -> None:
        end = monotonic() + TURN_SECONDS
        if not any(monotonic() > end for _ in self._steps):
            self._timer.stop()
            self.deleteLater()


def _let_grow(owner: QWidget) -> None:
    """Else each new part is first squeezed in among the others, and all of them are laid out twice."""
    layout = owner.layout()
    if layout is not None:
        layout.setSizeConstraint(QLayout.SizeConstraint.SetMinimumSize)


class IncrementalArea(QScrollArea):
    """Scrolls what is put into it; what was there before goes bit by bit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self._inner: QWidget | None = None
        self._unseen: QWidget | None = None
        self._host = QWidget()
        self._column = QVBoxLayout(self._host)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSizeConstraint(QLayout.SizeConstraint.SetMinimumSize)
        self.setWidget(self._host)
        self._host.setAutoFillBackground(
            False
        )  # `setWidget` switches it on; it is on the surface of its panel

    @property
    def is_drawing(self) -> bool:
        """Whether something is made that is not in sight yet."""
        return self._unseen is not None

    def begun(self) -> QWidget:
        """Something to be filled and then shown, unseen until then."""
        inner = QWidget(self._host)
        inner.hide()
        return inner

    def put_rendered(self, inner: QWidget, steps: Iterator[object], *, at_once: bool) -> None:
        """Show `inner`, which was `begun`, when `steps` are taken: what is added to something in sight is styled and laid out each time."""
        self.put(None)
        self._unseen = inner
        steps = chain(steps, self._putting(inner))
        IncrementalBuilder(steps, inner, at_once=at_once, few=FEW + 1)

    def _putting(self, inner: QWidget) -> Iterator[None]:
        self.put(inner)
        yield

    def put(self, inner: QWidget | None) -> None:
        """Show `inner` from now on, or nothing."""
        unseen, self._unseen = self._unseen, None
        if unseen is not None and unseen is not inner:
            _stop_drawing(unseen)
            unseen.deleteLater()
        old, self._inner = self._inner, inner
        if old is not None:
            self._put_away(old)
        if inner is not None:
            self._column.addWidget(inner)
            inner.show()  # now, not in the next turn
        self.verticalScrollBar().setValue(0)

    def _put_away(self, old: QWidget) -> None:
        """Hide the old parts where they are until they are deleted: a new parent would restyle all of them."""
        _stop_drawing(old)
        focused = cast("QWidget | None", old.window().focusWidget())
        if focused is not None and old.isAncestorOf(focused):
            focused.clearFocus()  # else Qt moves the focus to the next widget
        old.hide()
        self._column.removeWidget(old)
        parts = old.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        if len(parts) > FEW:
            IncrementalBuilder(_putting_away(old, parts), self._host, at_once=False)
        else:
            old.deleteLater()


def _stop_drawing(part: QWidget) -> None:
    for drawing in part.findChildren(IncrementalBuilder):
        drawing.stop()


def _putting_away(old: QWidget, parts: list[QWidget]) -> Iterator[None]:
    for part in reversed(parts):
        part.deleteLater()
        yield
    old.deleteLater()
