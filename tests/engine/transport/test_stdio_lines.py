"""Lines over standard streams: those without end, those that are not ended yet, and very many."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from inspector.transport.stdio import StdioTransport
from inspector.wire.frame import Channel, Flaw
from tests.support.programs import Ear, python
from tests.support.started import GRACE, output_of, started
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.errors import HttpStatus
    from inspector.wire.lines import Line


class SlowEar(Ear):
    """A sink that takes some microseconds for each line, as reading and keeping it does."""

    def received(
        self,
        channel: Channel,
        lines: Sequence[Line],
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


async def test_a_line_without_end_ends_the_process_in_words_that_name_it() -> None:
    """C-SEC-18: what was complete before it is kept, and so is its beginning."""
    ear = await output_of(ENDLESS, line_budget=100_000)

    assert "a line of more than 100,000 bytes" in ear.ends[0].words
    assert ear.ends[0].remedy
    (_, first), (_, cut) = [each for each in ear.lines if each[0] is Channel.STDOUT]
    assert first.raw == b"first"
    assert cut.raw == b"y" * 100_000
    assert cut.flaw & Flaw.CUT
    assert ear.facts[-1]["code"] != 0


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
    assert [bool(line.flaw & Flaw.CONTINUED) for line in lines[:-1]] == [True] * (len(lines) - 1)
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
