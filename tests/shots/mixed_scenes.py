"""Whole windows in which much goes on at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ui.inbox.popover import RequestsPopover
from ui.shell.dock_sizes import BOTTOM
from ui.traffic.operations.columns import position

if TYPE_CHECKING:
    from tests.shots.stage import Stage
    from ui.features.compare.page import ComparePage

HIGH = 0.68
"""Part of the height that the dock has when its edge was dragged high."""


async def mixed(stage: Stage) -> None:
    """Calls of a tool above the folded dock; requests that wait; operations of two runs; a comparison above the timeline."""
    sizes, window = stage.window.layout_state.sizes, stage.window
    await stage.connect_demo()
    for arguments in ('{"city":"nowhere"}', '{"city":"oslo"}', '{"city":"lisbon","days":2}'):
        await stage.call("weather", arguments)
    sizes.choose(BOTTOM, False)
    await stage.take("90-calls-of-a-tool")
    await _requests(stage)
    await _runs(stage)
    sizes.choose(BOTTOM, True)
    window.raise_dock("timeline")
    page = cast("ComparePage", window.go("compare"))
    window.commands.compare.compare_calls()
    await stage.until(lambda: page.model.rowCount() > 0, "the difference")
    stage.has_bottom = True
    await stage.take("94-comparison-above-timeline")
    stage.has_bottom = False
    window.raise_dock("traffic")


async def _requests(stage: Stage) -> None:
    inbox = stage.app.workspace.inbox
    await stage.call("ask_sampling", wait=False)
    await stage.until(lambda: len(inbox.pending) == 1, "the request")
    stage.window.go("tools")
    await stage.take("91-waits-for-you")
    stage.window.parts.inbox.badge.click()
    await stage.until(
        lambda: any(each.isVisible() for each in stage.window.findChildren(RequestsPopover)),
        "the list of requests",
    )
    popover = next(each for each in stage.window.findChildren(RequestsPopover) if each.isVisible())
    await stage.take("91-list-of-requests", over=popover)
    popover.close()
    dialog = stage.window.parts.inbox.dialogs.open(inbox.pending[0])
    assert dialog is not None
    await stage.take("92-request", over=dialog)
    dialog.close()
    stage.tools.call_panel.cancel_button.click()
    await stage.until(lambda: not inbox.pending, "the end of the request")


async def _runs(stage: Stage) -> None:
    first, window = stage.session, stage.window
    await stage.call("fail_as_result")
    window.commands.actions["reconnect"].trigger()
    await stage.until(lambda: stage.session is not first, "the next run")
    await stage.until(lambda: stage.session.tools.state == "read", "the tools")
    await stage.call("countdown", '{"steps":4,"seconds":0.4}')
    await stage.call("weather", '{"city":"oslo"}')
    await stage.call("weather", '{"city":"lisbon","days":2}')
    sizes, panel = window.layout_state.sizes, window.parts.traffic
    sizes.choose(BOTTOM, True)
    window.raise_dock("traffic")
    sizes.shares[BOTTOM] = HIGH
    sizes.fit_later()
    panel.modes.set_mode("operations")
    made = panel.modes.operations
    assert made is not None
    column = position("operation")

    def names() -> list[str]:
        return [str(made.model.index(row, column).data()) for row in range(made.model.rowCount())]

    await stage.until(lambda: "tools/call countdown" in names(), "the operations")
    row = names().index("tools/call countdown")
    made.table.go_to_row(row)
    made.model.set_unfolded(row, True)
    stage.has_bottom = True
    await stage.take("93-operations-of-two-runs")
    stage.has_bottom = False
    panel.modes.set_mode("messages")
    sizes.shares.pop(BOTTOM, None)
    sizes.fit_later()


async def ended(stage: Stage) -> None:
    """A server that crashed in a call; the traffic stays."""
    await stage.connect_demo()
    await stage.call("fault_crash")
    await stage.until(lambda: bool(stage.session.session.closed_reason), "the end")
    await stage.take("44-crashed")
