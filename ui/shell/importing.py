"""Files of other tools, opened as recordings: from the File menu, or dropped on the window."""

from __future__ import annotations

import re
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QDialog, QFileDialog

from inspector.errors import StorageError
from inspector.visible_text import one_line
from inspector.workspace import RECORDING_SUFFIX
from ui.aio import spawn
from ui.widgets.buttons import push_button
from ui.widgets.combo_boxes import OptionComboBox
from ui.widgets.dialog_parts import PADDING, DialogFoot, DialogSize, DialogTitle, set_size
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import column_layout
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


class SessionChoice(QDialog):
    """Asks which session of a file is imported."""

    def __init__(self, sessions: list[ForeignSession], *, name: str, window: MainWindow) -> None:
        """Offer `sessions` of the file `name`."""
        super().__init__(window)
        theme = window.theme
        self.setObjectName("import_session_dialog")
        self.setWindowTitle("Import")
        heading = DialogTitle(theme=theme, name="import_title", parent=self)
        heading.set_text("Select a session")
        file = one_line(name, NAME_LENGTH)
        text = plain_label(f"{file} has {plural(len(sessions), 'session')}.", wrap=True)
        options = [(each.key, _title(each)) for each in sessions]
        self.session = OptionComboBox(options, name="import_session", text="Session")
        self.session.choose(options[-1][0])
        foot = DialogFoot(theme=theme, name="import_foot", parent=self)
        cancel = push_button("Cancel", name="import_cancel", parent=foot)
        accept = push_button("Import", name="import_accept", primary=True, parent=foot)
        foot.add_right(cancel)
        foot.add_right(accept)
        cancel.clicked.connect(self.reject)
        accept.clicked.connect(self.accept)
        pad = theme.px(PADDING)
        inner = column_layout(None, text, self.session, space=theme.SPACING_PX)
        inner.setContentsMargins(pad, 0, pad, pad)
        column = column_layout(self, heading, space=0)
        column.addLayout(inner)
        column.addWidget(foot)
        self.finished.connect(self.deleteLater)
        set_size(self, theme, DialogSize.SMALL)


def _title(session: ForeignSession) -> str:
    parts = [one_line(session.title or session.key, NAME_LENGTH)]
    if session.started_s:
        try:
            moment = datetime.fromtimestamp(session.started_s, UTC).astimezone()
            parts.append(f"{moment:%Y-%m-%d %H:%M:%S}")
        except (ValueError, OverflowError, OSError):
            pass  # no date of a calendar
    if session.messages:
        parts.append(plural(session.messages, "message"))
    return " · ".join(parts)
