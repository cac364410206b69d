"""The badge in the header: how many requests of servers are pending, and how long the oldest has waited."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from inspector.visible_text import one_line
from ui.bind import bind_coalesced
from ui.inbox_texts import CLOCK_MS, format_age
from ui.theme import tokens
from ui.widgets.buttons import PushButton
from ui.widgets.labels import tool_tip
from ui.widgets.units import plural

if TYPE_CHECKING:
    from inspector.clock import Clock
    from inspector.inbox import Inbox
    from ui.theme import Theme

ICON = "mdi6.account-alert-outline"

PADDING = 12
"""Pixels left and right of icon and text."""

WIDEST, WIDEST_SHORT = "99 requests · 59:59", "99 · 59:59"
"""The width of this is kept free, so that the running clock changes no width; the second where the badge is compact."""

FOCUS_PX = 2
"""Width of the border of a focused badge."""

HOVER_ALPHA, PRESSED_ALPHA = 26, 51
"""How much of the color of the text covers the badge under the mouse, of 255."""

NAME_LENGTH = 60
"""Characters of a server's name in the tool tip."""


class RequestsBadge(PushButton):
    """A pill with count and clock; hidden while no request is pending.

    A click takes no focus. By keyboard it gets the focus as any button, and `return_focus` gives it back.
    """

    def __init__(
        self, *, inbox: Inbox, clock: Clock, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Count what is pending in `inbox`, in all sessions."""
        super().__init__("", parent=parent)
        self.setObjectName("header_requests")
        self.setAutoDefault(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._inbox = inbox
        self._clock = clock
        self._theme = theme
        self._is_compact = False
        self._widest = WIDEST
        self._before: weakref.ref[QWidget] | None = None
        """The widget that had the focus before the badge got it."""
        self._ticks = QTimer(self, interval=CLOCK_MS)
        self._ticks.timeout.connect(self.tick)
        bind_coalesced(self, inbox.changed, self.refresh)
        theme.changed.connect(self.updateGeometry)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus_changed)
        self.hide()

    def refresh(self) -> None:
        """Show what is pending now."""
        pending = self._inbox.pending
        servers = ", ".join(dict.fromkeys(one_line(ask.server, NAME_LENGTH) for ask in pending))
        self.setToolTip(tool_tip(f"Pending requests from {servers}"))
        self.setAccessibleName(f"{plural(len(pending), 'request')} waiting for you")
        if pending:
            self.tick()
            self._ticks.start()
        else:
            self._ticks.stop()
            self.return_focus()
        self.setVisible(bool(pending))

    def tick(self) -> None:
        """Show how long the oldest request has waited."""
        pending = self._inbox.pending
        if not pending:
            return
        waited = format_age(self._clock.monotonic() - pending[0].received_at)
        count = len(pending)
        text = f"{count if self._is_compact else plural(count, 'request')} · {waited}"
        if text != self.text():
            self.setText(text)
            self._reserve(text)

    def set_compact(self, *, is_compact: bool) -> None:
        """Show the count without a noun, beside the icon of the user, or with it."""
        if is_compact != self._is_compact:
            self._is_compact = is_compact
            self._widest = WIDEST_SHORT if is_compact else WIDEST
            self.updateGeometry()
            self.tick()

    def return_focus(self) -> None:
        """Give the focus to the widget that had it before, if the badge has it."""
        before = self._before() if self._before is not None else None
        if self.window().focusWidget() is self and before is not None and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_focus_changed(self, old: QWidget | None, now: QWidget | None) -> None:
        if now is self and old is not None and old.window() is self.window():
            self._before = weakref.ref(old)

    def _reserve(self, text: str) -> None:
        metrics = self._metrics()
        if metrics.horizontalAdvance(text) > metrics.horizontalAdvance(self._widest):
            self._widest = text
            self.updateGeometry()

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(self._theme.font(bold=True))

    def sizeHint(self) -> QSize:
        """As wide as the widest text so far, and as high as a button."""
        theme = self._theme
        text = self._metrics().horizontalAdvance(self._widest)
        width = text + theme.ICON + theme.SPACING_PX + 2 * theme.px(PADDING)
        return QSize(width, theme.px(tokens.FIELD))

    def minimumSizeHint(self) -> QSize:
        """The same: it is never elided."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the pill, with icon and text in its middle."""
        theme, ink = self._theme, self._theme.color("on_accent")
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        radius = self.height() / 2
        painter.setPen(Qt.PenStyle.NoPen)
        for brush in (theme.color("person"), self._cover(ink)):
            painter.setBrush(brush)
            painter.drawRoundedRect(QRectF(self.rect()), radius, radius)
        if self.hasFocus():
            inset = FOCUS_PX / 2
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("text"), FOCUS_PX))
            frame = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
            painter.drawRoundedRect(frame, radius - inset, radius - inset)
        self._draw_text(painter, ink)
        painter.end()

    def _cover(self, ink: QColor) -> QColor:
        cover = QColor(ink)
        alpha = PRESSED_ALPHA if self.isDown() else HOVER_ALPHA if self.underMouse() else 0
        cover.setAlpha(alpha)
        return cover

    def _draw_text(self, painter: QPainter, ink: QColor) -> None:
        theme, text = self._theme, self.text()
        width = theme.ICON + theme.SPACING_PX + self._metrics().horizontalAdvance(text)
        left = (self.width() - width) // 2
        icon = QRect(left, (self.height() - theme.ICON) // 2, theme.ICON, theme.ICON)
        theme.icon(ICON, "on_accent").paint(painter, icon)
        painter.setPen(ink)
        painter.setFont(theme.font(bold=True))
        area = self.rect().adjusted(left + theme.ICON + theme.SPACING_PX, 0, 0, 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
