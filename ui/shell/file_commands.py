"""The File menu: adds servers, opens recordings and lists the recent ones."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu

from inspector.errors import StorageError
from inspector.transcript.recording_reader import summarize
from inspector.visible_text import one_line
from inspector.workspace import RECORDING_SUFFIX
from ui.aio import spawn
from ui.shell.actions import Command, CommandGroup
from ui.shell.unsaved_work import UnsavedWork
from ui.widgets.labels import tool_tip
from ui.widgets.units import plural, size

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from ui.shell.main_window import MainWindow
    from ui.shell.window_parts import WindowParts

NAME_LENGTH = 60
"""Characters of a server's name."""


def file_label(path: Path) -> str:
    """The name of the file, for as long as nothing else is known."""
    return one_line(path.stem, NAME_LENGTH)


def recording_label(path: Path) -> str:
    """Server, local date and time, how many frames and how large; the name of the file where it does not say so itself. Blocks."""
    try:
        summary = summarize(path)
        extent = size(path.stat().st_size)
    except (StorageError, OSError):
        return f"{file_label(path)} · unreadable"
    name = one_line(summary.facts.get("title") or path.stem, NAME_LENGTH)
    count = () if summary.frames is None else (plural(summary.frames, "frame"),)
    return " · ".join((name, *_when(summary.facts.get("started", "")), *count, extent))


def _when(started: str) -> tuple[str, ...]:
    """Seconds since 1970 as a person would say it."""
    try:
        moment = datetime.fromtimestamp(float(started), UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return ()
    return (f"{moment:%Y-%m-%d %H:%M:%S}",)


MENU = "&File"

EARLIER_SHOWN = 30
"""Earlier sessions listed in the menu; the file dialog has them all."""


class FileCommands(CommandGroup):
    """The commands of the File menu."""

    def __init__(self, window: MainWindow, parts: WindowParts) -> None:
        """Act on `parts` of `window`."""
        super().__init__(window, parts)
        self.unsaved = UnsavedWork(window, parts)
        self._labelling: asyncio.Task[None] | None = None

    def rows(self) -> tuple[Command, ...]:
        """The commands, in order."""
        window = self.window
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
        self.parts.servers.add()

    def paste_server(self) -> None:
        """Open the editor with what is in the clipboard."""
        self.parts.servers.add(QGuiApplication.clipboard().text())

    def choose_record(self) -> None:
        """Ask for the file of an earlier session."""
        window = self.window
        dialog = QFileDialog(window, "Open recording", str(self.parts.workspace.records or ""))
        dialog.setObjectName("record_dialog")
        dialog.setNameFilter(f"Spyglass recordings (*{RECORDING_SUFFIX})")
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.finished.connect(dialog.deleteLater)
        dialog.fileSelected.connect(self._on_record_chosen)
        dialog.open()

    def _on_record_chosen(self, path: str) -> None:
        self.parts.controller.open_record(Path(path))

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
        paths = self.parts.workspace.recent_recordings()[:EARLIER_SHOWN]
        for path in paths:
            action = menu.addAction(file_label(path).replace("&", "&&"))
            action.setToolTip(tool_tip(str(path)))
            action.triggered.connect(
                lambda _checked=False, p=path: self.parts.controller.open_record(p)
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
