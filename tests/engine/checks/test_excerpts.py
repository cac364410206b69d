"""Excerpts of messages around what a finding points at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.checks.excerpts import MAX_BYTES, MAX_CHARACTERS, MAX_LINES, Excerpts, excerpt
from tests.support.talk import Talk

if TYPE_CHECKING:
    from inspector.checks.excerpts import Excerpt
    from inspector.json_value import Json


def meant(found: Excerpt) -> str:
    """The part that is meant."""
    return found.lines[found.line][found.start : found.end] if found.line >= 0 else ""


def test_a_member_is_quoted_among_its_neighbors_below_the_name_of_what_holds_it() -> None:
    """Ours."""
    result: Json = {"structuredContent": {"orders": [[1], [2]], "total": "1204.50"}}

    found = excerpt({"result": result}, "/result/structuredContent/total")

    assert found.lines == (
        '"structuredContent": {',
        '  "orders": [ … ],',
        '  "total": "1204.50"',
        "}",
    )
    assert meant(found) == '"1204.50"'


@pytest.mark.parametrize(
    ("value", "pointer", "part"),
    [
        ({"a": {"b": 1}}, "/a/b", "1"),
        ({"a": [5, 6, 7]}, "/a/1", "6"),
        ({"a/b": {"~": None}}, "/a~1b/~0", "null"),
        ({"a": {"b": {"c": 1}}}, "/a/b/missing", '"b"'),
        ({"a": {"b": 1}}, "/a/b/c", "1"),
        ({"a": 1}, "/missing", "{"),
        ([{"name": "x"}], "/0/name", '"x"'),
        ({"a": {}}, "/a/b", "{}"),
        ({"a": "x" * 5000}, "/a", None),
    ],
)
def test_the_part_that_is_meant_is_marked_and_a_missing_one_by_what_would_hold_it(
    value: Json, pointer: str, part: str | None
) -> None:
    """Ours."""
    found = excerpt(value, pointer)

    assert meant(found)
    assert part is None or meant(found) == part


@pytest.mark.parametrize("at", [0, 1, 500, 998, 999])
def test_of_many_members_some_around_the_one_that_is_meant_are_quoted(at: int) -> None:
    """Ours."""
    value: Json = {"items": [f"item {number}" for number in range(1000)]}

    found = excerpt(value, f"/items/{at}")

    assert len(found.lines) <= MAX_LINES
    assert meant(found) == f'"item {at}"'
    assert all(len(line) <= MAX_CHARACTERS for line in found.lines)
    assert ("  …" in found.lines[1:3]) == (at > 2)
    assert ("  …" in found.lines[-3:-1]) == (at < 997)


def test_the_whole_message_has_no_part_that_is_marked() -> None:
    """Ours."""
    found = excerpt({"jsonrpc": "2.0", "id": None}, "")

    assert found.lines == ("{", '  "jsonrpc": "2.0",', '  "id": null', "}")
    assert found.line == -1


def test_lines_are_bounded_whatever_a_server_sent() -> None:
    """Ours."""
    name, deep = "n" * 10_000, "/".join(["", *["a"] * 3])
    value: Json = {"a": {"a": {"a": {name: "v" * 100_000, "\n\u202e": "\u202e\n" * 200}}}}

    for pointer in (deep, f"{deep}/{name}", f"{deep}/x", ""):
        found = excerpt(value, pointer)
        assert len(found.lines) <= MAX_LINES
        assert all(len(line) <= 2 * MAX_CHARACTERS for line in found.lines)
        assert "\u202e" not in found.text
        assert found.line < len(found.lines)


def test_frames_are_quoted_without_secrets_and_also_where_they_are_no_json() -> None:
    """Ours."""
    talk = Talk()
    talk.transcript.redaction.know(["hunter2-secret"])
    secret = talk.received({"result": {"token": "hunter2-secret"}})
    noise = talk.received(b"Listening on \x1b[1mport 80")
    huge = talk.received({"result": "x" * MAX_BYTES})
    excerpts = Excerpts(talk.transcript)

    assert "hunter2" not in excerpts.around(secret, "/result/token").text
    assert excerpts.around(secret, "/result/token").lines[0] == '"result": {'
    assert excerpts.around(noise, "").lines == ("Listening on ⟨ESC⟩[1mport 80",)
    assert excerpts.around(huge, "/result").lines == ()
    assert excerpts.around(999, "").lines == ()
