"""What can be done with rows: copying, narrowing, sending again; ours, and the corpus where it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from inspector.compare.compared_frame import ComparedFrame
from inspector.export.formats import CURL, FORMATS, INDENTED_JSON, JSON_LINES, MARKDOWN, RAW, Format
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from inspector.wire.redaction import MASK
from tests.ui.traffic.hands import choose, chosen_texts, numbers, press
from ui.navigator import navigator_of
from ui.traffic.row_actions import make_menu

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript
    from tests.support.talk import Talk
    from ui.traffic.panel import TrafficPanel

COPIED = (RAW, INDENTED_JSON, JSON_LINES, MARKDOWN, CURL)
"""The formats that hold what a frame holds."""


def test_frames_are_copied_as_they_were(panel: TrafficPanel, talk: Talk) -> None:
    """text-05-copy-exactness."""
    number = talk.received('{"method":"x", "params":{"t":"a\u202eb"},"n":1.50}'.encode())
    panel.select_frame(number)

    press(panel.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    raw = QGuiApplication.clipboard().text()
    panel.row_actions.copy(INDENTED_JSON)
    pretty = QGuiApplication.clipboard().text()

    assert raw.encode() == talk.transcript.raw(number)
    assert pretty.splitlines()[-2] == '  "n": 1.50'


def test_the_selection_is_copied_as_json_lines(panel: TrafficPanel) -> None:
    """Ours."""
    panel.table.selectAll()
    panel.row_actions.copy(JSON_LINES)

    lines = QGuiApplication.clipboard().text().splitlines()

    assert len(lines) == 5
    assert (
        '"direction":"out","channel":"stdin","kind":"request","message":{"jsonrpc":"2.0"'
        in lines[0]
    )
    assert lines[4].endswith('"kind":"stderr","raw":"warming up"}')


def test_the_menu_of_a_row_narrows_the_filter(panel: TrafficPanel) -> None:
    """Ours."""
    panel.select_frame(1)
    panel.row_actions.open_menu(panel.table.rect().center())
    menu = panel.table.findChild(QMenu, "traffic_row_menu")
    assert isinstance(menu, QMenu)
    assert "Only tool get_sum" in chosen_texts(menu)

    choose(menu, "Only tool get_sum")
    menu.close()

    assert panel.filter_text() == "tool:get_sum"
    assert numbers(panel) == [1, 2]


def test_a_request_of_ours_can_be_repeated(panel: TrafficPanel, talk: Talk) -> None:
    """Ours."""
    wanted: list[ComparedFrame] = []
    navigator_of(panel).repeat_requested.connect(wanted.append)

    panel.select_frame(2)
    press(panel.table, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    panel.select_frame(1)
    press(panel.table, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)

    assert wanted == [ComparedFrame(talk.transcript, 1)]


def test_lines_on_standard_error_can_be_left_out_unless_asked_for(panel: TrafficPanel) -> None:
    """Ours."""
    panel.filtering.show_stderr(False)
    assert numbers(panel) == [1, 2, 3, 4]

    panel.set_filter("kind:stderr")
    assert numbers(panel) == [5]


@pytest.mark.parametrize("format_", COPIED, ids=lambda each: each.key)
def test_what_was_copied_has_room_in_the_bar(
    panel: TrafficPanel, talk: Talk, format_: Format
) -> None:
    """Ours: also with the hint that secrets are hidden."""
    append, transcript = talk.transcript.append, talk.transcript
    append(Direction.SENT, Channel.BODY, [RawChunk(b'{"jsonrpc":"2.0","method":"x"}')])
    header = b"POST / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer abc"
    append(Direction.SENT, Channel.HTTP, [RawChunk(header)], transcript.count)
    panel.set_filter("kind:http")
    panel.select_frame(transcript.count)

    panel.row_actions.copy(format_)

    state = panel.bar.state
    assert MASK in QGuiApplication.clipboard().text()
    assert state.text()
    assert state.sizeHint().width() <= state.width()


def test_the_menu_offers_a_format_more_without_further_code(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: formats are rows."""

    def sizes(transcript: Transcript, numbers: Iterable[int], masking: Masking) -> Iterator[str]:
        return (str(len(masking.apply(each, transcript.raw(each)))) for each in numbers)

    row = Format("sizes", "sizes", "Copy sizes", sizes)
    panel.select_frame(2)
    menu = make_menu(talk.transcript, 2, panel.row_actions, panel, (*FORMATS, row))
    choose(menu, "Copy sizes")
    menu.close()

    assert QGuiApplication.clipboard().text() == str(len(talk.transcript.raw(2)))
