"""*Save as…*: suggests a file name, asks for the place without blocking and writes the bytes there.

The suggested name is one name without a folder, free of characters and names that some system reserves. Failures are reported to the caller
as text; the dialog shows none.
"""

from __future__ import annotations

import mimetypes
import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_NAME = 100
"""Characters of a suggested name."""

_BAD = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]')
_RESERVED = re.compile(r"(?i)^(con|prn|aux|nul|com\d|lpt\d)(\.|$)")
_ENDINGS = {
    "text/plain": ".txt",
    "application/json": ".json",
    "text/markdown": ".md",
    "image/jpeg": ".jpg",
}


def suggested_name(source_name: str, *, mime: str = "", fallback: str = "result") -> str:
    """A clean name from a name or URI, with an ending that fits the media type if it has none."""
    name = _cleaned(_last_part(source_name)) or fallback
    if _RESERVED.match(name):
        name = f"_{name}"
    stem, dot, ending = name.rpartition(".")
    if dot and stem and 0 < len(ending) <= 8:
        return f"{stem[: MAX_NAME - len(ending) - 1]}.{ending}"
    return name[:MAX_NAME] + _ending(mime)


def _last_part(source_name: str) -> str:
    try:
        path = urlsplit(source_name).path if "://" in source_name else source_name
    except ValueError:
        path = source_name
    return PurePosixPath(unquote(path).replace("\\", "/")).name


def _cleaned(name: str) -> str:
    printable = name.encode("utf-8", "replace").decode("utf-8")
    return _BAD.sub("_", printable).strip(" .")


def _ending(mime: str) -> str:
    essence = mime.partition(";")[0].strip().lower()
    return _ENDINGS.get(essence) or mimetypes.guess_extension(essence) or ""


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
    supply: Callable[[], bytes], *, source_name: str = "", mime: str = "", parent: QWidget
) -> Saving:
    """Open the dialog, with a clean file name made of `source_name`, which may come from a server."""
    saving = Saving(supply, parent=parent)
    saving.dialog.selectFile(suggested_name(source_name, mime=mime))
    saving.dialog.open()
    return saving
