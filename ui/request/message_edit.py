"""The editor of a message: what it shows is what is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from ui.theme import tokens

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme

_LINE_END = "\u2029"
"""What Qt keeps for the end of a line."""


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
        theme.changed.connect(self._refresh)
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

    def _refresh(self) -> None:
        self.setFont(self._theme.mono())
        self.document().setDocumentMargin(self._theme.px(tokens.DENSE_PADDING_PX))


def _position(text: str, at: int) -> int:
    """Return where Qt counts a character, in units of UTF-16."""
    return len(text[:at].encode("utf-16-le", "surrogatepass")) // 2
