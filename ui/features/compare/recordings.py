"""The recordings that are compared: selected by the user, and read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from inspector.errors import StorageError
from inspector.workspace import RECORDING_SUFFIX
from ui.aio import spawn
from ui.features.compare.subjects import read_recording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.features.compare.subjects import RecordingSubject


MAX_RECORDINGS = 10
"""Recordings that stay in the pickers."""


class Recordings(QObject):
    """What servers were in the recordings that the user opened to compare them.

    Signals:
        opened: these recordings (a list of `RecordingSubject`) were read, for the first side (True) or the second.
        failed: a recording cannot be read, for this reason.
    """

    opened = Signal(list, bool)
    failed = Signal(str)

    def __init__(self, *, parent: QWidget) -> None:
        """Start without recordings; dialogs belong to `parent`."""
        super().__init__(parent)
        self._owner = parent
        self.subjects: list[RecordingSubject] = []
        """The recordings that were read last."""

    def choose(self, count: int, is_first: bool = False) -> None:
        """Let the user select `count` recordings, for the first side or the second; two are compared with each other."""
        title = "Open recording" if count == 1 else f"Select {count} recordings"
        dialog = QFileDialog(self._owner, title)
        dialog.setObjectName("compare_recordings")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        modes = QFileDialog.FileMode
        dialog.setFileMode(modes.ExistingFile if count == 1 else modes.ExistingFiles)
        dialog.setNameFilter(f"Spyglass recordings (*{RECORDING_SUFFIX})")

        def on_files_selected(names: list[str]) -> None:
            self.open([Path(name) for name in names[:count]], is_first=is_first)

        dialog.filesSelected.connect(on_files_selected)
        dialog.open()

    def open(self, paths: Sequence[Path], *, is_first: bool = False) -> None:
        """Read recordings; the earlier of two comes first."""
        spawn(self, self._open(paths, is_first=is_first), name="open recordings")

    async def _open(self, paths: Sequence[Path], *, is_first: bool) -> None:
        try:
            read = [await read_recording(path) for path in paths]
        except StorageError as error:
            self.failed.emit(error.reason)
            return
        read.sort(key=lambda each: each.began_wall_s)
        self.subjects = [*self.subjects, *read][-MAX_RECORDINGS:]
        self.opened.emit(read, is_first)
