"""Texts under and above fields: wrapped, nothing in them acts, and not longer than a few lines until they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from ui.widgets.form.laying_out import take_any_width
from ui.widgets.labels import DescriptionLabel, tool_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QWidget

SHORT_CHARACTERS = 260
"""Longer descriptions are cut until they are clicked."""


class WrappedLabel(DescriptionLabel):
    """A text over several lines; a long one is cut until it is clicked."""

    def __init__(self, tone: str, parent: QWidget | None = None) -> None:
        super().__init__(tone=tone, parent=parent)
        self._whole = ""
        self._open = False
        take_any_width(self)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)

    def show_text(self, text: str) -> None:
        """Show `text`, or nothing at all."""
        self._whole = text
        cut = text if self._open or len(text) <= SHORT_CHARACTERS else f"{_start(text)} … more"
        self.setText(cut)
        self.setVisible(bool(text))
        is_cut = cut != text
        self.setCursor(Qt.CursorShape.PointingHandCursor if is_cut else Qt.CursorShape.ArrowCursor)
        self.setToolTip(tool_tip(text) if is_cut else "")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Show all of a text that was cut."""
        super().mouseReleaseEvent(event)
        self._open = True
        self.show_text(self._whole)


def _start(text: str) -> str:
    start = text[:SHORT_CHARACTERS]
    return start[: max(start.rfind(" "), SHORT_CHARACTERS // 2)]
