"""Several servers in one paste: which of them to add, and which one the form shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from inspector.config.profile import Profile, endpoint_text
from inspector.visible_text import one_line
from ui.widgets.labels import plain_label, tool_tip
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Theme

MAX_ROWS = 6
"""Rows before it scrolls."""


class Checklist(QWidget):
    """The servers of a paste with a check mark each; hidden while there is at most one.

    Signals:
        current_changed: the form should show the server at this position.
        changed: a check mark was set or taken away.
    """

    current_changed = Signal(int)
    changed = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("checklist")
        self._theme = theme
        self._build()
        self._wire()
        self.set_profiles(())

    def _build(self) -> None:
        self._words = plain_label(tone="title", parent=self)
        self._list = QListWidget(self)
        self._list.setObjectName("checklist_list")
        self._list.setAccessibleName("Servers to add")
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.SPACING_PX)
        column.addWidget(self._words)
        column.addWidget(self._list)

    def _wire(self) -> None:
        self._list.currentRowChanged.connect(self._on_row_changed)
        self._list.itemChanged.connect(self._on_item_changed)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        count = len(self.checked())
        total = self._list.count()
        self._words.setText(f"{count} of {plural(total, 'server')} will be added")
        rows = min(total, MAX_ROWS)
        self._list.setFixedHeight(rows * self._theme.ROW_HEIGHT_PX + self._theme.SPACING_PX)
        self._list.blockSignals(True)
        for row in range(total):
            self._list.item(row).setSizeHint(QSize(0, self._theme.ROW_HEIGHT_PX))
        self._list.blockSignals(False)

    def checked(self) -> tuple[int, ...]:
        """Positions of the servers to add."""
        rows = range(self._list.count())
        on = Qt.CheckState.Checked
        return tuple(row for row in rows if self._list.item(row).checkState() == on)

    def set_profiles(self, profiles: Sequence[Profile]) -> None:
        """Show these, all of them checked."""
        self._list.blockSignals(True)
        self._list.clear()
        for _ in profiles:
            item = QListWidgetItem()
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
            self._list.addItem(item)
        self._list.setCurrentRow(0)
        self._list.blockSignals(False)
        for row, profile in enumerate(profiles):
            self.set_profile(row, profile)
        self.setVisible(len(profiles) > 1)
        self._refresh()

    def set_profile(self, row: int, profile: Profile) -> None:
        """Follow a correction."""
        if row < self._list.count():
            item = self._list.item(row)
            self._list.blockSignals(True)
            item.setText(one_line(f"{profile.name}   {endpoint_text(profile)}", 300))
            item.setToolTip(tool_tip(f"{profile.name}\n{endpoint_text(profile)}"))
            self._list.blockSignals(False)

    def _on_row_changed(self, row: int) -> None:
        if row >= 0:
            self.current_changed.emit(row)

    def _on_item_changed(self) -> None:
        self._refresh()
        self.changed.emit()
