"""What comes back at the next start; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QLineEdit, QTableView

from tests.e2e import work
from tests.e2e.patience import until
from tests.e2e.peers import DEMO
from tests.e2e.person import spyglass

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

pytestmark = pytest.mark.timeout(180, method="thread")

SIZE = (790, 740)
"""Within the screen that there is where there is none."""


async def test_arrangement_filter_colours_and_servers_come_back(
    qapp: QApplication, tmp_path: Path
) -> None:
    """Ours."""
    async with spyglass(qapp, tmp_path) as person:
        await work.connect(person, " ".join(DEMO.argv_alone()))
        person.window.resize(*SIZE)
        await person.presses("Ctrl+B")
        person.window.actions_["theme_dark"].trigger()
        await person.types("traffic_filter_line", "method:tools/*")
        await until(lambda: len(person.reads_rows("traffic_table")) >= 2, "the filter to work")
        table = await person.finds(QTableView, "traffic_table")
        table.horizontalHeader().resizeSection(5, 333)
        await until(lambda: not person.sees("servers_panel"), "the servers to go")

    async with spyglass(qapp, tmp_path) as person:
        await until(lambda: person.app.server_list.profiles, "the list of servers")
        assert person.app.theme.mode == "dark"
        assert not person.sees("servers_panel")
        assert (person.window.width(), person.window.height()) == SIZE
        line = await person.finds(QLineEdit, "traffic_filter_line")
        assert line.text() == "method:tools/*"
        table = await person.finds(QTableView, "traffic_table")
        assert table.horizontalHeader().sectionSize(5) == 333
        await person.presses("Ctrl+B")
        await until(lambda: person.sees("servers_panel"), "the servers")
        await person.chooses_row("servers_list", "inspector.demo", twice=True)
        await until(lambda: person.app.conductor.session is not None, "a session")
        await work.is_ready(person)
        await until(lambda: len(person.reads_rows("traffic_table")) >= 2, "filtered traffic")
        shown = {row[5] for row in person.reads_rows("traffic_table")}
        assert shown == {"tools/list"}


async def test_a_record_of_an_earlier_start_opens_from_the_file_dialog(
    qapp: QApplication, tmp_path: Path
) -> None:
    """Ours: Ctrl+O; everything that crossed the wire is there, and nothing can be called."""
    async with spyglass(qapp, tmp_path) as person:
        await work.connect(person, " ".join(DEMO.argv_alone()))
        await work.call(person, DEMO.speaks)
        path = person.transcript.path
        assert path is not None
        raws = person.transcript.raws(1, person.transcript.count + 1)

    async with spyglass(qapp, tmp_path) as person:
        await person.presses("Ctrl+O")
        await until(lambda: person.window.findChild(QFileDialog) is not None, "the dialog")
        dialog = person.window.findChild(QFileDialog)
        assert dialog is not None
        await person.types("fileNameEdit", str(path), dialog)
        buttons = await person.finds(QDialogButtonBox, "buttonBox", dialog)
        person.leaves_popups(buttons)
        buttons.button(QDialogButtonBox.StandardButton.Open).click()

        await person.reads_soon("header_state", "recording, read-only")
        await until(lambda: person.transcript.count >= len(raws), "all frames of the recording")
        assert person.transcript.raws(1, len(raws) + 1) == raws
        await until(lambda: len(person.reads_rows("traffic_table")) >= len(raws), "the rows")
        await person.chooses_row("traffic_table", "initialize")
        await person.presses("Ctrl+E")
        assert not person.sees("page_raw")
