"""What was read of large messages: several receivers need the latest one at once, and text that is no message is explained long after.

To read it again could take seconds: a text that needs a tolerance takes a quarter of a second for each megabyte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from inspector.wire.message import Message, MessageKind

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

MAX_ID: Final = 1_000
"""Characters of an id that is kept."""


class KeptMessages:
    """The latest large message, and outlines of those that only a tolerant reading understands, if any does."""

    def __init__(self) -> None:
        """Keep none."""
        self._latest: tuple[int, Message] | None = None
        self._outlines: dict[int, Message] = {}

    def keep(self, number: int, message: Message, size: int) -> None:
        """Keep what is needed of the message in frame `number`, of `size` bytes."""
        if size > LATEST_BYTES:
            self._latest = number, message
        is_short = not isinstance(message.id, str) or len(message.id) <= MAX_ID
        if not message.is_read_shallowly and is_short and len(self._outlines) < MAX_OUTLINES:
            self._outlines[number] = _outline(message)

    def find(self, number: int, raw: Callable[[int], bytes]) -> Message | None:
        """Return the message in frame `number`, whose bytes `raw` returns; None if it is not kept."""
        if self._latest is not None and self._latest[0] == number:
            return self._latest[1]
        found = self._outlines.get(number)
        if found is None or found.kind is not MessageKind.MALFORMED or found.within:
            return None
        return Message(found.kind, raw(number), found.id, found.method, found.problem)

    def outline(self, number: int) -> Message | None:
        """Return kind, id, method and problem of the message in frame `number`; None if they are not kept."""
        return self._outlines.get(number)


def _outline(message: Message) -> Message:
    within = tuple(_outline(each) for each in message.within[:MAX_WITHIN])
    return Message(message.kind, b"", message.id, message.method, message.problem, within)
