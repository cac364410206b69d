"""`spyglass-cli auth`: what a protected server publishes, checked without logging in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from inspector.cli.command import ERROR_RESPONSE, NOT_CONNECTED, PROBLEMS, SUCCESS, USAGE
from inspector.cli.command_line import read
from inspector.demo.auth.faults import Fault
from tests.support.command_line import cli
from tests.support.demo_server import demo
from tests.support.http_stub import HttpStub, reply
from tests.support.protected import Protected

if TYPE_CHECKING:
    from tests.support.command_line import Printed

AUTH = ("--http", "0", "--auth", "--auth-consent", "auto")


def broken(printed: Printed) -> set[str]:
    """The rules with MUST that are broken."""
    checks = [check for step in json.loads(printed.out)["steps"] for check in step["checks"]]
    return {check["rule"] for check in checks if check["result"] == "failed"}


async def test_documents_checks_and_clients_are_shown_without_logging_in() -> None:
    """C-AUT-02, C-AUT-04, C-AUT-06; ours: nothing is registered, and no login page is opened."""
    async with Protected() as server:
        printed = await cli("auth", server.stub.url)
        asked = {asked.path for asked in server.stub.asked}

    assert printed.code == SUCCESS
    for part in (
        "Read the challenge",
        f'"resource": "{server.stub.url}"',
        f'"issuer": "{server.issuer}"',
        "L-AUT-04",
        f"{server.issuer}/register",
    ):
        assert part in printed.out
    assert not {path for path in asked if path.startswith(("/register", "/authorize", "/token"))}


async def test_for_programs_the_documents_are_as_they_were_sent() -> None:
    """Ours."""
    async with Protected() as server:
        server.metadata["x-number"] = 1
        printed = await cli("--json", "auth", server.stub.url)

    document = json.loads(printed.out)
    assert printed.code == SUCCESS
    challenge, resource, issuer = document["steps"]
    assert (document["status"], challenge["challenges"][0]["scheme"]) == (401, "Bearer")
    assert resource["document"]["resource"] == server.stub.url
    assert issuer["document"]["x-number"] == 1
    assert document["registration"]["dynamicRegistration"] == f"{server.issuer}/register"
    assert {check["result"] for check in issuer["checks"]} <= {"passed", "info", "warning"}


@pytest.mark.parametrize(
    ("fault", "rule"),
    [
        (Fault.RESOURCE_PATH, "L-AUT-04"),
        (Fault.ISSUER_SLASH, "L-AUT-06"),
        (Fault.PKCE_NOT_LISTED, "L-AUT-07"),
        (Fault.CHALLENGE_MISSING, "L-AUT-01"),
        (Fault.STATUS_403, "L-AUT-13"),
        (Fault.STATUS_404, "L-AUT-13"),
        (Fault.STATUS_200, "L-AUT-13"),
    ],
)
async def test_a_broken_must_has_an_exit_code_and_does_not_end_the_look(
    fault: Fault, rule: str
) -> None:
    """C-AUT-24, C-AUT-49; ours."""
    async with demo(*AUTH, "--auth-fault", fault) as url:
        printed = await cli("--json", "auth", url)

    assert printed.code == ERROR_RESPONSE
    assert rule in broken(printed)
    assert json.loads(printed.out)["registration"] is not None


async def test_what_stops_a_login_is_told_with_what_to_do_and_how_to_accept_it() -> None:
    """C-AUT-49."""
    async with Protected() as server:
        server.resource["resource"] = "https://inner.example/mcp"
        printed = await cli("auth", server.stub.url)

    assert printed.code == ERROR_RESPONSE
    assert "--accept resource" in printed.out
    assert "X-Forwarded-Host" in printed.out
    assert f'"issuer": "{server.issuer}"' in printed.out


async def test_warnings_count_where_strictness_is_asked_for() -> None:
    """Ours."""
    async with Protected() as server:
        printed = await cli("--strict", "auth", server.stub.url)

    assert printed.code == PROBLEMS


async def test_a_server_without_protection_is_told_so() -> None:
    """Ours."""
    async with HttpStub() as stub:
        printed = await cli("auth", stub.url)

    assert printed.code == SUCCESS
    assert "requires no authorization" in printed.out


async def test_a_server_that_protects_only_its_lists_is_looked_at_too() -> None:
    """Ours: it lets everybody connect."""
    refusal = reply(401, www_authenticate='Bearer scope="a"')
    async with HttpStub({"POST tools/list": refusal}) as stub:
        printed = await cli("--json", "auth", stub.url)

    assert printed.code == ERROR_RESPONSE
    assert json.loads(printed.out)["status"] == 401
    assert "L-AUT-02" in broken(printed)


async def test_a_server_that_is_not_there_is_no_broken_rule() -> None:
    """Ours."""
    printed = await cli("auth", "http://127.0.0.1:9/mcp")

    assert printed.code == NOT_CONNECTED
    assert "refused" in printed.err


async def test_a_refusal_for_another_reason_is_no_broken_rule() -> None:
    """Ours: 403 is right for a bad Origin."""
    async with demo(*AUTH, "--auth-fault", Fault.ORIGIN_REFUSED) as url:
        printed = await cli("auth", url)

    assert printed.code == NOT_CONNECTED
    assert "Origin" in printed.err


async def test_hostile_text_reaches_the_terminal_escaped() -> None:
    """C-SEC-05; ours."""
    async with Protected() as server:
        server.resource["resource"] = "https://x.example/\x1b]0;gone\x07\u202emcp"
        server.metadata["issuer"] = "https://x.example/\x1b[2J\nok: everything is fine"
        printed = await cli("auth", server.stub.url)

    assert not {"\x1b", "\x07", "\u202e"} & set(printed.out + printed.err)
    assert "⟨ESC⟩" in printed.out
    assert not any(line.strip().startswith("ok: everything") for line in printed.out.splitlines())


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (("auth",), "add its URL"),
        (("auth", "localhost:3001/mcp"), "http://localhost:3001/mcp"),
        (("auth", "tcp://localhost:1"), "URL of one server"),
        (("login", "http://a", "http://b"), "URL of one server"),
        (("logout", "--", "python", "x.py"), "URL of one server"),
        (("login", "--yes", "--no-browser", "http://a"), "either"),
        (("login", "--client-secret-env", "S", "http://a"), "--client-id"),
        (("tools", "--scope", "a", "--", "http://a"), "log in first"),
        (("tools", "--token-env", "T", "--client-id", "a", "--", "http://a"), "leave out"),
        (("login", "--token-env", "T", "http://a"), "--token-env"),
        (("tools", "--token-command", "a | b", "--", "http://a"), "shell"),
        (("login", "--callback-port", "70000", "http://a"), "port"),
    ],
)
def test_options_that_cannot_be_followed_are_refused(
    texts: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ours."""
    with pytest.raises(SystemExit) as ended:
        read(texts)

    assert ended.value.code == USAGE
    assert told in capsys.readouterr().err
