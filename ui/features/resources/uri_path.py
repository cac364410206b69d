"""Where an address stands in a tree. Pure; nothing is normalised, whatever is put in comes out again letter by letter."""

from __future__ import annotations

import re

DEEPEST = 24
"""Steps of a path; what is below stays in one piece."""

_HEAD = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*:)?(//)?")
_END = re.compile(r"[?#]")


def segments(uri: str) -> tuple[str, ...]:
    """The folders from the scheme down, and last the name of the leaf; joined, they are the address again.

    A query or fragment belongs to the last step.
    """
    head = _HEAD.match(uri)
    start = head.end() if head is not None else 0
    first, rest = uri[:start], uri[start:]
    cut = _END.search(rest)
    path, tail = (rest[: cut.start()], rest[cut.start() :]) if cut else (rest, "")
    parts = re.findall(r"[^/]*/|[^/]+", path) if first.endswith("//") or "/" in path else [path]
    found = [part for part in (first, *parts) if part]
    if len(found) > DEEPEST:
        found = [*found[: DEEPEST - 1], "".join(found[DEEPEST - 1 :])]
    if not found:
        return (tail,) if tail else ("",)
    return (*found[:-1], found[-1] + tail)
