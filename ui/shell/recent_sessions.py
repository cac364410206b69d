"""What the list of earlier sessions says of each recording, without reading its frames."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.transcript.recording_file import summarize
from inspector.visible_text import one_line
from ui.widgets.units import plural, size

if TYPE_CHECKING:
    from pathlib import Path

NAME_LENGTH = 60
"""Characters of a server's name."""


def file_label(path: Path) -> str:
    """The name of the file, for as long as nothing else is known."""
    return one_line(path.stem, NAME_LENGTH)


def recording_label(path: Path) -> str:
    """Server, local date and time, how many frames and how large; the name of the file where it does not say so itself. Blocks."""
    try:
        summary = summarize(path)
        extent = size(path.stat().st_size)
    except (StorageError, OSError):
        return f"{file_label(path)} · unreadable"
    name = one_line(summary.facts.get("title") or path.stem, NAME_LENGTH)
    count = () if summary.frames is None else (plural(summary.frames, "frame"),)
    return " · ".join((name, *_when(summary.facts.get("started", "")), *count, extent))


def _when(started: str) -> tuple[str, ...]:
    """Seconds since 1970 as a person would say it."""
    try:
        moment = datetime.fromtimestamp(float(started), UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return ()
    return (f"{moment:%Y-%m-%d %H:%M:%S}",)
