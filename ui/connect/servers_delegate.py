"""Draws the servers: a dot for the state, the name, the transport at the right, and under them the revision or what is wrong.

The rail, for narrow windows, has room for the dot and two letters; names are in its tooltips and accessible texts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle

from inspector.visible_text import isolated, one_line
from ui.theme import tokens
from ui.theme.signs import Sign
from ui.widgets.delegates import ListDelegate
from ui.widgets.title_and_name import whole_width

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex, QPersistentModelIndex
    from PySide6.QtGui import QFont
    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

    from ui.connect.servers_model import ServerRow, ServersModel
    from ui.theme import Theme

RAIL_WIDTH = 44
"""Of the rail, at 100%."""

DOT = 8
"""Diameter of a dot, at 100%."""

NAME_LEFT, RAIL_LEFT = 30, 18
"""Where the text begins in a row and in the rail, at 100%; the dot is before it."""

FIRST_TOP, FIRST_HEIGHT, SECOND_TOP, SECOND_HEIGHT = 2, 18, 19, 16
"""The two lines of a row, at 100%."""

SIGN = 14
"""Edge of the sign of a warning, at 100%."""

MAX_TEXT = 300
"""Characters that are measured of a text."""

MAX_DIGITS = 2
"""Of a number that stands for a server."""

_PART = re.compile(r"[^\W_]+")


class ServerDelegate(ListDelegate):
    """Paints the rows of a `ServersModel`."""

    def __init__(self, *, model: ServersModel, theme: Theme, parent: QWidget) -> None:
        """Paint what `model` holds."""
        super().__init__(theme=theme, two_lines=True, parent=parent)
        self._model = model
        self.is_compact = False
        """Whether the rows are those of the rail."""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """The height of two lines."""
        return QSize(self._theme.px(RAIL_WIDTH), super().sizeHint(option, index).height())

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw background, dots and texts."""
        row = self._model.row(index)
        if row is None:
            return
        painter.save()
        self._draw_background(painter, option)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        font = self._theme.font(bold=is_selected)
        if self.is_compact:
            self._draw_letters(painter, option.rect, row, is_selected=is_selected)
        else:
            right = self._draw_right(painter, option.rect, row)
            self._draw_lines(painter, option.rect, row, font, right)
        painter.restore()

    def _draw_letters(
        self, painter: QPainter, area: QRect, row: ServerRow, *, is_selected: bool
    ) -> None:
        px = self._theme.px
        middle = area.top() + area.height() // 2 + px(1)  # small letters stand lower
        self._draw_dot(painter, area.left() + px(10), middle, row.dot, is_filled=row.is_filled)
        box = QRect(area.left() + px(RAIL_LEFT), area.top(), px(26), area.height())
        font = self._theme.font(tokens.SMALL, bold=is_selected)
        self._draw_text(painter, box, initials(row.name), font, "text")
        if row.needs_user:
            self._draw_dot(painter, area.right() - px(7), area.top() + px(7), "person")

    def _draw_right(self, painter: QPainter, area: QRect, row: ServerRow) -> int:
        """Draw what stands at the right edge; return where the name has to end. The transport gives way to it, selected or not."""
        px = self._theme.px
        right = area.right() + 1 - px(tokens.DENSE_PADDING_PX)
        small = self._theme.font(tokens.SMALL)
        width = QFontMetrics(small).horizontalAdvance(row.transport)
        line = QRect(right - width, area.top() + px(FIRST_TOP), width + 1, px(FIRST_HEIGHT))
        end = right - width - px(8)
        widest = QFontMetrics(self._theme.font(bold=True))
        name = whole_width(widest, one_line(row.name, MAX_TEXT))
        sign_width = px(SIGN + 4) if row.warnings else 0
        if name <= end - sign_width - area.left() - px(NAME_LEFT):
            self._draw_text(painter, line, row.transport, small, "muted")
        else:
            end = right
        if row.warnings:
            edge = px(SIGN)
            sign = QRect(end - edge, line.center().y() - edge // 2, edge, edge)
            self._theme.icon(Sign.WARNING, "warning").paint(painter, sign)
            end -= edge + px(4)
        if row.needs_user:
            middle = area.top() + px(SECOND_TOP) + px(SECOND_HEIGHT) // 2
            self._draw_dot(painter, right - px(DOT) // 2, middle, "person")
        return end

    def _draw_lines(
        self, painter: QPainter, area: QRect, row: ServerRow, font: QFont, right: int
    ) -> None:
        px = self._theme.px
        left = area.left() + px(NAME_LEFT)
        first = QRect(left, area.top() + px(FIRST_TOP), right - left, px(FIRST_HEIGHT))
        dot = area.left() + px(tokens.DENSE_PADDING_PX) + px(DOT) // 2
        self._draw_dot(
            painter, dot, first.center().y() + 1 + px(1), row.dot, is_filled=row.is_filled
        )
        self._draw_text(painter, first, isolated(one_line(row.name, MAX_TEXT)), font, "text")
        end = (
            area.right() + 1 - px(tokens.DENSE_PADDING_PX) - (px(DOT + 4) if row.needs_user else 0)
        )
        second = QRect(left, area.top() + px(SECOND_TOP), end - left, px(SECOND_HEIGHT))
        text = isolated(one_line(row.text, MAX_TEXT))
        small = self._theme.font(tokens.SMALL)
        elide = Qt.TextElideMode.ElideRight
        self._draw_text(painter, second, text, small, row.tone, elide)

    def _draw_dot(
        self, painter: QPainter, x: int, y: int, tone: str, *, is_filled: bool = True
    ) -> None:
        """Draw a dot around a point; one that is not filled is a ring."""
        radius = self._theme.px(DOT) / 2
        color = self._theme.color(tone)
        pen = self._theme.scale * 1.5
        if is_filled:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
        else:
            painter.setPen(QPen(color, pen))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            radius -= pen / 2
        painter.drawEllipse(QPointF(x, y), radius, radius)


def initials(name: str) -> str:
    """Return two letters that stand for a server: those that its first two parts begin with, or the first two.

    Of names that differ by a number at the end, the number stands in place of the second.
    """
    parts = _PART.findall(one_line(name, MAX_TEXT))
    if len(parts) > 1 and parts[-1].isdecimal():
        return f"{parts[0][0]}{parts[-1][-MAX_DIGITS:]}".upper()
    if len(parts) > 1:
        return f"{parts[0][0]}{parts[1][0]}".upper()
    return parts[0][:2].capitalize() if parts else "–"
