"""The saved list; ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.config.profile import Profile
from inspector.config.servers_file import ServersFile
from inspector.errors import StorageError

if TYPE_CHECKING:
    from pathlib import Path

FULL = Profile(
    name="full",
    command="node",
    args=("-e", "", "a b", '"q"', "ü"),
    env=(("EMPTY", ""), ("SPACED", "a b")),
    cwd="/srv/app",
    revision="2025-06-18",
    timeout_seconds=5,
    total_timeout_seconds=7.5,
    extracted=("env:API_KEY",),
    extra={"alwaysAllow": ["x"], "disabled": True},
)
REMOTE = Profile(
    name="remote", transport="sse", url="https://x.example/sse", headers=(("A", "1"), ("B", "2"))
)


def written(folder: Path) -> dict[str, object]:
    return json.loads((folder / "servers.json").read_text("utf-8"))


def test_what_was_saved_is_loaded_again_in_its_order(tmp_path: Path) -> None:
    ServersFile(tmp_path).save([REMOTE, FULL])
    saved = ServersFile(tmp_path).load()
    assert saved.profiles == (REMOTE, FULL)
    assert saved.notes == ()


def test_a_missing_file_is_an_empty_list(tmp_path: Path) -> None:
    assert ServersFile(tmp_path / "nowhere").load().profiles == ()


def test_the_file_is_the_map_that_other_clients_read(tmp_path: Path) -> None:
    ServersFile(tmp_path).save([replace(FULL, extra={}), REMOTE])
    servers = written(tmp_path)["mcpServers"]
    assert isinstance(servers, dict)
    assert servers["full"] == {
        "type": "stdio",
        "command": "node",
        "args": ["-e", "", "a b", '"q"', "ü"],
        "cwd": "/srv/app",
        "env": {"EMPTY": "", "SPACED": "a b"},
        "spyglass": {
            "id": FULL.id,
            "revision": "2025-06-18",
            "timeoutSeconds": 5,
            "totalTimeoutSeconds": 7.5,
            "secrets": ["env:API_KEY"],
        },
    }
    assert servers["remote"]["url"] == "https://x.example/sse"


def test_the_file_is_for_its_owner_only_and_leaves_no_litter(tmp_path: Path) -> None:
    file = ServersFile(tmp_path)
    file.save([FULL])
    file.save([FULL, REMOTE])
    assert [path.name for path in tmp_path.iterdir()] == ["servers.json"]
    assert file.path.stat().st_mode & 0o777 == 0o600


def test_unknown_keys_survive_at_every_level(tmp_path: Path) -> None:
    text = (
        '{"$schema": "x", "mcpServers": {"n": {"command": "x", "tools": [1.50, null],'
        ' "spyglass": {"id": "1", "colour": "red"}}}, "globalShortcut": "F1"}'
    )
    (tmp_path / "servers.json").write_text(text)
    file = ServersFile(tmp_path)
    file.save(file.load().profiles)
    saved = (tmp_path / "servers.json").read_text()
    root = json.loads(saved)
    assert (root["$schema"], root["globalShortcut"]) == ("x", "F1")
    assert root["mcpServers"]["n"]["spyglass"] == {"id": "1", "colour": "red"}
    assert "1.50" in saved


BROKEN_ENTRIES = [
    ('{"command": "x", "args": "a b"}', "args"),
    ('{"command": "x", "args": [1]}', "args.0"),
    ('{"command": "x", "env": {"A": 1}}', "env.A"),
    ('{"command": "x", "env": ["A=1"]}', "env is not an object"),
    ('{"url": "http://x/", "headers": {"A": "1", "B": null}}', "headers.B"),
    ('{"command": "x", "spyglass": 7}', "spyglass"),
    ('{"command": "x", "spyglass": {"secrets": ["env:A", {}]}}', "spyglass.secrets.1"),
    ('{"command": 1, "args": [true]}', "command is not a string; args.0 is not a string"),
    ('{"command": "x", "spyglass": {"timeoutSeconds": true}}', "spyglass.timeoutSeconds"),
    ('{"command": "x", "spyglass": {"timeoutSeconds": -1}}', "spyglass.timeoutSeconds"),
    ('{"nothing": 1}', "neither a command nor a URL"),
    ("7", "not an object"),
]


@pytest.mark.parametrize(("entry", "message"), BROKEN_ENTRIES)
def test_a_broken_entry_is_named_and_left_alone(tmp_path: Path, entry: str, message: str) -> None:
    text = f'{{"mcpServers": {{"bad": {entry}, "good": {{"command": "y"}}}}}}'
    (tmp_path / "servers.json").write_text(text)
    file = ServersFile(tmp_path)
    saved = file.load()
    assert [profile.name for profile in saved.profiles] == ["good"]
    assert message in saved.notes[0]
    file.save(saved.profiles)
    servers = written(tmp_path)["mcpServers"]
    assert isinstance(servers, dict)
    assert servers["bad"] == json.loads(entry)


@pytest.mark.parametrize("text", ["{", "nonsense", "[]", '{"mcpServers": []}', '{"mcpServers": 1}'])
def test_a_broken_file_is_set_aside_and_never_lost(tmp_path: Path, text: str) -> None:
    (tmp_path / "servers.json").write_text(text)
    (tmp_path / "servers.broken.json").write_text("an older one")
    file = ServersFile(tmp_path)
    saved = file.load()
    assert saved.profiles == ()
    assert "servers.broken-2.json" in saved.notes[0]
    file.save([FULL])
    assert (tmp_path / "servers.broken-2.json").read_text() == text
    assert (tmp_path / "servers.broken.json").read_text() == "an older one"


def test_a_file_that_is_not_text_is_an_error_in_words(tmp_path: Path) -> None:
    (tmp_path / "servers.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(StorageError, match="not UTF-8"):
        ServersFile(tmp_path).load()


def test_an_edit_from_outside_is_noticed_when_loading_again(tmp_path: Path) -> None:
    file = ServersFile(tmp_path)
    file.save([FULL])
    ServersFile(tmp_path).save([FULL, REMOTE])
    saved = file.load()
    assert len(saved.profiles) == 2
    assert "changed outside" in saved.notes[0]


def test_what_was_added_outside_survives_our_saving(tmp_path: Path) -> None:
    file = ServersFile(tmp_path)
    file.save([FULL])
    ServersFile(tmp_path).save([FULL, REMOTE])
    notes = file.save([replace(FULL, cwd="/elsewhere")])
    assert "remote" in notes[0]
    profiles = ServersFile(tmp_path).load().profiles
    assert {profile.name: profile.cwd for profile in profiles} == {
        "full": "/elsewhere",
        "remote": "",
    }


def test_a_removed_server_does_not_come_back_because_of_another_edit(tmp_path: Path) -> None:
    file = ServersFile(tmp_path)
    file.save([FULL, REMOTE])
    root = written(tmp_path)
    (tmp_path / "servers.json").write_text(json.dumps(root | {"theme": "dark"}))
    file.save([REMOTE])
    assert [profile.name for profile in ServersFile(tmp_path).load().profiles] == ["remote"]
    assert written(tmp_path)["theme"] == "dark"


def test_a_copy_made_by_hand_gets_an_identity_of_its_own(tmp_path: Path) -> None:
    entry = '{"command": "x", "spyglass": {"id": "1"}}'
    (tmp_path / "servers.json").write_text(f'{{"mcpServers": {{"a": {entry}, "b": {entry}}}}}')
    first, second = ServersFile(tmp_path).load().profiles
    assert first.id == "1" != second.id


def test_a_folder_that_cannot_be_written_leaves_words_and_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "blocked").write_text("a file where a folder should be")
    with pytest.raises(StorageError, match="cannot be"):
        ServersFile(tmp_path / "blocked").save([FULL])
