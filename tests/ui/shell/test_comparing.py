"""Calls, frames and runs are compared on a page that opens for it and closes; ours."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QFileDialog, QMenu, QToolButton

from inspector.compare.compared_frame import ComparedFrame
from inspector.transcript.transcript import Transcript
from tests.support.answering import tool
from tests.support.talk import Talk
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, find, reads, sees
from ui.features.compare.page import BUSY_MS, ComparePage
from ui.traffic.row_actions import make_menu

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.json_value import Json, JsonObject
    from inspector.open_session import OpenSession
    from tests.ui.shell.shell_fixture import ShellFixture

TIMES = ("2026-01-01T10:00:00Z", "2026-01-01T10:00:07Z", "2026-01-01T10:01:00Z")


def orders(shell: ShellFixture) -> None:
    """Let the tools list orders, and say when."""
    times = iter(TIMES)

    def answer(params: JsonObject) -> Json:
        given = params["arguments"]
        assert isinstance(given, dict)
        items: list[Json] = [
            {"id": f"11{at}", "state": "open"} for at in range(int(str(given["limit"])))
        ]
        return {
            "content": [{"type": "text", "text": f"{len(items)} orders"}],
            "structuredContent": {"orders": items, "at": next(times)},
        }

    shell.server.answers["tools/call"] = answer


async def call(session: OpenSession, limit: int) -> None:
    made = session.tools.call(session.tools.items[0], f'{{"limit":{limit}}}')
    await made.wait()


def page_of(shell: ShellFixture) -> ComparePage:
    page = shell.window.parts.workbench.page("compare")
    assert isinstance(page, ComparePage)
    return page


def lines(page: ComparePage) -> list[tuple[str, str, str]]:
    """Sign, old and new text of the rows that differ."""
    model = page.model
    found: list[tuple[str, str, str]] = []
    for at in range(model.rowCount()):
        cells = [model.cell(model.index(at, column)) for column in (0, 1)]
        old, new = (cell.line.text if cell is not None and cell.line else "" for cell in cells)
        if cells[0] is not None and cells[0].kind:
            found.append((cells[0].kind.value, old, new))
    return found


async def compared(shell: ShellFixture) -> ComparePage:
    """The page, when it shows the difference of the first and the last call."""
    orders(shell)
    session = await shell.open()
    for limit in (1, 2):
        await call(session, limit)
    shell.tools.choose(0)
    await wait_until(lambda: shell.tools.can_compare)
    shell.window.commands.actions["compare_calls"].trigger()
    page = page_of(shell)
    await wait_until(lambda: sees(page, "compare_lines"))
    return page


async def test_a_call_with_another_argument_is_compared_with_the_one_before(
    shell: ShellFixture,
) -> None:
    """Ours: the result, then the arguments; the view has two columns with signs."""
    shell.window.resize(1440, 900)
    page = await compared(shell)

    assert lines(page) == [
        ("changed", '"text": "1 orders"', '"text": "2 orders"'),
        ("added", "", '{ "id": "111", "state": "open" }'),
        ("changed", f'"at": "{TIMES[0]}"', f'"at": "{TIMES[1]}"'),
    ]
    assert (reads(page, "compare_changed"), reads(page, "compare_added")) == (
        "2 changed",
        "1 added",
    )
    assert reads(page, "compare_position") == "1 of 3"
    click(page, "compare_parts_arguments")
    await wait_until(lambda: lines(page) == [("changed", '"limit": 1', '"limit": 2')])


async def test_times_that_change_with_every_send_are_ignored(shell: ShellFixture) -> None:
    """Ours: learned from another send with the same arguments, named, and not ignored any more on request."""
    page = await compared(shell)
    await call(shell.session, 2)
    await wait_until(lambda: shell.tools.result_panel.operation is not None)
    subjects = page.pickers.exchanges()
    assert len(subjects) == 2
    page.compare(subjects[1].frame, subjects[0].frame)
    await wait_until(lambda: "ignored" in reads(page, "compare_ignored"))

    assert reads(page, "compare_ignored") == "1 ignored: result.structuredContent.at"
    assert [kind for kind, _, _ in lines(page)] == ["changed", "added"]


async def test_the_path_of_a_line_is_ignored_from_its_menu(shell: ShellFixture) -> None:
    """Ours: in every item of an array; and no longer, from the menu of all ignored paths."""
    page = await compared(shell)
    page.view.menu_requested.emit(page.model.starts()[0], page.mapToGlobal(page.pos()))
    menu = page.findChild(QMenu, "compare_row_menu")
    assert menu is not None
    next(each for each in menu.actions() if each.text().startswith("Ignore")).trigger()
    await wait_until(lambda: len(lines(page)) == 2)
    assert reads(page, "compare_ignored") == "1 ignored: result.content[*].text"

    click(page, "compare_ignored")
    menu = page.findChild(QMenu, "compare_ignored_menu")
    assert menu is not None
    next(each for each in menu.actions() if each.text().startswith("result")).trigger()
    await wait_until(lambda: len(lines(page)) == 3)


async def test_the_keys_go_from_difference_to_difference(shell: ShellFixture) -> None:
    """Ours: F8 and Shift+F8, which pause the traffic elsewhere."""
    page = await compared(shell)
    page.view.setFocus()
    QTest.keyClick(page.view, Qt.Key.Key_F8)
    assert reads(page, "compare_position") == "2 of 3"
    QTest.keyClick(page.view, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(page.view, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)

    assert reads(page, "compare_position") == "3 of 3"
    assert not shell.window.parts.traffic.bar.pause.isChecked()


async def test_sides_are_swapped_and_selected(shell: ShellFixture) -> None:
    """Ours: what was added is removed then; equal sides are identical."""
    page = await compared(shell)
    click(page, "compare_swap")
    await wait_until(lambda: [kind for kind, _, _ in lines(page)][1:2] == ["removed"])

    before, after = (find(page, QComboBox, f"compare_{side}") for side in ("before", "after"))
    assert before.count() == 2
    after.setCurrentIndex(before.currentIndex())
    after.activated.emit(before.currentIndex())
    await wait_until(lambda: sees(page, "compare_notice"))
    assert reads(page, "compare_notice_title") == "Result is identical."
    await wait_until(lambda: "arguments" in reads(page, "compare_notice_text"))


async def test_the_page_is_opened_and_closes(shell: ShellFixture) -> None:
    """Ours: its tab is there only meanwhile."""
    tabs = shell.window.parts.workbench.tabs
    at = tabs.count() - 1
    assert not tabs.isTabVisible(at)
    page = await compared(shell)
    assert tabs.isTabVisible(at)
    assert tabs.currentIndex() == at

    shell.window.refresh_commands()
    shell.window.commands.actions["close_page"].trigger()

    assert not tabs.isTabVisible(at)
    assert tabs.currentIndex() != at
    assert page.model.rowCount() == 0


async def test_two_frames_of_the_traffic_are_compared(shell: ShellFixture) -> None:
    """Ours: from the menu of the rows."""
    orders(shell)
    session = await shell.open()
    for limit in (1, 2):
        await call(session, limit)
    traffic = shell.window.parts.traffic
    traffic.set_filter("method:tools/call kind:request")
    await wait_until(lambda: traffic.model.rowCount() == 2)
    assert not traffic.row_actions.can_compare
    selection = traffic.table.selectionModel()
    flags = QItemSelectionModel.SelectionFlag
    for row in range(2):
        selection.select(traffic.model.index(row, 0), flags.Select | flags.Rows)
    traffic.row_actions.compare()
    page = page_of(shell)

    await wait_until(lambda: lines(page))
    assert ("changed", '"text": "1 orders"', '"text": "2 orders"') in lines(page)


async def test_a_run_is_compared_with_the_run_before(shell: ShellFixture) -> None:
    """Ours: its tools, structurally."""
    first = await shell.open()
    shell.server.answers["tools/list"] = lambda _: {"tools": [tool("fresh")]}
    assert not shell.window.commands.actions["compare_runs"].isEnabled()
    shell.window.commands.actions["reconnect"].trigger()
    await wait_until(lambda: shell.controller.session is not first)
    await wait_until(lambda: shell.is_ready(first.profile))
    shell.window.refresh_commands()
    shell.window.commands.actions["compare_runs"].trigger()
    page = page_of(shell)

    await wait_until(lambda: reads(page, "compare_added") == "1 added")
    assert reads(page, "compare_removed") == "40 removed"
    assert find(page, QToolButton, "compare_parts_tools").isChecked()
    click(page, "compare_parts_instructions")
    await wait_until(lambda: sees(page, "compare_state"))
    page.clear()
    actions = shell.window.parts.traffic.row_actions
    assert not actions.begins_run(first.session.transcript, 1)
    menu = make_menu(shell.session.session.transcript, 1, actions, shell.window)
    assert not sees(page, "compare_pickers")
    next(each for each in menu.actions() if each.text() == "Compare with previous run").trigger()
    await wait_until(lambda: sees(page, "compare_pickers"))


async def test_a_call_is_made_again_and_compared(shell: ShellFixture) -> None:
    """Ours: in one action."""
    orders(shell)
    session = await shell.open()
    await call(session, 1)
    shell.tools.choose(0)
    await wait_until(lambda: shell.tools.can_repeat)
    shell.window.commands.actions["call_again_compare"].trigger()
    page = page_of(shell)

    await wait_until(
        lambda: sees(page, "compare_ignored") and "ignored:" in reads(page, "compare_ignored")
    )
    assert lines(page) == []
    assert len(session.tools.history.operations) == 2


async def test_two_recordings_are_compared(shell: ShellFixture, tmp_path: Path) -> None:
    """Ours: without a session with their server; and one of them with a run."""
    await shell.open()
    files = [tmp_path / "a.spyglass", tmp_path / "b.spyglass"]
    for path, names in zip(files, (("find",), ("find", "refund")), strict=True):
        talk = Talk()
        talk.transcript = Transcript.create(path, clock=talk.clock)
        talk.wait(len(names))
        talk.request(1, "tools/list")
        talk.result(1, tools=[tool(name) for name in names])
        await talk.transcript.aclose()
    shell.window.go("compare")
    page = page_of(shell)
    page.recordings.open(files)

    await wait_until(lambda: reads(page, "compare_added") == "1 added")
    before = find(page, QComboBox, "compare_before")
    assert before.currentText().startswith("a.spyglass · ")
    run = next(at for at in range(before.count()) if before.itemText(at).startswith("Run 1"))
    before.setCurrentIndex(run)
    before.activated.emit(run)
    await wait_until(lambda: reads(page, "compare_removed") == "40 removed")


async def test_a_recording_that_cannot_be_read_says_why(
    shell: ShellFixture, tmp_path: Path
) -> None:
    """Ours: on the empty page, and above what is compared; the dialog for it takes one file."""
    await shell.open()
    shell.window.go("compare")
    page = page_of(shell)
    page.recordings.open([tmp_path / "none.spyglass"])
    await wait_until(lambda: "Cannot open recording" in reads(page, "compare_empty"))

    page.pickers.recording_requested.emit(True)
    dialog = page.findChild(QFileDialog, "compare_recordings")
    assert dialog is not None
    assert dialog.fileMode() is QFileDialog.FileMode.ExistingFile
    dialog.reject()
    page.clear()
    assert "Cannot open recording" not in reads(page, "compare_empty")


async def test_secrets_are_neither_displayed_nor_copied(shell: ShellFixture) -> None:
    """C-SEC-17: what is compared has markers in their place, in calls and in runs; copies have no state handles."""
    secrets = ("first-secret", "second-secret")
    answers = iter(secrets)
    shell.server.answers["tools/call"] = lambda _: {
        "content": [{"type": "text", "text": next(answers)}],
        "requestState": "handle",
    }
    session = await shell.open()
    session.session.transcript.redaction.know(secrets)
    for limit in (1, 2):
        await call(session, limit)
    shell.tools.choose(0)
    await wait_until(lambda: shell.tools.can_compare)
    shell.window.commands.actions["compare_calls"].trigger()
    page = page_of(shell)
    await wait_until(lambda: bool(lines(page)))

    assert "[redacted:12-bytes:" in lines(page)[0][1]
    assert "[redacted:13-bytes:" in lines(page)[0][2]
    page.view.selectAll()
    page.view.copy()
    copied = QGuiApplication.clipboard().text()
    assert "requestState" in copied
    assert not any(each in copied for each in (*secrets, "handle"))


async def test_a_comparison_that_takes_the_place_of_another_shows_that_it_is_running(
    shell: ShellFixture,
) -> None:
    """Ours: the end of the one before stops nothing."""
    shell.server.answers["tools/call"] = lambda params: {
        "structuredContent": {"items": [f"{params['arguments']} {at}" for at in range(20_000)]},
        "content": [],
    }
    session = await shell.open()
    for limit in (1, 2):
        await call(session, limit)
    page = page_of(shell)
    shell.window.go("compare")
    requests = session.session.transcript
    frames = [
        ComparedFrame(requests, number)
        for number in range(1, requests.count + 1)
        if requests.row(number).method == "tools/call"
        and requests.columns.request[number - 1] == number
    ]
    busy = next(each for each in page.findChildren(QTimer) if each.interval() == BUSY_MS)
    page.compare(*frames)
    for _ in range(3):
        await asyncio.sleep(0)
    page.compare(*frames)
    for _ in range(3):
        await asyncio.sleep(0)

    assert busy.isActive() or reads(page, "compare_state").startswith("Comparing")
    await wait_until(lambda: bool(lines(page)))


async def test_a_fold_opens_if_it_is_clicked(shell: ShellFixture) -> None:
    """Ours: not if a drag ends on it."""
    await shell.open()
    page, talk = page_of(shell), Talk()
    frames: list[ComparedFrame] = []
    for at in (1, 2):
        request = talk.call(at, "x")
        talk.result(at, items=[*range(50), at])
        frames.append(ComparedFrame(talk.transcript, request))
    shell.window.go("compare")
    page.compare(*frames)
    await wait_until(lambda: bool(lines(page)))
    view, model, left = page.view, page.model, Qt.MouseButton.LeftButton
    rows = model.rowCount()
    cells = [(at, model.cell(model.index(at, 0))) for at in range(rows)]
    fold = next(at for at, cell in cells if cell is not None and cell.row.fold is not None)
    other = model.starts()[0]

    def center(row: int) -> QPoint:
        return view.visualRect(model.index(row, 0)).center()

    QTest.mousePress(view.viewport(), left, pos=center(other))
    QTest.mouseRelease(view.viewport(), left, pos=center(fold))
    assert model.rowCount() == rows
    QTest.mouseClick(view.viewport(), left, pos=center(fold))
    assert model.rowCount() > rows
