"""Schemas read into fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.schema.json_edit import MISSING
from inspector.wire.json_codec import write
from tests.support.form_cases import schema_of
from ui.widgets.form.initial_value import root_value
from ui.widgets.form.kinds import KINDS
from ui.widgets.form.reader import Reader
from ui.widgets.form.schema import Field, FieldKind

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject


def field_of(schema: Json, *path: str | int) -> Field:
    """The field at a path of a schema."""
    reader = Reader(schema, KINDS)
    field = reader.root
    for step in path:
        if isinstance(step, int):
            field = reader.item(field, step)
        else:
            declared = {entry.name: entry for entry in reader.properties(field)}
            field = reader.field(declared[step].schema)
    return field


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, FieldKind.TEXT),
        ({"type": "integer"}, FieldKind.INTEGER),
        ({"type": "number"}, FieldKind.NUMBER),
        ({"type": "boolean"}, FieldKind.BOOLEAN),
        ({"type": ["boolean", "null"]}, FieldKind.BOOLEAN),
        ({"type": "null"}, FieldKind.CONST),
        ({"const": 1}, FieldKind.CONST),
        ({"enum": [1, "1", None]}, FieldKind.CHOICE),
        ({"oneOf": [{"const": 1}, {"const": 2}]}, FieldKind.CHOICE),
        ({"anyOf": [{"enum": ["a"]}, {"type": "null"}]}, FieldKind.CHOICE),
        ({"type": ["integer", "string"]}, FieldKind.UNION),
        ({"anyOf": [{"type": "object"}, {"type": "null"}]}, FieldKind.UNION),
        ({"type": "array", "items": {"enum": [1, 2]}}, FieldKind.MULTI_CHOICE),
        ({"type": "array", "items": {"enum": list(range(100))}}, FieldKind.ARRAY),
        ({"type": "array"}, FieldKind.ARRAY),
        ({"properties": {}}, FieldKind.OBJECT),
        ({"minimum": 1}, FieldKind.NUMBER),
        ({"maxLength": 1}, FieldKind.TEXT),
        ({"type": "strnig"}, FieldKind.ANY),
        ({}, FieldKind.ANY),
        (True, FieldKind.ANY),
        (False, FieldKind.FALSE_SCHEMA),
        (None, FieldKind.ANY),
        ([], FieldKind.ANY),
        ("object", FieldKind.ANY),
        (7, FieldKind.ANY),
    ],
)
def test_a_schema_gets_the_editor_it_needs(schema: Json, kind: FieldKind) -> None:
    """schema-19-schema-null-and-array, schema-42-boolean-subschemas, schema-41-type-array-nullable."""
    assert Reader(schema, KINDS).root.kind is kind


def test_a_definition_used_twice_is_no_cycle() -> None:
    """schema-11-ref-reused-twice."""
    schema = schema_of("schema-11")

    assert field_of(schema, "a", "x").kind is FieldKind.NUMBER
    assert field_of(schema, "b", "x").kind is FieldKind.NUMBER


def test_a_schema_that_contains_itself_is_read_as_deep_as_is_asked() -> None:
    """schema-09-recursive-node."""
    schema = schema_of("schema-09")
    path = ("root", *("kids", 0) * 50, "label")

    assert field_of(schema, *path).kind is FieldKind.TEXT


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"},
        {"$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"},
    ],
)
def test_a_reference_that_leads_back_to_itself_is_noted(schema: Json) -> None:
    """Ours."""
    assert "is circular" in " ".join(Reader(schema, KINDS).root.notes)


def test_a_union_of_itself_is_read_one_level_at_a_time() -> None:
    """Ours."""
    schema: Json = {"anyOf": [{"$ref": "#"}, {"type": "object"}, {"type": "string"}]}

    root = Reader(schema, KINDS).root

    assert root.kind is FieldKind.UNION


def test_a_reference_to_a_sibling_keeps_what_stands_beside_it() -> None:
    """schema-08-ref-to-sibling-property."""
    field = field_of(schema_of("schema-08"), "to")

    assert field.type_text == "date-time"
    assert field.description == "end"


def test_references_are_found_by_pointer_and_by_anchor_or_noted() -> None:
    """Ours."""
    schema: Json = {
        "$defs": {"a/b%": {"$anchor": "here", "type": "integer"}},
        "properties": {
            "escaped": {"$ref": "#/$defs/a~1b%25"},
            "anchored": {"$ref": "#here"},
            "lost": {"$ref": "#/$defs/none"},
        },
    }

    assert field_of(schema, "escaped").kind is FieldKind.INTEGER
    assert field_of(schema, "anchored").kind is FieldKind.INTEGER
    assert "cannot be resolved" in field_of(schema, "lost").notes[0]


def test_all_of_becomes_one_field_with_all_limits() -> None:
    """schema-43-allof-merge."""
    reader = Reader(schema_of("schema-43"), KINDS)

    declared = reader.properties(reader.root)

    assert [(entry.name, entry.required) for entry in declared] == [("id", True), ("n", True)]
    assert reader.field(declared[0].schema).facts == ("2–4 characters",)


def test_limits_that_cannot_become_one_are_all_told() -> None:
    """Ours."""
    schema: Json = {"pattern": "^a", "allOf": [{"pattern": "b$"}, {"pattern": "^a"}]}

    assert Reader(schema, KINDS).root.facts == ("matches b$", "matches ^a")


def test_alternatives_that_only_ask_for_keys_are_no_union() -> None:
    """Ours."""
    schema: Json = {
        "type": "object",
        "properties": {"a": {}, "b": {}},
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    }

    assert Reader(schema, KINDS).root.kind is FieldKind.OBJECT


def test_what_surrounds_a_union_is_part_of_each_form() -> None:
    """schema-01-root-anyof."""
    reader = Reader(
        {
            "type": "object",
            "properties": {"shared": {"type": "string"}},
            "oneOf": [{"title": "A", "properties": {"a": {}}}, {"title": "B", "required": ["b"]}],
        },
        KINDS,
    )

    names = [
        [entry.name for entry in reader.properties(reader.variant(reader.root, at))]
        for at in (0, 1)
    ]

    assert [arm.label for arm in reader.root.variants] == ["A", "B"]
    assert names == [["shared", "a"], ["shared", "b"]]


def test_forms_without_titles_are_told_apart() -> None:
    """args-19-array-or-string-union."""
    kinds: list[Json] = [
        {"type": "array"},
        {"type": "string"},
        {"type": "string"},
        {"properties": {"via": {"const": "mail"}}},
        {"type": "null"},
        {},
    ]

    labels = [arm.label for arm in Reader({"anyOf": kinds}, KINDS).root.variants]

    assert labels == ["array", "string", "string (2)", "via: mail", "null", "anything"]


@pytest.mark.parametrize("kind", [["string"], ["object"], [], {"odd": 1}, 7])
def test_an_alternative_of_an_odd_type_is_called_something(kind: Json) -> None:
    """Ours: also where properties stand beside it."""
    arms: list[Json] = [{"type": kind}, {"type": "integer"}]

    labels = [arm.label for arm in Reader({"properties": {}, "anyOf": arms}, KINDS).root.variants]

    assert all(labels)
    assert len(set(labels)) == 2


@pytest.mark.parametrize("name", ["n", "b", "l", "e", "o"])
def test_a_default_that_does_not_fit_is_noted_and_not_used(name: str) -> None:
    """schema-45-default-of-wrong-type."""
    field = field_of(schema_of("schema-45"), name)

    assert field.default is MISSING
    assert "is invalid and ignored" in field.notes[0]


def test_an_external_reference_is_noted() -> None:
    """schema-39-external-ref; C-TOOL-15."""
    field = field_of(schema_of("schema-39"), "pet")

    assert field.kind is FieldKind.ANY
    assert field.notes == ("external $ref not loaded: http://127.0.0.1:9/pet.json",)


def test_limits_are_told_in_words() -> None:
    """schema-48-description-shown."""
    schema = schema_of("schema-48")

    assert field_of(schema, "n").facts == ("1–9", "multiple of 2")
    assert field_of(schema, "s").facts == ("2–5 characters", "e.g. ab, abc")
    assert field_of(schema, "z").facts == ("deprecated", "read-only")


def test_titles_of_choices_are_taken_from_wherever_they_stand() -> None:
    """elicit-01-enum-five-forms."""
    named = Reader({"enum": ["x", "y"], "enumNames": ["Ex"]}, KINDS).root
    titled = Reader({"oneOf": [{"const": "#f00", "title": "Red"}, {"const": "#00f"}]}, KINDS).root

    assert [choice.label for choice in named.choices] == ["Ex", "y"]
    assert [choice.label for choice in titled.choices] == ["Red", "#00f"]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"properties": {"a": {"default": 1}, "b": {}}}, '{"a":1}'),
        ({"properties": {"a": {"default": None}}}, "{}"),
        ({"properties": {"a": {"default": None}}, "required": ["a"]}, '{"a":null}'),
        ({"properties": {"a": {"const": "x"}}, "required": ["a"]}, '{"a":"x"}'),
        ({"properties": {"a": {"const": "x"}}}, "{}"),
        ({"properties": {"a": {"type": "array"}}, "required": ["a"]}, "{}"),
        (
            {
                "properties": {"o": {"properties": {"d": {"default": 0}}}},
                "required": ["o"],
            },
            '{"o":{"d":0}}',
        ),
        ({"properties": {"o": {"properties": {"d": {"default": 0}}}}}, "{}"),
        ({"type": "object", "default": {"z": 1, "a": 2}}, '{"z":1,"a":2}'),
        ({"type": "string"}, "{}"),
        (None, "{}"),
    ],
)
def test_a_form_begins_with_what_the_schema_declares(schema: Json, expected: str) -> None:
    """args-01-omit-unset-optionals, elicit-05-accept-content."""
    assert write(root_value(Reader(schema, KINDS))) == expected


def test_required_objects_that_contain_themselves_end_somewhere() -> None:
    """Ours."""
    schema: Json = {"properties": {"me": {"$ref": "#"}}, "required": ["me"]}

    assert len(write(root_value(Reader(schema, KINDS)))) < 100


KEYWORDS = [
    "type",
    "properties",
    "items",
    "anyOf",
    "oneOf",
    "allOf",
    "enum",
    "const",
    "$ref",
    "required",
    "default",
    "title",
    "additionalProperties",
    "prefixItems",
    "minimum",
    "minProperties",
    "pattern",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "a",
]
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["#", "string", "object", "a"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYWORDS), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(ODD)
def test_no_schema_whatever_raises(schema: Json) -> None:
    """schema-19-schema-null-and-array."""
    reader = Reader(schema, KINDS)
    root_value(reader)

    for declared in reader.properties(reader.root):
        reader.field(declared.schema)
    for at in range(len(reader.root.variants)):
        reader.variant(reader.root, at)
    reader.item(reader.root, 0)
    reader.extra(reader.root, "x")
    values: list[Json] = [{}, {"a": 1}, {"type": None, "a": "a"}]
    for value in values:
        now = reader.current(reader.root, value)
        reader.properties(now)
        reader.rules(now)


def test_ten_thousand_choices_are_read_without_reading_each() -> None:
    """Ours."""
    constants: list[Json] = [{"const": at, "title": f"T{at}"} for at in range(10_000)]

    root = Reader({"oneOf": constants}, KINDS).root

    assert root.kind is FieldKind.CHOICE
    assert root.choices[9_999].label == "T9999"


def test_a_map_invites_keys_and_a_closed_object_does_not() -> None:
    """schema-26-map-additionalproperties-empty."""
    free = Reader(schema_of("schema-26"), KINDS)
    declared = {entry.name: entry for entry in free.properties(free.root)}
    closed: JsonObject = {"type": "object", "additionalProperties": False}

    assert free.is_map(free.field(declared["data"].schema))
    assert not free.is_map(free.root)
    assert not Reader(cast("Json", closed), KINDS).is_map(Reader(cast("Json", closed), KINDS).root)
