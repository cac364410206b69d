"""Objects: a row for each declared key and for each other key of the value; keys can be added where the schema allows them.

The declared and required keys follow the value where the schema has conditions; only rows whose declaration changes are made again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.schema.json_edit import MISSING, with_key, without_key
from ui.widgets.filter_field import FilterField
from ui.widgets.form.initial_value import item_value, object_value
from ui.widgets.form.kept_view import keep_rows, restore
from ui.widgets.form.layout import WrappedLabel
from ui.widgets.form.reader import Declared
from ui.widgets.form.schema import Field, FieldContext, FieldKind
from ui.widgets.form.stack import PAGE, AddKey, RowsEditor
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.schema.json_edit import JsonOrMissing, Path
    from inspector.wire.json_codec import JsonObject
    from ui.widgets.form.row import Row

FILTER_FROM = 16
"""With this many declared keys there is a filter."""

_FREE = Field(FieldKind.ANY, {}, type_text="any JSON")


class ObjectField(RowsEditor):
    """Edits an object. Typing into a key of an absent object adds the object, with its defaults."""

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(field, context, parent)
        self._declared = Declared(self._reader, field)
        self._build()
        self._wire()

    def reach(self, path: Path) -> Row | None:
        """Make the row of the first key of `path`, and go on from there."""
        if not path or not isinstance(path[0], str):
            return None
        name = path[0]
        if name not in self._declared.by_name and name not in self._object():
            return None
        if self._filter is not None and self._filter.text():
            self._filter.set_text("")
        made = (row for row in self._stack.rows if row.context.key == name)
        row = next(made, None) or self._row_at(self._keys().index(name))
        return row.reach(path[1:])

    def start_typing(self) -> None:
        """Go to the first row with something to type, which is made now; without any to the name of a new key."""
        names = self._keys()
        editable = (name for name in names if self._declared.can_be_typed(name))
        name = next(editable, next(iter(names), None))
        row = None if name is None else self.reach((name,))
        if row is not None:
            row.start_typing()
        else:
            self.setFocus()

    def rename(self) -> None:
        """Name the rules and the line for a new key after the field."""
        self._rules.setObjectName(f"rules:{self._context.pointer}")
        if self._add is not None:
            self._add.rename(self._context)

    def filter_text(self) -> str:
        """The text that the keys are filtered by."""
        return "" if self._filter is None else self._filter.text()

    def set_filter(self, text: str) -> None:
        """Filter the keys, where there is a filter."""
        if self._filter is not None and self._filter.text() != text:
            self._filter.set_text(text)

    # --- building ------------------------------------------------------------------------------

    def _build(self) -> None:
        theme = self._context.form.theme
        layout = column_layout(self, space=theme.SPACING_PX)
        self._rules = WrappedLabel("muted", self)
        layout.addWidget(self._rules)
        self._filter: FilterField | None = None
        if len(self._declared.order) >= FILTER_FROM:
            text = f"Filter {len(self._declared.order):,} fields"
            self._filter = FilterField(theme=theme, placeholder=text, name="filter", parent=self)
            layout.addWidget(self._filter)
        layout.addWidget(self._stack)
        self._add: AddKey | None = None
        if self._reader.is_map(self._field):
            self._add = AddKey(theme=theme, parent=self)
            layout.addWidget(self._add)
            self.setFocusProxy(self._add)
        self._show_rules()
        self.rename()

    def _wire(self) -> None:
        if self._filter is not None:
            self._filter.settled.connect(self._on_filter_changed)
        if self._add is not None:
            self._add.key_entered.connect(self._on_key_entered)

    def _display(self, value: JsonOrMissing) -> None:
        before = self._declared.by_name
        if self._declared.follow(value):
            self._show_rules()
            rows = {str(row.context.key): row for row in self._stack.rows}
            self._make_again([rows[name] for name in self._declared.changed(rows, before)])
        self._show_rows()

    def _show_rules(self) -> None:
        limits = self._declared.facts_text() if self._context.parent is None else ""
        self._rules.show_text("\n".join(filter(None, (limits, self._declared.rules_text()))))

    # --- rows ----------------------------------------------------------------------------------

    def _make_again(self, rows: list[Row]) -> None:
        """Replace rows whose declaration changed, and leave them as the user had them."""
        if not rows:
            return
        kept = keep_rows(rows, self)
        for row in rows:
            self._stack.remove(self._stack.rows.index(row))
        self._arrange()
        restore(kept, self, self)

    def _object(self) -> JsonObject:
        return self._value if isinstance(self._value, dict) else {}

    def _keys(self) -> list[str]:
        added = (name for name in self._object() if name not in self._declared.by_name)
        names = [*self._declared.order, *added]
        text = self._filter.text().strip().casefold() if self._filter is not None else ""
        return [name for name in names if self._matches(name, text)] if text else names

    def _matches(self, name: str, filter_text: str) -> bool:
        declared = self._declared.by_name.get(name)
        schema = declared.schema if declared is not None else None
        texts = (schema.get("title"), schema.get("description")) if isinstance(schema, dict) else ()
        return any(
            isinstance(text, str) and filter_text in text.casefold() for text in (name, *texts)
        )

    def _value_of(self, key: str | int) -> JsonOrMissing:
        return self._object().get(str(key), MISSING)

    def _make_row(self, key: str | int) -> Row:
        name = str(key)
        declared = self._declared.by_name.get(name)
        if declared is not None:
            field: Field | None = self._reader.field(declared.schema)
        else:
            field = self._declared.extra(name)
        context = FieldContext(
            self._context.form,
            lambda value: self._set_key(name, value),
            parent=self._context,
            key=name,
            required=declared is not None and declared.required,
            remove=None if declared is not None else lambda: self._set_key(name, MISSING),
            hint="" if field is not None else "not in the schema",
        )
        return self._context.form.make_row(field or _FREE, context, self._stack)

    # --- edits ---------------------------------------------------------------------------------

    def _set_key(self, name: str, value: JsonOrMissing) -> None:
        if self._value is MISSING and value is MISSING:
            return
        base = self._value
        if not isinstance(base, dict):
            base = object_value(self._reader, self._field, self._context.depth)
        if value is MISSING:
            self._context.set_value(without_key(base, name))
        else:
            self._context.set_value(with_key(base, name, value, self._declared.order))

    def _on_key_entered(self, name: str) -> None:
        is_new = name not in self._object() and name not in self._declared.by_name
        if is_new:
            field = self._declared.extra(name) or _FREE
            self._set_key(name, item_value(self._reader, field))
        row = self.reach((name,))
        if row is not None and is_new:
            row.start_typing()
        elif row is not None:
            row.setFocus()

    def _on_filter_changed(self) -> None:
        self._limit = PAGE
        self._arrange()
