"""Pages that are opened and closed, drawn in their states."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from inspector.compare.compared_frame import ComparedFrame

if TYPE_CHECKING:
    from tests.shots.stage import Stage
    from ui.features.compare.page import ComparePage
    from ui.features.repeat.page import RepeatPage
    from ui.features.repeat.raw_page import RawPage


async def compare(stage: Stage) -> None:
    """Two calls, and two runs."""
    await stage.connect_demo()
    await stage.call("weather", '{"city":"oslo"}')
    await stage.call("weather", '{"city":"lisbon","days":3}')
    page = cast("ComparePage", stage.window.go("compare"))
    await stage.take("25-nothing-to-compare")
    stage.window.commands.compare.compare_calls()
    await stage.until(lambda: page.model.rowCount() > 0, "the difference")
    await stage.take("26-compared-calls")
    page.bar.select_part("timing")
    page.bar.part_selected.emit()
    await stage.until(lambda: not page.model.starts(), "the times")
    await stage.take("27-compared-timing")
    first = stage.session
    stage.window.commands.actions["reconnect"].trigger()
    await stage.until(lambda: stage.session is not first, "the next run")
    await stage.until(lambda: stage.session.comparison.difference is not None, "the comparison")
    stage.window.commands.compare.compare_runs()
    await stage.until(lambda: not page.view.isVisible(), "the notice")
    await stage.take("28-compared-runs")


async def repeat(stage: Stage) -> None:
    """A call that is sent again, edited, and one that asks first."""
    await stage.connect_demo()
    page = cast("RepeatPage", stage.window.go("repeat"))
    await stage.take("29-nothing-to-repeat")
    await stage.call("weather", '{"city":"oslo"}')
    call = stage.tools.result_panel.operation
    assert call is not None
    assert call.request_frame
    stage.window.navigator.repeat(
        ComparedFrame(stage.session.session.transcript, call.request_frame)
    )
    for number, city in enumerate(("oslo", "lisbon", "nowhere"), 1):
        text = page.edit.message()
        start = text.index('"city": "') + len('"city": "')
        page.edit.replace(start, text.index('"', start), city)
        page.bar.send.click()
        await stage.until(lambda count=number: len(page.work.sends.rows) == count, "the send")
        await stage.until(lambda: bool(page.work.sends.rows[0].against), "the comparison")
    await stage.take("29-repeat")
    page.answer.show_view("difference")
    page.list.table.selectRow(1)
    text = page.edit.message()
    page.edit.replace(text.index("lisbon"), text.index("lisbon") + 6, "madrid")
    page.list.table.selectRow(2)
    await stage.take("29-repeat-difference")
    page.bar.ask()
    await stage.take("29-repeat-question")
    page.bar.stop_asking()
    page.bar.repeat.click()
    page.panel.start.click()
    await stage.until(lambda: page.work.run is not None, "the run")
    run = page.work.run
    assert run is not None
    await stage.until(lambda: not run.is_running, "all responses")
    await stage.take("29-repeat-many")
    page.answer.show_view("json")
    await stage.take_folded("96-many-sends")
    page.panel.as_table.click()
    await stage.take("29-repeat-many-table")


async def raw(stage: Stage) -> None:
    """A message of a template, and a broken frame that the server responds to."""
    await stage.connect_demo()
    page = cast("RawPage", stage.window.go("raw"))
    box = page.message.method
    await stage.until(
        lambda: (
            page.templating.templates.find("tools/call") is not None
            and any("tools/call " in box.itemText(at) for at in range(box.count()))
        ),
        "the templates",
    )
    box.setCurrentIndex(box.findText("tools/call"))
    box.textActivated.emit("tools/call")
    for count in (1, 2):
        page.bar.send.click()
        await stage.until(lambda sent=count: len(page.work.sends.rows) == sent, "the send")
        await stage.until(lambda: bool(page.work.sends.rows[0].frame), "the frame")
    await stage.take("19-raw")
    box.setCurrentIndex(box.findText("No method"))
    box.textActivated.emit("No method")
    page.bar.send.click()
    await stage.until(lambda: len(page.work.sends.rows) == 3, "the send")
    await stage.take("19-raw-broken")
