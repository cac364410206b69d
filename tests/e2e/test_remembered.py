"""What comes back at the next start; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QLineEdit, QTableView

from tests.e2e import work
from tests.e2e.peers import DEMO
from tests.e2e.user import spyglass
from tests.e2e.waits import until
from ui.models.traffic_columns import position

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

pytestmark = pytest.mark.timeout(180, method="thread")

SIZE = (790, 740)
"""Within the screen that there is where there is none."""

LARGE = (1360, 860)
"""With room for the list of servers and the rows of the traffic."""


async def test_arrangement_filter_colours_and_servers_come_back(
    qapp: QApplication, tmp_path: Path
) -> None:
    """Ours."""
    async with spyglass(qapp, tmp_path) as user:
        await work.connect(user, " ".join(DEMO.argv_alone()))
        await user.presses("Ctrl+B")
        user.window.commands.actions["theme_dark"].trigger()
        await user.types("traffic_filter_line", "method:tools/*")
        await until(lambda: len(user.reads_rows("traffic_table")) >= 2, "the filter to work")
        table = await user.finds(QTableView, "traffic_table")
        table.horizontalHeader().resizeSection(position("method"), 333)
        await until(lambda: not user.sees("servers_panel"), "the servers to go")
        user.window.resize(*SIZE)

    async with spyglass(qapp, tmp_path, size=None) as user:
        await until(lambda: user.app.server_list.profiles, "the list of servers")
        assert user.app.theme.mode == "dark"
        assert (user.window.width(), user.window.height()) == SIZE
        user.window.resize(*LARGE)
        await until(lambda: user.sees("traffic_filter_line"), "the traffic")
        assert not user.sees("servers_panel")
        line = await user.finds(QLineEdit, "traffic_filter_line")
        assert line.text() == "method:tools/*"
        table = await user.finds(QTableView, "traffic_table")
        assert table.horizontalHeader().sectionSize(position("method")) == 333
        await user.presses("Ctrl+B")
        await until(lambda: user.sees("servers_panel"), "the servers")
        await user.chooses_row("servers_list", "inspector.demo", twice=True)
        await until(lambda: user.app.controller.session is not None, "a session")
        await work.is_ready(user)
        await until(lambda: len(user.reads_rows("traffic_table")) >= 2, "filtered traffic")
        shown = {row[position("method")] for row in user.reads_rows("traffic_table")}
        assert shown == {"tools/list"}


async def test_a_record_of_an_earlier_start_opens_from_the_file_dialog(
    qapp: QApplication, tmp_path: Path
) -> None:
    """Ours: Ctrl+O; everything that crossed the wire is there, and nothing can be called."""
    async with spyglass(qapp, tmp_path) as user:
        await work.connect(user, " ".join(DEMO.argv_alone()))
        await work.call(user, DEMO.speaks)
        path = user.transcript.path
        assert path is not None
        raws = user.transcript.raws(1, user.transcript.count + 1)

    async with spyglass(qapp, tmp_path) as user:
        await user.presses("Ctrl+O")
        await until(lambda: user.window.findChild(QFileDialog) is not None, "the dialog")
        dialog = user.window.findChild(QFileDialog)
        assert dialog is not None
        await user.types("fileNameEdit", str(path), dialog)
        buttons = await user.finds(QDialogButtonBox, "buttonBox", dialog)
        user.leaves_popups(buttons)
        buttons.button(QDialogButtonBox.StandardButton.Open).click()

        await user.reads_soon("header_state", "Recording, read-only")
        await until(lambda: user.transcript.count >= len(raws), "all frames of the recording")
        assert user.transcript.raws(1, len(raws) + 1) == raws
        await until(lambda: len(user.reads_rows("traffic_table")) >= len(raws), "the rows")
        await user.chooses_row("traffic_table", "initialize")
        await user.presses("Ctrl+E")
        assert not user.sees("page_raw")
