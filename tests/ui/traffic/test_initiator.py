"""The details of a frame say who began it and with which operation, and lead there; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QPushButton

from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.ui.traffic.operations.hands import mode
from ui.navigator import navigator_of
from ui.traffic.frame_details import Tab

if TYPE_CHECKING:
    import pytest
    from pytestqt.qtbot import QtBot

    from inspector.compare.compared_frame import ComparedFrame
    from tests.support.talk import Talk
    from ui.traffic.panel import TrafficPanel


def facts(panel: TrafficPanel, number: int) -> dict[str, str]:
    panel.select_frame(number)
    panel.detail.show_tab(Tab.TIMING)
    return {fact.name: fact.value for fact in panel.detail.timing.facts.facts()}


def button(panel: TrafficPanel, name: str) -> QPushButton:
    found = panel.findChild(QPushButton, name)
    assert isinstance(found, QPushButton)
    return found


def test_who_began_a_frame_is_named(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: the user, Spyglass or the server, and what for."""
    initialize = talk.request("i", "initialize")
    edited = talk.request("e", "ping")
    talk.transcript.annotations.set_edited(edited)
    note = talk.note("started", "started")
    found = {
        number: facts(panel, number)["Initiator"] for number in (1, initialize, edited, note, 3)
    }
    assert found[1] == "You · tool call"
    assert found[initialize] == "Spyglass · connecting"
    assert found[edited] == "You · message that you edited"
    assert found[note] == "Spyglass · note"
    assert found[3] == "Server"


def test_what_belongs_to_an_operation_names_it_and_leads_to_it(panel: TrafficPanel) -> None:
    """Ours: also a line on stderr, while one operation alone was pending."""
    found = facts(panel, 5)
    assert found["Operation"] == "#4 tools/call slow"
    assert found["Initiator"] == "You · tool call"
    assert "Operation" not in facts(panel, 4)
    assert not button(panel, "traffic_operation").isVisible()

    panel.select_frame(5)
    button(panel, "traffic_operation").click()

    assert panel.detail.number() == 4
    assert panel.table.current_number() == 4


def test_an_operation_that_takes_long_to_find_is_filled_in(
    panel: TrafficPanel, talk: Talk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: it is searched for in short turns, and the other details are there at once."""
    monkeypatch.setattr("ui.traffic.initiator.LOOK_S", 0.0)
    talk.flood(300)
    talk.text_result(2, "done")
    talk.call(9, "late")
    number = talk.stderr(b"while it is pending")
    assert "Operation" not in facts(panel, number)

    timing = panel.detail.timing
    qtbot.waitUntil(lambda: "Operation" in {fact.name for fact in timing.facts.facts()})
    assert button(panel, "traffic_operation").isVisible()


def test_the_time_of_an_http_request_divides(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: until it was sent, until its response began, until that ended; nothing of the kind over a pipe."""
    append, transcript = talk.transcript.append, talk.transcript
    append(Direction.SENT, Channel.BODY, [RawChunk(b'{"jsonrpc":"2.0","id":9,"method":"ping"}')])
    opener = transcript.count
    talk.wait(0.004)
    append(Direction.SENT, Channel.HTTP, [RawChunk(b"POST / HTTP/1.1\r\nHost: x")], opener)
    talk.wait(0.020)
    append(Direction.RECEIVED, Channel.HTTP, [RawChunk(b"HTTP/1.1 200 OK")], opener)
    talk.wait(0.006)
    append(
        Direction.RECEIVED,
        Channel.BODY,
        [RawChunk(b'{"jsonrpc":"2.0","id":9,"result":{}}')],
        opener,
    )
    expected = "4.0 ms until sent, 20 ms waiting, 6.0 ms receiving"
    assert facts(panel, opener)["Connection"] == expected
    assert "Connection" not in facts(panel, 1)


def test_an_operation_is_repeated_and_compared_from_its_details(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: with the one before of the same tool, or the next where it is the first."""
    again = talk.call(3, "get_sum", a=1, b=1)
    panel.modes.set_mode("operations")
    repeated: list[ComparedFrame] = []
    compared: list[tuple[int, int]] = []
    navigator = navigator_of(panel)
    navigator.repeat_requested.connect(repeated.append)

    def compare(before: ComparedFrame, after: ComparedFrame) -> None:
        compared.append((before.number, after.number))

    navigator.comparison_requested.connect(compare)
    for number in (again, 1, 4):
        panel.select_frame(number)
        assert mode(panel).details.isVisible()
        button(panel, "operation_repeat").click()
        button(panel, "operation_compare").click()

    assert [each.number for each in repeated] == [again, 1, 4]
    assert compared == [(1, again), (1, again)]
    assert "nothing of this kind" in panel.bar.state.whole_text()


def test_what_is_no_message_is_not_colored_as_one(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: a line on stderr is text, whatever words are in it."""

    def colored() -> bool:
        layout = panel.detail.raw.edit.document().firstBlock().layout()
        return any(
            each.format.foreground().color() != QTextCharFormat().foreground().color()
            for each in layout.formats()
        )

    number = talk.stderr(b"most recent null true")
    panel.select_frame(number)
    assert panel.detail.current_tab() is Tab.RAW
    assert not colored()
    panel.select_frame(1)
    panel.detail.show_tab(Tab.RAW)
    assert colored()
