"""Problems in the window: their page in the bottom dock, the report of the server, and the ways between them and the traffic."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.support.answering import AnsweringServer, tool
from tests.support.wait import wait_until
from tests.ui.qt_actions import cells, click, reads
from ui.features.report.rules import NOT_FOUND
from ui.problems.mute_dialog import MuteDialog
from ui.shell.status_texts import found_text

if TYPE_CHECKING:
    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json
    from tests.ui.shell.shell_fixture import ShellFixture
    from ui.features.report.page import ReportPage

DUPLICATE, CONTRADICTION, UNUSUAL = "L-TOOL-04", "L-TOOL-29", "L-TOOL-03"


def server(*names: str, **members: Json) -> AnsweringServer:
    """A server that lists tools of these names, each with these members."""
    tools: list[Json] = [tool(name, **members) for name in names]
    return AnsweringServer({"tools/list": lambda _: {"tools": tools}})


async def checked(session: OpenSession) -> None:
    """Wait until everything is checked."""
    await wait_until(lambda: bool(session.sweep.rules.checked))
    await wait_until(lambda: not session.sweep.pending)


async def test_the_count_leads_to_the_problems_and_enter_from_there_to_the_frame(
    shell: ShellFixture,
) -> None:
    """Ours; a muted rule leaves the list, the count and the rows of the traffic."""
    shell.server = server("a", "a")
    session = await shell.open()
    await checked(session)
    problems, window = shell.window.parts.problems.page, shell.window
    await wait_until(lambda: problems.source.sums.problems > 0)
    await wait_until(lambda: reads(window, "status_problems") == found_text(problems.source.sums))

    click(window, "status_problems")
    await wait_until(lambda: problems.model.rowCount() > 0)
    assert window.is_dock_visible("problems")
    assert problems.table.hasFocus()
    rules = [problems.model.row(row).rule for row in range(problems.model.rowCount())]
    problems.table.go_to(rules.index(DUPLICATE))
    QTest.keyClick(problems.table, Qt.Key.Key_Return)
    number = session.session.transcript.rule_findings[DUPLICATE].numbers[0]
    await wait_until(lambda: window.parts.traffic.table.current_number() == number)
    assert window.is_dock_visible("traffic")
    assert window.parts.traffic.modes.table.hasFocus()

    window.commands.actions["dock_problems"].trigger()
    assert problems.table.hasFocus()
    before = problems.source.sums.problems
    session.client.muted.mute(DUPLICATE)
    assert problems.source.sums.problems == before - 1
    assert DUPLICATE in window.parts.traffic.model.feed.muted
    window.commands.problems.mute_rules()
    dialog = window.findChild(MuteDialog)
    assert dialog is not None
    assert DUPLICATE in [row[1] for row in cells(dialog.table)]
    dialog.reject()


async def test_the_report_compares_with_the_run_before(shell: ShellFixture) -> None:
    """Ours: what is new, and what is fixed; the selection stays, and the tab counts problems."""
    shell.server = server("a", annotations={"readOnlyHint": True, "destructiveHint": True})
    await shell.open()
    page = cast("ReportPage", shell.window.go("report"))
    await checked(shell.session)
    page.refresh()
    page.show_rule(CONTRADICTION)
    assert page.badge() not in {"", "0"}

    shell.server = server("a", "bad name", annotations={"readOnlyHint": True})
    before = shell.session
    shell.window.commands.actions["reconnect"].trigger()
    await wait_until(lambda: shell.controller.session is not before)
    await wait_until(lambda: shell.is_ready(before.profile))
    await checked(shell.session)
    page.refresh()

    assert page.report is not None
    assert page.report.compared == 1
    changes = {each.rule.id: each.change.value for each in page.report.results() if each.change}
    assert changes[CONTRADICTION] == "fixed"
    assert changes[UNUSUAL] == "new"
    since = reads(page, "report_since")
    assert since.startswith("Since run 1: ")
    tools_at = [row.title for row in page.families.rows].index("Tools")
    tools = page.families.rows[tools_at]
    assert [text for text, _ in tools.changes()] == [
        f"{tools.sums.new} new",
        f"{tools.sums.fixed} {NOT_FOUND}",
    ]
    assert page.family_table.current_row() == tools_at
    problems = shell.window.parts.problems.page
    total = page.report.total.problems
    await wait_until(lambda: problems.source.sums.problems == total)


async def test_a_recording_has_the_same_report(shell: ShellFixture) -> None:
    """Ours: without a run before; what is muted there is muted for the recording alone."""
    shell.server = server("a", "a")
    session = await shell.open()
    path = session.session.transcript.path
    assert path is not None
    await session.aclose()
    shell.controller.open_record(path)
    await wait_until(lambda: shell.controller.recorded is not None)

    page = cast("ReportPage", shell.window.go("report"))
    await wait_until(lambda: page.isVisible() and page.report is not None)

    assert reads(page, "report_facts").endswith("recording")
    await wait_until(
        lambda: (
            DUPLICATE in page.session.session.transcript.rule_findings if page.session else False
        )
    )
    page.show_rule(DUPLICATE)
    assert page.explanation.mute.text() == "Mute for this recording"
    assert page.explanation.excerpt.meant() == '"a"'
    assert page.report is not None
    assert page.report.compared == 0
    shell.controller.leave_record()


async def test_without_problems_the_keyboard_is_in_the_filter(shell: ShellFixture) -> None:
    """Ours: not in rows that are hidden; Ctrl+F goes there again."""
    shell.server = server()
    await shell.open()
    window = shell.window
    window.commands.actions["dock_problems"].trigger()
    page = window.parts.problems.page
    assert not page.table.isVisible()
    assert page.bar.filter.line.hasFocus()

    QTest.keyClick(page.bar.filter.line, Qt.Key.Key_Down)
    QTest.keyClick(page.bar.filter.line, Qt.Key.Key_Escape)
    assert page.bar.filter.line.hasFocus()
    window.commands.actions["filter"].trigger()
    assert page.bar.filter.line.hasFocus()
