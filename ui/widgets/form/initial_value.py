"""The value of a field before the user touches it, and when it is added.

What is sent is what is visible: declared defaults are filled in, of optional fields too; a default of null leaves an optional
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
"""Objects inside objects that are filled in at once; deeper ones stay absent until the user opens them."""

MAX_ROUNDS = 4
"""How many times the conditions of an object are applied to the values that are in it already."""

_MAY_HOLD_DEFAULT = ("default", "$ref", "allOf", "$dynamicRef")


def initial_value(reader: Reader, field: Field, *, required: bool, depth: int = 0) -> JsonOrMissing:
    """The value of a field that was not touched."""
    if field.default is not MISSING and (field.default is not None or required):
        return field.default
    initial = reader.spec(field).initial
    return initial(reader, field, depth) if required and initial is not None else MISSING


def constant_value(_reader: Reader, field: Field, _depth: int) -> Json:
    """The value of a constant."""
    return field.choices[0].value


def nested_object_value(reader: Reader, field: Field, depth: int) -> JsonOrMissing:
    """The value of a required object, absent below `MAX_DEPTH`."""
    return object_value(reader, field, depth) if depth < MAX_DEPTH else MISSING


def object_value(reader: Reader, field: Field, depth: int = 0) -> JsonObject:
    """The value of an object that is added: the initial values of its fields."""
    made: JsonObject = {}
    now = field
    for _ in range(MAX_ROUNDS):
        _add_initial_values(reader, now, depth, made)
        before, now = now, reader.current(field, made)
        if now is before:
            break
    return made


def _add_initial_values(reader: Reader, field: Field, depth: int, made: JsonObject) -> None:
    for declared in reader.properties(field):
        if declared.name in made or not _may_be_initial(declared):
            continue
        inner = reader.field(declared.schema)
        value = initial_value(reader, inner, required=declared.required, depth=depth + 1)
        if value is not MISSING:
            made[declared.name] = value


def _may_be_initial(declared: Property) -> bool:
    """False for the thousand optional fields without a default, whose schemas need not be read."""
    schema = declared.schema
    return declared.required or (
        isinstance(schema, dict) and any(keyword in schema for keyword in _MAY_HOLD_DEFAULT)
    )


def added_value(reader: Reader, field: Field) -> JsonOrMissing:
    """The value of a field that the user adds: absent where it still has to be typed."""
    value = initial_value(reader, field, required=True)
    return reader.spec(field).added if value is MISSING else value


def empty_value(reader: Reader, field: Field) -> JsonOrMissing:
    """The value without content of a kind that has one, independent of the default."""
    spec = reader.spec(field)
    if spec.initial is not None:
        return spec.initial(reader, field, 0)
    return spec.item if spec.added is MISSING else spec.added


def item_value(reader: Reader, field: Field) -> Json:
    """The value of a new item or a new key, where nothing can be absent; of a union, the value of its first variant."""
    for _ in range(MAX_DEPTH):
        if field.kind is not FieldKind.UNION or field.default is not MISSING:
            break
        field = reader.variant(field, 0)
    value = added_value(reader, field)
    if value is not MISSING:
        return value
    return field.choices[0].value if field.choices else reader.spec(field).item


def filler_value(reader: Reader, field: Field) -> Json:
    """The value of an item that a later one needs before it: null, but an object or array where a form shows no null."""
    is_container = field.kind in {FieldKind.OBJECT, FieldKind.ARRAY}
    return item_value(reader, field) if is_container else None


def root_value(reader: Reader) -> Json:
    """The value of a whole form; of a union, the value of its first variant."""
    field = reader.root
    value = initial_value(reader, field, required=True)
    if value is MISSING and field.kind is FieldKind.UNION:
        value = added_value(reader, reader.variant(field, 0))
    return {} if value is MISSING else value
