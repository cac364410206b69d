"""What a form knows about a field: facts read from a JSON Schema, as plain data.

Children are not part of it: `reader.Reader` reads them when they are asked for, so a schema that contains itself, or
a thousand properties, costs what is looked at.
"""

from __future__ import annotations

from collections import defaultdict
from enum import StrEnum
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.schema.json_edit import MISSING, exact, is_text
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.schema.json_edit import JsonOrMissing
    from inspector.wire.json_codec import Json, JsonObject


class FieldKind(StrEnum):
    """How a field is edited."""

    TEXT = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    CHOICE = "choice"
    CONST = "fixed"
    OBJECT = "object"
    ARRAY = "array"
    MULTI_CHOICE = "picks"
    """A list of distinct choices: boxes to tick."""
    UNION = "union"
    ANY = "any"
    """Anything goes: edited as JSON."""
    FALSE_SCHEMA = "never"
    """The schema allows nothing here."""


SCALARS = frozenset(
    {
        FieldKind.TEXT,
        FieldKind.INTEGER,
        FieldKind.NUMBER,
        FieldKind.BOOLEAN,
        FieldKind.CHOICE,
        FieldKind.CONST,
    }
)
"""Kinds that fit on a line."""

BLOCKS = frozenset({FieldKind.OBJECT, FieldKind.ARRAY, FieldKind.UNION})
"""Kinds that may need more than a line."""


class FixedChoice(FrozenStruct, frozen=True, eq=False):
    """One value of an enumeration."""

    value: Json
    """What is sent."""
    title: str = ""
    """What the schema calls it."""
    has_twin: bool = False
    """Whether another value of the enumeration would read the same."""

    @property
    def label(self) -> str:
        """What is shown: the title, or the value as text; as JSON where that text stands for another value too."""
        if not self.has_twin:
            return one_line(self.title) or plain(self.value)
        json = one_line(exact(self.value))
        return f"{one_line(self.title)} ({json})" if self.title else json


def told_apart(choices: Sequence[FixedChoice]) -> tuple[FixedChoice, ...]:
    """Choices of which those that read the same are shown as JSON: `7` and `"7"`."""
    values = defaultdict[str, set[str]](set)
    for choice in choices:
        values[choice.label].add(exact(choice.value))
    return tuple(
        FixedChoice(choice.value, choice.title, has_twin=len(values[choice.label]) > 1)
        for choice in choices
    )


def plain(value: Json) -> str:
    """A value as a label: strings bare, all else as JSON."""
    if is_text(value):
        return one_line(value) or '""'
    return one_line(exact(value))


class Variant(FrozenStruct, frozen=True, eq=False):
    """One alternative of a union."""

    label: str
    """Its title, or words for its type."""
    schema: Json
    """Its schema, what surrounds the union merged in."""
    shape: JsonObject
    """The same with references and `allOf` resolved."""


class Property(FrozenStruct, frozen=True, eq=False):
    """One declared key of an object."""

    name: str
    """The key."""
    schema: Json
    """Its schema as it stands."""
    required: bool
    """Whether the object has to have it."""


class Field(FrozenStruct, frozen=True, eq=False):
    """A schema as a form sees it."""

    kind: FieldKind
    """How it is edited."""
    shape: JsonObject
    """Its keywords, references and `allOf` resolved."""
    title: str = ""
    """The schema's title."""
    description: str = ""
    """The schema's description."""
    type_words: str = ""
    """The type in a word or two: `integer`, `array of string`, `date-time`."""
    facts: tuple[str, ...] = ()
    """Limits and marks in words."""
    default: JsonOrMissing = MISSING
    """The declared default, if it fits."""
    nullable: bool = False
    """Whether null is among the values."""
    choices: tuple[FixedChoice, ...] = ()
    """Of CHOICE, CONST and MULTI_CHOICE."""
    variants: tuple[Variant, ...] = ()
    """Of UNION."""
    notes: tuple[str, ...] = ()
    """What is wrong with the schema here, in words."""


_SCALAR_TYPES = frozenset({"string", "integer", "number", "boolean", "null"})


def is_inline(field: Field) -> bool:
    """Whether every form of a union fits on a line."""
    return all(_is_scalar(arm.shape) for arm in field.variants)


def _is_scalar(shape: JsonObject) -> bool:
    return "const" in shape or "enum" in shape or str(shape.get("type")) in _SCALAR_TYPES


def is_block(field: Field) -> bool:
    """Whether a field needs more than a line."""
    return field.kind in BLOCKS and not (field.kind is FieldKind.UNION and is_inline(field))
