"""What a message uses although its revision does not have it yet, or no longer.

The official models of the older revisions share one shape, so they let these pass; legal they are, since no object is closed, but
a client of that revision will not see them. One finding for each member, however many items have it.

Source: the schema of each revision, field by field.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from inspector.finding import Finding, Severity
from inspector.spec.keys import content_type
from inspector.spec.links import link
from inspector.spec.pointer import join
from inspector.spec.revision import FIFTH, FOURTH, NEWEST, SECOND, THIRD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.spec.revision import Revision
    from inspector.wire.jsontext import Json, JsonObject

EACH = "*"
"""In a path: every item of the list."""


class _Members(NamedTuple):
    """Members of an object and when they came."""

    path: tuple[str, ...]
    """Where the object is, from the message inward."""
    since: dict[str, Revision]
    """Member -> the first revision that has it."""
    last: dict[str, Revision]
    """Member -> the last one, where it is gone."""


_DEFINITION = {"title": THIRD, "_meta": THIRD, "icons": FOURTH}
_IMPLEMENTATION = {"title": THIRD, "description": FOURTH, "icons": FOURTH, "websiteUrl": FOURTH}
_RESULT = {"resultType": FIFTH}
_CACHED = {**_RESULT, "ttlMs": FIFTH, "cacheScope": FIFTH}
_TOOL = {**_DEFINITION, "annotations": SECOND, "outputSchema": THIRD, "execution": FOURTH}

_TABLE: dict[str, tuple[_Members, ...]] = {
    "initialize": (
        _Members(("result", "serverInfo"), _IMPLEMENTATION, {}),
        _Members(("params", "clientInfo"), _IMPLEMENTATION, {}),
    ),
    "tools/list": (
        _Members(("result",), _CACHED, {}),
        _Members(("result", "tools", EACH), _TOOL, {"execution": FOURTH}),
    ),
    "tools/call": (
        _Members(("result",), {**_RESULT, "structuredContent": THIRD}, {}),
        _Members(("params",), {"task": FOURTH}, {"task": FOURTH}),
    ),
    "resources/list": (
        _Members(("result",), _CACHED, {}),
        _Members(("result", "resources", EACH), _DEFINITION, {}),
    ),
    "resources/templates/list": (
        _Members(("result",), _CACHED, {}),
        _Members(("result", "resourceTemplates", EACH), _DEFINITION, {}),
    ),
    "resources/read": (_Members(("result",), _CACHED, {}),),
    "prompts/list": (
        _Members(("result",), _CACHED, {}),
        _Members(("result", "prompts", EACH), _DEFINITION, {}),
    ),
    "completion/complete": (_Members(("params",), {"context": THIRD}, {}),),
    "sampling/createMessage": (
        _Members(("params",), {"tools": FOURTH, "toolChoice": FOURTH, "task": FOURTH}, {}),
    ),
    "elicitation/create": (_Members(("params",), {"mode": FOURTH, "task": FOURTH}, {}),),
    "notifications/progress": (_Members(("params",), {"message": SECOND}, {}),),
}

_CONTENT: dict[str, tuple[str, ...]] = {
    "tools/call": ("result", "content", EACH),
    "prompts/get": ("result", "messages", EACH, "content"),
}
"""Where content blocks are."""

_RULES = {"execution": "L-TOOL-37", "message": "L-PRG-09"}


def later_members(message: JsonObject, method: str, revision: Revision) -> Iterator[Finding]:
    """Yield a finding for each member `revision` does not have; `method` is the one the message is about."""
    for path, wanted in _missing(method, revision) if method in _TABLE else ():
        yield from _used(message, path, wanted, revision)
    if method in _CONTENT:
        yield from _later_content(message, _CONTENT[method], revision)
    if method == "elicitation/create" and revision < FOURTH:
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
    return tuple((path, wanted) for path, wanted in found if wanted)


def _used(
    message: JsonObject, path: tuple[str, ...], wanted: dict[str, Revision], revision: Revision
) -> Iterator[Finding]:
    uses: dict[str, list[tuple[str | int, ...]]] = {}
    for steps, value in _walk(message, path):
        if isinstance(value, dict):
            for member in wanted.keys() & value.keys():
                uses.setdefault(member, []).append(steps)
    for member, since in wanted.items():
        if member in uses:
            place = join("", *uses[member][0], member)
            yield _later(member, since, revision, place, len(uses[member]))


def _later(member: str, since: Revision, revision: Revision, place: str, count: int) -> Finding:
    when = f"came with {since}" if revision < since else "is gone"
    many = f" ({count} items have it)" if count > 1 else ""
    words = f"`{member}` is not part of {revision}: it {when}{many}"
    page = link("changelog", max(since, revision))
    return Finding(_RULES.get(member, "L-JR-34"), Severity.INFO, words, place, page)


def _later_content(
    message: JsonObject, path: tuple[str, ...], revision: Revision
) -> Iterator[Finding]:
    seen: set[str] = set()
    for steps, block in _walk(message, path):
        name = block.get("type") if isinstance(block, dict) else None
        known = content_type(name) if isinstance(name, str) else None
        if known and not known.holds(revision) and known.name not in seen:
            seen.add(known.name)
            words = f"content of type {known.name!r} came with {known.since}"
            place = join("", *steps, "type")
            yield Finding("L-TOOL-44", Severity.ERROR, words, place, link("tools", revision))


def _lists_in_a_form(message: JsonObject, revision: Revision) -> Iterator[Finding]:
    """Fields of a form could not take several values at first."""
    for steps, content in _walk(message, ("result", "content")):
        for name, value in content.items() if isinstance(content, dict) else ():
            if isinstance(value, list):
                words = f"lists as values of a form came with {FOURTH}"
                page = link("elicitation", revision)
                yield Finding("L-JR-30", Severity.ERROR, words, join("", *steps, name), page)


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
