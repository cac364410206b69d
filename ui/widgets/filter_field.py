"""The field above a list or table: what is typed narrows it; wrong syntax is explained under it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from inspector.visible_text import visible
from ui.theme import tokens
from ui.theme.signs import Sign
from ui.widgets.buttons import tool_button
from ui.widgets.labels import set_background, set_icon, set_style_property, set_tone, tool_tip
from ui.widgets.layout_parts import column_layout, row_layout

if TYPE_CHECKING:
    from ui.theme import Theme


MAX_LINES = 2
"""Lines of an explanation; in a narrow field with large text more would leave no space for the rows."""


class FilterField(QWidget):
    """A line to type into, with a way to clear it and a line for problems.

    Signals:
        edited: the text changed by this key stroke.
        settled: typing paused, or Enter was pressed; this is the text.
        left_down: the user pressed Down, to continue in the list.
    """

    edited = Signal(str)
    settled = Signal(str)
    left_down = Signal()

    def __init__(
        self,
        *,
        theme: Theme,
        placeholder: str = "Filter",
        label: str = "",
        name: str = "filter",
        overlay: QWidget | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """Start empty; `placeholder` says what can be typed, `label` is the accessible name if that is too long for one.

        Problems cover what is below the field in `overlay`; without one they move it.
        """
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._settled_text = ""
        self._span = (0, 0)
        """The characters that are underlined: from the first to before the last."""
        self._overlay = overlay
        self._placeholder = placeholder
        self._build(placeholder, label or placeholder)
        self._wire()

    def _build(self, placeholder: str, label: str) -> None:
        self.line = QLineEdit(self)
        self.line.setObjectName(f"{self.objectName()}_line")
        self.line.setAccessibleName(label)
        self.line.setPlaceholderText(placeholder)
        # No actions: Qt draws their icons in a field, and its own button that clears it, with 16 pixels at any text size.
        self._search = QLabel(self.line)
        self._clear = tool_button(
            self._theme, Sign.CLOSE, "Clear", name=f"{self.objectName()}_clear", parent=self.line
        )
        self._clear.setProperty("compact", True)
        self._clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._clear.setCursor(Qt.CursorShape.ArrowCursor)
        self._clear.hide()
        self._line_row = row_layout(self.line, self._search, space=0)
        self._line_row.addStretch(1)
        self._line_row.addWidget(self._clear)
        self._problem = _Problem(self, overlay=self._overlay)
        self._problem.setObjectName(f"{self.objectName()}_problem")
        self._problem.setTextFormat(Qt.TextFormat.PlainText)
        set_tone(self._problem, "error")
        self._problem.hide()
        self._timer = QTimer(self, singleShot=True, interval=tokens.DEBOUNCE_MS)
        column = column_layout(self, self.line, space=self._theme.px(2))
        if self._overlay is None:
            column.addWidget(self._problem)
        self.setFocusProxy(self.line)
        self._dress()

    def _dress(self) -> None:
        theme = self._theme
        set_icon(self._search, theme, Sign.SEARCH, "muted", theme.px(tokens.ICON))
        space = theme.px(tokens.SPACING_PX)
        self._line_row.setContentsMargins(space, 0, space, 0)
        beside = space + theme.px(tokens.ICON)
        self.line.setTextMargins(beside, 0, beside, 0)
        self._fit_placeholder()

    def _fit_placeholder(self) -> None:
        """Display what can be typed, in a narrow field the beginning up to the first space."""
        whole, margins = self._placeholder, self.line.textMargins()
        edges = margins.left() + margins.right() + 2 * self._theme.PADDING_PX
        fits = self.line.fontMetrics().horizontalAdvance(whole) + edges <= self.line.width()
        self.line.setPlaceholderText(whole if fits else whole.split(maxsplit=1)[0].rstrip(",:"))

    def _wire(self) -> None:
        self._theme.changed.connect(self._dress)
        self.line.textChanged.connect(self._on_line_text_changed)
        self.line.returnPressed.connect(self._settle)
        self._clear.clicked.connect(self.line.clear)
        self._timer.timeout.connect(self._settle)

    def text(self) -> str:
        """What is typed."""
        return self.line.text()

    def set_text(self, text: str) -> None:
        """Type `text`; it settles at once."""
        self.line.setText(text)
        self._settle()

    def problem(self) -> str:
        """What is shown under the field."""
        return self._problem.whole

    def set_problem(self, text: str, span: tuple[int, int] = (0, 0)) -> None:
        """Explain what cannot be understood, and underline the characters of `span`; empty when all is well."""
        self._span = span if text else (0, 0)
        self._underline()
        self._problem.set_whole(visible(text))
        self._problem.setVisible(bool(text))
        self._cover()
        set_style_property(self.line, "problem", bool(text))
        self.line.setAccessibleDescription(text)

    def focus(self) -> None:
        """Put the cursor here, with all of the text selected."""
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()

    def _settle(self) -> None:
        self._timer.stop()
        if self.text() != self._settled_text:
            self._settled_text = self.text()
            self.settled.emit(self._settled_text)

    def _underline(self) -> None:
        """Underline what the problem is about; a line edit takes formats of its characters from an input method only."""
        start, stop = self._span
        stop = min(stop, len(self.text()))
        attributes: list[QInputMethodEvent.Attribute] = []
        if start < stop:
            from PySide6.QtGui import QTextCharFormat  # with the first mistake

            style = QTextCharFormat()
            style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            style.setUnderlineColor(self._theme.color("error"))
            kind = QInputMethodEvent.AttributeType.TextFormat
            # Counted from the cursor.
            begin = start - self.line.cursorPosition()
            attributes.append(QInputMethodEvent.Attribute(kind, begin, stop - start, style))
        QCoreApplication.sendEvent(self.line, QInputMethodEvent("", attributes))

    def _on_line_text_changed(self, text: str) -> None:
        self._clear.setVisible(bool(text))
        if self._span != (0, 0):  # the characters are others now
            self._span = (0, 0)
            self._underline()
        self._timer.start()
        self.edited.emit(text)

    def _cover(self) -> None:
        """Put the explanation below the line, over what is there."""
        if self._overlay is None or self._problem.isHidden():
            return
        space = self._theme.px(tokens.SPACING_PX)
        below = self.line.mapTo(self._overlay, self.line.rect().bottomLeft())
        self._problem.setMargin(space)
        available = self._overlay.width() - below.x() - space
        width = max(self.line.width(), min(self._problem.whole_width(), available))
        self._problem.fit(width)
        height = self._problem.heightForWidth(width)
        self._problem.setGeometry(below.x(), below.y() + self._theme.px(2), width, height)
        self._problem.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps elsewhere."""
        super().resizeEvent(event)
        self._fit_placeholder()
        self._cover()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Down leaves for the list."""
        if event.key() == Qt.Key.Key_Down:
            self.left_down.emit()
            return
        super().keyPressEvent(event)


class _Problem(QLabel):
    """A text that wraps, no higher than it is in its width.

    Qt takes the height they would have in the narrowest width for the least; around a dock, it enlarges the dock by that for good.
    """

    def __init__(self, field: QWidget, *, overlay: QWidget | None) -> None:
        super().__init__(overlay or field)
        self._field = field
        if overlay is not None:
            set_background(self, "error")
        self.whole = ""
        """The whole text, of which a narrow field shows the first lines."""
        self.setWordWrap(True)

    def set_whole(self, text: str) -> None:
        """Show as much of `text` as fits; the tooltip has the whole text."""
        self.whole = text
        self.fit(self._field.contentsRect().width())

    def whole_width(self) -> int:
        """The width in which the whole text is one line."""
        edges = self.width() - self.contentsRect().width()
        return self.fontMetrics().horizontalAdvance(self.whole) + edges + 2 * self.margin() + 1

    def fit(self, width: int) -> None:
        """Shorten the text at its end until it fits into a few lines of `width`."""
        self.setText(self.whole)
        edges = 2 * self.frameWidth() + 2 * self.margin()
        max_height = MAX_LINES * self.fontMetrics().lineSpacing() + edges
        text = self.whole.split(" ")
        while len(text) > 1 and self.heightForWidth(width) > max_height:
            text.pop()
            self.setText(f"{' '.join(text)} …")
        self.setToolTip(tool_tip(self.whole) if self.text() != self.whole else "")

    def minimumSizeHint(self) -> QSize:
        """The width of the longest word, the height in the width of the field."""
        minimum = super().minimumSizeHint()
        width = max(self._field.contentsRect().width(), minimum.width())
        return QSize(minimum.width(), self.heightForWidth(width))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps elsewhere."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit(event.size().width())
            self.updateGeometry()
