"""Text of a server, made harmless for a terminal: nothing in it moves the cursor, colours, titles, hides or reorders.

Pure functions; what `--json` prints is not touched by them (JSON escapes what a terminal would act upon, see `console.py`).

Source: Unicode UAX #9; ECMA-48, sections 5.2 to 5.4 (C0, C1 and escape sequences).
"""

from __future__ import annotations

import re
import unicodedata

_HIDDEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, but for tab and newline
    "\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff"  # half surrogates, which no terminal can be sent
    "\U000e0000-\U000e007f"  # tags
    "]"
)
_WIDE = {"W", "F"}


def visible(text: str) -> str:
    """`text` with `␛` and `⟨U+202E⟩` for what would act or hide; tabs and newlines stay."""
    return _HIDDEN.sub(lambda found: _mark(found[0]), text)


def one_line(text: str) -> str:
    """`text` for one row: newlines and tabs as signs too."""
    return visible(text.replace("\r\n", "\n")).replace("\n", "↵").replace("\t", "⇥")


def width(text: str) -> int:
    """Columns that `text` takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def cut(text: str, columns: int) -> str:
    """`text`, shortened so that it takes at most `columns`."""
    if width(text) <= columns:
        return text
    taken = 0
    for position, character in enumerate(text):
        taken += _columns(character)
        if taken > columns - 1:
            return text[:position] + "…"
    return text


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in _WIDE else 1


def _mark(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"
