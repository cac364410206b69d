"""What else came from the server while a request was under way. Pure: from the columns, whatever the number of frames.

Nobody can tell whether it belongs to the request; that is for the reader to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript


class Meanwhile(FrozenStruct, frozen=True):
    """Frames between a request and its end that no message explains."""

    malformed: int = 0
    """Lines or bodies that are no JSON-RPC."""
    first_malformed: int = 0
    """The first of them; 0 for none."""
    stderr: int = 0
    """Lines on standard error."""
    first_stderr: int = 0
    """The first of them; 0 for none."""


def meanwhile(transcript: Transcript, request: int, end: int = 0) -> Meanwhile:
    """What came after the frame `request` and before the frame `end`; up to now without an `end`."""
    columns = transcript.columns
    last = end - 1 if end else len(columns)
    kinds = columns.kind[request:last].tobytes()
    stderr = kinds.count(MessageKind.STDERR)
    malformed = _received(columns.direction[request:last].tobytes(), kinds)
    return Meanwhile(
        len(malformed),
        request + malformed[0] + 1 if malformed else 0,
        stderr,
        request + kinds.index(MessageKind.STDERR) + 1 if stderr else 0,
    )


def _received(directions: bytes, kinds: bytes) -> list[int]:
    """Where, among these frames, something malformed was received; what a person sent on purpose is their own."""
    if not kinds.count(MessageKind.MALFORMED):
        return []
    return [
        at
        for at, kind in enumerate(kinds)
        if kind == MessageKind.MALFORMED and directions[at] == Direction.RECEIVED
    ]
