"""Saved servers that are protected: the command line lets itself in as they are saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.auth.settings import Settings, Way
from inspector.cli.codes import FINE, USAGE
from inspector.library.library import Library
from inspector.library.profile import Profile
from inspector.library.secrets import FileSecrets
from inspector.library.servers_file import ServersFile
from tests.engine.demo.test_http import demo
from tests.support.command_line import with_folder
from tests.support.protected import Protected
from tests.support.recordings import written

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


async def save(folder: Path, url: str, settings: Settings) -> None:
    """Save a server that is called `it`."""
    library = Library(ServersFile(folder), lambda: FileSecrets(folder))
    library.add(Profile(name="it", transport="http", url=url, authorization=settings))
    await library.save()
    await library.aclose()


async def test_a_saved_client_gets_its_token_with_its_sealed_secret(tmp_path: Path) -> None:
    """C-AUT-47; ours."""
    async with demo("--http", "0", "--auth", "--auth-consent", "auto") as url:
        settings = Settings(
            way=Way.CLIENT_CREDENTIALS, client_id="demo-client", client_secret="demo-secret"
        )
        await save(tmp_path, url, settings)
        printed = await with_folder(tmp_path, "--quiet", "--server", "it", "tools")

    assert (printed.code, printed.err) == (FINE, "")


async def test_a_saved_variable_gives_the_token_and_a_switch_wins_over_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-SEC-15; ours: the token is in no recording."""
    monkeypatch.setenv("SAVED_TOKEN", "the-saved-token")
    monkeypatch.setenv("OTHER_TOKEN", "the-other-token")
    record = ("--record", str(tmp_path / "x.spyglass"))
    async with Protected() as server:
        settings = Settings(way=Way.VARIABLE, token_variable="SAVED_TOKEN")
        await save(tmp_path, server.stub.url, settings)
        server.valid = {"the-saved-token"}
        saved = await with_folder(tmp_path, "--quiet", *record, "--server", "it", "tools")
        server.valid = {"the-other-token"}
        switch = ("--token-env", "OTHER_TOKEN")
        other = await with_folder(tmp_path, "--quiet", *switch, "--server", "it", "tools")
        login = await with_folder(tmp_path, "--server", "it", "login")

    assert [saved.code, other.code, login.code] == [FINE, FINE, USAGE]
    assert "no login" in login.err
    assert b"the-saved-token" not in written(tmp_path)
