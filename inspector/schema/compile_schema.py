"""Compiles a JSON Schema, even if parts are invalid.

An invalid keyword is left out with a note, so that the rest still applies. Nothing is loaded from anywhere: an external reference
accepts everything, with a note, since a value that matches is then not known to be valid (C-SCH-06). Never raises.

Source: jsonschema-rs; the dialect is the schema's `$schema`, by default 2020-12. A schema of an unknown dialect validates nothing.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import lru_cache
from typing import TYPE_CHECKING

import jsonschema_rs

from inspector.frozen import FrozenStruct
from inspector.schema.json_edit import MISSING
from inspector.schema.json_input import plain
from inspector.schema.resolve import Resolver
from inspector.spec.pointer import join
from inspector.spec.subschemas import external_refs, objects_in
from inspector.spec.subschemas import subschemas as schema_places
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

MAX_REPAIRS = 20
"""Wrong places left out of one schema; with more it is not used."""

BACKTRACKS = 20_000
"""Steps a regular expression may take on one string: a third of a millisecond."""

_DIALECT = re.compile(
    r"https?://json-schema\.org/(?:draft-0[467]|draft/(?:2019-09|2020-12))/schema#?"
)

_NAMES = ("$id", "$anchor", "$dynamicAnchor")
"""What references to a schema call it by."""

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


class Fault(Enum):
    """What makes a schema wrong."""

    NONE = auto()
    """Nothing; or what was found may be the fault of the validator, as with a pattern that it cannot read."""
    INVALID = auto()
    """It is none of its dialect."""
    DIALECT = auto()
    """Its dialect is unknown."""
    REFERENCE = auto()
    """A reference inside leads nowhere."""


class SchemaNote(FrozenStruct, frozen=True):
    """Something wrong with the schema itself."""

    pointer: str
    """Where in the schema."""
    text: str
    """What is wrong."""
    is_wrong: bool = True
    """Whether the schema is; else it may well be right, but is not whole."""
    is_sentence: bool = False
    """Whether the text is complete without the pointer."""
    is_of_field: bool = False
    """Whether the field itself shows the note."""
    fault: Fault = Fault.NONE
    """What makes the schema invalid for every reader."""


class Compiled(FrozenStruct, frozen=True):
    """A validator and what had to be left out for it."""

    validator: jsonschema_rs.Validator | None
    """None if the schema cannot be compiled."""
    notes: tuple[SchemaNote, ...]
    """What is wrong with the schema."""
    schema: JsonObject | bool = True
    """What it was made of: the schema without those parts."""
    is_whole: bool = True
    """Whether nothing is left out that accepts everything instead; else what must not fit may fit for that reason alone."""


def compile_schema(schema: JsonObject | bool, backtracks: int = BACKTRACKS) -> Compiled:
    """Make `schema` ready; wrong parts are left out and noted. A pattern may take `backtracks` steps on one string."""
    try:
        working = plain(schema)
    except RecursionError:
        return Compiled(None, (SchemaNote("", "not validated: nested too deeply"),))
    if not isinstance(working, dict | bool):
        return Compiled(None, ())
    dialect = unknown_dialect(working)
    if dialect:
        text = f"Unknown JSON Schema dialect {one_line(dialect, 120)}: values are not validated."
        note = SchemaNote("/$schema", text, is_sentence=True, fault=Fault.DIALECT)
        return Compiled(None, (note,))
    notes = [*_without_other_dialects(working), *_without_external(working)]
    is_whole = not notes
    for attempt in range(MAX_REPAIRS):
        try:
            validator = make_validator(working, backtracks=backtracks)
            return Compiled(validator, tuple(notes), working, is_whole)
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            if attempt == 0 and (unreadable := _without_unreadable(working)):
                notes += unreadable
                is_whole = False
                continue
            note = _repaired(working, error)
            if note is None:
                notes.append(SchemaNote("", f"not validated: {one_line(_heading(error), 200)}"))
                return Compiled(None, tuple(notes))
            notes.append(note)
    return Compiled(None, tuple(notes))


def unknown_dialect(schema: Json) -> str:
    """The `$schema` of a dialect whose keywords may mean something else; empty where they are known."""
    dialect = schema.get("$schema") if isinstance(schema, dict) else None
    if not dialect or _DIALECT.fullmatch(str(dialect)):
        return ""
    return str(dialect)


def _without_other_dialects(schema: JsonObject | bool) -> list[SchemaNote]:
    """Take out what stands inside in an unknown dialect."""
    if not any("$schema" in item and item is not schema for item in objects_in(schema)):
        return []
    notes: list[SchemaNote] = []
    for inner in list(schema_places(schema)):
        dialect = unknown_dialect(inner.schema) if inner.steps else ""
        if dialect:
            names = {key: inner.schema[key] for key in _NAMES if key in inner.schema}
            inner.schema.clear()
            inner.schema.update(names)
            pointer = join("", *inner.steps)
            text = f"Unknown JSON Schema dialect {one_line(dialect, 120)} at {pointer}: values there are not validated."
            notes.append(SchemaNote(pointer, text, is_sentence=True, fault=Fault.DIALECT))
    return notes


def _without_external(schema: JsonObject | bool) -> list[SchemaNote]:
    """Take references to other documents out: they are not loaded."""
    notes: list[SchemaNote] = []
    for each in external_refs(schema):
        notes.append(SchemaNote(join("", *each.steps), each.text, is_wrong=False))
        if isinstance(schema, dict):
            _take_out(schema, list(each.steps))
    return notes


@lru_cache(maxsize=1000)
def is_readable(pattern: str) -> bool:
    """Whether a regular expression can be compiled, so that values are checked by it."""
    try:
        make_validator({"pattern": pattern})
    except (ValueError, TypeError, OverflowError, RecursionError):
        return False
    return True


def make_validator(
    schema: JsonObject | bool,
    registry: jsonschema_rs.Registry | None = None,
    *,
    backtracks: int = BACKTRACKS,
) -> jsonschema_rs.Validator:
    """A validator of a schema as it is, whose references may lead into `registry`; a pattern may take `backtracks` steps.

    Raises:
        ValueError: the schema is wrong, or its dialect unknown.
    """
    return jsonschema_rs.validator_for(
        schema,
        validate_formats=True,
        retriever=_nothing_there,
        registry=registry,
        pattern_options=jsonschema_rs.FancyRegexOptions(
            backtrack_limit=backtracks, size_limit=2_000_000
        ),
    )


def _nothing_there(_address: str) -> bool:
    """Answers every external reference with a schema that accepts everything, without asking anyone."""
    return True


def _repaired(schema: JsonObject | bool, error: Exception) -> SchemaNote | None:
    """Take out of `schema` what `error` is about; None if that is not known."""
    if not isinstance(schema, dict) or not isinstance(error, jsonschema_rs.ValidationError):
        return None
    if error.instance_path:
        text = one_line(error.message, 200)
        note = SchemaNote(join("", *error.instance_path), text, fault=Fault.INVALID)
        return note if _take_out(schema, error.instance_path) else None
    resolver = Resolver(schema)
    lost = _lost_reference(schema, resolver)
    if not _without_references(schema, resolver):
        return None
    if not lost:
        return SchemaNote("", "references that lead nowhere are not checked")
    text = f"the reference “{one_line(lost, 120)}” leads nowhere, and is not checked"
    return SchemaNote("", text, fault=Fault.REFERENCE)


def _without_unreadable(schema: JsonObject | bool) -> list[SchemaNote]:
    """Take out the patterns that cannot be read, which may well be right: values are not validated by them."""
    notes: list[SchemaNote] = []
    for inner in list(schema_places(schema)):
        pattern = inner.schema.get("pattern")
        if isinstance(pattern, str) and not is_readable(pattern):
            del inner.schema["pattern"]
            notes.append(_unreadable((*inner.steps, "pattern"), pattern))
        by_key = inner.schema.get("patternProperties")
        if not isinstance(by_key, dict):
            continue
        for key in [key for key in by_key if not is_readable(key)]:
            del by_key[key]
            # Or the keys that it selects would count as those that nothing allows.
            for keyword in ("additionalProperties", "unevaluatedProperties"):
                inner.schema.pop(keyword, None)
            notes.append(_unreadable((*inner.steps, "patternProperties", key), key))
    return notes


def _unreadable(steps: tuple[str | int, ...], pattern: str) -> SchemaNote:
    pointer = join("", *steps)
    text = f"Cannot read the pattern {one_line(pattern, 120)} at {pointer}: not validated."
    return SchemaNote(pointer, text, is_sentence=True, is_of_field=_is_named_at_field(steps))


_NAMED = frozenset({"properties", "$defs", "definitions"})
_LISTED = frozenset({"allOf", "anyOf", "oneOf", "prefixItems", "items"})
_SINGLE = frozenset({"items", "additionalItems", "additionalProperties", "unevaluatedProperties"})
_PATTERNS = frozenset({("pattern",), ("propertyNames", "pattern")})


def _is_named_at_field(steps: tuple[str | int, ...]) -> bool:
    """Whether the pattern at `steps` is one for a value or for keys, which the field for it names."""
    rest = steps
    while rest and rest not in _PATTERNS:
        step, follows = rest[0], rest[1] if len(rest) > 1 else None
        if step == "patternProperties" and len(rest) == 2:
            return True
        if step in _NAMED | {"patternProperties"} or (step in _LISTED and isinstance(follows, int)):
            rest = rest[2:]
        elif step in _SINGLE:
            rest = rest[1:]
        else:
            return False
    return bool(rest)


def _take_out(schema: JsonObject, path: list[str | int]) -> bool:
    pointer: Json = schema
    for step in path[:-1]:
        if isinstance(pointer, dict) and step in pointer:
            pointer = pointer[str(step)]
        elif isinstance(pointer, list) and isinstance(step, int) and step < len(pointer):
            pointer = pointer[step]
        else:
            return False
    last = path[-1]
    if isinstance(pointer, dict):
        return pointer.pop(str(last), None) is not None or last not in pointer
    if isinstance(pointer, list) and isinstance(last, int) and last < len(pointer):
        pointer[last] = True
        return True
    return False


def _lost_reference(schema: JsonObject, resolver: Resolver) -> str:
    """Return the first reference to the document itself that leads nowhere; empty for none."""
    references = (
        pointer.schema.get(keyword) for pointer in schema_places(schema) for keyword in _REFERENCES
    )
    inside = (each for each in references if isinstance(each, str) and each.startswith("#"))
    return next((each for each in inside if resolver.target(each) is MISSING), "")


def _without_references(schema: JsonObject, resolver: Resolver) -> bool:
    """Drop every reference out of the document, and those inside that lead nowhere."""
    found = False
    for item in objects_in(schema):
        for keyword in [name for name in _REFERENCES if _is_lost(item.get(name), resolver)]:
            del item[keyword]
            found = True
    return found


def _is_lost(reference: Json, resolver: Resolver) -> bool:
    if not isinstance(reference, str):
        return False
    return not reference.startswith("#") or resolver.target(reference) is MISSING


def _heading(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__
