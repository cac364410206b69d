"""The editor of a message: what it shows is what is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QFont, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from ui.theme import tokens
from ui.widgets.json_colors import JsonColors

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme

_LINE_END = "\u2029"
"""What Qt keeps for the end of a line."""

LONG_LINE = 20_000
"""Characters of a line from which on it is laid out without ligatures and kerning: Qt lays out a line as a whole at each key, and this
takes a quarter less time. Text that needs shaping is shaped nevertheless."""


class MessageEdit(QPlainTextEdit):
    """A text in the font of wire data."""

    def __init__(
        self, text: str = "", *, theme: Theme, name: str, parent: QWidget | None = None
    ) -> None:
        """Start with `text`."""
        super().__init__(text, parent)
        self._theme = theme
        self.setObjectName(name)
        self.setAccessibleName("Message text")
        self.setProperty("field", "true")
        self.setTabChangesFocus(True)
        self._colors = JsonColors(self, theme=theme)
        self._has_long_line = self._may_have_long_line = False
        theme.changed.connect(self._refresh)
        self.document().contentsChange.connect(self._on_contents_change)
        self.textChanged.connect(self._on_text_changed)
        self._refresh()

    def message(self) -> str:
        """Return the text as it is: `toPlainText` would turn no-break spaces into spaces."""
        return self.document().toRawText().replace(_LINE_END, "\n")

    def replace(self, start: int, end: int, text: str) -> None:
        """Replace the characters from `start` to before `end`, which the user can undo."""
        before = self.message()
        cursor = QTextCursor(self.document())
        cursor.setPosition(_position(before, start))
        cursor.setPosition(_position(before, end), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text)

    def _on_contents_change(self, _position: int, removed: int, added: int) -> None:
        self._may_have_long_line |= max(removed, added) > LONG_LINE

    def _on_text_changed(self) -> None:
        """Look for long lines where much was replaced: another font lays out everything again."""
        if not self._may_have_long_line:
            return
        self._may_have_long_line = False
        block, has_long_line = self.document().begin(), False
        while block.isValid() and not has_long_line:
            has_long_line = block.length() > LONG_LINE
            block = block.next()
        if has_long_line != self._has_long_line:
            self._has_long_line = has_long_line
            self._refresh()

    def _refresh(self) -> None:
        font = self._theme.mono()
        if self._has_long_line:
            font.setStyleStrategy(QFont.StyleStrategy.PreferNoShaping)
        self.setFont(font)
        self.document().setDocumentMargin(self._theme.px(tokens.DENSE_PADDING_PX))


def _position(text: str, at: int) -> int:
    """Return where Qt counts a character, in units of UTF-16."""
    return len(text[:at].encode("utf-16-le", "surrogatepass")) // 2
