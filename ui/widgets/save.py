"""*Save as…*: asks for a place without blocking and writes the bytes there.

Failures are told to whoever asked, in words; the dialog itself never complains.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from ui.widgets.file_name import suggested_name

if TYPE_CHECKING:
    from collections.abc import Callable


class Saving(QObject):
    """One *Save as…* under way; it removes itself when done.

    Signals:
        saved: the bytes are in the file of this path.
        failed: they are not, and this is why.
    """

    saved = Signal(str)
    failed = Signal(str)

    def __init__(self, supply: Callable[[], bytes], *, parent: QWidget) -> None:
        """Ask `supply` for the bytes when a place was chosen."""
        super().__init__(parent)
        self._supply = supply
        self.dialog = QFileDialog(parent, "Save as")
        self.dialog.setObjectName("save_dialog")
        self.dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.dialog.fileSelected.connect(self._on_file_selected)
        self.dialog.finished.connect(self.dialog.deleteLater)
        self.dialog.destroyed.connect(self.deleteLater)

    def _on_file_selected(self, path: str) -> None:
        try:
            Path(path).write_bytes(self._supply())
        except OSError as error:
            self.failed.emit(f"Could not save {path}: {error.strerror or error}")
        else:
            self.saved.emit(path)


def save_as(
    supply: Callable[[], bytes], *, wanted: str = "", mime: str = "", parent: QWidget
) -> Saving:
    """Open the dialog, with a clean file name made of `wanted`, which may come from a server."""
    saving = Saving(supply, parent=parent)
    saving.dialog.selectFile(suggested_name(wanted, mime=mime))
    saving.dialog.open()
    return saving
