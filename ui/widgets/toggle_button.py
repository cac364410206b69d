"""A filter that is on or off: it can be combined with others, and says so by a check mark and not by its color alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from ui.theme.signs import Sign
from ui.widgets.buttons import IconButton

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme


class ToggleButton(IconButton):
    """A check mark and a word; as wide when it is off as when it is on."""

    def __init__(
        self, text: str, *, theme: Theme, name: str, parent: QWidget | None = None
    ) -> None:
        """Start switched off."""
        super().__init__(theme=theme, parent=parent)
        self.setObjectName(name)
        self.setProperty("toggle", True)
        self.setCheckable(True)
        self.setText(text)
        self.setAccessibleName(text)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.toggled.connect(self._on_toggled)
        self._on_toggled()

    def _on_toggled(self) -> None:
        self.setIcon(self._theme.icon(Sign.OK if self.isChecked() else Sign.NONE, "accent"))
