"""The part of a long text that is on screen, how positions on screen map to the text, and the widget that shows that part.

The text itself is never changed: a window is cut into lines for display, long lines are broken, control characters
become signs of the same length, so any selection leads back to exact characters of the text.
"""

from __future__ import annotations

import codecs
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QContextMenuEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from inspector.visible_text import hidden_characters, visible_same_length
from ui.tab_order import scroll_to_part
from ui.widgets import units

if TYPE_CHECKING:
    from collections.abc import Iterable

WINDOW = 256 * 1024
"""Characters shown at a time."""
LINES = 5000
"""Lines shown at a time, where that is less."""
ALL_CHARACTERS = 2 * 1024 * 1024
"""Up to this many characters can be shown at once on request; laying out more would stop the window."""
ALL_LINES = 40_000
"""Up to this many lines, likewise."""
MAX_LINE = 2000
"""Characters of a line before it is broken for display."""


class Source:
    """A text, or bytes that are read as UTF-8 no further than needed."""

    def __init__(self, text: str = "", raw: bytes | None = None) -> None:
        """The `text`, or what `raw` says; bytes that are not UTF-8 stay, as lone surrogates."""
        self._text = text if raw is None else None
        self.raw = raw
        self._lowered: str | None = None

    @property
    def extent(self) -> str:
        """How much it is, for people: bytes where they are known without work, else characters."""
        if self.raw is not None:
            return units.size(len(self.raw))
        return units.size(self.length) if self.text.isascii() else f"{self.length:,}"

    @property
    def fits(self) -> bool:
        """Whether the whole text can be laid out at once."""
        if self.length > ALL_CHARACTERS:
            return False
        return (self.text.count("\n") if self.raw is None else self.raw.count(b"\n")) < ALL_LINES

    @property
    def length(self) -> int:
        """Characters; of bytes not read yet, as many as there can be."""
        return len(self.raw or b"") if self._text is None else len(self._text)

    @property
    def text(self) -> str:
        """The whole text."""
        if self._text is None:
            self._text = (self.raw or b"").decode("utf-8", "surrogateescape")
        return self._text

    def to_bytes(self) -> bytes:
        """For saving: exactly what came, or the text as UTF-8."""
        return self.raw if self.raw is not None else self.text.encode("utf-8", "surrogatepass")

    def part(self, start: int, count: int) -> str:
        """`count` characters from `start`."""
        if self._text is None and start == 0 and self.raw is not None:
            decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
            start_bytes = self.raw[: count * 4]
            return decoder.decode(start_bytes, final=len(start_bytes) == len(self.raw))[:count]
        return self.text[start : start + count]

    def is_all(self, part: str) -> bool:
        """Whether the first `part` is the whole."""
        if self._text is not None or self.raw is None:
            return len(part) == self.length
        return len(part.encode("utf-8", "surrogateescape")) == len(self.raw)

    def find(self, message: str, start: int, *, backwards: bool = False) -> int:
        """The next position of `message`, -1 without one; case matters only if it has capitals."""
        text = self.text
        if message == message.lower():
            if self._lowered is None:
                lowered = text.lower()
                self._lowered = lowered if len(lowered) == len(text) else text
            text = self._lowered
        return text.rfind(message, 0, start) if backwards else text.find(message, start)


@dataclass(slots=True)
class Window:
    """Some of a text, as lines for display."""

    start: int
    """Where it begins in the text."""
    end: int
    """Where it ends in the text."""
    lines: list[str] = field(default_factory=list[str])
    """What each line on screen says."""
    starts: list[int] = field(default_factory=list[int])
    """Where each line on screen begins in the text."""
    broken: int = 0
    """How many lines are broken for display only."""
    hidden: int = 0
    """How many characters are shown as signs because they cannot be seen."""
    whole: bool = False
    """Whether it is all of the text."""

    def position(self, line: int, column: int) -> int:
        """The position in the text of a place on screen."""
        return self.starts[line] + min(column, len(self.lines[line]))

    def locate(self, position: int) -> tuple[int, int]:
        """Line and column on screen of a position in the text."""
        line = max(bisect_right(self.starts, position) - 1, 0)
        return line, min(position - self.starts[line], len(self.lines[line]))


