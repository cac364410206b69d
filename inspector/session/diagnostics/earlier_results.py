"""What the server returned before in a session: whether it handled a method, listed a name, or returned a cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec import methods
from inspector.transcript.index import newest_with
from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json

MAX_FRAMES = 5000
"""Latest frames that are searched."""

MAX_RESULTS = 50
"""Latest results of one method that are read."""

MAX_BYTES = 1 << 20
"""Bytes of them that are read: more would keep the loop."""

NOT_OF_SESSION = frozenset({"ping"})
"""Methods that servers handle before a session is open."""


def has_served(transcript: Transcript, since: int, method: str = "") -> bool:
    """Whether a request after frame `since` had a result: one of `method`, or any that takes an open session."""
    names = transcript.columns.methods.texts
    for number in _results(transcript, since):
        name = names[transcript.columns.method[number - 1]]
        if name == method if method else _takes_session(name):
            return True
    return False


def lists_name(transcript: Transcript, since: int, method: str, name: str) -> bool:
    """Whether a list after frame `since` has the name that a request of `method` takes."""
    row = methods.find_any(method)
    if row is None or not row.name_param:
        return False
    for result in _read(transcript, since, f"{row.subject}/list"):
        items = result.get(row.subject) if isinstance(result, dict) else None
        for item in items if isinstance(items, list) else ():
            if isinstance(item, dict) and item.get(row.name_param) == name:
                return True
    return False


def returned_cursor(transcript: Transcript, since: int, method: str, cursor: Json) -> bool | None:
    """Whether a result of `method` after frame `since` has this `nextCursor`; None if not all of them were read."""
    count = 0
    for result in _read(transcript, since, method):
        count += 1
        if isinstance(result, dict) and "nextCursor" in result and result["nextCursor"] == cursor:
            return True
    is_whole = count == sum(1 for _ in _results_of(transcript, since, method))
    return False if is_whole and transcript.count - since <= MAX_FRAMES else None


def _takes_session(method: str) -> bool:
    return bool(method) and method not in NOT_OF_SESSION and not methods.opens_session(method)


def _read(transcript: Transcript, since: int, method: str) -> Iterator[Json]:
    """Yield the latest results of `method` after frame `since`, newest first, as many as may be read."""
    left = MAX_BYTES
    for count, number in enumerate(_results_of(transcript, since, method)):
        left -= transcript.columns.size[number - 1]
        if left < 0 or count >= MAX_RESULTS:
            return
        result = transcript.message(number).result
        yield result if isinstance(result, dict) else None


def _results_of(transcript: Transcript, since: int, method: str) -> Iterator[int]:
    columns = transcript.columns
    names = columns.methods.texts
    return (n for n in _results(transcript, since) if names[columns.method[n - 1]] == method)


def _results(transcript: Transcript, since: int) -> Iterator[int]:
    """Yield the frames of results of the server after frame `since`, newest first."""
    columns, start = transcript.columns, max(since, transcript.count - MAX_FRAMES)
    numbers = newest_with(columns.kind, MessageKind.RESPONSE, start, transcript.count)
    return (n for n in numbers if columns.direction[n - 1] == Direction.RECEIVED)
