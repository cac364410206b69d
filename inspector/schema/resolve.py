"""References and `allOf` resolved: from a schema as it stands to one flat set of keywords, its *shape*.

Never raises, never loads anything, always ends: references go only to places in the same document, each at most once on a
way down, and the number of parts is bounded. What cannot be resolved leaves a note and accepts anything.

Source: JSON Schema 2020-12 core, section 8.2 (references, also beside other keywords); `allOf` is merged so far as a form needs it, the
validator keeps validating against the schema as it stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from inspector.frozen import FrozenStruct
from inspector.schema.json_edit import MISSING
from inspector.schema.merge import merge
from inspector.spec.pointer import member
from inspector.spec.subschemas import objects_in
from inspector.visible_text import one_line
from inspector.wire.message import Absent

if TYPE_CHECKING:
    from inspector.schema.json_edit import JsonOrMissing
    from inspector.wire.json_codec import Json, JsonObject

MAX_PARTS = 200
"""Schemas merged into one; more are left to the validator."""

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_PARTS = frozenset({*_REFERENCES, "allOf"})


class Shape(FrozenStruct, frozen=True, eq=False):
    """A schema resolved."""

    keywords: JsonObject
    """One flat set of keywords."""
    never: bool = False
    """Whether nothing is allowed (`false`)."""
    notes: tuple[str, ...] = ()
    """What could not be resolved, as text."""


class Resolver:
    """Resolves the schemas of one document."""

    def __init__(self, document: Json) -> None:
        """Look references up in `document`."""
        self._document = document
        self._anchors: dict[str, Json] | None = None

    def shape(self, schema: Json) -> Shape:
        """The shape of a schema of the document, or of one put together from such."""
        gathering = _Gathering(self)
        keywords = gathering.gather(schema, ())
        notes = tuple(dict.fromkeys(gathering.notes))
        if isinstance(keywords, bool):
            return Shape({}, not keywords, notes)
        return Shape(keywords, notes=notes)

    def target(self, reference: str) -> JsonOrMissing:
        """What a local reference points at, or `MISSING`."""
        fragment = unquote(reference[1:])
        if fragment and not fragment.startswith("/"):
            return self._anchored(fragment)
        found = member(self._document, fragment)
        return MISSING if isinstance(found, Absent) else found

    def _anchored(self, name: str) -> JsonOrMissing:
        if self._anchors is None:
            self._anchors = _anchors(self._document)
        return self._anchors.get(name, MISSING)


def _anchors(document: Json) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for item in objects_in(document):
        for keyword in ("$anchor", "$dynamicAnchor"):
            name = item.get(keyword)
            if isinstance(name, str):
                found.setdefault(name, item)
    return found


class _Gathering:
    """One schema being resolved; counts its parts and keeps its notes."""

    def __init__(self, resolver: Resolver) -> None:
        self.notes: list[str] = []
        self._resolver = resolver
        self._parts = 0

    def gather(self, schema: Json, trail: tuple[str, ...]) -> JsonObject | bool:
        """Everything `schema` says; `trail` are the references on the way to it."""
        self._parts += 1
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, dict):
            self.notes.append("subschema is neither an object nor a boolean")
            return True
        made: JsonObject | bool = True
        for part, passed in self._parts_of(schema, trail):
            if self._parts < MAX_PARTS:
                made = merge(made, self.gather(part, passed))
        own: JsonObject = {key: value for key, value in schema.items() if key not in _PARTS}
        return merge(made, own)

    def _parts_of(
        self, schema: JsonObject, trail: tuple[str, ...]
    ) -> list[tuple[Json, tuple[str, ...]]]:
        found: list[tuple[Json, tuple[str, ...]]] = []
        for keyword in _REFERENCES:
            reference = schema.get(keyword)
            if isinstance(reference, str):
                target = self._followed(reference, trail)
                if target is not MISSING:
                    found.append((target, (*trail, reference)))
        listed = schema.get("allOf")
        if isinstance(listed, list):
            found.extend((part, trail) for part in listed)
        return found

    def _followed(self, reference: str, trail: tuple[str, ...]) -> JsonOrMissing:
        short = one_line(reference, 120)
        if not reference.startswith("#"):
            self.notes.append(f"external $ref not loaded: {short}")
            return MISSING
        if reference in trail:
            self.notes.append(f"$ref {short} is circular")
            return MISSING
        target = self._resolver.target(reference)
        if target is MISSING:
            self.notes.append(f"$ref {short} cannot be resolved")
        return target
