"""The arguments of a program, one field for each.

What is typed is what comes out: nothing is trimmed, split or dropped, and an empty argument stays one.
Return adds an argument below, Backspace removes an empty one, Alt with an arrow moves one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.connect.form_fields import LineEdit
from ui.widgets.buttons import link_button, tool_button

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Theme


class ArgumentRow(QWidget):
    """One argument and the button that removes it."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.field = LineEdit(self)
        self.field.setPlaceholderText("(empty argument)")
        self.remove = tool_button(
            theme, "mdi6.close", "Remove argument", name="remove_argument", parent=self
        )
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.SPACING_PX)
        line.addWidget(self.field, 1)
        line.addWidget(self.remove)


class ArgvEdit(QWidget):
    """The arguments of a program, one field for each.

    Signals:
        changed: an argument was typed in, added, moved or removed.
    """

    changed = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without arguments."""
        super().__init__(parent)
        self.setObjectName("arguments")
        self.setAccessibleName("Arguments")
        self._theme = theme
        self._rows: list[ArgumentRow] = []
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        self._column = QVBoxLayout()
        self._column.setSpacing(self._theme.SPACING_PX)
        self._add = link_button("Add argument", name="add_argument", repeats=True, parent=self)
        self._add.setIcon(self._theme.icon("mdi6.plus", "accent"))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(self._theme.SPACING_PX)
        outer.addLayout(self._column)
        outer.addWidget(self._add, 0, Qt.AlignmentFlag.AlignLeft)

    def _wire(self) -> None:
        self._add.clicked.connect(lambda: self._insert_typed(len(self._rows)))
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        self._add.setIconSize(QSize(self._theme.ICON, self._theme.ICON))
        for number, row in enumerate(self._rows, 1):
            row.field.setFont(self._theme.mono())
            row.field.setAccessibleName(f"Argument {number}")
            row.field.setObjectName(f"argument_{number}")

    def values(self) -> tuple[str, ...]:
        """The arguments exactly as typed."""
        return tuple(row.field.text() for row in self._rows)

    def set_values(self, values: Sequence[str]) -> None:
        """Show other arguments."""
        if tuple(values) == self.values():
            return
        while len(self._rows) > len(values):
            self._drop(self._rows[-1])
        while len(self._rows) < len(values):
            self._insert(len(self._rows))
        for row, value in zip(self._rows, values, strict=True):
            row.field.set_value(value)
        self._refresh()

    def _insert(self, at: int) -> ArgumentRow:
        row = ArgumentRow(theme=self._theme, parent=self)
        self._rows.insert(at, row)
        self._column.insertWidget(at, row)
        row.field.textChanged.connect(self.changed)
        row.field.entered.connect(lambda: self._insert_typed(self._rows.index(row) + 1))
        row.field.left_empty.connect(lambda: self._remove_typed(row))
        row.field.raised.connect(lambda: self._swap(row, -1))
        row.field.lowered.connect(lambda: self._swap(row, 1))
        row.remove.clicked.connect(lambda: self._remove_typed(row))
        return row

    def _insert_typed(self, at: int) -> None:
        self._insert(at).field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._refresh()
        self.changed.emit()

    def _drop(self, row: ArgumentRow) -> None:
        self._rows.remove(row)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()

    def _remove_typed(self, row: ArgumentRow) -> None:
        at = self._rows.index(row)
        self._drop(row)
        nearest = self._rows[max(0, at - 1)].field if self._rows else self._add
        nearest.setFocus(Qt.FocusReason.OtherFocusReason)
        self._refresh()
        self.changed.emit()

    def _swap(self, row: ArgumentRow, step: int) -> None:
        to = self._rows.index(row) + step
        if 0 <= to < len(self._rows):
            other = self._rows[to].field
            mine, theirs = row.field.text(), other.text()
            row.field.set_value(theirs)
            other.set_value(mine)
            other.setFocus(Qt.FocusReason.OtherFocusReason)
