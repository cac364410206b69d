"""Notes of Spyglass that change the state of a request or of the connection, live and in recordings.

timed-out cancelled failed   `request` has ended without a response
closed                       the connection ended: no pending request can get a response
input-required               the response to `request` asks for input, or for another try: number `try_number` of `most_tries`, in `pause_seconds`
input-given                  `retry` is the request with the input; both are rounds of the exchange of `request`
invalid-answer               the response to `request` is a result that the revision does not know
unreachable                  no connection can be made; the transport tries again in `retry_seconds`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.frozen import FrozenStruct
from inspector.transcript.exchange import Retry, Status
from inspector.wire.frame import Channel

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.json_value import JsonObject
    from inspector.transcript.correlator import Correlator
    from inspector.transcript.transcript import Transcript

MAX_PAUSE_SECONDS = 86_400
"""A longer pause in a recording is not believed."""

RESPONSE_CHANNELS = frozenset({Channel.HTTP, Channel.BODY, Channel.SSE})
"""A frame that is received on these shows that the server can be reached again."""


class Unreachable(FrozenStruct, frozen=True):
    """The server cannot be reached at the moment, over a transport without a lasting connection."""

    since: float
    """Monotonic seconds of the first failed attempt."""
    since_wall: float
    """The same in seconds since 1970-01-01 UTC."""
    reason: str
    """Why the latest attempt failed."""
    next_at: float | None
    """Monotonic seconds of the next attempt; None when there is no automatic one."""


def note_at(transcript: Transcript, number: int) -> JsonObject:
    """Return the note in frame `number`; empty if it is no JSON object, or cannot be read any more."""
    try:
        note = transcript.message(number).value
    except StorageError:
        return {}
    return note if isinstance(note, dict) else {}


def apply_event(correlator: Correlator, note: JsonObject) -> None:
    """Apply the effect of a note on requests, if it has one."""
    apply = _EFFECTS.get(str(note.get("event")))
    if apply is not None:
        apply(correlator, note)


def update_unreachable(
    known: Unreachable | None, note: JsonObject, at: float, wall_s: float
) -> Unreachable | None:
    """Return the state after a note of the time `at`; several streams may try to connect, each at its own times."""
    if note.get("event") != "unreachable":
        return known
    retry = note.get("retry_seconds")
    attempts = [at + float(retry)] if isinstance(retry, (int, float)) else []
    if known is not None and known.next_at is not None and known.next_at > at:
        attempts.append(known.next_at)
    since, since_wall = (at, wall_s) if known is None else (known.since, known.since_wall)
    reason = str(note.get("words", ""))
    return Unreachable(since, since_wall, reason, min(attempts, default=None))


def _number(note: JsonObject, name: str = "request") -> int:
    value = note.get(name)
    return value if isinstance(value, int) else 0


def _require_input(correlator: Correlator, note: JsonObject) -> None:
    request = _number(note)
    correlator.set_status(request, Status.INPUT_REQUIRED)
    pause, number, limit = (note.get(k) for k in ("pause_seconds", "try_number", "most_tries"))
    retry = None
    if isinstance(number, int) and isinstance(limit, int) and isinstance(pause, int | float):
        seconds = float(pause) if 0 <= pause <= MAX_PAUSE_SECONDS else 0.0
        retry = Retry(correlator.latest_at + seconds, number, limit)
    correlator.rounds.wait(correlator.rounds.first(request), retry)


def _end_as(status: Status) -> Callable[[Correlator, JsonObject], None]:
    return lambda correlator, note: correlator.give_up(_number(note), status)


_EFFECTS: dict[str, Callable[[Correlator, JsonObject], None]] = {
    "timed-out": _end_as(Status.TIMED_OUT),
    "cancelled": _end_as(Status.CANCELLED),
    "failed": _end_as(Status.NO_RESPONSE),
    "closed": lambda correlator, _: correlator.give_up_all(),
    "input-required": _require_input,
    "input-given": lambda correlator, note: correlator.add_round(
        _number(note), _number(note, "retry")
    ),
    "invalid-answer": lambda correlator, note: correlator.set_status(
        _number(note), Status.INVALID_RESULT
    ),
}
