"""Boxes to type into: a line that names its type, and a text that grows with what it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QTextOption
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QSizePolicy

from ui.widgets.labels import set_style_property

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QResizeEvent
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme


class TypedLineEdit(QLineEdit):
    """A line edit with the name of its type, pale, at its right end."""

    _EDGE = 8
    """Pixels between the name and the end of the line."""
    _MIN_SHARE = 3
    """The name is shown in lines at least this many times as wide."""

    def __init__(self, type_words: str, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = type_words
        self._theme = theme

    def set_type_words(self, text: str) -> None:
        """Name another type."""
        if text != self._text:
            self._text = text
            self._leave_room()
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep what is typed off the name."""
        super().resizeEvent(event)
        self._leave_room()

    def changeEvent(self, event: QEvent) -> None:
        """Measure again in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._leave_room()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line, then the name on it."""
        super().paintEvent(event)
        if not self._room():
            return
        painter = QPainter(self)
        painter.setPen(self._theme.colour("muted"))
        area = self.rect().adjusted(0, 0, -self._EDGE, 0)
        aligned = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, int(aligned), self._text)
        painter.end()

    def _room(self) -> int:
        wanted = self.fontMetrics().horizontalAdvance(self._text) if self._text else 0
        return wanted if self.width() > self._MIN_SHARE * wanted else 0

    def _leave_room(self) -> None:
        room = self._room()
        self.setTextMargins(0, 0, room + self._EDGE // 2 if room else 0, 0)


class GrowingText(QPlainTextEdit):
    """A plain text of as many lines as it holds, up to a limit; Tab leaves it.

    Signals:
        edited(str): someone typed; not fired by `show_text`.
    """

    edited = Signal(str)

    _MAX_LINES = 10
    _AROUND = 10
    """Pixels above and below the lines."""

    def __init__(self, *, least_lines: int = 1, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._least = least_lines
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
        """What it holds; unlike `toPlainText` it keeps no-break spaces."""
        return self.document().toRawText().replace("\u2029", "\n")

    def show_text(self, text: str) -> None:
        """Hold `text`."""
        if text == self.text():
            return
        self._silent = True
        self.setPlainText(text)
        self._silent = False

    def set_problem(self, *, wrong: bool) -> None:
        """Draw the frame in the colour of errors."""
        set_style_property(self, "problem", wrong)

    def sizeHint(self) -> QSize:
        """As wide as there is room, as high as its lines."""
        return QSize(super().sizeHint().width(), self._height())

    def minimumSizeHint(self) -> QSize:
        """As high as its lines."""
        return QSize(40, self._height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lines wrap anew in another width."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Lines are higher in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _height(self) -> int:
        shown = min(max(round(self.document().size().height()), self._least), self._MAX_LINES)
        return round(shown * QFontMetricsF(self.font()).lineSpacing()) + self._AROUND

    def _fit(self) -> None:
        wanted = self._height()
        if wanted != self.minimumHeight():
            self.setFixedHeight(wanted)

    def _on_text_changed(self) -> None:
        self._fit()
        if not self._silent:
            self.edited.emit(self.text())
