"""Arrays: a row for each item; items can be added, removed and moved. Items with a schema of their own keep their positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt

from inspector.schema.json_edit import MISSING, with_inserted, with_item, with_moved, without_item
from ui.widgets.buttons import link_button
from ui.widgets.form.initial_value import filler_value, item_value
from ui.widgets.form.schema import FieldContext
from ui.widgets.form.stack import RowsEditor
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.schema.json_edit import JsonOrMissing, Path
    from inspector.wire.json_codec import Json
    from ui.widgets.form.row import Row
    from ui.widgets.form.schema import Field


class ArrayField(RowsEditor):
    """Edits an array."""

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(field, context, parent)
        self._fixed = self._reader.fixed_items(field)
        self._build()
        self._add.clicked.connect(self.add_item)

    def reach(self, path: Path) -> Row | None:
        """Make the row of the first index of `path`, and go on from there."""
        index = int(path[0]) if path and str(path[0]).isdecimal() else -1
        return self._row_at(index).reach(path[1:]) if 0 <= index < len(self._keys()) else None

    def start_typing(self) -> None:
        """Go to the first item, which is made now; without items to the button that adds one."""
        if self._keys():
            self._row_at(0).start_typing()
        else:
            self.setFocus()

    def rename(self) -> None:
        """Name the button after the field."""
        self._add.setObjectName(f"add:{self._context.pointer}")
        self._add.setAccessibleName(f"{self._context.full_name}: add item")

    def add_item(self) -> None:
        """Append a new item, to a new array if it is absent."""
        items = self._items()
        new = item_value(self._reader, self._reader.item(self._field, len(items)))
        self._limit = max(self._limit, len(items) + 1)
        self._context.set_value(with_inserted(items, len(items), new))
        row = self.reach((len(items),))
        if row is not None:
            row.start_typing()

    def _build(self) -> None:
        theme = self._context.form.theme
        layout = column_layout(self, space=theme.SPACING_PX)
        layout.addWidget(self._stack)
        self._add = link_button("Add item", name="add", repeats=True, parent=self)
        self._add.setIcon(theme.icon("mdi6.plus", "accent"))
        self._add.setIconSize(QSize(theme.ICON, theme.ICON))
        self._add.setVisible(self._reader.takes_more_items(self._field))
        layout.addWidget(self._add, 0, Qt.AlignmentFlag.AlignLeft)
        self.setFocusProxy(self._add)
        self.rename()

    def _display(self, value: JsonOrMissing) -> None:
        self._show_rows()

    # --- rows ----------------------------------------------------------------------------------

    def _items(self) -> list[Json]:
        return self._value if isinstance(self._value, list) else []

    def _keys(self) -> range:
        return range(max(len(self._items()), len(self._fixed)))

    def _value_of(self, key: str | int) -> JsonOrMissing:
        items = self._items()
        return items[int(key)] if int(key) < len(items) else MISSING

    def _make_row(self, key: str | int) -> Row:
        at = int(key)
        field = self._reader.item(self._field, at)
        fixed = at < len(self._fixed)
        min_items = self._field.shape.get("minItems")
        context = FieldContext(
            self._context.form,
            lambda value: self._set_item(context, value),
            parent=self._context,
            key=at,
            required=isinstance(min_items, int) and at < min_items,
            label=field.title if fixed else "",
            remove=None if fixed else lambda: self._remove(context),
            move=None if fixed else lambda by: self._move(context, by),
        )
        return self._context.form.make_row(field, context, self._stack)

    # --- edits ---------------------------------------------------------------------------------

    def _set_item(self, context: FieldContext, value: JsonOrMissing) -> None:
        at, items = int(context.key), self._items()
        is_empty = value is None or value == ""
        if value is MISSING or (is_empty and at >= len(items)):
            return
        self._context.set_value(with_item(items, at, value, self._filler))

    def _filler(self, at: int) -> Json:
        return filler_value(self._reader, self._reader.item(self._field, at))

    def _remove(self, context: FieldContext) -> None:
        at = int(context.key)
        self._stack.remove(at)
        self._number()
        self._context.set_value(without_item(self._items(), at))

    def _move(self, context: FieldContext, by: int) -> None:
        at, items = int(context.key), self._items()
        to = at + by
        if not len(self._fixed) <= to < min(len(items), len(self._stack.rows)):
            return
        self._stack.shift(at, to)
        self._number()
        self._context.set_value(with_moved(items, at, to))
        self._stack.rows[to].setFocus()

    def _number(self) -> None:
        for at, row in enumerate(self._stack.rows):
            if row.context.key != at:
                row.context.key = at
                row.rename()
