"""Servers that fail, each in its own way: the window says what happened, nothing hangs, no process is left; ours, but for the ids."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from inspector.wire.frame import Channel, Direction
from inspector.wire.message import MessageKind
from tests.e2e import work
from tests.e2e.marked import marked, new_mark
from tests.e2e.peers import DEMO, Act
from tests.e2e.waits import patience, until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tests.e2e.user import User

pytestmark = pytest.mark.timeout(180, method="thread")

WAIT = Act("Wait", {"/seconds": "3600"})
FLOOD = Act("Fault: a flood of messages", {"/count": "20000"})
LATE = Act("Fault: an answer after all", {"/seconds": "1.5"})
NOISE = Act("Fault: noise on stdout")
BROKEN_UTF8 = Act("Fault: invalid UTF-8")
MUTE = Act("Fault: stdout closed")

SILENT_STEP_SECONDS = "0.5"


@pytest.fixture
async def mark(user: User) -> AsyncGenerator[str]:
    """Words for the command line of the server; whatever has them must be gone when Spyglass was told to let go."""
    mark = new_mark()
    yield mark
    if user.app.controller.is_live:
        await work.disconnect(user)
    await until(lambda: not marked(mark), "the end of every process", 10)


def program(code: str, mark: str) -> str:
    """The command line of a small server."""
    return shlex.join([sys.executable, "-I", "-c", code, mark])


def demo(mark: str, *switches: str) -> str:
    """The command line of our own server."""
    return shlex.join([*DEMO.argv_alone(), *switches, "--exit-words", mark])


def notes(user: User) -> list[str]:
    """Spyglass's own remarks in the record."""
    transcript = user.transcript
    numbers = range(1, transcript.count + 1)
    kinds = transcript.columns.kind
    return [transcript.raw(n).decode() for n in numbers if kinds[n - 1] == MessageKind.NOTE]


async def test_a_server_killed_in_a_call_loses_the_call_and_says_by_what(
    user: User, mark: str
) -> None:
    """Ours."""
    await work.connect(user, demo(mark))
    made = await work.start_call(user, WAIT)
    await until(lambda: made.request_frame, "the request to leave")

    for pid in marked(mark):
        os.kill(pid, signal.SIGKILL)

    await until(lambda: made.state == "no response", "the end of the call")
    await until(lambda: work.outcome(user).startswith("no response"), "the words")
    await user.reads_soon("header_state", "SIGKILL")
    assert user.transcript.status(made.request_frame) == "no response"
    assert any("killed by SIGKILL" in note for note in notes(user))
    await user.clicks("reconnect_button")
    await until(lambda: user.app.controller.is_connected, "another session")
    await work.is_ready(user)


async def test_a_server_that_exits_at_once_is_quoted(user: User, mark: str) -> None:
    """Ours: code, time and what it said on stderr."""
    await work.begin(user, demo(mark, "--exit", "3"))

    await user.reads_soon("connection_steps", "exited with code 3")
    await user.reads_soon("connection_steps", mark)
    await user.reads_soon("steps_title", "Connection failed")
    assert "Failed" in user.reads("header_state")
    await user.types("traffic_filter_line", "kind:stderr")
    await until(lambda: len(_lines(user, mark)) == 2, "a line for each start")


def _lines(user: User, text: str) -> list[list[str]]:
    """The rows of the traffic with a text in them."""
    return [row for row in user.reads_rows("traffic_table") if text in " ".join(row)]


async def test_a_command_that_is_not_there_is_told_with_where_it_was_looked_for(
    user: User,
) -> None:
    """Ours."""
    await work.begin(user, "no-such-program-of-ours --port 3")

    await user.reads_soon("connection_steps", "`no-such-program-of-ours` is not on PATH")
    await user.reads_soon("connection_steps", os.environ["PATH"].split(":")[0])
    await user.clicks("edit_profile")
    editor = await user.finds_window("server_editor")
    await user.types("command", sys.executable, editor)
    await user.clicks("cancel_edit", editor)
    await user.clicks("discard_edit", editor)


async def test_a_server_that_never_answers_times_out_in_words(user: User, mark: str) -> None:
    """Ours; C-LC-08: the handshake is given up without a word to the server, which is then ended."""
    await work.begin(user, demo(mark, "--silent"), {"timeout": SILENT_STEP_SECONDS})

    await user.reads_soon("connection_steps", "no response to server/discover within 0.5 s")
    await user.reads_soon("connection_steps", "Timed out after")
    await user.reads_soon("steps_title", "Connection failed")
    sent = [
        user.transcript.row(number).method
        for number in range(1, user.transcript.count + 1)
        if user.transcript.row(number).direction is Direction.SENT
    ]
    assert sent == ["server/discover", "initialize"]


