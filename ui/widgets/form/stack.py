"""Rows one under the other: the column, the editor of a container that fills it, and the line that adds a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from ui.widgets.buttons import link_button
from ui.widgets.field_label import label_column
from ui.widgets.form.editor import Editor
from ui.widgets.form.field_help import space_below
from ui.widgets.form.layout import LaidOutAtOnce, take_any_width
from ui.widgets.form.rows import LineRow, indent_of
from ui.widgets.layout_parts import column_layout, row_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from inspector.schema.json_edit import JsonOrMissing
    from ui.theme import Theme
    from ui.widgets.form.row import Row
    from ui.widgets.form.schema import Field, FieldContext

PAGE = 40
"""Rows made at first; the rest on request."""

MORE = 100
"""Rows made with each press of *Show more*."""

NEW_KEY = "new key:"
"""Start of the object name of the line for a new key; the pointer of the object follows."""


class Stack(LaidOutAtOnce):
    """A column of rows, and a button for those that have not been made yet.

    Signals:
        more_requested: the button was pressed.
    """

    more_requested = Signal()

    def __init__(self, *, theme: Theme, depth: int = 0, parent: QWidget | None = None) -> None:
        """Start without rows; `depth` is how many objects and arrays are around."""
        super().__init__(parent)
        take_any_width(self)
        self._theme = theme
        self._indent = indent_of(theme, depth)
        self._sized = False
        self.rows: list[Row] = []
        self._layout = column_layout(self, space=0)
        self._more = link_button("", name="more", repeats=True, parent=self)
        self._more.clicked.connect(self.more_requested)
        self._more.hide()
        self._layout.addWidget(self._more)

    def insert(self, at: int, row: Row) -> None:
        """Insert a row."""
        self.rows.insert(at, row)
        self._layout.insertWidget(at, row)
        row.show()

    def remove(self, at: int) -> None:
        """Remove and delete a row."""
        row = self.rows.pop(at)
        self._layout.removeWidget(row)
        row.hide()
        row.deleteLater()

    def shift(self, at: int, to: int) -> None:
        """Move a row."""
        row = self.rows.pop(at)
        self._layout.removeWidget(row)
        self.rows.insert(to, row)
        self._layout.insertWidget(to, row)

    def offer_more(self, count: int) -> None:
        """Offer `count` more rows; 0 hides the button."""
        self._more.setText(f"Show {count:,} more")
        self._more.setAccessibleName(self._more.text())
        self._more.setVisible(count > 0)

    def align(self) -> None:
        """Give all names the same width, and space between the rows."""
        for row in self.rows:
            is_last = row is self.rows[-1]
            space = space_below(self._theme, has_help=row.has_help)
            row.set_space_below(0 if is_last else max(space, 0))
        lines = [row for row in self.rows if isinstance(row, LineRow)]
        if not lines or not self._sized:
            return
        widest = max(row.label_width() for row in lines)
        width = label_column(self._theme, self, widest, indent=self._indent)
        for row in lines:
            row.set_label_width(width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The share of the names changes with the width."""
        super().resizeEvent(event)
        self._sized = True
        self.align()


class RowsEditor(Editor):
    """Edits a container: has a row for each of its keys, the first ones at once and the others on request.

    A subclass implements `_keys`, `_make_row` and `_value_of`, and puts `self._stack` into its layout.
    """

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(field, context, parent)
        self._reader = context.form.reader
        self._limit = PAGE
        self._stack = Stack(theme=context.form.theme, depth=context.depth, parent=self)
        self._stack.more_requested.connect(self._on_more_requested)

    def rows(self) -> list[Row]:
        """The rows that have been made."""
        return list(self._stack.rows)

    def _keys(self) -> Sequence[str | int]:
        """The keys or indices that have a row, in order."""
        raise NotImplementedError

    def _make_row(self, key: str | int) -> Row:
        raise NotImplementedError

    def _value_of(self, key: str | int) -> JsonOrMissing:
        raise NotImplementedError

    def _row_at(self, at: int) -> Row:
        """The row at a position of `_keys`, made now if it is not."""
        rows = self._stack.rows
        if at >= len(rows) or rows[at].context.key != self._keys()[at]:
            self._limit = max(self._limit, at + 1)
            self._arrange(min_rows=at + 1)
        return rows[at]

    def _arrange(self, min_rows: int = 0) -> None:
        """Have exactly the rows of the keys up to the limit, in order; those beyond `min_rows` only while there is time."""
        keys, slicer = self._keys(), self._context.form.slicer
        visible = keys[: self._limit]
        kept = set(visible)
        for at, row in reversed(list(enumerate(self._stack.rows))):
            if row.context.key not in kept:
                self._stack.remove(at)
        made = {row.context.key for row in self._stack.rows}
        for at, key in enumerate(visible):
            if key in made:
                continue
            if at >= min_rows and not slicer.has_time():
                slicer.call_later(self, self._arrange)
                break
            self._insert_row(at, key)
        self._stack.align()
        self._stack.offer_more(len(keys) - len(visible))

    def _insert_row(self, at: int, key: str | int) -> None:
        row = self._make_row(key)
        self._stack.insert(at, row)
        row.show_value(self._value_of(key))
        if self._problems is not None:
            row.mark(self._problems)

    def _show_rows(self) -> None:
        """Have the rows for the present value, and show it in them."""
        self._arrange()
        for row in self._stack.rows:
            row.show_value(self._value_of(row.context.key))

    def _on_more_requested(self) -> None:
        self._limit += MORE
        self._arrange()


class AddKey(QWidget):
    """A line for the name of a new key; any text is one, the empty one too.

    Signals:
        key_entered(str): this key is to be added.
    """

    key_entered = Signal(str)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = QLineEdit(self)
        self._name.setPlaceholderText("new key")
        self._add = link_button("Add key", name="add key", parent=self)
        self._add.setIcon(theme.icon("mdi6.plus", "accent"))
        self._add.setIconSize(QSize(theme.ICON, theme.ICON))
        layout = row_layout(self, space=theme.SPACING_PX)
        layout.addWidget(self._name, 1)
        layout.addWidget(self._add)
        self.setFocusProxy(self._name)
        self._add.clicked.connect(self._on_entered)
        self._name.returnPressed.connect(self._on_entered)

    def rename(self, context: FieldContext) -> None:
        """Name the widgets after the object."""
        self._name.setObjectName(f"{NEW_KEY}{context.pointer}")
        self._name.setAccessibleName(f"{context.full_name}: new key name")
        self._add.setObjectName(f"add key:{context.pointer}")
        self._add.setAccessibleName(f"{context.full_name}: add key")

    def _on_entered(self) -> None:
        name = self._name.text()
        self._name.clear()
        self.key_entered.emit(name)
