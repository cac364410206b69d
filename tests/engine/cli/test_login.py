"""`spyglass-cli login` and `logout`, and what the other commands make of a login."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import keyring

from inspector.auth.settings import Settings, Way
from inspector.cli.command import ERROR_RESPONSE, SUCCESS, UNAUTHORIZED, USAGE
from inspector.config.saved_grants import open_grants
from inspector.demo.auth.faults import Fault
from tests.support.command_line import cli, with_folder
from tests.support.demo_server import demo
from tests.support.http_stub import HttpStub, reply
from tests.support.keyrings import FILE_VARIABLE, KeyringInMemory, LockedKeyring
from tests.support.protected import Protected
from tests.support.recordings import written

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).parents[3]
AUTH = ("--http", "0", "--auth", "--auth-consent", "auto")


async def test_a_login_is_kept_and_used_by_every_later_command(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """C-AUT-18, C-AUT-28; ours."""
    async with Protected() as server:
        url = server.stub.url
        done = await with_folder(tmp_path, "login", url)
        before = len(server.stub.asked)
        used = await with_folder(tmp_path, "--quiet", "tools", "--", url)
        paths = {asked.path for asked in server.stub.asked[before:]}
        shown = await with_folder(tmp_path, "--json", "auth", url)

    assert (done.code, used.code) == (SUCCESS, SUCCESS)
    assert json.loads(shown.out)["login"]["hasRefreshToken"]
    assert "Logged in to" in done.out
    assert paths == {"/mcp"}
    assert used.err == ""
    assert kept.kept


async def test_the_window_finds_the_login_of_the_command_line(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """Ours: the keys are the same."""
    async with Protected() as server:
        await with_folder(tmp_path, "login", server.stub.url)
        grants = open_grants(tmp_path, lambda: kept)
        assert grants is not None
        server.grants = grants  # pyright: ignore[reportAttributeAccessIssue] - what a window uses
        workspace = server.workspace(Settings(way=Way.CODE), with_user=False)
        opened = workspace.open(server.profile)
        await opened.connect()
        await workspace.aclose()

        assert server.count("GET /authorize") == 1


async def test_a_second_login_gets_another_token_from_the_same_client(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """Ours: whoever logs in again wants to be asked again."""
    async with Protected() as server:
        for _ in range(2):
            assert (await with_folder(tmp_path, "login", server.stub.url)).code == SUCCESS

        assert server.count("GET /authorize") == 2
        assert server.count("POST /register") == 1
    assert kept.kept


async def test_a_logout_revokes_the_token_and_forgets_it(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """RFC 7009; ours."""
    async with Protected() as server:
        url = server.stub.url
        await with_folder(tmp_path, "login", url)
        done = await with_folder(tmp_path, "logout", url)
        again = await with_folder(tmp_path, "logout", url)
        used = await with_folder(tmp_path, "--quiet", "tools", "--", url)
        (revoked,) = server.forms("POST /revoke")

    assert [done.code, again.code, used.code] == [SUCCESS, SUCCESS, UNAUTHORIZED]
    assert revoked["token_type_hint"] == "refresh_token"
    assert kept.kept == {}
    assert "revoked" in done.out


async def test_a_token_that_cannot_be_revoked_is_forgotten_all_the_same(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """Ours: the exit code tells a refusal from an authorization server that revokes nothing."""
    codes: list[int] = []
    for endpoint in (None, "/nowhere"):
        async with Protected() as server:
            value = f"{server.issuer}{endpoint}" if endpoint else None
            server.metadata["revocation_endpoint"] = value
            await with_folder(tmp_path, "login", server.stub.url)
            codes.append((await with_folder(tmp_path, "logout", server.stub.url)).code)

    assert codes == [SUCCESS, ERROR_RESPONSE]
    assert kept.kept == {}


async def test_without_a_login_a_refusal_ends_with_the_command_that_logs_in(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """Ours."""
    async with Protected() as server:
        url = server.stub.url
        printed = await with_folder(tmp_path, "--quiet", "--json", "tools", "--", url)
        command = f"spyglass-cli login --folder {tmp_path} {url}"

        assert printed.code == UNAUTHORIZED
        assert f"To log in: {command}" in printed.err
        assert json.loads(printed.out)["error"]["login"] == command
        assert {asked.path for asked in server.stub.asked} == {"/mcp"}
    assert kept.kept == {}


async def test_a_keyring_is_left_alone_where_no_login_is_kept(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """Ours: it may ask its user for a password."""
    keyring.set_keyring(LockedKeyring())
    async with HttpStub() as stub:
        printed = await with_folder(tmp_path, "--quiet", "tools", "--", stub.url)

    assert (printed.code, printed.err) == (SUCCESS, "")
    assert kept.kept == {}


async def test_a_keyring_that_cannot_be_read_is_a_warning(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """Ours: the server may let everybody in by now."""
    async with Protected() as server:
        url = server.stub.url
        await with_folder(tmp_path, "login", url)
        keyring.set_keyring(LockedKeyring())
        used = await with_folder(tmp_path, "--quiet", "tools", "--", url)
        out = await with_folder(tmp_path, "logout", url)

    assert (used.code, out.code) == (UNAUTHORIZED, UNAUTHORIZED)
    assert "warning: logins cannot be read" in used.err
    assert "Unlock the keyring" in out.err
    assert kept.kept


async def test_no_login_is_suggested_where_the_server_wants_another_scheme() -> None:
    """Ours."""
    refusal = reply(401, www_authenticate='Basic realm="x"')
    async with HttpStub({"POST": refusal, "GET": refusal}) as stub:
        printed = await cli("--quiet", "tools", "--", stub.url)

    assert printed.code == UNAUTHORIZED
    assert "spyglass-cli login" not in printed.err


async def test_a_missing_scope_ends_with_the_command_that_logs_in(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """C-AUT-33."""
    async with Protected() as server:
        url = server.stub.url
        await with_folder(tmp_path, "login", url)
        server.scope_of_calls = "write"
        printed = await with_folder(tmp_path, "--quiet", "call", "a", "--", url)

    assert printed.code == UNAUTHORIZED
    assert "requires the scope write" in printed.err
    assert f"{url} --scope 'read write'" in printed.err
    assert kept.kept


async def test_a_header_of_the_user_wins_over_a_login(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """Ours."""
    async with Protected() as server:
        url = server.stub.url
        await with_folder(tmp_path, "login", url)
        server.stub.asked.clear()
        header = ("--header", "Authorization: Bearer a-token-of-mine")
        await with_folder(tmp_path, "--quiet", *header, "tools", "--", url)

        sent = {asked.headers.get("authorization") for asked in server.stub.asked}
    assert sent == {"Bearer a-token-of-mine"}
    assert kept.kept


async def test_without_a_keyring_a_login_is_refused_before_it_begins(tmp_path: Path) -> None:
    """C-AUT-42: no token is written to a file."""
    async with Protected() as server:
        printed = await with_folder(tmp_path, "login", server.stub.url)

        assert printed.code == USAGE
        assert "keyring" in printed.err
        assert "--no-browser" in printed.err
        assert server.stub.asked == []
    assert written(tmp_path) == b""


async def test_without_a_keyring_a_command_can_log_in_for_itself(tmp_path: Path) -> None:
    """Ours: the token lives as long as the command."""
    async with Protected() as server:
        switches = ("--quiet", "--no-browser")
        printed = await with_folder(tmp_path, *switches, "tools", "--", server.stub.url)

        assert printed.code == SUCCESS
        assert server.count("GET /authorize") == 1
    assert b"access-token" not in written(tmp_path)


async def test_client_credentials_need_no_user_and_leave_nothing(
    kept: KeyringInMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-AUT-47."""
    monkeypatch.setenv("CLIENT_SECRET", "demo-secret")
    client = ("--client-credentials", "--client-id", "demo-client")
    secret = ("--client-secret-env", "CLIENT_SECRET")
    async with demo(*AUTH) as url:
        printed = await with_folder(tmp_path, "--quiet", *client, *secret, "tools", "--", url)
        without = await with_folder(tmp_path, "--quiet", *client, "tools", "--", url)

    assert (printed.code, without.code) == (SUCCESS, USAGE)
    assert "--client-secret-env" in without.err
    assert kept.kept == {}


