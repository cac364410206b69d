"""A row for what fits on a line: the name to the left of the editor, or above it where there is little room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QToolButton, QVBoxLayout

from ui.theme import tokens
from ui.widgets.form.row import Row
from ui.widgets.form.slot import Slot
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from inspector.schema.json_edit import JsonOrMissing

FIRST_LABEL_WIDTH = 64
"""Pixels at 100% for a name until the column has been aligned; few, for a form never asks for more width than it gets."""


class LineRow(Row):
    """Name, editor, and what is under it."""

    def set_label_width(self, width: int) -> None:
        """Give the name this many pixels; 0 puts it above."""
        if width == self._label_width:
            return
        self._label_width = width
        self._arrange()

    def label_width(self) -> int:
        """Pixels of the whole name."""
        return self._name.sizeHint().width()

    def _build(self) -> None:
        theme = self.context.form.theme
        self._label_width = -1
        self._name.setMinimumHeight(theme.px(tokens.ROW_HEIGHT_PX))
        self.slot = self._editing = Slot(self.field, self.context, self)
        self._under = column_layout(None, space=theme.SPACING_PX // 2)
        self._buttons = [
            self._make_null_button(),
            self._make_remove_button(),
            self._make_menu_button(),
        ]
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme.SPACING_PX)
        self._grid.setVerticalSpacing(theme.SPACING_PX // 2)
        self._grid.setColumnStretch(1, 1)
        self.setFocusProxy(self.slot)
        self.set_label_width(theme.px(FIRST_LABEL_WIDTH))

    def _arrange(self) -> None:
        top = Qt.AlignmentFlag.AlignTop
        above = self._label_width == 0
        grid, line = self._grid, 1 if above else 0
        while grid.count():
            grid.takeAt(0)
        if above:
            self._name.setMaximumWidth(16_777_215)
            grid.addWidget(self._name, 0, 0, 1, 2)
        else:
            self._name.setFixedWidth(self._label_width)
            grid.addWidget(self._name, 0, 0, top)
        grid.addWidget(self._editing, line, 0 if above else 1, 1, 2 if above else 1)
        for at, button in enumerate(button for button in self._buttons if button is not None):
            grid.addWidget(button, line, 2 + at, top)
        grid.addLayout(self._under, line + 1, 0 if above else 1, 1, -1)

    def _make_null_button(self) -> QToolButton | None:
        if not (self.field.nullable and self.context.form.reader.spec(self.field).has_null_button):
            return None
        button = QToolButton(self)
        button.setObjectName("set null")
        button.setText("null")
        button.setAccessibleName(f"{self.context.full_name}: null")
        button.setCheckable(True)
        button.clicked.connect(self._on_null_clicked)
        return button

    def _display(self, value: JsonOrMissing) -> None:
        self._editing.show_value(value)
        null = self._buttons[0]
        if null is not None:
            null.setChecked(value is None)

    def _labels_layout(self) -> QVBoxLayout:
        return self._under

    def _on_null_clicked(self) -> None:
        if self.value is None:
            self.context.clear()
        else:
            self.context.set_value(None)
        self.setFocus()
