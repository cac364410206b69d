"""A server from the first paste to its record on disk, for the official servers and our own; ours, but for the ids named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QMenu, QWidget

from inspector.wire.frame import Direction
from tests.e2e import work
from tests.e2e.eyes import spot
from tests.e2e.marked import marked, new_mark
from tests.e2e.patience import until
from tests.e2e.peers import PEERS, Peer
from ui.shell.file_commands import recording_label

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript
    from tests.e2e.person import Person

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
    person: Person, peer: Peer, command_line: str
) -> None:
    """Ours; C-LC-01, C-STD-01, C-STD-02: the handshake is shown step by step, then what both sides declared."""
    await work.connect(person, command_line)

    names = [step.name for step in work.shown(person).session.steps]
    question = [] if peer.revision else ["Find out the era: server/discover with 2026-07-28"]
    handshake = "Negotiate: initialize with 2025-11-25"
    assert names == ["Start process", *question, handshake, "Read lists"]
    await person.reads_soon("header_state", "connected · stdio · 2025-11-25")
    await person.opens_tab("Overview")
    assert person.reads("overview_title") == peer.name
    assert peer.version in person.reads("overview_identity")
    declared = {row[0] for row in person.reads_rows("server_capabilities") if "yes" in row[1]}
    assert set(peer.declares) <= declared
    assert person.reads_rows("client_capabilities")
    await person.opens_tab("Tools")
    await until(
        lambda: peer.speaks.tool in [row[0] for row in person.reads_rows("tool_view")], "the tools"
    )


async def test_every_kind_of_result_is_told_apart_and_drawn(
    person: Person, peer: Peer, command_line: str
) -> None:
    """Ours; C-TOOL-10, C-TOOL-11: text, structured content, pictures, and the two kinds of failure."""
    await work.connect(person, command_line)

    await work.call(person, peer.speaks)
    assert work.outcome(person) == "ok"
    await person.reads_soon("result_content", peer.speaks.seen)

    await work.call(person, peer.structures)
    await person.clicks("result_views_structured")
    await person.reads_soon("result_structured", peer.structures.seen)
    await person.reads_soon("structured_check", "Valid against the output schema")

    await work.call(person, peer.draws)
    await person.clicks("result_views_content")
    await until(lambda: person.sees("picture"), "the picture")

    await work.call(person, peer.fails)
    assert work.outcome(person).startswith("tool error")
    await person.reads_soon("result_content", peer.fails.seen)


async def test_a_refusal_and_a_question_are_shown_as_what_they_are(
    person: Person, peer: Peer, command_line: str
) -> None:
    """C-SMP-11, C-ELI-07: the person is asked in the window, says no there, and that is seen in the traffic."""
    await work.connect(person, command_line)

    if peer.refuses is not None:
        await work.call(person, peer.refuses)
        assert work.outcome(person).startswith("JSON-RPC error")
        await person.reads_soon(peer.refused_in, peer.refuses.seen)

    if peer.asks is not None:
        made = await work.start_call(person, peer.asks)
        await person.reads_soon("header_requests", "1 request")
        await person.clicks("header_requests")
        kind = peer.asks.seen.partition("/")[0]
        button = "sampling_reject" if kind == "sampling" else "elicitation_decline"
        await person.clicks(button, await person.finds_window(f"sheet_{kind}"))
        await until(lambda: made.is_over, "the end of the call")
        asked = frames(person.transcript, peer.asks.seen, Direction.RECEIVED)
        assert len(asked) == 1
        exchange = person.transcript.exchange(asked[0])
        assert exchange is not None
        assert exchange.response is not None
        answer = person.transcript.raw(exchange.response)
        assert (b'"code":-1,' if kind == "sampling" else b'"decline"') in answer

    await work.call(person, peer.logs)
    await person.reads_soon("result_content", peer.logs.seen)
    await until(
        lambda: frames(person.transcript, "notifications/message", Direction.RECEIVED), "a log"
    )


async def test_progress_is_watched_and_a_call_is_given_up(
    person: Person, peer: Peer, command_line: str
) -> None:
    """Ours; C-CAN-01: cancelling tells the server, and the call is cancelled on screen and in the record."""
    await work.connect(person, command_line)

    made = await work.start_call(person, peer.counts)
    await until(lambda: made.progress_count >= 2, "progress")
    await person.reads_soon("call_progress", "of 300")
    assert work.outcome(person) == "running"
    await person.clicks("cancel_button")

    await until(lambda: work.outcome(person).startswith("cancelled"), "the end")
    assert not person.sees("call_progress")
    await until(
        lambda: frames(person.transcript, "notifications/cancelled", Direction.SENT), "telling"
    )
    assert person.transcript.status(made.request_frame) == "cancelled"
    await work.call(person, peer.speaks)
    await person.reads_soon("result_content", peer.speaks.seen)


async def test_the_traffic_outlives_the_connection_and_is_read_from_disk_later(
    person: Person, peer: Peer, command_line: str, mark: str
) -> None:
    """Ours: disconnecting leaves no process; the traffic stays in sight, before and after connecting again."""
    await work.connect(person, command_line)
    await work.call(person, peer.speaks)
    assert len(marked(mark)) >= 1

    await work.disconnect(person)
    await until(lambda: not marked(mark), "the end of the processes", 10)
    await person.types("traffic_filter_line", "method:tools/call")
    await until(lambda: len(person.reads_rows("traffic_table")) == 2, "the two frames of the call")
    assert not person.window.findChild(QWidget, "call_button").isEnabled()  # type: ignore[union-attr]
    first = person.transcript.path

    await person.clicks("reconnect_button")
    await until(lambda: person.transcript.path != first, "another record")
    await work.is_ready(person)
    # The call of the run before stays in sight, with the line that divides the runs.
    await until(lambda: len(person.reads_rows("traffic_table")) == 3, "both runs in one list")

    menu = next(m for m in person.window.findChildren(QMenu) if m.title() == "Open &recent")
    assert first is not None
    await person.chooses_entry(menu, recording_label(first))
    await person.reads_soon("header_state", "recording, read-only")
    await until(lambda: len(person.reads_rows("traffic_table")) == 2, "the old call")
    await person.chooses_row("traffic_table", "tools/call")
    assert spot(QWidget, "workbench_record", person.window) is not None
