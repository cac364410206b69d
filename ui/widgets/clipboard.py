"""The only place that writes to the clipboard."""

from __future__ import annotations

import re

from PySide6.QtGui import QGuiApplication

_HALF = re.compile("[\ud800-\udfff]")
REPLACEMENT = "\ufffd"


def copy_text(text: str) -> None:
    """Put `text` on the clipboard. Half surrogates, which no clipboard can hold, become U+FFFD instead of vanishing."""
    QGuiApplication.clipboard().setText(_HALF.sub(REPLACEMENT, text))
