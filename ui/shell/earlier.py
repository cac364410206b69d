"""What the list of earlier sessions says of each record, without reading it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.transcript.store import Store
from ui.widgets.units import amount, size
from ui.widgets.visible_text import one_line

if TYPE_CHECKING:
    from pathlib import Path

NAME_LENGTH = 60
"""Characters of a server's name."""


def record_words(path: Path) -> str:
    """Server, local date and time, how many frames and how large; the name of the file where it does not say so itself."""
    try:
        store = Store.open_existing(path)
        try:
            facts, count = store.facts(), store.count()
        finally:
            store.close()
        extent = size(path.stat().st_size)
    except (StorageError, OSError):
        return f"{one_line(path.stem, NAME_LENGTH)} · cannot be read"
    name = one_line(facts.get("title") or path.stem, NAME_LENGTH)
    return " · ".join((name, *_when(facts.get("started", "")), amount(count, "frame"), extent))


def _when(started: str) -> tuple[str, ...]:
    """Seconds since 1970 as a person would say it."""
    try:
        moment = datetime.fromtimestamp(float(started), UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return ()
    return (f"{moment:%Y-%m-%d %H:%M:%S}",)
