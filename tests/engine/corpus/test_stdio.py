"""Cases about servers as processes."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from typing import TYPE_CHECKING

import pytest

from inspector.config.profile import Profile
from inspector.errors import ConnectFailed, ProcessExited, TimedOut
from inspector.session.negotiation import HANDSHAKE
from inspector.session.operation import OperationState
from inspector.session.outgoing import Timeouts
from inspector.session.session_state import SessionState
from inspector.session.steps import StepState
from inspector.transport.command import resolve
from inspector.wire.message import MessageKind
from inspector.workspace import Workspace
from tests.support.corpus import case, connected, failure_of, playing, variants
from tests.support.peers import NODE
from tests.support.programs import WRAPPER, lives
from tests.support.wait import patience, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.wire.json_codec import JsonObject


async def test_banner_lines_are_kept_and_do_not_disturb(tmp_path: Path) -> None:
    """stdio-01-banner-lines."""
    async with connected("stdio-01-banner-lines", tmp_path) as played:
        await wait_until(lambda: len(played.frames(kind=MessageKind.MALFORMED)) == 4)

        assert played.names() == ["a"]
        assert list(played.texts(MessageKind.MALFORMED)) == [
            "🚀 Demo service is up",
            "version 1.2.3, have fun",
            "handling one request now",
            "done",
        ]
        assert played.frames(rule="L-STD-01") == played.frames(kind=MessageKind.MALFORMED)


async def test_a_slow_start_is_shown_while_it_lasts_and_waited_for(tmp_path: Path) -> None:
    """stdio-02-long-banner-slow-start."""
    async with playing("stdio-02-long-banner-slow-start", tmp_path) as played:
        connecting = asyncio.create_task(played.opened.connect())
        await wait_until(lambda: len(played.frames(kind=MessageKind.MALFORMED)) == 60)
        step = played.session.steps[-1]
        assert (step.state, played.session.state) == (StepState.RUNNING, SessionState.CONNECTING)
        assert step.started_at > 0
        await connecting

        assert played.names() == ["a"]
        assert played.methods().count("initialize") == 1


async def test_escape_sequences_are_kept_as_bytes_and_nothing_acts_on_them(tmp_path: Path) -> None:
    """stdio-04-ansi-colours: showing them is up to the screens; the record has what came."""
    async with connected("stdio-04-ansi-colours", tmp_path) as played:
        assert played.names() == ["a"]
        assert list(played.texts(MessageKind.STDERR)) == [
            "\x1b]0;title\x07\x1b[31mbad\x1b[0m",
            "\x1b]8;;http://x.test\x1b\\link\x1b]8;;\x1b\\",
        ]
        assert list(played.texts(MessageKind.MALFORMED)) == ["\x1b[33m[2026] warn\x1b[0m"]
        assert played.opened.tools.items[0].description == "\x1b[31mred\x1b[0m"


async def test_carriage_returns_blank_lines_and_spaces_are_no_faults(tmp_path: Path) -> None:
    """stdio-06-crlf."""
    async with connected("stdio-06-crlf", tmp_path) as played:
        played.judge()

        assert played.names() == ["a"]
        assert played.frames(kind=MessageKind.MALFORMED) == []
        assert len(played.frames(kind=MessageKind.BLANK_LINE)) == 2
        assert [played.rules(n) for n in played.frames(kind=MessageKind.BLANK_LINE)] == [[], []]
        assert not any(
            "\r" in str(played.transcript.message(n).value)
            for n in played.frames(kind=MessageKind.RESPONSE)
        )


async def test_characters_cut_between_reads_stay_whole(tmp_path: Path) -> None:
    """stdio-07-split-multibyte."""
    async with connected("stdio-07-split-multibyte", tmp_path) as played:
        assert played.opened.tools.items[0].description == "é — 漢 🎉"
        assert not any("\ufffd" in text for text in played.texts(MessageKind.RESPONSE))


async def test_a_flood_on_stderr_delays_nothing(tmp_path: Path) -> None:
    """stdio-09-stderr-flood."""
    async with connected("stdio-09-stderr-flood", tmp_path) as played:
        assert played.names() == ["a"]
        await wait_until(lambda: played.transcript.counts.stderr == 9000)


async def test_a_message_of_ten_megabytes_is_a_result_like_any_other(tmp_path: Path) -> None:
    """stdio-11-ten-megabyte-line."""
    async with connected("stdio-11-ten-megabyte-line", tmp_path) as played:
        began = time.monotonic()
        call = played.opened.tools.call(played.opened.tools.items[0], "{}")
        await call.wait()

        assert call.state is OperationState.DONE
        assert played.transcript.row(call.response_frame).size > 10 << 20
        assert time.monotonic() - began < patience(3)


async def test_two_messages_in_one_chunk_and_an_unterminated_last_one(tmp_path: Path) -> None:
    """stdio-13-two-in-one-and-tail."""
    async with connected("stdio-13-two-in-one-and-tail", tmp_path) as played:
        await wait_until(lambda: played.session.state is SessionState.CLOSED)

        assert played.names() == ["a"]
        assert len(played.frames(text='"data":"x"')) == 1
        assert "exited with code 0" in played.session.closed_reason


async def test_a_message_over_several_lines_is_explained(tmp_path: Path) -> None:
    """stdio-14-pretty-printed."""
    async with playing("stdio-14-pretty-printed", tmp_path, timeout=2.5) as played:
        failure = await failure_of(played)

        assert isinstance(failure, TimedOut)
        step = played.session.steps[-1]
        assert "each message must be a single line" in step.status_text
        lines = played.frames(kind=MessageKind.MALFORMED)
        assert played.frames(rule="L-STD-02") == lines == list(range(lines[0], lines[0] + 5))
        assert step.frame == lines[0]


async def test_a_process_that_dies_at_once_says_why(tmp_path: Path) -> None:
    """stdio-16-exit-immediately."""
    async with playing("stdio-16-exit-immediately", tmp_path) as played:
        failure = await failure_of(played)

        assert isinstance(failure, ProcessExited)
        assert "exited with code 3 after" in failure.reason
        step = played.session.steps[-1]
        assert "Error: PORTAL_KEY is not set\n    at main" in step.detail
        assert len(played.frames(kind=MessageKind.NOTE, text="started process")) == 1
        assert len(played.frames(kind=MessageKind.NOTE, text="corpus_player.py")) == 1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "not-executable.txt").write_text("text")
    return tmp_path


@pytest.mark.parametrize("variant", variants("stdio-17-command-not-found"))
async def test_a_command_that_cannot_be_started_is_told_in_plain_words(
    folder: Path, variant: int
) -> None:
    """stdio-17-command-not-found."""
    entry = _variant("stdio-17-command-not-found", variant)
    args = entry["args"]
    assert isinstance(args, list)
    profile = Profile(
        command=str(entry["command"]),
        args=tuple(map(str, args)),
        cwd=str(folder),
        env=(("PATH", f"{NODE.parent}:{os.environ['PATH']}"),),
    )
    workspace = Workspace(None)
    opened = workspace.open(profile)
    with pytest.raises((ConnectFailed, ProcessExited)) as failure:
        await opened.connect()
    await workspace.aclose()

    told = f"{failure.value.reason} {failure.value.hint} {opened.session.steps[-1].detail}"
    expected = {
        1: str(NODE.parent),
        2: "is a directory",
        3: "permission denied",
        4: "missing.js",
        5: "The command contains arguments",
    }
    assert expected[variant] in told


def _variant(name: str, number: int) -> JsonObject:
    given = case(name)["input"]
    assert isinstance(given, dict)
    entries = given["variants"]
    assert isinstance(entries, list)
    entry = entries[number - 1]
    assert isinstance(entry, dict)
    return entry


async def test_the_whole_tree_of_a_wrapper_is_ended() -> None:
    """stdio-18-child-tree: with the grace time of real sessions."""
    profile = Profile(command=sys.executable, args=("-I", "-S", "-c", WRAPPER), timeout_seconds=0.2)
    workspace = Workspace(None)
    opened = workspace.open(profile)
    transcript = opened.session.transcript
    with pytest.raises(TimedOut):
        await opened.connect()
    text = next(
        transcript.raw(n).split()
        for n in range(1, transcript.count + 1)
        if transcript.raw(n).startswith(b"stubborn")
    )
    await workspace.aclose()

    assert opened.session.state is SessionState.FAILED
    assert not lives(int(text[1]))


async def test_a_server_that_does_not_read_blocks_nobody_and_can_be_given_up(
    tmp_path: Path,
) -> None:
    """stdio-21-server-reads-slowly."""
    async with connected("stdio-21-server-reads-slowly", tmp_path) as played:
        tool = played.opened.tools.items[0]
        arguments = '{"s":"%s"}' % ("y" * 5_000_000)
        call, impatient = (
            played.opened.tools.call(tool, arguments),
            asyncio.create_task(played.session.request("ping", timeouts=Timeouts(0.3))),
        )
        with pytest.raises(TimedOut):
            await impatient
        assert call.state is OperationState.RUNNING
        call.cancel()
        await call.wait()

        assert call.state is OperationState.CANCELLED


async def test_arguments_and_environment_arrive_as_they_were_given() -> None:
    """stdio-22-env-and-quoting."""
    given = case("stdio-22-env-and-quoting")["input"]
    assert isinstance(given, dict)
    args, env = given["args"], given["env"]
    assert isinstance(args, list)
    assert isinstance(env, dict)
    profile = Profile(
        command=str(given["command"]),
        args=tuple(map(str, args)),
        env=(*((name, str(value)) for name, value in env.items()), ("PATH", str(NODE.parent))),
        revision=HANDSHAKE,
    )
    workspace = Workspace(None)
    opened = workspace.open(profile)
    with pytest.raises(ProcessExited):
        await opened.connect()
    await workspace.aclose()

    transcript = opened.session.transcript
    stderr = [
        transcript.raw(n).decode()
        for n in range(1, transcript.count + 1)
        if transcript.row(n).kind is MessageKind.STDERR
    ]
    assert stderr == ['["a b","","\\"q\\"","ü","--x=1 2"]']


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        # Variant 2 is about the shims of another system: no shell is ever used, so there is nothing to play.
        (1, "PATH was /no/bin:/no/local/bin"),
        (4, "working directory /no/such/folder does not exist"),
        (5, "does not exist"),
    ],
)
def test_the_environment_of_the_launch_is_told_when_it_is_to_blame(
    variant: int, expected: str
) -> None:
    """stdio-23-launch-environment."""
    about = str(_variant("stdio-23-launch-environment", variant)["case"])
    command = {1: "npx", 4: "node", 5: "./C:\\Program Files\\nodejs\\node.exe"}[variant]
    cwd = "/no/such/folder" if "cwd" in about else ""
    with pytest.raises(ConnectFailed) as failure:
        resolve(command, [], {"PATH": "/no/bin:/no/local/bin"}, cwd)

    assert expected in failure.value.reason


def test_an_env_block_adds_to_what_is_inherited() -> None:
    """stdio-23-launch-environment, variant 3."""
    assert "PATH must still be inherited" in str(_variant("stdio-23-launch-environment", 3)["case"])
    launch = resolve(sys.executable, [], {"ONE": "1"}, "")

    assert launch.env == {**os.environ, "ONE": "1"}


async def test_a_crash_in_a_call_is_told_and_nothing_is_sent_again(tmp_path: Path) -> None:
    """stdio-24-crash-on-call."""
    async with connected("stdio-24-crash-on-call", tmp_path) as played:
        states: list[SessionState] = []
        played.session.changed.subscribe(lambda: states.append(played.session.state))
        call = played.opened.tools.call(played.opened.tools.items[0], "{}")
        await call.wait()
        await wait_until(lambda: played.session.state is SessionState.CLOSED)

        assert call.state is OperationState.NO_RESPONSE
        assert isinstance(call.error, ProcessExited)
        assert "exited with code 1" in call.error.reason
        assert list(played.texts(MessageKind.STDERR)) == ["IndentationError: unexpected indent"]
        assert states == [SessionState.CLOSED]
        assert played.methods().count("tools/call") == 1
