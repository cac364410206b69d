"""Servers as child processes: what they print, how they end, and that nothing of them stays."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from typing import TYPE_CHECKING

import pytest

from inspector.errors import ConnectFailed, ProcessExited
from inspector.transport.command import ProcessSpec, resolve
from inspector.transport.process_end import exit_text
from inspector.transport.stdio import StdioTransport
from inspector.wire.frame import Channel, FrameDefect
from tests.support.programs import DEAF, ECHO, STUBBORN, WRAPPER, Ear, lives, python
from tests.support.started import GRACE, output_of, started
from tests.support.wait import patience, wait_until

if TYPE_CHECKING:
    from pathlib import Path


async def stubborn(ear: Ear) -> int:
    """The process id of a stubborn program, once it runs."""
    await wait_until(ear.heard)
    word, pid = ear.heard()[0].split()
    assert word == b"stubborn"
    return int(pid)


async def test_a_process_that_exits_at_once_tells_code_time_and_stderr() -> None:
    """stdio-16."""
    ear = await output_of(
        "import sys; print('Error: KEY is not set', file=sys.stderr); sys.exit(3)"
    )

    assert isinstance(ear.ends[0], ProcessExited)
    assert "exited with code 3 after" in ear.ends[0].reason
    assert ear.heard(Channel.STDERR) == [b"Error: KEY is not set"]
    assert ear.events == ["started", "exited"]
    assert ear.facts[1]["code"] == 3


async def test_the_remark_about_the_start_names_exactly_what_was_started() -> None:
    """stdio-16, stdio-22."""
    ear = await output_of("pass", "a b", "")

    assert ear.facts[0]["program"] == sys.executable
    assert ear.facts[0]["args"] == ["-I", "-S", "-c", "pass", "a b", ""]


@pytest.mark.parametrize(
    ("code", "seconds", "text"),
    [
        (0, 0.25, "exited with code 0 after 250 ms"),
        (3, 4.04, "exited with code 3 after 4.0 s"),
        (-9, 1, "was killed by SIGKILL after 1.0 s"),
        (-250, 1, "was killed by signal 250 after 1.0 s"),
    ],
)
def test_an_end_is_told_in_words(code: int, seconds: float, text: str) -> None:
    """stdio-16."""
    assert exit_text(code, seconds) == text


async def test_a_process_killed_by_somebody_else_says_so() -> None:
    """C-STD-14."""
    async with started(python(ECHO)) as (_, ear):
        pid = ear.facts[0]["pid"]
        assert isinstance(pid, int)
        os.kill(pid, signal.SIGKILL)
        await wait_until(lambda: ear.ends)

        assert "killed by SIGKILL" in ear.ends[0].reason


async def test_a_well_behaved_process_ends_when_its_stdin_is_closed() -> None:
    """C-STD-07."""
    async with started(python(ECHO)) as (transport, ear):
        await transport.aclose()

        assert ear.events == ["started", "exited"]
        assert ear.facts[-1]["code"] == 0


async def test_a_process_that_ignores_its_stdin_is_told_to_terminate() -> None:
    """C-STD-07, C-STD-08."""
    async with started(python(DEAF)) as (transport, ear):
        await wait_until(lambda: ear.heard() == [b"deaf"])
        await transport.aclose()

        assert ear.events == ["started", "signal", "exited"]
        assert ear.facts[1]["signal"] == "SIGTERM"


@pytest.mark.alone
async def test_a_process_that_ignores_everything_is_killed_within_the_grace_time() -> None:
    """C-STD-08."""
    async with started(python(STUBBORN)) as (transport, ear):
        await stubborn(ear)
        began = time.monotonic()
        await transport.aclose()

        assert time.monotonic() - began < patience(2 * GRACE + 1)
        assert [facts.get("signal") for facts in ear.facts[1:3]] == ["SIGTERM", "SIGKILL"]


INSTALLING = """
import signal, sys, time
print("installing", file=sys.stderr, flush=True)
asked = []
signal.signal(signal.SIGTERM, lambda *_: asked.append(1))
while not asked:
    time.sleep(0.01)
