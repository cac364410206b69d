"""How the overview is laid out: lines that can be read, rows of one height, nothing cut at any text size."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea, QTreeWidget, QWidget

from inspector.errors import PeerError
from tests.support.answering import AnsweringServer, silence
from tests.support.opened import connect, make_next_run, make_session, shown
from tests.support.wait import wait_until
from tests.ui.qt_actions import find, reads, sees

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

    from inspector.wire.json_codec import Json, JsonObject
    from ui.features.overview.page import OverviewPage
    from ui.theme import Theme

MAX_WIDTH, ROW = 880, 22


@pytest.fixture(params=[1.0, 2.0])
def scale(request: pytest.FixtureRequest, theme: Theme, qapp: QApplication) -> Iterator[float]:
    theme.apply(qapp, "light", request.param)
    yield request.param
    theme.apply(qapp, "light", 1.0)


def server() -> AnsweringServer:
    return AnsweringServer(capabilities={"logging": {}})


async def test_no_line_is_longer_than_can_be_read(
    overview_page: OverviewPage, scale: float
) -> None:
    """Ours: also in a wide window, which has the capabilities beside the server."""
    overview_page.resize(round(1300 * scale), 900)
    async with shown(overview_page, server()):
        await wait_until(lambda: sees(overview_page, "overview_title"))
        tree = find(overview_page, QTreeWidget, "server_capabilities")
        facts = find(overview_page, QWidget, "overview_identity")

        def left(part: QWidget) -> int:
            return part.mapTo(overview_page, QPoint()).x()

        await wait_until(lambda: tree.width() > 600 * scale)
        assert tree.mapTo(overview_page, tree.rect().topRight()).x() <= MAX_WIDTH * scale
        overview_page.resize(round(2400 * scale), 900)
        await wait_until(lambda: left(tree) > left(facts) + facts.width())
        await wait_until(lambda: 600 * scale < tree.width() <= MAX_WIDTH * scale)
        assert facts.width() <= MAX_WIDTH * scale


async def test_in_a_narrow_window_nothing_is_cut_at_the_side(
    overview_page: OverviewPage, scale: float
) -> None:
    """Ours; WCAG 2.2, 1.4.10."""
    overview_page.resize(round(640 * scale), 500)
    async with shown(overview_page, server()):
        await wait_until(lambda: sees(overview_page, "overview_title"))
        scroll = find(overview_page, QScrollArea, "overview_scroll")
        viewport = scroll.viewport()

        def rights() -> list[int]:
            labels = [each for each in overview_page.findChildren(QLabel) if each.isVisible()]
            return [
                each.mapTo(viewport, QPoint(each.width(), 0)).x()
                for each in labels
                if viewport.isAncestorOf(each)
            ]

        await wait_until(lambda: max(rights()) <= viewport.width())


async def test_the_connection_log_has_rows_of_one_height(
    overview_page: OverviewPage, scale: float
) -> None:
    """Ours: with a link or without one."""
    overview_page.resize(round(1160 * scale), 600)
    async with shown(overview_page, server()):
        await wait_until(lambda: "Show in traffic" in reads(overview_page, "overview_story"))
        links = overview_page.findChildren(QPushButton, "story_frame")

        assert {link.height() for link in links} == {ROW * scale}


async def test_the_connection_log_keeps_its_height_until_another_run_has_its_steps(
    overview_page: OverviewPage,
) -> None:
    """Ours: what is below stays where it is meanwhile, and no empty area is left by a longer log, or by that of another server."""
    overview_page.resize(700, 500)
    log = find(overview_page, QWidget, "overview_story")

    def needed() -> int:
        layout = log.layout()
        assert layout is not None
        return layout.totalHeightForWidth(log.width())

    def fail(_params: JsonObject) -> Json:
        raise PeerError(1, "word " * 200)

    listing = AnsweringServer({"tools/list": lambda _: {"tools": []}})
    async with shown(overview_page, AnsweringServer({"tools/list": fail})) as (page, session):
        await wait_until(lambda: sees(page, "overview_story") and log.height() == needed() > 200)
        high = log.height()
        listing.answers["tools/list"] = silence
        again = await make_next_run(session, listing)
        page.set_session(again)
        connecting = asyncio.ensure_future(connect(again))
        await wait_until(lambda: "Read lists: running" in spoken(log))
        assert (log.height(), needed() < high) == (high, True)

        listing.reply(listing.received[-1], {"tools": []})
        await connecting
        await wait_until(lambda: log.height() == needed() < high)
        page.set_session(session)
        await wait_until(lambda: log.height() == needed() == high)
        other = make_session(server(), id_="two")
        await connect(other)
        page.set_session(other)
        await wait_until(lambda: log.height() == needed() < high)
        for each in (again, other):
            await each.aclose()


def spoken(log: QWidget) -> str:
    return "\n".join(label.accessibleName() for label in log.findChildren(QLabel))
