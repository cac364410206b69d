"""Members that change with every send of the same request: times, ids and tokens. A comparison ignores them.

They are learned from two sends with the same arguments: what differs in their results, and looks like a time, a random id or a token, or is
called like one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.compare.exchange_parts import ExchangePart, part_of
from inspector.compare.json_difference import Change, ChangeKind, compare_json
from inspector.compare.json_text import readable
from inspector.compare.paths import PathPattern, pattern_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inspector.background_tasks import Steps
    from inspector.compare.compared_frame import ComparedFrame
    from inspector.compare.paths import Path

ENVELOPE = (
    PathPattern(("id",)),
    PathPattern(("params", "_meta", "progressToken")),
)
"""Of every message: the id of a request, and its progress token."""

MAX_LEARNED = 50
"""Patterns that are learned; a server that changes more is compared in full."""

MAX_SENDS = 3
"""Other sends that a result is compared with."""

MAX_BYTES = 1 << 18
"""Of a result that is compared for this only."""

_VALUES = re.compile(
    r"""
    "\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*"                    # a time of ISO 8601
    |"\w{3},\ \d\d\ \w{3}\ \d{4}\ [\d:]{8}\ .*"         # a time of HTTP
    |"?1[5-9]\d{8}(\d{3}){0,3}(\.\d+)?"?                 # seconds, or parts of them, since 1970
    |"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"  # a UUID
    |"[0-9a-fA-F]{16,128}"                              # a hash or a random number
    |"[0-9A-HJKMNP-TV-Z]{26}"                           # a ULID
    """,
    re.VERBOSE,
)

_NAMES = re.compile(
    r"(progress|next|session|state|csrf)?(token|cursor|nonce|etag)|(request|trace|span|correlation|session|invocation|execution)_?id"
    r"|.*(timestamp|uptime|elapsed|duration|latency)(_?m?s)?|(server|request|response|current)?_?(time|date|now)|.*_at|.*(ed|s)At",
    re.IGNORECASE,
)


def learn(
    before: ComparedFrame, after: ComparedFrame, others: Sequence[ComparedFrame]
) -> Steps[list[PathPattern]]:
    """Return what changes with every send: of these two, or of one of them and `others`, as far as their arguments are equal.

    Raises:
        StorageError: a frame cannot be read.
    """
    pairs = [
        (before, after),
        *((after, each) for each in others),
        *((before, each) for each in others),
    ]
    found: dict[PathPattern, None] = {}
    done: list[ComparedFrame] = []
    for one, other in pairs:
        if len(done) == MAX_SENDS:
            break
        is_same_send = (one.transcript, one.request) == (other.transcript, other.request)
        if is_same_send or not _has_equal_arguments(one, other):
            continue
        old, new = part_of(one, ExchangePart.RESULT), part_of(other, ExchangePart.RESULT)
        yield
        if old is None or new is None or max(len(old.raw), len(new.raw)) > MAX_BYTES:
            continue
        done.append(other)
        difference = yield from compare_json(old.raw, new.raw)
        found |= dict.fromkeys(learned(difference.changes(), new.path))
    return list(found)


def _has_equal_arguments(one: ComparedFrame, other: ComparedFrame) -> bool:
    old, new = part_of(one, ExchangePart.ARGUMENTS), part_of(other, ExchangePart.ARGUMENTS)
    return old is not None and new is not None and old.raw == new.raw


def learned(changes: Iterable[Change], base: Path = ()) -> list[PathPattern]:
    """Return the patterns of what changes between two sends of the same request; `base` is the path of the compared values."""
    found: dict[PathPattern, None] = {}
    for change in changes:
        if change.kind is ChangeKind.CHANGED and len(found) < MAX_LEARNED and is_volatile(change):
            found[pattern_of((*base, *change.path))] = None
    return list(found)


def is_volatile(change: Change) -> bool:
    """Return whether both values look like a time, a random id or a token, or are called like one."""
    if change.old is None or change.new is None or max(len(change.old), len(change.new)) > 300:
        return False
    old, new = readable(change.old), readable(change.new)
    if old[:1] in "{[" or new[:1] in "{[" or (old[:1] == '"') != (new[:1] == '"'):
        return False
    if _VALUES.fullmatch(old) and _VALUES.fullmatch(new):
        return True
    name = next((step for step in reversed(change.path) if isinstance(step, str)), "")
    return bool(_NAMES.fullmatch(name))
