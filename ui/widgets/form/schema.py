"""What a form knows about a field and about a kind of field, and where a field stands in the value.

The fields inside a field are not included: `reader.Reader` reads them on demand, so that a schema that contains itself, or a thousand
properties, costs only the fields that are displayed. Edits travel up: a widget sets its new value in its `FieldContext`, which passes it to
the container around it, and so on to the root, which shows the new value from the top down.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.schema.json_edit import MISSING, exact
from inspector.spec.pointer import join
from inspector.visible_text import one_line
from inspector.wire.json_codec import is_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from inspector.schema.json_edit import JsonOrMissing, Path
    from inspector.schema.resolve import Resolver
    from inspector.wire.json_codec import Json, JsonObject
    from ui.theme import Theme
    from ui.widgets.form.editor import Editor
    from ui.widgets.form.layout import TimeSlicer
    from ui.widgets.form.reader import Reader
    from ui.widgets.form.row import Row

_SCALAR_TYPES = frozenset({"string", "integer", "number", "boolean", "null"})


MAX_DEPTH = 10
"""Objects and arrays nested deeper are edited as JSON."""


class FieldKind(StrEnum):
    """How a field is edited; `kinds.KINDS` has a row for each kind."""

    TEXT = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    CHOICE = "choice"
    CONST = "fixed"
    OBJECT = "object"
    ARRAY = "array"
    MULTI_CHOICE = "picks"
    """An array of distinct choices: boxes to check."""
    UNION = "union"
    ANY = "any"
    """Any value is allowed: edited as JSON."""
    FALSE_SCHEMA = "never"
    """The schema allows no value."""


class FixedChoice(FrozenStruct, frozen=True, eq=False):
    """One value of an enumeration."""

    value: Json
    """The value that is sent."""
    title: str = ""
    """Its title in the schema."""
    has_twin: bool = False
    """Whether another value of the enumeration would read the same."""

    @property
    def label(self) -> str:
        """The title, or the value as text; with the value as JSON where another value has the same label."""
        if not self.has_twin:
            return one_line(self.title) or plain(self.value)
        json = one_line(exact(self.value))
        return f"{one_line(self.title)} ({json})" if self.title else json


UNSET = "unset"
REQUIRED = "required"
ABSENT_TEXTS = (UNSET, REQUIRED)
"""What an absent value reads as."""


def mark_twins(choices: Sequence[FixedChoice]) -> tuple[FixedChoice, ...]:
    """The same choices, with `has_twin` set where two read the same, `7` and `"7"`, or one reads as if nothing was selected."""
    values = defaultdict[str, set[str]](set, {text: {""} for text in ABSENT_TEXTS})
    for choice in choices:
        values[_as_read(choice.label)].add(exact(choice.value))
    return tuple(
        FixedChoice(choice.value, choice.title, has_twin=len(values[_as_read(choice.label)]) > 1)
        for choice in choices
    )


def _as_read(label: str) -> str:
    """A label as it looks: with single spaces inside and none around."""
    return " ".join(label.split())


def plain(value: Json) -> str:
    """A value as a label: strings bare, all else as JSON."""
    if is_text(value):
        return one_line(value) or '""'
    return one_line(exact(value))


class Variant(FrozenStruct, frozen=True, eq=False):
    """One variant of a union."""

    label: str
    """Its title, or a text for its type."""
    schema: Json
    """Its schema, merged with the keywords around the union."""
    shape: JsonObject
    """The same with references and `allOf` resolved."""


class Property(FrozenStruct, frozen=True, eq=False):
    """One declared key of an object."""

    name: str
    """The key."""
    schema: Json
    """Its schema, not resolved."""
    required: bool
    """Whether the object must have it."""


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
    type_text: str = ""
    """A short name of the type: `integer`, `array of string`, `date-time`."""
    facts: tuple[str, ...] = ()
    """Texts of its limits and annotations."""
    default: JsonOrMissing = MISSING
    """The declared default, if the field can show it."""
    nullable: bool = False
    """Whether null is among the values."""
    choices: tuple[FixedChoice, ...] = ()
    """Of CHOICE, CONST and MULTI_CHOICE."""
    variants: tuple[Variant, ...] = ()
    """Of UNION."""
    notes: tuple[str, ...] = ()
    """Texts of what is wrong with its schema."""


class KindSpec(FrozenStruct, frozen=True, eq=False):
    """One row of `kinds.KINDS`: everything that a form needs to know about a kind of field."""

    make_editor: Callable[[Field, FieldContext, QWidget], Editor]
    """Makes the editor of a field."""
    can_show: Callable[[Field, Json, Resolver], bool]
    """Whether the editor can show a value, neither absent nor raw text, and give it back exactly."""
    type_text: str = ""
    """A short name of the type; empty where the editor speaks for itself."""
    json_type: str = ""
    """The `type` of a schema that makes a field of this kind."""
    keywords: frozenset[str] = frozenset()
    """Keywords that make one of a schema without a type."""
    initial: Callable[[Reader, Field, int], JsonOrMissing] | None = None
    """The value of a required field that was not touched, given the depth of the field; None for absent."""
    added: JsonOrMissing = MISSING
    """The value of a field that the user adds, without `initial`; MISSING where it still has to be typed."""
    item: Json = None
    """The value of a new item or key without any of these, for it cannot be absent; null is invalid until it is replaced."""
    empty_text: str = ""
    """The menu entry that makes the value empty; "" without one."""
    shows_null: bool = False
    """Whether the editor can show null whether it is allowed or not."""
    has_null_button: bool = False
    """Whether a nullable field has a button for null beside its editor."""
    is_block: bool = False
    """Whether it may need more than a line."""
    is_editable: bool = True
    """Whether there is more than one value."""


def is_inline(field: Field) -> bool:
    """Whether every variant of a union fits on a line."""
    return all(_is_scalar(variant.shape) for variant in field.variants)


def _is_scalar(shape: JsonObject) -> bool:
    return "const" in shape or "enum" in shape or str(shape.get("type")) in _SCALAR_TYPES


@dataclass(slots=True, eq=False)
class FormContext:
    """What all widgets of one form share."""

    theme: Theme
    """Colors and sizes."""
    reader: Reader
    """The fields of the schema."""
    make_editor: Callable[[Field, FieldContext, QWidget], Editor]
    """Makes the editor of a field."""
    make_row: Callable[[Field, FieldContext, QWidget], Row]
    """Makes the labeled row of a field."""
    slicer: TimeSlicer
    """How many rows may be made in one turn of the event loop."""


@dataclass(slots=True, eq=False, weakref_slot=True)
class FieldContext:
    """Where one field stands in the value.

    Its methods are connected to signals, and PySide refers weakly to the owner of a method.
    """

    form: FormContext
    """What it shares with the other fields."""
    set_value: Callable[[JsonOrMissing], None]
    """Sets the value of the field."""
    parent: FieldContext | None = None
    """The container; None for the root."""
    key: str | int = ""
    """The key or index in the container; an index changes when items move."""
    required: bool = True
    """Whether the schema requires a value here."""
    label: str = ""
    """A name to show instead of the key."""
    remove: Callable[[], None] | None = None
    """Removes the field itself: an item, a key that was added."""
    move: Callable[[int], None] | None = None
    """Moves an item by this many positions."""
    hint: str = ""
    """What the hint under the field begins with: that the key is not declared."""

    @property
    def path(self) -> Path:
        """Keys and indices from the root."""
        return () if self.parent is None else (*self.parent.path, self.key)

    @property
    def pointer(self) -> str:
        """The JSON pointer from the root."""
        return join("", *self.path)

    @property
    def depth(self) -> int:
        """Containers around it."""
        return 0 if self.parent is None else self.parent.depth + 1

    @property
    def is_item(self) -> bool:
        """Whether it is an item of an array, where nothing can be absent."""
        return isinstance(self.key, int)

    @property
    def is_added(self) -> bool:
        """Whether it exists only because it was added, an item or an undeclared key: it is removed, never absent."""
        return self.is_item or self.remove is not None

    @property
    def name(self) -> str:
        """The label, or else the key."""
        if self.label:
            return one_line(self.label, 200)
        return f"[{self.key}]" if self.is_item else one_line(str(self.key), 200) or '""'

    @property
    def full_name(self) -> str:
        """The names from the root, for users who do not see the indentation."""
        if self.parent is None or self.parent.parent is None:
            return self.name
        return f"{self.parent.full_name}, {self.name}"

    def clear(self) -> None:
        """Make the value absent, or null where it cannot be absent."""
        self.set_value(None if self.is_added else MISSING)
