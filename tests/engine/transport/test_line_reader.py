"""Lines as they are delivered, without a pipe or a socket."""

from __future__ import annotations

import asyncio

import pytest

from inspector.transport.line_reader import LineReader
from inspector.wire.frame import Channel
from inspector.wire.message import MessageKind
from tests.support.programs import Ear

NOT_A_NUMBER = b'{"jsonrpc":"2.0","method":"m","params":[' + b"1," * 50_000 + b"NaN]}"
PLAIN = NOT_A_NUMBER.replace(b"NaN", b"1")
BATCH = b"[" + PLAIN + b"]"


@pytest.mark.parametrize("large", [NOT_A_NUMBER, PLAIN, BATCH, b"[" * 100_000])
@pytest.mark.parametrize("rest", [b"", b"\nlast\n"])
async def test_a_large_line_is_decoded_before_it_is_delivered_in_its_place(
    large: bytes, rest: bytes
) -> None:
    """Ours: a line that needs a tolerance is decoded in a thread, also when nothing comes behind it."""
    ear, has_ended = Ear(), asyncio.Event()
    reader = LineReader(ear, Channel.TCP)

    reader.feed(b"first\n" + large + rest)
    reader.finish(has_ended.set)
    async with asyncio.timeout(5):
        await has_ended.wait()

    assert ear.heard(Channel.TCP) == [b"first", *(large + rest).splitlines()]
    kinds = {NOT_A_NUMBER: MessageKind.NOTIFICATION, PLAIN: MessageKind.NOTIFICATION}
    message = ear.lines[1][1].message
    assert message is not None
    expected = MessageKind.BATCH if large is BATCH else MessageKind.MALFORMED
    assert message.kind is kinds.get(large, expected)
