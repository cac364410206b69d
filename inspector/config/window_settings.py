"""What the window remembers between starts.

Read before the first paint, so with `json` and plain checks: importing the reader of `inspector.wire`, or msgspec, takes longer than all of
the rest.

Each value is checked alone: an invalid one is replaced by its default, and a file that is not JSON is set aside. Members of a newer Spyglass are
written back unchanged.
"""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, TypeAlias

from inspector.config.atomic_file import read_text, set_aside, write_text
from inspector.config.saved_filters import SavedFilter, read_filters, read_history, to_json

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inspector.json_value import Json, JsonObject

FILE_NAME = "settings.json"


@dataclass(frozen=True, slots=True)
class WindowSettings:
    """What the window remembers between starts."""

    geometry: bytes = b""
    """Position and size of the window, as Qt saves them."""
    layout: bytes = b""
    """Arrangement of docks and tool bars, as Qt saves it."""
    columns: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """State of each table's header, by the table's name."""
    dock_shares: dict[str, float] = field(default_factory=dict[str, float])
    """What the user gave to each dock, by name: a share of the window, from 0 to 1."""
    open_docks: dict[str, bool] = field(default_factory=dict[str, bool])
    """Whether the user opened (true) or closed (false) a dock, by name; without an entry, it depends on the size of the window."""
    bottom_page: str = ""
    """The page of the bottom dock that was in front."""
    theme: str = "system"
    """`system`, or the name of a palette."""
    text_scale: float = 1.0
    """Text size relative to the system's, 1 to 2."""
    last_filter: str = ""
    """The filter last applied to the traffic."""
    filter_history: tuple[str, ...] = ()
    """Filters applied to the traffic before, the latest first."""
    saved_filters: tuple[SavedFilter, ...] = ()
    """Filters of the traffic that the user saved."""
    time_format: str = "clock"
    """How the traffic shows times: `clock`, `iso`, `seconds` or `delta`."""
    last_server: str = ""
    """Id of the profile that was selected last."""
    notifies: bool = True
    """Whether the desktop notifies of requests that arrive while the window is in the background."""
    draft: str = ""
    """Text in the editor that was not saved yet."""
    extra: JsonObject = field(default_factory=dict[str, "Json"])
    """Members that this version does not have."""


_Saved: TypeAlias = "bytes | str | float | tuple[SavedFilter | str, ...]"
"""A value of a member, or of an entry of one."""

TIME_FORMATS = ("clock", "iso", "seconds", "delta")


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None


def _bytes(value: Json) -> bytes | None:
    try:
        return base64.b64decode(value, validate=True) if isinstance(value, str) else None
    except ValueError:
        return None


def _theme(value: Json) -> str | None:
    is_name = isinstance(value, str) and re.fullmatch("[a-z0-9_-]{1,40}", value)
    return str(value) if is_name else None


def _text_scale(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 1 <= value <= 2 else None


def _time_format(value: Json) -> str | None:
    return str(value) if value in TIME_FORMATS else None


def _flag(value: Json) -> bool | None:
    return value if isinstance(value, bool) else None


def _share(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 1 else None


_READERS: dict[str, Callable[[Json], object]] = {
    "geometry": _bytes,
    "layout": _bytes,
    "bottom_page": _text,
    "theme": _theme,
    "text_scale": _text_scale,
    "last_filter": _text,
    "filter_history": read_history,
    "saved_filters": read_filters,
    "time_format": _time_format,
    "last_server": _text,
    "notifies": _flag,
    "draft": _text,
}
"""Member of the file → a function that returns its value, or None if it is invalid; bytes are saved in Base64."""

_MAP_READERS: dict[str, Callable[[Json], object]] = {
    "columns": _bytes,
    "dock_shares": _share,
    "open_docks": _flag,
}
"""Member of the file that is an object → a function that returns each of its values, or None if it is invalid."""


def read_settings(root: JsonObject) -> WindowSettings:
    """Return the settings of an object; a member whose value is invalid has its default."""
    found = {name: read(root[name]) for name, read in _READERS.items() if name in root}
    for name, read in _MAP_READERS.items():
        values = root.get(name)
        if isinstance(values, dict):
            entries = {key: read(value) for key, value in values.items()}
            found[name] = {key: value for key, value in entries.items() if value is not None}
    extra = {key: root[key] for key in root if key not in (*_READERS, *_MAP_READERS)}
    valid = {name: value for name, value in found.items() if value is not None}
    return replace(WindowSettings(extra=extra), **valid)


def write_settings(settings: WindowSettings) -> JsonObject:
    """Return the object to save."""
    values = {each.name: getattr(settings, each.name) for each in fields(settings)}
    return {
        name: _to_json(value) for name, value in values.items() if name != "extra"
    } | settings.extra


def _to_json(value: _Saved | dict[str, _Saved]) -> Json:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, tuple):
        return [to_json(each) for each in value]
    if isinstance(value, dict):
        return {name: _to_json(each) for name, each in value.items()}
    return value


class WindowSettingsFile:
    """The file in a given folder. Blocking, but small; `note` is the problem with it, if there was one."""

    def __init__(self, folder: Path) -> None:
        """Remember the folder; nothing is read yet."""
        self.path = folder / FILE_NAME
        self.note = ""

    def load(self) -> WindowSettings:
        """Return the saved settings, with defaults for the rest.

        Raises:
            StorageError: the file exists and cannot be opened.
        """
        text = read_text(self.path)
        try:
            root: Json = json.loads((text or "{}").removeprefix("\ufeff"))
        except (ValueError, RecursionError) as error:
            moved = set_aside(self.path, "broken")
            self.note = f"The settings file is not valid JSON ({error}); renamed to {moved}."
            return WindowSettings()
        return read_settings(root) if isinstance(root, dict) else WindowSettings()

    def save(self, settings: WindowSettings) -> None:
        """Write the settings.

        Raises:
            StorageError: it cannot be written; the old file is as it was.
        """
        write_text(self.path, json.dumps(write_settings(settings), indent=2) + "\n")
