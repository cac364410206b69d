"""The title of a dock, in the size of the text, with what can be done with the dock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QWidget

from ui.widgets.buttons import tool_button
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ui.theme import Theme


class DockTitle(QWidget):
    """Its name, a way to float it and one to close it. Dragging it moves the dock."""

    def __init__(self, dock: QDockWidget, *, theme: Theme) -> None:
        """For `dock`."""
        super().__init__(dock)
        self.setObjectName(f"{dock.objectName()}_title")
        words = dock.windowTitle()
        self._dock = dock
        self._words = plain_label(words, tone="muted", parent=self)
        floats = tool_button(
            theme,
            "mdi6.dock-window",
            f"Float or dock {words}",
            name=f"{dock.objectName()}_float",
            parent=self,
        )
        closes = tool_button(
            theme, "mdi6.close", f"Hide {words}", name=f"{dock.objectName()}_close", parent=self
        )
        floats.clicked.connect(self._on_float_clicked)
        closes.clicked.connect(dock.close)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.PADDING_PX, 0, theme.SPACING_PX, 0)
        layout.setSpacing(0)
        layout.addWidget(self._words, 1)
        layout.addWidget(floats)
        layout.addWidget(closes)
        self._layout = layout

    def add_buttons(self, buttons: Iterable[QWidget]) -> None:
        """Put what can be done with the content between the name and what can be done with the dock."""
        for at, button in enumerate(buttons, 1):
            self._layout.insertWidget(at, button)

    def _on_float_clicked(self) -> None:
        self._dock.setFloating(not self._dock.isFloating())
