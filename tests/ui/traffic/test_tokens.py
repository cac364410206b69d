"""Which request carried which token, in the traffic: a column, entries of the menu, and the way to the authorization; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QMenu, QPushButton

from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.ui.traffic.hands import choose, chosen_texts, numbers
from ui.models.traffic_cells import TimeFormat
from ui.models.traffic_columns import make_cells, position
from ui.traffic.frame_details import Tab

if TYPE_CHECKING:
    from tests.support.talk import Talk
    from ui.traffic.panel import TrafficPanel

HEADER = b"POST /mcp HTTP/1.1\r\nHost: x.example\r\nAuthorization: Bearer the-token"


def over_http(talk: Talk, id_: int, status: bytes, header: bytes = HEADER) -> int:
    """A call over HTTP that ends with a status: the frame of its message."""
    append = talk.transcript.append
    call = b'{"jsonrpc":"2.0","id":%d,"method":"ping"}' % id_
    append(Direction.SENT, Channel.BODY, [RawChunk(call)])
    number = talk.transcript.count
    append(Direction.SENT, Channel.HTTP, [RawChunk(header)], number)
    append(Direction.RECEIVED, Channel.HTTP, [RawChunk(b"HTTP/1.1 " + status)], number)
    return number


def menu_of(panel: TrafficPanel, number: int) -> QMenu:
    panel.select_frame(number)
    panel.row_actions.open_menu(panel.table.rect().center())
    menu = panel.table.findChildren(QMenu, "traffic_row_menu")[-1]
    assert isinstance(menu, QMenu)
    return menu


def cell(panel: TrafficPanel, number: int) -> str:
    row = numbers(panel).index(number)
    return panel.model.index(row, position("auth")).data()


def test_the_column_shows_the_token_of_each_request_and_no_more_of_it(
    panel: TrafficPanel, talk: Talk
) -> None:
    number = over_http(talk, 11, b"200 OK")
    plain = over_http(talk, 12, b"200 OK", b"POST /mcp HTTP/1.1\r\nHost: x.example")
    panel.model.feed.pull()

    (token,) = talk.transcript.tokens.of(number)
    assert cell(panel, number) == token
    assert cell(panel, plain) == ""
    assert cell(panel, 1) == ""
    assert "the-token" not in token


def test_the_column_is_hidden_until_it_is_wanted_and_after_a_reset(panel: TrafficPanel) -> None:
    """Ours: it is of no use for most servers, and small screens have no room for it."""
    header = panel.table.horizontalHeader()
    assert header.isSectionHidden(position("auth"))

    panel.table.columns.set_visible("auth", True)
    assert not header.isSectionHidden(position("auth"))
    panel.table.columns.reset()

    assert header.isSectionHidden(position("auth"))
    assert not header.isSectionHidden(position("summary"))


def test_the_menu_of_a_row_narrows_the_rows_to_its_token(panel: TrafficPanel, talk: Talk) -> None:
    first = over_http(talk, 11, b"200 OK")
    other = over_http(talk, 12, b"200 OK", HEADER + b"-2")
    panel.model.feed.pull()
    (token,) = talk.transcript.tokens.of(first)

    choose(menu_of(panel, first), f"Only token {token}")

    assert panel.bar.filter.line.text() == f"auth:{token}"
    panel.model.feed.pull()
    assert first in numbers(panel)
    assert other not in numbers(panel)


@pytest.mark.parametrize(
    ("status", "leads"), [(b"401 Unauthorized", True), (b"403 No", True), (b"404 No", False)]
)
def test_rows_that_were_refused_lead_to_the_authorization(
    panel: TrafficPanel, talk: Talk, status: bytes, leads: bool
) -> None:
    number = over_http(talk, 11, status)
    panel.model.feed.pull()
    requested: list[bool] = []
    panel.authorization_requested.connect(lambda: requested.append(True))

    menu = menu_of(panel, number)
    assert ("Show authorization" in chosen_texts(menu)) is leads
    panel.detail.show_frame(talk.transcript, number)
    panel.detail.show_tab(Tab.HTTP)
    link = panel.detail.findChild(QPushButton, "traffic_authorization")
    assert isinstance(link, QPushButton)
    assert link.isHidden() is not leads
    talk.note("failed", "refused", request=number)
    cells = make_cells(talk.transcript, number, 0, TimeFormat.CLOCK)
    assert cells.texts[position("status")] == f"HTTP {status[:3].decode()}"
    if leads:
        choose(menu, "Show authorization")
        link.click()
        assert len(requested) == 2


def test_rows_of_an_authorization_lead_there_and_to_each_other(
    panel: TrafficPanel, talk: Talk
) -> None:
    talk.transcript.append(
        Direction.SENT, Channel.AUTH, [RawChunk(b"GET /meta HTTP/1.1\r\nHost: x.example")]
    )
    number = talk.transcript.count
    panel.filtering.show_http(True)
    panel.model.feed.pull()

    assert {"Show authorization", "Only authorization"} <= set(chosen_texts(menu_of(panel, number)))
    assert cell(panel, number) == "flow"
