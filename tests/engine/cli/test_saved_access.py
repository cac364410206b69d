"""What is saved of protected servers, and what the command line says: who wins, and what is told where neither can be followed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from inspector.auth.settings import Settings, Way
from inspector.cli.command import SUCCESS, UNAUTHORIZED, USAGE
from inspector.config.profile import Profile
from inspector.config.secrets import FileSecrets
from inspector.config.server_list import ServerList
from inspector.config.servers_file import ServersFile
from tests.support.command_line import with_folder
from tests.support.demo_server import demo
from tests.support.protected import Protected
from tests.support.recordings import written
from tests.support.traces import secrets_of, traces

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.keyrings import KeyringInMemory


async def save(folder: Path, url: str, settings: Settings) -> None:
    """Save a server that is called `it`."""
    server_list = ServerList(ServersFile(folder), lambda: FileSecrets(folder))
    server_list.add(Profile(name="it", transport="http", url=url, authorization=settings))
    await server_list.save()
    await server_list.aclose()


async def test_a_saved_client_gets_its_token_with_its_sealed_secret(tmp_path: Path) -> None:
    """C-AUT-47; ours."""
    async with demo("--http", "0", "--auth", "--auth-consent", "auto") as url:
        settings = Settings(
            way=Way.CLIENT_CREDENTIALS, client_id="demo-client", client_secret="demo-secret"
        )
        await save(tmp_path, url, settings)
        printed = await with_folder(tmp_path, "--quiet", "--server", "it", "tools")

    assert (printed.code, printed.err) == (SUCCESS, "")


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

    assert [saved.code, other.code, login.code] == [SUCCESS, SUCCESS, USAGE]
    assert "no login" in login.err
    assert b"the-saved-token" not in written(tmp_path)


async def test_a_client_that_the_command_line_names_wins_over_the_one_that_is_kept(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """C-AUT-12, C-AUT-13; ours."""
    document = "https://client.example/about.json"
    async with Protected() as server:
        server.metadata["client_id_metadata_document_supported"] = True
        await with_folder(tmp_path, "login", server.stub.url)
        switch = ("--client-metadata-url", document)
        printed = await with_folder(tmp_path, "--json", *switch, "login", server.stub.url)

    assert json.loads(printed.out)["login"]["clientId"] == document
    assert kept.kept


async def test_saved_logins_are_listed_without_their_tokens(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """Ours: until they are ended; a keyring cannot be listed, the marks of its grants can."""
    before = await with_folder(tmp_path, "logins", "--json")
    async with Protected() as server:
        await with_folder(tmp_path, "login", server.stub.url)
        listed = await with_folder(tmp_path, "logins", "--json")
        printed = await with_folder(tmp_path, "logins")
        await with_folder(tmp_path, "logout", server.stub.url)
        after = await with_folder(tmp_path, "logins", "--json")
        secrets = secrets_of(server, Settings(), None)

    (login,) = json.loads(listed.out)["logins"]
    assert login["server"] == server.stub.url
    assert server.stub.url in printed.out
    assert traces(secrets, f"{listed.out}{printed.out}{printed.err}".encode()) == []
    assert json.loads(before.out) == json.loads(after.out) == {"logins": []}
    assert kept.kept is not None


async def test_a_callback_port_that_is_taken_is_told(kept: KeyringInMemory, tmp_path: Path) -> None:
    """Ours: no step of the authorization has failed."""
    async with Protected() as server:
        port = str(server.stub.port)
        printed = await with_folder(tmp_path, "--callback-port", port, "login", server.stub.url)

    assert printed.code == UNAUTHORIZED
    assert f"cannot listen on port {port}" in printed.err
    assert kept.kept == {}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--token-env", "NO_TOKEN", "tools", "--", "http://127.0.0.1:9/mcp"), "NO_TOKEN"),
        (("--token-env", "TOKEN", "tools", "--", "python"), "--env"),
        (
            ("--token-env", "TOKEN", "--header", "Authorization: x", "tools", "--", "http://a/"),
            "header Authorization",
        ),
        (
            ("--client-id", "a", "--client-key", "no-such-file", "login", "http://a/"),
            "no-such-file",
        ),
    ],
)
async def test_what_cannot_be_followed_is_told_before_the_server_is_asked(
    arguments: tuple[str, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours."""
    monkeypatch.setenv("TOKEN", "a-token")
    monkeypatch.delenv("NO_TOKEN", raising=False)
    printed = await with_folder(tmp_path, *arguments)

    assert printed.code == USAGE
    assert told in printed.err
