"""The values in the traffic that a filter can name, counted. Counting goes on in short slices, from where it was."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

from inspector.transcript.exchange import STATUS_NUMBER
from inspector.transcript.filter.json_paths import join_path
from inspector.transcript.filter.predicates import DIRECTIONS, KINDS, STATUSES
from inspector.transcript.filter.suggestions import PATHS
from inspector.wire import json_codec, lazy_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json

Seen: TypeAlias = "Mapping[str, int | None]"
"""Values → the number of their frames; None if they are not counted."""

STEP = 20_000
"""Frames counted between two looks at the clock: about a millisecond."""

MAX_VALUES = 2000
"""Distinct values of a field that are offered."""

LATEST = 100
"""Messages whose paths are offered."""

MAX_PATHS = 500
"""Paths that are offered."""

MAX_DEPTH = 4
"""Steps of a path that is offered."""

MAX_READ_BYTES = 64 << 10
"""Size of a message above which its paths are not offered: reading it would take too long."""


class _Counted:
    """The counts of one transcript, up to a frame."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.next = 0
        self.methods = Counter[int]()
        self.labels = Counter[int]()

    def advance(self) -> bool:
        """Count some more frames; False when all are counted."""
        columns, start = self.transcript.columns, self.next
        stop = min(start + STEP, self.transcript.count)
        self.methods.update(columns.method[start:stop])
        self.labels.update(columns.label[start:stop])
        self.next = stop
        return stop < self.transcript.count


class SeenValues:
    """The values in transcripts, by field of the language."""

    def __init__(self) -> None:
        """Start without transcripts."""
        self._counted: list[_Counted] = []

    def set_transcripts(self, transcripts: Sequence[Transcript]) -> None:
        """Count these; what is known of them stays."""
        known = {id(each.transcript): each for each in self._counted}
        self._counted = [known.get(id(each)) or _Counted(each) for each in transcripts]

    def advance(self, seconds: float) -> bool:
        """Count for so long; False when all frames are counted."""
        deadline = perf_counter() + seconds
        for each in self._counted:
            while each.advance():
                if perf_counter() > deadline:
                    return True
        return False

    def values(self, field: str) -> Seen:
        """Return the values of a field and the number of their frames, as far as they are counted; empty for a field without any."""
        find = _FIELDS.get(field)
        return find(self._counted) if find is not None else {}


def _methods(counted: Sequence[_Counted]) -> Seen:
    parts = ((each.methods, each.transcript.columns.methods.texts) for each in counted)
    return _by_count(parts)


def _names(counted: Sequence[_Counted]) -> Seen:
    parts = ((each.labels, each.transcript.columns.labels.texts) for each in counted)
    return _by_count(parts)


def _by_count(parts: Iterable[tuple[Counter[int], Sequence[str]]]) -> Seen:
    found = Counter[str]()
    for counts, texts in parts:
        for number, count in counts.items():
            found[texts[number]] += count
    found.pop("", None)
    return dict(found.most_common(MAX_VALUES))


def _kinds(counted: Sequence[_Counted]) -> Seen:
    columns = [each.transcript.columns.kind.tobytes() for each in counted]
    return {
        name: sum(column.count(kind) for column in columns for kind in kinds)
        for name, (_, kinds) in KINDS.items()
    }


def _directions(counted: Sequence[_Counted]) -> Seen:
    columns = [each.transcript.columns.direction.tobytes() for each in counted]
    return {
        name: sum(column.count(direction) for column in columns)
        for name, (_, direction) in DIRECTIONS.items()
    }


def _statuses(counted: Sequence[_Counted]) -> Seen:
    """Requests in each state."""
    columns = [each.transcript.columns.status.tobytes() for each in counted]
    return {
        name: sum(column.count(STATUS_NUMBER[each]) for column in columns for each in statuses)
        for name, (_, statuses) in STATUSES.items()
        if statuses
    }


def _tokens(counted: Sequence[_Counted]) -> Seen:
    names = (name for each in reversed(counted) for name in each.transcript.tokens.names)
    return dict.fromkeys(islice(names, MAX_VALUES))


def _paths(counted: Sequence[_Counted]) -> Seen:
    """The paths in the latest messages."""
    found: dict[str, None] = {}
    for each in reversed(counted):
        transcript = each.transcript
        for number in range(transcript.count, max(transcript.count - LATEST, 0), -1):
            if transcript.columns.size[number - 1] <= MAX_READ_BYTES:
                found |= dict.fromkeys(islice(_paths_in(transcript.message(number).raw), MAX_PATHS))
            if len(found) > MAX_PATHS:
                break
    return found


def _paths_in(raw: bytes) -> Iterator[str]:
    try:
        message = lazy_json.read(raw)
    except json_codec.JsonSyntaxError:
        return
    if isinstance(message, dict):
        for root in ("params", "result", "error"):
            if root in message:
                yield from _paths_below(root, message[root], MAX_DEPTH)


def _paths_below(path: str, value: Json, depth: int) -> Iterator[str]:
    yield path
    if depth and isinstance(value, dict):
        for name, member in value.items():
            yield from _paths_below(join_path(path, name), member, depth - 1)
    elif depth and isinstance(value, list) and value:
        yield from _paths_below(f"{path}[*]", value[0], depth - 1)


_FIELDS: dict[str, Callable[[Sequence[_Counted]], Seen]] = {
    "method": _methods,
    "tool": _names,
    "name": _names,
    "kind": _kinds,
    "dir": _directions,
    "status": _statuses,
    "auth": _tokens,
    PATHS: _paths,
}
"""Fields whose values in the traffic are known → how they are found."""
