"""The rows of the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from ui.features.logs.model import COLUMNS, Column
from ui.widgets.following_table import FollowingTable

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.features.logs.model import LogModel
    from ui.theme import Theme


class LogTable(FollowingTable):
    """One row a message.

    Signals:
        current_changed: another row is current, or none.
    """

    current_changed = Signal()

    def __init__(self, *, model: LogModel, theme: Theme, parent: QWidget | None = None) -> None:
        """Show `model`, following."""
        super().__init__(
            model=model,
            rows=model,
            columns=COLUMNS,
            flexible="data",
            theme=theme,
            name="log_table",
            parent=parent,
        )
        self._rows = model
        self.setAccessibleName("Log messages")
        self.selectionModel().currentRowChanged.connect(self.current_changed)

    def offer_causes(self, on: bool) -> None:
        """Offer the column of requests, or not; without HTTP it would be empty."""
        self.columns.set_offered("cause", on)

    def current_position(self) -> int:
        """Where the message under the cursor stands; -1 for none."""
        row = self.currentIndex().row()
        return self._rows.position(row) if 0 <= row < self._rows.rowCount() else -1

    def selected_positions(self, limit: int) -> list[int]:
        """Return the positions of the selected messages in order, at most `limit`."""
        return [self._rows.position(row) for row in self.selected_rows(limit)]

    def go_to(self, position: int) -> None:
        """Put the cursor on a message, if it is shown."""
        row = self._rows.row_of(position)
        if row >= 0:
            self.setCurrentIndex(self._rows.index(row, Column.DATA))
