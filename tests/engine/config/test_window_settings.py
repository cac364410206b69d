"""What the window remembers; ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from inspector.config.window_settings import WindowSettings, WindowSettingsFile

if TYPE_CHECKING:
    from pathlib import Path


def test_what_was_saved_is_loaded_again(tmp_path: Path) -> None:
    settings = WindowSettings(
        geometry=b"\x00\xff",
        layout=b"layout",
        columns={"traffic": b"\x01"},
        theme="dark",
        text_scale=1.25,
        last_filter="method:tools/*",
        time_format="iso",
        extra={"future": [1]},
    )
    WindowSettingsFile(tmp_path).save(settings)
    assert WindowSettingsFile(tmp_path).load() == settings


def test_without_a_file_there_are_defaults(tmp_path: Path) -> None:
    assert WindowSettingsFile(tmp_path).load() == WindowSettings()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("theme", "Pink!"),
        ("theme", 1),
        ("text_scale", 20),
        ("text_scale", True),
        ("text_scale", "1"),
        ("layout", "not base64!"),
        ("layout", 3),
        ("columns", []),
        ("last_filter", None),
        ("time_format", "sundial"),
        ("theme", "\ud800"),
        ("layout", "\ud800"),
        ("columns", {"traffic": "\ud800"}),
    ],
)
def test_a_value_that_does_not_fit_falls_back_alone(
    tmp_path: Path, key: str, value: object
) -> None:
    (tmp_path / "settings.json").write_text(json.dumps({"last_server": "kept", key: value}))
    assert WindowSettingsFile(tmp_path).load() == WindowSettings(last_server="kept")


def test_a_broken_file_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text("{")
    file = WindowSettingsFile(tmp_path)
    assert file.load() == WindowSettings()
    assert "settings.broken.json" in file.note
    assert (tmp_path / "settings.broken.json").read_text() == "{"