def unit_count(text: str) -> int:
    """The length of a text as Qt counts it: in units of UTF-16, not in code points."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def character_count(text: str, units: int) -> int:
    """How many characters of `text` the first `units` of UTF-16 are."""
    start = text.encode("utf-16-le", "surrogatepass")[: 2 * units]
    return len(start.decode("utf-16-le", "surrogatepass"))


def cut(source: Source, start: int, *, all_of_it: bool = False, marks: bool = False) -> Window:
    """A window from `start`; with `marks`, ends of lines and tabs show too."""
    characters, max_lines = (ALL_CHARACTERS, ALL_LINES) if all_of_it else (WINDOW, LINES)
    part = source.part(start, characters)
    window = Window(start, start + len(part))
    lines = part.split("\n", max_lines)
    if len(lines) > max_lines:
        window.end -= len(lines.pop())
        part = part[: window.end - start]
    position = start
    for line in lines:
        _add_line(window, line, position, marks=marks)
        position += len(line) + 1
    window.hidden = sum(hidden_characters(part).values()) - part.count("\r\n")
    window.whole = start == 0 and source.is_all(part)
    if marks:
        _mark_ends(window, part)
    return window


def _add_line(window: Window, line: str, position: int, *, marks: bool) -> None:
    text = line if marks or not line.endswith("\r") else line[:-1]
    for offset in range(0, max(len(text), 1), MAX_LINE):
        piece = visible_same_length(text[offset : offset + MAX_LINE])
        window.lines.append(piece.replace("\t", "⇥") if marks else piece)
        window.starts.append(position + offset)
    window.broken += len(text) > MAX_LINE


def _mark_ends(window: Window, part: str) -> None:
    """Show each newline; a line broken for display has none."""
    for number, start in enumerate(window.starts):
        end = start - window.start + len(window.lines[number])
        if end < len(part) and part[end] == "\n":
            window.lines[number] += "↵"


class WindowedEdit(QPlainTextEdit):
    """Read-only lines of a window.

    Signals:
        menu_requested: the context menu was requested, at this position.
    """

    menu_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setProperty("surface", "sunken")
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
        start, end = (self._in_text(p) for p in (cursor.selectionStart(), cursor.selectionEnd()))
        return self._source.part(start, end - start) if start == 0 else self._source.text[start:end]

    def position(self) -> int:
        """Where the cursor is in the text."""
        return self._in_text(self.textCursor().selectionStart())

    def select(self, start: int, end: int) -> None:
        """Select characters of the text and scroll there."""
        cursor = self.textCursor()
        cursor.setPosition(self._on_screen(start))
        cursor.setPosition(self._on_screen(end), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self.centerCursor()
        scroll_to_part(self, self.cursorRect())

    def set_formats(self, formats: Iterable[tuple[int, int, QTextCharFormat]]) -> None:
        """Show parts of the text, from one position to before another, which are in the window, in a format."""
        selections: list[QTextEdit.ExtraSelection] = []
        for start, end, style in formats:
            cursor = QTextCursor(self.document())
            cursor.setPosition(self._on_screen(start))
            cursor.setPosition(self._on_screen(end), QTextCursor.MoveMode.KeepAnchor)
            selection = QTextEdit.ExtraSelection()
            selection.cursor = cursor
            selection.format = style
            selections.append(selection)
        self.setExtraSelections(selections)

    def _in_text(self, position: int) -> int:
        block = self.document().findBlock(position)
        column = character_count(block.text(), position - block.position())
        return self._window.position(block.blockNumber(), column)

    def _on_screen(self, position: int) -> int:
        line, column = self._window.locate(position)
        block = self.document().findBlockByNumber(line)
        return block.position() + unit_count(self._window.lines[line][:column])

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied is the text, not how it is shown."""
        data = QMimeData()
        data.setText(self.selected_text())
        return data

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The view has a menu of its own."""
        self.menu_requested.emit(event.globalPos())
