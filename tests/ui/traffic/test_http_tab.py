"""The HTTP exchange of a frame, its secrets, and what is copied of it; ours throughout (security duties 10 and 15)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QPushButton

from inspector.compare.compared_frame import ComparedFrame
from inspector.export.formats import CURL, INDENTED_JSON, JSON_LINES, MARKDOWN, RAW, Format
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from inspector.wire.redaction import MASK
from tests.ui.traffic.hands import choose, chosen_texts, entries
from ui.navigator import navigator_of
from ui.traffic.frame_details import Tab

if TYPE_CHECKING:
    from tests.support.talk import Talk
    from ui.traffic.panel import TrafficPanel

COPIED = (RAW, INDENTED_JSON, JSON_LINES, MARKDOWN, CURL)
"""The formats that hold what a frame holds."""

CALL = b'{"jsonrpc":"2.0","id":3,"method":"ping"}'
ASKED = (
    b"POST /mcp?api_key=k1 HTTP/1.1\r\nHost: x.example\r\naccept: application/json\r\n"
    b"Authorization: Bearer abc\r\nMcp-Session-Id: s-1\r\nX-Odd-CASE:  two  spaces"
)
ANSWERED = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nSet-Cookie: a=b"


@pytest.fixture
def call(talk: Talk) -> int:
    """A call over HTTP with a stream: the number of its message."""
    append, transcript = talk.transcript.append, talk.transcript
    talk.note("opened", "messages go there", url="https://x.example/mcp?api_key=k1")
    append(Direction.SENT, Channel.BODY, [RawChunk(CALL)])
    number = transcript.count
    append(Direction.SENT, Channel.HTTP, [RawChunk(ASKED)], number)
    talk.wait(0.012)
    append(Direction.RECEIVED, Channel.HTTP, [RawChunk(ANSWERED)], number)
    talk.wait(0.030)
    event = b'data: {"jsonrpc":"2.0","id":3,"result":{}}\n\n'
    append(Direction.RECEIVED, Channel.SSE, [RawChunk(event)], number)
    return number


def facts(panel: TrafficPanel) -> dict[str, str]:
    return {fact.name: fact.value for fact in panel.detail.http.facts.facts()}


def press_link(panel: TrafficPanel, name: str) -> None:
    found = panel.detail.findChild(QPushButton, name)
    assert isinstance(found, QPushButton)
    found.click()


@pytest.mark.parametrize("further", range(4))
def test_each_frame_of_an_exchange_shows_all_of_it(
    panel: TrafficPanel, call: int, further: int
) -> None:
    """The message, both heads and the event."""
    panel.select_frame(call + further)
    panel.detail.show_tab(Tab.HTTP)

    assert facts(panel)["Request"] == f"POST https://x.example/mcp?api_key={MASK}"
    assert facts(panel)["Status"] == "200 OK"
    assert facts(panel)["Responded"] == "head after 12 ms, last of 1 part after 42 ms"


def test_heads_show_as_they_were_but_for_secrets(panel: TrafficPanel, call: int) -> None:
    """Order, case and white space of the wire; what is hidden is one click away."""
    panel.select_frame(call)
    panel.detail.show_tab(Tab.HTTP)
    hidden = panel.detail.http.header_text.text()

    press_link(panel, "traffic_reveal")

    shown = panel.detail.http.header_text.text()
    assert shown == f"{ASKED.decode()}\n\n{ANSWERED.decode()}".replace("\r\n", "\n")
    wanted = shown.replace("abc", MASK).replace("s-1", MASK).replace("k1", MASK)
    assert hidden == wanted.replace("a=b", MASK)


def test_what_did_not_come_over_http_has_no_such_tab(panel: TrafficPanel, call: int) -> None:
    """A frame over stdio, then one over HTTP."""
    place = list(Tab).index(Tab.HTTP)
    panel.select_frame(1)
    assert not panel.detail.tabs.isTabVisible(place)

    panel.select_frame(call)
    assert panel.detail.tabs.isTabVisible(place)


def test_a_message_that_was_never_sent_says_so(panel: TrafficPanel, talk: Talk) -> None:
    """No connection could be made."""
    talk.transcript.append(Direction.SENT, Channel.BODY, [RawChunk(CALL)])
    panel.select_frame(talk.transcript.count)
    panel.detail.show_tab(Tab.HTTP)

    assert facts(panel) == {"Request": "no request sent"}


def test_the_answer_joins_while_it_is_looked_at(panel: TrafficPanel, talk: Talk) -> None:
    """While a request is pending."""
    append = talk.transcript.append
    append(Direction.SENT, Channel.BODY, [RawChunk(CALL)])
    number = talk.transcript.count
    append(Direction.SENT, Channel.HTTP, [RawChunk(ASKED)], number)
    panel.select_frame(number)
    panel.detail.show_tab(Tab.HTTP)
    assert facts(panel)["Status"] == "no response"

    append(Direction.RECEIVED, Channel.HTTP, [RawChunk(b"HTTP/1.1 502 Bad Gateway")], number)
    panel.detail.refresh_if_changed()

    assert facts(panel)["Status"] == "502 Bad Gateway"


def menu_of(panel: TrafficPanel) -> QMenu:
    panel.row_actions.open_menu(panel.table.rect().center())
    menu = panel.table.findChildren(QMenu, "traffic_row_menu")[-1]
    assert isinstance(menu, QMenu)
    return menu


@pytest.mark.parametrize(("text", "secret"), [("", False), (" with secrets", True)])
def test_a_request_is_copied_as_a_command_line(
    panel: TrafficPanel, call: int, text: str, secret: bool
) -> None:
    """Secrets only where they are asked for."""
    panel.select_frame(call)
    menu = menu_of(panel)

    next(action for action in entries(menu) if action.text() == f"Copy as cURL{text}").trigger()
    menu.close()

    line = QGuiApplication.clipboard().text()
    assert line.startswith("curl --include --no-buffer 'https://x.example/mcp?api_key=")
    assert CALL.decode() in line
    assert ("Authorization: Bearer abc" in line) is secret
    assert (MASK in line) is not secret


def test_what_came_over_stdio_is_no_command_line(panel: TrafficPanel) -> None:
    """Nothing to call."""
    panel.select_frame(1)
    menu = menu_of(panel)

    assert not [text for text in chosen_texts(menu) if "cURL" in text]
    menu.close()


@pytest.mark.parametrize("format_", COPIED, ids=lambda each: each.key)
def test_copies_hide_secrets_until_they_are_wanted(
    panel: TrafficPanel, talk: Talk, call: int, format_: Format
) -> None:
    """C-SEC-17: the record keeps them."""
    panel.set_filter("kind:http")
    panel.select_frame(call + 1)

    panel.row_actions.copy(format_)
    hidden = QGuiApplication.clipboard().text()
    choose(panel.menu.make(), "Include secrets in copies")
    panel.row_actions.copy(format_)
    whole = QGuiApplication.clipboard().text()

    assert "Bearer abc" not in hidden
    assert f"Bearer {MASK}" in hidden
    assert "Bearer abc" in whole
    assert talk.transcript.raw(call + 1) == ASKED


def test_secrets_of_the_environment_are_hidden_in_copies_and_not_in_what_is_sent_again(
    panel: TrafficPanel, talk: Talk
) -> None:
    """A server may print what it was given; a message of ours leaves as it was."""
    talk.transcript.redaction.know(("open sesame",))
    number = talk.call(7, "print", text="open sesame")
    wanted: list[ComparedFrame] = []
    navigator_of(panel).repeat_requested.connect(wanted.append)
    panel.select_frame(number)

    panel.row_actions.copy(RAW)
    panel.row_actions.repeat()

    assert "sesame" not in QGuiApplication.clipboard().text()
    assert wanted == [ComparedFrame(talk.transcript, number)]


def test_a_stream_event_tells_its_fields_beside_its_message(
    panel: TrafficPanel, talk: Talk, call: int
) -> None:
    """Ours: id, type, reconnection time, comments, and fields that the standard does not know."""
    event = b': keep\nid: 7\nevent: message\nretry: 1500\nodd\ndata: "\xe2\x80\xa8b"\r\n\r\n'
    talk.transcript.append(Direction.RECEIVED, Channel.SSE, [RawChunk(event)], call)
    panel.select_frame(talk.transcript.count)
    panel.detail.show_tab(Tab.HTTP)

    found = facts(panel)

    assert found["Comment"] == "keep"
    assert found["Event ID"] == "7"
    assert found["Event"] == "message"
    assert found["Retry"] == "1500"
    assert found["Field odd"] == "(empty)"
    assert 'Field b"' not in found
    panel.select_frame(call)
    assert "Event ID" not in facts(panel)


def test_header_values_in_base64_are_decoded_beside_the_headers(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: the headers stay as they were sent, and a value that is secret by its name stays masked."""
    append, transcript = talk.transcript.append, talk.transcript
    append(Direction.SENT, Channel.BODY, [RawChunk(CALL)])
    number = transcript.count
    header = b"POST /mcp HTTP/1.1\r\nMcp-Param-City: =?base64?WsO8cmljaA==?=\r\nMcp-Param-Token: =?base64?WsO8cmljaA==?="
    append(Direction.SENT, Channel.HTTP, [RawChunk(header)], number)
    panel.select_frame(number)
    panel.detail.show_tab(Tab.HTTP)

    found = facts(panel)

    assert found["Mcp-Param-City decoded"] == "Zürich"
    assert "Zürich" not in found.get("Mcp-Param-Token decoded", "")
    assert "=?base64?WsO8cmljaA==?=" in panel.detail.http.header_text.text()
    transcript.redaction.know(("Zürich",))
    panel.detail.show_frame(transcript, number)
    assert facts(panel)["Mcp-Param-City decoded"] == MASK
