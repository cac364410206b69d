"""A frame of many megabytes is read beside the loop: its row and its details come without it; ours throughout."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from inspector.transcript.large_frames import LARGE_BYTES, TOLERANT_BYTES
from inspector.transcript.transcript import Transcript
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.recordings import open_whole
from tests.support.wait import wait_until
from ui.models.timeline import timeline_of
from ui.traffic.frame_details import Tab
from ui.traffic.panel import TrafficPanel

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

LARGE = {"jsonrpc": "2.0", "id": 7, "result": {"rows": ["a" * 99] * (LARGE_BYTES // 80)}}
RAW = json.dumps(LARGE).encode()
EVENT = b"event: message\ndata: %b\n\n" % RAW


pytestmark = pytest.mark.usefixtures("small_cache")


@pytest.fixture
async def recorded(tmp_path: Path) -> Transcript:
    """A request, two large responses and a small note, read from their file."""
    path = tmp_path / "large.spyglass"
    live = Transcript.create(path)
    call = b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"big"}}'
    live.append(Direction.SENT, Channel.STDIN, [RawChunk(call)])
    live.append(Direction.RECEIVED, Channel.STDOUT, [RawChunk(RAW)])
    live.append(Direction.RECEIVED, Channel.SSE, [RawChunk(EVENT)])
    for _ in range(2):  # what is in memory of a recording are its latest frames
        live.append(Direction.RECEIVED, Channel.STDERR, [RawChunk(b"x" * (3 << 20))])
    await live.aclose()
    return (await open_whole(path)).transcript


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme, recorded: Transcript) -> TrafficPanel:
    """The panel with that recording."""
    panel = TrafficPanel(theme=theme)
    qtbot.addWidget(panel)
    panel.resize(1200, 400)
    panel.show()
    panel.set_timeline(timeline_of(recorded))
    return panel


@pytest.mark.parametrize("number", [2, 3])
async def test_a_large_frame_comes_when_it_is_read(
    panel: TrafficPanel, recorded: Transcript, number: int
) -> None:
    """Ours: until then the details say so."""
    assert not recorded.contents.is_at_hand(number)

    panel.select_frame(number)

    details = panel.detail
    assert not details.tabs.isVisible()
    await wait_until(details.tabs.isVisible)
    details.show_tab(Tab.TREE)
    assert details.tree.tree.value() == LARGE
    details.show_tab(Tab.RAW)
    assert details.raw.text().encode() == recorded.raw(number)
    assert recorded.contents.is_at_hand(number)


async def test_a_frame_that_needs_a_tolerance_is_read_beside_the_loop_although_it_is_smaller(
    panel: TrafficPanel,
) -> None:
    """Ours: decoding it takes as long."""
    raw = b'{"jsonrpc":"2.0","id":7,"result":["%b",NaN]}' % (b"a" * TOLERANT_BYTES)
    live = Transcript()
    for line in (raw, RAW):  # the latest one is kept decoded
        live.append(Direction.RECEIVED, Channel.STDOUT, [RawChunk(line)])
    panel.set_timeline(timeline_of(live))

    panel.select_frame(1)

    details = panel.detail
    assert not details.tabs.isVisible()
    await wait_until(details.tabs.isVisible)
    details.show_tab(Tab.TREE)
    assert isinstance(value := details.tree.tree.value(), dict)
    assert json_codec.write(value) == raw.decode()


async def test_a_large_frame_is_let_go_when_another_is_shown(
    panel: TrafficPanel, recorded: Transcript
) -> None:
    """Ours: one of them is in memory at most."""
    panel.select_frame(2)
    await wait_until(panel.detail.tabs.isVisible)

    panel.select_frame(1)

    assert panel.detail.tabs.isVisible()
    assert not recorded.contents.is_at_hand(2)


async def test_another_frame_that_is_chosen_meanwhile_is_the_one_shown(
    panel: TrafficPanel, recorded: Transcript
) -> None:
    """Ours."""
    panel.select_frame(2)
    panel.select_frame(1)

    await wait_until(panel.detail.tabs.isVisible)

    assert panel.detail.number() == 1
    panel.detail.show_tab(Tab.RAW)
    assert panel.detail.raw.text().encode() == recorded.raw(1)


@pytest.mark.parametrize("number", [2, 3])
async def test_the_row_of_a_large_frame_shows_its_beginning(
    panel: TrafficPanel, recorded: Transcript, number: int
) -> None:
    """Ours: the whole is not read for it."""
    texts = panel.model.painted_row(number - 1).texts

    assert any('"jsonrpc": "2.0", "id": 7' in text for text in texts)
    assert not recorded.contents.is_at_hand(number)


async def test_the_beginning_of_a_frame_is_that_of_its_bytes(recorded: Transcript) -> None:
    """Ours: in memory or in the file."""
    for number in range(1, recorded.count + 1):
        assert recorded.contents.beginning(number, 500) == recorded.raw(number)[:500]


async def test_a_frame_that_cannot_be_read_any_more_says_why(
    panel: TrafficPanel, recorded: Transcript
) -> None:
    """Ours."""
    assert recorded.path is not None
    recorded.path.unlink()

    panel.select_frame(2)

    await wait_until(lambda: not panel.detail.failure.isHidden())
