"""The list of requests over the window, below the badge of the header. It changes no layout, and only the user opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QDialog, QHBoxLayout, QWidget

from ui.inbox.card import HEIGHT as CARD_HEIGHT
from ui.inbox.cards import RequestCards
from ui.theme import tokens
from ui.theme.theme_font import set_theme_font
from ui.widgets.buttons import ENTER_KEYS, link_button
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import column_layout, row_layout

if TYPE_CHECKING:
    from inspector.clock import Clock
    from inspector.inbox import Inbox
    from ui.theme import Theme

WIDTH = 420
"""At 100%."""

HEADER_HEIGHT = 34
"""Of its title line, at 100%."""

MAX_VISIBLE = 5
"""Cards without scrolling."""

RADIUS = 6
"""Of its corners."""

CORNER = 4
"""Pixels at 100% below the cards, which have no round corners."""

BORDER = 1
"""Pixels of its border, at any scale."""


class RequestsPopover(QDialog):
    """Cards of the requests; Esc or a click outside closes it.

    Signals:
        review_requested: open the dialog of this request; the popover is closed already.
        panel_requested: show the dock with the requests.
    """

    review_requested = Signal(object)
    panel_requested = Signal()

    def __init__(self, opener: QWidget, *, inbox: Inbox, clock: Clock, theme: Theme) -> None:
        """Show what is in `inbox`, below `opener`, over its window; a click on `opener` closes it and does nothing else."""
        super().__init__(opener.window(), Qt.WindowType.Popup)
        self.setObjectName("requests_popover")
        self.setAccessibleName("Requests")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)  # for the round corners
        self._opener = opener
        self._inbox = inbox
        self._theme = theme
        self._top = 0
        """Pixels from the top of the window."""
        self._build(clock)
        self._wire()
        self._refresh()
        self._focus_oldest()

    def _build(self, clock: Clock) -> None:
        theme = self._theme
        self.cards = RequestCards(inbox=self._inbox, clock=clock, theme=theme, parent=self)
        column = column_layout(self, self._build_header(), self.cards, space=0)
        column.setContentsMargins(BORDER, BORDER, BORDER, theme.px(CORNER))

    def _build_header(self) -> QHBoxLayout:
        theme = self._theme
        title = plain_label("Requests", tone="title", parent=self)
        title.setMinimumHeight(theme.px(HEADER_HEIGHT))
        self._count = plain_label(tone="muted", name="popover_count", parent=self)
        set_theme_font(self._count, theme, tokens.SMALL)
        self._panel = link_button("Open as panel", name="popover_panel", parent=self)
        edge = theme.px(tokens.DENSE_PADDING_PX)
        header = row_layout(None, title, self._count, space=theme.px(8), margins=(edge, 0, edge, 0))
        header.addStretch(1)
        header.addWidget(self._panel)
        return header

    def _wire(self) -> None:
        self.cards.changed.connect(self._refresh)
        self.cards.review_requested.connect(self._on_review_requested)
        self._panel.clicked.connect(self._on_panel_clicked)

    def _refresh(self) -> None:
        """Adjust count and size; without any request there is nothing to show."""
        items = self._inbox.items
        if not items:
            self.close()
            return
        self._count.setText(f"{len(self._inbox.pending):,}")
        theme, window = self._theme, self._opener.window()
        beside = theme.px(HEADER_HEIGHT) + theme.px(CORNER) + BORDER
        free = window.height() - self._top - theme.PADDING_PX - beside
        limit = min(MAX_VISIBLE * theme.px(CARD_HEIGHT), max(free, theme.px(CARD_HEIGHT)))
        height = min(self.cards.content_height(), limit)
        width = min(theme.px(WIDTH), window.width() - 2 * theme.PADDING_PX)
        self.setFixedSize(width, height + beside)

    def open_below(self, top: int) -> None:
        """Show it with its right edge at the one of the opener, and its top `top` pixels below the one of the window, in which it stays."""
        self._top = top
        self._refresh()
        window = self._opener.window()
        right = self._opener.mapTo(window, QPoint(self._opener.width(), 0)).x()
        left = max(right - self.width(), self._theme.PADDING_PX)
        self.setGeometry(QRect(window.mapToGlobal(QPoint(left, top)), self.size()))
        self.show()

    def _focus_oldest(self) -> None:
        if self.cards.cards:
            self.cards.cards[0].review.setFocus()

    def _on_review_requested(self, ask: object) -> None:
        self.close()
        self.review_requested.emit(ask)

    def _on_panel_clicked(self) -> None:
        self.close()
        self.panel_requested.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the focused button, as Space does."""
        focused = self.focusWidget()
        if event.key() in ENTER_KEYS and isinstance(focused, QAbstractButton):
            focused.click()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click outside closes it; one on the opener would open it again."""
        position = self._opener.mapFromGlobal(event.globalPosition().toPoint())
        if self._opener.rect().contains(position):
            self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay)
        super().mousePressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rounded box."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("outline"))
        painter.setBrush(self._theme.color("panel"))
        half = BORDER / 2
        radius = self._theme.px(RADIUS)
        painter.drawRoundedRect(
            QRectF(self.rect()).adjusted(half, half, -half, -half), radius, radius
        )
        painter.end()
