"""Which server a command line names, and what is printed where it names none or one that cannot be reached so; ours."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from inspector.cli.arguments import suggested_url
from inspector.cli.command import (
    COMMANDS,
    NOT_CONFIRMED,
    NOT_CONNECTED,
    SUCCESS,
    UNAUTHORIZED,
    USAGE,
)
from inspector.cli.command_line import read
from inspector.config.profile import Profile
from inspector.config.secrets import FileSecrets
from inspector.config.server_list import ServerList
from inspector.config.servers_file import ServersFile
from inspector.session.negotiation import HANDSHAKE
from tests.support.certificates import make_certificates
from tests.support.command_line import cli
from tests.support.http_stub import Asked, HttpStub, Reply, reply, well_behaved
from tests.support.tunnel import Tunnel

DEMO = (sys.executable, "-m", "inspector.demo")
ROOT = Path(__file__).parents[3]


def refused(*arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as ended:
        read(arguments)
    assert ended.value.code == USAGE
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("texts", "line"),
    [
        (("info", "http://h:1/mcp"), "info -- http://h:1/mcp"),
        (("tools", "127.0.0.1:9333/mcp"), "tools -- 127.0.0.1:9333/mcp"),
        (("call", "echo", '{"a": 1}', "localhost:9333"), "-- localhost:9333"),
        (("read", "https://x.example/mcp"), "-- https://x.example/mcp"),
    ],
)
def test_a_missing_separator_is_named_with_the_line_to_write(
    texts: tuple[str, ...], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ours."""
    err = refused(*texts, capsys=capsys)
    assert "`--` is missing" in err
    assert line in err


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("127.0.0.1:9333/mcp", "http://127.0.0.1:9333/mcp"),
        ("localhost:9333", "http://localhost:9333"),
        ("localhost/mcp", "http://localhost/mcp"),
        ("[::1]:9333/mcp", "http://[::1]:9333/mcp"),
        ("myhost:8080", "http://myhost:8080"),
        ("mcp.example.com:8443/mcp", "http://mcp.example.com:8443/mcp"),
        ("mcp.example.com/mcp", "https://mcp.example.com/mcp"),
        ("mcp.example.com:443", "https://mcp.example.com:443"),
        ("http:/127.0.0.1:9/mcp", "http://127.0.0.1:9/mcp"),
        ("https//mcp.example.com", "https://mcp.example.com"),
        ("HTTP:localhost:9", "http://localhost:9"),
        ("http://localhost", ""),
        ("https", ""),
        ("httpx/run", ""),
        ("example.com/mcp", "https://example.com/mcp"),
        ("example.com/v1/sse?key=1", "https://example.com/v1/sse?key=1"),
        ("my.app/server", ""),
        ("build.release/server", ""),
        ("com.example/server", ""),
        ("localhost-server", ""),
        ("localhost.py", ""),
        ("python", ""),
        ("./server.py", ""),
        ("server.py", ""),
        ("/usr/bin/server", ""),
        ("C:\\server.exe", ""),
        ("mcp-server-git", ""),
    ],
)
def test_an_address_without_a_scheme_is_told_from_a_program(text: str, url: str) -> None:
    """Ours."""
    assert suggested_url(text) == url


@pytest.mark.parametrize("address", ["127.0.0.1:9/mcp", "localhost:9"])
async def test_an_address_without_a_scheme_gets_the_url_that_was_meant(address: str) -> None:
    """Ours: `there is no file` alone helps nobody."""
    printed = await cli("info", "--", address)
    assert printed.code == NOT_CONNECTED
    assert f"http://{address}" in printed.err


async def test_a_revision_that_the_server_does_not_confirm_is_warned_of() -> None:
    """Ours: the window says so too. A program that tests for an exit code of 0 must not believe it."""
    server = (*DEMO, "--era", "stateful")
    printed = await cli("--quiet", "--revision", "2026-07-28", "info", "--", *server)
    assert printed.code == NOT_CONFIRMED
    assert "not confirmed by the server" in printed.err


async def test_a_revision_that_the_server_confirms_is_no_warning() -> None:
    """Ours."""
    server = (*DEMO, "--era", "stateless")
    printed = await cli("--quiet", "--revision", "2026-07-28", "info", "--", *server)
    assert (printed.code, printed.err) == (SUCCESS, "")


