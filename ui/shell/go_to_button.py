"""The button that opens the command palette: it looks like the field that it opens, or is an icon where there is little width."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import tokens
from ui.widgets.buttons import PushButton

if TYPE_CHECKING:
    from ui.theme import Theme

ICON = "mdi6.magnify"

WIDTH = 200
"""Pixels at 100%."""

EDGE, GAP = 8, 6
"""Pixels at 100% between the border and what is in it, and from the icon to the text."""

FOCUS_PX = 2
"""Width of the border of the focused button."""


class GoToButton(PushButton):
    """Its text at the left and its keys at the right."""

    def __init__(
        self, text: str, keys: str, *, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Show `text` and `keys`."""
        super().__init__(text, parent=parent)
        self.setAccessibleName(text)
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._text, self._keys = text, keys
        self._theme = theme
        self._is_compact = False
        theme.changed.connect(self.updateGeometry)

    def set_compact(self, *, is_compact: bool) -> None:
        """Show the icon only, or everything."""
        if is_compact != self._is_compact:
            self._is_compact = is_compact
            self.setText("" if is_compact else self._text)
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        """As high as a field."""
        edge = self._theme.px(tokens.FIELD)
        return QSize(edge if self._is_compact else self._theme.px(WIDTH), edge)

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the field with its text, or the icon."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_frame(painter)
        theme = self._theme
        left = (self.width() - theme.ICON) // 2 if self._is_compact else theme.px(EDGE)
        icon = QRect(left, (self.height() - theme.ICON) // 2, theme.ICON, theme.ICON)
        theme.icon(ICON, "muted").paint(painter, icon)
        if not self._is_compact:
            self._draw_texts(painter, icon.right() + 1 + theme.px(GAP))
        painter.end()

    def _draw_frame(self, painter: QPainter) -> None:
        theme, has_focus = self._theme, self.hasFocus()
        width = FOCUS_PX if has_focus else 1
        border = "accent" if has_focus else "muted" if self.underMouse() else "outline"
        if self._is_compact and not has_focus:
            painter.setPen(Qt.PenStyle.NoPen)
        else:
            painter.setPen(QPen(theme.color(border), width))
        if self.isDown():
            painter.setBrush(theme.color("pressed"))
        elif not self._is_compact:
            painter.setBrush(theme.color("field"))
        elif self.underMouse():
            painter.setBrush(theme.color("hover"))
        half, radius = width / 2, theme.px(tokens.RADIUS)
        frame = QRectF(self.rect()).adjusted(half, half, -half, -half)
        painter.drawRoundedRect(frame, radius, radius)

    def _draw_texts(self, painter: QPainter, left: int) -> None:
        theme = self._theme
        area = self.rect().adjusted(left, 0, -theme.px(EDGE), 0)
        painter.setPen(theme.color("muted"))
        small = theme.font(tokens.SMALL)
        painter.setFont(small)
        painter.drawText(
            area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self._keys
        )
        painter.setFont(theme.font())
        free = area.width() - QFontMetrics(small).horizontalAdvance(self._keys) - theme.px(GAP)
        text = QFontMetrics(theme.font()).elidedText(self.text(), Qt.TextElideMode.ElideRight, free)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
