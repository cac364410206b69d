"""A message is sent many times: fields, progress, the end, and a histogram whose bars list their calls; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox

from inspector.features.repeated_sends import Histogram, Pace, Plan, histogram
from inspector.transcript.filter.query import parse
from inspector.wire.json_codec import compact
from tests.support.answering import silence
from tests.support.opened import opened, shown
from tests.support.wait import wait_until
from tests.ui.features.conftest import on_screen
from tests.ui.features.repeat.test_page import called, orders, sent
from tests.ui.qt_actions import click, find, reads, sees
from ui.features.repeat.histogram import HistogramView
from ui.features.repeat.page import RepeatPage
from ui.navigator import navigator_of

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> RepeatPage:
    return on_screen(RepeatPage(theme=theme), qtbot)


async def open_panel(page: RepeatPage) -> None:
    """Open the panel, and wait until it is laid out."""
    click(page, "repeat_many")
    await wait_until(lambda: page.panel.start.width() > page.panel.start.height())


def is_done(page: RepeatPage) -> bool:
    return page.work.run is not None and not page.work.run.is_running


async def test_a_message_is_sent_many_times_and_a_bar_lists_its_calls(page: RepeatPage) -> None:
    """Ours: ids go on, and the next send has the one after them."""
    async with shown(page, orders()) as (_, session):
        page.repeat(await called(session))
        assert not sees(page, "repeat_repeat_panel")
        await open_panel(page)
        assert page.panel.count.hasFocus()
        page.panel.count.setText("30")
        before = len(sent(session))

        click(page, "repeat_repeat_start")
        await wait_until(lambda: is_done(page))

        assert len(sent(session)) == before + 30
        assert '"id":"rep-30"' in sent(session)[-1]
        assert '"limit":10' in sent(session)[-1]
        await wait_until(lambda: reads(page, "repeat_repeat_progress").startswith("30 of 30 sent"))
        assert not sees(page, "repeat_repeat_stop")
        assert reads(page, "repeat_repeat_start") == "Run again"
        requested: list[str] = []
        navigator_of(page).filter_requested.connect(requested.append)
        at = next(at for at, bar in enumerate(page.panel.table.bars.histogram.bars) if bar.count)
        QTest.mouseClick(
            page.panel.chart, Qt.MouseButton.LeftButton, pos=page.panel.chart.bar_rect(at).center()
        )
        assert requested[0].startswith("method:tools/call number:>=")
        assert "duration:>=" in requested[0]
        assert not sees(page, "repeat_repeat_slow")
        page.editing.renew_id()
        assert '"rep-31"' in page.edit.message()


async def test_a_run_is_stopped_and_what_is_without_response_is_counted(page: RepeatPage) -> None:
    """Ours."""
    server = orders()
    async with shown(page, server) as (_, session):
        page.repeat(await called(session))
        server.answers["tools/call"] = silence
        await open_panel(page)
        click(page, "repeat_repeat_start")
        await wait_until(lambda: sees(page, "repeat_repeat_stop"))
        assert not page.panel.start.isEnabled()
        await wait_until(lambda: page.work.run is not None and page.work.run.sent == 4)
        click(page, "repeat_repeat_stop")
        await wait_until(lambda: is_done(page))
        assert "4 without response" in reads(page, "repeat_repeat_progress")
        assert "stopped" in reads(page, "repeat_repeat_progress")


async def test_a_connection_that_ends_ends_a_run_with_a_reason(page: RepeatPage) -> None:
    """Ours."""
    server = orders()
    async with shown(page, server) as (_, session):
        page.repeat(await called(session))
        server.answers["tools/call"] = silence
        await open_panel(page)
        click(page, "repeat_repeat_start")
        await wait_until(lambda: page.work.run is not None and page.work.run.sent == 4)
        server.end()
        await wait_until(lambda: is_done(page))
        await wait_until(lambda: "ended early" in reads(page, "repeat_repeat_progress"))
        assert not page.panel.start.isEnabled()


async def test_a_destructive_tool_is_not_called_many_times_without_consent(
    page: RepeatPage,
) -> None:
    """Ours: the number is in the question; consent holds for single sends too, but not for another run."""
    async with shown(page, orders()) as (_, session):
        page.repeat(await called(session, "purge"))
        await open_panel(page)
        page.panel.count.setText("3")
        before = len(sent(session))
        click(page, "repeat_repeat_start")
        assert "3 times" in reads(page, "repeat_question")
        assert len(sent(session)) == before
        click(page, "repeat_agree")
        await wait_until(lambda: is_done(page))
        assert len(sent(session)) == before + 3
        assert reads(page, "repeat_send") == "Send"
        click(page, "repeat_repeat_start")
        assert sees(page, "repeat_question")
        assert len(sent(session)) == before + 3


async def test_a_batch_that_calls_a_destructive_tool_asks(page: RepeatPage) -> None:
    """Ours: whichever of its messages calls it, and however harmless the others are."""
    async with shown(page, orders()) as (_, session):
        page.repeat(await called(session, "purge"))
        text, before = compact(page.edit.message()), len(sent(session))
        page.edit.setPlainText(f"[{text.replace('purge', 'search')}, {text}]")
        click(page, "repeat_send")
        assert sees(page, "repeat_question")
        assert "purge" in reads(page, "repeat_question")
        assert len(sent(session)) == before


async def test_a_pace_that_cannot_be_read_is_marked_and_nothing_is_sent(page: RepeatPage) -> None:
    """Ours."""
    async with shown(page, orders()) as (_, session):
        page.repeat(await called(session))
        await open_panel(page)
        page.panel.pace.setText("soon")
        assert not page.panel.start.isEnabled()
        assert page.panel.pace.property("problem") == "true"
        page.panel.pace.setText("20/s")
        assert page.panel.start.isEnabled()
        for text in ("0", "10001", "many", ""):
            page.panel.count.setText(text)
            assert not page.panel.start.isEnabled()
        page.panel.count.setText("10,000")
        assert page.panel.plan() == Plan(10_000, 4, Pace(per_second=20))


async def test_a_run_goes_on_while_another_server_is_shown(page: RepeatPage) -> None:
    """Ours: and is there when its server is shown again."""
    async with opened(orders()) as other, shown(page, orders()) as (_, session):
        page.repeat(await called(session))
        await open_panel(page)
        page.panel.count.setText("20")
        click(page, "repeat_repeat_start")
        run = page.work.run
        page.set_session(other)
        assert page.work.run is None
        await wait_until(lambda: run is not None and run.finished == 20)
        page.set_session(session)
        # The last response is counted a turn before the run has ended.
        await wait_until(lambda: reads(page, "repeat_repeat_progress").startswith("20 of 20 sent"))


def chart(made: Histogram, qtbot: QtBot, theme: Theme) -> HistogramView:
    view = HistogramView(theme=theme, name="chart")
    qtbot.addWidget(view)
    view.resize(450, 150)
    view.show()
    view.set_histogram(made)
    return view


def test_bars_are_read_out_and_reached_by_keys(qtbot: QtBot, theme: Theme) -> None:
    """Ours: what is painted has a name, and slow calls say so."""
    made = histogram([0.1] * 60 + [0.12] * 39 + [1.4])
    view = chart(made, qtbot, theme)
    assert view.accessibleName().endswith(": 60 calls")
    assert "p50 100 ms" in view.accessibleDescription()
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.accessibleName().endswith(": 1 call, above p99")
    requested: list[object] = []
    view.bar_requested.connect(requested.append)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert requested == [made.bars[-1]]
    QTest.keyClick(view, Qt.Key.Key_Left)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert len(requested) == 1


def test_bars_are_as_high_as_their_counts_and_one_call_is_seen(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    view = chart(histogram([0.1] * 600 + [1.4]), qtbot, theme)
    rects = [view.bar_rect(at) for at in range(15)]
    assert rects[0].height() > 20 * rects[-1].height() >= 20
    assert rects[5].height() == 0
    assert all(view.rect().contains(rect) for rect in rects if rect.height())
    assert rects[0].left() == 0
    assert view.childAt(QPoint(1, 1)) is None


async def test_the_slowest_calls_are_one_click_away(page: RepeatPage) -> None:
    """Ours: those that took longer than 99% of all."""
    async with shown(page, orders()) as (_, session):
        page.repeat(await called(session))
        await open_panel(page)
        page.panel.count.setText("120")
        click(page, "repeat_repeat_start")
        await wait_until(lambda: sees(page, "repeat_repeat_slow"))
        requested: list[str] = []
        navigator_of(page).filter_requested.connect(requested.append)
        page.panel.slow.click()
        transcript = session.session.transcript
        found = parse(requested[0]).matches(transcript, 1, transcript.count + 1)
        assert len(found) == 2


async def test_nothing_overlaps_at_twice_the_text_size_and_the_panel_is_scrolled_to(
    page: RepeatPage, theme: Theme, qapp: QApplication
) -> None:
    """Ours: the page scrolls; where there is little width, the panel takes the place of the list."""
    async with shown(page, orders()) as (_, session):
        page.repeat(await called(session))
        theme.apply(qapp, "light", 2.0)
        page.resize(1400, 560)
        await wait_until(lambda: page.edit.height() >= 6 * page.edit.fontMetrics().height())
        parts = [page.message, page.edit, page.bar, page.list]
        tops = [part.mapTo(page, QPoint(0, 0)).y() for part in parts]
        ends = [top + part.height() for top, part in zip(tops, parts, strict=True)]
        assert all(end <= top for end, top in zip(ends, tops[1:], strict=False))
        assert find(page, QCheckBox, "repeat_envelope").text() == "Envelope"

        click(page, "repeat_many")

        assert not page.list.isVisible()
        await wait_until(lambda: page.panel.mapTo(page, QPoint(0, 0)).y() < page.height() - 100)
        theme.apply(qapp, "light", 1.0)
        page.resize(1400, 560)
        await wait_until(lambda: page.list.isVisible() and page.panel.isVisible())


async def test_a_page_that_is_closed_sends_nothing_more(page: RepeatPage) -> None:
    """Ours: nobody would see it."""
    server = orders()
    async with shown(page, server) as (_, session):
        page.repeat(await called(session))
        server.answers["tools/call"] = silence
        await open_panel(page)
        click(page, "repeat_repeat_start")
        run = page.work.run
        await wait_until(lambda: run is not None and run.sent == 4)
        page.clear()
        assert page.work.run is None
        await wait_until(lambda: run is not None and not run.is_running)
