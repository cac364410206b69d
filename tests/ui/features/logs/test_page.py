"""Logs: asking for a level, watching, filtering, reading one message, copying."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSlider, QMenu, QScrollArea, QWidget

from inspector.errors import PeerError
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.answering import AnsweringServer, silence
from tests.support.modern import discovered, meta_of, modern
from tests.support.opened import shown
from tests.support.wait import wait_signal, wait_until
from tests.ui.qt_actions import cells, click, find, press, reads, requested_frames, sees
from tests.ui.stutter import Stutter
from ui.features.logs.model import Column
from ui.navigator import navigator_of
from ui.widgets.combo_boxes import OptionComboBox

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from ui.features.logs.page import LogsPage
    from ui.theme import Theme

LOGGING: JsonObject = {"logging": {}}
GAP_MS = 33
"""Twice the time between two frames of the display."""


def logging_server() -> AnsweringServer:
    return AnsweringServer({"logging/setLevel": lambda _: {}}, capabilities=LOGGING)


def log(server: AnsweringServer, data: Json, level: str = "info", **more: Json) -> None:
    params: JsonObject = {"level": level, **more, "data": data}
    server.notify("notifications/message", params)


def flood(server: AnsweringServer, count: int) -> None:
    for number in range(count):
        log(server, f"line {number}")


async def rows(page: LogsPage, count: int) -> list[list[str]]:
    """The texts, once there are that many rows."""
    await wait_until(lambda: page.model.rowCount() == count)
    return [[text.strip("\u2068\u2069") for text in row] for row in cells(page.table)]


def choose_row(page: LogsPage, row: int) -> None:
    index = page.model.index(row, Column.DATA)
    page.table.scrollTo(index)
    place = page.table.visualRect(index).center()
    QTest.mouseClick(
        page.table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place
    )


async def test_messages_appear_as_they_come_with_their_level_in_words(logs_page: LogsPage) -> None:
    """C-LOG-02."""
    server = logging_server()
    async with shown(logs_page, server) as (page, _):
        assert "No log messages" in reads(page, "logs_empty")
        log(server, "Request finished", logger="web")
        log(server, {"free": 3}, "critical")
        found = await rows(page, 2)

        assert found[0][1:4] == ["info", "web", "Request finished"]
        assert found[1][1:4] == ["critical", "", '{"free":3}']
        await wait_until(lambda: page.badge() == "2")


async def test_a_level_nobody_knows_is_shown_as_it_is_and_is_a_finding(logs_page: LogsPage) -> None:
    """Ours: C-LOG-02."""
    server = logging_server()
    async with shown(logs_page, server) as (page, _):
        log(server, "x", "verbose")
        assert "⚠" in (await rows(page, 1))[0][1]
        choose_row(page, 0)

        assert "verbose" in reads(page, "log_detail_level")
        assert "unknown log level" in reads(page, "log_detail_findings")


async def test_the_level_is_sent_only_when_the_person_asks_for_it(logs_page: LogsPage) -> None:
    """C-LOG-01."""
    server = logging_server()
    async with shown(logs_page, server) as (page, _):
        assert reads(page, "log_level_asked") == "not set"
        find(page, OptionComboBox, "log_level_box").choose("debug")
        assert server.methods() == []
        assert reads(page, "log_level_ask") == "Set level"
        click(page, "log_level_ask")
        await wait_until(lambda: reads(page, "log_level_asked") == "debug and above")

        assert server.received[-1]["params"] == {"level": "debug"}


async def test_without_the_capability_one_can_insist(logs_page: LogsPage) -> None:
    """Ours."""
    server = AnsweringServer({"logging/setLevel": lambda _: {}}, capabilities={})
    async with shown(logs_page, server) as (page, session):
        assert page.missing() == "server does not declare logging"
        assert not find(page, OptionComboBox, "log_level_box").isEnabled()
        assert "does not declare the logging capability" in reads(page, "log_level_reason")
        click(page, "log_level_anyway")
        click(page, "log_level_ask")
        await wait_until(lambda: session.logs.level == "info")

        log(server, "Any log messages")
        await rows(page, 1)
        assert page.missing() == ""


async def test_a_refusal_is_told_where_it_happened(logs_page: LogsPage) -> None:
    """Ours."""

    def refuse(_params: JsonObject) -> Json:
        raise PeerError(-32602, "<b>no</b>")

    server = AnsweringServer({"logging/setLevel": refuse}, capabilities=LOGGING)
    async with shown(logs_page, server) as (page, _):
        click(page, "log_level_ask")
        await wait_until(lambda: "<b>no</b>" in reads(page, "log_level_error"))

        assert reads(page, "log_level_asked") == "not set; info rejected"


async def test_while_a_level_is_asked_for_it_cannot_be_asked_again(logs_page: LogsPage) -> None:
    """Ours."""
    server = AnsweringServer({"logging/setLevel": silence}, capabilities=LOGGING)
    async with shown(logs_page, server) as (page, _):
        click(page, "log_level_ask")
        await wait_until(lambda: "setting info" in reads(page, "log_level_asked"))

        assert not page.level.button.isEnabled()


async def test_words_and_a_least_level_narrow_the_rows(logs_page: LogsPage) -> None:
    """C-LOG-02."""
    server = logging_server()
    async with shown(logs_page, server) as (page, _):
        for level in ("debug", "warning", "odd", "alert"):
            log(server, f"a {level} message", level)
        await rows(page, 4)
        page.minimum_level.setCurrentIndex(3)
        page.minimum_level.activated.emit(3)

        assert (await rows(page, 3))[0][1] == "warning"
        page.filter.set_text("alert")
        assert [row[1] for row in await rows(page, 1)] == ["alert"]
        assert "1 of 4" in reads(page, "log_count")
        assert [page.model.row_of(position) for position in range(5)] == [-1, -1, -1, 0, -1]
        page.filter.set_text("nothing of the kind")
        await wait_until(lambda: "No matches" in reads(page, "logs_empty"))
        click(page, "logs_empty_action")
        await rows(page, 4)


async def test_one_message_is_shown_whole_and_in_the_traffic(logs_page: LogsPage) -> None:
    """C-LOG-02."""
    server = logging_server()
    async with shown(logs_page, server) as (page, session):
        log(server, {"words": "<b>full</b>", "free": 104_857_600}, "warning", logger="disk")
        log(server, "first line\nsecond line")
        await rows(page, 2)
        choose_row(page, 0)
        assert "<b>full</b>" in reads(page, "log_detail_tree")
        click(page, "log_detail_copy")
        assert json_codec.read(QGuiApplication.clipboard().text().encode()).value == {
            "words": "<b>full</b>",
            "free": 104_857_600,
        }
        click(page, "log_detail_views_message")
        await wait_until(lambda: "notifications/message" in reads(page, "log_detail_message"))
        click(page, "log_detail_views_data")
        choose_row(page, 1)
        assert "second line" in reads(page, "log_detail_text")
        wanted = requested_frames(navigator_of(page))
        click(page, "log_detail_show")
        press(page.table, Qt.Key.Key_Return)

        assert wanted == [session.logs.lines.frame(1)] * 2


async def test_selected_messages_are_copied_exactly(logs_page: LogsPage) -> None:
    """text-05-copy-exactness."""
    server = logging_server()
    async with shown(logs_page, server) as (page, _):
        log(server, "a\u202eb", logger="x")
        log(server, 7205759403792793601)
        await rows(page, 2)
        page.table.selectAll()
        press(page.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        first, second = QGuiApplication.clipboard().text().split("\n")
        assert first.split("\t")[1:] == ["info", "x", "a\u202eb"]
        assert second.endswith("\t7205759403792793601")

        page.table.customContextMenuRequested.emit(QPoint(5, 5))
        menu = page.findChildren(QMenu)[-1]
        menu.actions()[-1].trigger()
        menu.close()
        assert '"data":7205759403792793601' in QGuiApplication.clipboard().text()


async def test_the_newest_row_is_followed_until_the_person_scrolls_up(logs_page: LogsPage) -> None:
    """Ours."""
    server = logging_server()
    async with shown(logs_page, server) as (page, _):
        flood(server, 200)
        await rows(page, 200)
        bar = page.table.verticalScrollBar()
        assert bar.value() == bar.maximum()
        bar.triggerAction(QAbstractSlider.SliderAction.SliderToMinimum)
        assert not page.follow.isChecked()
        flood(server, 50)
        await rows(page, 250)
        assert bar.value() == 0
        click(page, "log_follow")
        assert bar.value() == bar.maximum()


async def test_what_came_while_another_page_was_in_front_is_there(logs_page: LogsPage) -> None:
    """Ours."""
    server = logging_server()
    async with shown(logs_page, server) as (page, session):
        page.hide()
        flood(server, 30)
        await wait_signal(page.changed)
        await wait_until(lambda: page.badge() == "30")
        page.show()

        assert page.model.rowCount() == 30
        assert len(session.logs.lines) == 30


async def test_another_session_has_a_log_of_its_own(logs_page: LogsPage) -> None:
    """Ours."""
    first, second = logging_server(), logging_server()
    async with shown(logs_page, first) as (page, _):
        log(first, "of the first")
        await rows(page, 1)
        choose_row(page, 0)
        async with shown(page, second):
            assert page.model.rowCount() == 0
            assert not sees(page, "log_detail")
        assert page.missing() == ""


async def test_the_window_lives_through_a_flood(logs_page: LogsPage) -> None:
    """C-LOG-04; ours: fifty thousand messages, and at most one frame of the display is missed at a time."""
    head = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"'
    stutter = Stutter()
    async with shown(logs_page, logging_server()) as (page, session):
        with stutter.measured():
            for start in range(0, 50_000, 250):  # as they come from a pipe
                lines = [RawChunk(head + b'%d"}}' % number) for number in range(start, start + 250)]
                session.session.transcript.append(Direction.RECEIVED, Channel.STDOUT, lines)
                await asyncio.sleep(0)
            await wait_until(lambda: page.model.rowCount() == 50_000)

        assert len(session.logs.lines) == 50_000
        assert stutter.longest_ms < GAP_MS


async def test_the_level_goes_along_with_each_request_where_the_revision_says_so(
    logs_page: LogsPage,
) -> None:
    """C-LOG-03."""
    declares = discovered(capabilities={"logging": {}, "tools": {}})
    async with modern(discover=declares) as (server, session):
        logs_page.set_session(session)
        await wait_until(lambda: "Log level sent with requests:" in reads(logs_page))
        assert reads(logs_page, "log_level_asked") == "not set; no log messages are sent"
        assert not sees(logs_page, "log_level_stop")

        click(logs_page, "log_level_ask")

        await wait_until(lambda: reads(logs_page, "log_level_asked") == "info and above")
        await session.tools.refresh()
        level = "io.modelcontextprotocol/logLevel"
        assert meta_of(server.of("tools/list")[-1])[level] == "info"
        assert server.of("logging/setLevel") == []

        click(logs_page, "log_level_stop")
        await wait_until(lambda: not sees(logs_page, "log_level_stop"))
        await session.tools.refresh()
        assert level not in meta_of(server.of("tools/list")[-1])
        logs_page.set_session(None)


async def test_the_column_of_requests_keeps_its_width_when_colours_change(
    logs_page: LogsPage, theme: Theme
) -> None:
    """Ours."""
    table = logs_page.table
    table.resize(1200, 400)
    table.offer_causes(True)
    before = table.columnWidth(Column.CAUSE)

    theme.changed.emit()

    assert table.columnWidth(Column.CAUSE) == before >= 24 * theme.character_width()


async def test_what_the_level_line_has_no_room_for_wraps_and_the_page_scrolls(
    logs_page: LogsPage, theme: Theme
) -> None:
    """Ours: with large text in a small window nothing is cut, and all can be reached."""
    declares = discovered(capabilities={"tools": {}})
    async with modern(discover=declares) as (_, session):
        logs_page.resize(theme.px(420), theme.px(120))
        logs_page.set_session(session)
        parts = [
            find(logs_page, QWidget, f"log_level_{name}")
            for name in ("asked", "box", "ask", "reason", "anyway")
        ]

        await wait_until(lambda: all(part.width() >= part.sizeHint().width() for part in parts))
        assert len({part.y() for part in parts}) > 1
        scroll = find(logs_page, QScrollArea, "logs_scroll")
        await wait_until(lambda: scroll.verticalScrollBar().maximum() > 0)
        bottom = scroll.widget()
        assert bottom is not None
        assert bottom.height() >= bottom.minimumSizeHint().height()


def test_the_column_of_requests_stays_as_the_user_chose_whatever_the_transport(
    logs_page: LogsPage,
) -> None:
    """Ours: only where it would be empty it is neither visible nor in the menu of columns."""
    table, columns = logs_page.table, logs_page.table.columns
    table.resize(1200, 400)

    def offered() -> bool:
        menu = QMenu(table)
        columns.add_choices(menu)
        return any(action.text().startswith("During") for action in menu.actions())

    table.offer_causes(True)
    assert columns.is_visible("cause")
    assert offered()
    columns.set_visible("cause", False)
    table.offer_causes(False)
    assert not offered()
    table.offer_causes(True)

    assert not columns.is_visible("cause")
    columns.set_visible("cause", True)
    assert columns.is_visible("cause")
