"""Log messages as text: one row with its colors, made on demand, and exact copies for the clipboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import StorageError
from inspector.features.logs import UNKNOWN, cause_words
from inspector.visible_text import isolated, one_line
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError
from ui.widgets.units import clock_exact, clock_time

if TYPE_CHECKING:
    from collections.abc import Sequence

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


MAX_COPIED = 10_000
"""Messages at once."""


def as_lines(lines: RunLogs, positions: Sequence[int]) -> str:
    """One line each: time, level, logger and data, with tabs between."""
    return "\n".join(_line(lines, at) for at in positions)


def as_messages(lines: RunLogs, positions: Sequence[int]) -> str:
    """The messages as they came, one below the other."""
    return "\n".join(_raw(lines, at) for at in positions)


def _line(lines: RunLogs, at: int) -> str:
    try:
        line = lines.line(at)
    except StorageError as error:
        return f"(cannot be read: {error.reason})"
    return "\t".join((clock_exact(lines.wall(at)), line.level, line.logger, _data(line.data)))


def _data(data: bytes) -> str:
    if data.startswith(b'"'):
        try:
            value = json_codec.read(data).value
        except JsonSyntaxError:
            value = None
        if isinstance(value, str):
            return value
    return data.decode("utf-8", "replace")


def _raw(lines: RunLogs, at: int) -> str:
    try:
        return lines.raw(at).decode("utf-8", "replace")
    except StorageError as error:
        return f"(cannot be read: {error.reason})"
