"""The list of servers in memory; ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from inspector.errors import StorageError
from inspector.library.library import Library
from inspector.library.profile import Profile, with_
from inspector.library.secrets import MemorySecrets
from inspector.library.servers_file import ServersFile

if TYPE_CHECKING:
    from pathlib import Path

A = Profile(name="a", command="x", env=(("PLAIN", "1"), ("API_KEY", "hush")))
B = Profile(
    name="b", transport="http", url="https://x.example", headers=(("Authorization", "psst"),)
)


@pytest.fixture
def secrets() -> MemorySecrets:
    return MemorySecrets()


@pytest.fixture
def library(tmp_path: Path, secrets: MemorySecrets) -> Library:
    return Library(ServersFile(tmp_path), lambda: secrets)


def reopened(tmp_path: Path, secrets: MemorySecrets) -> Library:
    return Library(ServersFile(tmp_path), lambda: secrets)


def test_a_taken_name_gets_a_number(library: Library) -> None:
    library.add(A, with_(B, name="a"), Profile(command="y"))
    assert [profile.name for profile in library.profiles] == ["a", "a 2", "server"]


def test_a_renamed_server_keeps_its_place_and_identity(library: Library) -> None:
    library.add(A, B)
    library.replace(with_(A, name="b"))
    assert [(item.name, item.id) for item in library.profiles] == [("b 2", A.id), ("b", B.id)]


def test_a_removed_server_can_be_put_back_where_it_stood(library: Library) -> None:
    library.add(A, B)
    removed = library.remove(A.id)
    assert removed is not None
    assert library.profiles == (B,)
    library.restore(removed)
    assert library.profiles == (A, B)
    assert library.remove("no such") is None


def test_a_copy_stands_behind_its_original(library: Library) -> None:
    library.add(A, B)
    copy = library.duplicate(A)
    assert [profile.name for profile in library.profiles] == ["a", "a 2", "b"]
    assert copy.id != A.id
    assert copy.env == A.env


def test_servers_can_be_moved(library: Library) -> None:
    library.add(A, B)
    library.move(B.id, 0)
    assert library.profiles == (B, A)
    library.move(B.id, 99)
    assert library.profiles == (A, B)


def test_each_change_is_told_once(library: Library) -> None:
    told: list[int] = []
    library.changed.subscribe(lambda: told.append(len(library.profiles)))
    library.add(A, B)
    library.remove(A.id)
    assert told == [2, 1]


async def test_secrets_never_reach_the_file_and_come_back_on_request(
    library: Library, secrets: MemorySecrets, tmp_path: Path
) -> None:
    library.add(A, B)
    await library.save()
    text = (tmp_path / "servers.json").read_text()
    assert "hush" not in text
    assert "psst" not in text
    assert sorted(secrets.kept.values()) == ["hush", "psst"]

    again = reopened(tmp_path, secrets)
    await again.load()
    sealed = again.profiles[0]
    assert sealed.sealed == ("env:API_KEY",)
    assert await again.resolve(sealed) == A
    assert again.profiles[0] == A


async def test_secrets_in_arguments_and_urls_never_reach_the_file_either(
    library: Library, secrets: MemorySecrets, tmp_path: Path
) -> None:
    local = Profile(name="l", command="x", args=("--token", "hush", "plain"))
    remote = Profile(name="r", transport="http", url="https://x.example/mcp?api_key=psst")
    library.add(local, remote)
    await library.save()
    text = (tmp_path / "servers.json").read_text()
    assert "hush" not in text
    assert "psst" not in text
    assert "plain" in text

    again = reopened(tmp_path, secrets)
    await again.load()
    opened = [await again.resolve(profile) for profile in again.profiles]
    assert opened == [local, remote]


async def test_secrets_in_the_clear_of_an_older_file_are_sealed_when_it_is_saved(
    library: Library, tmp_path: Path
) -> None:
    entry = {"command": "x", "args": ["--token", "hush"], "spyglass": {"id": "1"}}
    (tmp_path / "servers.json").write_text(json.dumps({"mcpServers": {"a": entry}}))
    await library.load()
    assert library.profiles[0].args == ("--token", "hush")
    await library.save()
    assert "hush" not in (tmp_path / "servers.json").read_text()


async def test_a_secret_that_was_taken_out_of_a_server_is_forgotten(
    library: Library, secrets: MemorySecrets
) -> None:
    profile = Profile(name="l", command="x", args=("--token", "hush"), env=(("API_KEY", "psst"),))
    library.add(profile)
    await library.save()
    library.replace(with_(profile, args=("-v", "--token", "hush"), env=()))
    await library.save()
    assert list(secrets.kept) == [f"{profile.id}/arg:2"]


async def test_saving_a_list_whose_secrets_were_never_fetched_loses_none(
    library: Library, secrets: MemorySecrets, tmp_path: Path
) -> None:
    library.add(A)
    await library.save()
    again = reopened(tmp_path, secrets)
    await again.load()
    again.add(Profile(name="c", command="z"))
    await again.save()
    third = reopened(tmp_path, secrets)
    await third.load()
    assert await third.resolve(third.profiles[0]) == A


async def test_a_secret_that_is_gone_leaves_the_server_usable(
    library: Library, secrets: MemorySecrets, tmp_path: Path
) -> None:
    library.add(A)
    await library.save()
    secrets.kept.clear()
    again = reopened(tmp_path, secrets)
    await again.load()
    resolved = await again.resolve(again.profiles[0])
    assert resolved.env == (("PLAIN", "1"), ("API_KEY", ""))
    assert resolved.sealed == ("env:API_KEY",)


async def test_secrets_of_a_removed_server_are_forgotten_at_the_end_only(
    library: Library, secrets: MemorySecrets
) -> None:
    library.add(A)
    await library.save()
    library.remove(A.id)
    await library.save()
    assert secrets.kept
    await library.aclose()
    assert not secrets.kept


async def test_a_list_that_cannot_be_saved_is_an_error_and_stays_in_memory(tmp_path: Path) -> None:
    (tmp_path / "blocked").write_text("")
    library = Library(ServersFile(tmp_path / "blocked"), MemorySecrets)
    library.add(A)
    with pytest.raises(StorageError):
        await library.save()
    assert library.profiles == (A,)


async def test_notes_of_the_file_are_passed_on(library: Library, tmp_path: Path) -> None:
    (tmp_path / "servers.json").write_text("{")
    await library.load()
    assert "not JSON" in library.notes[0]
