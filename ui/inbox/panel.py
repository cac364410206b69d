"""The list of requests of servers that wait for a response. It never takes the focus, and opens nothing without the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from inspector.inbox import InboxItemStatus
from inspector.spec.views.elicitation import ElicitationView
from inspector.visible_text import one_line
from ui.bind import bind_coalesced
from ui.inbox_dialog import CLOCK_MS, cause_text, dropped_text, format_age
from ui.theme import tokens
from ui.widgets.buttons import link_button, push_button
from ui.widgets.empty_state import EmptyState
from ui.widgets.labels import ElidedLabel, plain_label, set_tone, tool_tip
from ui.widgets.layout_parts import Hairline

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
        self._header = QWidget(self)
        self._count = plain_label(
            tone="muted", name="inbox_waiting", wrap=True, parent=self._header
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


ICONS = {"sampling": "mdi6.robot-outline", "elicitation": "mdi6.form-select"}
"""Kind → icon."""

TITLE_CHARACTERS = 160
"""Of the title of a request; the dialog shows all characters."""


class InboxRow(QWidget):
    """A question.

    Signals:
        review_requested: open the dialog of the request, to respond or, if it is closed, to read it.
        dismissed: the user has seen that the request is closed.
    """

    review_requested = Signal()
    dismissed = Signal()

    def __init__(
        self, ask: InboxItem, *, inbox: Inbox, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Show `ask`, as it stands in `inbox`."""
        super().__init__(parent)
        self.ask = ask
        self._inbox = inbox
        self._theme = theme
        self._displayed: tuple[InboxItemStatus, str] | None = None
        self._fate = ""
        """What became of the call that the question belongs to, once it is over."""
        self.setObjectName("card")
        self._build()
        self._wire()
        self.refresh()

    def _build(self) -> None:
        theme = self._theme
        inner = QVBoxLayout()
        inner.setContentsMargins(
            theme.PADDING_PX, theme.PADDING_PX, theme.PADDING_PX, theme.PADDING_PX
        )
        inner.setSpacing(theme.SPACING_PX)
        inner.addLayout(self._build_header())
        for part in self._built_lines():
            inner.addWidget(part)
        inner.addLayout(self._built_foot())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(inner)
        column.addWidget(Hairline(theme=theme, parent=self))

    def _build_header(self) -> QHBoxLayout:
        self._icon = QLabel(self)
        self._kind = plain_label(_kind_text(self.ask), name="card_kind", parent=self)
        self._clock = plain_label(name="card_clock", parent=self)
        header = QHBoxLayout()
        header.setSpacing(self._theme.px(6))
        for part in (self._icon, self._kind):
            header.addWidget(part)
        header.addStretch(1)
        header.addWidget(self._clock)
        return header

    def _built_lines(self) -> tuple[QWidget, ...]:
        self._server = ElidedLabel(f"from {self.ask.server}", parent=self)
        self._server.setObjectName("card_server")
        self._title = self._wrapped("card_title")
        self._title.setText(one_line(self.ask.title, TITLE_CHARACTERS))
        self._title.setVisible(bool(self.ask.title))
        self._cause = ElidedLabel(_short_cause(self.ask), parent=self)
        self._cause.setObjectName("card_cause")
        set_tone(self._cause, "muted")
        self._text = self._wrapped("card_words")
        return self._server, self._title, self._cause, self._text

    def _wrapped(self, name: str) -> QLabel:
        return plain_label(name=name, wrap=True, parent=self)

    def _built_foot(self) -> QHBoxLayout:
        self.review = push_button("Review…", name="card_review", parent=self)
        text = f"Review {self.ask.kind} from {one_line(self.ask.server, 60)}"
        self.review.setAccessibleName(text)
        self.review.setToolTip(tool_tip(cause_text(self.ask)))
        self._look = link_button("View", name="card_look", parent=self)
        self._dismiss = link_button("Dismiss", name="card_dismiss", parent=self)
        foot = QHBoxLayout()
        foot.addWidget(self.review)
        foot.addWidget(self._look)
        foot.addWidget(self._dismiss)
        foot.addStretch(1)
        return foot

    def _wire(self) -> None:
        self.review.clicked.connect(self.review_requested)
        self._look.clicked.connect(self.review_requested)
        self._dismiss.clicked.connect(self.dismissed)
        self._theme.changed.connect(self._dress)

    def refresh(self) -> None:
        """Show how it stands."""
        status, text = self._inbox.status(self.ask), self._inbox.note(self.ask) or self._fate
        if (status, text) == self._displayed:
            return
        self._displayed = status, text
        waits = status is InboxItemStatus.PENDING
        self._dismiss.setVisible(not waits)
        self._look.setVisible(status is InboxItemStatus.WITHDRAWN)
        self.review.setVisible(waits)
        self._clock.setText("" if waits else str(status))
        set_tone(self._clock, "pending" if waits else "muted")
        self._text.setText(one_line(text, 400))
        set_tone(self._text, "muted" if status is InboxItemStatus.ANSWERED else "warning")
        self._text.setVisible(bool(text))
        self._dress()

    def tick(self, now: float) -> None:
        """Show how long it has waited."""
        if self._inbox.status(self.ask) is not InboxItemStatus.PENDING:
            return
        if fate := self.ask.fate():
            self._fate = fate
            self.refresh()
            self._clock.setText("")  # the server may have stopped waiting
        else:
            self._clock.setText(format_age(now - self.ask.received_at))

    def _dress(self) -> None:
        theme = self._theme
        icon = theme.icon(ICONS.get(self.ask.kind, "mdi6.help"), "person")
        self._icon.setPixmap(icon.pixmap(theme.ICON, theme.ICON))
        self._kind.setFont(theme.font(bold=True))
        self._cause.setFont(theme.font(tokens.SMALL))


def _kind_text(ask: InboxItem) -> str:
    """The kind, and of an elicitation its mode: a page to visit is decided in another way than a form."""
    view = ask.view
    if isinstance(view, ElicitationView):
        return f"{ask.kind} · {'URL' if view.is_url else 'form'}"
    return ask.kind


def _short_cause(ask: InboxItem) -> str:
    if not ask.causes:
        return "unprompted"
    if len(ask.causes) == 1:
        return f"sent during {ask.causes[0].text}"
    return f"sent during one of {len(ask.causes)} requests: {ask.causes[-1].text}, …"
