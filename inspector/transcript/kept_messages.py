"""What was read of large messages: several receivers need the latest one at once, and text that is no message is explained long after.

To read it again could take seconds: a text that needs a tolerance takes a quarter of a second for each megabyte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from inspector.wire.message import Message, MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.absent import MaybeJson

KEPT_BYTES: Final = 1 << 16
"""Bytes above which frames are kept here."""

LATEST_BYTES: Final = 1 << 20
"""Bytes above which the latest message is kept whole."""

MAX_MALFORMED: Final = 500
"""Malformed frames of which it is kept what is wrong with them; the first ones, which explain the others."""


MAX_ID: Final = 1_000
"""Characters of an id that is kept."""


class KeptMessages:
    """The latest large message, and what is wrong with large malformed ones."""

    def __init__(self) -> None:
        """Keep none."""
        self._latest: tuple[int, Message] | None = None
        self._malformed: dict[int, tuple[MaybeJson, str, str]] = {}

    def keep(self, number: int, message: Message, size: int) -> None:
        """Keep what is needed of the message in frame `number`, of `size` bytes."""
        if size > LATEST_BYTES:
            self._latest = number, message
        is_alone = message.kind is MessageKind.MALFORMED and not message.within
        is_short = not isinstance(message.id, str) or len(message.id) <= MAX_ID
        if is_alone and is_short and len(self._malformed) < MAX_MALFORMED:
            self._malformed[number] = message.id, message.method, message.problem

    def find(self, number: int, raw: Callable[[int], bytes]) -> Message | None:
        """Return the message in frame `number`, whose bytes `raw` returns; None if it is not kept."""
        if self._latest is not None and self._latest[0] == number:
            return self._latest[1]
        if (found := self._malformed.get(number)) is None:
            return None
        return Message(MessageKind.MALFORMED, raw(number), *found)
