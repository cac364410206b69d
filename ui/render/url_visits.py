"""Web pages that a server wants visited: an address with its host set off and its dangers, and the list that a refused request came with.

Nothing is opened or sent again until the user clicks.

Source: client/elicitation, "URL Elicitation Required Error"; C-ELI-23, C-ELI-28.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from inspector.spec.views.elicitation import host_of, url_cautions
from inspector.visible_text import visible
from ui.bind import bind
from ui.navigator import navigator_of
from ui.render.auto_height import AutoHeightText
from ui.theme import tokens
from ui.widgets.buttons import push_button, set_primary
from ui.widgets.clipboard import copy_text
from ui.widgets.labels import plain_label, set_background, set_tone
from ui.widgets.layout_parts import Hairline, row_layout
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.features.elicitation import Elicitation, UrlVisit
    from ui.theme import Theme

MAX_PAGES = 10
"""Pages that are shown; the rest is counted, and in the answer as it came."""
MAX_CHARACTERS = 1500
"""Of the message for a page."""
HEIGHT = 230
"""At 100%, from which on it scrolls."""

MIN_HEIGHT = 80
"""At 100%, where what stands around it leaves no more."""


class UrlVisitsPanel(QFrame):
    """The pages to visit and their states; hidden if there are none.

    Signals:
        repeat_requested: the request is to be sent again.
    """

    repeat_requested = Signal()

    def __init__(self, *, theme: Theme, again: str, parent: QWidget | None = None) -> None:
        """Start hidden; `again` is what sending the request again is called."""
        super().__init__(parent)
        self.setObjectName("visits")
        self._theme = theme
        self._visits: tuple[UrlVisit, ...] = ()
        self._states: list[QLabel] = []
        self._tried: set[str] = set()
        self._elicitation: Elicitation | None = None
        self._unbind: Callable[[], None] | None = None
        self._build(again)
        self.hide()

    def _build(self, again: str) -> None:
        theme = self._theme
        set_background(self, "info")
        self._title = plain_label(tone="title", name="visits_title", wrap=True, parent=self)
        self._text = plain_label(name="visits_said", wrap=True, parent=self)
        self._scroll = QScrollArea(self)
        self._scroll.setObjectName("visits_scroll")
        self._scroll.setAccessibleName("Pages to visit")
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._again = push_button(again, name="visits_again", parent=self)
        self._again.clicked.connect(self.repeat_requested)
        self._status = plain_label(
            "The request is not resent automatically.",
            tone="muted",
            name="visits_words",
            parent=self,
        )
        row = row_layout(None, self._again, self._status, space=theme.PADDING_PX)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(
            theme.PADDING_PX, theme.PADDING_PX, theme.PADDING_PX, theme.PADDING_PX
        )
        column.setSpacing(theme.SPACING_PX)
        column.addWidget(self._title)
        column.addWidget(self._text)
        column.addWidget(self._scroll)
        column.addLayout(row)

    def set_elicitation(self, elicitation: Elicitation | None) -> None:
        """Ask `elicitation` what the server says of pages from now on."""
        if self._unbind is not None:
            self._unbind()
            self._unbind = None
        self._elicitation = elicitation
        self._tried.clear()
        if elicitation is not None:
            self._unbind = bind(self, elicitation.changed, self._show_states)

    def show_visits(self, visits: Sequence[UrlVisit], text: str = "") -> None:
        """Show these, or hide when there are none; `said` is what the server said with them."""
        self._text.setText(visible(text[:MAX_CHARACTERS]))
        self._text.setVisible(bool(text))
        same = [_key(visit) for visit in visits] == [_key(visit) for visit in self._visits]
        self._visits = tuple(visits)
        self.setVisible(bool(visits))
        if visits and not same:
            self._fill()
        self._show_states()

    def _fill(self) -> None:
        theme, pages = self._theme, self._visits[:MAX_PAGES]
        self._title.setText(
            f"The server requires {plural(len(self._visits), 'page')} to be visited first"
        )
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, theme.PADDING_PX, 0)
        column.setSpacing(theme.SPACING_PX)
        self._states = []
        for at, visit in enumerate(pages):
            if at:
                column.addWidget(Hairline(theme=theme))
            self._add(column, visit)
        if len(self._visits) > MAX_PAGES:
            more = plain_label(
                f"and {len(self._visits) - MAX_PAGES:,} more: see JSON", tone="muted"
            )
            column.addWidget(more)
        column.addStretch(1)
        self._scroll.setWidget(inner)
        for part in (inner, self._scroll.viewport()):
            part.setAutoFillBackground(False)  # the panel's own ground
        height = min(inner.sizeHint().height() + theme.SPACING_PX, theme.px(HEIGHT))
        self._scroll.setMaximumHeight(height)
        self._scroll.setMinimumHeight(min(height, theme.px(MIN_HEIGHT)))

    def _add(self, column: QVBoxLayout, visit: UrlVisit) -> None:
        text = plain_label(visible(visit.message[:MAX_CHARACTERS]), name="visit_message", wrap=True)
        text.setVisible(bool(visit.message))
        page = UrlVisitView(visit.url, theme=self._theme)
        opens = push_button("Open in browser…", name="visit_open")
        opens.setEnabled(page.can_open)
        opens.clicked.connect(lambda: self._on_open(visit.url))
        state = plain_label(name="visit_state")
        self._states.append(state)
        row = row_layout(None, opens, state, space=self._theme.PADDING_PX)
        row.addStretch(1)
        column.addWidget(text)
        column.addWidget(page)
        column.addLayout(row)

    def _show_states(self) -> None:
        for visit, label in zip(self._visits, self._states, strict=False):
            done = self._is_done(visit)
            tried = visit.url in self._tried
            text = "not opened" if not tried else "retry when you are done"
            label.setText("completed (confirmed by server)" if done else text)
            set_tone(label, "ok" if done else "muted")
        ready = bool(self._visits) and all(map(self._is_done, self._visits))
        set_primary(self._again, is_primary=ready)

    def _is_done(self, visit: UrlVisit) -> bool:
        known = self._elicitation
        return known is not None and known.is_complete(visit.elicitation_id)

    def _on_open(self, url: str) -> None:
        self._tried.add(url)
        self._show_states()
        navigator_of(self).open_link(url)


def _key(visit: UrlVisit) -> tuple[str, str, object]:
    return visit.url, visit.message, visit.elicitation_id


class UrlVisitView(QWidget):
    """Where an address leads."""

    def __init__(self, url: str, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Show `url`."""
        super().__init__(parent)
        self.setObjectName("page_to_visit")
        self._url = url
        self._theme = theme
        self._build()

    @property
    def can_open(self) -> bool:
        """Whether it is a web address at all."""
        try:
            parts = urlsplit(self._url)
            return parts.scheme.lower() in {"http", "https"} and bool(parts.hostname)
        except ValueError:
            return False

    @property
    def has_cautions(self) -> bool:
        """Whether something about the address is to be looked at twice; then nothing invites to open it."""
        return bool(url_cautions(self._url))

    def _build(self) -> None:
        theme = self._theme
        caption = plain_label("The server requests a page visit on:", tone="muted")
        self.host = plain_label(
            visible(host_of(self._url)) or "(no host)", name="visit_host", wrap=True
        )
        font = theme.mono(tokens.TITLE)
        font.setBold(True)
        self.host.setFont(font)
        whole = plain_label("Full URL:", tone="muted")
        self.address = AutoHeightText(theme=theme, name="visit_address")
        self.address.set_text(self._url)
        copies = push_button("Copy URL", name="visit_copy")
        copies.clicked.connect(lambda: copy_text(self._url))
        self.cautions = plain_label(tone="warning", name="visit_cautions", wrap=True)
        text = [f"⚠ {message}" for _rule, message in url_cautions(self._url)]
        self.cautions.setText(visible("\n".join(text)))
        row = QHBoxLayout()
        row.addWidget(copies)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACING_PX)
        for part in (caption, self.host, whole, self.address, self.cautions):
            column.addWidget(part)
        column.addLayout(row)
        self.cautions.setVisible(bool(text))
