"""A server from the first paste to its record on disk, for the official servers and our own; ours, but for the ids named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QMenu, QWidget

from inspector.wire.frame import Direction
from tests.e2e import work
from tests.e2e.answers import review
from tests.e2e.marked import marked, new_mark
from tests.e2e.peers import PEERS, Peer
from tests.e2e.qt_queries import spot
from tests.e2e.waits import until
from ui.shell.file_commands import recording_label

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript
    from tests.e2e.user import User

pytestmark = pytest.mark.timeout(180, method="thread")


@pytest.fixture
def mark() -> str:
    return new_mark()


@pytest.fixture(params=PEERS)
def peer(request: pytest.FixtureRequest) -> Peer:
    return PEERS[request.param]


@pytest.fixture
def command_line(request: pytest.FixtureRequest, peer: Peer, mark: str) -> str:
    return peer.command_line(request, mark)


def frames(transcript: Transcript, method: str, direction: Direction) -> list[int]:
    """The frames of that method that went that way."""
    numbers = range(1, transcript.count + 1)
    found = ((number, transcript.row(number)) for number in numbers)
    return [n for n, row in found if row.method == method and row.direction is direction]


async def test_a_pasted_command_line_is_understood_and_leads_to_the_servers_tools(
    user: User, peer: Peer, command_line: str
) -> None:
    """Ours; C-LC-01, C-STD-01, C-STD-02: the handshake is shown step by step, then what both sides declared."""
    await work.connect(user, command_line)

    names = [step.name for step in work.shown(user).session.steps]
    question = [] if peer.revision else ["Detect protocol: server/discover (2026-07-28)"]
    handshake = "Negotiate: initialize with 2025-11-25"
    assert names == ["Start process", *question, handshake, "Read lists"]
    await user.reads_soon("header_state", "Connected · stdio · 2025-11-25")
    await user.opens_tab("Overview")
    assert user.reads("overview_title") == peer.name
    assert peer.version in user.reads("overview_identity")
    declared = {row[0] for row in user.reads_rows("server_capabilities") if "yes" in row[1]}
    assert set(peer.declares) <= declared
    assert user.reads_rows("client_capabilities")
    await user.opens_tab("Tools")
    await until(
        lambda: peer.speaks.tool in [row[0] for row in user.reads_rows("tool_view")], "the tools"
    )


async def test_every_kind_of_result_is_told_apart_and_drawn(
    user: User, peer: Peer, command_line: str
) -> None:
    """Ours; C-TOOL-10, C-TOOL-11: text, structured content, pictures, and the two kinds of failure."""
    await work.connect(user, command_line)

    await work.call(user, peer.speaks)
    assert work.outcome(user) == "ok"
    await user.reads_soon("call_content", peer.speaks.seen)

    await work.call(user, peer.structures)
    await user.clicks("call_answer_views_structured")
    await user.reads_soon("call_structured", peer.structures.seen)
    await user.reads_soon("structured_check", "Valid against the output schema")

    await work.call(user, peer.draws)
    await user.clicks("call_answer_views_content")
    await until(lambda: user.sees("picture"), "the picture")

    await work.call(user, peer.fails)
    assert work.outcome(user).startswith("tool error")
    await user.reads_soon("call_content", peer.fails.seen)


async def test_a_refusal_and_a_question_are_shown_as_what_they_are(
    user: User, peer: Peer, command_line: str
) -> None:
    """C-SMP-11, C-ELI-07: the user is asked in the window, says no there, and that is seen in the traffic."""
    await work.connect(user, command_line)

    if peer.refuses is not None:
        await work.call(user, peer.refuses)
        assert work.outcome(user).startswith("JSON-RPC error")
        await user.reads_soon(peer.refused_in, peer.refuses.seen)

    if peer.asks is not None:
        made = await work.start_call(user, peer.asks)
        kind = peer.asks.seen.partition("/")[0]
        button = "sampling_reject" if kind == "sampling" else "elicitation_decline"
        await user.clicks(button, await review(user, kind))
        await until(lambda: made.is_finished, "the end of the call")
        asked = frames(user.transcript, peer.asks.seen, Direction.RECEIVED)
        assert len(asked) == 1
        exchange = user.transcript.exchange(asked[0])
        assert exchange is not None
        assert exchange.response is not None
        answer = user.transcript.raw(exchange.response)
        assert (b'"code":-1,' if kind == "sampling" else b'"decline"') in answer

    await work.call(user, peer.logs)
    await user.reads_soon("call_content", peer.logs.seen)
    await until(
        lambda: frames(user.transcript, "notifications/message", Direction.RECEIVED), "a log"
    )


async def test_progress_is_watched_and_a_call_is_given_up(
    user: User, peer: Peer, command_line: str
) -> None:
    """Ours; C-CAN-01: cancelling tells the server, and the call is cancelled on screen and in the record."""
    await work.connect(user, command_line)

    made = await work.start_call(user, peer.counts)
    await until(lambda: made.progress_count >= 2, "progress")
    await user.reads_soon("call_progress", "of 300")
    assert work.outcome(user) == "running"
    await user.clicks("cancel_button")

    await until(lambda: work.outcome(user).startswith("cancelled"), "the end")
    assert not user.sees("call_progress")
    await until(
        lambda: frames(user.transcript, "notifications/cancelled", Direction.SENT), "telling"
    )
    assert user.transcript.status(made.request_frame) == "cancelled"
    await work.call(user, peer.speaks)
    await user.reads_soon("call_content", peer.speaks.seen)


async def test_the_traffic_outlives_the_connection_and_is_read_from_disk_later(
    user: User, peer: Peer, command_line: str, mark: str
) -> None:
    """Ours: disconnecting leaves no process; the traffic stays in sight, before and after connecting again."""
    await work.connect(user, command_line)
    await work.call(user, peer.speaks)
    assert len(marked(mark)) >= 1

    await work.disconnect(user)
    await until(lambda: not marked(mark), "the end of the processes", 10)
    await user.types("traffic_filter_line", "method:tools/call")
    await until(lambda: len(user.reads_rows("traffic_table")) == 2, "the two frames of the call")
    assert not user.window.findChild(QWidget, "call_button").isEnabled()  # type: ignore[union-attr]
    first = user.transcript.path

    await user.clicks("reconnect_button")
    await until(lambda: user.transcript.path != first, "another record")
    await work.is_ready(user)
    # The call of the run before stays in sight, with the line that divides the runs.
    await until(lambda: len(user.reads_rows("traffic_table")) == 3, "both runs in one list")

    menu = next(m for m in user.window.findChildren(QMenu) if m.title() == "Open &recent")
    assert first is not None
    await user.chooses_entry(menu, recording_label(first))
    await user.reads_soon("header_state", "Recording, read-only")
    await until(lambda: len(user.reads_rows("traffic_table")) == 2, "the old call")
    await user.chooses_row("traffic_table", "tools/call")
    await until(lambda: spot(QWidget, "page_tools", user.window) is not None, "recorded pages")
    assert not user.window.findChild(QWidget, "call_button").isEnabled()  # type: ignore[union-attr]
