"""The list of servers in memory; ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.config.profile import Profile
from inspector.config.secrets import MemorySecrets
from inspector.config.server_list import ServerList
from inspector.config.servers_file import ServersFile
from inspector.errors import StorageError

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
def server_list(tmp_path: Path, secrets: MemorySecrets) -> ServerList:
    return ServerList(ServersFile(tmp_path), lambda: secrets)


def reopened(tmp_path: Path, secrets: MemorySecrets) -> ServerList:
    return ServerList(ServersFile(tmp_path), lambda: secrets)


def test_a_taken_name_gets_a_number(server_list: ServerList) -> None:
    server_list.add(A, replace(B, name="a"), Profile(command="y"))
    assert [profile.name for profile in server_list.profiles] == ["a", "a 2", "server"]


def test_a_renamed_server_keeps_its_place_and_identity(server_list: ServerList) -> None:
    server_list.add(A, B)
    server_list.replace(replace(A, name="b"))
    assert [(item.name, item.id) for item in server_list.profiles] == [("b 2", A.id), ("b", B.id)]


def test_a_removed_server_can_be_put_back_where_it_stood(server_list: ServerList) -> None:
    server_list.add(A, B)
    removed = server_list.remove(A.id)
    assert removed is not None
    assert server_list.profiles == (B,)
    server_list.restore(removed)
    assert server_list.profiles == (A, B)
    assert server_list.remove("no such") is None


def test_a_copy_stands_behind_its_original(server_list: ServerList) -> None:
    server_list.add(A, B)
    copy = server_list.duplicate(A)
    assert [profile.name for profile in server_list.profiles] == ["a", "a 2", "b"]
    assert copy.id != A.id
    assert copy.env == A.env


def test_servers_can_be_moved(server_list: ServerList) -> None:
    server_list.add(A, B)
    server_list.move(B.id, 0)
    assert server_list.profiles == (B, A)
    server_list.move(B.id, 99)
    assert server_list.profiles == (A, B)


def test_each_change_is_told_once(server_list: ServerList) -> None:
    told: list[int] = []
    server_list.changed.subscribe(lambda: told.append(len(server_list.profiles)))
    server_list.add(A, B)
    server_list.remove(A.id)
    assert told == [2, 1]


async def test_secrets_never_reach_the_file_and_come_back_on_request(
    server_list: ServerList, secrets: MemorySecrets, tmp_path: Path
) -> None:
    server_list.add(A, B)
    await server_list.save()
    text = (tmp_path / "servers.json").read_text()
    assert "hush" not in text
    assert "psst" not in text
    assert sorted(secrets.kept.values()) == ["hush", "psst"]

    again = reopened(tmp_path, secrets)
    await again.load()
    sealed = again.profiles[0]
    assert sealed.extracted == ("env:API_KEY",)
    assert await again.resolve(sealed) == A
    assert again.profiles[0] == A


async def test_secrets_in_arguments_and_urls_never_reach_the_file_either(
    server_list: ServerList, secrets: MemorySecrets, tmp_path: Path
) -> None:
    local = Profile(name="l", command="x", args=("--token", "hush", "plain"))
    remote = Profile(name="r", transport="http", url="https://x.example/mcp?api_key=psst")
    server_list.add(local, remote)
    await server_list.save()
    text = (tmp_path / "servers.json").read_text()
    assert "hush" not in text
    assert "psst" not in text
    assert "plain" in text

    again = reopened(tmp_path, secrets)
    await again.load()
    opened = [await again.resolve(profile) for profile in again.profiles]
    assert opened == [local, remote]


async def test_secrets_in_the_clear_of_an_older_file_are_sealed_when_it_is_saved(
    server_list: ServerList, tmp_path: Path
) -> None:
    entry = {"command": "x", "args": ["--token", "hush"], "spyglass": {"id": "1"}}
    (tmp_path / "servers.json").write_text(json.dumps({"mcpServers": {"a": entry}}))
    await server_list.load()
    assert server_list.profiles[0].args == ("--token", "hush")
    await server_list.save()
    assert "hush" not in (tmp_path / "servers.json").read_text()


async def test_a_secret_that_was_taken_out_of_a_server_is_forgotten(
    server_list: ServerList, secrets: MemorySecrets
) -> None:
    profile = Profile(name="l", command="x", args=("--token", "hush"), env=(("API_KEY", "psst"),))
    server_list.add(profile)
    await server_list.save()
    server_list.replace(replace(profile, args=("-v", "--token", "hush"), env=()))
    await server_list.save()
    assert list(secrets.kept) == [f"{profile.id}/arg:2"]


async def test_saving_a_list_whose_secrets_were_never_fetched_loses_none(
    server_list: ServerList, secrets: MemorySecrets, tmp_path: Path
) -> None:
    server_list.add(A)
    await server_list.save()
    again = reopened(tmp_path, secrets)
    await again.load()
    again.add(Profile(name="c", command="z"))
    await again.save()
    third = reopened(tmp_path, secrets)
    await third.load()
    assert await third.resolve(third.profiles[0]) == A


async def test_a_secret_that_is_gone_leaves_the_server_usable(
    server_list: ServerList, secrets: MemorySecrets, tmp_path: Path
) -> None:
    server_list.add(A)
    await server_list.save()
    secrets.kept.clear()
    again = reopened(tmp_path, secrets)
    await again.load()
    resolved = await again.resolve(again.profiles[0])
    assert resolved.env == (("PLAIN", "1"), ("API_KEY", ""))
    assert resolved.extracted == ("env:API_KEY",)


async def test_secrets_of_a_removed_server_are_forgotten_at_the_end_only(
    server_list: ServerList, secrets: MemorySecrets
) -> None:
    server_list.add(A)
    await server_list.save()
    server_list.remove(A.id)
    await server_list.save()
    assert secrets.kept
    await server_list.aclose()
    assert not secrets.kept


async def test_a_list_that_cannot_be_saved_is_an_error_and_stays_in_memory(tmp_path: Path) -> None:
    (tmp_path / "blocked").write_text("")
    server_list = ServerList(ServersFile(tmp_path / "blocked"), MemorySecrets)
    server_list.add(A)
    with pytest.raises(StorageError):
        await server_list.save()
    assert server_list.profiles == (A,)


async def test_notes_of_the_file_are_passed_on(server_list: ServerList, tmp_path: Path) -> None:
    (tmp_path / "servers.json").write_text("{")
    await server_list.load()
    assert "not valid JSON" in server_list.notes[0]
