"""How much of a message is read for its summary: a row costs about the same for every frame.

Of a large message only the needed members are read; of one that is larger still, or has very many items, only the beginning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.wire import lazy_json
from inspector.wire.incremental_json import read_beginning
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.wire.message import MaybeJson, Message

READ_LIMIT = 8 << 20
"""Bytes of a message whose items are counted, which takes some milliseconds."""

MANY_SIGNS = 100_000
"""Commas from which on the items are so many that counting them takes longer."""


class UnreadError(Exception):
    """A member of a large message is not read."""

    def __init__(self, member: str) -> None:
        """It is called `member`."""
        super().__init__(member)
        self.member = member


def is_readable(message: Message) -> bool:
    """Whether every part of a message may be looked at."""
    raw = message.raw
    is_large = len(raw) > lazy_json.LARGE
    return not is_large or (
        len(raw) <= READ_LIMIT
        and (message.is_read_shallowly or message.kind is MessageKind.BATCH)
        and raw.count(b",") <= MANY_SIGNS
    )


def read_member(message: Message, name: str) -> MaybeJson:
    """The member `params`, `result` or `error`, or its beginning.

    Raises:
        UnreadError: it does not stand at the beginning of a large message.
    """
    if is_readable(message):
        return message.lazily(name)
    try:
        beginning = read_beginning(message.raw)
    except JsonSyntaxError:
        raise UnreadError(name) from None
    if not isinstance(beginning, dict) or name not in beginning:
        raise UnreadError(name)
    return beginning[name]
