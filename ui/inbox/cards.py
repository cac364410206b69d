"""A column of cards, one for each request: pending requests before closed ones, the oldest on top."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from ui.bind import bind_coalesced
from ui.inbox.card import RequestCard
from ui.inbox_texts import CLOCK_MS
from ui.widgets.buttons import link_button
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.clock import Clock
    from inspector.inbox import Inbox, InboxItem
    from ui.theme import Theme

MAX_CARDS = 20
"""Cards at once; the rest is counted, and follows as these are answered."""

SLICE = 2
"""Cards made in one turn of the event loop; each costs some milliseconds."""

SLICE_MS = 10
"""Between two turns."""


class RequestCards(QScrollArea):
    """The requests of an inbox; it scrolls.

    Signals:
        review_requested: open the dialog of this request.
        grown: a request was added.
        changed: there are more or fewer cards, or one of them changed.
    """

    review_requested = Signal(object)
    grown = Signal()
    changed = Signal()

    def __init__(
        self, *, inbox: Inbox, clock: Clock, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Show what is in `inbox`."""
        super().__init__(parent)
        self._inbox = inbox
        self._clock = clock
        self._theme = theme
        self._cards: dict[InboxItem, RequestCard] = {}
        self._known: frozenset[InboxItem] = frozenset()
        self._build()
        self._wire()
        self.refresh()

    def _build(self) -> None:
        theme = self._theme
        self.setObjectName("inbox_scroll")
        self.setAccessibleName("Server requests")
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # all that is in it takes the focus
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inner = QWidget(self)
        inner.setObjectName("inbox_cards")
        inner.setProperty("surface", "panel")
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._more = plain_label(tone="muted", name="inbox_more", parent=inner)
        self._more.setContentsMargins(*[theme.PADDING_PX] * 4)
        self._column.addWidget(self._more)
        self._clear = link_button("Dismiss finished", name="inbox_clear", parent=inner)
        self._column.addWidget(self._clear, 0, Qt.AlignmentFlag.AlignHCenter)
        self._column.addStretch(1)
        self.setWidget(inner)
        self._ticks = QTimer(self, interval=CLOCK_MS)
        self._slices = QTimer(self, interval=SLICE_MS, singleShot=True)

    def _wire(self) -> None:
        bind_coalesced(self, self._inbox.changed, self.refresh)
        self._ticks.timeout.connect(self.tick)
        self._slices.timeout.connect(self.refresh)
        self._clear.clicked.connect(self._on_clear)

    @property
    def cards(self) -> tuple[RequestCard, ...]:
        """The cards, in order."""
        return tuple(self._cards.values())

    def content_height(self) -> int:
        """The height of everything in the column, in pixels."""
        return self._column.minimumSize().height()

    def refresh(self) -> None:
        """Show the requests as they are now; missing cards follow a few in each turn of the event loop."""
        asks = self._in_order()
        visible = asks[:MAX_CARDS]
        known = frozenset(visible)
        for ask in [ask for ask in self._cards if ask not in known]:
            card = self._cards.pop(ask)
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        for card in self._cards.values():
            card.refresh()
        self._arrange(visible)
        missing = [ask for ask in visible if ask not in self._cards]
        for ask in missing[:SLICE]:
            self._add(ask, visible)
        if len(missing) > SLICE:
            self._slices.start()
        more = len(asks) - len(visible)
        self._more.setText(f"and {more:,} more")
        self._more.setVisible(more > 0)
        pending = self._inbox.pending
        self._clear.setVisible(len(asks) - len(pending) > 1)
        for ask, card in self._cards.items():
            card.set_oldest(is_oldest=bool(pending) and ask is pending[0])
        self.tick()
        self._report_changes(frozenset(asks))

    def _in_order(self) -> tuple[InboxItem, ...]:
        """The pending ones, oldest first, then those that are closed: what can still be done is on top."""
        pending = self._inbox.pending
        known = frozenset(pending)
        return (*pending, *(ask for ask in self._inbox.items if ask not in known))

    def _arrange(self, order: Sequence[InboxItem]) -> None:
        """Bring the cards into this order."""
        known = [ask for ask in order if ask in self._cards]
        if known == list(self._cards):
            return
        self._cards = {ask: self._cards[ask] for ask in known}
        for at, card in enumerate(self._cards.values()):
            self._column.insertWidget(at, card)

    def _add(self, ask: InboxItem, order: Sequence[InboxItem]) -> None:
        card = RequestCard(ask, inbox=self._inbox, theme=self._theme)
        card.review_requested.connect(lambda: self.review_requested.emit(ask))
        card.dismissed.connect(lambda: self._inbox.dismiss(ask))
        self._column.insertWidget(len(self._cards), card)
        card.show()  # the layout would do it a turn later, and count no height for it until then
        self._cards[ask] = card
        self._arrange(order)

    def _report_changes(self, asks: frozenset[InboxItem]) -> None:
        before, self._known = self._known, asks
        if asks - before:
            self.grown.emit()
        if bool(self._inbox.pending) != self._ticks.isActive():
            self._ticks.stop() if self._ticks.isActive() else self._ticks.start()
        self.changed.emit()

    def tick(self) -> None:
        """Show how long each request has waited, and the outcome of its call."""
        now = self._clock.monotonic()
        for card in self._cards.values():
            card.tick(now)

    def _on_clear(self) -> None:
        self._inbox.dismiss(*self._inbox.items)
