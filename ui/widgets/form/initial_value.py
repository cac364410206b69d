"""What a field holds before anyone touched it, and what it gets when it is put in.

What is sent is what is seen: declared defaults are filled in, of optional fields too; a default of null leaves an optional
field out. Required objects are there so that their fields can be; nothing else is invented.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.schema.json_edit import MISSING
from ui.widgets.form.schema import FieldKind

if TYPE_CHECKING:
    from inspector.schema.json_edit import JsonOrMissing
    from inspector.wire.json_codec import Json, JsonObject
    from ui.widgets.form.reader import Reader
    from ui.widgets.form.schema import Field, Property

MAX_DEPTH = 6
"""Objects inside objects that are put in by themselves; deeper ones wait until they are opened."""

MAX_ROUNDS = 4
"""How often it is looked what the conditions of an object bring for what is in it already."""

_MAY_HOLD_DEFAULT = ("default", "$ref", "allOf", "$dynamicRef")


def initial_value(reader: Reader, field: Field, *, required: bool, depth: int = 0) -> JsonOrMissing:
    """The value of a field that no one touched."""
    if field.default is not MISSING and (field.default is not None or required):
        return field.default
    if not required:
        return MISSING
    if field.kind is FieldKind.CONST:
        return field.choices[0].value
    if field.kind is FieldKind.OBJECT and depth < MAX_DEPTH:
        return object_start(reader, field, depth)
    return MISSING


def object_start(reader: Reader, field: Field, depth: int = 0) -> JsonObject:
    """The value of an object that is put in."""
    made: JsonObject = {}
    now = field
    for _ in range(MAX_ROUNDS):
        _put_in_starts(reader, now, depth, made)
        before, now = now, reader.current(field, made)
        if now is before:
            break
    return made


def _put_in_starts(reader: Reader, field: Field, depth: int, made: JsonObject) -> None:
    for declared in reader.properties(field):
        if declared.name in made or not _may_begin(declared):
            continue
        inner = reader.field(declared.schema)
        value = initial_value(reader, inner, required=declared.required, depth=depth + 1)
        if value is not MISSING:
            made[declared.name] = value


def _may_begin(declared: Property) -> bool:
    """Spares reading the thousand optional fields that have no default."""
    schema = declared.schema
    return declared.required or (
        isinstance(schema, dict) and any(keyword in schema for keyword in _MAY_HOLD_DEFAULT)
    )


def chosen(reader: Reader, field: Field) -> JsonOrMissing:
    """The value of a field that someone chose to have: absent where it still has to be typed."""
    value = initial_value(reader, field, required=True)
    if value is not MISSING:
        return value
    return [] if field.kind in {FieldKind.ARRAY, FieldKind.MULTI_CHOICE} else MISSING


def item(reader: Reader, field: Field) -> Json:
    """The value of a new item of a list or of a new key, where nothing can be absent; of a union, its first alternative's."""
    for _ in range(MAX_DEPTH):
        if field.kind is not FieldKind.UNION or field.default is not MISSING:
            break
        field = reader.arm(field, 0)
    value = chosen(reader, field)
    if value is not MISSING:
        return value
    if field.kind is FieldKind.CHOICE:
        return field.choices[0].value
    return _ITEMS.get(field.kind)


def filler(reader: Reader, field: Field) -> Json:
    """The value of an item that a later one needs before it: null, but an object or array where a form shows no null."""
    return item(reader, field) if field.kind in {FieldKind.OBJECT, FieldKind.ARRAY} else None


_ITEMS: dict[FieldKind, Json] = {FieldKind.TEXT: "", FieldKind.BOOLEAN: False}
"""Kind → a new item; of all others null, which is seen to be wrong until it is replaced."""


def root_start(reader: Reader) -> Json:
    """The value of a whole form; of a union, its first alternative."""
    field = reader.root
    value = initial_value(reader, field, required=True)
    if value is MISSING and field.kind is FieldKind.UNION:
        value = chosen(reader, reader.arm(field, 0))
    return {} if value is MISSING else value
