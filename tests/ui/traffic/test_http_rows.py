"""Heads of HTTP among the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.wait import wait_until
from tests.ui.traffic.hands import choose, chosen_texts, frames

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from tests.support.talk import Talk
    from ui.theme import Theme
    from ui.traffic.panel import TrafficPanel


def over_http(talk: Talk) -> None:
    """A call over HTTP behind what is there: frames 6 to 10."""
    append = talk.transcript.append
    append(Direction.SENT, Channel.BODY, [RawChunk(b'{"jsonrpc":"2.0","id":3,"method":"ping"}')])
    append(Direction.SENT, Channel.HTTP, [RawChunk(b"POST /mcp HTTP/1.1\r\nHost: x")], 6)
    append(Direction.RECEIVED, Channel.HTTP, [RawChunk(b"HTTP/1.1 200 OK")], 6)
    append(Direction.RECEIVED, Channel.SSE, [RawChunk(b": alive\n\n")], 6)
    event = b'data: {"jsonrpc":"2.0","id":3,"result":{}}\n\n'
    append(Direction.RECEIVED, Channel.SSE, [RawChunk(event)], 6)


async def test_heads_are_hidden_at_first_and_counted_where_they_can_be_shown(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours."""
    over_http(talk)
    await wait_until(lambda: frames(panel) == [1, 2, 3, 4, 5, 6, 10])

    menu = panel.menu.make()
    assert "Show HTTP headers (3)" in chosen_texts(menu)

    choose(menu, "Show HTTP headers")

    await wait_until(lambda: frames(panel) == list(range(1, 11)))


async def test_that_heads_are_hidden_is_counted_and_undone_by_a_click(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: numbers that are left out need a reason."""
    state = panel.bar.state
    assert not state.isEnabled()
    over_http(talk)
    await wait_until(lambda: state.text() == "7 rows · 3 hidden")
    assert state.isEnabled()
    numbers_in_tip = [word for word in state.toolTip().split() if word.isdecimal()]
    assert numbers_in_tip == ["2", "1"]

    state.click()

    await wait_until(lambda: frames(panel) == list(range(1, 11)))
    await wait_until(lambda: state.text() == "10 rows")
    assert not state.isEnabled()


async def test_of_several_reasons_for_hidden_rows_a_menu_offers_each(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours."""
    over_http(talk)
    panel.set_filter("kind:request")
    panel.filtering.show_stderr(False)
    await wait_until(lambda: panel.bar.state.text() == "3 of 6 rows · 4 hidden")

    panel.bar.state.click()
    menu = panel.findChild(QMenu, "traffic_hidden_menu")
    assert isinstance(menu, QMenu)
    assert len(chosen_texts(menu)) == 3
    choose(menu, "Clear filter")
    menu.close()

    assert panel.filter_text() == ""
    await wait_until(lambda: panel.bar.state.text() == "6 rows · 4 hidden")


async def test_a_filter_that_speaks_of_them_shows_them(panel: TrafficPanel, talk: Talk) -> None:
    """Ours."""
    over_http(talk)

    panel.set_filter("kind:http")

    await wait_until(lambda: frames(panel) == [7, 8])


def test_without_heads_nothing_is_hidden_and_nothing_counted(panel: TrafficPanel) -> None:
    """Ours."""
    assert "Show HTTP headers" in chosen_texts(panel.menu.make())
    assert "of 5" not in panel.bar.state.text()


def test_a_filter_is_read_beside_the_count_of_what_is_hidden(
    qapp: QApplication, panel: TrafficPanel, theme: Theme
) -> None:
    """Ours: with large text the count ends early, not the filter."""
    theme.apply(qapp, "light", 2.0)
    panel.resize(panel.minimumSizeHint().width(), 300)

    panel.bar.set_state("1,234 of 12,345,678 rows · 12,345 hidden", tip="Show")

    line = panel.bar.filter.line
    assert line.width() > line.fontMetrics().horizontalAdvance("method:tools/*")
