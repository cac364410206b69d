"""The rules that are muted for one server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from inspector.config.client_settings import ClientSettings
from inspector.config.muted_rules import MAX_REASON, MAX_RULES, MutedRules, read_file, read_rules
from inspector.config.profile import Profile
from inspector.errors import StorageError
from inspector.workspace import Workspace
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.json_value import Json


@pytest.mark.parametrize(
    ("value", "rules"),
    [
        ({"A": "why", "B": ""}, {"A": "why", "B": ""}),
        (["A", 1, "B"], {"A": "", "B": ""}),
        ({"A": 5, "": "x", "n" * 101: "x"}, {"A": ""}),
        ("A", {}),
        (None, {}),
        ({"A": "w" * 10_000}, {"A": "w" * MAX_REASON}),
    ],
)
def test_what_is_not_understood_of_a_file_is_left_out(value: Json, rules: dict[str, str]) -> None:
    """Ours: the file may come from anywhere."""
    assert read_rules(value) == rules
    assert len(read_rules([f"R-{at}" for at in range(MAX_RULES + 5)])) == MAX_RULES


async def test_rules_are_kept_in_the_settings_of_their_server(tmp_path: Path) -> None:
    """Ours."""
    settings = ClientSettings(tmp_path)
    server, other = Profile(name="a", command="a"), Profile(name="b", command="b")
    workspace = Workspace(None, settings)

    workspace.client_profile(server).muted.mute("L-TOOL-08", "by design")
    await workspace.aclose()
    await settings.aclose()

    saved = ClientSettings(tmp_path)
    await saved.load()
    again = Workspace(None, saved)
    assert again.client_profile(server).muted.reasons == {"L-TOOL-08": "by design"}
    assert again.client_profile(other).muted.reasons == {}


async def test_rules_are_kept_in_a_file_whose_other_members_stay(tmp_path: Path) -> None:
    """Ours: it can be committed, and others may have put something into it."""
    path = tmp_path / ".spyglass.json"
    path.write_text(json.dumps({"version": 1, "mutedRules": {"B": "known"}}))
    kept: list[Json] = []
    muted = MutedRules(None, kept.append)
    muted.mute("A")

    await muted.use_file(path)
    assert muted.reasons == {"A": "", "B": "known"}
    muted.mute("C", "why")
    muted.unmute("A")
    await muted.aclose()

    assert json.loads(path.read_text()) == {"version": 1, "mutedRules": {"B": "known", "C": "why"}}
    again = MutedRules(kept[-1])
    assert again.path == path
    path.write_text(json.dumps({"mutedRules": ["D"]}))
    await again.load()
    assert again.reasons == {"D": ""}


async def test_a_file_that_is_no_json_is_left_as_it_is(tmp_path: Path) -> None:
    """Ours."""
    path = tmp_path / "mine.json"
    path.write_text("{oops")
    muted = MutedRules()

    with pytest.raises(StorageError):
        await muted.use_file(path)
    with pytest.raises(StorageError):
        read_file(path)
    assert (muted.path, muted.reasons) == (None, {})

    later = MutedRules({"rules": {"A": ""}, "file": str(path)})
    await later.load()
    assert later.problem
    assert later.reasons == {"A": ""}
    later.mute("B")
    await later.aclose()
    assert path.read_text() == "{oops"

    later.use_settings()
    assert (later.problem, later.path) == ("", None)


async def test_changes_are_announced_once_each() -> None:
    """Ours."""
    muted = MutedRules()
    fired: list[int] = []
    muted.changed.subscribe(lambda: fired.append(len(muted.reasons)))

    muted.mute("A")
    muted.mute("A")
    muted.unmute("A")
    muted.unmute("A")

    assert fired == [1, 0]


async def test_the_file_is_read_again_with_every_connection(tmp_path: Path) -> None:
    """Ours: it may have been edited, or pulled, meanwhile."""
    path = tmp_path / ".spyglass.json"
    settings = ClientSettings(None)
    profile = Profile(name="a", command="no-such-program")
    settings.set_part(profile.id, "muted", {"rules": {}, "file": str(path)})
    workspace = Workspace(None, settings)
    path.write_text(json.dumps({"mutedRules": {"A": ""}}))

    opened = workspace.open(profile)

    await wait_until(lambda: opened.client.muted.reasons == {"A": ""})
    await workspace.aclose()