time.sleep(0.5)
print("cleaned up", file=sys.stderr, flush=True)
"""


async def test_a_package_manager_may_end_its_installation_in_order() -> None:
    """Ours: killed in the middle, it can leave behind what no later start repairs."""
    transport, ear = (
        StdioTransport(python(INSTALLING), grace_seconds=0.1, start_grace_seconds=20),
        Ear(),
    )
    await transport.open(ear)
    await wait_until(lambda: ear.heard(Channel.STDERR))
    await transport.aclose()

    assert [facts["signal"] for facts in ear.facts if "signal" in facts] == ["SIGTERM"]
    assert b"cleaned up" in ear.heard(Channel.STDERR)


@pytest.mark.alone
async def test_a_server_that_has_started_gets_no_longer_than_any_other() -> None:
    """Ours: what was written to stdout shows that nothing is installed any more."""
    transport, ear = (
        StdioTransport(python(STUBBORN), grace_seconds=GRACE, start_grace_seconds=20),
        Ear(),
    )
    await transport.open(ear)
    await stubborn(ear)
    began = time.monotonic()
    await transport.aclose()

    assert time.monotonic() - began < patience(2 * GRACE + 1)


async def test_the_whole_tree_of_a_wrapper_is_ended() -> None:
    """stdio-18: the grandchild ignores the end of stdin and SIGTERM."""
    async with started(python(WRAPPER)) as (transport, ear):
        pid = await stubborn(ear)
        assert lives(pid)
        await transport.aclose()

        assert not lives(pid)


async def test_a_grandchild_that_outlives_the_server_is_ended_with_it() -> None:
    """stdio-18: it holds the pipes open, which must keep nobody waiting."""
    leaver = WRAPPER.replace("sys.stdin.read()\nchild.wait()", "sys.stdin.readline(); sys.exit(7)")
    async with started(python(leaver)) as (transport, ear):
        pid = await stubborn(ear)
        await transport.send(b"go")
        await wait_until(lambda: ear.ends)

        assert "exited with code 7" in ear.ends[0].reason
        await wait_until(lambda: not lives(pid))


async def test_processes_of_others_are_left_alone() -> None:
    """stdio-18."""
    async with started(python(ECHO)) as (_, other):
        async with started(python(WRAPPER)) as (_, ear):
            pid = await stubborn(ear)

        assert not lives(pid)
        assert other.ends == []


async def test_a_server_that_closes_its_stdout_and_goes_on_is_ended() -> None:
    """C-STD-14."""
    code = "import os, time; print('bye', flush=True); os.close(1); time.sleep(3600)"
    async with started(python(code)) as (_, ear):
        await wait_until(lambda: ear.ends)

        assert ear.heard() == [b"bye"]
        assert "stdout-closed" in ear.events
        assert ear.ends[0].reason == "the server closed stdout but is still running"
        assert "stdout open" in ear.ends[0].hint


async def test_giving_up_the_closing_leaves_no_process() -> None:
    """Ours: the whole program may be ended in the middle of it."""
    async with started(python(STUBBORN)) as (transport, ear):
        pid = await stubborn(ear)
        closing = asyncio.create_task(transport.aclose())
        await asyncio.sleep(0)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
        await wait_until(lambda: not lives(pid) and ear.ends)


async def test_lines_come_whole_whatever_ends_them() -> None:
    """stdio-06, stdio-13, stdio-07."""
    code = r"""
import sys, time
out = sys.stdout.buffer
out.write(b"a\r\n\n")
for byte in "é — 漢 🎉\n".encode():
    out.write(bytes([byte])); out.flush()
out.write(b"two\nhalf")
"""
    ear = await output_of(code)

    assert ear.heard() == [b"a\r", b"", "é — 漢 🎉".encode(), b"two", b"half"]
    assert ear.lines[-1][1].flaw is FrameDefect.UNTERMINATED


async def test_binary_garbage_arrives_byte_by_byte_as_it_was() -> None:
    """C-STD-16."""
    code = """
import random, sys
sys.stdout.buffer.write(random.Random(7).randbytes(1000000))
"""
    ear = await output_of(code)

    expected = json.dumps([*_garbage().split(b"\n")], default=bytes.hex)
    assert json.dumps(ear.heard(), default=bytes.hex) == expected


def _garbage() -> bytes:
    import random

    return random.Random(7).randbytes(1_000_000)


async def test_a_flood_on_stderr_blocks_nobody_and_nothing_of_it_is_lost() -> None:
    """stdio-09, C-STD-05, C-STD-06."""
    code = """
