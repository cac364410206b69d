"""Reading a large answer some a turn of the loop, so that nothing else has to wait for all of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.wire.lazy_json import LazyObject
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from inspector.session.peer import Reply
    from inspector.wire.json_codec import Json
    from inspector.wire.message import Message

LARGE = 1 << 20
"""Bytes of an answer that is read in steps."""


async def read_in_slices(reply: Reply, parts: tuple[str, ...]) -> None:
    """Read the members `parts` of a large result, which are looked at from end to end."""
    if len(reply.message.raw) < LARGE:
        return
    await asyncio.sleep(0)
    result = or_null(reply.message.lazy_result)
    await asyncio.sleep(0)
    if isinstance(result, LazyObject):
        for part in parts:
            for _ in result.settling(part):
                await asyncio.sleep(0)


def result_of(message: Message, *parts: str) -> Json:
    """The result with its `parts` read; what else is large in it is read when somebody looks."""
    result = or_null(message.lazy_result)
    if isinstance(result, LazyObject):
        for part in parts:
            result.materialize(part)
    return result
