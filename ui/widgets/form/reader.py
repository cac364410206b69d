"""Reads fields from a JSON Schema, one at a time, on demand; which keys an object declares follows its value.

Never raises, for any schema: what is wrong becomes a note of the field, and what a form cannot express a field of kind ANY.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.schema.conditions import KEYWORDS, Conditions
from inspector.schema.json_edit import MISSING, exact, is_number
from inspector.schema.key_formula import holds
from inspector.schema.key_rules import key_rules
from inspector.schema.resolve import Resolver
from inspector.visible_text import one_line
from inspector.wire.json_codec import RawJson
from ui.widgets.form.classify import Classifier
from ui.widgets.form.schema import Field, FieldKind, Property
from ui.widgets.form.unions import variant_score, variants_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from inspector.schema.conditions import Branch
    from inspector.schema.json_edit import JsonOrMissing
    from inspector.schema.key_rules import KeyRule
    from inspector.wire.json_codec import Json, JsonObject
    from ui.widgets.form.schema import KindSpec, Variant

MAX_CONDITIONS = 8
"""Conditions within schemas that conditions add; deeper ones are left to the validator."""

MAX_CURRENT = 500
"""Cached objects with the schemas that their conditions add."""


class Reader:
    """The fields of one schema document."""

    def __init__(self, document: Json, kinds: Mapping[FieldKind, KindSpec]) -> None:
        """Read from `document`, into which references point, with a row of `kinds` for each kind of field."""
        self.resolver = Resolver(document)
        self._kinds = kinds
        self._classifier = Classifier(kinds, self.resolver)
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
            made = self._with_default(self._classifier.field(self.resolver.shape(schema)))
            known = (schema, made)
            self._fields[id(schema)] = known  # the schema is kept too, or its id could come again
        return known[1]

    def spec(self, field: Field) -> KindSpec:
        """The row of the kind of a field."""
        return self._kinds[field.kind]

    def can_show(self, field: Field, value: JsonOrMissing) -> bool:
        """Whether the editor of `field` can show `value` and give it back exactly."""
        if value is MISSING:
            return True
        if isinstance(value, RawJson):
            return False
        spec = self._kinds[field.kind]
        return (value is None and spec.shows_null) or spec.can_show(field, value, self.resolver)

    def _with_default(self, field: Field) -> Field:
        declared = field.shape.get("default", MISSING)
        if declared is MISSING:
            return field
        if declared is None or field.kind is FieldKind.ANY or self.can_show(field, declared):
            return replace(field, default=declared)
        text = f"default {one_line(exact(declared), 60)} is invalid and ignored"
        return replace(field, notes=(*field.notes, text))

    def variant(self, field: Field, index: int) -> Field:
        """The field of one variant of a union."""
        return self.field(field.variants[index].schema)

    def varies(self, field: Field) -> bool:
        """Whether the declaration of a field depends on its value."""
        return bool(self._branches_of(field))

    def current(self, field: Field, value: JsonOrMissing, depth: int = 0) -> Field:
        """An object with the schemas that its conditions add for `value`; the same conditions give the same field."""
        content: Json = value if isinstance(value, dict) else {}
        branches = self._branches_of(field)
        applied = [self._conditions.applied(branch, content) for branch in branches]
        added = [part for part in applied if part is not True]
        made = self._joined(field, added) if added else field
        if depth and not added:
            made = self._resolved_union(field, content)
        if made is field or depth > MAX_CONDITIONS:
            return field
        return self.current(made, content, depth + 1)

    def _joined(self, field: Field, added: list[Json]) -> Field:
        """An object with the schemas that its conditions add."""
        key = (id(field), *map(id, added))
        if key not in self._current:
            shape = self.resolver.shape({"allOf": [_unconditional(field.shape), *added]})
            made = field if shape.never else replace(field, shape=shape.keywords)
            self._keep(key, (field, added), made)
        return self._current[key][1]

    def _resolved_union(self, field: Field, content: Json) -> Field:
        """For a union that a condition adds, the one variant that `content` fits: the user cannot select one there."""
        known = self._unions.get(id(field))
        if known is None:
            variants = variants_of(field.shape, self.resolver)
            shapes = [self._undecided(field.shape, variant.shape) for variant in variants]
            made = [replace(field, shape=shape) for shape in shapes]
            # The field is kept too, or its id could come again.
            known = self._unions[id(field)] = (field, list(zip(variants, made, strict=True)))
        fitting = [
            made
            for variant, made in known[1]
            if variant_score(variant.shape, content, self.resolver)
        ]
        return fitting[0] if len(fitting) == 1 else field

    def _undecided(self, base: JsonObject, shape: JsonObject) -> JsonObject:
        """The shape of a variant in which the keys that identify it can still have any value."""
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
        """Cache a field; what it is made of is kept too, or its ids could come again."""
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
        """The declared keys of an object, then those that it or one of its rules requires without declaring them."""
        declared = field.shape.get("properties")
        properties: JsonObject = declared if isinstance(declared, dict) else {}
        listed = field.shape.get("required")
        names: list[Json] = listed if isinstance(listed, list) else []
        required = dict.fromkeys(name for name in names if isinstance(name, str))
        by_rule = [rule.keys for rule in self.rules(field) if not holds(rule.formula, ())]
        further = dict.fromkeys([*required, *(key for keys in by_rule for key in keys)])
        made = [Property(name, schema, name in required) for name, schema in properties.items()]
        made.extend(
            Property(name, _further(field.shape), name in required)
            for name in further
            if name not in properties
        )
        return tuple(made)

    def fixed_items(self, field: Field) -> tuple[Json, ...]:
        """The schemas of the first items, where each index has its own."""
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
        """Whether items can be added after those with a schema of their own."""
        fixed = self.fixed_items(field)
        limit = field.shape.get("maxItems")
        full = isinstance(limit, int) and limit <= len(fixed)
        return not fixed or (self._rest(field) is not False and not full)

    def _rest(self, field: Field) -> Json:
        items = field.shape.get("items")
        if isinstance(items, list):
            return field.shape.get("additionalItems", True)
        return True if items is None else items

    def extra(self, field: Field, key: str) -> Field | None:
        """The field of a key that is not declared, or None if the schema does not mention it."""
        patterns = field.shape.get("patternProperties")
        if isinstance(patterns, dict) and len(patterns) == 1:
            return self.field(next(iter(patterns.values())))
        additional = _further_keys(field.shape)
        return None if additional is None or additional is False else self.field(additional)

    def position(self, path: Sequence[str], value: JsonOrMissing) -> tuple[int, ...]:
        """A sort key for pointers in the order of the form: the position of each step of `path` into `value`, undeclared keys last."""
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
        further = _further_keys(shape)
        limit = shape.get("maxProperties")
        if shape.get("propertyNames") is False or (is_number(limit) and limit <= 0):
            return False
        if further is False and "patternProperties" not in shape:
            return False
        invited = further is not None or "patternProperties" in shape
        return invited or not self.properties(field)


def _unconditional(shape: JsonObject) -> JsonObject:
    """A shape without its conditions, which have been applied."""
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


def _further_keys(shape: JsonObject) -> Json:
    """The schema of keys that are not declared, or None."""
    further = shape.get("additionalProperties")
    return shape.get("unevaluatedProperties") if further is None else further


def _further(shape: JsonObject) -> Json:
    """The schema of a key that is required and not declared."""
    additional = _further_keys(shape)
    return additional if isinstance(additional, dict) and "patternProperties" not in shape else True


class Declared:
    """The declared keys of one object, in the order of the schema."""

    def __init__(self, reader: Reader, field: Field) -> None:
        """Start with an absent object."""
        self._reader = reader
        self._field = field
        self._declare(reader.current(field, MISSING))

    def _declare(self, current: Field) -> None:
        self.current = current
        """The object with the schemas that its conditions add."""
        self.by_name = {each.name: each for each in self._reader.properties(current)}
        self.order = list(self.by_name)

    def follow(self, value: JsonOrMissing) -> bool:
        """Declare the keys for `value`, and return whether they differ from those before."""
        current = self._reader.current(self._field, value)
        if current is self.current:
            return False
        self._declare(current)
        return True

    def changed(self, names: Collection[str], before: dict[str, Property]) -> list[str]:
        """Those of `names` whose declaration differs from the one in `before`."""
        return [name for name in names if self._is_other(before.get(name), self.by_name.get(name))]

    def _is_other(self, old: Property | None, new: Property | None) -> bool:
        if old is None or new is None:
            return old is not new
        field = self._reader.field
        return old.required != new.required or field(old.schema) is not field(new.schema)

    def extra(self, name: str) -> Field | None:
        """The field of a key that is not declared, or None if the schema does not mention it."""
        return self._reader.extra(self.current, name)

    def can_be_typed(self, name: str) -> bool:
        """Whether a key has more than one value."""
        declared = self.by_name.get(name)
        return (
            declared is None or self._reader.spec(self._reader.field(declared.schema)).is_editable
        )

    def rules_text(self) -> str:
        """The rules about several of its keys, one a line."""
        return "\n".join(_capital(rule.text) for rule in self._reader.rules(self.current))

    def facts_text(self) -> str:
        """The limits of the whole object, for a root without a row that shows them."""
        return _capital(" · ".join(self._field.facts))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
