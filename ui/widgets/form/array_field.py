"""Lists: a row for each item; items can be added, taken away and moved. Where each place has its own schema, the places are fixed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt

from inspector.schema.json_edit import MISSING, with_inserted, with_item, with_moved, without_item
from ui.widgets.buttons import link_button
from ui.widgets.form.editor import Editor, column_layout
from ui.widgets.form.field_context import FieldContext
from ui.widgets.form.initial_value import filler, item
from ui.widgets.form.stack import Stack

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.schema.json_edit import JsonOrMissing, Path
    from inspector.wire.json_codec import Json
    from ui.widgets.form.row import Row
    from ui.widgets.form.schema import Field

PAGE = 40
"""Rows made at first; the rest when asked for."""

MORE = 100
"""Rows made with each press of *Show more*."""


class ArrayField(Editor):
    """Edits a list."""

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(field, context, parent)
        self._reader = context.site.reader
        self._fixed = self._reader.fixed_items(field)
        self._limit = PAGE
        self._build()
        self._wire()

    def rows(self) -> list[Row]:
        """The rows that have been made."""
        return list(self._stack.rows)

    def reach(self, path: Path) -> Row | None:
        """Make the row of the first index of `path`, and go on from there."""
        index = int(path[0]) if path and str(path[0]).isdecimal() else -1
        if not 0 <= index < self._count():
            return None
        if index >= len(self._stack.rows):
            self._limit = max(self._limit, index + 1)
            self._arrange(least=index + 1)
        return self._stack.rows[index].reach(path[1:])

    def start_typing(self) -> None:
        """Go to the first item, made now if it waits for its turn; without any, to the button that adds one."""
        self._arrange(least=1)
        if self._stack.rows:
            self._stack.rows[0].start_typing()
        else:
            self.setFocus()

    def rename(self) -> None:
        """Name what does not belong to a row."""
        self._add.setObjectName(f"add:{self._place.pointer}")
        self._add.setAccessibleName(f"{self._place.spoken}: add item")

    def add_item(self) -> None:
        """Put a new item at the end, and the list itself if it is absent."""
        items = self._items()
        new = item(self._reader, self._reader.item(self._field, len(items)))
        self._limit = max(self._limit, len(items) + 1)
        self._place.put(with_inserted(items, len(items), new))
        row = self.reach((len(items),))
        if row is not None:
            row.start_typing()

    def _build(self) -> None:
        theme = self._place.site.theme
        layout = column_layout(self, space=theme.SPACING_PX)
        self._stack = Stack(theme=theme, parent=self)
        layout.addWidget(self._stack)
        self._add = link_button("Add item", name="add", repeats=True, parent=self)
        self._add.setIcon(theme.icon("mdi6.plus", "accent"))
        self._add.setIconSize(QSize(theme.ICON, theme.ICON))
        self._add.setVisible(self._reader.takes_more_items(self._field))
        layout.addWidget(self._add, 0, Qt.AlignmentFlag.AlignLeft)
        self.setFocusProxy(self._add)
        self.rename()

    def _wire(self) -> None:
        self._add.clicked.connect(self.add_item)
        self._stack.more_requested.connect(self._on_more_requested)

    def _display(self, value: JsonOrMissing) -> None:
        self._arrange()
        items = self._items()
        for at, row in enumerate(self._stack.rows):
            row.show_value(items[at] if at < len(items) else MISSING)

    # --- rows ----------------------------------------------------------------------------------

    def _items(self) -> list[Json]:
        return self._value if isinstance(self._value, list) else []

    def _count(self) -> int:
        return max(len(self._items()), len(self._fixed))

    def _arrange(self, least: int = 0) -> None:
        """Have a row for each item up to the limit; beyond `least` of them only while there is time."""
        wanted = min(self._count(), self._limit)
        rows = self._stack.rows
        while len(rows) > wanted:
            self._stack.take_out(len(rows) - 1)
        for at in range(len(rows), wanted):
            if at >= least and not self._place.site.pace.has_time():
                self._place.site.pace.go_on_later(self, self._arrange)
                break
            self._put_in(at)
        self._stack.align()
        self._stack.say_more(self._count() - wanted)

    def _put_in(self, at: int) -> None:
        items = self._items()
        row = self._make_row(at)
        self._stack.put_in(at, row)
        row.show_value(items[at] if at < len(items) else MISSING)
        if self._findings is not None:
            row.mark(self._findings)

    def _make_row(self, at: int) -> Row:
        field = self._reader.item(self._field, at)
        fixed = at < len(self._fixed)
        least = self._field.shape.get("minItems")
        place = FieldContext(
            self._place.site,
            lambda value: self._put_item(place, value),
            parent=self._place,
            key=at,
            required=isinstance(least, int) and at < least,
            label=field.title if fixed else "",
            remove=None if fixed else lambda: self._remove(place),
            move=None if fixed else lambda by: self._move(place, by),
        )
        return self._place.site.make_row(field, place, self._stack)

    # --- edits ---------------------------------------------------------------------------------

    def _put_item(self, context: FieldContext, value: JsonOrMissing) -> None:
        at, items = int(context.key), self._items()
        is_empty = value is None or value == ""
        if value is MISSING or (is_empty and at >= len(items)):
            return
        self._place.put(with_item(items, at, value, self._filler))

    def _filler(self, at: int) -> Json:
        return filler(self._reader, self._reader.item(self._field, at))

    def _remove(self, context: FieldContext) -> None:
        at = int(context.key)
        self._stack.take_out(at)
        self._number()
        self._place.put(without_item(self._items(), at))

    def _move(self, context: FieldContext, by: int) -> None:
        at, items = int(context.key), self._items()
        to = at + by
        if not len(self._fixed) <= to < min(len(items), len(self._stack.rows)):
            return
        self._stack.shift(at, to)
        self._number()
        self._place.put(with_moved(items, at, to))
        self._stack.rows[to].setFocus()

    def _number(self) -> None:
        for at, row in enumerate(self._stack.rows):
            if row.context.key != at:
                row.context.key = at
                row.rename()

    def _on_more_requested(self) -> None:
        self._limit += MORE
        self._arrange()
