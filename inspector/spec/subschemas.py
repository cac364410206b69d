"""The schemas inside a schema, never its examples, defaults or other data, and its references to other documents.

References are never loaded, so what they describe is not validated. A reference is local if it is a fragment, or names an `$id` of
a schema inside; the schemas of the dialects are known to every validator. Pure; nothing raises, and everything terminates.

Source: JSON Schema 2020-12 core, sections 8.2 and 9.1, and the keywords of earlier drafts that have schemas; basic, "$ref Resolution".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urldefrag, urljoin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.wire.json_codec import Json, JsonObject

MAX_PLACES = 50_000
"""Schemas inside one schema that are looked at."""

_ONE = frozenset(
    [
        "items",
        "contains",
        "not",
        "if",
        "then",
        "else",
        "additionalProperties",
        "unevaluatedItems",
        "unevaluatedProperties",
        "propertyNames",
        "additionalItems",
        "contentSchema",
    ]
)
_MANY = frozenset(["items", "prefixItems", "allOf", "anyOf", "oneOf"])
_NAMED = frozenset(
    ["properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"]
)
"""Keywords whose value is a schema, a list of schemas, schemas by name."""

_INNER = _ONE | _MANY | _NAMED
"""Keywords without which there is no schema inside: most schemas are those of a text or a number."""


class Subschema(NamedTuple):
    """A schema inside the schema."""

    schema: JsonObject
    steps: tuple[str | int, ...]
    path: tuple[str, ...] | None
    """Its property, where it is reached by `properties` alone."""


def subschemas(schema: Json) -> Iterator[Subschema]:
    """The schema and those inside it, outer ones first, in order."""
    stack = [Subschema(schema, (), ())] if isinstance(schema, dict) else []
    looked = 0
    while stack and looked < MAX_PLACES:
        pointer = stack.pop()
        looked += 1
        yield pointer
        if not _INNER.isdisjoint(pointer.schema):
            stack += reversed(_inside(pointer))


def _inside(pointer: Subschema) -> list[Subschema]:
    found: list[Subschema] = []
    for keyword, value in pointer.schema.items():
        if isinstance(value, dict) and keyword in _NAMED:
            steps, above = pointer.steps, pointer.path if keyword == "properties" else None
            found += [
                Subschema(inner, (*steps, keyword, name), None if above is None else (*above, name))
                for name, inner in value.items()
                if isinstance(inner, dict)
            ]
        elif isinstance(value, dict) and keyword in _ONE:
            found.append(Subschema(value, (*pointer.steps, keyword), None))
        elif isinstance(value, list) and keyword in _MANY:
            found += [
                Subschema(inner, (*pointer.steps, keyword, number), None)
                for number, inner in enumerate(value)
                if isinstance(inner, dict)
            ]
    return found


def keyword_at(pointer: str) -> str:
    """Return the keyword, of the schema or one inside, whose value `pointer` leads to; empty for other places, such as a property named `type`."""
    steps = pointer.split("/")[1:]
    while len(steps) > 1:
        if steps[0] in _NAMED or (steps[0] in _MANY and steps[1].isdecimal()):
            steps = steps[2:]
        elif steps[0] in _ONE:
            steps = steps[1:]
        else:
            return ""
    return steps[0] if steps else ""


KEYWORDS = ("$ref", "$dynamicRef")

MAX_TEXT = 120
"""Characters of an address that are shown."""

_DIALECTS = ("http://json-schema.org/", "https://json-schema.org/")
_IDS = ("$id", "id")


class Reference(NamedTuple):
    """A reference to another document."""

    steps: tuple[str | int, ...]
    """Where it stands in the schema, its keyword included."""
    address: str
    """What it says."""

    @property
    def text(self) -> str:
        """What there is to say about it."""
        reference = self.address
        short = reference if len(reference) <= MAX_TEXT else f"{reference[:MAX_TEXT]}…"
        return f"external $ref not loaded, not validated: {short!r}"


def external_refs(schema: Json) -> tuple[Reference, ...]:
    """Return every reference of `schema` to another document, in order."""
    for item in objects_in(schema):
        if ("$ref" in item or "$dynamicRef" in item) and _leads_out(item):
            break
    else:
        return ()  # as most schemas
    found: list[tuple[Reference, str]] = []
    bases: dict[tuple[str | int, ...], str] = {}
    for pointer in subschemas(schema):
        own = next((name for key in _IDS if isinstance(name := pointer.schema.get(key), str)), "")
        if own:
            bases[pointer.steps] = _joined(_base(bases, pointer.steps), own)
        for keyword in KEYWORDS:
            reference = pointer.schema.get(keyword)
            if isinstance(reference, str) and not reference.startswith("#"):
                target = _joined(_base(bases, pointer.steps), reference)
                found.append((Reference((*pointer.steps, keyword), reference), target))
    known = {"", *bases.values()}
    return tuple(
        each for each, to in found if to not in known and not each.address.startswith(_DIALECTS)
    )


def _leads_out(item: JsonObject) -> bool:
    return any(not str(item.get(keyword, "#")).startswith("#") for keyword in KEYWORDS)


def objects_in(value: Json) -> Iterator[JsonObject]:
    """Yield every object in a value, data included. The members of an object are read after it was yielded, so it may be changed."""
    stack: list[Json] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            yield item
            stack += [each for each in item.values() if isinstance(each, dict | list)]
        elif isinstance(item, list):
            stack += [each for each in item if isinstance(each, dict | list)]


def _base(bases: dict[tuple[str | int, ...], str], steps: tuple[str | int, ...]) -> str:
    """Return the URI that a reference at `steps` is relative to: the `$id` of the schema around it."""
    if not bases:
        return ""
    return next(
        (bases[steps[:end]] for end in range(len(steps), -1, -1) if steps[:end] in bases), ""
    )


def _joined(base: str, reference: str) -> str:
    """Return the absolute URI without its fragment; an invalid reference stays unchanged."""
    try:
        return urldefrag(urljoin(base, reference))[0]
    except ValueError:
        return reference
