"""An address of a server, whole, with its host set off and everything suspicious about it. It is never opened or fetched from here."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inspector.spec.views.elicitation import host_of, url_cautions
from inspector.visible_text import visible
from ui.render.auto_height import AutoHeightText
from ui.theme import tokens
from ui.widgets.buttons import push_button
from ui.widgets.clipboard import copy_text
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from ui.theme import Theme


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
