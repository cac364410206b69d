"""Objects: a row for each declared key and for each other key that is there; keys can be added where the schema lets them.

What is declared and required follows the value where the schema has conditions; only rows whose declaration is another are made again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.schema.json_edit import MISSING, with_key, without_key
from ui.widgets.filter_field import FilterField
from ui.widgets.form.add_key import AddKey
from ui.widgets.form.declared import Declared
from ui.widgets.form.editor import Editor, column_layout
from ui.widgets.form.field_context import FieldContext
from ui.widgets.form.initial_value import item, object_start
from ui.widgets.form.kept_view import kept_rows, put_back
from ui.widgets.form.schema import Field, FieldKind
from ui.widgets.form.stack import Stack
from ui.widgets.form.wrapped_label import WrappedLabel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.schema.json_edit import JsonOrMissing, Path
    from inspector.wire.json_codec import JsonObject
    from ui.widgets.form.row import Row
    from ui.widgets.form.schema import Property

PAGE = 40
"""Rows made at first; the rest when asked for."""

MORE = 100
"""Rows made with each press of *Show more*."""

FILTER_FROM = 16
"""With as many keys there is a filter."""

_FREE = Field(FieldKind.ANY, {}, type_words="any JSON")


class ObjectField(Editor):
    """Edits an object. Typing into a key of an absent object puts the object in, with its defaults."""

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(field, context, parent)
        self._reader = context.site.reader
        self._declared = Declared(self._reader, field)
        self._limit = PAGE
        self._rows: dict[str, Row] = {}
        self._build()
        self._wire()

    def rows(self) -> list[Row]:
        """The rows that have been made."""
        return list(self._rows.values())

    def reach(self, path: Path) -> Row | None:
        """Make the row of the first key of `path`, and go on from there."""
        if not path or not isinstance(path[0], str):
            return None
        name = path[0]
        if name not in self._declared.by_name and name not in self._object():
            return None
        if self._filter is not None and self._filter.text():
            self._filter.set_text("")
        if name not in self._rows:
            at = self._names().index(name) + 1
            self._limit = max(self._limit, at)
            self._arrange(least=at)
        return self._rows[name].reach(path[1:])

    def start_typing(self) -> None:
        """Go to the first row in which there is something to type, made now if it waits for its turn; without any, to the name of a new key."""
        names = self._wanted()
        name = next(
            (each for each in names if self._declared.can_be_typed(each)), next(iter(names), None)
        )
        row = None if name is None else self.reach((name,))
        if row is not None:
            row.start_typing()
        else:
            self.setFocus()

    def rename(self) -> None:
        """Name what does not belong to a row."""
        self._rules.setObjectName(f"rules:{self._place.pointer}")
        if self._add is not None:
            self._add.rename(self._place)

    def filter_text(self) -> str:
        """What the keys are filtered by."""
        return "" if self._filter is None else self._filter.text()

    def set_filter(self, text: str) -> None:
        """Filter the keys, where there is a filter."""
        if self._filter is not None and self._filter.text() != text:
            self._filter.set_text(text)

    # --- building ------------------------------------------------------------------------------

    def _build(self) -> None:
        theme = self._place.site.theme
        layout = column_layout(self, space=theme.SPACING_PX)
        self._rules = WrappedLabel("muted", self)
        layout.addWidget(self._rules)
        self._filter: FilterField | None = None
        if len(self._declared.order) >= FILTER_FROM:
            text = f"Filter {len(self._declared.order):,} fields"
            self._filter = FilterField(theme=theme, placeholder=text, name="filter", parent=self)
            layout.addWidget(self._filter)
        self._stack = Stack(theme=theme, parent=self)
        layout.addWidget(self._stack)
        self._add: AddKey | None = None
        if self._reader.is_map(self._field):
            self._add = AddKey(theme=theme, parent=self)
            layout.addWidget(self._add)
            self.setFocusProxy(self._add)
        self._show_rules()
        self.rename()

    def _wire(self) -> None:
        self._stack.more_requested.connect(self._on_more_requested)
        if self._filter is not None:
            self._filter.settled.connect(self._on_filter_changed)
        if self._add is not None:
            self._add.wanted.connect(self._on_key_wanted)

    def _display(self, value: JsonOrMissing) -> None:
        before = self._declared.by_name
        if self._declared.follow(value):
            self._show_rules()
            self._make_again(
                [self._rows[name] for name in self._declared.changed(self._rows, before)]
            )
        self._arrange()
        held = self._object()
        for name, row in self._rows.items():
            row.show_value(held.get(name, MISSING))

    def _show_rules(self) -> None:
        about = self._declared.facts_text() if self._place.parent is None else ""
        self._rules.show_text("\n".join(filter(None, (about, self._declared.rules_text()))))

    # --- rows ----------------------------------------------------------------------------------

    def _make_again(self, rows: list[Row]) -> None:
        """Make rows again that are declared otherwise now, and leave them as the user had them."""
        if not rows:
            return
        kept = kept_rows(rows, self)
        for row in rows:
            self._take_out(str(row.context.key))
        self._arrange()
        put_back(kept, self, self)

    def _object(self) -> JsonObject:
        return self._value if isinstance(self._value, dict) else {}

    def _names(self) -> list[str]:
        """All keys in the order of their rows."""
        return [
            *self._declared.order,
            *(name for name in self._object() if name not in self._declared.by_name),
        ]

    def _wanted(self) -> list[str]:
        text = self._filter.text().strip().casefold() if self._filter is not None else ""
        names = self._names()
        return [name for name in names if self._matches(name, text)] if text else names

    def _matches(self, name: str, message: str) -> bool:
        declared = self._declared.by_name.get(name)
        schema = declared.schema if declared is not None else None
        told = (schema.get("title"), schema.get("description")) if isinstance(schema, dict) else ()
        return any(isinstance(text, str) and message in text.casefold() for text in (name, *told))

    def _arrange(self, least: int = 0) -> None:
        """Have exactly the rows that are wanted, in order; beyond `least` of them only while there is time."""
        wanted = self._wanted()
        shown = wanted[: self._limit]
        for name in [name for name in self._rows if name not in shown]:
            self._take_out(name)
        for at, name in enumerate(shown):
            if name in self._rows:
                continue
            if at >= least and not self._place.site.pace.has_time():
                self._place.site.pace.go_on_later(self, self._arrange)
                break
            self._put_in(at, name)
        self._stack.align()
        self._stack.say_more(len(wanted) - len(shown))

    def _take_out(self, name: str) -> None:
        self._stack.take_out(self._stack.rows.index(self._rows.pop(name)))

    def _put_in(self, at: int, name: str) -> None:
        self._rows[name] = row = self._make_row(name)
        self._stack.put_in(at, row)
        row.show_value(self._object().get(name, MISSING))
        if self._findings is not None:
            row.mark(self._findings)

    def _make_row(self, name: str) -> Row:
        declared = self._declared.by_name.get(name)
        if declared is not None:
            return self._declared_row(declared)
        field = self._declared.extra(name)
        place = FieldContext(
            self._place.site,
            lambda value: self._put_key(name, value),
            parent=self._place,
            key=name,
            required=False,
            remove=lambda: self._put_key(name, MISSING),
            remark="" if field is not None else "not in the schema",
        )
        return self._place.site.make_row(field or _FREE, place, self._stack)

    def _declared_row(self, declared: Property) -> Row:
        name = declared.name
        place = FieldContext(
            self._place.site,
            lambda value: self._put_key(name, value),
            parent=self._place,
            key=name,
            required=declared.required,
        )
        return self._place.site.make_row(self._reader.field(declared.schema), place, self._stack)

    # --- edits ---------------------------------------------------------------------------------

    def _put_key(self, name: str, value: JsonOrMissing) -> None:
        if self._value is MISSING and value is MISSING:
            return
        base = self._value
        if not isinstance(base, dict):
            base = object_start(self._reader, self._field, self._place.depth)
        if value is MISSING:
            self._place.put(without_key(base, name))
        else:
            self._place.put(with_key(base, name, value, self._declared.order))

    def _on_key_wanted(self, name: str) -> None:
        is_new = name not in self._object() and name not in self._declared.by_name
        if is_new:
            field = self._declared.extra(name) or _FREE
            self._put_key(name, item(self._reader, field))
        row = self.reach((name,))
        if row is not None and is_new:
            row.start_typing()
        elif row is not None:
            row.setFocus()

    def _on_more_requested(self) -> None:
        self._limit += MORE
        self._arrange()

    def _on_filter_changed(self) -> None:
        self._limit = PAGE
        self._arrange()
