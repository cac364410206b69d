"""The File menu: adds servers, opens and saves recordings; and what is lost when Spyglass quits.

The dialogs, and what reads and writes recordings, are imported when they are used: the window is shown before.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from inspector.errors import StorageError
from inspector.visible_text import one_line
from inspector.workspace import RECORDING_SUFFIX
from ui.aio import spawn
from ui.shell.actions import Command, CommandGroup
from ui.shell.exporting import open_export
from ui.shell.importing import Importing
from ui.widgets.labels import no_mnemonic, tool_tip
from ui.widgets.units import plural, size

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from inspector.open_session import OpenSession
    from inspector.transcript.transcript import Transcript
    from ui.connect.notice_bar import Choice
    from ui.shell.main_window import MainWindow
    from ui.shell.window_parts import WindowParts

NAME_LENGTH = 60
"""Characters of a server's name."""


def file_label(path: Path) -> str:
    """The name of the file, for as long as nothing else is known."""
    return one_line(path.stem, NAME_LENGTH)


def recording_label(path: Path) -> str:
    """Server, local date and time, how many frames and how large; the name of the file where it does not say so itself. Blocks."""
    from inspector.transcript.recording_reader import summarize

    try:
        summary = summarize(path)
        extent = size(path.stat().st_size)
    except (StorageError, OSError):
        return f"{file_label(path)} · unreadable"
    name = one_line(summary.facts.get("title") or path.stem, NAME_LENGTH)
    count = () if summary.frames is None else (plural(summary.frames, "frame"),)
    return " · ".join((name, *_when(summary.facts.get("started", "")), *count, extent))


