"""The source files of a server, watched for changes; ours."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from inspector.config import source_files
from inspector.config.profile import Profile
from inspector.config.source_files import SourceWatch, scan


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with a server in it, and with much that is none of its source."""
    for name in ("server.py", "lib/part.py", "data.json", "server.log", "node_modules/x/index.js"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("1")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/hook.py").write_text("1")
    return tmp_path


def names(folder: Path, profile: Profile) -> set[str]:
    return {os.path.relpath(path, folder) for path in scan(profile).stamps}


def test_the_script_is_watched_with_the_source_beside_it(folder: Path) -> None:
    profile = Profile(command="python", args=(str(folder / "server.py"), "--debug"))
    assert names(folder, profile) == {"server.py", str(Path("lib/part.py"))}


def test_a_file_that_is_named_is_watched_whatever_it_is(folder: Path) -> None:
    profile = Profile(command="python", args=("-m", "x", "data.json"), cwd=str(folder))
    assert "data.json" in names(folder, profile)


def test_the_working_directory_is_watched_where_it_is_set(folder: Path) -> None:
    module = Profile(command="python", args=("-m", "server"), cwd=str(folder))
    assert names(folder, module) == {"server.py", str(Path("lib/part.py"))}


@pytest.mark.parametrize(
    "profile",
    [
        Profile(command="npx", args=("-y", "some-package")),
        Profile(command="x", args=("\0", "", "a" * 5000), cwd="/no/such/folder"),
        Profile(command="x", cwd="/"),
    ],
)
def test_where_there_is_no_source_nothing_is_watched(profile: Profile) -> None:
    assert scan(profile).stamps == {}


def test_a_large_folder_is_watched_up_to_a_limit(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(50):
        (folder / f"m{number}.py").write_text("1")
    monkeypatch.setattr(source_files, "MAX_ENTRIES", 20)
    found = scan(Profile(command="python", cwd=str(folder)))
    assert found.is_cut
    assert 0 < len(found.stamps) <= 20


async def test_a_change_is_told_once_it_is_whole(folder: Path) -> None:
    """An editor writes several files, and each in several steps."""
    watch = SourceWatch(Profile(command="x", cwd=str(folder)), poll_seconds=0.01)
    await watch.start()
    waiting = asyncio.ensure_future(watch.changed())
    (folder / "data.json").write_text("not source")
    (folder / "server.py").write_text("22")
    (folder / "new.py").write_text("1")
    (folder / "lib/part.py").unlink()
    async with asyncio.timeout(5):
        changed = await waiting
    assert {Path(path).name for path in changed} <= {"server.py", "new.py", "part.py"}
    assert changed