import sys
sys.stderr.write("warning: something 0123456789\\n" * 20000)
print(sys.stdin.readline(), end="")
"""
    async with started(python(code)) as (transport, ear):
        await transport.send(b"hello")
        await wait_until(lambda: ear.heard() == [b"hello"])
        await wait_until(lambda: len(ear.heard(Channel.STDERR)) == 20_000)


async def test_a_line_of_a_hundred_megabytes_arrives_whole() -> None:
    """stdio-11, C-SEC-18."""
    code = """
import sys
for _ in range(100):
    sys.stdout.buffer.write(b"x" * 1000000)
sys.stdout.buffer.write(b"\\nnext\\n")
"""
    began = time.monotonic()
    ear = await output_of(code)

    assert [len(raw) for raw in ear.heard()] == [100_000_000, 4]
    assert time.monotonic() - began < patience(5)


async def test_a_line_over_the_budget_is_cut_and_counted_and_the_next_is_read() -> None:
    """C-SEC-18."""
    ear = await output_of("print('x' * 2000000); print('next')", line_budget=1 << 20)

    cut, following = ear.lines[0][1], ear.lines[1][1]
    assert (len(cut.raw), cut.flaw, cut.dropped) == (
        1 << 20,
        FrameDefect.TRUNCATED,
        2_000_000 - (1 << 20),
    )
    assert following.raw == b"next"


async def test_a_server_that_does_not_read_delays_only_who_sends_to_it() -> None:
    """stdio-21."""
    async with started(python(DEAF)) as (transport, ear):
        sending = asyncio.create_task(transport.send(b"y" * 5_000_000))
        await wait_until(lambda: ear.heard() == [b"deaf"])
        assert not sending.done()

        sending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sending


async def test_a_large_frame_arrives_whole_at_a_server_that_reads_late() -> None:
    """stdio-21."""
    code = """
import sys, time
time.sleep(0.2)
print(len(sys.stdin.buffer.readline()))
"""
    async with started(python(code)) as (transport, ear):
        await transport.send(b"y" * 5_000_000)
        await wait_until(lambda: ear.ends)

        assert ear.heard() == [b"5000001"]


async def test_arguments_and_environment_arrive_as_they_are() -> None:
    """C-STD-02, C-STD-15; stdio-22, stdio-23: no shell reads them, nothing is dropped, the rest is inherited."""
    text = ["a b", "", '"q"', "ü", "--x=1 2", "$HOME", "*", "%PATH%", "&", "`id`", "\\", "a\nb"]
    code = """
import json, os, sys
names = ("EMPTY", "SPACED", "PATH")
print(json.dumps([sys.argv[1:], [os.environ.get(name) for name in names]]))
"""
    launch = resolve(sys.executable, ["-I", "-c", code, *text], {"EMPTY": "", "SPACED": "a b"}, "")
    async with started(launch) as (_, ear):
        await wait_until(lambda: ear.ends)

        assert json.loads(ear.heard()[0]) == [text, ["", "a b", os.environ["PATH"]]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path.resolve()


async def test_the_working_directory_is_the_one_that_was_asked_for(folder: Path) -> None:
    """stdio-23."""
    launch = resolve(sys.executable, ["-c", "import os; print(os.getcwd())"], {}, str(folder))
    async with started(launch) as (_, ear):
        await wait_until(lambda: ear.ends)

        assert ear.heard() == [os.fsencode(folder)]


def script(path: Path, text: str) -> ProcessSpec:
    path.write_text(text)
    path.chmod(0o755)
    return ProcessSpec(str(path), (), dict(os.environ), None)


@pytest.mark.parametrize("text", ["no program\n", "#!/no/such/interpreter\n", ""])
async def test_a_file_that_is_no_program_cannot_be_started_and_says_why(
    tmp_path: Path, text: str
) -> None:
    """stdio-17."""
    ear = Ear()
    transport = StdioTransport(script(tmp_path / "x", text))

    with pytest.raises(ConnectFailed, match="cannot start") as failure:
        await transport.open(ear)
    await transport.aclose()

    assert failure.value.hint
    assert ear.ends == []


async def test_an_argument_that_cannot_be_passed_is_a_failure_in_words() -> None:
    """stdio-22."""
    with pytest.raises(ConnectFailed):
        await StdioTransport(python("pass", "a\0b")).open(Ear())