def _when(started: str) -> tuple[str, ...]:
    """Return seconds since 1970 as local date and time; empty for no number."""
    try:
        moment = datetime.fromtimestamp(float(started), UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return ()
    return (f"{moment:%Y-%m-%d %H:%M:%S}",)


MAX_EARLIER = 30
"""Earlier sessions listed in the menu; the file dialog has them all."""


class FileCommands(CommandGroup):
    """The commands of the File menu."""

    menu = "&File"

    def __init__(self, window: MainWindow, parts: WindowParts) -> None:
        """Act on `parts` of `window`."""
        super().__init__(window, parts)
        self.unsaved = UnsavedWork(window, parts)
        self.importing = Importing(window, parts)
        self._labelling: asyncio.Task[None] | None = None

    def rows(self) -> tuple[Command, ...]:
        """The commands, in order."""
        window = self.window
        return (
            Command("add", "&Add server…", self.add_server, "Ctrl+N", "mdi6.plus"),
            Command("paste", "Add server from &clipboard", self.paste_server, "Ctrl+Shift+V"),
            Command("open", "&Open recording…", self.choose_record, "Ctrl+O", separated=True),
            Command(
                "save",
                "&Save recording as…",
                self.unsaved.save_current,
                "Ctrl+S",
                enabled=self.unsaved.can_save,
            ),
            Command(
                *("import", "&Import…", self.importing.choose_file, "Ctrl+Shift+A"),
                separated=True,
            ),
            Command(
                "export",
                "&Export…",
                lambda: open_export(window, self.parts),
                "Ctrl+Shift+X",
                enabled=self.unsaved.can_save,
            ),
            Command("quit", "&Quit", window.close, "Ctrl+Q", separated=True),
        )

    def add_server(self) -> None:
        """Open the editor for a new server."""
        self.parts.servers.add()

    def paste_server(self) -> None:
        """Open the editor with what is in the clipboard."""
        self.parts.servers.add(QGuiApplication.clipboard().text())

    def choose_record(self) -> None:
        """Ask for the file of an earlier session."""
        from PySide6.QtWidgets import QFileDialog

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
        paths = self.parts.workspace.recent_recordings()[:MAX_EARLIER]
        for path in paths:
            action = menu.addAction(no_mnemonic(file_label(path)))
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
        action.setText(no_mnemonic(label))


SAVE = "Save as…"

UNSENT = "You wrote responses that are not sent yet. Quit, and they are lost."


class UnsavedWork:
    """Knows which sessions are in memory only, says so once for each, saves copies, and warns before quitting."""

    def __init__(self, window: MainWindow, parts: WindowParts) -> None:
        """Watch the sessions of `window`."""
        self._window = window
        self._parts = parts
        self._saved: WeakKeyDictionary[Transcript, int] = WeakKeyDictionary()
        """Frames that are in a copy."""
        self._warned = ""
        """What the user was told would be lost."""
        self._reported: WeakKeyDictionary[Transcript, None] = WeakKeyDictionary()

    def can_save(self) -> bool:
        """Whether a session or a recording is shown."""
        return self._parts.controller.transcript is not None

    def report(self) -> None:
        """Say why the shown session is not recorded, if that was not said yet."""
        transcript = self._parts.controller.transcript
        if transcript is None or transcript.failure is None or transcript in self._reported:
            return
        self._reported[transcript] = None
        text = f"This session is in memory only: {transcript.failure.reason}."
        self._parts.workbench.notice.show_notice(
            text, (SAVE, "save_recording", lambda: self.save(transcript)), tone="error"
        )

    def unsaved(self) -> list[OpenSession]:
        """The sessions that are lost when Spyglass quits, of all servers and runs."""
        runs = (run for opened in self._parts.workspace.sessions for run in opened.all_runs)
        return [run for run in runs if self._is_unsaved(run.session.transcript)]

    def _is_unsaved(self, transcript: Transcript) -> bool:
        return transcript.failure is not None and self._saved.get(transcript, 0) < transcript.count

    def warn_before_quitting(self) -> bool:
        """Show what would be lost, with a way to quit anyway; False if there is nothing new to show."""
        sessions = self._sessions_text()
        unsent = UNSENT if self._parts.inbox.dialogs.has_unsent() else ""
        warning = f"{unsent} {sessions}".strip()
        if warning in {"", self._warned}:
            return False
        self._warned = warning
        choices: list[Choice] = [("Quit", "quit_anyway", self._window.close)]
        if sessions:
            choices.insert(0, (SAVE, "save_before_quitting", self.save_next))
        self._parts.workbench.notice.show_notice(warning, *choices, tone="warning")
        return True

    def _sessions_text(self) -> str:
        names = {one_line(each.profile.name, NAME_LENGTH) for each in self.unsaved()}
        if not names:
            return ""
        return f"Sessions in memory only are lost when Spyglass quits: {', '.join(sorted(names))}."

    def save_next(self) -> None:
        """Ask where to save the first session that would be lost."""
        if unsaved := self.unsaved():
            self.save(unsaved[0].session.transcript)

    def save_current(self) -> None:
        """Ask where to save a copy of what is shown."""
        transcript = self._parts.controller.transcript
        if transcript is not None:
            self.save(transcript)

    def save(self, transcript: Transcript) -> None:
        """Ask where to save a copy of `transcript`."""
        from PySide6.QtWidgets import QFileDialog

        from ui.widgets.save import suggested_name

        dialog = QFileDialog(self._window, "Save recording")
        dialog.setObjectName("save_recording_dialog")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(f"Spyglass recordings (*{RECORDING_SUFFIX})")
        dialog.setDefaultSuffix(RECORDING_SUFFIX.lstrip("."))
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.selectFile(
            suggested_name(f"{transcript.metadata.get('title', 'session')}{RECORDING_SUFFIX}")
        )
        dialog.fileSelected.connect(partial(self._on_file_selected, transcript))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _on_file_selected(self, transcript: Transcript, path: str) -> None:
        spawn(self._window, self._write(transcript, Path(path)), name="save recording")

    async def _write(self, transcript: Transcript, path: Path) -> None:
        from inspector.transcript.recording_file import write_copy

        try:
            count = await write_copy(transcript, path)
        except StorageError as error:
            choice = (SAVE, "save_recording", lambda: self.save(transcript))
            self._parts.workbench.notice.show_notice(f"{error.reason}.", choice, tone="error")
            return
        self._saved[transcript] = count
        self._parts.status.show_message(f"{plural(count, 'frame')} saved in {path}")
