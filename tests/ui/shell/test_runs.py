"""A reconnect takes nothing away: the traffic, the log and standard error go on where they were."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton

from inspector.export.formats import RAW
from inspector.inbox import InboxItem
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.wait import wait_until
from tests.ui.qt_actions import find, reads
from tests.ui.shell.shell_fixture import many_tools
from ui.models.traffic_columns import position
from ui.traffic.frame_details import Tab

if TYPE_CHECKING:
    from inspector.open_session import OpenSession
    from tests.ui.shell.shell_fixture import ShellFixture
    from ui.features.logs.page import LogsPage
    from ui.models.traffic import TrafficModel


async def reconnect(shell: ShellFixture) -> OpenSession:
    """Press *Reconnect* and wait until the next run is ready."""
    before = shell.session
    shell.window.commands.actions["reconnect"].trigger()
    await wait_until(lambda: shell.controller.session is not before)
    await wait_until(lambda: shell.is_ready(before.profile))
    return shell.session


def rows(model: TrafficModel, column: int) -> list[str]:
    """The texts of a column."""
    return [str(model.index(row, column).data() or "") for row in range(model.rowCount())]


async def test_frames_of_all_runs_are_one_list_divided_by_a_row_that_says_why(
    shell: ShellFixture,
) -> None:
    """Ours: with and without a filter, which goes over all runs."""
    first = await shell.open()
    shell.server = many_tools()
    shell.server.answers["tools/list"] = lambda _: {"tools": []}
    await reconnect(shell)
    model = shell.window.parts.traffic.model
    await wait_until(lambda: model.feed.pending_count == 0)

    row = model.visible_frames.row_of(first.session.transcript.count + 1)
    assert row is not None
    await wait_until(lambda: "40 tools removed" in model.divider(row))  # compared in slices
    text = model.divider(row)
    assert all(part in text for part in ("Run 2", "reconnected"))
    assert model.index(row, position("summary")).data() == text
    assert sum(bool(model.divider(at)) for at in range(model.rowCount())) == 1

    shell.window.parts.traffic.set_filter("method:tools/list kind:request")
    await wait_until(lambda: model.rowCount() == 3)
    assert rows(model, position("method"))[::2] == ["tools/list"] * 2
    assert model.matching == 2
    shell.window.parts.traffic.set_filter("nothing-like-it")
    await wait_until(lambda: model.matching == 0)
    assert reads(shell.window, "traffic_empty")


async def test_a_frame_of_an_earlier_run_is_looked_at_and_leads_to_its_partner(
    shell: ShellFixture,
) -> None:
    """Ours: frames of two runs have the same numbers."""
    first = await shell.open()
    await reconnect(shell)
    panel, transcript = shell.window.parts.traffic, first.session.transcript
    await wait_until(lambda: panel.model.feed.pending_count == 0)
    number = next(
        n for n in range(1, transcript.count + 1) if transcript.row(n).method == "tools/list"
    )

    shell.window.show_frame(number, transcript)
    assert panel.detail.number() == number
    panel.detail.show_tab(Tab.RAW)
    assert panel.detail.raw.text().encode() == transcript.raw(number)
    panel.row_actions.jump()
    assert panel.detail.number() == transcript.columns.response[number - 1]
    find(shell.window, QAbstractButton, "traffic_jump").click()
    assert panel.detail.number() == number
    panel.row_actions.copy(RAW)


async def test_a_frame_of_a_run_that_is_not_listed_any_more_is_shown_and_its_recording_offered(
    shell: ShellFixture,
) -> None:
    """Ours: a link to a frame always does something; the recording of the run has the frames around it."""
    first = await shell.open()
    transcript = first.session.transcript
    await reconnect(shell)
    first.runs.earlier.clear()  # as when the budget lets go of it
    last = await reconnect(shell)
    panel = shell.window.parts.traffic
    assert transcript not in panel.model.timeline.transcripts

    shell.window.show_frame(2, transcript)
    assert panel.detail.isVisible()
    assert (panel.detail.transcript, panel.detail.number()) == (transcript, 2)
    assert "no longer listed" in panel.away_notice.text()

    find(shell.window, QAbstractButton, "traffic_away_action").click()
    await wait_until(lambda: shell.controller.record is not None)
    assert shell.controller.record is not None
    assert shell.controller.record.path == transcript.path
    shell.controller.leave_record()
    assert shell.session is last


async def test_a_question_of_an_earlier_run_leads_to_its_frame(shell: ShellFixture) -> None:
    """Ours: its session is over and another one is shown."""
    first = await shell.open()
    session = first.session
    ask = InboxItem("sampling", session, first.sampling, "server", 2, 0.0, "", None)
    await reconnect(shell)

    shell.window.parts.inbox.dialogs.frame_requested.emit(ask)

    panel = shell.window.parts.traffic
    assert (panel.detail.transcript, panel.detail.number()) == (first.session.transcript, 2)


async def test_a_frame_that_is_not_there_is_told(shell: ShellFixture) -> None:
    """Ours."""
    await shell.open()

    shell.window.show_frame(100_000)

    assert "Frame 100,000" in find(shell.window, QAbstractButton, "traffic_state").text()


async def test_logs_and_standard_error_of_earlier_runs_stay(shell: ShellFixture) -> None:
    """Ours."""
    first = await shell.open()
    page = cast("LogsPage", shell.window.parts.workbench.page("logs"))

    def write(opened: OpenSession, word: str) -> None:
        line = RawChunk(f"{word} on stderr".encode())
        opened.session.transcript.append(Direction.RECEIVED, Channel.STDERR, [line])
        shell.server.notify("notifications/message", {"level": "info", "data": word})

    write(first, "old")
    shell.server = many_tools()
    second = await reconnect(shell)
    write(second, "new")
    shell.window.go("logs")
    await wait_until(lambda: page.model.total == 2 and page.model.rowCount() == 3)

    texts = [page.model.cells(row).texts[3] for row in range(page.model.rowCount())]
    assert ["old" in texts[0], "Run 2" in texts[1], "new" in texts[2]] == [True] * 3
    page.filter.set_text("new")
    await wait_until(lambda: page.model.matching == 1)
    console = shell.window.parts.stderr.model
    await wait_until(lambda: console.rowCount() == 3)
    lines = [str(console.index(row).data(Qt.ItemDataRole.DisplayRole)) for row in range(3)]
    assert ["old" in lines[0], "Run 2" in lines[1], "new" in lines[2]] == [True] * 3
