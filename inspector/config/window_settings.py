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
from typing import TYPE_CHECKING

from inspector.config.atomic_file import read_text, set_aside, write_text

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
    theme: str = "system"
    """`system`, `light` or `dark`."""
    text_scale: float = 1.0
    """Text size relative to the system's, 1 to 2."""
    last_filter: str = ""
    """The filter last applied to the traffic."""
    time_format: str = "clock"
    """How the traffic shows times: `clock`, `iso`, `seconds` or `delta`."""
    last_server: str = ""
    """Id of the profile that was selected last."""
    draft: str = ""
    """Text in the editor that was not saved yet."""
    extra: JsonObject = field(default_factory=dict[str, "Json"])
    """Members that this version does not have."""


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


_READERS: dict[str, Callable[[Json], object]] = {
    "geometry": _bytes,
    "layout": _bytes,
    "theme": _theme,
    "text_scale": _text_scale,
    "last_filter": _text,
    "time_format": _time_format,
    "last_server": _text,
    "draft": _text,
}
"""Member of the file → a function that returns its value, or None if it is invalid; bytes are saved in Base64."""


def read_settings(root: JsonObject) -> WindowSettings:
    """Return the settings of an object; a member whose value is invalid has its default."""
    found = {name: read(root[name]) for name, read in _READERS.items() if name in root}
    columns = root.get("columns")
    if isinstance(columns, dict):
        states = {name: _bytes(state) for name, state in columns.items()}
        found["columns"] = {name: state for name, state in states.items() if state is not None}
    extra = {key: root[key] for key in root if key not in (*_READERS, "columns")}
    valid = {name: value for name, value in found.items() if value is not None}
    return replace(WindowSettings(extra=extra), **valid)


def write_settings(settings: WindowSettings) -> JsonObject:
    """Return the object to save."""
    values = {each.name: getattr(settings, each.name) for each in fields(settings)}
    return {
        name: _to_json(value) for name, value in values.items() if name != "extra"
    } | settings.extra


def _to_json(value: bytes | str | float | dict[str, bytes]) -> Json:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, dict):
        return {name: base64.b64encode(state).decode() for name, state in value.items()}
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
