"""Parts of a heading: title and name on one line, and the start of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QTextLayout, QTextLine, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.visible_text import one_line
from ui.theme import tokens
from ui.widgets.labels import ElidedLabel, set_tone, visible_name

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from ui.theme import Theme

MAX_CHARACTERS = 1000
"""Of a text of which the start is displayed."""

LINES = 2
"""Lines of a text."""

TITLE_PIXELS = 24
"""Height of the title at 100%."""

NAME_SHARE = 3
"""A name that does not fit beside its title has the width of the line divided by this."""

GAP_PIXELS = 10
"""At 100%, between title and name."""


class TitleLine(QWidget):
    """Title and name on one baseline; without width for both, the name is shortened first, and keeps a third.

    Where that would shorten both, a name that fits into a half stays whole, and only the title is shortened.
    """

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self._theme = theme
        self.title = ElidedLabel(parent=self)
        self.title.setObjectName(f"{name}_title")
        self.name = ElidedLabel(parent=self)
        self.name.setObjectName(f"{name}_name")
        set_tone(self.name, "muted")
        for label in (self.title, self.name):
            label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._refresh)
        self._refresh()

    def show_names(self, title: str, name: str) -> None:
        """Show a title, and a name unless it is the same."""
        self.title.set_text(title)
        self.name.set_text(name)
        self.name.setVisible(name not in {"", title})
        self._arrange()

    def _refresh(self) -> None:
        self.title.setFont(self._theme.font(tokens.TITLE, bold=True))
        self.name.setFont(self._theme.mono())
        self.updateGeometry()
        self._arrange()

    def _arrange(self) -> None:
        title, name = self.title.fontMetrics(), self.name.fontMetrics()
        gap = self._theme.px(GAP_PIXELS)
        top = max((self.height() - title.height()) // 2, 0)
        available = self.width()
        if not self.name.isHidden():
            needed = name.horizontalAdvance(self.name.whole_text()) + 1
            of_title = title.horizontalAdvance(self.title.whole_text()) + 1
            width = min(needed, max(available - of_title - gap, available // NAME_SHARE))
            if of_title > available - width - gap and needed <= available // 2:
                width = needed
            available = min(available - width - gap, of_title)
            at = top + title.ascent() - name.ascent()
            self.name.setGeometry(available + gap, at, width, name.height())
        self.title.setGeometry(0, top, max(available, 0), title.height())

    def sizeHint(self) -> QSize:
        """Return the height of the title."""
        height = max(self._theme.px(TITLE_PIXELS), self.title.fontMetrics().height())
        return QSize(self._theme.px(240), height)

    def minimumSizeHint(self) -> QSize:
        """Return almost no width: both texts are shortened."""
        return QSize(self._theme.px(80), self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Divide the new width."""
        super().resizeEvent(event)
        self._arrange()


class Excerpt(QWidget):
    """The first lines of a text; what does not fit ends in an ellipsis."""

    def __init__(
        self,
        *,
        theme: Theme,
        name: str,
        lines: int = LINES,
        tone: str = "text",
        parent: QWidget | None = None,
    ) -> None:
        """Start empty, for at most so many `lines` in the color of `tone`."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._source = self._text = ""
        self._max, self._tone = lines, tone
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)  # not fixed: a layout would keep the height of another width
        self.setSizePolicy(policy)

    def set_text(self, text: str) -> None:
        """Show the start of `text`; a clock that runs may set the same text again."""
        if text == self._source:
            return
        self._source, self._text = text, one_line(text, MAX_CHARACTERS)
        self.setAccessibleName(visible_name(text))
        self.updateGeometry()
        self.update()

    def is_cut(self) -> bool:
        """Whether there is more text than lines."""
        return len(self._lines(self.width())) > self._max

    def hasHeightForWidth(self) -> bool:
        """Return True: a short text takes one line."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of the lines at a width."""
        count = min(len(self._lines(width)), self._max)
        return count * self.fontMetrics().lineSpacing()

    def sizeHint(self) -> QSize:
        """Return a size for all lines."""
        width = max(self.width(), self._theme.px(80))
        return QSize(self._theme.px(240), self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Return almost no width: the text wraps."""
        return QSize(self._theme.px(80), self.fontMetrics().lineSpacing())

    def _lines(self, width: int) -> list[str]:
        """Return the text as it wraps, at most one line more than there is available for, which is the rest."""
        layout = QTextLayout(self._text, self.font())
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        lines: list[str] = []
        layout.beginLayout()
        while len(lines) <= self._max:
            line: QTextLine = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(max(width, 1))
            start = line.textStart()
            end = start + line.textLength() if len(lines) < self._max else len(self._text)
            lines.append(self._text[start:end])
        layout.endLayout()
        return lines

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines."""
        metrics = QFontMetrics(self.font())
        lines = self._lines(self.width())
        if len(lines) > self._max:
            lines = [*lines[: self._max - 1], "".join(lines[self._max - 1 :])]
        painter = QPainter(self)
        painter.setPen(self._theme.color(self._tone))
        for at, text in enumerate(lines):
            elided = metrics.elidedText(text.rstrip(), Qt.TextElideMode.ElideRight, self.width())
            painter.drawText(QPointF(0, at * metrics.lineSpacing() + metrics.ascent()), elided)
        painter.end()
