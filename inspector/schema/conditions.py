"""What a schema says only of some values: `if`, `then` and `else`, and what depends on a key.

Answers which parts of a schema hold for a value now. Never raises, never takes long: a condition that cannot be checked, or is too
heavy, holds for nothing, as does any in a dialect that does not know its keyword.

Source: JSON Schema 2020-12 core, section 10.2.2; validation, section 6.5.4; draft 7 validation, section 6.5.7.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import jsonschema_rs

from inspector.frozen import FrozenStruct
from inspector.schema.compile_schema import compile_schema, make_validator, unknown_dialect
from inspector.schema.complexity import Weigher, size_of
from inspector.schema.json_input import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.schema.resolve import Resolver
    from inspector.wire.json_codec import Json, JsonObject

MAX_BRANCHES = 100
"""Conditions of one object; more are left to the validator."""

KEYWORDS = ("if", "then", "else", "dependentRequired", "dependentSchemas", "dependencies")
"""Keywords that say something of some values only."""

_DOCUMENT = "urn:document"

_OLD = re.compile("draft-0([467])")

_VALUES = frozenset({"const", "enum", "default", "examples"})
"""Keywords that hold values, not schemas."""


class Branch(FrozenStruct, frozen=True, eq=False):
    """A condition and what it brings."""

    test: Json
    """The schema that an object has to fit; a text is a key that it has to have."""
    then: Json = True
    """What holds if it does."""
    otherwise: Json = True
    """What holds if it does not."""


class Conditions:
    """The conditions of one schema document."""

    def __init__(self, document: Json, resolver: Resolver) -> None:
        """Read `document`, whose references `resolver` knows."""
        self._document = document
        self._resolver = resolver
        self._validators: dict[int, tuple[Json, jsonschema_rs.Validator | None]] = {}
        self._last: tuple[Json, Json] = (None, None)
        """The value that was looked at last, and the same as the validator wants it."""
        self._is_known = not unknown_dialect(document)
        self._draft = _draft(document)

    def branches(self, keywords: JsonObject) -> tuple[Branch, ...]:
        """The conditions of a shape."""
        if not self._is_known:
            return ()
        parts = keywords.get("allOf")
        listed = [keywords, *(parts if isinstance(parts, list) else [])]
        found = [branch for part in listed if isinstance(part, dict) for branch in self._of(part)]
        return tuple(found[:MAX_BRANCHES])

    def applied(self, branch: Branch, value: Json) -> Json:
        """What a condition brings for an object: a schema, `true` if nothing."""
        if isinstance(branch.test, str):
            met = isinstance(value, dict) and branch.test in value
        else:
            holds = self._holds(branch.test, value)
            if holds is None:
                return True
            met = holds
        return branch.then if met else branch.otherwise

    def _of(self, part: JsonObject) -> Iterator[Branch]:
        if "if" in part and self._draft >= 7:
            yield Branch(part["if"], part.get("then", True), part.get("else", True))
        keywords = ("dependencies",)
        if self._draft > 7:
            keywords = ("dependentRequired", "dependentSchemas", "dependencies")
        for keyword in keywords:
            needs = part.get(keyword)
            for key, need in needs.items() if isinstance(needs, dict) else ():
                yield Branch(key, {"required": need} if isinstance(need, list) else need)

    def _holds(self, test: Json, value: Json) -> bool | None:
        """Whether a value fits; None if that cannot be told."""
        if isinstance(test, bool):
            return test
        known = self._validators.get(id(test))
        if known is None:
            # The schema is kept too, or its id could come again.
            known = self._validators[id(test)] = (test, self._compiled(test, size_of(value).depth))
        validator = known[1]
        if validator is None:
            return None
        try:
            if value is not self._last[0]:
                self._last = (value, plain(value))
            return validator.is_valid(self._last[1])
        except (ValueError, TypeError, OverflowError, RecursionError):
            return None

    def _compiled(self, test: Json, depth: int) -> jsonschema_rs.Validator | None:
        if not isinstance(test, dict) or Weigher(test, self._resolver).is_too_heavy(depth + 4):
            return None
        try:
            references, schema = _absolute(test)
            working = plain(schema)
            if not isinstance(working, dict) or "" in references:
                return None
            if isinstance(self._document, dict) and "$schema" in self._document:
                working = {"$schema": self._document["$schema"], **working}
            return make_validator(working, self._registry() if references else None)
        except (ValueError, TypeError, OverflowError, RecursionError):
            return None

    def _registry(self) -> jsonschema_rs.Registry:
        document = self._document if isinstance(self._document, dict | bool) else True
        return jsonschema_rs.Registry([(_DOCUMENT, compile_schema(document).schema)])


def _draft(document: Json) -> int:
    """The number of an old dialect; 8 for those that have a year."""
    dialect = document.get("$schema") if isinstance(document, dict) else None
    old = _OLD.search(dialect) if isinstance(dialect, str) else None
    return int(old[1]) if old else 8


def _absolute(schema: Json) -> tuple[set[str], Json]:
    """A schema whose references lead into the document wherever it stands, and those; "" among them for one that cannot."""
    found: set[str] = set()

    def rewritten(item: Json) -> Json:
        if isinstance(item, list):
            return [rewritten(each) for each in item]
        if not isinstance(item, dict):
            return item
        made: JsonObject = {}
        for keyword, value in item.items():
            if keyword == "$ref" and isinstance(value, str):
                found.add(value if value.startswith("#") else "")
                made[keyword] = f"{_DOCUMENT}{value}"
            elif keyword in {"$dynamicRef", "$recursiveRef", "$id"}:
                found.add("")
            else:
                made[keyword] = value if keyword in _VALUES else rewritten(value)
        return made

    return found, rewritten(schema)
