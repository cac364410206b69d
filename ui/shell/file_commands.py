"""The File menu: servers to add, records to open."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu

from inspector.workspace import SUFFIX
from ui.aio import spawn
from ui.shell.actions import Command
from ui.shell.recent_sessions import file_label, recording_label
from ui.shell.unsaved_work import UnsavedWork
from ui.widgets.tool_tip import tool_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from ui.shell.main_window import MainWindow

MENU = "&File"

EARLIER_SHOWN = 30
"""Earlier sessions listed in the menu; the file dialog has them all."""


class FileCommands:
    """What it does."""

    def __init__(self, window: MainWindow) -> None:
        """Act on `window`."""
        self._window = window
        self.unsaved = UnsavedWork(window)
        self._labelling: asyncio.Task[None] | None = None

    def rows(self) -> tuple[Command, ...]:
        """The commands, in order."""
        window = self._window
        return (
            Command("add", MENU, "&Add server…", self.add_server, "Ctrl+N", "mdi6.plus"),
            Command("paste", MENU, "Add server from &clipboard", self.paste_server, "Ctrl+Shift+V"),
            Command("open", MENU, "&Open recording…", self.choose_record, "Ctrl+O", separated=True),
            Command(
                "save",
                MENU,
                "&Save recording as…",
                self.unsaved.save_shown,
                "Ctrl+S",
                enabled=self.unsaved.can_save,
            ),
            Command("quit", MENU, "&Quit", window.close, "Ctrl+Q", separated=True),
        )

    def add_server(self) -> None:
        """Open the editor for a new server."""
        self._window.servers.add()

    def paste_server(self) -> None:
        """Open the editor with what is in the clipboard."""
        self._window.servers.add(QGuiApplication.clipboard().text())

    def choose_record(self) -> None:
        """Ask for the file of an earlier session."""
        window = self._window
        dialog = QFileDialog(window, "Open recording", str(window.workspace.records or ""))
        dialog.setObjectName("record_dialog")
        dialog.setNameFilter(f"Spyglass recordings (*{SUFFIX})")
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.finished.connect(dialog.deleteLater)
        dialog.fileSelected.connect(self._on_record_chosen)
        dialog.open()

    def _on_record_chosen(self, path: str) -> None:
        self._window.conductor.open_record(Path(path))

    def add_earlier_menu(self, menu: QMenu, before: QAction) -> None:
        """Put the list of earlier sessions into `menu`."""
        earlier = QMenu("Open &recent", menu)
        earlier.setObjectName("menu_earlier")
        earlier.aboutToShow.connect(partial(self._fill_earlier, earlier))
        menu.insertMenu(before, earlier)

    def _fill_earlier(self, menu: QMenu) -> None:
        if self._labelling is not None:
            self._labelling.cancel()
        menu.clear()
        paths = self._window.workspace.earlier_records()[:EARLIER_SHOWN]
        for path in paths:
            action = menu.addAction(file_label(path).replace("&", "&&"))
            action.setToolTip(tool_tip(str(path)))
            action.triggered.connect(
                lambda _checked=False, p=path: self._window.conductor.open_record(p)
            )
        if paths:
            actions = dict(zip(paths, menu.actions(), strict=True))
            self._labelling = spawn(menu, _label(actions), name="read what recordings are about")
        else:
            menu.addAction("(none)").setEnabled(False)


async def _label(actions: dict[Path, QAction]) -> None:
    """Say what the recordings are about; each file is opened for that, in a thread, as any of them may be slow to read."""
    for path, action in actions.items():
        label = await asyncio.to_thread(recording_label, path)
        action.setText(label.replace("&", "&&"))
