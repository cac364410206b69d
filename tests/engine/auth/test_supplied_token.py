"""A protected server that is reached with a token from outside."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from inspector.auth.grant import Access, MemoryGrants
from inspector.auth.settings import Settings, Way
from inspector.auth.supplied_token import SuppliedToken, VariableSource
from inspector.errors import HttpStatus, InspectorError
from inspector.session.transport_factory import http_address
from inspector.workspace import Workspace
from tests.support.protected import Protected
from tests.support.recordings import written

if TYPE_CHECKING:
    from pathlib import Path

FIRST, SECOND = "token-number-1", "token-number-2"


def counting(folder: Path, *, most: int = 2) -> Settings:
    """A command that prints another token each time, `most` different ones."""
    code = (
        "import pathlib, sys\n"
        f"file = pathlib.Path({str(folder / 'runs')!r})\n"
        "runs = len(file.read_text()) + 1 if file.exists() else 1\n"
        "file.write_text('x' * runs)\n"
        f"print('token-number-' + str(min(runs, {most})))"
    )
    return Settings(way=Way.COMMAND, token_command=(sys.executable, "-c", code))


def runs(folder: Path) -> int:
    """How often that command ran."""
    return len((folder / "runs").read_text())


def workspace(settings: Settings, records: Path | None = None) -> Workspace:
    access = Access(settings, MemoryGrants())
    return Workspace(records, access=lambda _: access)


async def test_a_token_is_sent_with_the_first_request_and_asked_for_once(tmp_path: Path) -> None:
    """C-AUT-28, C-AUT-29; ours: no document is looked for."""
    async with Protected() as server:
        server.valid = {FIRST}
        opened = (open_all := workspace(counting(tmp_path))).open(server.profile)
        await opened.connect()
        await opened.session.request("tools/call", {"name": "a", "arguments": {}})
        await open_all.aclose()

        assert {asked.headers.get("authorization") for asked in server.stub.asked} == {
            f"Bearer {FIRST}"
        }
        assert runs(tmp_path) == 1
        assert opened.authorizer is None


async def test_an_expired_token_is_asked_for_again_and_the_request_sent_again(
    tmp_path: Path,
) -> None:
    """C-AUT-03; ours."""
    async with Protected() as server:
        server.valid = {FIRST}
        opened = (open_all := workspace(counting(tmp_path))).open(server.profile)
        await opened.connect()
        server.valid = {SECOND}
        await opened.session.request("tools/call", {"name": "a", "arguments": {}})
        await open_all.aclose()

        assert runs(tmp_path) == 2


async def test_a_command_is_asked_again_only_once_in_a_row(tmp_path: Path) -> None:
    """Ours."""
    async with Protected() as server:
        opened = (open_all := workspace(counting(tmp_path, most=99))).open(server.profile)
        with pytest.raises(HttpStatus) as failure:
            await opened.connect()
        await open_all.aclose()

    assert failure.value.status == 401
    assert "token command" in failure.value.reason
    assert runs(tmp_path) == 2


async def test_a_command_that_prints_the_same_token_again_is_told_from_one_that_does_not(
    tmp_path: Path,
) -> None:
    """Ours."""
    async with Protected() as server:
        opened = (open_all := workspace(counting(tmp_path, most=1))).open(server.profile)
        with pytest.raises(HttpStatus, match="same one again"):
            await opened.connect()
        await open_all.aclose()


async def test_a_variable_whose_token_is_rejected_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours."""
    monkeypatch.setenv("SOME_TOKEN", "a-rejected-token")
    settings = Settings(way=Way.VARIABLE, token_variable="SOME_TOKEN")
    async with Protected() as server:
        opened = (open_all := workspace(settings)).open(server.profile)
        with pytest.raises(HttpStatus) as failure:
            await opened.connect()
        await open_all.aclose()

    assert "SOME_TOKEN" in failure.value.reason
    assert "a-rejected-token" not in failure.value.reason
    assert "SOME_TOKEN" in failure.value.hint


async def test_without_a_token_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours: the failure names the variable."""
    monkeypatch.delenv("SOME_TOKEN", raising=False)
    settings = Settings(way=Way.VARIABLE, token_variable="SOME_TOKEN")
    async with Protected() as server:
        opened = (open_all := workspace(settings)).open(server.profile)
        with pytest.raises(InspectorError, match="SOME_TOKEN is not set"):
            await opened.connect()
        await open_all.aclose()

        assert server.stub.asked == []


async def test_a_token_goes_to_no_other_host() -> None:
    """C-AUT-29, C-AUT-30."""
    async with Protected() as server:
        source = VariableSource("T", {"T": "a-token"})
        credentials = SuppliedToken(http_address(server.profile), Settings(), source)
        ours = await credentials.headers("POST", server.stub.url)

        assert ours == (("Authorization", "Bearer a-token"),)
        assert await credentials.headers("POST", "https://elsewhere.example/mcp") == ()


async def test_a_recording_holds_no_token_from_outside(tmp_path: Path) -> None:
    """C-SEC-15, C-SEC-17: neither one that is good nor one that is refused."""
    async with Protected() as server:
        server.valid = {SECOND}
        open_all = workspace(counting(tmp_path), tmp_path / "records")
        opened = open_all.open(server.profile)
        await opened.connect()
        await open_all.aclose()
    left = written(tmp_path / "records")

    assert b"tools/list" in left
    assert FIRST.encode() not in left
    assert SECOND.encode() not in left
