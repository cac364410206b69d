"""The annotations `x-mcp-header` of a tool's input schema: which are valid, and what is wrong with the others.

A tool with an invalid one is excluded over HTTP, and shown with the reason (C-HTTP-26). Only places of schemas are looked at, never
examples or defaults. Nothing raises, whatever the schema.

Source: server/tools, "x-mcp-header"; basic/transports/streamable-http, "Schema Extension".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from inspector.finding import Finding, Severity
from inspector.spec.json_types import format_value, type_text
from inspector.spec.pointer import join
from inspector.spec.subschemas import subschemas

if TYPE_CHECKING:
    from inspector.spec.subschemas import Subschema
    from inspector.wire.json_codec import Json

KEYWORD = "x-mcp-header"

RULE = "L-TOOL-38"

PRIMITIVES = ("string", "integer", "boolean")
"""What the `type` of an annotated property may be."""

_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
"""RFC 9110, section 5.6.2."""


class HeaderAnnotation(NamedTuple):
    """A property that is repeated in a header."""

    header: str
    """What follows `Mcp-Param-`."""
    path: tuple[str, ...]
    """Keys from the arguments inward."""


class HeaderAnnotations(NamedTuple):
    """What a schema annotates."""

    valid: tuple[HeaderAnnotation, ...]
    """In the order of the schema."""
    problems: tuple[Finding, ...]
    """What is wrong with the others; places begin at the schema."""


def annotated(schema: Json) -> HeaderAnnotations:
    """Look through an input schema."""
    valid: list[HeaderAnnotation] = []
    problems: list[Finding] = []
    taken: set[str] = set()
    for pointer in subschemas(schema):
        if KEYWORD not in pointer.schema:
            continue
        name = pointer.schema[KEYWORD]
        wrong = _wrong(name, pointer)
        if not wrong and isinstance(name, str) and name.lower() in taken:  # C-HTTP-36
            wrong = f"repeats {format_value(name)}; header names are case-insensitive"
        if wrong:
            where = join("", *pointer.steps, KEYWORD)
            problems.append(Finding(RULE, Severity.ERROR, f"`{KEYWORD}` {wrong}", where))
        elif isinstance(name, str) and pointer.path:
            taken.add(name.lower())
            valid.append(HeaderAnnotation(name, pointer.path))
    return HeaderAnnotations(tuple(valid), tuple(problems))


def _wrong(name: Json, pointer: Subschema) -> str:
    if not isinstance(name, str):
        return f"must be a string, not {type_text(name)}"
    if not name:
        return "is empty"
    if not _TOKEN.fullmatch(name):
        return f"is {format_value(name)}, not a valid header name"
    if not pointer.path:
        return "must be on a property reached through `properties` only"
    kind = pointer.schema.get("type")
    if not isinstance(kind, str) or kind not in PRIMITIVES:
        said = format_value(kind) if "type" in pointer.schema else "nothing"
        return f"is on a property of type {said}; allowed: {', '.join(PRIMITIVES)}"
    return ""
