"""The dialog that runs probes, over a server in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QLocale, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyledItemDelegate, QTreeWidgetItemIterator

from inspector.checks.probed import ProbeOutcome
from inspector.spec.views.tool import ToolView
from tests.support.answering import AnsweringServer, silence, tool
from tests.support.opened import over, shown
from tests.support.wait import wait_until
from tests.ui.features.conftest import on_screen
from tests.ui.qt_actions import reads, sees
from ui.features.report.page import ReportPage
from ui.features.report.probe_dialog import ProbeDialog
from ui.features.report.probe_list import EFFECT, OUTCOME, PROBE, SENDS, TOOLS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QTreeWidgetItem
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json
    from ui.theme import Theme

READING = tool("read", annotations={"readOnlyHint": True})
WRITING = tool("write")


def server(*tools: Json) -> AnsweringServer:
    """A server with these tools, which answers calls."""
    return AnsweringServer(
        {"tools/list": lambda _: {"tools": [*tools]}, "tools/call": lambda _: {"content": []}}
    )


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> ReportPage:
    page = on_screen(ReportPage(theme=theme), qtbot)
    page.resize(1300, 600)
    return page


def opened(page: ReportPage) -> ProbeDialog:
    page.heading.probe.click()
    dialog = page.findChild(ProbeDialog)
    assert dialog is not None
    return dialog


def rows(dialog: ProbeDialog) -> dict[str, QTreeWidgetItem]:
    """Every row, by its title."""
    found: dict[str, QTreeWidgetItem] = {}
    each = QTreeWidgetItemIterator(dialog.list)
    while item := each.value():
        found[item.text(PROBE)] = item
        each += 1
    return found


def switch(dialog: ProbeDialog, title: str) -> None:
    """Press Space on a row."""
    dialog.list.setCurrentItem(rows(dialog)[title])
    QTest.keyClick(dialog.list, Qt.Key.Key_Space)


def leave_only(dialog: ProbeDialog, *titles: str) -> None:
    """Switch off every probe but these."""
    for title, item in rows(dialog).items():
        is_on = item.checkState(PROBE) == Qt.CheckState.Checked
        if item.parent() is not None and is_on and title not in titles:
            switch(dialog, title)


async def test_what_is_sent_is_listed_and_nothing_is_sent_before_the_start(
    page: ReportPage,
) -> None:
    """Ours: each probe with what it sends and its effect; one that does not apply says why and cannot be switched on."""
    peer = server(READING, WRITING)
    async with shown(page, peer):
        before = len(peer.received)
        dialog = opened(page)
        found = rows(dialog)

        assert "spyglass/unknown" in found["Unknown method"].text(SENDS)
        assert found["Unknown method"].text(EFFECT) == "no effect"
        assert found["Unknown method"].checkState(PROBE) == Qt.CheckState.Checked
        assert found["Unknown prompt"].text(SENDS).startswith("Not applicable")
        assert found["Unknown prompt"].data(PROBE, Qt.ItemDataRole.CheckStateRole) is None
        assert "Not applicable" in str(
            found["Unknown prompt"].data(PROBE, Qt.ItemDataRole.AccessibleTextRole)
        )
        assert reads(dialog, "probe_state").startswith(f"{len(dialog.list.chosen())} probes")
        assert dialog.start.isEnabled()
        assert len(peer.received) == before


@pytest.mark.parametrize("scale", [1.0, 2.0])
async def test_what_is_sent_is_whole(
    page: ReportPage, qapp: QApplication, theme: Theme, scale: float
) -> None:
    """Ours: a user decides by it; rows are as high as their lines."""
    theme.apply(qapp, "light", scale)
    async with shown(page, server(READING, WRITING)):
        dialog = opened(page)
        probes = dialog.list
        await wait_until(probes.isVisible)
        delegate = probes.itemDelegate()
        assert isinstance(delegate, QStyledItemDelegate)
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft

        for item in rows(dialog).values():
            for column in (PROBE, SENDS):
                cell = probes.visualRect(probes.indexFromItem(item, column))
                room = QRect(0, 0, cell.width(), 0xFFFF)
                metrics = QFontMetrics(
                    item.font(column) if item.parent() is None else probes.font()
                )
                displayed = delegate.displayText(item.text(column), QLocale())
                text = metrics.boundingRect(room, flags, displayed)
                assert text.height() <= cell.height()
                assert text.width() <= cell.width()


async def test_only_read_only_tools_and_calls_of_the_user_can_be_allowed(page: ReportPage) -> None:
    """Ours: a tool that may have effects is off, and has the arguments of its last call."""
    async with shown(page, server(READING, WRITING, tool("never"))) as (_, session):
        for arguments in ('{"a":1}', '{"a":2}'):
            await over(session.tools.call(ToolView(WRITING), arguments))
        dialog = opened(page)
        found = rows(dialog)

        assert found["read"].checkState(PROBE) == Qt.CheckState.Checked
        assert found["write"].checkState(PROBE) == Qt.CheckState.Unchecked
        assert '{"a":2}' in found["write"].text(SENDS).replace(" ", "")
        assert "never" not in found
        assert [use.name for use in dialog.list.chosen_uses()] == ["read"]
        switch(dialog, "write")
        assert [use.name for use in dialog.list.chosen_uses()] == ["read", "write"]


async def test_a_probe_that_needs_a_tool_applies_once_one_may_be_called(page: ReportPage) -> None:
    """Ours."""
    requiring = tool("ask", annotations={"readOnlyHint": True})
    requiring["inputSchema"] = {"type": "object", "required": ["a"]}
    async with shown(page, server(requiring)):
        dialog = opened(page)
        assert "tool-arguments" in dialog.list.chosen()
        switch(dialog, "ask")
        assert "tool-arguments" not in dialog.list.chosen()
        assert "no tool may be called" in rows(dialog)["Tool without required arguments"].text(
            SENDS
        )
        switch(dialog, "ask")
        assert "tool-arguments" in dialog.list.chosen()


async def test_a_family_is_switched_as_a_whole(page: ReportPage) -> None:
    """Ours: its check box says whether all of it is on."""
    async with shown(page, server(READING)):
        dialog = opened(page)
        count = len(dialog.list.chosen())
        switch(dialog, "Tools")
        assert "unknown-tool" not in dialog.list.chosen()
        assert rows(dialog)["Tools"].checkState(PROBE) == Qt.CheckState.Unchecked
        switch(dialog, "Unknown tool")
        states = {Qt.CheckState.Checked, Qt.CheckState.PartiallyChecked}
        assert rows(dialog)["Tools"].checkState(PROBE) in states
        switch(dialog, TOOLS)
        assert not dialog.list.chosen_uses()
        assert len(dialog.list.chosen()) <= count


async def test_the_chosen_probes_run_and_say_what_they_came_to(page: ReportPage) -> None:
    """Ours: one after another; nothing else is sent."""
    peer = server()
    async with shown(page, peer):
        dialog = opened(page)
        leave_only(dialog, "Unknown method", "Ping")
        assert set(dialog.list.chosen()) == {"unknown-method", "ping"}
        before = len(peer.received)
        dialog.start.click()
        assert not sees(dialog, "probe_start")
        assert dialog.focusWidget() is dialog.stop
        await wait_until(lambda: not dialog.run.is_running)

        assert {str(each.get("method")) for each in peer.received[before:]} == {
            "spyglass/unknown",
            "ping",
        }
        outcomes = {each.probe.key: each.result.outcome for each in dialog.run.done}
        assert outcomes == dict.fromkeys(("unknown-method", "ping"), ProbeOutcome.PASSED)
        assert rows(dialog)["Ping"].text(OUTCOME) == "passed"
        spoken = str(rows(dialog)["Unknown method"].data(PROBE, Qt.ItemDataRole.AccessibleTextRole))
        assert spoken.startswith("Unknown method, passed, error -32601")
        assert reads(dialog, "probe_state") == "2 probes: 2 passed"
        assert sees(dialog, "probe_start")
        assert not sees(dialog, "probe_stop")


async def test_stopping_ends_the_probe_that_runs_and_leaves_out_the_rest(page: ReportPage) -> None:
    """Ours: and the dialog can run them again."""
    peer = server()
    peer.answers["spyglass/unknown"] = silence
    async with shown(page, peer):
        dialog = opened(page)
        dialog.start.click()
        await wait_until(lambda: rows(dialog)["Unknown method"].text(OUTCOME) == "running")
        dialog.stop.click()
        await wait_until(lambda: not dialog.run.is_running)

        assert rows(dialog)["Unknown method"].text(OUTCOME) == "stopped"
        assert not dialog.run.done
        assert dialog.start.isEnabled()


async def test_nothing_is_switched_while_probes_run_and_effects_are_back_for_the_next_run(
    page: ReportPage,
) -> None:
    """Ours: who selects again sees what is sent and its effect; in the next run nothing is left of what was received before."""
    peer = server(WRITING, READING)
    async with shown(page, peer):
        dialog = opened(page)
        leave_only(dialog, "Unknown method", "Ping")
        peer.answers["ping"] = silence
        dialog.start.click()
        await wait_until(lambda: rows(dialog)["Ping"].text(OUTCOME) == "running")
        received = rows(dialog)["Unknown method"].text(SENDS)
        assert "-32601" in received
        switch(dialog, "Tools")
        switch(dialog, TOOLS)
        assert set(dialog.list.chosen()) == {"unknown-method", "ping"}
        assert rows(dialog)["Unknown method"].text(SENDS) == received
        dialog.stop.click()
        await wait_until(lambda: not dialog.run.is_running)

        assert dialog.list.isColumnHidden(EFFECT)
        switch(dialog, TOOLS)
        assert not dialog.list.isColumnHidden(EFFECT)
        assert dialog.list.isColumnHidden(OUTCOME)
        assert "spyglass/unknown" in rows(dialog)["Unknown method"].text(SENDS)
        assert "request" in reads(dialog, "probe_state")
        switch(dialog, "Unknown method")
        dialog.start.click()
        assert not rows(dialog)["Unknown method"].text(SENDS)
        dialog.stop.click()
        await wait_until(lambda: not dialog.run.is_running)


async def test_closing_the_dialog_stops_what_runs(page: ReportPage) -> None:
    """Ours."""
    peer = server()
    peer.answers["spyglass/unknown"] = silence
    async with shown(page, peer) as (_, session):
        dialog = opened(page)
        dialog.start.click()
        await wait_until(lambda: "spyglass/unknown" in peer.methods())
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        await wait_until(
            lambda: not session.sweep.rules.history.is_probing and not session.sweep.pending
        )
        await wait_until(lambda: page.findChild(ProbeDialog) is None)


async def test_probes_are_not_offered_without_a_connection(page: ReportPage) -> None:
    """Ours: the reason is at the button; an open dialog cannot start any more."""
    async with shown(page, server()) as (_, session):
        assert page.heading.probe.isEnabled()
        dialog = opened(page)
        await session.session.aclose()
        await wait_until(lambda: not page.heading.probe.isEnabled())

        assert page.heading.probe.toolTip() == "Not connected."
        assert not dialog.start.isEnabled()
        assert reads(dialog, "probe_state") == "Not connected."
