"""The dock with the requests of servers. It never takes the focus, and opens nothing without the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.bind import bind_coalesced
from ui.inbox.cards import RequestCards
from ui.inbox_texts import dropped_text
from ui.widgets.buttons import link_button, push_button
from ui.widgets.empty_state import EmptyState
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from inspector.clock import Clock
    from inspector.inbox import Inbox
    from ui.inbox.card import RequestCard
    from ui.theme import Theme

MIN_WIDTH = 200
"""Pixels at 100%."""


class InboxPanel(QWidget):
    """The cards of all requests, and above them a way to reject all.

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
        self._is_sure_asked = False
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self._empty = EmptyState(
            "No requests",
            "Sampling and elicitation requests of servers are listed here.",
            theme=theme,
            name="inbox_empty",
            parent=self,
        )
        self._list = RequestCards(inbox=self.inbox, clock=self._clock, theme=theme, parent=self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._build_header())
        layout.addWidget(self._empty)
        layout.addWidget(self._list)
        self._set_minimum_width()

    def _build_header(self) -> QWidget:
        """The number of pending requests, and a way to reject all of them; asked twice, since nothing brings them back."""
        theme = self._theme
        self._header = QWidget(self)
        self._count = plain_label(
            tone="muted", name="inbox_pending", wrap=True, parent=self._header
        )
        self._reject = link_button("Reject all…", name="inbox_reject", parent=self._header)
        self._sure = push_button("Reject all", name="inbox_reject_sure", parent=self._header)
        self._keep = link_button("Cancel", name="inbox_reject_not", parent=self._header)
        row = QHBoxLayout()
        row.setSpacing(theme.PADDING_PX)
        for part in (self._reject, self._sure, self._keep):
            row.addWidget(part)
        row.addStretch(1)
        column = QVBoxLayout(self._header)
        column.setContentsMargins(
            theme.PADDING_PX, theme.SPACING_PX, theme.PADDING_PX, theme.SPACING_PX
        )
        column.setSpacing(theme.SPACING_PX)
        column.addWidget(self._count)
        column.addLayout(row)
        return self._header

    def _wire(self) -> None:
        bind_coalesced(self, self.inbox.changed, self._refresh)
        self._theme.changed.connect(self._set_minimum_width)
        self._list.grown.connect(self.grown)
        self._list.review_requested.connect(self.review_requested)
        self._reject.clicked.connect(lambda: self._ask_twice(True))
        self._keep.clicked.connect(lambda: self._ask_twice(False))
        self._sure.clicked.connect(self._on_sure)

    def _set_minimum_width(self) -> None:
        self.setMinimumWidth(self._theme.px(MIN_WIDTH))

    @property
    def cards(self) -> tuple[RequestCard, ...]:
        """The cards, in order."""
        return self._list.cards

    def _refresh(self) -> None:
        has_items = bool(self.inbox.items)
        self._empty.setVisible(not has_items)
        self._list.setVisible(has_items)
        self._show_header(len(self.inbox.pending))

    def _show_header(self, pending: int) -> None:
        self._header.setVisible(pending > 1)
        self._is_sure_asked = self._is_sure_asked and pending > 1
        asked = self._is_sure_asked
        text = f"Reject all {pending:,} requests?" if asked else f"{pending:,} pending requests"
        dropped = dict.fromkeys(dropped_text(ask) for ask in self.inbox.pending) if asked else {}
        self._count.setText("\n".join((text, *filter(None, dropped))))
        self._reject.setVisible(not asked)
        self._sure.setVisible(asked)
        self._keep.setVisible(asked)

    def _ask_twice(self, on: bool) -> None:
        self._is_sure_asked = on
        self._show_header(len(self.inbox.pending))

    def tick(self) -> None:
        """Show how long each request has waited, and the outcome of its call."""
        self._list.tick()

    def _on_sure(self) -> None:
        self._ask_twice(False)
        self.inbox.decline_all()
