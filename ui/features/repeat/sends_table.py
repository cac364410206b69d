"""The list of sends and drafts below the editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QWidget

from ui.features.repeat.sends_model import COLUMNS, SendsModel
from ui.theme import tokens
from ui.widgets.buttons import link_button
from ui.widgets.following_table import FollowingTable
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import column_layout, row_layout

if TYPE_CHECKING:
    from inspector.features.repeat import Send, Sends
    from ui.theme import Theme

HEADER_HEIGHT = 34
"""Pixels at 100%."""

CHANGED = 2
"""The column that takes the rest of the width."""


class SendsPanel(QWidget):
    """A title with counts, and the table.

    Signals:
        selected: the user selected this row.
        compare_requested: compare the selected send with the one before.
    """

    selected = Signal(object)
    compare_requested = Signal()

    def __init__(
        self, sends: Sends, *, theme: Theme, name: str, parent: QWidget | None = None
    ) -> None:
        """Show `sends`; call `refresh_rows` when there are others. The object names of its parts begin with `name`."""
        super().__init__(parent)
        self.setObjectName(f"{name}_list")
        self._theme = theme
        self._sends = sends
        self._title = plain_label("Sends", name=f"{name}_sends_title", parent=self)
        self._note = plain_label(tone="muted", name=f"{name}_sends_note", parent=self)
        self.model = SendsModel(sends, parent=self)
        self.table = FollowingTable(
            model=self.model,
            rows=self.model,
            columns=COLUMNS,
            flexible="changed",
            theme=theme,
            name=f"{name}_sends",
            parent=self,
        )
        self.table.setAccessibleName("Sends")
        self.table.setSelectionMode(self.table.SelectionMode.SingleSelection)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.table.set_following(False)
        self._header = QWidget(self)
        self._row = row_layout(self._header, self._title, self._note, space=0)
        self._row.addStretch(1)
        self._compare = link_button("Compare", name=f"{name}_compare", parent=self)
        self._compare.setToolTip("Opens the compare page")
        self._compare.hide()
        self._compare.clicked.connect(self.compare_requested)
        self._row.addWidget(self._compare)
        column_layout(self, self._header, space=0).addWidget(self.table, 1)
        self.table.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    def set_sends(self, sends: Sends, current: Send | None) -> None:
        """Show other sends, with one of them selected."""
        self._sends = sends
        self.model.set_sends(sends)
        self.refresh_rows(current)

    def refresh_rows(self, current: Send | None) -> None:
        """Show the rows that there are now, with one of them selected."""
        selection = self.table.selectionModel()
        with QSignalBlocker(selection):
            self.model.reset()
            if current is not None and current in self._sends.rows:
                index = self.model.index(self._sends.rows.index(current), CHANGED)
                self.table.setCurrentIndex(index)
                self.table.scrollTo(index)
        self.table.viewport().update()
        dropped = self._sends.dropped
        self._note.setText(f"{dropped:,} older not listed" if dropped else "")

    def show_compared(self, text: str) -> None:
        """Offer to compare what `text` names, as `13 → 14`; nothing for an empty one."""
        self._compare.setText(f"Compare {text}")
        self._compare.setAccessibleName(f"Compare {text}")
        self._compare.setVisible(bool(text))

    def refresh(self) -> None:
        """Show what the rows are now."""
        self.model.refresh()

    def _on_current_row_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            self.table.set_following(False)
            self.selected.emit(self._sends.rows[current.row()])

    def _apply_theme(self) -> None:
        theme = self._theme
        self._title.setFont(theme.font(bold=True))
        side = theme.px(tokens.DENSE_PADDING_PX)
        self._header.setFixedHeight(theme.px(HEADER_HEIGHT))
        self._row.setContentsMargins(side, 0, side, 0)
        self._row.setSpacing(theme.PADDING_PX)
