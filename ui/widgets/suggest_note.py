"""Says why there are no suggestions, and lets the person ask for them all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.widgets.buttons import link_button
from ui.widgets.elided_label import ElidedLabel
from ui.widgets.labels import set_tone

if TYPE_CHECKING:
    from ui.theme import Theme


class SuggestNote(QWidget):
    """One quiet line; hidden while suggestions are asked for.

    Signals:
        ask_wanted: ask all the same.
    """

    ask_wanted = Signal()

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start hidden."""
        super().__init__(parent)
        self.setObjectName(name)
        self._text = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        set_tone(self._text, "muted")
        self._ask = link_button("Send anyway", name=f"{name}_ask", parent=self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACING_PX)
        row.addWidget(self._text)
        row.addWidget(self._ask)
        row.addStretch(1)
        self._ask.clicked.connect(self.ask_wanted)
        self.hide()

    def text(self) -> str:
        """What it says."""
        return self._text.whole_text() if not self.isHidden() else ""

    def say(self, text: str) -> None:
        """Give the reason; without one there is nothing to say."""
        self._text.set_text(text)
        self.setVisible(bool(text))
