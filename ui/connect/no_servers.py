"""The servers dock while there are no servers. Narrow: it must not widen the dock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from ui.theme import tokens
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from ui.theme import Theme

TITLE = "No servers"
WORDS = "Paste a command line, a URL or another client's JSON configuration. You can review the detected settings before you connect."
ICON_PIXELS = 32


class NoServers(QWidget):
    """What would be here. The button that adds a server is below, where it also is beside servers."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Say what to do."""
        super().__init__(parent)
        self.setObjectName("no_servers")
        self.setAccessibleName(f"{TITLE}. {WORDS}")
        self._theme = theme
        self._build()
        theme.changed.connect(self._refresh)
        self._refresh()

    def _build(self) -> None:
        self._icon = QLabel(self)
        self._icon.setMinimumHeight(1)  # where there is no room for all, it gives way first
        self._title = plain_label(TITLE, parent=self)
        self._words = plain_label(WORDS, tone="muted", wrap=True, parent=self)
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        for label in (self._icon, self._title, self._words):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.setMinimumHeight(1)  # nor may it make the window higher
        self._column = QVBoxLayout(self)
        self._column.addStretch(2)
        for widget in (self._icon, self._title, self._words):
            self._column.addWidget(widget)
        self._column.addStretch(3)

    def _refresh(self) -> None:
        theme = self._theme
        edge = theme.px(ICON_PIXELS)
        picture = theme.icon("mdi6.server-plus-outline", "faint").pixmap(edge, edge)
        self._icon.setPixmap(picture)
        self._title.setFont(theme.font(tokens.TITLE / 1.1, bold=True))
        self._column.setSpacing(theme.PADDING_PX)
        self._column.setContentsMargins(*[theme.px(16)] * 4)
