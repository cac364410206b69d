"""That changes of a list are not announced at the moment, and the way to have that again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.visible_text import one_line
from ui.widgets.buttons import link_button
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from ui.theme import Theme

LONGEST = 200
"""Characters of a reason."""


class QuietLine(QWidget):
    """A sentence and an action; hidden while changes are announced, or were never to be.

    Signals:
        again_wanted: the stream on which they are announced is to be opened again.
    """

    again_wanted = Signal()

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start hidden."""
        super().__init__(parent)
        self.setObjectName(name)
        self._text = plain_label(tone="warning", name=f"{name}_text", wrap=True, parent=self)
        self._again = link_button("Reopen", name=f"{name}_again", parent=self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACING_PX // 2)
        column.addWidget(self._text)
        column.addWidget(self._again, 0, Qt.AlignmentFlag.AlignLeft)
        self._again.clicked.connect(self.again_wanted)
        self.hide()

    def show_reason(self, reason: str) -> None:
        """Say why nothing is announced; hide without a reason."""
        self._text.setText(f"no change notifications · {one_line(reason, LONGEST)}")
        self.setVisible(bool(reason))
