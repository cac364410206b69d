"""Log messages as text for the clipboard: exactly what came, nothing made visible or cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError
from ui.widgets.units import clock_exact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.features.logs.run_logs import RunLogs


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
