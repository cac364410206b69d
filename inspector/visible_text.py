"""Text from a server, made safe to show. Pure functions; what is copied, saved or sent is never changed by them.

Nothing that reorders, hides or erases its neighbours reaches the screen unseen: control, invisible and
bidirectional characters become marks. What writing needs stays: joiners inside emoji and scripts that use them, and
the tags of flags. Escape sequences of terminals are removed, never acted upon.

Source: Unicode UTS #55 "Source Code Handling", section 3; UAX #9 "Unicode Bidirectional Algorithm".
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MARK = "⌧"
"""Stands for an invisible character where one character must stay one character."""
RETURN = "⏎"
"""Stands for a carriage return there."""

# fmt: off
CONTROLS = (
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF", "CR", "SO", "SI",
    "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
)
# fmt: on
"""Names of the control characters. Their pictures (U+2400 on) are missing from too many fonts."""

ISOLATE, END_ISOLATE = "\u2068", "\u2069"

_JOINERS = "\u200c\u200d"
_FLAG = "\U0001f3f4"
_LAST_TAG = "\U000e007f"
_SUSPECTS = (  # what is invisible, reorders, or is no character at all
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, but for tab and newline
    "\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e"  # soft hyphen, Arabic mark, fillers
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero width, separators, bidirectional
    "\u3164\ufeff\uffa0\ufff9-\ufffb"  # fillers, byte order mark, interlinear notes
    "\ud800-\udfff"  # half surrogates
    "\ufdd0-\ufdef\ufffe\uffff"  # noncharacters
)
_SUSPECTS_BEYOND = "\U000e0000-\U000e007f" + "".join(  # tags and noncharacters above U+FFFF
    f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0x110000, 0x10000)
)
# `re` compares each range above U+FFFF with every character: one that holds them all finds candidates, in 1.5 instead of 25 µs a line.
_SUSPECT = re.compile(f"[{_SUSPECTS}\U0001fffe-\U0010ffff](?<=[{_SUSPECTS}{_SUSPECTS_BEYOND}])")
_FLAG_TAGS = re.compile(f"{_FLAG}[\U000e0020-\U000e007e]+{_LAST_TAG}")
_INDENTED = re.compile("\n {2,}")
_ANSI = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colors, cursor, erasing
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|\x9c|$)"  # OSC (titles, links), DCS, SOS, PM, APC
    r"|\x1b[ -/]*[0-~]"  # two-character escapes
    r"|\x9b[0-?]*[ -/]*[@-~]",  # CSI in one character
    re.DOTALL,
)
_CUT_BEFORE = re.compile("[\u200d\ufe0e\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")


def visible(text: str) -> str:
    """`text` with marks such as `⟨U+202E⟩` and `⟨ESC⟩` for what could not be seen; tabs and newlines stay."""
    return _replace(text, _named_mark)


def visible_same_length(text: str) -> str:
    """Like `visible`, but one character stays one character, so that positions still fit."""
    return _replace(text, _short_mark)


def visible_json(text: str) -> str:
    """JSON `text` with JSON escapes for what could not be seen: the same value."""
    return _replace(text, _json_escape)


def one_line(text: str, limit: int = 500) -> str:
    """`text` for one row: newlines and tabs as signs, an indentation as one space, cut at about `limit` characters."""
    start = cut(text, limit)
    line = visible(start).replace("\t", "⇥")
    if "\n" in line:
        line = _INDENTED.sub("↵ ", line).replace("\n", "↵")
    return f"{line}…" if len(start) < len(text) else line


def isolated(text: str) -> str:
    """`text` so that its direction of writing cannot move its neighbours on the same line."""
    return f"{ISOLATE}{text}{END_ISOLATE}" if not text.isascii() else text


def hidden_characters(text: str) -> dict[str, int]:
    """Which characters `visible` marks, as `U+202E`, and how often each occurs."""
    counts: dict[str, int] = {}
    for at in _suspects(text):
        name = f"U+{ord(text[at]):04X}"
        counts[name] = counts.get(name, 0) + 1
    return counts


def without_ansi(text: str) -> str:
    """`text` without the escape sequences of terminals."""
    return _ANSI.sub("", text) if "\x1b" in text or "\x9b" in text else text


def cut(text: str, limit: int) -> str:
    """The first characters of `text`, about `limit` of them: an emoji or a letter with its marks is not cut in two."""
    return text[: _end(text, limit)]


def _replace(text: str, mark: Callable[[str], str]) -> str:
    if not _SUSPECT.search(text):
        return text
    parts: list[str] = []
    done = 0
    for at in _suspects(text):
        parts += (text[done:at], mark(text[at]))
        done = at + 1
    parts.append(text[done:])
    return "".join(parts)


def _suspects(text: str) -> list[int]:
    flags = [found.span() for found in _FLAG_TAGS.finditer(text)] if _FLAG in text else []
    return [
        at for found in _SUSPECT.finditer(text) if not _is_needed(text, at := found.start(), flags)
    ]


def _is_needed(text: str, at: int, flags: list[tuple[int, int]]) -> bool:
    if text[at] in _JOINERS:
        return _joins(text[at - 1 : at]) and _joins(text[at + 1 : at + 2])
    return any(start < at < end for start, end in flags)


def _joins(neighbour: str) -> bool:
    """Whether joiners beside this character are a matter of writing: emoji, and scripts with joined letters."""
    if not neighbour:
        return False
    if neighbour == "\ufe0f":
        return True
    kind = unicodedata.category(neighbour)
    return kind in {"So", "Sk", "Sm"} or (kind[0] in "LM" and ord(neighbour) >= 0x0590)


def _named_mark(character: str) -> str:
    code = ord(character)
    if code < len(CONTROLS):
        return f"⟨{CONTROLS[code]}⟩"
    return "⟨DEL⟩" if code == 0x7F else f"⟨U+{code:04X}⟩"


def _json_escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else json.dumps(character)[1:-1]  # two escapes above


def _short_mark(character: str) -> str:
    if 0xDC80 <= ord(character) <= 0xDCFF:
        return "\ufffd"  # a byte that is not UTF-8, carried by `surrogateescape`
    return RETURN if character == "\r" else MARK


def _end(text: str, limit: int) -> int:
    """A place near `limit` to cut at, not inside an emoji or between a letter and its marks."""
    if len(text) <= limit:
        return len(text)
    end = limit
    while end > max(limit - 40, 1) and _is_inside(text, end):
        end -= 1
    return end


def _is_inside(text: str, at: int) -> bool:
    after = text[at]
    return bool(
        _CUT_BEFORE.match(after) or text[at - 1] == "\u200d" or unicodedata.combining(after)
    )


def without_nuls(raw: bytes) -> bytes:
    """Return the beginning of a text for an excerpt: of UTF-16, every second byte of which is NUL, only the others."""
    return raw.replace(b"\0", b"").lstrip(b"\xff\xfe") if raw.count(0) > len(raw) // 4 else raw
