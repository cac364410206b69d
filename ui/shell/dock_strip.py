"""What is left of the bottom dock while it is folded: a line with the latest message, which opens the dock, and links to its other pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QToolButton, QWidget

from inspector.visible_text import isolated
from ui.theme import tokens
from ui.theme.signs import SIGN_OF_TONE
from ui.widgets.count_tab_bar import MESSAGE_COUNT
from ui.widgets.delegates import baseline
from ui.widgets.labels import plain_label, set_tone, tool_tip, visible_name
from ui.widgets.layout_parts import Hairline, column_layout, row_layout
from ui.widgets.units import plural, short_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from ui.models.latest_message import LatestMessage
    from ui.shell.docks import BottomPageSpec
    from ui.theme import Theme

HEIGHT = 32
"""Pixels at 100%."""
NUMBER, TIME, SIGN = 48, 92, 20
"""Pixels of the first parts of a message at 100%: what follows them stays where it is when another message is shown."""
NARROW = 900
"""Pixels at 100% below which number, time and kind leave their space to the rest; so do links that never tell of problems, if the strip is so narrow."""
MIN_DIGITS = 3
"""Digits of the count of frames for which there is space from the start."""
TITLE_PARTS = 2
"""Texts before the message: the title and the count."""
MIN_WIDTH = 120
"""Pixels at 100%."""
OUTCOME_ICONS = {
    "error": "mdi6.close-circle-outline",
    "warning": "mdi6.alert-outline",
    "pending": "mdi6.timer-sand",
    "person": "mdi6.account-outline",
}
"""Tone of an outcome → the icon before it."""
OUTCOME_ICON = 14
MIN_NAME_CHARACTERS = 12
"""Of the method and the name of a message, in digits, which give way to its outcome."""
LINK_PADDING = 8
"""Pixels at 100% left and right of the widest text of a link, so that its count moves nothing."""


class _Part(NamedTuple):
    """One text of the line."""

    text: str
    font: QFont
    tone: str
    width: int = 0
    """Pixels for any text; 0 for the width of the text."""
    icon: str = ""
    gives_way: bool = False
    """Whether it is elided before those that are whole."""
    is_whole: bool = False
    """Whether it is elided only where what gives way is as narrow as it gets."""


class StripButton(QAbstractButton):
    """The line, as one button."""

    def __init__(self, title: str, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Show `title`, without a message."""
        super().__init__(parent)
        self.setObjectName("strip_button")
        self._theme = theme
        self._title = title
        self._count = 0
        self._widest = 0
        """The widest count so far, in pixels."""
        self._message: LatestMessage | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.changed.connect(self._on_theme_changed)
        self._name_it()

    def show_message(self, message: LatestMessage | None, count: int) -> None:
        """Show a message, and the number of all frames."""
        if (message, count) == (self._message, self._count):
            return
        self._message, self._count = message, count
        self._name_it()
        self.update()

    @property
    def message(self) -> LatestMessage | None:
        """The message that is shown."""
        return self._message

    def _name_it(self) -> None:
        name = f"{self._title}, {plural(self._count, 'frame')}"
        if self._message is not None:
            name = f"{name}. {self._message.sentence}"
        self.setAccessibleName(visible_name(name))

    def _on_theme_changed(self) -> None:
        self._widest = 0
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """As high as the strip; the width is what there is."""
        return QSize(self._theme.px(MIN_WIDTH), self._theme.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """Enough for the title."""
        return self.sizeHint()

    def part_lefts(self) -> dict[str, int]:
        """Where each text of the line begins, in pixels, by the text."""
        return {part.text: left for part, left in self._placed()}

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line; the last text is elided."""
        theme, painter = self._theme, QPainter(self)
        if self.underMouse() or self.isDown():
            painter.fillRect(self.rect(), theme.color("pressed" if self.isDown() else "hover"))
        icon = QRect(theme.px(12), (self.height() - theme.ICON) // 2, theme.ICON, theme.ICON)
        theme.icon("mdi6.chevron-up", "muted").paint(painter, icon)
        line = baseline(0, self.height(), theme.font())
        placed = self._placed()
        if self._message is not None:
            between = placed[TITLE_PARTS][1] - theme.px(8)
            high = theme.ICON
            painter.fillRect(between, (self.height() - high) // 2, 1, high, theme.color("hairline"))
        for part, left in placed:
            self._paint_part(painter, part, QPoint(left, line))
        if self.hasFocus():
            edge = theme.px(2)
            painter.setPen(theme.color("accent"))
            for inset in range(edge):
                painter.drawRect(self.rect().adjusted(inset, inset, -inset - 1, -inset - 1))
        painter.end()

    def _paint_part(self, painter: QPainter, part: _Part, at: QPoint) -> None:
        theme = self._theme
        left, rest = at.x(), self.width() - at.x() - theme.px(8)
        if part.icon:
            edge = theme.px(OUTCOME_ICON)
            area = QRect(left, (self.height() - edge) // 2, edge, edge)
            theme.icon(part.icon, part.tone).paint(painter, area)
            left, rest = left + edge + theme.px(4), rest - edge - theme.px(4)
        if rest <= 0:
            return
        painter.setFont(part.font)
        painter.setPen(theme.color(part.tone))
        elide = Qt.TextElideMode.ElideRight
        if part.gives_way and part.width:
            elide, rest = Qt.TextElideMode.ElideMiddle, part.width - theme.px(8)
        text = QFontMetrics(part.font).elidedText(part.text, elide, rest)
        painter.drawText(QPoint(left, at.y()), text)

    def _placed(self) -> list[tuple[_Part, int]]:
        """The parts of the line, and where each begins."""
        theme, left = self._theme, self._theme.px(12) + self._theme.ICON + self._theme.px(6)
        placed: list[tuple[_Part, int]] = []
        for part in self._fitted(self._parts(), self.width() - left - theme.px(8)):
            if part.text:
                placed.append((part, left))
            left += self._width_of(part)
        return placed

    def _width_of(self, part: _Part) -> int:
        theme = self._theme
        if part.width or not part.text:
            return part.width
        width = QFontMetrics(part.font).horizontalAdvance(part.text) + theme.px(8)
        return width + (theme.px(OUTCOME_ICON + 4) if part.icon else 0)

    def _fitted(self, parts: Sequence[_Part], available: int) -> Sequence[_Part]:
        """Return `parts` with less width for what gives way, if others would not be whole in the `available` pixels."""
        last = max((at for at, part in enumerate(parts) if part.is_whole and part.text), default=-1)
        excess = sum(map(self._width_of, parts[: last + 1])) - available
        if excess <= 0:
            return parts
        minimum = MIN_NAME_CHARACTERS * self._theme.character_width()
        return [
            part._replace(width=max(self._width_of(part) - excess, minimum))
            if part.gives_way and self._width_of(part) > minimum
            else part
            for part in parts
        ]

    def _parts(self) -> Sequence[_Part]:
        theme = self._theme
        small = theme.font(tokens.SMALL)
        title = (
            _Part(self._title, theme.font(bold=True), "text"),
            _Part(short_count(self._count), small, "muted", self._count_width(small)),
        )
        return (*title, *self._message_parts(small)) if self._message is not None else title

    def _count_width(self, font: QFont) -> int:
        """The width of the widest count so far, with the space after it."""
        metrics = QFontMetrics(font)
        widths = map(metrics.horizontalAdvance, (short_count(self._count), "0" * MIN_DIGITS))
        self._widest = max(self._widest, *widths)
        return self._widest + self._theme.px(16)

    def _message_parts(self, small: QFont) -> Sequence[_Part]:
        message, theme = self._message, self._theme
        assert message is not None
        note = message.note
        px, font, mono = theme.px, theme.font(), theme.mono()
        is_wide = self.width() >= px(NARROW)
        number = QFontMetrics(small).horizontalAdvance(f"#{message.number}") + px(8)
        origin = (
            _Part(f"#{message.number}", small, "muted", max(px(NUMBER), number)),
            _Part(message.time, small, "muted", px(TIME)),
        )
        icon = OUTCOME_ICONS.get(message.outcome_tone, "")
        return (
            *(origin if is_wide else ()),
            _Part(message.sign, font, message.sign_tone, px(SIGN)),
            *((_Part(message.kind, font, "muted"),) if is_wide else ()),
            _Part(
                isolated(f"{message.method} {message.name}".rstrip()), mono, "text", gives_way=True
            ),
            _Part(message.outcome, font, message.outcome_tone, icon=icon, is_whole=True),
            *((_Part(note.text, font, note.tone, icon=note.sign, is_whole=True),) if note else ()),
            _Part(message.duration, font, "pending" if message.is_pending else "muted"),
            _Part(isolated(message.summary), mono, "muted"),
        )


class DockStrip(QWidget):
    """The strip.

    Signals:
        page_requested: open the dock with the page of this key.
    """

    page_requested = Signal(str)

    def __init__(
        self, specs: Sequence[BottomPageSpec], *, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """A line about the first of `specs`, and a link to each other page."""
        super().__init__(parent)
        self.setObjectName("dock_strip")
        self._theme = theme
        spec = specs[0]
        self.button = StripButton(spec.title, theme=theme, parent=self)
        self.button.setToolTip(tool_tip(f"Show {spec.title} ({spec.shortcut})"))
        self.button.clicked.connect(lambda: self.page_requested.emit(spec.key))
        self._counted = {each.key for each in specs if each.count is not None}
        self._kept = {each.key for each in specs if each.tone is not None}
        """The links that stay where there is little room."""
        self._titles = {each.key: each.title for each in specs[1:]}
        self.links = {each.key: self._link(each) for each in specs[1:]}
        self._keys = plain_label(spec.shortcut, tone="muted", parent=self)
        row = row_layout(None, self.button, *self.links.values(), self._keys, space=0)
        row.setStretchFactor(self.button, 1)
        column_layout(self, Hairline(theme=theme), row, space=0)
        theme.changed.connect(self._refresh)
        self._refresh()

    def _link(self, spec: BottomPageSpec) -> QToolButton:
        link = QToolButton(self)
        link.setObjectName(f"strip_{spec.key}")
        link.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        link.setText(spec.title)
        link.setAccessibleName(spec.title)
        set_tone(link, "muted")
        link.clicked.connect(lambda: self.page_requested.emit(spec.key))
        return link

    def _refresh(self) -> None:
        self.setFixedHeight(self._theme.px(HEIGHT))
        small = self._theme.font(tokens.SMALL)
        for part in (self._keys, *self.links.values()):
            part.setFont(small)
        metrics = QFontMetrics(small)
        for key, link in self.links.items():
            text = f"{self._titles[key]} {MESSAGE_COUNT if key in self._counted else ''}".rstrip()
            widest = metrics.horizontalAdvance(text)
            if key in self._kept:  # its count may have a sign before it
                widest += self._theme.ICON + self._theme.px(4)
            link.setIconSize(QSize(self._theme.ICON, self._theme.ICON))
            link.setMinimumWidth(widest + 2 * self._theme.px(LINK_PADDING))
        for link in self.links.values():
            link.setFixedHeight(self._theme.px(tokens.MIN_TARGET))  # with and without a sign
        self._keys.setContentsMargins(self._theme.px(8), 0, self._theme.px(12), 0)
        self._fit()

    def set_count(self, key: str, count: int, tone: str = "") -> None:
        """Show how much a page has, in the link to it, which has the color of `tone`."""
        link = self.links.get(key)
        if link is None:
            return
        set_tone(link, tone or "muted")
        if sign := SIGN_OF_TONE.get(tone):
            link.setIcon(self._theme.icon(sign, tone))
            link.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        else:
            link.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        text = f"{self._titles[key]} {short_count(count)}"
        if link.text() != text:
            link.setText(text)
            link.setAccessibleName(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Links give way to the message."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        is_wide = self.width() >= self._theme.px(NARROW)
        for key, link in self.links.items():
            link.setVisible(is_wide or key in self._kept)
        self._keys.setVisible(is_wide)