async def test_a_server_that_requires_authorization_has_an_exit_code_of_its_own() -> None:
    """Ours."""
    refusal = reply(401, b"{}", "application/json", WWW_Authenticate='Bearer realm="x"')
    async with HttpStub({"POST": refusal, "GET": refusal}) as stub:
        printed = await cli("--quiet", "info", "--", stub.url)
    assert printed.code == UNAUTHORIZED


async def test_certificates_can_be_trusted_presented_and_left_unverified(tmp_path: Path) -> None:
    """Ours: each remedy of the window has its switch."""
    made = make_certificates(tmp_path)
    async with HttpStub(tls=made.server_context(asks_client=True)) as stub:
        untrusted = await cli("--quiet", "tools", "--", stub.url)
        switches = ("--client-cert", str(made.client))
        trusted = await cli(
            "--quiet", "--ca", str(made.authority), *switches, "tools", "--", stub.url
        )
        unverified = await cli("--quiet", "--insecure", *switches, "tools", "--", stub.url)
    assert [untrusted.code, trusted.code, unverified.code] == [NOT_CONNECTED, SUCCESS, SUCCESS]


async def test_a_proxy_can_be_named(tmp_path: Path) -> None:
    """Ours."""
    context = make_certificates(tmp_path).server_context()
    async with HttpStub(tls=context) as stub, Tunnel(stub.port) as tunnel:
        switches = ("--quiet", "--insecure", "--proxy", tunnel.url)
        printed = await cli(*switches, "tools", "--", stub.url)
        assert (printed.code, bool(tunnel.heads)) == (SUCCESS, True)


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A folder of Spyglass with two saved servers, one with a secret."""
    server_list = ServerList(ServersFile(tmp_path), lambda: FileSecrets(tmp_path))
    server_list.add(
        Profile(
            name="demo", command=DEMO[0], args=DEMO[1:], cwd=str(ROOT), env=(("API_TOKEN", "hush"),)
        ),
        Profile(name="other", command="no-such-program"),
    )
    await server_list.save()
    await server_list.aclose()
    return tmp_path


async def test_a_saved_server_is_named_by_its_name(folder: Path) -> None:
    """Ours."""
    printed = await cli("--quiet", "--folder", str(folder), "--server", "demo", "tools")
    assert (printed.code, "echo" in printed.out) == (SUCCESS, True)


async def test_a_server_that_is_not_saved_is_refused_with_the_names_that_are(folder: Path) -> None:
    """Ours."""
    printed = await cli("--folder", str(folder), "--server", "dmo", "tools")
    assert printed.code == USAGE
    assert "“demo”, “other”" in printed.err


@pytest.mark.parametrize("form", ["json", "toml", "yaml", "line"])
async def test_a_server_of_another_client_s_file_is_used(tmp_path: Path, form: str) -> None:
    """Ours."""
    entry = {"command": DEMO[0], "args": list(DEMO[1:]), "cwd": str(ROOT), "envFile": ".env"}
    texts = {
        "json": json.dumps({"mcpServers": {"demo": entry}}),
        "toml": "[mcp_servers.demo]\n"
        + "\n".join(f"{k} = {json.dumps(v)}" for k, v in entry.items()),
        "yaml": "mcpServers:\n  demo: " + json.dumps(entry),
        "line": f"cd {shlex.quote(str(ROOT))} && {shlex.join(DEMO)}",
    }
    file = tmp_path / "servers"
    encoding = "utf-16" if form == "toml" else "utf-8"  # as shells of Windows write files
    file.write_text(texts[form], encoding)
    printed = await cli("--quiet", "--config", str(file), "tools")
    assert (printed.code, "echo" in printed.out) == (SUCCESS, True)
    assert ("envFile" in printed.err) == (form != "line")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"{\xff", "not encoded in UTF-8"),
        (b"\xff\xfe{", "not encoded in UTF-16"),
        (b"{}", "names no server"),
        (b'{"mcpServers": {}}', "is empty"),
        (None, "is not a file"),
    ],
)
async def test_a_file_that_names_no_server_is_refused_with_the_reason(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    """Ours."""
    file = tmp_path / "servers.json"
    if content is not None:
        file.write_bytes(content)
    printed = await cli("--config", str(file), "tools")
    assert printed.code == USAGE
    assert str(file) in printed.err
    assert reason in printed.err


async def test_of_several_servers_in_a_file_one_has_to_be_named(tmp_path: Path) -> None:
    """Ours."""
    file = tmp_path / "servers.json"
    file.write_text('{"a": {"command": "x"}, "b": {"command": "y"}}')
    printed = await cli("--config", str(file), "tools")
    assert printed.code == USAGE
    assert "“a”, “b”" in printed.err


async def test_of_several_servers_in_a_file_only_the_chosen_one_is_warned_about(
    tmp_path: Path,
) -> None:
    """Ours."""
    file = tmp_path / "servers.json"
    file.write_text(
        '{"a": {"command": "x", "args": ["${A_ROOT}"]}, "b": {"command": "y z", "args": ["${B_ROOT}"]}}'
    )
    printed = await cli("--config", str(file), "--server", "a", "tools")
    assert "A_ROOT" in printed.err
    assert "B_ROOT" not in printed.err
    assert "y z" not in printed.err


async def test_an_entry_that_runs_a_program_for_its_token_is_told(tmp_path: Path) -> None:
    """C-SEC-05."""
    file = tmp_path / "servers.json"
    access = {"way": "command", "tokenCommand": ["no-such-program"]}
    entry = {"url": "http://127.0.0.1:9/mcp", "spyglass": {"authorization": access}}
    file.write_text(json.dumps({"mcpServers": {"a": entry}}))
    printed = await cli("--quiet", "--config", str(file), "tools")

    assert printed.code == NOT_CONNECTED
    assert (
        "warning: the entry runs a program to get the access token: no-such-program" in printed.err
    )


def test_a_server_is_named_in_one_way_only(capsys: pytest.CaptureFixture[str]) -> None:
    """Ours."""
    assert "either" in refused("--server", "x", "tools", "--", "y", capsys=capsys)


async def test_placeholders_of_a_configuration_are_filled_only_when_that_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: it is said what was taken from the environment, but not which values."""
    monkeypatch.setenv("SPYGLASS_TEST_KEY", "hush-1")
    monkeypatch.delenv("SPYGLASS_TEST_LOST", raising=False)
    seen: list[str | None] = []

    def answer(asked: Asked) -> Reply:
        seen.append(asked.headers.get("x-key"))
        return well_behaved(asked)

    async with HttpStub(otherwise=answer) as stub:
        file = tmp_path / "mcp.json"
        headers = {"X-Key": "${SPYGLASS_TEST_KEY}", "X-Lost": "${SPYGLASS_TEST_LOST}"}
        servers = {"s": {"type": "http", "url": stub.url, "headers": headers}}
        file.write_text(json.dumps({"mcpServers": servers}))

        left = await cli("--config", str(file), "--revision", HANDSHAKE, "tools")
        assert set(seen) == {"${SPYGLASS_TEST_KEY}"}
        assert "--fill takes from the environment: ${SPYGLASS_TEST_KEY}" in left.err
        seen.clear()
        filled = await cli("--config", str(file), "--fill", "--revision", HANDSHAKE, "tools")
        assert set(seen) == {"hush-1"}
        assert "${SPYGLASS_TEST_KEY}" in filled.err
        assert "${SPYGLASS_TEST_LOST} is a placeholder" in filled.err
        assert "hush-1" not in filled.err


async def test_the_examples_of_the_help_work_in_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: as a new user types them."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".vscode").mkdir()
    config = json.dumps({"mcpServers": {"other": {"command": "x"}}})
    for name in (".vscode/mcp.json", "claude_desktop_config.json"):
        (tmp_path / name).write_text(config)
    command = next(each for each in COMMANDS if each.name == "servers")
    for example in command.load().examples:
        own, _, target = example.partition(" -- ")
        behind = ("--", *shlex.split(target)) if target else ()
        printed = await cli(*shlex.split(own), "--folder", str(tmp_path), *behind)
        assert (printed.code, example) == (SUCCESS, example), printed.err
