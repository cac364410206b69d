"""What the command line prints and leaves behind of a login: no secret of it; ours and C-SEC-17."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.auth.settings import Settings, Way
from tests.support.command_line import cli, with_folder
from tests.support.http_stub import reply
from tests.support.protected import Protected
from tests.support.recordings import written
from tests.support.traces import secrets_of, traces

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.support.keyrings import KeyringInMemory

SECRET = "client-secret/0123456789"


async def test_no_command_prints_or_writes_a_secret_of_a_login(
    kept: KeyringInMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-AUT-42, C-SEC-17: logging in, looking, calling, being refused, recording, logging out."""
    monkeypatch.setenv("CLIENT_SECRET", SECRET)
    client = ("--client-id", "me", "--client-secret-env", "CLIENT_SECRET")
    record = ("--record", str(tmp_path / "calls.spyglass"))
    printed: list[str] = []
    async with Protected(scope_of_calls="read") as server:
        server.metadata["token_endpoint_auth_methods_supported"] = ["client_secret_basic"]
        url = server.stub.url

        async def run(*arguments: str) -> None:
            is_offline = "transcript" in arguments  # which takes no folder
            done = await (cli(*arguments) if is_offline else with_folder(tmp_path, *arguments))
            printed.append(f"{done.out}\n{done.err}")

        await run(*client, "login", url)
        await run("--json", "auth", url)
        await run(*record, "call", "a", "--", url)
        await run("--json", "tools", "--", url)
        server.valid = set()
        await run("--json", "tools", "--", url)
        server.stub.play("POST /mcp", reply(307, location="https://x.example/?code=the-code"))
        await run("--json", "tools", "--", url)
        await run("transcript", str(tmp_path / "calls.spyglass"))
        await run("--json", "--secrets", "transcript", str(tmp_path / "calls.spyglass"))
        await run("logout", url)
        secrets = secrets_of(server, Settings(way=Way.CODE, client_secret=SECRET), None)

    assert "Logged in to" in printed[0]
    assert "called" in printed[2]
    assert len(secrets) >= 8
    assert traces(secrets, "\n".join(printed).encode()) == []
    assert traces(secrets, written(tmp_path)) == []
