"""What the switches of the command line change."""

from __future__ import annotations

import json
import signal
import time
from typing import TYPE_CHECKING

import pytest

from inspector.demo.auth.faults import FAULTS, Fault
from inspector.demo.command_line import read
from inspector.demo.malformed import GARBLES
from inspector.demo.options import EXIT_TEXT, Options
from tests.engine.demo.client import NEWEST, bare_demo, demo

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject

HELLO: JsonObject = {"protocolVersion": NEWEST.date, "capabilities": {}}


def test_without_switches_nothing_misbehaves() -> None:
    """Ours."""
    assert read([]) == Options()


def test_every_switch_is_understood() -> None:
    """Ours."""
    text = (
        "--page-size 3 --banner --slow-start 1.5 --exit 4 --exit-words no --stderr-lines 5"
        " --slow-answers 2 --silent --garble twice --garble-method ping --odd-tools --loop-pages"
        " --ignore-eof --ignore-sigterm --conformance"
    )

    assert read(text.split()) == Options(
        page_size=3,
        banner=True,
        slow_start_seconds=1.5,
        exit_code=4,
        exit_text="no",
        stderr_lines=5,
        slow_answers_seconds=2,
        silent=True,
        garble="twice",
        garble_method="ping",
        malformed_tools=True,
        loop_pages=True,
        ignore_eof=True,
        ignore_sigterm=True,
        conformance=True,
    )


def test_every_switch_of_authorization_is_understood() -> None:
    """Ours."""
    text = (
        "--http 0 --tls demo.pem --tls-expired --auth --auth-consent auto --auth-token-seconds 5 --auth-dpop nonce"
        " --auth-issuer-path tenant1/ --auth-fault status-404 --auth-fault issuer-http"
    )

    assert read(text.split()) == Options(
        http_port=0,
        tls_file="demo.pem",
        tls_expired=True,
        auth=True,
        auth_consent="auto",
        auth_token_seconds=5,
        auth_dpop="nonce",
        auth_issuer_path="/tenant1",
        auth_faults=(Fault.STATUS_404, Fault.ISSUER_HTTP),
    )


def test_help_lists_every_fault_of_authorization(capsys: pytest.CaptureFixture[str]) -> None:
    """Ours: each with a sentence."""
    with pytest.raises(SystemExit):
        read(["--help"])
    lines = [line.strip().split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]

    assert [[fault.value, text] for fault, text in FAULTS.items()] == lines[-len(FAULTS) :]


@pytest.mark.parametrize(
    "texts",
    [
        ["--page-size", "0"],
        ["--garble", "x"],
        ["--nonsense"],
        ["--auth"],
        ["--http", "0", "--auth", "--auth-fault", "x"],
        ["--http", "0", "--auth", "--auth-fault", "resource-http"],
        ["--http", "0", "--auth", "--auth-issuer-path", "/"],
    ],
)
def test_a_wrong_switch_is_refused(texts: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Ours."""
    with pytest.raises(SystemExit):
        read(texts)
    assert "usage:" in capsys.readouterr().err


async def test_a_banner_stands_before_the_handshake() -> None:
    """Corpus stdio-01."""
    async with bare_demo("--banner") as client:
        lines = [await client.line() for _ in range(3)]

        assert lines[0] == b"Spyglass demo server\n"
        assert b"\x1b[32m" in lines[2]
        assert (await client.initialize())["protocolVersion"] == NEWEST.date


async def test_it_exits_at_once_with_code_and_words() -> None:
    """Corpus stdio-16."""
    async with bare_demo("--exit", "7") as client:
        assert await client.exited() == 7
        assert await client.stderr() == f"demo: {EXIT_TEXT}\n"


async def test_it_starts_slowly() -> None:
    """Corpus stdio-02."""
    start = time.monotonic()
    async with bare_demo("--slow-start", "0.4", "--stderr-lines", "2") as client:
        await client.initialize()

        assert time.monotonic() - start > 0.4
        assert await client.stderr_line() == "demo: start line 1 of 2\n"


async def test_it_answers_slowly_and_several_at_a_time() -> None:
    """Ours."""
    async with demo("--slow-answers", "0.3") as client:
        start = time.monotonic()
        numbers = {client.send("ping"), client.start("echo", {"message": "slow"})}
        answered = {str((await client.message())["id"]) for _ in numbers}

        assert answered == {str(number) for number in numbers}
        assert time.monotonic() - start > 0.3


async def test_it_never_answers() -> None:
    """Lifecycle, "Timeouts"."""
    async with bare_demo("--silent") as client:
        client.send("initialize", HELLO)

        assert await client.end() == 0
        assert await client.line() == b""


@pytest.mark.parametrize("garble", ["cut_off", "twice"])
async def test_it_misspells_the_handshake(garble: str) -> None:
    """Ours."""
    async with bare_demo("--garble", garble) as client:
        number = client.send("initialize", HELLO)
        line = await client.line()

        response: JsonObject = {"jsonrpc": "2.0", "id": number}
        assert line.startswith(json.dumps(response, separators=(",", ":")).encode()[:-1])
        assert line.endswith(b"}\n") is (garble == "twice")
        assert await client.result("ping") == {}


async def test_it_misspells_the_answers_to_another_method() -> None:
    """Ours."""
    async with demo("--garble", "plain_text", "--garble-method", "tools/list") as client:
        number = client.send("tools/list")

        assert await client.line() == f"Request {number} went well.\n".encode()


def test_every_misspelling_differs_from_the_proper_answer() -> None:
    """Ours."""
    response: JsonObject = {"jsonrpc": "2.0", "id": 1, "result": {}}
    spellings = {garble(response) for garble in GARBLES.values()}

    assert len(spellings) == len(GARBLES)
    assert b'{"jsonrpc":"2.0","id":1,"result":{}}\n' not in spellings


async def test_odd_tools_are_listed_from_the_beginning() -> None:
    """Corpus list-08."""
    async with demo("--odd-tools", "--page-size", "100") as client:
        tools = (await client.result("tools/list"))["tools"]

        assert isinstance(tools, list)
        assert None in tools


async def test_pages_never_end() -> None:
    """Corpus list-03."""
    async with demo("--loop-pages") as client:
        first = await client.result("tools/list")

        assert await client.result("tools/list", {"cursor": first["nextCursor"]}) == first


async def test_it_takes_no_heed_of_the_end_of_stdin() -> None:
    """Lifecycle, "Shutdown"."""
    async with bare_demo("--ignore-eof") as client:
        client.write_message({"id": 1, "method": "ping"})
        await client.message()
        assert client.process.stdin is not None
        client.process.stdin.close()
        while "going on all the same" not in await client.stderr_line():
            pass

        client.process.terminate()
        assert await client.exited() == -signal.SIGTERM


async def test_it_takes_no_heed_of_sigterm() -> None:
    """Lifecycle, "Shutdown"."""
    async with bare_demo("--ignore-sigterm") as client:
        await client.initialize()
        client.process.terminate()

        assert await client.result("ping") == {}
        assert await client.end() == 0


async def test_sigint_ends_it_without_a_traceback() -> None:
    """Ours."""
    async with bare_demo() as client:
        await client.initialize()
        client.process.send_signal(signal.SIGINT)

        assert await client.exited() == 130
        assert "Traceback" not in await client.stderr()