async def test_an_answer_after_the_time_limit_is_shown_as_late(user: User, mark: str) -> None:
    """Ours; C-CAN-01: the server is told that nobody waits any more."""
    await work.connect(user, demo(mark))
    await work.choose_tool(user, LATE.tool)
    await user.clicks("limits_button")
    for name in ("limit_idle", "limit_total"):
        await user.types(name, SILENT_STEP_SECONDS)
    made = await work.start_call(user, LATE)

    await until(lambda: made.state == "timed out", "the limit")
    await until(lambda: "late response" in work.outcome(user), "the late answer")
    await user.clicks("call_answer_views_raw")
    await user.reads_soon("call_answer_raw", "come what may")
    assert user.transcript.exchange(made.request_frame).late  # type: ignore[union-attr]
    assert any("timed-out" in note for note in notes(user))


async def test_twenty_thousand_notifications_all_arrive_while_the_window_is_used(
    user: User, mark: str
) -> None:
    """Ours: the answer behind them is shown, the rows are all there, and filtering works meanwhile."""
    await work.connect(user, demo(mark))
    made = await work.start_call(user, FLOOD)
    await user.opens_tab("Overview")
    await user.reads_soon("overview_title", DEMO.name)
    await user.opens_tab("Tools")

    await until(lambda: made.is_finished, "the answer behind the flood", 15)
    await until(lambda: work.outcome(user) == "ok", "its words")
    method = user.transcript.columns.methods.texts.index("notifications/message")
    assert user.transcript.columns.method.count(method) == 20_000
    await user.types("traffic_filter_line", "method:tools/call")
    model = user.window.parts.traffic.model
    await until(lambda: model.rowCount() == 2, "the call alone")
    await user.types("traffic_filter_line", "")
    await until(lambda: model.rowCount() == user.transcript.count, "every row")


async def test_rubbish_between_messages_is_shown_and_does_no_harm(user: User, mark: str) -> None:
    """Ours: a problem each, beside those of the lists of the demo server, and the session goes on."""
    await work.connect(user, demo(mark))
    await work.call(user, NOISE)
    await work.call(user, BROKEN_UTF8)
    await work.call(user, DEMO.speaks)

    await user.reads_soon("call_content", DEMO.speaks.seen)
    await until(lambda: user.transcript.counts.problems >= 2, "both problems to be told")
    await user.types("traffic_filter_line", "problem:")
    await until(
        lambda: len(user.reads_rows("traffic_table")) == user.transcript.counts.problems >= 2,
        "the rubbish",
    )


BINARY = """
import os, sys
sys.stdout.buffer.write(os.urandom(200_000) + bytes(range(256)) * 20)
sys.stdout.buffer.flush()
sys.stdin.buffer.read()
"""


async def test_binary_instead_of_a_greeting_is_blamed_for_the_failure(
    user: User, mark: str
) -> None:
    """Ours."""
    await work.begin(user, program(BINARY, mark), {"timeout": "1"})

    await user.reads_soon("steps_title", "Connection failed")
    await user.reads_soon("connection_steps", "stdout")
    assert user.transcript.counts.problems >= 1
    kept = sum(
        len(user.transcript.raw(number)) + 1
        for number in range(1, user.transcript.count + 1)
        if user.transcript.row(number).channel is Channel.STDOUT
    )
    assert 205_000 <= kept <= 205_121


async def test_a_server_that_closes_its_stdout_and_lives_on_is_let_go(
    user: User, mark: str
) -> None:
    """Ours; C-STD-14."""
    await work.connect(user, demo(mark))
    await work.call(user, MUTE)

    await user.reads_soon("header_state", "closed stdout")
    await until(lambda: not marked(mark), "the end of the process", 10)
    assert any("closed stdout" in note for note in notes(user))
    await user.reads_soon("call_problem", "not connected")


DEAF = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-I", "-c", "import time; time.sleep(3600)", sys.argv[1]])
time.sleep(3600)
"""


async def test_cancelling_a_connection_ends_even_a_stubborn_server_with_its_children(
    user: User, mark: str
) -> None:
    """Ours: stdin closed, SIGTERM, SIGKILL for the whole group."""
    await work.begin(user, program(DEAF, mark))
    await until(lambda: len(marked(mark)) == 2, "the server and its child")

    await user.clicks("reconnect_button")

    await until(lambda: not marked(mark), "the end of both", 10)
    await until(lambda: not user.app.controller.is_live, "the end of the session", patience())
