"""Wave underlines beneath what is wrong: values of a JSON tree, and parts of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from PySide6.QtCore import QPointF, QRect
from PySide6.QtGui import QPainter, QPen, QTextCharFormat
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionViewItem

from ui.widgets.delegates import RowDelegate

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex, QPersistentModelIndex
    from PySide6.QtGui import QColor
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme

WAVE_PX = 1.2
"""Width of the line."""
WAVE_HEIGHT_PX, WAVE_LENGTH_PX = 2, 4
"""Height of a wave, and its length, at 100%."""


class Underline(NamedTuple):
    """What is wrong with a value."""

    tone: str
    """Name of the color."""
    text: str
    """What is wrong, for tool tips and assistive technology."""


class UnderlinedSpan(NamedTuple):
    """A part of a text that is underlined."""

    start: int
    """Its beginning, in characters of the text."""
    end: int
    """Its end, exclusive."""
    tone: str
    """Name of the color."""


def wave_format(color: QColor) -> QTextCharFormat:
    """Return the format of text that is underlined."""
    style = QTextCharFormat()
    style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
    style.setUnderlineColor(color)
    return style


def draw_wave(painter: QPainter, area: QRect, color: QColor, theme: Theme) -> None:
    """Draw a wave along the lower edge of `area`."""
    height, length = theme.px(WAVE_HEIGHT_PX), theme.px(WAVE_LENGTH_PX)
    bottom, step = area.bottom(), max(length // 2, 1)
    points = [
        QPointF(x, bottom - (number % 2) * height)
        for number, x in enumerate(range(area.left(), area.right() + 1, step))
    ]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, WAVE_PX * theme.px(100) / 100))
    painter.drawPolyline(points)
    painter.restore()


class UnderliningDelegate(RowDelegate):
    """Draws a wave beneath the cells whose model returns the name of a color for `role`."""

    def __init__(self, *, theme: Theme, role: int, parent: QWidget | None = None) -> None:
        """Ask the model for `role`."""
        super().__init__(parent)
        self._theme = theme
        self._role = role
        self.is_used = False
        """Whether there are such cells: no other cell is asked."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Leave the drawing to Qt, then underline the text."""
        super().paint(painter, option, index)
        tone = index.data(self._role) if self.is_used else None
        if isinstance(tone, str):
            draw_wave(painter, self._text_area(option, index), self._theme.color(tone), self._theme)

    def _text_area(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QRect:
        whole = QStyleOptionViewItem(option)
        self.initStyleOption(whole, index)
        widget = cast("QWidget | None", option.widget)
        style = widget.style() if widget is not None else QApplication.style()
        area = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, whole, widget)
        margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, whole, widget) + 1
        metrics = whole.fontMetrics
        width = min(metrics.horizontalAdvance(whole.text), area.width() - 2 * margin)
        bottom = min(area.center().y() + metrics.height() // 2, area.bottom())
        return QRect(area.left() + margin, area.top(), max(width, 0), bottom - area.top() + 1)