async def test_a_token_can_come_from_a_variable_or_a_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Ours."""
    monkeypatch.setenv("SOME_TOKEN", "the-good-token")
    monkeypatch.delenv("NO_TOKEN", raising=False)
    async with Protected() as server:
        server.valid = {"the-good-token"}
        codes: list[int] = []
        for switches in (
            ("--token-env", "SOME_TOKEN"),
            ("--token-command", f"'{sys.executable}' -c 'print(\"the-good-token\")'"),
            ("--token-env", "NO_TOKEN"),
        ):
            task = (*switches, "tools", "--", server.stub.url)
            codes.append((await with_folder(tmp_path, "--quiet", *task)).code)

    assert codes == [SUCCESS, SUCCESS, USAGE]


async def test_a_registration_that_requires_a_token_gets_it(
    kept: KeyringInMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RFC 7591, section 3."""
    monkeypatch.setenv("GOOD", "demo-initial-token")
    monkeypatch.setenv("BAD", "another-initial-token")
    async with demo(*AUTH, "--auth-fault", Fault.REGISTRATION_INITIAL_TOKEN) as url:
        without = await with_folder(tmp_path, "login", url)
        wrong = await with_folder(tmp_path, "--initial-access-token-env", "BAD", "login", url)
        right = await with_folder(tmp_path, "--initial-access-token-env", "GOOD", "login", url)

    assert [without.code, wrong.code, right.code] == [UNAUTHORIZED, UNAUTHORIZED, SUCCESS]
    assert "--initial-access-token-env" in without.err
    assert "another-initial-token" not in wrong.err
    assert kept.kept


