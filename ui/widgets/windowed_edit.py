"""The text area of a `TextView`: shows one window of a text and copies from the text itself."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QContextMenuEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from ui.widgets.text_window import Source, Window


class WindowedEdit(QPlainTextEdit):
    """Read-only lines of a window.

    Signals:
        menu_requested: the context menu was asked for, at this place.
    """

    menu_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self._source = Source()
        self._window = Window(0, 0, [""], [0])

    def set_window(self, source: Source, window: Window) -> None:
        """Show `window` of `source`."""
        self._source = source
        self._window = window
        self.setPlainText("\n".join(window.lines))

    def set_side_margin(self, pixels: int) -> None:
        """Room to the left and right of the lines, besides the document's own."""
        self.setViewportMargins(pixels, 0, pixels, 0)

    def selected_text(self) -> str:
        """Exactly the selected characters of the text."""
        cursor = self.textCursor()
        start, end = (self._place(p) for p in (cursor.selectionStart(), cursor.selectionEnd()))
        return self._source.part(start, end - start) if start == 0 else self._source.text[start:end]

    def position(self) -> int:
        """Where the cursor is in the text."""
        return self._place(self.textCursor().selectionStart())

    def select(self, start: int, end: int) -> None:
        """Select characters of the text and scroll there."""
        cursor = self.textCursor()
        cursor.setPosition(self._on_screen(start))
        cursor.setPosition(self._on_screen(end), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self.centerCursor()

    def _place(self, position: int) -> int:
        block = self.document().findBlock(position)
        # Qt counts UTF-16 units, Python code points.
        units = block.text().encode("utf-16-le", "surrogatepass")[
            : 2 * (position - block.position())
        ]
        column = len(units.decode("utf-16-le", "surrogatepass"))
        return self._window.place(block.blockNumber(), column)

    def _on_screen(self, position: int) -> int:
        line, column = self._window.locate(position)
        block = self.document().findBlockByNumber(line)
        before = self._window.lines[line][:column]
        return block.position() + len(before.encode("utf-16-le", "surrogatepass")) // 2

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied is the text, not how it is shown."""
        data = QMimeData()
        data.setText(self.selected_text())
        return data

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The view has a menu of its own."""
        self.menu_requested.emit(event.globalPos())
