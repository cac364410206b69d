"""The file of what we are to each server; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.config.client_settings import FILE_NAME, ClientSettings
from inspector.config.profile import Profile
from inspector.errors import StorageError
from inspector.features.roots import Root
from inspector.workspace import Workspace
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from pathlib import Path


async def test_parts_are_kept_by_server_and_name(tmp_path: Path) -> None:
    """Ours."""
    file = ClientSettings(tmp_path)
    await file.load()
    file.set_part("a", "roots", [1])
    file.keeper("a", "answers")([2])
    file.set_part("b", "roots", [3])
    await wait_until((tmp_path / FILE_NAME).exists)
    file.set_part("b", "roots", [4])
    await file.aclose()

    again = ClientSettings(tmp_path)
    await again.load()
    assert again.part("a", "roots") == [1]
    assert again.part("a", "answers") == [2]
    assert again.part("b", "roots") == [4]
    assert again.part("c", "roots") is None


async def test_a_file_that_is_no_json_is_set_aside(tmp_path: Path) -> None:
    """Ours."""
    (tmp_path / FILE_NAME).write_text("{oops")
    file = ClientSettings(tmp_path)
    await file.load()
    file.set_part("a", "roots", [])
    await file.aclose()

    assert "not valid JSON" in file.note
    assert (tmp_path / "client.broken.json").read_text() == "{oops"


async def test_a_file_that_cannot_be_read_is_never_overwritten(tmp_path: Path) -> None:
    """Ours."""
    (tmp_path / FILE_NAME).write_bytes(b"\xff")
    file = ClientSettings(tmp_path)
    with pytest.raises(StorageError):
        await file.load()
    file.set_part("a", "roots", [])
    await file.aclose()

    assert (tmp_path / FILE_NAME).read_bytes() == b"\xff"


async def test_the_roots_of_a_server_are_there_again_at_the_next_start(tmp_path: Path) -> None:
    """Ours."""
    profile = Profile(name="a")
    file = ClientSettings(tmp_path)
    Workspace(None, file).client_profile(profile).roots.set([Root("file:///a")])
    await file.aclose()

    again = ClientSettings(tmp_path)
    await again.load()
    assert Workspace(None, again).client_profile(profile).roots.items == (Root("file:///a"),)
