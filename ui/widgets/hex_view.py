"""Bytes of any size: offset, sixteen bytes (eight where there is little room), and what they are in ASCII. Only what is on screen is drawn.

Of bytes that are text, what cannot be seen in it is marked: a byte order mark, ends of lines, and what is not UTF-8.
"""

from __future__ import annotations

import base64
from collections import Counter
from enum import StrEnum
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QMenu, QWidget

from ui.widgets import units
from ui.widgets.clipboard import copy_text
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import column_layout
from ui.widgets.save import save_as

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from ui.theme import Theme

ACROSS, ACROSS_NARROW = 16, 8
"""Bytes in a row, and in one of a view that is too narrow for as many."""
GROUP = 8
"""Bytes between two gaps."""
OFFSET_CHARACTERS = 10
"""Room of the offset."""
TINT = 0.14
"""How much of its color the background of marked bytes has."""
MAX_COPIED = 1_000_000
"""Bytes that *Copy as hex* puts on the clipboard at most."""


class Mark(StrEnum):
    """What is marked in text."""

    BOM = "byte order mark"
    CR_LF = "CR LF"
    INVALID = "invalid UTF-8"


_TONES = {Mark.BOM: "keyword", Mark.CR_LF: "key", Mark.INVALID: "error"}


class MarkedBytes(NamedTuple):
    """Bytes that are marked."""

    start: int
    end: int
    mark: Mark


def marks_in(raw: bytes, start: int, end: int) -> Iterator[MarkedBytes]:
    """Yield what is marked between two offsets of a text; at most a few bytes around are examined."""
    if start < len(_BOM) and raw.startswith(_BOM):
        yield MarkedBytes(0, len(_BOM), Mark.BOM)
    at = raw.find(b"\r\n", max(start - 1, 0), end + 1)
    while at >= 0:
        yield MarkedBytes(at, at + 2, Mark.CR_LF)
        at = raw.find(b"\r\n", at + 2, end + 1)
    at = start  # back to where a character begins, of up to four bytes
    while at > max(start - 3, 0) and at < len(raw) and raw[at] & 0xC0 == 0x80:
        at -= 1
    while at < end:
        try:
            raw[at : end + 3].decode()
        except UnicodeDecodeError as error:
            if at + error.start < end and at + error.end > start:
                yield MarkedBytes(at + error.start, at + error.end, Mark.INVALID)
            at += error.end
        else:
            return


_BOM = b"\xef\xbb\xbf"


