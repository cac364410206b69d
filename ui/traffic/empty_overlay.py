"""In the place of rows while there are none. The header and the focus stay where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Signal

from ui.widgets.empty_state import EmptyState

if TYPE_CHECKING:
    from PySide6.QtWidgets import QTableView

    from ui.theme import Theme
    from ui.traffic.panel_text import EmptyText


class EmptyOverlay(QObject):
    """Covers the viewport of a table.

    Signals:
        action_triggered: the person wants the next step.
    """

    action_triggered = Signal()

    def __init__(self, *, theme: Theme, table: QTableView) -> None:
        """Cover `table`; owned by it."""
        super().__init__(table)
        self._viewport = table.viewport()
        self._shown: EmptyText | None = None
        self.cover = EmptyState(
            "",
            theme=theme,
            icon="mdi6.swap-vertical",
            name="traffic_empty",
            parent=self._viewport,
        )
        self.cover.setProperty("surface", "panel")
        self.cover.hide()
        self.cover.action_triggered.connect(self.action_triggered)
        self._viewport.installEventFilter(self)

    def show_for(self, emptiness: EmptyText | None) -> None:
        """Say why there are no rows; show the rows if there are."""
        if emptiness == self._shown:
            return
        self._shown = emptiness
        if emptiness is not None:
            self.cover.set_words(emptiness.title, emptiness.text, action=emptiness.action)
            self.cover.setGeometry(self._viewport.rect())
        self.cover.setVisible(emptiness is not None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Grow with the viewport."""
        if event.type() == QEvent.Type.Resize:
            self.cover.setGeometry(self._viewport.rect())
        return super().eventFilter(watched, event)
