"""Words that quote names in backticks: on screen the name is in the monospace font, and the backticks are gone.

The only rich text that is made of them: everything in it is escaped, so markup of a server stays what it looks like.
"""

from __future__ import annotations

import re
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QLabel, QWidget

_QUOTED = re.compile(r"`([^`\n]{1,300})`")


def unquoted(words: str) -> str:
    """`words` for a place that has one font only: “name” instead of backticks."""
    return _QUOTED.sub(r"“\1”", words)


class QuotingLabel(QLabel):
    """Words that wrap and can be selected, their quoted parts in monospace."""

    def __init__(
        self, words: str = "", *, name: str = "", look: str = "", parent: QWidget | None = None
    ) -> None:
        """Show `words`, in which nothing but backticks has a meaning."""
        super().__init__(parent)
        self._words = ""
        self.setObjectName(name)
        self.setProperty("look", look)
        self.setWordWrap(True)
        self.setMinimumWidth(1)  # a long word is clipped, or it would take the wrapping from others
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setText(words)

    def text(self) -> str:
        """The words as they were given."""
        return self._words

    def setText(self, words: str) -> None:
        """Show these from now on."""
        self._words = words
        is_quoting = _QUOTED.search(words) is not None
        formats = Qt.TextFormat
        self.setTextFormat(formats.RichText if is_quoting else formats.PlainText)
        super().setText(_marked_up(words) if is_quoting else words)
        self.setAccessibleName(_QUOTED.sub(r"\1", words))

    def set_plain(self, words: str) -> None:
        """Show words of a server, backticks and all."""
        self._words = words
        self.setTextFormat(Qt.TextFormat.PlainText)
        super().setText(words)
        self.setAccessibleName(words)


def _marked_up(words: str) -> str:
    family = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
    mono = f"<span style=\"font-family:'{escape(family)}'\">\\1</span>"
    return f'<div style="white-space:pre-wrap">{_QUOTED.sub(mono, escape(words))}</div>'
