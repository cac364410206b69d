"""Files of other tools, opened as recordings: from the File menu, or dropped on the window."""

from __future__ import annotations

import re
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent

from inspector.errors import StorageError
from inspector.visible_text import one_line
from inspector.workspace import RECORDING_SUFFIX
from ui.aio import spawn
from ui.widgets.units import plural

if TYPE_CHECKING:
    from inspector.imports.conversion import Conversion
    from inspector.imports.importer import ForeignSession
    from ui.shell.main_window import MainWindow
    from ui.shell.window_parts import WindowParts

NAME_LENGTH = 60
"""Characters of a file or a session in a sentence."""

PROGRESS_MS = 250
"""How often the number of frames is shown."""


class Importing(QObject):
    """Makes recordings of files, and opens them."""

    def __init__(self, window: MainWindow, parts: WindowParts) -> None:
        """Open recordings in `window`; files can be dropped on it from now on."""
        super().__init__(window)
        self._window = window
        self._parts = parts
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        """Holds imported recordings where no recordings are kept."""
        self._unreported: tuple[Path | None, str] = None, ""
        """The recording that is opened next, and what there is to say about it."""
        parts.controller.session_changed.connect(self._on_session_changed)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def choose_file(self) -> None:
        """Ask for a file."""
        from PySide6.QtWidgets import QFileDialog  # with the first file

        dialog = QFileDialog(self._window, "Import")
        dialog.setObjectName("import_dialog")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.finished.connect(dialog.deleteLater)
        dialog.fileSelected.connect(self._on_file_selected)
        dialog.open()

    def _on_file_selected(self, path: str) -> None:
        self.open(Path(path))

    def open(self, path: Path) -> None:
        """Open a recording, or make one of another file and open that."""
        if path.suffix.lower() == RECORDING_SUFFIX:
            self._parts.controller.open_record(path)
        else:
            spawn(self, self._open(path), name="import a file")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take files that are dropped on the window."""
        if isinstance(event, (QDragEnterEvent, QDragMoveEvent, QDropEvent)):
            files = [
                Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()
            ]
            if not files:
                return super().eventFilter(watched, event)
            event.acceptProposedAction()
            if event.type() == QEvent.Type.Drop:
                self.open(files[0])
            return True
        return super().eventFilter(watched, event)

    async def _open(self, path: Path) -> None:
        from inspector.imports.conversion import Conversion

        try:
            conversion = await Conversion.open(path)
            sessions = await conversion.sessions()
        except StorageError as error:
            self._show_failure(error)
            return
        if len(sessions) > 1:
            self._ask_for_session(conversion, sessions)
        else:
            self._start(conversion, sessions[0].key if sessions else "")

    def _ask_for_session(self, conversion: Conversion, sessions: list[ForeignSession]) -> None:
        from ui.shell.import_choice import SessionChoice

        dialog = SessionChoice(sessions, name=conversion.path.name, window=self._window)
        dialog.accepted.connect(lambda: self._start(conversion, dialog.session.current()))
        dialog.open()

    def _start(self, conversion: Conversion, session: str) -> None:
        spawn(self, self._import(conversion, session), name="import a file")

    async def _import(self, conversion: Conversion, session: str) -> None:
        notice = self._parts.workbench.notice
        name = one_line(conversion.path.name, NAME_LENGTH)
        ticks = QTimer(self, interval=PROGRESS_MS)

        def show() -> None:
            count = plural(conversion.report.frames, "frame")
            notice.show_notice(
                f"Importing {name}: {count}", ("Stop", "import_stop", conversion.stop)
            )

        ticks.timeout.connect(show)
        ticks.start()
        output = self._output(conversion.path)
        try:
            await conversion.run(output, session)
        except StorageError as error:
            self._show_failure(error)
            return
        finally:
            ticks.stop()
            ticks.deleteLater()
        notice.clear()
        sentences = " ".join(conversion.report.sentences)
        text = f"Imported from {conversion.importer.title}. {sentences}".strip()
        self._unreported = output, text
        self._parts.controller.open_record(output)

    def _on_session_changed(self) -> None:
        """Show once what of a file is not in its recording, when that is open: opening it clears other notices."""
        record, (output, text) = self._parts.controller.record, self._unreported
        if record is not None and record.path == output:
            self._unreported = None, ""
            QTimer.singleShot(0, self, lambda: self._parts.workbench.notice.show_notice(text))

    def _show_failure(self, error: StorageError) -> None:
        choice = ("Import another…", "import_another", self.choose_file)
        text = f"Cannot import: {error.reason}. {error.hint}".strip()
        self._parts.workbench.notice.show_notice(text, choice, tone="error")

    def _output(self, source: Path) -> Path:
        """Where the recording goes: beside the others, or into a folder that goes with the window."""
        folder = self._parts.workspace.records
        if folder is None:
            self._folder = self._folder or tempfile.TemporaryDirectory(prefix="spyglass-")
            folder = Path(self._folder.name)
        stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime())
        name = re.sub(r"[^\w.-]+", "-", source.stem).strip("-.")[:NAME_LENGTH] or "imported"
        return folder / f"{stamp}-{time.time_ns() % 1000:03}-{name}{RECORDING_SUFFIX}"
