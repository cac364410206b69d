"""Draws the rows of operations: chevrons, guide lines, names in two weights, time splits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter

from ui.theme.signs import Sign
from ui.traffic.divider_links import DIFFERENCE_LINK, RUN_LINK, draw_link, link_areas
from ui.traffic.operations.cells import NamePart
from ui.traffic.operations.columns import position
from ui.traffic.operations.model import OperationModel
from ui.traffic.operations.split_bar import draw_split
from ui.widgets.badge import badge_size, draw_badge
from ui.widgets.delegates import baseline
from ui.widgets.row_painter import CellRect, PaintedRow, RowPainter

if TYPE_CHECKING:
    from ui.traffic.operations.cells import OperationCells
    from ui.traffic.operations.run_divider import RunDivider

GUIDE_PX = 15
"""Left edge of the guide line beneath a row."""
CHEVRON_PX = 8
"""Left edge of a chevron."""
INDENT_PX = 22
"""How far names are indented for each level."""
BAR_WIDTH_PX = 98
BAR_HEIGHT_PX = 8
MIN_BAR_PX = 3
"""Of the shortest time."""

_FOLD, _NAME, _SPLIT = position("fold"), position("operation"), position("split")


class OperationPainter(RowPainter):
    """Draws the rows of an `OperationModel`."""

    @property
    def model(self) -> OperationModel:
        """The rows."""
        assert isinstance(self._rows, OperationModel)
        return self._rows

    def _draw_texts(
        self,
        painter: QPainter,
        top: int,
        tops: list[int],
        cells: list[CellRect],
        row: PaintedRow,
    ) -> None:
        super()._draw_texts(painter, top, tops, cells, row)
        number = self._table.rowAt(top)
        operation, depth = self.model.cells(number), self.model.node(number).depth
        for cell in cells:
            if cell.column == _FOLD:
                self._draw_fold(painter, top, cell, number, depth)
            elif cell.column == _NAME:
                self._draw_name(painter, top, cell, operation, depth)
            elif cell.column == _SPLIT and operation.split is not None:
                self._draw_split(painter, top, cell, operation)

    def _draw_divider(self, painter: QPainter, row: QRect, text: str) -> None:
        """Draw two lines: the run with its facts, and what changed in it; the way to its rows at the right."""
        found = self.model.run_divider(self._table.rowAt(row.top()))
        if found is None:
            return
        theme, height = self._theme, self._theme.ROW_HEIGHT_PX
        painter.fillRect(
            QRect(row.left(), row.top(), row.width(), max(theme.px(1), 1)), theme.color("outline")
        )
        left = row.left() + self._margin
        self._draw_sign(painter, left, row.top(), height, Sign.RUN, "muted")
        left += self._sign_width
        links = self.links(row)
        for link, area in links.items():
            draw_link(painter, link, area, self._font, theme)
        facts = (
            NamePart(f"{found.title}  ", is_mono=False, is_bold=True),
            NamePart(found.facts, "muted", is_mono=False),
        )
        self._draw_parts(
            painter,
            row.top(),
            left,
            min(area.left() for area in links.values()) - self._margin,
            facts,
        )
        self._draw_changes(
            painter, QRect(left, row.top() + height, row.right() - left, height), found
        )

    def _draw_changes(self, painter: QPainter, line: QRect, found: RunDivider) -> None:
        left, gap = line.left(), self._theme.px(6)
        for badge in found.badges:
            size = badge_size(self._theme, badge.text)
            if left + size.width() > line.right():
                break
            top = line.top() + (line.height() - size.height()) // 2
            draw_badge(painter, QRect(QPoint(left, top), size), self._theme, badge.text, badge.tone)
            left += size.width() + gap
        note = (NamePart(found.note, "muted", is_mono=False),)
        self._draw_parts(painter, line.top(), left, line.right(), note)

    def links(self, row: QRect) -> dict[str, QRect]:
        """Return where the links are in the row with which a run begins, by their texts, from the right."""
        found = self.model.run_divider(self._table.rowAt(row.top()))
        texts = (RUN_LINK, DIFFERENCE_LINK) if found and found.badges else (RUN_LINK,)
        return link_areas(texts, row, self._font, self._theme)

    def _draw_fold(self, painter: QPainter, top: int, cell: CellRect, row: int, depth: int) -> None:
        theme, height = self._theme, self._theme.ROW_HEIGHT_PX
        left = cell.left - self._margin
        if depth:
            line = max(theme.px(1), 1)
            is_last = not self.model.visible.has_more_beneath(row)
            guide = QRect(left + theme.px(GUIDE_PX), top, line, height - is_last * theme.px(4))
            painter.fillRect(guide, theme.color("outline"))
            return
        state = self.model.fold_state(row)
        if state is not None:
            self._draw_chevron(painter, left + theme.px(CHEVRON_PX), top, is_open=state)

    def _draw_chevron(self, painter: QPainter, left: int, top: int, *, is_open: bool) -> None:
        sign = Sign.DOWN if is_open else Sign.RIGHT
        self._draw_sign(painter, left, top, self._theme.ROW_HEIGHT_PX, sign, "muted")

    def _draw_name(
        self, painter: QPainter, top: int, cell: CellRect, operation: OperationCells, depth: int
    ) -> None:
        theme = self._theme
        left, right = cell.left + depth * theme.px(INDENT_PX), cell.left + cell.width
        row = self._table.rowAt(top)
        if depth and (state := self.model.fold_state(row)) is not None:
            self._draw_chevron(painter, left - theme.ICON - 2, top, is_open=state)
        if operation.arrow.startswith("mdi6."):
            self._draw_sign(painter, left, top, theme.ROW_HEIGHT_PX, operation.arrow, "muted")
        elif operation.arrow:
            y = baseline(top, theme.ROW_HEIGHT_PX, self._font)
            painter.setFont(self._font)
            painter.setPen(theme.color(operation.arrow_tone))
            painter.drawText(left, y, operation.arrow)
        if operation.arrow:
            left += self._sign_width
        self._draw_parts(painter, top, left, right, operation.name)

    def _draw_parts(
        self, painter: QPainter, top: int, left: int, right: int, parts: tuple[NamePart, ...]
    ) -> None:
        y = baseline(top, self._theme.ROW_HEIGHT_PX, self._font)
        for at, part in enumerate(parts):
            font = self._part_font(part)
            metrics = QFontMetrics(font)
            is_name = part.is_mono and at == len(parts) - 1
            mode = Qt.TextElideMode.ElideMiddle if is_name else Qt.TextElideMode.ElideRight
            text = metrics.elidedText(part.text, mode, max(right - left, 0))
            painter.setFont(font)
            painter.setPen(self._theme.color(part.tone))
            painter.drawText(left, y, text)
            left += metrics.horizontalAdvance(text)

    def _part_font(self, part: NamePart) -> QFont:
        if part.is_mono:
            return self._theme.mono(bold=part.is_bold)
        return self._theme.font(bold=part.is_bold)

    def _draw_split(
        self, painter: QPainter, top: int, cell: CellRect, operation: OperationCells
    ) -> None:
        theme, split = self._theme, operation.split
        assert split is not None
        height = theme.px(BAR_HEIGHT_PX)
        width = min(theme.px(BAR_WIDTH_PX), cell.width)
        area = QRect(cell.left, top + (theme.ROW_HEIGHT_PX - height) // 2, width, height)
        painter.fillRect(area, theme.color("hairline"))
        length = max(round(width * self.model.row_cells.share(split.total)), theme.px(MIN_BAR_PX))
        area.setWidth(min(length, width))
        draw_split(painter, area, split, theme)
