"""Lines over standard streams: those without end, those that are not ended yet, and very many."""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING

import pytest

from inspector.errors import ConnectionLost
from inspector.transport.base import SendContext
from inspector.transport.line_reader import MAX_LINES_AT_ONCE
from inspector.transport.stdio import DRAIN_SECONDS, StdioTransport
from inspector.wire.frame import Channel, FrameDefect
from inspector.wire.message import MessageKind
from tests.support.programs import ECHO, Batches, Ear, lives, python
from tests.support.started import GRACE, output_of, started
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from inspector.errors import HttpStatus
    from inspector.wire.line_splitter import RawChunk


class SlowEar(Ear):
    """A sink that takes some microseconds for each line, as reading and keeping it does."""

    def received(
        self,
        channel: Channel,
        lines: Sequence[RawChunk],
        stream: int = 0,
        http: HttpStatus | None = None,
    ) -> int:
        """Spend the time."""
        until = time.perf_counter() + 20e-6 * len(lines)
        last = super().received(channel, lines, stream, http)
        while time.perf_counter() < until:
            pass
        return last


ENDLESS = """
import sys
print("first", flush=True)
while True:
    sys.stdout.write("y" * 1000)
"""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
async def test_what_a_process_sends_at_once_can_be_responded_to(tmp_path: Path) -> None:
    """C-PNG-01: a server may ping as soon as it runs; its output is read before `open` returns."""
    printed = tmp_path / "printed"
    os.mkfifo(printed)
    code = f"import sys; print('ping', flush=True); open(sys.argv[1], 'w').close(){ECHO}"
    transport = StdioTransport(python(code, str(printed)), grace_seconds=GRACE)
    responses: list[asyncio.Task[None]] = []

    class Responder(Ear):
        def received(
            self,
            channel: Channel,
            lines: Sequence[RawChunk],
            stream: int = 0,
            http: HttpStatus | None = None,
        ) -> int:
            if not responses:
                responses.append(asyncio.ensure_future(transport.send(b"pong")))
            return super().received(channel, lines, stream, http)

    ear, loop = Responder(), asyncio.get_running_loop()
    # in the turn after the process was started: continue when it has written its line
    loop.call_soon(loop.call_soon, printed.read_bytes)
    await transport.open(ear)
    try:
        await wait_until(lambda: len(ear.heard()) == 2)
        assert ear.heard() == [b"ping", b"pong"]
    finally:
        await transport.aclose()
    await asyncio.gather(*responses)


async def test_a_line_without_end_ends_the_process_in_words_that_name_it() -> None:
    """C-SEC-18: what was complete before it is kept, and so is its beginning."""
    ear = await output_of(ENDLESS, line_budget=100_000)

    assert "a line of more than 100,000 bytes" in ear.ends[0].reason
    assert ear.ends[0].hint
    (_, first), (_, cut) = [each for each in ear.lines if each[0] is Channel.STDOUT]
    assert first.raw == b"first"
    assert cut.raw == b"y" * 100_000
    assert cut.flaw & FrameDefect.TRUNCATED
    assert ear.facts[-1]["code"] != 0


async def test_what_is_sent_to_a_process_that_is_being_ended_fails_for_that_reason() -> None:
    """Ours: Spyglass closed its stdin, and not the server."""
    code = """
import sys, time
print("y" * 230_000, end="", flush=True)
sys.stdin.read()
print("stdin was closed", file=sys.stderr, flush=True)
time.sleep(60)
"""
    spec, ear = python(code), Ear()
    transport = StdioTransport(spec, grace_seconds=3 * DRAIN_SECONDS, line_budget=100_000)
    await transport.open(ear)
    try:
        await wait_until(lambda: ear.heard(Channel.STDERR))
        with pytest.raises(ConnectionLost, match="a line of more than"):
            await transport.send(b"x")
    finally:
        await transport.aclose()


async def test_what_has_no_newline_yet_is_told_as_it_grows() -> None:
    """Ours: on both channels, and no more once the line is complete."""
    code = """
import sys
sys.stdout.write('{"jsonrpc":'); sys.stdout.flush()
sys.stderr.write("\\rbuilding 1%\\rbuilding 2%"); sys.stderr.flush()
sys.stdin.readline()
print('"2.0"}', flush=True)
print("", file=sys.stderr, flush=True)
sys.stdin.readline()
"""
    async with started(python(code)) as (transport, ear):
        await wait_until(lambda: len(ear.rests) == 2)
        assert ear.rests[Channel.STDOUT] == (11, b'{"jsonrpc":', b'{"jsonrpc":')
        assert ear.rests[Channel.STDERR][2].endswith(b"\rbuilding 2%")
        assert not ear.lines

        await transport.send(b"go on")
        await wait_until(lambda: len(ear.lines) == 2)
        assert [size for size, _, _ in ear.rests.values()] == [0, 0]
        assert ear.heard(Channel.STDERR) == [b"\rbuilding 1%\rbuilding 2%"]


