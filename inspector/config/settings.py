"""What the window remembers between starts.

Read before the first paint, so: neither pydantic nor our own reader of JSON, whose import takes longer than all of this.

Each field is checked by itself; what does not fit falls back to its default, and a file that is no JSON
is set aside. Keys of a newer Spyglass are written back as they were.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, TypeAlias

from inspector.config.atomic_file import read_text, set_aside, write_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inspector.json_value import Json, JsonObject

FILE_NAME = "settings.json"


@dataclass(frozen=True)
class Settings:
    """What the window remembers."""

    geometry: bytes = b""
    """Place and size of the window, as Qt saves it."""
    layout: bytes = b""
    """Arrangement of docks and tool bars, as Qt saves it."""
    columns: dict[str, bytes] = field(default_factory=dict[str, bytes], hash=False)
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
    """Identity of the profile that was selected last."""
    draft: str = ""
    """What was typed into the editor and not saved yet."""
    extra: JsonObject = field(default_factory=dict[str, "Json"], hash=False)
    """Keys we do not know."""


THEMES = ("system", "light", "dark")
TIME_FORMATS = ("clock", "iso", "seconds", "delta")

Value: TypeAlias = "str | float | bytes | dict[str, bytes]"


def _bytes(value: Json) -> bytes | None:
    try:
        return base64.b64decode(value, validate=True) if isinstance(value, str) else None
    except (binascii.Error, ValueError):
        return None


def _bytes_by_name(value: Json) -> dict[str, bytes] | None:
    if not isinstance(value, dict):
        return None
    decoded = {name: _bytes(item) for name, item in value.items()}
    return {name: item for name, item in decoded.items() if item is not None}


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None


def _one_of(*choices: str) -> Callable[[Json], str | None]:
    return lambda value: value if isinstance(value, str) and value in choices else None


def _scale(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 1 <= value <= 2 else None


_READERS: dict[str, Callable[[Json], Value | None]] = {
    "geometry": _bytes,
    "layout": _bytes,
    "columns": _bytes_by_name,
    "theme": _one_of(*THEMES),
    "text_scale": _scale,
    "last_filter": _text,
    "time_format": _one_of(*TIME_FORMATS),
    "last_server": _text,
    "draft": _text,
}
"""Field → its reader; None means that the value does not fit."""


def read_settings(root: JsonObject) -> Settings:
    """Return the settings an object holds, each field by itself."""
    settings = Settings(extra={key: root[key] for key in root if key not in _READERS})
    changes: dict[str, Value] = {}
    for name, reader in _READERS.items():
        value = reader(root.get(name))
        if value is not None:
            changes[name] = value
    return replace(settings, **changes)


def write_settings(settings: Settings) -> JsonObject:
    """Return the object to save."""
    root: JsonObject = {}
    for item in fields(settings):
        if item.name != "extra":
            root[item.name] = _json(getattr(settings, item.name))
    return root | settings.extra


def _json(value: Value) -> Json:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, dict):
        return {name: _json(item) for name, item in value.items()}
    return value


class SettingsFile:
    """The file in a given folder. Blocking, but small; `note` says what was wrong with it."""

    def __init__(self, folder: Path) -> None:
        """Remember the folder; nothing is read yet."""
        self.path = folder / FILE_NAME
        self.note = ""

    def load(self) -> Settings:
        """Return what is saved; defaults for what is not.

        Raises:
            StorageError: the file is there and cannot be opened.
        """
        text = read_text(self.path)
        try:
            root: Json = json.loads((text or "{}").removeprefix("\ufeff"))
        except (ValueError, RecursionError) as error:
            moved = set_aside(self.path, "broken")
            self.note = f"The settings file is not valid JSON ({error}); renamed to {moved}."
            return Settings()
        return read_settings(root) if isinstance(root, dict) else Settings()

    def save(self, settings: Settings) -> None:
        """Write all of it.

        Raises:
            StorageError: it cannot be written; the old file is as it was.
        """
        write_text(self.path, json.dumps(write_settings(settings), indent=2) + "\n")
