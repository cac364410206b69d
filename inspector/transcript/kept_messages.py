"""What was read of large messages: several receivers need the latest one at once, and text that is no message is explained long after.

To read it again could take seconds: a text that needs a tolerance takes a quarter of a second for each megabyte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from inspector.wire import json_codec
from inspector.wire.absent import Absent
from inspector.wire.message import Message, MessageKind, plain_data

if TYPE_CHECKING:
    from collections.abc import Callable


KEPT_BYTES: Final = 1 << 16
"""Bytes above which frames are kept here."""

LATEST_BYTES: Final = 1 << 20
"""Bytes above which the latest message is kept whole."""

MAX_OUTLINES: Final = 500
"""Frames of which an outline is kept; the first ones, which explain the others."""

MAX_WITHIN: Final = 100
"""Messages among the text of a line that are in its outline."""

MAX_NAME: Final = 1_000
"""Characters of an id or method in an outline."""


class KeptMessages:
    """The latest large message, and outlines of those that only a tolerant reading understands, if any does."""

    def __init__(self) -> None:
        """Keep none."""
        self._latest: tuple[int, Message] | None = None
        self._outlines: dict[int, tuple[Message, int]] = {}
        """Each with the length of its text, which is a part of its frame in an event stream."""

    def keep(self, number: int, message: Message, size: int) -> None:
        """Keep what is needed of the message in frame `number`, of `size` bytes."""
        if size > LATEST_BYTES:
            self._latest = number, message
        if message.is_read_shallowly or len(self._outlines) >= MAX_OUTLINES:
            return
        if (outline := _outline(message)) is not None:
            self._outlines[number] = outline, len(message.raw)

    def find(self, number: int, raw: Callable[[int], bytes]) -> Message | None:
        """Return the message in frame `number`, whose bytes `raw` returns; None if it is not kept."""
        if self._latest is not None and self._latest[0] == number:
            return self._latest[1]
        found, size = self._outlines.get(number, (None, 0))
        if found is None or found.kind is not MessageKind.MALFORMED or found.within:
            return None
        frame = raw(number)
        text = frame if len(frame) == size else plain_data(frame)
        if len(text) != size:
            return None
        return Message(found.kind, text, found.id, found.method, found.problem)

    def outline(self, number: int) -> Message | None:
        """Return kind, id, method and problem of the message in frame `number`; None if they are not kept."""
        return self._outlines.get(number, (None, 0))[0]


def _outline(message: Message) -> Message | None:
    """Return the outline of a message; None if it would be long itself."""
    within = [_outline(each) for each in message.within[:MAX_WITHIN]]
    parts = tuple(each for each in within if each is not None)
    id_ = "" if isinstance(message.id, Absent) else message.id
    is_short = len(json_codec.write_beginning(id_, MAX_NAME + 1)) <= MAX_NAME >= len(message.method)
    if not is_short or len(parts) < len(within):
        return None
    return Message(message.kind, b"", message.id, message.method, message.problem, parts)
