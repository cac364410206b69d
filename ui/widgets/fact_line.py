"""Facts beside each other on a line that is always in sight: names muted, values in monospace; two lines at most, and the number of the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolTip, QWidget

from inspector.frozen import FrozenStruct
from inspector.visible_text import one_line
from ui.theme import tokens
from ui.widgets.clipboard import copy_text
from ui.widgets.labels import no_mnemonic, tool_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QContextMenuEvent, QPaintEvent

    from ui.theme import Theme
    from ui.widgets.key_values import KeyValue

MAX_LINES = 2

HEIGHT_PX = 30
"""With one line, at 100%."""

LINE_PX = 18
"""Each further line."""

BETWEEN_PX = 20
"""Between two facts."""

NAME_SPACE_PX = 6
"""Between a name and its value."""

MAX_VALUE = 60
"""Characters of a value on the line; the tool tip has more."""


_SLACK_PX = 2
"""Pixels that a font may need more where it is drawn than where it is measured."""


class _Placed(FrozenStruct, frozen=True):
    """A fact on the line."""

    fact: KeyValue
    """The fact."""
    left: int
    """Where it begins, in pixels."""
    width: int
    """Pixels that it takes."""
    line: int
    """Its line, from 0."""


class FactLine(QWidget):
    """Facts that belong to all of a dialog or page."""

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._facts: tuple[KeyValue, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self.updateGeometry)

    def facts(self) -> tuple[KeyValue, ...]:
        """All facts, also those for which there is no room."""
        return self._facts

    def set_facts(self, facts: Sequence[KeyValue]) -> None:
        """Show these instead; without any the line is hidden."""
        self._facts = tuple(facts)
        self.setVisible(bool(facts))
        self.setAccessibleName(one_line("; ".join(map(_text, facts)), 2000))
        self.updateGeometry()
        self.update()

    def hidden_count(self) -> int:
        """How many facts have no room."""
        return len(self._facts) - len(self._arranged(self.width()))

    def hasHeightForWidth(self) -> bool:
        """Facts wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of one line, or two."""
        placed = self._arranged(width)
        lines = placed[-1].line if placed else 0
        return self._theme.px(HEIGHT_PX) + lines * self._theme.px(LINE_PX)

    def sizeHint(self) -> QSize:
        """The height at the present width."""
        return QSize(0, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Never squeezed."""
        return self.sizeHint()

    def event(self, event: QEvent) -> bool:
        """Show the exact value of the fact under the pointer, and all facts that have no room beside it."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tool_tip(self._tip_at(event.pos())), self)
            return True
        return super().event(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Copy a fact, or all of them."""
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        placed = self._at(event.pos())
        if placed is not None:
            fact = placed.fact
            name = no_mnemonic(one_line(fact.name, 60))
            menu.addAction(f"Copy {name}", lambda: copy_text(fact.value))
        menu.addAction("Copy all", lambda: copy_text("\n".join(map(_text, self._facts))))
        menu.popup(event.globalPos())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the facts on their lines, and a hairline above and below."""
        painter, theme = QPainter(self), self._theme
        painter.fillRect(self.rect(), theme.color("sunken"))
        for y in (0, self.height() - 1):
            painter.fillRect(0, y, self.width(), 1, theme.color("hairline"))
        placed = self._arranged(self.width())
        for each in placed:
            self._draw(painter, each)
        hidden = len(self._facts) - len(placed)
        if hidden and placed:
            end = placed[-1]
            painter.setFont(theme.font(tokens.SMALL))
            painter.setPen(theme.color("muted"))
            left = end.left + end.width + theme.px(BETWEEN_PX)
            painter.drawText(QPoint(left, self._baseline(end.line)), f"{hidden} more")
        painter.end()

    def _draw(self, painter: QPainter, placed: _Placed) -> None:
        theme, fact = self._theme, placed.fact
        baseline = self._baseline(placed.line)
        name, value = one_line(fact.name, MAX_VALUE), one_line(fact.value, MAX_VALUE)
        painter.setFont(theme.font(tokens.SMALL))
        painter.setPen(theme.color("muted"))
        painter.drawText(QPoint(placed.left, baseline), name)
        left = placed.left + _advance(theme, name, mono=False) + theme.px(NAME_SPACE_PX)
        painter.setFont(theme.mono(tokens.SMALL) if fact.mono else theme.font(tokens.SMALL))
        painter.setPen(theme.color(fact.tone or "text"))
        metrics = painter.fontMetrics()
        available = placed.left + placed.width - left
        elided = metrics.elidedText(value, Qt.TextElideMode.ElideRight, max(available, 0))
        painter.drawText(QPoint(left, baseline), elided)

    def _baseline(self, line: int) -> int:
        theme = self._theme
        metrics = QFontMetrics(theme.font(tokens.SMALL))
        above = (theme.px(HEIGHT_PX) - metrics.height() + 1) // 2 + metrics.ascent()
        return above + line * theme.px(LINE_PX)

    def _arranged(self, width: int) -> list[_Placed]:
        """Return the facts that have room in `width` pixels, each with its position."""
        theme = self._theme
        edge, between = theme.px(tokens.READING_PADDING_PX), theme.px(BETWEEN_PX)
        end = max(width - edge, edge + 1)
        left, line = edge, 0
        placed: list[_Placed] = []
        for fact in self._facts:
            needed = min(self._needed(fact), end - edge)
            if left > edge and left + needed > end:
                left, line = edge, line + 1
            if line == MAX_LINES:
                break
            placed.append(_Placed(fact, left, needed, line))
            left += needed + between
        self._reserve_count(placed, end)
        return placed

    def _reserve_count(self, placed: list[_Placed], end: int) -> None:
        """Drop facts of the last line until the number of those without room fits after it."""
        if len(placed) == len(self._facts):
            return
        count = _advance(self._theme, f"{len(self._facts)} more", mono=False)
        count += self._theme.px(BETWEEN_PX)
        while len(placed) > 1 and placed[-1].left + placed[-1].width + count > end:
            if placed[-1].line != placed[-2].line:
                return
            placed.pop()

    def _needed(self, fact: KeyValue) -> int:
        name, value = one_line(fact.name, MAX_VALUE), one_line(fact.value, MAX_VALUE)
        names = _advance(self._theme, name, mono=False) + self._theme.px(NAME_SPACE_PX)
        return names + _advance(self._theme, value, mono=fact.mono) + _SLACK_PX

    def _at(self, position: QPoint) -> _Placed | None:
        line_px, edge = self._theme.px(LINE_PX), self._theme.px(HEIGHT_PX - LINE_PX) // 2
        for placed in self._arranged(self.width()):
            top = edge + placed.line * line_px
            if QRect(placed.left, top, placed.width, line_px).contains(position):
                return placed
        return None

    def _tip_at(self, position: QPoint) -> str:
        placed = self._at(position)
        if placed is None:
            return "\n".join(map(_text, self._facts))
        fact = placed.fact
        return "\n".join(filter(None, (_text(fact), fact.tip)))


def _text(fact: KeyValue) -> str:
    return f"{fact.name}: {fact.value}"


def _advance(theme: Theme, text: str, *, mono: bool) -> int:
    font = theme.mono(tokens.SMALL) if mono else theme.font(tokens.SMALL)
    return QFontMetrics(font).horizontalAdvance(text)
