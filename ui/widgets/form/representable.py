"""Which field can show a value, and which arm of a union it belongs to.

Not a validation: a number out of range is still shown by a number field. The question is only whether the field could give
the value back exactly.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.schema.json_edit import MISSING, exact, is_number, is_text
from inspector.wire.json_codec import RawJson, RawNumber
from ui.widgets.form.schema import FieldKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.schema.json_edit import JsonOrMissing
    from inspector.schema.resolve import Resolver
    from inspector.wire.json_codec import Json, JsonObject
    from ui.widgets.form.schema import Field, Variant


def can_show(field: Field, value: JsonOrMissing, resolver: Resolver) -> bool:
    """Whether the editor of `field` can show `value` and give it back."""
    if value is MISSING:
        return True
    if isinstance(value, RawJson):
        return False
    if value is None and field.kind in SHOW_NULL:
        return True
    if field.kind is FieldKind.UNION:
        return value is None or any(
            variant_score(arm.shape, value, resolver) for arm in field.variants
        )
    return _SHOWS[field.kind](field, value)


def best_variant(arms: Sequence[Variant], value: Json, current: int, resolver: Resolver) -> int:
    """The arm that suits `value` best, `current` if none does better; -1 if none does at all."""
    best, found = -1, 0
    for index, arm in enumerate(arms):
        score = 2 * variant_score(arm.shape, value, resolver) + (index == current)
        if score > max(found, 1):
            best, found = index, score
    return best


def variant_score(shape: JsonObject, value: Json, resolver: Resolver) -> int:
    """How well `value` suits a shape; 0 is not at all."""
    if isinstance(value, RawJson) or not _is_typed(shape, value) or not _is_listed(shape, value):
        return 0
    if not isinstance(value, dict):
        return 100
    return _object_rank(shape, value, resolver)


def _object_rank(shape: JsonObject, value: JsonObject, resolver: Resolver) -> int:
    declared = shape.get("properties")
    properties: JsonObject = declared if isinstance(declared, dict) else {}
    shared = [name for name in properties if name in value]
    for name in shared:
        if not _is_listed(resolver.shape(properties[name]).keywords, value[name]):
            return 0
    required = shape.get("required")
    wanted: list[Json] = required if isinstance(required, list) else []
    missed = sum(1 for name in wanted if isinstance(name, str) and name not in value)
    return max(1, 100 + 2 * len(shared) - missed - (len(value) - len(shared)))


def _is_typed(shape: JsonObject, value: Json) -> bool:
    declared = shape.get("type")
    if declared is None:
        return not isinstance(value, dict) or "items" not in shape
    names = declared if isinstance(declared, list) else [declared]
    return any(isinstance(name, str) and name in type_names(value) for name in names)


def _is_listed(shape: JsonObject, value: Json) -> bool:
    if "const" in shape:
        return exact(shape["const"]) == exact(value)
    listed = shape.get("enum")
    return not isinstance(listed, list) or exact(value) in map(exact, listed)


def type_names(value: Json) -> tuple[str, ...]:
    """The JSON Schema types of a value; a whole number has two."""
    if isinstance(value, bool):
        return ("boolean",)
    if isinstance(value, int | float):
        return ("number", "integer") if _is_whole(value) else ("number",)
    for kind, name in _TYPE_NAMES:
        if isinstance(value, kind):
            return (name,)
    return ("null",)


def _is_whole(value: float) -> bool:
    return not isinstance(value, RawNumber) or value.is_integer()


_TYPE_NAMES: tuple[tuple[type, str], ...] = ((str, "string"), (list, "array"), (dict, "object"))

SHOW_NULL = frozenset({FieldKind.TEXT, FieldKind.INTEGER, FieldKind.NUMBER})
"""Kinds whose editor has a state for null whether it is allowed or not, as unions have: new items of lists begin so."""


UNTYPABLE = re.compile("[\x00-\x08\x0b-\x1f\u2028\u2029\ud800-\udfff\ufdd0\ufdd1]")
"""Characters that a text box changes or drops: such texts are edited as JSON, where they stand as escapes."""


def _is_choice(field: Field, value: Json) -> bool:
    text = exact(value)
    return any(exact(choice.value) == text for choice in field.choices)


def _is_boolean(field: Field, value: Json) -> bool:
    return isinstance(value, bool) or (value is None and field.nullable)


_SHOWS: dict[FieldKind, Callable[[Field, Json], bool]] = {
    FieldKind.TEXT: lambda _field, value: is_text(value) and not UNTYPABLE.search(value),
    FieldKind.INTEGER: lambda _field, value: is_number(value),
    FieldKind.NUMBER: lambda _field, value: is_number(value),
    FieldKind.BOOLEAN: _is_boolean,
    FieldKind.CHOICE: _is_choice,
    FieldKind.CONST: _is_choice,
    FieldKind.OBJECT: lambda _field, value: isinstance(value, dict),
    FieldKind.ARRAY: lambda _field, value: isinstance(value, list),
    FieldKind.MULTI_CHOICE: lambda _field, value: isinstance(value, list),
    FieldKind.ANY: lambda _field, _value: False,
    FieldKind.FALSE_SCHEMA: lambda _field, _value: False,
}
"""Kind → whether it can show a value that is neither absent nor raw."""
