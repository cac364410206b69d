"""What a message uses although its revision does not have it yet, or no longer.

The official models of the older revisions share one shape, so they let these pass; legal they are, since no object is closed, but
a client of that revision will not see them. One finding for each member, however many items have it.

Source: the schema of each revision, field by field.
"""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from inspector.spec.findings import make_finding
from inspector.spec.keys import content_type
from inspector.spec.pointer import join
from inspector.spec.revision import NEWEST, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inspector.finding import Finding
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

EACH = "*"
"""In a path: every item of the list."""


class _Members(NamedTuple):
    """Members of an object and when they came."""

    path: tuple[str, ...]
    """Where the object is, from the message inward."""
    since: Mapping[str, Revision]
    """Member -> the first revision that has it."""
    last: Mapping[str, Revision] = MappingProxyType({})
    """Member -> the last one, where it is gone."""


_DEFINITION = {"title": V2025_06_18, "_meta": V2025_06_18, "icons": V2025_11_25}
_IMPLEMENTATION = {
    "title": V2025_06_18,
    "description": V2025_11_25,
    "icons": V2025_11_25,
    "websiteUrl": V2025_11_25,
}
_TASK = {"task": V2025_11_25}
_RESULT = {"resultType": V2026_07_28}
_CACHED = {**_RESULT, "ttlMs": V2026_07_28, "cacheScope": V2026_07_28}
_TOOL = {
    **_DEFINITION,
    "annotations": V2025_03_26,
    "outputSchema": V2025_06_18,
    "execution": V2025_11_25,
}

_TABLE: dict[str, tuple[_Members, ...]] = {
    "initialize": (
        _Members(("result", "serverInfo"), _IMPLEMENTATION),
        _Members(("params", "clientInfo"), _IMPLEMENTATION),
    ),
    "tools/list": (
        _Members(("result",), _CACHED),
        _Members(("result", "tools", EACH), _TOOL, {"execution": V2025_11_25}),
    ),
    "tools/call": (
        _Members(("result",), {**_RESULT, "structuredContent": V2025_06_18}),
        _Members(("params",), _TASK, _TASK),
    ),
    **{
        method: (_Members(("result",), _CACHED), _Members(("result", key, EACH), _DEFINITION))
        for method, key in (
            ("resources/list", "resources"),
            ("resources/templates/list", "resourceTemplates"),
            ("prompts/list", "prompts"),
        )
    },
    "resources/read": (_Members(("result",), _CACHED),),
    "completion/complete": (_Members(("params",), {"context": V2025_06_18}),),
    "sampling/createMessage": (
        _Members(("params",), {"tools": V2025_11_25, "toolChoice": V2025_11_25, **_TASK}),
    ),
    "elicitation/create": (_Members(("params",), {"mode": V2025_11_25, **_TASK}),),
    "notifications/progress": (_Members(("params",), {"message": V2025_03_26}),),
}

_CONTENT: dict[str, tuple[str, ...]] = {
    "tools/call": ("result", "content", EACH),
    "prompts/get": ("result", "messages", EACH, "content"),
}
"""Where content blocks are."""

_RULES = {"execution": "L-TOOL-37", "message": "L-PRG-09"}


def unavailable_members(message: JsonObject, method: str, revision: Revision) -> Iterator[Finding]:
    """Yield a finding for each member `revision` does not have; `method` is the one the message is about."""
    for path, unavailable in _missing(method, revision) if method in _TABLE else ():
        yield from _used(message, path, unavailable, revision)
    if method in _CONTENT:
        yield from _later_content(message, _CONTENT[method], revision)
    if method == "elicitation/create" and revision < V2025_11_25:
        yield from _lists_in_a_form(message, revision)


@cache
def _missing(
    method: str, revision: Revision
) -> tuple[tuple[tuple[str, ...], dict[str, Revision]], ...]:
    """Return where to look, and the members there that `revision` does not have."""
    found = [
        (
            row.path,
            {
                member: since
                for member, since in row.since.items()
                if not since <= revision <= row.last.get(member, NEWEST)
            },
        )
        for row in _TABLE.get(method, ())
    ]
    return tuple((path, unavailable) for path, unavailable in found if unavailable)


def _used(
    message: JsonObject, path: tuple[str, ...], unavailable: dict[str, Revision], revision: Revision
) -> Iterator[Finding]:
    uses: dict[str, list[tuple[str | int, ...]]] = {}
    for steps, value in _walk(message, path):
        if isinstance(value, dict):
            for member in unavailable.keys() & value.keys():
                uses.setdefault(member, []).append(steps)
    for member, since in unavailable.items():
        if member in uses:
            pointer = join("", *uses[member][0], member)
            yield _later(member, since, revision, pointer, len(uses[member]))


def _later(member: str, since: Revision, revision: Revision, pointer: str, count: int) -> Finding:
    when = f"was added in {since}" if revision < since else "was removed"
    many = f" ({count} items have it)" if count > 1 else ""
    text = f"`{member}` is not part of {revision}: it {when}{many}"
    rule = _RULES.get(member, "L-JR-34")
    return make_finding(rule, text, pointer, max(since, revision), subject="changelog")


def _later_content(
    message: JsonObject, path: tuple[str, ...], revision: Revision
) -> Iterator[Finding]:
    seen: set[str] = set()
    for steps, block in _walk(message, path):
        name = block.get("type") if isinstance(block, dict) else None
        known = content_type(name) if isinstance(name, str) else None
        if known and not known.applies_to(revision) and known.name not in seen:
            seen.add(known.name)
            text = f"content type {known.name!r} was added in {known.since}"
            pointer = join("", *steps, "type")
            yield make_finding("L-TOOL-44", text, pointer, revision)


def _lists_in_a_form(message: JsonObject, revision: Revision) -> Iterator[Finding]:
    """Fields of a form could not take several values at first."""
    for steps, content in _walk(message, ("result", "content")):
        for name, value in content.items() if isinstance(content, dict) else ():
            if isinstance(value, list):
                text = f"array values in form responses were added in {V2025_11_25}"
                pointer = join("", *steps, name)
                yield make_finding("L-JR-30", text, pointer, revision, subject="elicitation")


def _walk(
    value: Json, path: tuple[str, ...], steps: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], Json]]:
    """Yield (steps, value) of everything at `path`."""
    if not path:
        yield steps, value
    elif path[0] == EACH:
        for number, item in enumerate(value if isinstance(value, list) else ()):
            yield from _walk(item, path[1:], (*steps, number))
    elif isinstance(value, dict) and path[0] in value:
        yield from _walk(value[path[0]], path[1:], (*steps, path[0]))
