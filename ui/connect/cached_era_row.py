"""What earlier connections found out of a server, and a way to forget it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from inspector.spec.revision import Era
from inspector.visible_text import one_line
from ui.widgets.buttons import link_button
from ui.widgets.labels import ElidedLabel, set_tone

if TYPE_CHECKING:
    from inspector.session.era_cache import CachedEra
    from ui.theme import Theme

LONGEST = 80
"""Characters of the server's name."""

WORDS = {
    Era.STATEFUL: "Remembered: requires initialize; server/discover is skipped",
    Era.STATELESS: "Remembered: stateless; server/discover is used",
}


class CachedEraRow(QWidget):
    """One line.

    Signals:
        forget_wanted: it is to be forgotten.
    """

    forget_wanted = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start with nothing to tell."""
        super().__init__(parent)
        self.setObjectName("remembered")
        self._text = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._text.setObjectName("remembered_words")
        set_tone(self._text, "muted")
        self._forget = link_button("Forget", name="forget_verdict", parent=self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.PADDING_PX)
        row.addWidget(self._text, 1)
        row.addWidget(self._forget)
        self._forget.clicked.connect(self.forget_wanted)

    def show_verdict(self, verdict: CachedEra | None) -> None:
        """Tell what was found out."""
        if verdict is not None:
            server = one_line(verdict.server, LONGEST).strip()
            self._text.set_text(f"{WORDS[verdict.era]}{f' ({server})' if server else ''}")
