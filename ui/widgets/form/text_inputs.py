"""Boxes to type into: a line that displays its type, and a text that grows with its lines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QTextOption
from PySide6.QtWidgets import (
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QStyle,
    QStyleOptionFrame,
)

from ui.widgets.type_hint import APART_PX, EDGE_PX, draw_hint, hint_width

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QResizeEvent
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme


class TypedLineEdit(QLineEdit):
    """A line edit with the name of its type in small muted letters at its right end, while there is room for both."""

    _MIN_CHARACTERS = 6
    """Room in digits that an empty line keeps for what is typed."""
    _MARGIN_PX = 2
    """What Qt leaves free at either end of the text."""

    def __init__(self, type_text: str, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._type_text = type_text
        self._theme = theme
        self._has_hint = False
        self.textChanged.connect(self._fit)

    def set_type_text(self, text: str) -> None:
        """Display another type."""
        if text != self._type_text:
            self._type_text = text
            self._fit()

    def has_hint(self) -> bool:
        """Whether the type is displayed."""
        return self._has_hint

    def hint_rect(self) -> QRect:
        """Where the type is displayed."""
        area = self.rect().adjusted(0, 0, -self._theme.px(EDGE_PX), 0)
        area.setLeft(area.right() + 1 - hint_width(self._theme, self._type_text))
        return area

    def text_rect(self) -> QRect:
        """Where the value is displayed."""
        inside = self._inside().adjusted(self._MARGIN_PX, 0, -self._MARGIN_PX, 0)
        return inside.marginsRemoved(self.textMargins())

    def setPlaceholderText(self, text: str) -> None:
        """Show `text` while the line is empty; a long one takes the room of the type."""
        super().setPlaceholderText(text)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the typed text off the type."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Measure again in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line, then the type on it."""
        super().paintEvent(event)
        if self._has_hint:
            draw_hint(self, self._theme, self._type_text, self.hint_rect())

    def _inside(self) -> QRect:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        return self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)

    def _fit(self) -> None:
        """Show the type beside a value that leaves room for it."""
        taken = hint_width(self._theme, self._type_text)
        if taken:
            taken += self._theme.px(APART_PX)
        advance = self.fontMetrics().horizontalAdvance
        displayed = advance(self.text() or self.placeholderText())
        needed = max(displayed, advance("0") * self._MIN_CHARACTERS)
        available = self._inside().width() - 2 * self._MARGIN_PX
        self._has_hint = bool(taken) and needed <= available - taken
        self.setTextMargins(0, 0, taken if self._has_hint else 0, 0)
        self.update()


class GrowingText(QPlainTextEdit):
    """A plain text as high as its lines, up to a limit; Tab leaves it.

    Signals:
        edited(str): the user typed; not emitted by `show_text`.
    """

    edited = Signal(str)

    _MAX_LINES = 10
    _AROUND_PX = 11
    """Above and below the lines; the last one because lines that fill the field to its last pixel can be scrolled."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._silent = False
        self.setProperty("field", True)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(3)
        self.textChanged.connect(self._on_text_changed)
        self._fit()

    def text(self) -> str:
        """The text; unlike `toPlainText` with its no-break spaces."""
        return self.document().toRawText().replace("\u2029", "\n")

    def show_text(self, text: str) -> None:
        """Show `text`; `edited` stays silent."""
        if text == self.text():
            return
        self._silent = True
        self.setPlainText(text)
        self._silent = False

    def sizeHint(self) -> QSize:
        """As wide as there is room, as high as the lines."""
        return QSize(super().sizeHint().width(), self._height())

    def minimumSizeHint(self) -> QSize:
        """As high as the lines."""
        return QSize(40, self._height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the height: lines wrap elsewhere in another width."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Fit the height to another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _height(self) -> int:
        lines = min(max(round(self.document().size().height()), 1), self._MAX_LINES)
        return math.ceil(lines * QFontMetricsF(self.font()).lineSpacing()) + self._AROUND_PX

    def _fit(self) -> None:
        height = self._height()
        if height != self.minimumHeight():
            self.setFixedHeight(height)

    def _on_text_changed(self) -> None:
        self._fit()
        if not self._silent:
            self.edited.emit(self.text())
