"""Boxes to type into: a line that displays its type, and a text that grows with its lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QTextOption
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QSizePolicy

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QResizeEvent
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme


class TypedLineEdit(QLineEdit):
    """A line edit with the name of its type in a muted color at its right end."""

    _EDGE_PX = 8
    """Between the name and the end of the line."""
    _MIN_SHARE = 3
    """The name is displayed in lines at least this many times as wide."""

    def __init__(self, type_text: str, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._type_text = type_text
        self._theme = theme

    def set_type_text(self, text: str) -> None:
        """Display another type."""
        if text != self._type_text:
            self._type_text = text
            self._fit()
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the typed text off the name."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Measure again in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line, then the name on it."""
        super().paintEvent(event)
        if not self._name_width():
            return
        painter = QPainter(self)
        painter.setPen(self._theme.color("muted"))
        area = self.rect().adjusted(0, 0, -self._EDGE_PX, 0)
        aligned = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, int(aligned), self._type_text)
        painter.end()

    def _name_width(self) -> int:
        """Pixels of the name; 0 where the line is too short for it."""
        width = self.fontMetrics().horizontalAdvance(self._type_text) if self._type_text else 0
        return width if self.width() > self._MIN_SHARE * width else 0

    def _fit(self) -> None:
        width = self._name_width()
        self.setTextMargins(0, 0, width + self._EDGE_PX // 2 if width else 0, 0)


class GrowingText(QPlainTextEdit):
    """A plain text as high as its lines, up to a limit; Tab leaves it.

    Signals:
        edited(str): the user typed; not emitted by `show_text`.
    """

    edited = Signal(str)

    _MAX_LINES = 10
    _AROUND_PX = 10
    """Above and below the lines."""

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
        return round(lines * QFontMetricsF(self.font()).lineSpacing()) + self._AROUND_PX

    def _fit(self) -> None:
        height = self._height()
        if height != self.minimumHeight():
            self.setFixedHeight(height)

    def _on_text_changed(self) -> None:
        self._fit()
        if not self._silent:
            self.edited.emit(self.text())
