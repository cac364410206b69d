"""Lines as they are delivered, without a pipe or a socket."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from inspector.transport import line_reader
from inspector.transport.line_reader import LineReader
from inspector.wire.frame import Channel, FrameDefect
from inspector.wire.message import UNDECODED, MessageKind
from tests.support.decoding_thread import holding_decoding
from tests.support.programs import Ear

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.decoding_thread import DecodingThread

NOT_A_NUMBER = b'{"jsonrpc":"2.0","method":"m","params":[' + b"1," * 50_000 + b"NaN]}"
PLAIN = NOT_A_NUMBER.replace(b"NaN", b"1")
BATCH = b"[" + PLAIN + b"]"
RESPONSE = NOT_A_NUMBER.replace(b'"method":"m","params"', b'"id":7,"result"')


@pytest.fixture
def thread(monkeypatch: pytest.MonkeyPatch) -> Iterator[DecodingThread]:
    """Return what holds the thread that decodes until the test lets it go on."""
    with holding_decoding(monkeypatch) as thread:
        yield thread


async def finished(reader: LineReader) -> None:
    """End the stream, and wait until everything is delivered."""
    has_ended = asyncio.Event()
    reader.finish(has_ended.set)
    async with asyncio.timeout(5):
        await has_ended.wait()


@pytest.mark.parametrize("large", [NOT_A_NUMBER, PLAIN, BATCH, b"[" * 100_000])
@pytest.mark.parametrize("rest", [b"", b"\nlast\n"])
@pytest.mark.parametrize("very_large", [line_reader.VERY_LARGE_BYTES, 100])
async def test_a_large_line_is_decoded_before_it_is_delivered_in_its_place(
    large: bytes,
    rest: bytes,
    very_large: int,
    thread: DecodingThread,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours: a line that needs a tolerance is decoded in a thread, also when nothing comes behind it; a very large one is joined in a turn of its own."""
    monkeypatch.setattr(line_reader, "VERY_LARGE_BYTES", very_large)
    thread.may_decode.set()
    ear = Ear()
    reader = LineReader(ear, Channel.TCP)

    reader.feed(b"first\n" + large + rest)
    await finished(reader)

    assert ear.heard(Channel.TCP) == [b"first", *(large + rest).splitlines()]
    kinds = {NOT_A_NUMBER: MessageKind.NOTIFICATION, PLAIN: MessageKind.NOTIFICATION}
    message = ear.lines[1][1].message
    assert message is not None
    expected = MessageKind.BATCH if large is BATCH else MessageKind.MALFORMED
    assert message.kind is kinds.get(large, expected)
    assert thread.sizes == ([] if large is PLAIN else [len(large)])
    assert threading.main_thread().name not in thread.names


async def test_closing_does_not_wait_for_a_line_that_is_decoded(thread: DecodingThread) -> None:
    """Ours: it is recorded as it was received, and so is what follows; nothing of either is decoded later."""
    ear = Ear()
    reader = LineReader(ear, Channel.TCP)
    reader.feed(RESPONSE + b"\n" + NOT_A_NUMBER + b"\nlast\n")

    reader.stop_decoding()
    await finished(reader)

    assert not thread.may_decode.is_set()
    assert ear.heard(Channel.TCP) == [RESPONSE, NOT_A_NUMBER, b"last"]
    first, second = (line for _, line in ear.lines[:2])
    assert first.flaw == second.flaw == FrameDefect.UNDECODED
    assert first.message is not None
    assert (first.message.id, first.message.problem) == (7, UNDECODED)


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("of any kind")])
async def test_a_line_that_cannot_be_decoded_is_delivered_and_reading_goes_on(
    error: Exception, thread: DecodingThread
) -> None:
    """Ours: memory may not suffice for a message; the bytes are shown, and the request that has its id ends."""
    thread.error = error
    thread.may_decode.set()
    ear = Ear()
    reader = LineReader(ear, Channel.TCP)

    reader.feed(RESPONSE + b"\nlast\n")
    await finished(reader)

    assert ear.heard(Channel.TCP) == [RESPONSE, b"last"]
    message = ear.lines[0][1].message
    assert message is not None
    assert (message.kind, message.id) == (MessageKind.MALFORMED, 7)


async def test_lines_of_two_connections_are_decoded_one_after_the_other(
    thread: DecodingThread,
) -> None:
    """Ours: each takes many times its size in memory."""
    ear = Ear()
    readers = [LineReader(ear, Channel.TCP) for _ in range(2)]
    for reader in readers:
        reader.feed(NOT_A_NUMBER + b"\n")
    async with asyncio.timeout(5):
        while not thread.sizes:  # noqa: ASYNC110 - a thread reports it
            await asyncio.sleep(0)

    names = [each.name for each in threading.enumerate()]
    assert names.count("decode large messages") == 1
    assert len(thread.sizes) == 1

    thread.may_decode.set()
    await finished(readers[0])
    await finished(readers[1])
    assert len(thread.sizes) == 2
