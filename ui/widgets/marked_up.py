"""Labels that mark up what they say: quoted names in monospace, Markdown in descriptions.

The only rich text that labels have. It is made here and in `markdown_html` of words in which everything is escaped, so markup of a server
stays what it looks like; nothing in it can be clicked or fetched.
"""

from __future__ import annotations

import re
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QLabel, QWidget

from ui.widgets.labels import set_tone
from ui.widgets.markdown_html import description_html

_QUOTED = re.compile(r"`([^`\n]{1,300})`")


def unquoted(text: str) -> str:
    """`words` for a place that has one font only: “name” instead of backticks."""
    return _QUOTED.sub(r"“\1”", text)


class MarkedUpLabel(QLabel):
    """Words that wrap and can be selected; what is drawn may be marked up, and `text` gives the words themselves."""

    def __init__(
        self, text: str = "", *, name: str = "", tone: str = "", parent: QWidget | None = None
    ) -> None:
        """Show `words`."""
        super().__init__(parent)
        self._text = ""
        self.setObjectName(name)
        set_tone(self, tone)
        self.setWordWrap(True)
        self.setMinimumWidth(1)  # a long word is clipped, or it would take the wrapping from others
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setText(text)

    def text(self) -> str:
        """The words as they were given."""
        return self._text

    def set_plain(self, text: str) -> None:
        """Show words as they are."""
        self._draw(text, text, "")

    def _draw(self, text: str, spoken: str, html: str) -> None:
        """Show `words` as `html` where that is not empty; assistive technology is told `spoken`."""
        self._text = text
        formats = Qt.TextFormat
        self.setTextFormat(formats.RichText if html else formats.PlainText)
        super().setText(html or text)
        self.setAccessibleName(spoken)


class QuotingLabel(MarkedUpLabel):
    """Words of ours, in which backticks set names off."""

    def setText(self, text: str) -> None:
        """Show these from now on, the quoted parts in monospace."""
        html = _marked_up(text) if _QUOTED.search(text) else ""
        self._draw(text, _QUOTED.sub(r"\1", text), html)


class DescriptionLabel(MarkedUpLabel):
    """What a server says of a thing: Markdown where it is written so."""

    def setText(self, text: str) -> None:
        """Show these from now on; `words` are visible already."""
        self._draw(text, text, description_html(text, _mono()))


def _mono() -> str:
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()


def _marked_up(text: str) -> str:
    mono = f"<span style=\"font-family:'{escape(_mono())}'\">\\1</span>"
    return f'<div style="white-space:pre-wrap">{_QUOTED.sub(mono, escape(text))}</div>'
