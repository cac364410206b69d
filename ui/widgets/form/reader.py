"""From a JSON Schema to fields, one at a time, when they are asked for.

Never raises, whatever the schema: what is wrong becomes a note of the field, and what a form cannot express a field of kind ANY.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.schema.conditions import KEYWORDS, Conditions
from inspector.schema.json_edit import MISSING
from inspector.schema.key_formula import holds
from inspector.schema.key_rules import key_rules
from inspector.schema.resolve import Resolver
from ui.widgets.form.classify import classify
from ui.widgets.form.representable import variant_score
from ui.widgets.form.schema import Field, FieldKind, Property
from ui.widgets.form.unions import variants_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.schema.conditions import Branch
    from inspector.schema.json_edit import JsonOrMissing
    from inspector.schema.key_rules import KeyRule
    from inspector.wire.json_codec import Json, JsonObject
    from ui.widgets.form.schema import Variant


MAX_CONDITIONS = 8
"""Conditions within what conditions bring; deeper ones are left to the validator."""

MAX_CURRENT = 500
"""Objects with what their conditions bring that are remembered."""


class Reader:
    """The fields of one schema document."""

    def __init__(self, document: Json) -> None:
        """Read from `document`; references point into it."""
        self.resolver = Resolver(document)
        self._conditions = Conditions(document, self.resolver)
        self._fields: dict[int, tuple[Json, Field]] = {}
        self._branches: dict[int, tuple[Field, tuple[Branch, ...]]] = {}
        self._unions: dict[int, tuple[Field, list[tuple[Variant, Field]]]] = {}
        self._current: dict[tuple[int, ...], tuple[tuple[Field, list[Json]], Field]] = {}
        self.root = self.field(document)

    def field(self, schema: Json) -> Field:
        """The field of a schema; the same schema gives the same field."""
        known = self._fields.get(id(schema))
        if known is None or isinstance(schema, bool) or schema is None:
            known = (schema, classify(self.resolver.shape(schema), self.resolver))
            self._fields[id(schema)] = known  # the schema is kept too, or its id could come again
        return known[1]

    def arm(self, field: Field, index: int) -> Field:
        """The field of one arm of a union."""
        return self.field(field.variants[index].schema)

    def varies(self, field: Field) -> bool:
        """Whether what a field is like depends on its value."""
        return bool(self._branches_of(field))

    def current(self, field: Field, value: JsonOrMissing, depth: int = 0) -> Field:
        """An object with what its conditions bring for `value`; the same conditions give the same field."""
        held: Json = value if isinstance(value, dict) else {}
        branches = self._branches_of(field)
        applied = [self._conditions.applied(branch, held) for branch in branches]
        brought = [part for part in applied if part is not True]
        made = self._joined(field, brought) if brought else field
        if depth and not brought:
            made = self._settled(field, held)
        return (
            field
            if made is field or depth > MAX_CONDITIONS
            else self.current(made, held, depth + 1)
        )

    def _joined(self, field: Field, brought: list[Json]) -> Field:
        """An object with what its conditions bring."""
        key = (id(field), *map(id, brought))
        if key not in self._current:
            shape = self.resolver.shape({"allOf": [_unconditional(field.shape), *brought]})
            made = field if shape.never else replace(field, shape=shape.keywords)
            self._keep(key, (field, brought), made)
        return self._current[key][1]

    def _settled(self, field: Field, held: Json) -> Field:
        """Of a union that a condition brings, the alternative that `held` decides for: nobody can choose one there."""
        known = self._unions.get(id(field))
        if known is None:
            arms = variants_of(field.shape, self.resolver)
            made = [replace(field, shape=self._undecided(field.shape, arm.shape)) for arm in arms]
            # The field is kept too, or its id could come again.
            known = self._unions[id(field)] = (field, list(zip(arms, made, strict=True)))
        fitting = [made for arm, made in known[1] if variant_score(arm.shape, held, self.resolver)]
        return fitting[0] if len(fitting) == 1 else field

    def _undecided(self, base: JsonObject, shape: JsonObject) -> JsonObject:
        """An alternative in which the keys that decide for it can still have any value."""
        before, after = base.get("properties"), shape.get("properties")
        if not isinstance(before, dict) or not isinstance(after, dict):
            return shape
        properties: JsonObject = {
            name: before[name] if name in before and self._is_listed(schema) else schema
            for name, schema in after.items()
        }
        return {**shape, "properties": properties}

    def _is_listed(self, schema: Json) -> bool:
        return bool({"const", "enum"} & self.resolver.shape(schema).keywords.keys())

    def _keep(self, key: tuple[int, ...], about: tuple[Field, list[Json]], made: Field) -> None:
        """Remember a field; what it is made of is kept too, or its ids could come again."""
        if len(self._current) >= MAX_CURRENT:
            self._current.clear()
            self._unions.clear()
        self._current[key] = (about, made)

    def _branches_of(self, field: Field) -> tuple[Branch, ...]:
        known = self._branches.get(id(field))
        if known is None:
            found = self._conditions.branches(field.shape) if field.kind is FieldKind.OBJECT else ()
            known = self._branches[id(field)] = (field, found)
        return known[1]

    def rules(self, field: Field) -> tuple[KeyRule, ...]:
        """The rules of an object about several of its keys."""
        return key_rules(field.shape, self.resolver)

    def properties(self, field: Field) -> tuple[Property, ...]:
        """The declared keys of an object, then those that it requires, or that a rule asks for, without declaring them."""
        declared = field.shape.get("properties")
        properties: JsonObject = declared if isinstance(declared, dict) else {}
        listed = field.shape.get("required")
        wanted: list[Json] = listed if isinstance(listed, list) else []
        required = dict.fromkeys(name for name in wanted if isinstance(name, str))
        asked = [rule.keys for rule in self.rules(field) if not holds(rule.formula, ())]
        further = dict.fromkeys([*required, *(key for keys in asked for key in keys)])
        made = [Property(name, schema, name in required) for name, schema in properties.items()]
        made.extend(
            Property(name, _further(field.shape), name in required)
            for name in further
            if name not in properties
        )
        return tuple(made)

    def fixed_items(self, field: Field) -> tuple[Json, ...]:
        """The schemas of the first items, where each place has its own."""
        for keyword in ("prefixItems", "items"):
            listed = field.shape.get(keyword)
            if isinstance(listed, list):
                return tuple(listed)
        return ()

    def item(self, field: Field, index: int) -> Field:
        """The field of the item at `index`."""
        fixed = self.fixed_items(field)
        return self.field(fixed[index] if index < len(fixed) else self._rest(field))

    def takes_more_items(self, field: Field) -> bool:
        """Whether items can be added behind those that have a place of their own."""
        fixed = self.fixed_items(field)
        most = field.shape.get("maxItems")
        full = isinstance(most, int) and most <= len(fixed)
        return not fixed or (self._rest(field) is not False and not full)

    def _rest(self, field: Field) -> Json:
        items = field.shape.get("items")
        if isinstance(items, list):
            return field.shape.get("additionalItems", True)
        return True if items is None else items

    def extra(self, field: Field, key: str) -> Field | None:
        """The field of a key that is not declared, or None where the schema says nothing about it."""
        patterns = field.shape.get("patternProperties")
        if isinstance(patterns, dict) and len(patterns) == 1:
            return self.field(next(iter(patterns.values())))
        additional = field.shape.get("additionalProperties")
        if additional is None or additional is False:
            return None
        return self.field(additional)

    def position(self, path: Sequence[str], value: JsonOrMissing) -> tuple[int, ...]:
        """Where a place of `value` stands in the form, to put places in its order; what is not declared comes last."""
        found: list[int] = []
        field: Field | None = self.root
        for step in path:
            at, field = self._step(field, step, value)
            found.append(at)
            value = _inside(value, step)
        return tuple(found)

    def _step(
        self, field: Field | None, step: str, value: JsonOrMissing
    ) -> tuple[int, Field | None]:
        if field is not None and field.kind is FieldKind.ARRAY and step.isdecimal():
            return int(step), self.item(field, int(step))
        declared = self.properties(self.current(field, value)) if field is not None else ()
        for at, entry in enumerate(declared):
            if entry.name == step:
                return at, self.field(entry.schema)
        return len(declared), None

    def is_map(self, field: Field) -> bool:
        """Whether keys can be added: the schema invites them, or declares none."""
        shape = field.shape
        if shape.get("additionalProperties") is False and "patternProperties" not in shape:
            return False
        invited = "additionalProperties" in shape or "patternProperties" in shape
        return invited or not self.properties(field)


def _unconditional(shape: JsonObject) -> JsonObject:
    """A shape without its conditions, which have been looked at."""
    made: JsonObject = {key: value for key, value in shape.items() if key not in KEYWORDS}
    parts = shape.get("allOf")
    if isinstance(parts, list):
        made["allOf"] = [_unconditional(part) if isinstance(part, dict) else part for part in parts]
    return made


def _inside(value: JsonOrMissing, step: str) -> JsonOrMissing:
    if isinstance(value, dict):
        return value.get(step, MISSING)
    if isinstance(value, list) and step.isdecimal() and int(step) < len(value):
        return value[int(step)]
    return MISSING


def _further(shape: JsonObject) -> Json:
    """The schema of a key that is asked for and not declared."""
    additional = shape.get("additionalProperties")
    return additional if isinstance(additional, dict) and "patternProperties" not in shape else True
