"""Our own remarks that change how a request stands.

timed-out cancelled failed   `request` has ended without an answer
closed                       the connection ended: nothing that is open can be answered any more
input-required               the answer to `request` asks for input
input-given                  `retry` is the request with what was asked for; it goes on with `request`
invalid-answer               the answer to `request` is a result the revision does not know
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.transcript.exchange import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.json_value import JsonObject
    from inspector.transcript.fold import Fold
    from inspector.wire.message import Message


def take_note(fold: Fold, message: Message) -> None:
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


def _give_up(status: Status) -> Callable[[Fold, JsonObject], None]:
    return lambda fold, note: fold.give_up(_number(note), status)


_EFFECTS: dict[str, Callable[[Fold, JsonObject], None]] = {
    "timed-out": _give_up(Status.TIMED_OUT),
    "cancelled": _give_up(Status.CANCELLED),
    "failed": _give_up(Status.LOST),
    "closed": lambda fold, _: fold.give_up_all(),
    "input-required": lambda fold, note: fold.reclassify(_number(note), Status.INPUT_REQUIRED),
    "input-given": lambda fold, note: fold.go_on(_number(note), _number(note, "retry")),
    "invalid-answer": lambda fold, note: fold.reclassify(_number(note), Status.INVALID),
}
