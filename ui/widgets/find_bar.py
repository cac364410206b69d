"""The bar that opens with Ctrl+F: what to look for, next, previous, and what was found.

Its parts are made when it is first wanted: every text has such a bar, and hardly any is searched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from ui.widgets.buttons import tool_button
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from ui.theme import Theme


class FindBar(QWidget):
    """Hidden until `open`; Esc closes it.

    Signals:
        wanted: look for these words from here on (True) or back (False).
        changed: other words than before are typed; what was told of the others is gone.
        closed: the bar went away; the view should take the focus.
    """

    wanted = Signal(str, bool)
    changed = Signal()
    closed = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start hidden."""
        super().__init__(parent)
        self.setObjectName("find_bar")
        self._theme = theme
        self._is_made = False
        self.hide()

    def _make(self) -> None:
        if not self._is_made:
            self._is_made = True
            self._build()
            self._wire()

    def _build(self) -> None:
        self.line = QLineEdit(self)
        self.line.setObjectName("find_line")
        self.line.setPlaceholderText("Find")
        self.line.setAccessibleName("Find")
        self.line.setMaximumWidth(self._theme.px(280))
        make = self._theme
        self._back = tool_button(make, "mdi6.chevron-up", "Previous", name="find_back", parent=self)
        self._on = tool_button(make, "mdi6.chevron-down", "Next", name="find_next", parent=self)
        self._close = tool_button(make, "mdi6.close", "Close", name="find_close", parent=self)
        self._words = plain_label(tone="muted", name="find_words", parent=self)
        row = QHBoxLayout(self)
        row.setContentsMargins(
            self._theme.PADDING_PX, self._theme.px(2), self._theme.PADDING_PX, self._theme.px(2)
        )
        row.setSpacing(self._theme.SPACING_PX)
        row.addWidget(self.line, 1)
        for widget in (self._back, self._on, self._words):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self._close)

    def _wire(self) -> None:
        self.line.textChanged.connect(self._on_line_text_changed)
        self._on.clicked.connect(lambda: self.ask(onwards=True))
        self._back.clicked.connect(lambda: self.ask(onwards=False))
        self._close.clicked.connect(self.close_bar)

    def open_bar(self, text: str = "") -> None:
        """Show, and take the focus; `words` are put in."""
        self._make()
        if text:
            self.line.setText(text)
        self.show()
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()

    def close_bar(self) -> None:
        """Go away."""
        self.hide()
        self.closed.emit()

    def ask(self, *, onwards: bool) -> None:
        """Look for what is typed."""
        if self._is_made and self.line.text():
            self.wanted.emit(self.line.text(), onwards)

    def terms(self) -> str:
        """What was told last."""
        return self._words.text() if self._is_made else ""

    def say(self, text: str) -> None:
        """Tell what was found."""
        if text or self._is_made:
            self._make()
            self._words.setText(text)

    def _on_line_text_changed(self) -> None:
        self._words.clear()
        self.changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes, Enter looks on, Shift+Enter back: the line passes these keys on."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.ask(onwards=not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        else:
            super().keyPressEvent(event)
