"""The list of requests of servers that wait for a response. It never takes the focus, and opens nothing without the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from ui.bind import bind_coalesced
from ui.inbox.inbox_row import InboxRow
from ui.inbox_dialog import CLOCK_MS, dropped_text
from ui.widgets.buttons import link_button, push_button
from ui.widgets.empty_state import EmptyState
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


class InboxPanel(QWidget):
    """A column of rows: pending requests first, the oldest on top.

    Signals:
        review_requested: open the dialog of this request.
        grown: a request was added.
    """

    review_requested = Signal(object)
    grown = Signal()

    def __init__(
        self, *, inbox: Inbox, clock: Clock, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Show what is in `inbox`."""
        super().__init__(parent)
        self.setObjectName("inbox")
        self.setAccessibleName("Requests")
        self.inbox = inbox
        self._clock = clock
        self._theme = theme
        self._cards: dict[InboxItem, InboxRow] = {}
        self._known: frozenset[InboxItem] = frozenset()
        self._is_sure_asked = False
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
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
        self._empty = EmptyState(
            "No requests",
            "Sampling and elicitation requests of servers are listed here.",
            theme=theme,
            icon="mdi6.inbox-outline",
            name="inbox_empty",
            parent=self,
        )
        scroll = self._scroll = QScrollArea(self)
        scroll.setObjectName("inbox_scroll")
        scroll.setAccessibleName("Server requests")
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inner)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._build_header())
        layout.addWidget(self._empty)
        layout.addWidget(scroll)
        self.setMinimumWidth(theme.px(200))
        self._ticks = QTimer(self, interval=CLOCK_MS)
        self._slices = QTimer(self, interval=SLICE_MS, singleShot=True)

    def _build_header(self) -> QWidget:
        """How many wait, and a way to say no to all of them; asked twice, since nothing brings them back."""
        theme = self._theme
        self._head = QWidget(self)
        self._waiting = plain_label(
            tone="muted", name="inbox_waiting", wrap=True, parent=self._head
        )
        self._reject = link_button("Reject all…", name="inbox_reject", parent=self._head)
        self._sure = push_button("Reject all", name="inbox_reject_sure", parent=self._head)
        self._keep = link_button("Cancel", name="inbox_reject_not", parent=self._head)
        row = QHBoxLayout()
        row.setSpacing(theme.PADDING_PX)
        for part in (self._reject, self._sure, self._keep):
            row.addWidget(part)
        row.addStretch(1)
        column = QVBoxLayout(self._head)
        column.setContentsMargins(
            theme.PADDING_PX, theme.SPACING_PX, theme.PADDING_PX, theme.SPACING_PX
        )
        column.setSpacing(theme.SPACING_PX)
        column.addWidget(self._waiting)
        column.addLayout(row)
        return self._head

    def _wire(self) -> None:
        bind_coalesced(self, self.inbox.changed, self._refresh)
        self._ticks.timeout.connect(self.tick)
        self._slices.timeout.connect(self._refresh)
        self._clear.clicked.connect(self._on_clear)
        self._reject.clicked.connect(lambda: self._ask_twice(True))
        self._keep.clicked.connect(lambda: self._ask_twice(False))
        self._sure.clicked.connect(self._on_sure)

    @property
    def cards(self) -> tuple[InboxRow, ...]:
        """The cards that are shown, in order."""
        return tuple(self._cards.values())

    def _refresh(self) -> None:
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
        pending = len(self.inbox.pending)
        self._clear.setVisible(len(asks) - pending > 1)
        self._empty.setVisible(not asks)
        self._scroll.setVisible(bool(asks))
        self._show_header(pending)
        self.tick()
        self._report_changes(frozenset(asks))

    def _show_header(self, pending: int) -> None:
        self._head.setVisible(pending > 1)
        self._is_sure_asked = self._is_sure_asked and pending > 1
        asked = self._is_sure_asked
        text = f"Reject all {pending:,} requests?" if asked else f"{pending:,} pending requests"
        dropped = dict.fromkeys(dropped_text(ask) for ask in self.inbox.pending) if asked else {}
        self._waiting.setText("\n".join((text, *filter(None, dropped))))
        self._reject.setVisible(not asked)
        self._sure.setVisible(asked)
        self._keep.setVisible(asked)

    def _ask_twice(self, on: bool) -> None:
        self._is_sure_asked = on
        self._show_header(len(self.inbox.pending))

    def _in_order(self) -> tuple[InboxItem, ...]:
        """Those that wait, oldest first, then those that are over: what can still be done stands on top."""
        pending = self.inbox.pending
        known = frozenset(pending)
        return (*pending, *(ask for ask in self.inbox.items if ask not in known))

    def _arrange(self, order: Sequence[InboxItem]) -> None:
        """Bring the cards into this order."""
        known = [ask for ask in order if ask in self._cards]
        if known == list(self._cards):
            return
        self._cards = {ask: self._cards[ask] for ask in known}
        for at, card in enumerate(self._cards.values()):
            self._column.insertWidget(at, card)

    def _add(self, ask: InboxItem, order: Sequence[InboxItem]) -> None:
        card = InboxRow(ask, inbox=self.inbox, theme=self._theme)
        card.review_requested.connect(lambda: self.review_requested.emit(ask))
        card.dismissed.connect(lambda: self.inbox.dismiss(ask))
        self._column.insertWidget(len(self._cards), card)
        self._cards[ask] = card
        self._arrange(order)

    def _report_changes(self, asks: frozenset[InboxItem]) -> None:
        before, self._known = self._known, asks
        if asks - before:
            self.grown.emit()
        if bool(self.inbox.pending) != self._ticks.isActive():
            self._ticks.stop() if self._ticks.isActive() else self._ticks.start()

    def tick(self) -> None:
        """Show how long each waits, and what became of its call."""
        now = self._clock.monotonic()
        for card in self._cards.values():
            card.tick(now)

    def _on_sure(self) -> None:
        self._ask_twice(False)
        self.inbox.decline_all()

    def _on_clear(self) -> None:
        self.inbox.dismiss(*self.inbox.items)
