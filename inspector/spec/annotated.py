"""The annotations `x-mcp-header` of a tool's input schema: which are valid, and what is wrong with the others.

A tool with an invalid one is excluded over HTTP, and shown with the reason (C-HTTP-26). Only places of schemas are looked at, never
examples or defaults. Nothing raises, whatever the schema.

Source: server/tools, "x-mcp-header"; basic/transports/streamable-http, "Schema Extension".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from inspector.finding import Finding, Severity
from inspector.spec.kinds import kind_words, shown
from inspector.spec.pointer import join
from inspector.spec.schema_places import places

if TYPE_CHECKING:
    from inspector.spec.schema_places import Place
    from inspector.wire.jsontext import Json

KEYWORD = "x-mcp-header"

RULE = "L-TOOL-38"

PRIMITIVES = ("string", "integer", "boolean")
"""What the `type` of an annotated property may be."""

_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
"""RFC 9110, section 5.6.2."""


class Annotated(NamedTuple):
    """A property that is repeated in a header."""

    header: str
    """What follows `Mcp-Param-`."""
    path: tuple[str, ...]
    """Keys from the arguments inward."""


class Annotations(NamedTuple):
    """What a schema annotates."""

    valid: tuple[Annotated, ...]
    """In the order of the schema."""
    problems: tuple[Finding, ...]
    """What is wrong with the others; places begin at the schema."""


def annotated(schema: Json) -> Annotations:
    """Look through an input schema."""
    valid: list[Annotated] = []
    problems: list[Finding] = []
    taken: set[str] = set()
    for place in places(schema):
        if KEYWORD not in place.schema:
            continue
        name = place.schema[KEYWORD]
        wrong = _wrong(name, place)
        if not wrong and isinstance(name, str) and name.lower() in taken:  # C-HTTP-36
            wrong = f"is {shown(name)} a second time; names of headers have no case"
        if wrong:
            where = join("", *place.steps, KEYWORD)
            problems.append(Finding(RULE, Severity.ERROR, f"`{KEYWORD}` {wrong}", where))
        elif isinstance(name, str) and place.path:
            taken.add(name.lower())
            valid.append(Annotated(name, place.path))
    return Annotations(tuple(valid), tuple(problems))


def _wrong(name: Json, place: Place) -> str:
    if not isinstance(name, str):
        return f"must be text, not {kind_words(name)}"
    if not name:
        return "is empty"
    if not _TOKEN.fullmatch(name):
        return f"is {shown(name)}, which is no name of a header"
    if not place.path:
        return "stands where no single property is meant: it must be reached by `properties` alone"
    kind = place.schema.get("type")
    if not isinstance(kind, str) or kind not in PRIMITIVES:
        said = shown(kind) if "type" in place.schema else "nothing"
        return f"stands on a property whose `type` is {said}, not one of {', '.join(PRIMITIVES)}"
    return ""
