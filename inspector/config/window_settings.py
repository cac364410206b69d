"""What the window remembers between starts.

Read before the first paint, so with `json`: importing the reader of `inspector.wire` takes longer than reading this file.

Each value is checked alone: an invalid one is replaced by its default, and a file that is not JSON is set aside. Members of a newer Spyglass are
written back unchanged.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Literal, cast

from msgspec import Meta, ValidationError, convert, field, to_builtins
from msgspec.structs import replace

from inspector.config.atomic_file import read_text, set_aside, write_text
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.json_value import Json, JsonObject

FILE_NAME = "settings.json"


class WindowSettings(FrozenStruct, frozen=True):
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


_TYPES = {
    "geometry": bytes,
    "layout": bytes,
    "theme": Annotated[str, Meta(pattern="^[a-z0-9-]{1,40}$")],
    "text_scale": Annotated[float, Meta(ge=1, le=2)],
    "last_filter": str,
    "time_format": Literal["clock", "iso", "seconds", "delta"],
    "last_server": str,
    "draft": str,
}
"""Member of the file → the type of its value; `bytes` are saved in Base64."""


def read_settings(root: JsonObject) -> WindowSettings:
    """Return the settings of an object; a member whose value is invalid has its default."""
    found = {name: _convert(root.get(name), type_) for name, type_ in _TYPES.items()}
    columns = root.get("columns")
    if isinstance(columns, dict):
        states = {name: _convert(state, bytes) for name, state in columns.items()}
        found["columns"] = {name: state for name, state in states.items() if state is not None}
    extra = {key: root[key] for key in root if key not in (*_TYPES, "columns")}
    valid = {name: value for name, value in found.items() if value is not None}
    return replace(WindowSettings(extra=extra), **valid)


def _convert(value: Json, type_: object) -> object:
    """Return a value as `type_`; None if it is none."""
    try:
        return convert(value, cast("type[object]", type_))
    except (ValidationError, UnicodeError):  # UnicodeError: half of a character is no text
        return None


def write_settings(settings: WindowSettings) -> JsonObject:
    """Return the object to save."""
    root = cast("JsonObject", to_builtins(settings))
    del root["extra"]
    return root | settings.extra


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