class HexView(QAbstractScrollArea):
    """A hex dump.

    Signals:
        marks_changed: what is marked on screen, as text; of bytes that are text.
    """

    marks_changed = Signal(str)

    def __init__(
        self,
        *,
        theme: Theme,
        file_name: str = "",
        mime: str = "application/octet-stream",
        name: str = "hex_view",
        is_text: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """Start empty; `file_name` and `mime` are for the suggested file name. `is_text` marks what cannot be seen in text."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._requested_name = file_name
        self._mime = mime
        self._raw = b""
        self._is_text = is_text
        self._across = ACROSS
        self._marks: list[MarkedBytes] = []
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("surface", "sunken")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._on_menu_requested)
        self.verticalScrollBar().valueChanged.connect(lambda: self._find_marks())
        theme.changed.connect(self._refresh)
        self._refresh()

    def set_bytes(self, raw: bytes) -> None:
        """Show `raw`."""
        self._raw = raw
        self.setAccessibleName(f"Hex view, {units.size_exact(len(raw))}")
        self.verticalScrollBar().setValue(0)
        self._refresh()

    def rows(self) -> int:
        """Rows of the whole."""
        return -(-len(self._raw) // self._across)

    def row_height(self) -> int:
        """Pixels of a row."""
        return self.fontMetrics().lineSpacing()

    def copy_hex(self) -> None:
        """Put the bytes on the clipboard as hexadecimal digits."""
        copy_text(self._raw[:MAX_COPIED].hex(" "))

    def copy_base64(self) -> None:
        """Put the bytes on the clipboard in base64."""
        copy_text(base64.b64encode(self._raw).decode("ascii"))

    def save(self) -> None:
        """Ask for a file and write the bytes there."""
        save_as(lambda: self._raw, source_name=self._requested_name, mime=self._mime, parent=self)

    def _refresh(self) -> None:
        self.setFont(self._theme.mono())
        is_wide = self._width(ACROSS) <= self.viewport().width()
        self._across = ACROSS if is_wide else ACROSS_NARROW
        page = max(self.viewport().height() // self.row_height(), 1)
        bar = self.verticalScrollBar()
        bar.setRange(0, max(self.rows() - page, 0))
        bar.setPageStep(page)
        across = self.horizontalScrollBar()
        across.setRange(0, max(self._width(self._across) - self.viewport().width(), 0))
        across.setPageStep(self.viewport().width())
        self._find_marks()
        self.viewport().update()

    def _find_marks(self) -> None:
        """Find what is marked on screen."""
        if not self._is_text:
            return
        start = self.verticalScrollBar().value() * self._across
        rows = self.viewport().height() // self.row_height() + 1
        end = min(start + rows * self._across, len(self._raw))
        self._marks = list(marks_in(self._raw, start, end))
        counts = Counter(each.mark for each in self._marks)
        texts = (_mark_text(mark, counts[mark]) for mark in Mark if counts[mark])
        self.marks_changed.emit(" · ".join(texts))

    def _width(self, across: int) -> int:
        width = self._advance() * (_ascii_column(across) + across)
        return ceil(width) + 2 * self._theme.PADDING_PX

    def _advance(self) -> float:
        """Width of a character, not rounded: over a row the rest adds up to half a character."""
        return QFontMetricsF(self.font()).horizontalAdvance("0")

    def _on_menu_requested(self, position: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy as hex", QKeySequence.StandardKey.Copy, self.copy_hex)
        menu.addAction("Copy as base64", self.copy_base64)
        menu.addAction("Save as…", self.save)
        menu.popup(self.viewport().mapToGlobal(position))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copying; moving is the scroll bar's matter."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_hex()
        else:
            super().keyPressEvent(event)

    def minimumSizeHint(self) -> QSize:
        """Room for two rows: it scrolls."""
        return QSize(super().minimumSizeHint().width(), 2 * self.row_height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More or fewer rows fit."""
        self._refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows on screen."""
        # Ended in any case: a painter that is not ended spoils the whole window.
        with QPainter(self.viewport()) as painter:
            painter.setFont(self.font())
            height, ascent = self.row_height(), self.fontMetrics().ascent()
            first = self.verticalScrollBar().value()
            left = self._theme.PADDING_PX - self.horizontalScrollBar().value()
            for line in range(self.viewport().height() // height + 1):
                if first + line < self.rows():
                    self._draw_row(painter, left, line * height + ascent, first + line)

    def _draw_row(self, painter: QPainter, left: int, base: int, row: int) -> None:
        across = self._across
        start = row * across
        raw = self._raw[start : start + across]
        advance = self._advance()
        self._draw_marks(painter, left, base, start, len(raw))
        pieces = [
            (0, f"{start:08x}", "muted"),
            (_ascii_column(across), ascii_of(raw), "string"),
        ]
        pieces += [
            (_byte_column(at), raw[at : at + GROUP].hex(" "), "text")
            for at in range(0, len(raw), GROUP)
        ]
        for column, text, tone in pieces:
            painter.setPen(self._theme.color(tone))
            painter.drawText(QPointF(left + column * advance, base), text)

    def _draw_marks(self, painter: QPainter, left: int, base: int, start: int, size: int) -> None:
        """Tint and underline the marked bytes of a row, in both forms: an underline is seen without colors, too."""
        metrics, advance = painter.fontMetrics(), self._advance()
        height = metrics.height()
        top, line = base - metrics.ascent(), self._theme.px(1)
        for marked in self._marks:
            for at in range(max(marked.start - start, 0), min(marked.end - start, size)):
                color = self._theme.color(_TONES[marked.mark])
                tint = QColor(color)
                tint.setAlphaF(TINT)
                for column, width in ((_byte_column(at), 2), (_ascii_column(self._across) + at, 1)):
                    cell = QRectF(left + column * advance, top, width * advance, height)
                    painter.fillRect(cell, tint)
                    painter.fillRect(cell.adjusted(0, height - line, 0, 0), color)


class TextBytes(QWidget):
    """The bytes of a text, and under them what is marked on screen."""

    def __init__(
        self, *, theme: Theme, name: str, file_name: str, mime: str, parent: QWidget | None = None
    ) -> None:
        """Start empty."""
        super().__init__(parent)
        self._theme = theme
        self.view = HexView(
            theme=theme, name=name, file_name=file_name, mime=mime, is_text=True, parent=self
        )
        self.marked = plain_label(tone="muted", name=f"{name}_marked", wrap=True, parent=self)
        column = column_layout(self, space=0)
        column.addWidget(self.view, 1)
        column.addWidget(self.marked)
        self.setFocusProxy(self.view)
        self.view.marks_changed.connect(self._on_marks_changed)
        theme.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        pad, gap = self._theme.PADDING_PX, self._theme.SPACING_PX
        self.marked.setContentsMargins(pad, gap, pad, gap)

    def set_bytes(self, raw: bytes) -> None:
        """Show `raw`."""
        self.view.set_bytes(raw)

    def _on_marks_changed(self, text: str) -> None:
        # Never hidden: with its room the rows on screen would change, and with them what is marked.
        self.marked.setText(f"Marked on screen: {text or 'nothing'}")


def _byte_column(at: int) -> int:
    """The column of byte number `at` of a row, in characters."""
    return OFFSET_CHARACTERS + 3 * at + at // GROUP


def _ascii_column(across: int) -> int:
    return _byte_column(across) + 1


def _mark_text(mark: Mark, count: int) -> str:
    if mark is Mark.INVALID:
        return units.plural(count, f"{mark} sequence")
    return f"{count:,} {mark}" if count > 1 else mark


def ascii_of(raw: bytes) -> str:
    """What the bytes are in ASCII, with dots for what cannot be printed."""
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else "·" for byte in raw)
