"""Bytes of any size: place, sixteen bytes, and what they are in ASCII. Only what is on screen is drawn."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QMenu, QWidget

from ui.widgets import units
from ui.widgets.clipboard import copy_text
from ui.widgets.save import save_as

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from ui.theme import Theme

ACROSS = 16
"""Bytes in a row."""
MAX_COPIED = 1_000_000
"""Bytes that *Copy as hex* puts on the clipboard at most."""


class HexView(QAbstractScrollArea):
    """A hex dump."""

    def __init__(
        self,
        *,
        theme: Theme,
        file_name: str = "",
        mime: str = "application/octet-stream",
        name: str = "hex_view",
        parent: QWidget | None = None,
    ) -> None:
        """Start empty; `wanted_name` and `mime` are for the suggested file name."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._requested_name = file_name
        self._mime = mime
        self._raw = b""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("surface", "sunken")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._on_menu_requested)
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
        return -(-len(self._raw) // ACROSS)

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
        page = max(self.viewport().height() // self.row_height(), 1)
        bar = self.verticalScrollBar()
        bar.setRange(0, max(self.rows() - page, 0))
        bar.setPageStep(page)
        across = self.horizontalScrollBar()
        across.setRange(0, max(self._width() - self.viewport().width(), 0))
        across.setPageStep(self.viewport().width())
        self.viewport().update()

    def _width(self) -> int:
        advance = QFontMetrics(self.font()).horizontalAdvance("0")
        return advance * (10 + 3 * ACROSS + 2 + ACROSS) + 2 * self._theme.PADDING_PX

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
        raw = self._raw[row * ACROSS : (row + 1) * ACROSS]
        advance = painter.fontMetrics().horizontalAdvance("0")
        pieces = (
            (0, f"{row * ACROSS:08x}", "muted"),
            (10, raw[:8].hex(" "), "text"),
            (10 + 3 * 8 + 1, raw[8:].hex(" "), "text"),
            (10 + 3 * ACROSS + 2, ascii_of(raw), "string"),
        )
        for column, text, tone in pieces:
            painter.setPen(self._theme.color(tone))
            painter.drawText(left + column * advance, base, text)


def ascii_of(raw: bytes) -> str:
    """What the bytes are in ASCII, with dots for what cannot be printed."""
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else "·" for byte in raw)
