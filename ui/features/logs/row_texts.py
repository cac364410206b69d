"""The texts of one row of the log, made on demand, and their colours; a level is a word before it is a colour."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import StorageError
from inspector.features.logs import UNKNOWN, cause_words
from inspector.visible_text import isolated, one_line
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError
from ui.widgets.units import clock_time

if TYPE_CHECKING:
    from inspector.features.logs import LogLine
    from ui.features.logs.run_logs import RunLogs

LONGEST = 400
"""Characters of the data in its row."""
NAME_LIMIT = 120
"""Characters of a level or logger."""
READ_LIMIT = 16 << 10
"""Bytes of data up to which it is read for its row; more is quoted from its beginning."""

TONES = ("muted", "text", "pending", "warning", "error", "error", "error", "error")
"""Colour by rank."""
BOLD_FROM = 5
"""Rank from which on the word stands out."""
ODD = "⚠ "
"""Before a level nobody knows."""


class RowTexts(NamedTuple):
    """One row, as shown."""

    texts: tuple[str, ...]
    """By column."""
    tone: str
    """Name of the colour of the level."""
    is_bold: bool
    """Whether the level stands out."""
    is_divider: bool = False
    """Whether another run begins here; the data says which."""


def row_texts(lines: RunLogs, at: int) -> RowTexts:
    """The row of the message at a position."""
    time = clock_time(lines.wall(at))
    if text := lines.divider(at):
        return RowTexts((time, "", "", text, ""), "text", False, is_divider=True)
    try:
        line = lines.line(at)
    except StorageError as error:
        return RowTexts((time, "", "", f"(cannot be read: {error.reason})", ""), "error", False)
    cause = lines.cause(at)
    texts = (
        time,
        level_words(line),
        isolated(one_line(line.logger, NAME_LIMIT)),
        isolated(one_line(data_words(line.data), LONGEST)),
        isolated(one_line(cause_words(lines.transcript(at), cause), NAME_LIMIT)) if cause else "",
    )
    return RowTexts(texts, level_tone(line.rank), BOLD_FROM <= line.rank < UNKNOWN)


def level_words(line: LogLine) -> str:
    """The level as the server spelled it; marked when nobody knows it."""
    if line.rank != UNKNOWN:
        return line.level
    return ODD + (isolated(one_line(line.level, NAME_LIMIT)) or "no level")


def level_tone(rank: int) -> str:
    """The colour's name."""
    return TONES[rank] if rank < len(TONES) else "warning"


def data_words(data: bytes) -> str:
    """Data in short: text as it is, anything else as JSON."""
    if len(data) > READ_LIMIT or not data.startswith(b'"'):
        return data[: 4 * LONGEST].decode("utf-8", "replace")
    try:
        value = json_codec.read(data).value
    except JsonSyntaxError:
        value = None
    return value if isinstance(value, str) else data.decode("utf-8", "replace")