async def test_a_line_on_stderr_is_broken_off_at_its_budget_and_nothing_is_lost() -> None:
    """C-SEC-18: a progress bar may go on for hours."""
    code = "import sys; [sys.stderr.write(f'\\r{n:07d}') for n in range(400000)]"
    ear = await output_of(code)

    lines = [line for channel, line in ear.lines if channel is Channel.STDERR]
    assert b"".join(line.raw for line in lines) == b"".join(b"\r%07d" % n for n in range(400_000))
    assert [bool(line.flaw & FrameDefect.CONTINUED) for line in lines[:-1]] == [True] * (
        len(lines) - 1
    )
    assert not any(line.dropped for line in lines)
    assert len(lines) > 2


async def test_a_flood_of_tiny_lines_leaves_the_loop_its_turns() -> None:
    """C-SEC-18: as many lines a turn as time allows, in order, and all of them."""
    code = "import sys; sys.stdout.write('[]\\n' * 60000)"
    longest = 0.0

    async def beat() -> None:
        nonlocal longest
        while True:
            began = time.thread_time()  # what other processes take does not count
            await asyncio.sleep(0)
            longest = max(longest, time.thread_time() - began)

    beating = asyncio.create_task(beat())
    transport, ear = StdioTransport(python(code), grace_seconds=GRACE), SlowEar()
    await transport.open(ear)
    await wait_until(lambda: ear.ends)
    beating.cancel()
    await transport.aclose()

    assert len(ear.heard()) == 60_000
    assert longest < 0.25


async def test_what_waits_to_be_read_when_the_process_is_ended_is_handed_on_a_part_at_a_time() -> (
    None
):
    """Ours: all of it, in order, and before the end is told."""
    code = "import sys; [print('{\"id\":%d}' % n) for n in range(5000)]; sys.stdout.flush(); sys.stdin.read()"
    ear = Batches()
    ear.is_congested = True
    transport = StdioTransport(python(code), grace_seconds=GRACE)
    await transport.open(ear)
    await wait_until(lambda: ear.sizes)
    await transport.aclose()

    heard = ear.heard(Channel.STDOUT)
    assert heard == [b'{"id":%d}' % number for number in range(len(heard))]
    assert len(heard) > MAX_LINES_AT_ONCE
    assert max(ear.sizes) <= MAX_LINES_AT_ONCE
    assert len(ear.ends) == 1


async def test_reading_pauses_while_the_sink_is_congested_and_continues_after() -> None:
    """C-SEC-18."""
    code = "import sys; sys.stdout.write('0123456789\\n' * 50000)"
    transport, ear = StdioTransport(python(code), grace_seconds=GRACE), Ear()
    ear.is_congested = True
    await transport.open(ear)
    await wait_until(lambda: ear.waits)
    seen = len(ear.lines)
    ear.is_congested = False
    await wait_until(lambda: ear.ends)
    await transport.aclose()

    assert seen < 50_000
    assert len(ear.heard()) == 50_000


async def test_nothing_more_is_delivered_while_the_sink_is_congested() -> None:
    """Ours: what was read already waits, too."""
    code = "import sys; [print('{}') for n in range(5000)]; sys.stdout.flush(); sys.stdin.read()"
    ear = Batches()
    ear.is_congested = True
    transport = StdioTransport(python(code), grace_seconds=GRACE)
    await transport.open(ear)
    await wait_until(lambda: ear.waits)
    assert len(ear.sizes) == 1

    ear.is_congested = False
    await wait_until(lambda: len(ear.lines) == 5000)
    await transport.aclose()


async def test_the_writing_of_an_answer_is_not_waited_for() -> None:
    """Ours: a server may write all its requests before it reads; a request of ours is waited for."""
    async with started(python("import threading; threading.Event().wait()")) as (transport, _):
        large = b" " * (1 << 20)
        async with asyncio.timeout(5):
            await transport.send(large, SendContext(kind=MessageKind.RESPONSE))
            await transport.send(large, SendContext(kind=MessageKind.ERROR))

        writing = asyncio.ensure_future(
            transport.send(b"{}", SendContext(kind=MessageKind.REQUEST))
        )
        done, _ = await asyncio.wait([writing], timeout=0.05)
        assert not done
        writing.cancel()


async def test_output_that_comes_while_reading_is_paused_is_kept_when_the_process_exits() -> None:
    """C-SEC-18, ours: it waits in the pipe, however long that takes."""
    code = """
import os, sys
print(os.getpid(), flush=True)
sys.stdin.readline()
for number in range(1000):
    print(number)
"""
    transport, ear = StdioTransport(python(code), grace_seconds=GRACE), Ear()
    ear.is_congested = True
    await transport.open(ear)
    await wait_until(ear.heard)
    await transport.send(b"{}", SendContext(1, MessageKind.NOTIFICATION, "x"))
    await wait_until(lambda: not lives(int(ear.heard()[0])))
    ended = asyncio.ensure_future(wait_until(lambda: ear.ends))
    done, _ = await asyncio.wait([ended], timeout=1.5 * DRAIN_SECONDS)
    assert not done
    assert len(ear.heard()) == 1

    ear.is_congested = False
    await ended
    await transport.aclose()

    assert ear.heard()[1:] == [b"%d" % number for number in range(1000)]
