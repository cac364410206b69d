"""What the compare page keeps for a server, saves, and compares with an earlier recording; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox, QFileDialog

from inspector.compare.paths import PathPattern
from inspector.transcript.transcript import Transcript
from tests.support.answering import tool
from tests.support.talk import Talk
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, find, reads, sees
from tests.ui.shell.test_comparing import compared, lines, page_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ui.shell.shell_fixture import ShellFixture


async def test_a_path_stays_ignored_for_its_server(shell: ShellFixture) -> None:
    """Ours: also when the page was closed in between; it is listed among the ignored ones."""
    page = await compared(shell)
    page.ignored.set_ignored(PathPattern(("result", "content", None, "text")))
    await wait_until(lambda: len(lines(page)) == 2)
    page.clear()

    shell.window.commands.actions["compare_calls"].trigger()

    await wait_until(lambda: sees(page, "compare_lines") and len(lines(page)) == 2)
    assert "result.content[*].text" in reads(page, "compare_ignored")
    session = shell.session
    page.set_session(None)
    page.set_session(session)
    assert PathPattern(("result", "content", None, "text")) in page.ignored.patterns


async def test_what_differs_is_saved_as_text(shell: ShellFixture, tmp_path: Path) -> None:
    """Ours: what the page displays, and where it went."""
    page = await compared(shell)
    click(page, "compare_export")
    await wait_until(lambda: page.findChild(QFileDialog, "save_dialog") is not None)
    dialog = find(page, QFileDialog, "save_dialog")
    path = tmp_path / "result.diff"

    dialog.fileSelected.emit(str(path))

    text = path.read_text()
    assert text.startswith("--- ")
    assert '- "text": "1 orders"' in " ".join(text.split())
    assert str(path) in reads(page, "compare_notice")
    dialog.close()


async def test_the_first_run_is_compared_with_the_last_recording(shell: ShellFixture) -> None:
    """Ours: of the same server; the command says whether there is one."""
    session = await shell.open()
    own = session.session.transcript.path
    assert own is not None
    name = own.name.split("-", 2)[2]
    for stem, tools in (("20200101-000000", ("find",)), ("20200102-000000", ("find", "refund"))):
        talk = Talk()
        talk.transcript = Transcript.create(own.with_name(f"{stem}-{name}"), clock=talk.clock)
        talk.request(1, "tools/list")
        talk.result(1, tools=[tool(each) for each in tools])
        await talk.transcript.aclose()
    foreign = own.with_name("20200103-000000-other.spyglass")
    await Transcript.create(foreign).aclose()
    shell.window.refresh_commands()

    shell.window.commands.compare.compare_runs()

    page = page_of(shell)
    await wait_until(lambda: sees(page, "compare_pickers"))
    before = find(page, QComboBox, "compare_before")
    await wait_until(lambda: before.currentText().startswith("20200102-000000"))
    await wait_until(lambda: reads(page, "compare_removed") == "2 removed")
