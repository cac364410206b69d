"""Draws a row of the ladder: sign, title, what is sent, the arrow from one party to another, and the duration."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from inspector.visible_text import isolated, one_line
from ui.features.authorization.ladder_rows import LadderRow, RowStatus
from ui.theme import tokens
from ui.widgets.delegates import MARK_WIDTH, baseline, dim_selection, mark_row
from ui.widgets.units import running_time

if TYPE_CHECKING:
    from ui.features.authorization.ladder import LadderModel
    from ui.theme import Theme

_Index = QModelIndex | QPersistentModelIndex

ROW_HEIGHT = 40
"""At 100%."""

TITLE_CENTER, DETAIL_CENTER, LABEL_CENTER, ARROW_CENTER = 12, 28, 11, 25
"""Middles of the two lines of text, of the word on the arrow and of the arrow, at 100%."""

HEAD_LENGTH, HEAD_HEIGHT, DOT_RADIUS = 6, 3, 4
"""Of the arrow and of the dot, at 100%."""

SIGNS = {
    RowStatus.DONE: ("mdi6.check-circle-outline", "ok"),
    RowStatus.WARNING: ("mdi6.alert-outline", "warning"),
    RowStatus.MISSED: ("mdi6.minus-circle-outline", "muted"),
    RowStatus.FAILED: ("mdi6.close-circle-outline", "error"),
    RowStatus.RUNNING: ("mdi6.timer-sand", "pending"),
    RowStatus.NEXT: ("mdi6.arrow-right-circle-outline", "accent"),
    RowStatus.COMING: ("mdi6.circle-outline", "outline"),
}
"""Icon and tone of each status."""

TEXT_TONES = {RowStatus.COMING: "muted", RowStatus.MISSED: "muted"}
"""Tones of titles that are not plain text."""

MAX_TEXT = 200
"""Characters that are measured of a text."""

SIGN_LEFT, TITLE_LEFT = 12, 36
"""Left edges of the sign and of the title, at 100%."""

TIME_WIDTH = 70
"""At the right edge, at 100%."""

FULL_WIDTH = 690
"""The width at which the parties stand where they are meant to, at 100%; a wider ladder has longer texts."""

GAPS = (86, 108, 96)
"""Between the lines of two parties, at 100%: each as wide as the captions need."""

MIN_GAP = 60
"""Between two lines where there is little room, at 100%."""

MIN_TITLE_WIDTH = 110

MARGIN = 24
"""Between title and the first party, at 100%."""


class LadderDelegate(QStyledItemDelegate):
    """Paints rows of a `LadderModel`."""

    def __init__(self, *, model: LadderModel, theme: Theme, parent: QWidget) -> None:
        """Paint what `model` holds."""
        super().__init__(parent)
        self._model = model
        self._theme = theme
        self.is_compact = False
        """Whether the parties stand as near to each other as they can."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """One height for all."""
        del option, index
        return QSize(self._theme.px(240), self._theme.px(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Ground, party lines, sign, texts, arrow, time."""
        row = self._model.row(index)
        if row is None:
            return
        columns = ladder_columns(option.rect.width(), self._theme.scale, is_compact=self.is_compact)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_background(painter, option, row)
        self._draw_parties(painter, option.rect, columns)
        self._draw_sign(painter, option.rect, columns, row)
        self._draw_texts(painter, option.rect, columns, row)
        self._draw_arrow(painter, option.rect, columns, row)
        self._draw_time(painter, option.rect, columns, row)
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if row.status is RowStatus.FAILED:
            self._mark_failed(painter, option, is_selected=is_selected)
        else:
            width = self._theme.px(MARK_WIDTH)
            mark_row(painter, option, index, is_selected=is_selected, width=width)
        painter.restore()

    def _mark_failed(
        self, painter: QPainter, option: QStyleOptionViewItem, *, is_selected: bool
    ) -> None:
        """Draw the bar of a failed row, which keeps its color when it is selected, and then a frame."""
        area, width = option.rect, self._theme.px(MARK_WIDTH)
        bar = QRect(area.left(), area.top(), width, area.height())
        painter.fillRect(bar, self._theme.color("error"))
        if is_selected:
            painter.setPen(self._theme.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
            painter.drawRect(area.adjusted(width, 0, -1, -2))

    def _draw_background(
        self, painter: QPainter, option: QStyleOptionViewItem, row: LadderRow
    ) -> None:
        theme, area = self._theme, option.rect
        if row.status is RowStatus.FAILED:
            painter.fillRect(area, theme.color("error_ground"))
        elif option.state & QStyle.StateFlag.State_Selected:
            dim_selection(option)
            is_active = bool(option.state & QStyle.StateFlag.State_Active)
            painter.fillRect(area, theme.color("selection" if is_active else "selection_idle"))
        bottom = QRect(area.left(), area.bottom(), area.width(), 1)
        painter.fillRect(bottom, theme.color("hairline"))

    def _draw_parties(self, painter: QPainter, area: QRect, columns: LadderColumns) -> None:
        color = self._theme.color("outline")
        for x in columns.parties:
            painter.fillRect(QRect(area.left() + x, area.top(), 1, area.height()), color)

    def _draw_sign(
        self, painter: QPainter, area: QRect, columns: LadderColumns, row: LadderRow
    ) -> None:
        icon, tone = SIGNS[row.status]
        edge = self._theme.ICON
        top = area.top() + (area.height() - edge) // 2
        sign = QRect(area.left() + columns.sign_left, top, edge, edge)
        self._theme.icon(icon, tone).paint(painter, sign)

    def _draw_texts(
        self, painter: QPainter, area: QRect, columns: LadderColumns, row: LadderRow
    ) -> None:
        theme = self._theme
        width = columns.title_right - columns.title_left
        left = area.left() + columns.title_left
        title = f"{row.number}  {row.title}"
        is_bold = row.status in {RowStatus.FAILED, RowStatus.NEXT, RowStatus.RUNNING}
        tone = TEXT_TONES.get(row.status, "text")
        font = theme.font(bold=is_bold)
        top = area.top() if row.detail else area.top() + theme.px(8)
        self._draw_line(
            painter, QRect(left, top, width, theme.px(2 * TITLE_CENTER)), title, font, tone
        )
        if row.detail:
            indent = QFontMetrics(theme.font()).horizontalAdvance(f"{row.number}  ")
            top = area.top() + theme.px(DETAIL_CENTER - 9)
            box = QRect(left + indent, top, width - indent, theme.px(18))
            self._draw_line(painter, box, row.detail, theme.mono(tokens.SMALL), "muted")

    def _draw_line(self, painter: QPainter, box: QRect, text: str, font: QFont, tone: str) -> None:
        line = isolated(one_line(text, MAX_TEXT))
        elided = QFontMetrics(font).elidedText(line, Qt.TextElideMode.ElideRight, box.width())
        painter.setFont(font)
        painter.setPen(self._theme.color(tone))
        y = baseline(box.top(), box.height(), self._theme.font())
        painter.drawText(box.left(), y, elided)

    def _draw_arrow(
        self, painter: QPainter, area: QRect, columns: LadderColumns, row: LadderRow
    ) -> None:
        tone = self._arrow_tone(row)
        color = self._theme.color(tone)
        middle = area.top() + self._theme.px(ARROW_CENTER)
        start = area.left() + columns.parties[row.start] + 0.5
        if row.end is None:
            self._draw_dot(painter, QPointF(start, area.center().y()), columns, row, tone)
            return
        end = area.left() + columns.parties[row.end] + 0.5
        pen = QPen(color, 1.5 * self._theme.scale)
        if row.status in {RowStatus.NEXT, RowStatus.COMING, RowStatus.RUNNING}:
            pen.setDashPattern([4, 3])
        way = 1 if end > start else -1
        length = self._theme.px(HEAD_LENGTH)
        painter.setPen(pen)
        painter.drawLine(QPointF(start, middle), QPointF(end - way * length, middle))
        height = self._theme.px(HEAD_HEIGHT)
        tip = (
            QPointF(end, middle),
            QPointF(end - way * length, middle - height),
            QPointF(end - way * length, middle + height),
        )
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawPolygon(QPolygonF(tip))
        self._draw_label(painter, area, columns, row)

    def _draw_label(
        self, painter: QPainter, area: QRect, columns: LadderColumns, row: LadderRow
    ) -> None:
        """The word stands between the first two lines that the arrow crosses, so that it covers none."""
        assert row.end is not None
        first = min(row.start, row.end) if row.start < row.end else row.start - 1
        left = area.left() + columns.parties[first] + self._theme.px(3)
        width = columns.parties[first + 1] - columns.parties[first] - self._theme.px(6)
        top = area.top() + self._theme.px(LABEL_CENTER - 9)
        box = QRect(left, top, width, self._theme.px(18))
        font = self._theme.font(tokens.SMALL, bold=row.status is RowStatus.FAILED)
        text = QFontMetrics(font).elidedText(row.label, Qt.TextElideMode.ElideRight, width)
        painter.setFont(font)
        painter.setPen(self._theme.color(self._label_tone(row)))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _draw_dot(
        self,
        painter: QPainter,
        middle: QPointF,
        columns: LadderColumns,
        row: LadderRow,
        tone: str,
    ) -> None:
        radius = self._theme.px(DOT_RADIUS)
        color = self._theme.color(tone)
        is_open = row.status in {RowStatus.NEXT, RowStatus.COMING}
        painter.setPen(QPen(color, 1.5 * self._theme.scale))
        painter.setBrush(self._theme.color("panel") if is_open else color)
        painter.drawEllipse(middle, radius, radius)
        left = round(middle.x()) + self._theme.px(10)
        height = self._theme.px(18)
        width = columns.time_left - columns.parties[row.start]
        box = QRect(left, round(middle.y()) - height // 2, width, height)
        font = self._theme.font(tokens.SMALL)
        self._draw_line(painter, box, row.label, font, self._label_tone(row))

    def _arrow_tone(self, row: LadderRow) -> str:
        return SIGNS[row.status][1]

    def _label_tone(self, row: LadderRow) -> str:
        tone = SIGNS[row.status][1]
        return "muted" if row.status in {RowStatus.DONE, RowStatus.COMING} else tone

    def _draw_time(
        self, painter: QPainter, area: QRect, columns: LadderColumns, row: LadderRow
    ) -> None:
        text, tone = row.time_text, "muted"
        if row.status is RowStatus.RUNNING and row.step is not None:
            text, tone = running_time(max(time.time() - row.step.began_wall, 0.0)), "pending"
        left = area.left() + columns.time_left
        box = QRect(
            left,
            area.top(),
            area.width() - columns.time_left - self._theme.PADDING_PX,
            area.height(),
        )
        painter.setFont(self._theme.font(tokens.SMALL))
        painter.setPen(self._theme.color(tone))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)


class LadderColumns(NamedTuple):
    """Positions at one width and text scale."""

    sign_left: int
    title_left: int
    title_right: int
    parties: tuple[int, int, int, int]
    """The vertical lines, from left to right."""
    time_left: int


def ladder_columns(width: int, scale: float, *, is_compact: bool = False) -> LadderColumns:
    """Divide `width` pixels: parties give way together with the titles, down to `MIN_GAP`, which they have at once where it `is_compact`."""
    available = width / scale
    narrowest = TITLE_LEFT + MIN_TITLE_WIDTH + MARGIN + 3 * MIN_GAP + TIME_WIDTH
    share = (
        min(max((available - narrowest) / (FULL_WIDTH - narrowest), 0), 1) if not is_compact else 0
    )
    gaps = [MIN_GAP + (gap - MIN_GAP) * share for gap in GAPS]
    end = max(available - TIME_WIDTH, TITLE_LEFT + MIN_TITLE_WIDTH + MARGIN + sum(gaps))
    positions = [end - sum(gaps[at:]) for at in range(4)]
    lines = tuple(round(x * scale) for x in positions)
    return LadderColumns(
        round(SIGN_LEFT * scale),
        round(TITLE_LEFT * scale),
        round((positions[0] - MARGIN) * scale),
        (lines[0], lines[1], lines[2], lines[3]),
        lines[3] + round(8 * scale),
    )
