"""One request of a server in a list: what it is, how long it has waited, what caused it, and a button to review it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from inspector.inbox import InboxItemStatus
from inspector.spec.views.elicitation import ElicitationView
from inspector.spec.views.sampling import SamplingView
from inspector.visible_text import one_line
from ui.inbox_texts import cause_text, format_age
from ui.theme import tokens
from ui.widgets.buttons import link_button, push_button, set_primary
from ui.widgets.labels import ElidedLabel, plain_label, set_icon, set_tone, tool_tip
from ui.widgets.layout_parts import Hairline, row_layout
from ui.widgets.units import plural

if TYPE_CHECKING:
    from inspector.inbox import Inbox, InboxItem
    from ui.theme import Theme

HEIGHT = 76
"""Of a card, at 100%."""

MARGINS = (12, 6, 12, 4)
"""Pixels at 100% left, above, right and below."""

ICONS = {"sampling": "mdi6.robot-outline", "elicitation": "mdi6.form-select"}
"""Kind → icon."""

TITLE_CHARACTERS = 60
"""Of the title of a request; the dialog shows all characters."""

REASON_CHARACTERS = 400
"""Of the reason why a request is closed."""


class RequestCard(QWidget):
    """Three lines: kind and time, the start of its text, and its cause beside the buttons.

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
        """The outcome of the call that the request belongs to, once it is over."""
        self.setObjectName("card")
        self.setAccessibleName(f"{kind_text(ask)} from {one_line(ask.server, 60)}")
        self._build()
        self._wire()
        self.refresh()

    def _build(self) -> None:
        self._rows = QVBoxLayout()
        self._rows.addLayout(self._build_header())
        self._title = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._title.setObjectName("card_title")
        self._title.set_text(title_text(self.ask))
        self._text = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._text.setObjectName("card_words")
        self._rows.addWidget(self._title)
        self._rows.addWidget(self._text)
        self._rows.addStretch(1)
        self._rows.addLayout(self._build_foot())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(Hairline(theme=self._theme, parent=self))
        column.addLayout(self._rows)

    def _build_header(self) -> QHBoxLayout:
        self._icon = QLabel(self)
        self._kind = plain_label(kind_text(self.ask), name="card_kind", parent=self)
        self._clock = plain_label(name="card_clock", parent=self)
        header = row_layout(None, self._icon, self._kind, space=self._theme.px(8))
        header.addStretch(1)
        header.addWidget(self._clock)
        return header

    def _build_foot(self) -> QHBoxLayout:
        self._cause = ElidedLabel(_cause(self.ask), parent=self)
        self._cause.setObjectName("card_cause")
        set_tone(self._cause, "muted")
        self.review = push_button("Review", name="card_review", parent=self)
        text = f"Review {self.ask.kind} from {one_line(self.ask.server, 60)}"
        self.review.setAccessibleName(text)
        self.review.setToolTip(tool_tip(cause_text(self.ask)))
        self._look = link_button("View", name="card_look", parent=self)
        self._dismiss = link_button("Dismiss", name="card_dismiss", parent=self)
        foot = row_layout(None, space=self._theme.px(8))
        foot.addWidget(self._cause, 1)
        for button in (self.review, self._look, self._dismiss):
            foot.addWidget(button)
        return foot

    def _wire(self) -> None:
        self.review.clicked.connect(self.review_requested)
        self._look.clicked.connect(self.review_requested)
        self._dismiss.clicked.connect(self.dismissed)
        self._theme.changed.connect(self._dress)

    def set_oldest(self, *, is_oldest: bool) -> None:
        """Let the button be the primary one of the list, for the request that has waited longest."""
        set_primary(self.review, is_primary=is_oldest)

    def refresh(self) -> None:
        """Show the state of the request."""
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
        set_tone(self._kind, "" if waits else "muted")
        self._text.set_text(one_line(text, REASON_CHARACTERS))
        set_tone(self._text, "warning" if waits else "muted")
        self._text.setVisible(bool(text))
        self._title.setVisible(bool(self._title.whole_text()) and not text)
        self._dress()

    def tick(self, now: float) -> None:
        """Show how long it has waited at the monotonic time `now`, in seconds."""
        if self._inbox.status(self.ask) is not InboxItemStatus.PENDING:
            return
        if fate := self.ask.fate():
            self._fate = fate
            self.refresh()
            self._clock.setText("")  # the server may have stopped waiting
        else:
            self._clock.setText(f"waiting {format_age(now - self.ask.received_at)}")

    def _dress(self) -> None:
        theme = self._theme
        waits = self._inbox.status(self.ask) is InboxItemStatus.PENDING
        tone = "person" if waits else "muted"
        set_icon(self._icon, theme, ICONS.get(self.ask.kind, "mdi6.help"), tone)
        self._kind.setFont(theme.font(bold=True))
        for label in (self._clock, self._cause):
            label.setFont(theme.font(tokens.SMALL))
        self._rows.setContentsMargins(*map(theme.px, MARGINS))
        self._rows.setSpacing(theme.px(2))
        self.setFixedHeight(theme.px(HEIGHT))


def kind_text(ask: InboxItem) -> str:
    """The kind, and the mode of an elicitation: a page to visit is decided in another way than a form."""
    view, kind = ask.view, ask.kind.capitalize()
    if isinstance(view, ElicitationView):
        return f"{kind} {'URL' if view.is_url else 'form'}"
    return kind


def title_text(ask: InboxItem) -> str:
    """The start of what is asked; of a conversation without text, its messages."""
    if title := one_line(ask.title, TITLE_CHARACTERS).strip():
        return f"“{title}”"
    view = ask.view
    if not isinstance(view, SamplingView):
        return ""
    kinds = dict.fromkeys(block.type for message in view.messages for block in message.blocks)
    counted = plural(len(view.messages), "message")
    return one_line(" · ".join((counted, *filter(None, kinds))), TITLE_CHARACTERS)


def _cause(ask: InboxItem) -> str:
    server = one_line(ask.server, 60)
    if not ask.causes:
        return f"{server} · unprompted"
    if len(ask.causes) == 1:
        return f"{server} · sent during {ask.causes[0].text}"
    return f"{server} · sent during one of {len(ask.causes)} requests: {ask.causes[-1].text}, …"
