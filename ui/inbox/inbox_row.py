"""One question in the list: what kind, who asks, what about, since when, and the way to answer it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from inspector.inbox import InboxItemStatus
from inspector.spec.views.elicitation import ElicitationView
from inspector.visible_text import one_line
from ui.inbox_dialog import cause_text, format_age
from ui.theme import tokens
from ui.widgets.buttons import link_button, push_button
from ui.widgets.labels import ElidedLabel, plain_label, set_tone, tool_tip
from ui.widgets.layout_parts import Hairline

if TYPE_CHECKING:
    from inspector.inbox import Inbox, InboxItem
    from ui.theme import Theme

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
        self._shown: tuple[InboxItemStatus, str] | None = None
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
        self._picture = QLabel(self)
        self._kind = plain_label(_kind_text(self.ask), name="card_kind", parent=self)
        self._clock = plain_label(name="card_clock", parent=self)
        header = QHBoxLayout()
        header.setSpacing(self._theme.px(6))
        for part in (self._picture, self._kind):
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
        self._words = self._wrapped("card_words")
        return self._server, self._title, self._cause, self._words

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
        if (status, text) == self._shown:
            return
        self._shown = status, text
        waits = status is InboxItemStatus.PENDING
        self._dismiss.setVisible(not waits)
        self._look.setVisible(status is InboxItemStatus.WITHDRAWN)
        self.review.setVisible(waits)
        self._clock.setText("" if waits else str(status))
        set_tone(self._clock, "pending" if waits else "muted")
        self._words.setText(one_line(text, 400))
        set_tone(self._words, "muted" if status is InboxItemStatus.ANSWERED else "warning")
        self._words.setVisible(bool(text))
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
        self._picture.setPixmap(icon.pixmap(theme.ICON, theme.ICON))
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
