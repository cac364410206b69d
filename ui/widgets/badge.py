"""A short text in a small pill, colored by its meaning and always spelled out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.visible_text import one_line
from ui.theme import tokens
from ui.widgets.labels import tool_tip

if TYPE_CHECKING:
    from ui.theme import Theme

MAX_CHARACTERS = 40
"""Characters of a badge."""
PADDING = 8
"""Left and right of the text, in pixels at 100%."""
TINT, TINT_IN_THE_DARK = 0.12, 0.17
"""How much of the color of the text the background has; more would cost contrast."""


class Badge(QWidget):
    """One pill."""

    def __init__(
        self,
        text: str = "",
        *,
        theme: Theme,
        tone: str = "muted",
        tip: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """Show `text` in the color named `tone`."""
        super().__init__(parent)
        self._theme = theme
        self._tone = tone
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setToolTip(tool_tip(tip))
        self.set_text(text)
        theme.changed.connect(self.updateGeometry)

    def text(self) -> str:
        """The word shown."""
        return self._text

    @property
    def tone(self) -> str:
        """The name of its color."""
        return self._tone

    def set_text(self, text: str, tone: str = "") -> None:
        """Show `text`; hidden while empty. A `tone` changes the color too."""
        self._text = one_line(text, MAX_CHARACTERS)
        self._tone = tone or self._tone
        self.setAccessibleName(self._text)
        self._show_or_hide()
        self.updateGeometry()
        self.update()

    def _show_or_hide(self) -> None:
        explicit = Qt.WidgetAttribute.WA_WState_ExplicitShowHide
        if not self._text:
            self.hide()
        elif self.parentWidget() is None:
            self.setAttribute(explicit, False)  # showing it now would make it a window
        elif self.testAttribute(explicit):
            self.show()

    def sizeHint(self) -> QSize:
        """As wide as the word."""
        return badge_size(self._theme, self._text)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the pill."""
        painter = QPainter(self)
        draw_badge(painter, self.rect(), self._theme, self._text, self._tone)
        painter.end()


def badge_font(theme: Theme) -> QFont:
    """The font of badges."""
    return theme.font(tokens.SMALL)


def badge_size(theme: Theme, text: str) -> QSize:
    """The size of the badge `text`."""
    metrics = QFontMetrics(badge_font(theme))
    height = max(theme.px(tokens.BADGE), metrics.height())
    return QSize(metrics.horizontalAdvance(text) + 2 * theme.px(PADDING), height)


def draw_badge(painter: QPainter, rect: QRect, theme: Theme, text: str, tone: str) -> None:
    """Paint a badge into `rect`; for delegates too. In themes with borders it has one instead of a background."""
    ink = theme.color(tone)
    palette = theme.palette
    background = QColor(ink)
    background.setAlphaF(TINT_IN_THE_DARK if palette.is_dark else TINT)
    radius = theme.px(tokens.RADIUS)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(ink if palette.has_borders else Qt.PenStyle.NoPen)
    painter.setBrush(Qt.BrushStyle.NoBrush if palette.has_borders else background)
    edge = 0.5 if palette.has_borders else 0.0
    painter.drawRoundedRect(QRectF(rect).adjusted(edge, edge, -edge, -edge), radius, radius)
    painter.setPen(ink)
    painter.setFont(badge_font(theme))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()
