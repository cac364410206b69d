"""The problems of a session: in the bottom dock, and as the report of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ui.features.report.probe_dialog import ProbeDialog
from ui.features.report.probes import PROBES_VIEW
from ui.problems.mute_dialog import MuteDialog
from ui.problems.selection import Grouping
from ui.shell.dock_sizes import BOTTOM

if TYPE_CHECKING:
    from tests.shots.stage import Stage
    from ui.features.report.page import ReportPage

FAULTS = (
    "fault_wrong_output",
    "fault_unknown_id",
    "fault_wrong_content",
    "fault_wrong_envelope",
    "fault_wrong_id_type",
    "fault_unknown_methods",
    "fault_wrong_output",
    "fail_as_error",
)
"""Tools of the demo server that break rules, called in this order."""


async def provoke(stage: Stage) -> None:
    """Connect to a server with problems, in two runs."""
    await stage.connect_demo("--odd-tools")
    for name in FAULTS:
        await stage.call(name)
    await stage.until(lambda: not stage.session.sweep.pending, "the checks")


async def report(stage: Stage) -> None:
    """The report of a server in its second run, with something fixed and something new; and of its recording."""
    await stage.connect_demo("--odd-tools")
    for name in FAULTS[:3]:
        await stage.call(name)
    first = stage.session
    await stage.until(lambda: not first.sweep.pending, "the checks")
    stage.window.commands.actions["reconnect"].trigger()
    await stage.until(lambda: stage.session is not first, "the next run")
    await stage.until(lambda: stage.session.tools.state == "read", "the tools")
    for name in ("weather", *FAULTS[3:6]):
        await stage.call(name, '{"city":"oslo"}' if name == "weather" else None)
    await stage.until(lambda: not stage.session.sweep.pending, "the checks")
    page = cast("ReportPage", stage.window.go("report"))
    await stage.until(lambda: page.report is not None, "the report")
    await stage.take("84-report")
    stage.window.layout_state.sizes.choose(BOTTOM, True)
    stage.window.raise_dock("problems")
    stage.has_bottom = True
    await stage.take("95-report-above-problems")
    stage.has_bottom = False
    stage.window.raise_dock("traffic")
    stage.window.layout_state.sizes.choose(BOTTOM, False)
    await stage.take("85-report-high")
    page.show_rule("late-response")
    await stage.take("86-report-not-seen")
    stage.window.layout_state.sizes.choose(BOTTOM, True)


async def probes(stage: Stage) -> None:
    """The dialog of the probes: before they run, and what they came to."""
    await stage.connect_demo()
    await stage.call("weather", '{"city":"oslo"}')
    page = cast("ReportPage", stage.window.go("report"))
    await stage.until(lambda: page.report is not None, "the report")
    page.probe()
    dialog = page.findChild(ProbeDialog)
    assert dialog is not None
    await stage.take("87-probes", dialog)
    dialog.list.scrollToBottom()
    await stage.take("87-probes-tools", dialog)
    dialog.start.click()
    await stage.until(lambda: not dialog.run.is_running, "the probes")
    await stage.take("88-probed", dialog)
    dialog.reject()
    await stage.until(lambda: not stage.session.sweep.pending, "the checks")
    page.results.show_view(PROBES_VIEW)
    page.refresh()
    stage.window.layout_state.sizes.choose(BOTTOM, False)
    await stage.take("89-report-probed")
    stage.window.layout_state.sizes.choose(BOTTOM, True)


async def problems(stage: Stage) -> None:
    """The problems in the bottom dock: folded, unfolded with an explanation, by tool, and none."""
    await provoke(stage)
    page = stage.window.parts.problems.page
    stage.has_bottom = True
    stage.window.raise_dock("problems")
    stage.window.go("tools")
    await stage.until(lambda: page.feed.is_complete and page.model.rowCount() > 0, "the rows")
    await stage.take("80-problems")
    page.model.set_open(0, is_open=True)
    page.table.setCurrentIndex(page.model.index(1, 0))
    page.table.setFocus()
    page.toggle_explanation()
    await stage.take("81-problems-explained")
    page.toggle_explanation()
    page.group_by(Grouping.TOOL)
    page.model.set_open(0, is_open=True)
    await stage.take("82-problems-by-tool")
    page.group_by(Grouping.RULE)
    stage.window.commands.problems.mute_rules()
    dialog = stage.window.findChild(MuteDialog)
    assert dialog is not None
    await stage.take("83-mute-rules", dialog)
    dialog.reject()