async def test_a_login_that_fails_tells_the_step_and_what_to_do(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """C-AUT-24; ours."""
    async with Protected() as server:
        server.resource["resource"] = "https://inner.example/mcp"
        printed = await with_folder(tmp_path, "login", server.stub.url)
        accepted = await with_folder(tmp_path, "--accept", "resource", "login", server.stub.url)

    assert printed.code == UNAUTHORIZED
    assert "L-AUT-04" in printed.err
    assert "--accept resource" in printed.err
    assert accepted.code == SUCCESS
    assert kept.kept


async def test_a_token_that_the_server_rejects_is_not_kept(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """Ours: it would be sent with every command."""
    async with Protected() as server:
        server.refuses_all = True
        printed = await with_folder(tmp_path, "login", server.stub.url)

    assert printed.code == UNAUTHORIZED
    assert "rejects the token" in printed.err
    assert kept.kept == {}


async def test_a_kept_client_that_is_refused_is_registered_again_the_next_time(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """C-AUT-18; RFC 8252, section 7.3: some servers demand the port that was registered."""
    async with demo(*AUTH, "--auth-fault", Fault.REDIRECT_PORT) as url:
        codes = [(await with_folder(tmp_path, "login", url)).code for _ in range(3)]

    assert codes == [SUCCESS, UNAUTHORIZED, SUCCESS]
    assert kept.kept


async def test_an_error_of_the_authorization_server_cannot_pass_for_a_line_of_ours(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """C-SEC-05; ours."""
    async with Protected() as server:
        server.token["error"] = "invalid_grant"
        server.token["error_description"] = "no\x1b[2J\nLogged in to http://x.example/"
        printed = await with_folder(tmp_path, "login", server.stub.url)

    assert printed.code == UNAUTHORIZED
    assert "\x1b" not in printed.err
    assert not any(line.startswith("Logged in") for line in printed.err.splitlines())
    assert kept.kept


async def test_a_server_that_hides_its_protection_can_be_logged_in_to(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """Ours: 404 in the place of 401 is a usual mistake."""
    async with demo(*AUTH, "--auth-fault", Fault.STATUS_404) as url:
        done = await with_folder(tmp_path, "login", url)
        used = await with_folder(tmp_path, "--quiet", "tools", "--", url)

    assert (done.code, used.code) == (SUCCESS, SUCCESS)
    assert kept.kept


async def test_a_server_without_authorization_needs_no_login(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """Ours."""
    async with HttpStub() as stub:
        printed = await with_folder(tmp_path, "login", stub.url)

    assert printed.code == USAGE
    assert "requires no authorization" in printed.err
    assert kept.kept == {}


def test_processes_share_a_login_and_none_renews_it_with_a_token_that_is_used_up(
    tmp_path: Path,
) -> None:
    """C-AUT-43; ours: rotation would end the grant. These tokens are renewed before every request."""
    environment = {
        **os.environ,
        "PYTHON_KEYRING_BACKEND": "tests.support.keyrings.KeyringInFile",
        FILE_VARIABLE: str(tmp_path / "keyring"),
    }

    def command(*arguments: str) -> list[str]:
        return [sys.executable, "-m", "inspector", "--quiet", "--folder", str(tmp_path), *arguments]

    with subprocess.Popen(
        [sys.executable, "-m", "inspector.demo", *AUTH, "--auth-token-seconds", "20"],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            assert server.stderr is not None
            url = next(line for line in server.stderr if "listening on " in line).split()[-1]
            login = subprocess.run(
                command("login", url), cwd=ROOT, env=environment, timeout=30, check=False
            )
            several = [
                subprocess.Popen(command("info", "--", url), cwd=ROOT, env=environment)
                for _ in range(2)
            ]
            codes = [each.wait(30) for each in several]
        finally:
            server.kill()

    assert login.returncode == SUCCESS
    assert codes == [SUCCESS] * 2
