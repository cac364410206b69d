"""Filters of the traffic that the user saved: as buttons in the bar, and as colors of rows.

Imported before the first paint, so with plain checks. An entry that is invalid is left out.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.json_value import Json

MAX_SAVED = 30
"""Filters that are kept."""

MAX_NAME, MAX_TEXT = 60, 2000
"""Characters of a name and of a filter."""

COLORS = ("", "green", "amber", "red", "blue", "pink")
"""What rows can be colored with; empty for no color."""


@dataclass(frozen=True, slots=True)
class SavedFilter:
    """One filter."""

    name: str
    """What its button says."""
    text: str
    """The filter as typed."""
    in_bar: bool = True
    """Whether it is a button in the bar."""
    color: str = ""
    """One of `COLORS`."""


def read_filters(value: Json) -> tuple[SavedFilter, ...] | None:
    """Return the saved filters in a value of the settings file; None if it is no list."""
    if not isinstance(value, list):
        return None
    found = (_read(each) for each in value[:MAX_SAVED])
    return tuple(each for each in found if each is not None)


def _read(value: Json) -> SavedFilter | None:
    if not isinstance(value, dict):
        return None
    name, text = value.get("name"), value.get("text")
    if not (isinstance(name, str) and isinstance(text, str) and name and text.strip()):
        return None
    color = value.get("color")
    color = color if isinstance(color, str) and color in COLORS else ""
    return SavedFilter(name[:MAX_NAME], text[:MAX_TEXT], value.get("in_bar") is not False, color)


def read_history(value: Json) -> tuple[str, ...] | None:
    """Return the filters used before in a value of the settings file; None if it is no list."""
    if not isinstance(value, list):
        return None
    return tuple(each[:MAX_TEXT] for each in value[:MAX_HISTORY] if isinstance(each, str))


MAX_HISTORY = 50
"""Filters used before that are kept."""


def to_json(value: SavedFilter | str) -> Json:
    """Return an entry as it is saved."""
    return value if isinstance(value, str) else asdict(value)
