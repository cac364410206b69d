"""Our own remarks that change how a request stands.

timed-out cancelled failed   `request` has ended without an answer
closed                       the connection ended: nothing that is open can be answered any more
input-required               the answer to `request` asks for input, or for another try: the `try_number`-th of `most_tries`, in `pause_seconds`
input-given                  `retry` is the request with what was asked for; it goes on with `request`
invalid-answer               the answer to `request` is a result the revision does not know
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.transcript.exchange import Retry, Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.json_value import JsonObject
    from inspector.transcript.correlator import Correlator
    from inspector.transcript.transcript import Transcript
    from inspector.wire.message import Message


MAX_PAUSE_SECONDS = 86_400
"""A recording that tells of a longer one is not believed."""


def note_at(transcript: Transcript, number: int) -> JsonObject:
    """Return the note in frame `number`; empty where it is no JSON object, or cannot be read any more."""
    try:
        note = transcript.message(number).value
    except StorageError:
        return {}
    return note if isinstance(note, dict) else {}


def apply_event(fold: Correlator, message: Message) -> None:
    """Let a remark have its effect, if it has any."""
    note = message.value
    if not isinstance(note, dict):
        return
    apply = _EFFECTS.get(str(note.get("event")))
    if apply is not None:
        apply(fold, note)


def _number(note: JsonObject, name: str = "request") -> int:
    value = note.get(name)
    return value if isinstance(value, int) else 0


def _ask_for_input(fold: Correlator, note: JsonObject) -> None:
    request = _number(note)
    fold.set_status(request, Status.INPUT_REQUIRED)
    pause, number, most = (note.get(k) for k in ("pause_seconds", "try_number", "most_tries"))
    retry = None
    if isinstance(number, int) and isinstance(most, int) and isinstance(pause, int | float):
        seconds = float(pause) if 0 <= pause <= MAX_PAUSE_SECONDS else 0.0
        retry = Retry(fold.latest_at + seconds, number, most)
    fold.chains.wait(fold.chains.first(request), retry)


def _give_up(status: Status) -> Callable[[Correlator, JsonObject], None]:
    return lambda fold, note: fold.give_up(_number(note), status)


_EFFECTS: dict[str, Callable[[Correlator, JsonObject], None]] = {
    "timed-out": _give_up(Status.TIMED_OUT),
    "cancelled": _give_up(Status.CANCELLED),
    "failed": _give_up(Status.NO_RESPONSE),
    "closed": lambda fold, _: fold.give_up_all(),
    "input-required": _ask_for_input,
    "input-given": lambda fold, note: fold.add_round(_number(note), _number(note, "retry")),
    "invalid-answer": lambda fold, note: fold.set_status(_number(note), Status.INVALID_RESULT),
}
