"""The details of an operation while it runs, and where its messages are large, gone or wrong; ours throughout."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QPushButton

from inspector.finding import Finding, Severity
from inspector.transcript.large_frames import LARGE_BYTES
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.recordings import open_whole
from tests.support.wait import wait_until
from tests.ui.traffic.operations.hands import mode, names
from ui.models.timeline import timeline_of
from ui.traffic.frame_details import Tab
from ui.traffic.operations.details import View
from ui.widgets.error_panel import ErrorPanel

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.support.talk import Talk
    from ui.traffic.operations.details import OperationDetails
    from ui.traffic.panel import TrafficPanel

LARGE = {"jsonrpc": "2.0", "id": 7, "result": {"rows": ["a" * 99] * (LARGE_BYTES // 80)}}


@pytest.fixture
async def recorded(tmp_path: Path) -> Transcript:
    """Two calls, the second with a large response, read from their file."""
    path = tmp_path / "large.spyglass"
    live = Transcript.create(path)
    for id_ in (6, 7):
        call = {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": {"name": "big"}}
        live.append(Direction.SENT, Channel.STDIN, [RawChunk(json.dumps(call).encode())])
    live.append(Direction.RECEIVED, Channel.STDOUT, [RawChunk(json.dumps(LARGE).encode())])
    for _ in range(2):  # what is in memory of a recording are its latest frames
        live.append(Direction.RECEIVED, Channel.STDERR, [RawChunk(b"x" * (3 << 20))])
    await live.aclose()
    return (await open_whole(path)).transcript


def details_of(panel: TrafficPanel, row: int) -> OperationDetails:
    mode(panel).table.go_to_row(row)
    return mode(panel).details


def test_the_parts_of_the_time_are_displayed_where_there_are_any_and_height_for_them(
    panel: TrafficPanel,
) -> None:
    """Ours: whichever comes first, the operation or the height."""
    details = details_of(panel, 2)
    for height in (400, 120):
        details.resize(600, height)
        assert details.split.isHidden() is (height < 200)
        details.refresh(0.0)
        assert details.split.isHidden() is (height < 200)
    details.split.show_split(None)
    details.resize(600, 401)
    assert details.split.isHidden()


def test_the_tree_stays_as_it_was_arranged_while_frames_arrive(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours."""
    details = details_of(panel, 3)
    assert details.message.json.reveal("/params/name")
    frames = details.sequence.rowCount()
    talk.log("on the way")
    panel.model.feed.pull()
    assert details.sequence.rowCount() == frames + 1
    current = details.message.json.tree.current()
    assert current is not None
    assert current.key == "name"


def test_a_response_that_arrives_is_displayed(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: where its part is in front."""
    details = details_of(panel, 3)
    details.show_view(View.RESPONSE)
    assert not details.message.json.isVisible()
    talk.result(5, rows=3)
    panel.model.feed.pull()
    assert details.message.json.isVisible()
    assert details.message.json.tree.value() == {"jsonrpc": "2.0", "id": 5, "result": {"rows": 3}}


@pytest.mark.usefixtures("small_cache")
async def test_a_large_response_is_read_beside_the_loop(
    panel: TrafficPanel, recorded: Transcript
) -> None:
    """Ours: until it is read the details say so."""
    panel.set_timeline(timeline_of(recorded))
    details = details_of(panel, 1)
    assert details.message.json.isVisible()
    assert not recorded.contents.is_at_hand(3)
    details.show_view(View.RESPONSE)
    assert not details.message.json.isVisible()
    await wait_until(details.message.json.isVisible)
    assert details.message.json.tree.value() == LARGE


@pytest.mark.usefixtures("small_cache")
async def test_what_cannot_be_read_says_why_and_nothing_else(
    panel: TrafficPanel, recorded: Transcript
) -> None:
    """Ours: the JSON of the operation before is not left below."""
    panel.set_timeline(timeline_of(recorded))
    details = details_of(panel, 0)
    assert details.message.json.isVisible()
    assert recorded.path is not None
    recorded.path.unlink()
    details_of(panel, 1)
    details.show_view(View.RESPONSE)
    failure = details.findChild(ErrorPanel, "operation_failure")
    assert failure is not None
    await wait_until(failure.isVisible)
    assert not details.message.json.isVisible()
    details.show_view(View.SEQUENCE)
    assert not failure.isVisible()


@pytest.mark.parametrize(
    ("frame", "pointer", "view"),
    [
        (7, "/params/name", View.REQUEST),
        (13, "/result/content", View.RESPONSE),
        (8, "/params", None),
    ],
)
def test_a_problem_leads_to_the_frame_it_is_about(
    panel: TrafficPanel, talk: Talk, frame: int, pointer: str, view: View | None
) -> None:
    """Ours: the request, the response, or one that was sent in between, which has a row of its own."""
    talk.transcript.add_finding(frame, Finding("wrong", Severity.ERROR, "Wrong", pointer))
    details = details_of(panel, 2)
    details.show_view(View.PROBLEMS)
    place = details.problems.findChild(QPushButton, "traffic_problem_place")
    assert place is not None
    place.click()
    tree = details.message.json.tree if view else panel.detail.tree.tree
    if view is not None:
        assert details.view() is view
    else:
        assert panel.detail.number() == frame
        assert panel.detail.current_tab() is Tab.TREE
        assert len(names(panel)) > 4
    assert tree.isVisible()
    current = tree.current()
    assert current is not None
    assert current.key == pointer.rsplit("/", 1)[-1]


def test_problems_of_a_running_operation_are_listed_as_they_come(
    panel: TrafficPanel, talk: Talk, qtbot: QtBot
) -> None:
    """Ours: at intervals, because thousands of frames are looked at for it."""
    details = details_of(panel, 3)
    number = talk.log("wrong")
    talk.transcript.add_finding(number, Finding("wrong", Severity.ERROR, "Wrong", "/params"))
    panel.model.feed.pull()
    qtbot.waitUntil(
        lambda: details.problems.findChild(QPushButton, "traffic_problem_place") is not None
    )
