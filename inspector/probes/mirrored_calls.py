"""Calls of tools whose arguments are repeated in headers, for the probes that edit such headers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.probes.http import ask_http, needs_standard_headers
from inspector.spec.mirrored_headers import annotated, mirrored_arguments

if TYPE_CHECKING:
    from inspector.probes.http import HttpAnswer
    from inspector.probes.probe import ProbeContext
    from inspector.spec.mirrored_headers import MirroredHeader
    from inspector.wire.json_codec import Json, JsonObject

METHOD = "tools/call"

SAMPLES: dict[str, Json] = {"string": "a", "integer": 1, "number": 1, "boolean": False}
"""Arguments for read-only tools that the user has not called."""


class MirroredCall(NamedTuple):
    """A call with such headers."""

    params: JsonObject
    schema: Json
    """Of the arguments."""
    headers: tuple[MirroredHeader, ...]
    """Those of the arguments."""


def mirrored_call(context: ProbeContext, kind: str = "") -> MirroredCall | None:
    """Return a call that is allowed and has an argument in a header, of the JSON type `kind` if one is given; None without one."""
    tools = {str(tool.get("name")): tool for tool in context.listed("tools")}
    for use in context.uses:
        schema = tools.get(use.name, {}).get("inputSchema")
        if not annotated(schema).valid:
            continue
        arguments = use.arguments or (_sample(schema) if use.is_read_only else None)
        headers = tuple(
            each
            for each in mirrored_arguments(schema, arguments).headers
            if each.is_exact and (not kind or _type_of(schema, each) == kind)
        )
        if headers:
            return MirroredCall({"name": use.name, "arguments": arguments}, schema, headers)
    return None


async def ask_call(
    context: ProbeContext, call: MirroredCall, *edits: tuple[str, str | None]
) -> HttpAnswer:
    """Send the call with edited headers."""
    return await ask_http(
        context, *edits, method=METHOD, params=call.params, input_schema=call.schema
    )


def needs_mirrored_call(context: ProbeContext) -> str:
    """Apply where a tool that may be called has an argument in a header."""
    has_call = mirrored_call(context) is not None
    reason = "" if has_call else "no tool that may be called has an argument in a header"
    return needs_standard_headers(context) or reason


def _type_of(schema: Json, header: MirroredHeader) -> Json:
    """Return the type of the property that a header repeats."""
    steps = header.source.removeprefix("/params/arguments/").split("/")
    for step in steps:
        properties = schema.get("properties") if isinstance(schema, dict) else None
        schema = properties.get(step) if isinstance(properties, dict) else None
    return schema.get("type") if isinstance(schema, dict) else None


def _sample(schema: Json) -> JsonObject | None:
    """Return arguments of plain types for what is required or annotated at the top; None if that is not possible."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    required = schema.get("required") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return None
    names = {path[0] for _, path in annotated(schema).valid if len(path) == 1}
    names |= (
        {name for name in required if isinstance(name, str)}
        if isinstance(required, list)
        else set()
    )
    arguments: JsonObject = {}
    for name in sorted(names):
        inner = properties.get(name)
        kind = inner.get("type") if isinstance(inner, dict) else None
        choices = inner.get("enum") if isinstance(inner, dict) else None
        if isinstance(choices, list) and choices:
            arguments[name] = choices[0]
        elif isinstance(kind, str) and kind in SAMPLES:
            arguments[name] = SAMPLES[kind]
        else:
            return None
    return arguments
