"""What is lost when Spyglass quits: responses that are not sent, and recordings that cannot be written where they belong."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from PySide6.QtWidgets import QFileDialog

from inspector.errors import StorageError
from inspector.transcript.recording_file import write_copy
from inspector.visible_text import one_line
from inspector.workspace import RECORDING_SUFFIX
from ui.aio import spawn
from ui.widgets.save import suggested_name
from ui.widgets.units import plural

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript
    from inspector.workspace import OpenSession
    from ui.connect.notice_bar import Choice
    from ui.shell.main_window import MainWindow
    from ui.shell.window_parts import WindowParts

SAVE = "Save as…"

UNSENT = "You wrote responses that are not sent yet. Quit, and they are lost."

NAME_LENGTH = 60
"""Characters of a server's name."""


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
        """Say what would be lost, with a way to quit all the same; False for nothing, or what was said already."""
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

    def save_shown(self) -> None:
        """Ask where to save a copy of what is shown."""
        transcript = self._parts.controller.transcript
        if transcript is not None:
            self.save(transcript)

    def save(self, transcript: Transcript) -> None:
        """Ask where to save a copy of `transcript`."""
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
        try:
            count = await write_copy(transcript, path)
        except StorageError as error:
            choice = (SAVE, "save_recording", lambda: self.save(transcript))
            self._parts.workbench.notice.show_notice(f"{error.reason}.", choice, tone="error")
            return
        self._saved[transcript] = count
        self._parts.status.say(f"{plural(count, 'frame')} saved in {path}")
