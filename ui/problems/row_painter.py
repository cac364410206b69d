"""Draws the rows of problems: chevron, sign and title of a group; frame, pointer and text of a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics

from inspector.finding import Severity
from ui.problems.columns import PROBLEM
from ui.problems.model import ProblemsModel, sign_and_tone
from ui.problems.selection import Grouping
from ui.theme import tokens
from ui.theme.signs import Sign
from ui.widgets.badge import badge_size, draw_badge
from ui.widgets.delegates import baseline
from ui.widgets.row_painter import CellRect, PaintedRow, RowPainter

if TYPE_CHECKING:
    from PySide6.QtGui import QFont, QPainter

    from ui.problems.cells import ProblemRow

CHEVRON_PX = 4
"""Left edge of a chevron."""
SIGN_PX = 22
"""Left edge of the sign of a group."""
TEXT_PX = tokens.FINDING_INDENT
"""Left edge of the title of a group, and of the frame of a finding."""
BETWEEN_PX = 10
"""Between the parts of a finding."""
POINTER_SHARE = 0.45
"""Part of the width that a pointer may take."""


class ProblemPainter(RowPainter):
    """Draws the rows of a `ProblemsModel`."""

    @property
    def model(self) -> ProblemsModel:
        """The rows."""
        assert isinstance(self._rows, ProblemsModel)
        return self._rows

    def link_width(self, number: int) -> int:
        """Return the pixels from the left edge of a finding in which a click shows its frame."""
        metrics = QFontMetrics(self._font)
        return self._theme.px(TEXT_PX) + metrics.horizontalAdvance(f"#{number}")

    def _draw_texts(
        self,
        painter: QPainter,
        top: int,
        tops: list[int],
        cells: list[CellRect],
        row: PaintedRow,
    ) -> None:
        rest = [cell for cell in cells if cell.column != PROBLEM]
        super()._draw_texts(painter, top, tops, rest, row)
        cell = next((each for each in cells if each.column == PROBLEM), None)
        if cell is None:
            return
        number = self._table.rowAt(top)
        left = cell.left - self._margin
        area = QRect(left, top, cell.width + self._margin, self._theme.ROW_HEIGHT_PX)
        made = self.model.row(number)
        if made.number:
            self._draw_finding(painter, area, made)
        else:
            self._draw_group(painter, area, made, is_open=bool(self.model.fold_state(number)))

    def _draw_group(
        self, painter: QPainter, area: QRect, row: ProblemRow, *, is_open: bool
    ) -> None:
        theme, px = self._theme, self._theme.px
        chevron = Sign.DOWN if is_open else Sign.RIGHT
        left, top, height = area.left(), area.top(), area.height()
        self._draw_sign(painter, left + px(CHEVRON_PX), top, height, chevron, "muted")
        sign, tone = sign_and_tone(row)
        self._draw_sign(painter, left + px(SIGN_PX), top, height, sign, tone)
        badge = badge_size(theme, "new") if row.is_new else None
        right = area.right() - (badge.width() + px(BETWEEN_PX) if badge is not None else 0)
        font = self._bold if row.severity is Severity.ERROR else self._font
        line = QRect(QPoint(left + px(TEXT_PX), top), QPoint(right, area.bottom()))
        end = self._draw_part(painter, line, row.title, font, "text")
        if badge is not None:
            corner = QPoint(end + theme.PADDING_PX, top + (height - badge.height()) // 2)
            badge_tone = tone if row.severity is not Severity.INFO else "muted"
            draw_badge(painter, QRect(corner, badge), theme, "new", badge_tone)

    def _draw_finding(self, painter: QPainter, area: QRect, row: ProblemRow) -> None:
        theme, px = self._theme, self._theme.px
        if self.model.groups.selection.grouping is not Grouping.RULE:
            sign, tone = sign_and_tone(row)
            self._draw_sign(
                painter, area.left() + px(SIGN_PX), area.top(), area.height(), sign, tone
            )
        line = area.adjusted(px(TEXT_PX), 0, 0, 0)
        line.setLeft(self._draw_part(painter, line, f"#{row.number}", self._font, "accent"))
        if row.pointer:
            line.setLeft(line.left() + px(BETWEEN_PX))
            part = QRect(line)
            part.setWidth(round(line.width() * POINTER_SHARE))
            mono = theme.mono(tokens.SMALL)
            line.setLeft(self._draw_part(painter, part, row.pointer, mono, "muted"))
        line.setLeft(line.left() + px(BETWEEN_PX))
        self._draw_part(painter, line, row.title, self._font, "text")

    def _draw_part(self, painter: QPainter, line: QRect, text: str, font: QFont, tone: str) -> int:
        """Draw as much of a text as fits into a line, and return where it ends."""
        metrics = QFontMetrics(font)
        is_name = font.family() == self._theme.mono().family()
        mode = Qt.TextElideMode.ElideMiddle if is_name else Qt.TextElideMode.ElideRight
        fitted = metrics.elidedText(text, mode, max(line.width(), 0))
        painter.setFont(font)
        painter.setPen(self._theme.color(tone))
        painter.drawText(line.left(), baseline(line.top(), line.height(), self._font), fitted)
        return line.left() + metrics.horizontalAdvance(fitted)
