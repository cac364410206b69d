"""What is said about a failure names only what exists: rendered for every transport, request and front end."""

from __future__ import annotations

import re
from itertools import product

import pytest

from inspector.errors import PeerError, for_cli
from inspector.session import advice, negotiation, shapes
from inspector.session.evidence import Exit, Silence
from inspector.session.explaining import BUFFERED
from inspector.session.package_runner import PackageRunner
from inspector.session.session_renewal import NEW_SESSION
from inspector.spec.revision import NEWEST
from inspector.transport.http.tls import NOT_TRUSTED
from inspector.wire.frame import Channel

RUNNER = PackageRunner("npx", "download the package from npm")
OBSTACLE = shapes.obstacle("Debugger listening on ws://127.0.0.1:9229/x")
WINDOW_ONLY = re.compile(
    r"Keep waiting|Automatic|Verify certificates|this server\b|select\b|Connect again",
    re.IGNORECASE,
)
CLI_ONLY = re.compile(r"--timeout|--revision|Run this again")
TWICE = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)


def silences() -> list[Silence]:
    """Every combination of facts that can occur."""
    found: list[Silence] = []
    for channel, greets, messages, events, printed in product(
        (Channel.STDIN, Channel.BODY, Channel.TCP),
        (True, False),
        (0, 1, 12),
        (0, 1, 9),
        (False, True),
    ):
        is_process = channel is Channel.STDIN
        if (printed and not is_process) or (events and channel is not Channel.BODY):
            continue
        for runner, obstacle, status in product(
            (None, RUNNER) if is_process else (None,),
            (None, OBSTACLE) if printed else (None,),
            ("", "200 OK") if channel is Channel.BODY else ("",),
        ):
            found.append(
                Silence(
                    channel,
                    "initialize" if greets else "tools/call",
                    is_greeting=greets,
                    http_status=status,
                    events=events,
                    messages=messages,
                    latest_method="notifications/message" if messages else "",
                    stderr="Server is ready" if printed else "",
                    obstacle=obstacle,
                    runner=runner,
                )
            )
    return found


def exits() -> list[Exit]:
    return [
        Exit(
            code,
            has_written=wrote,
            cause=cause,
            stderr=cause,
            shape=shapes.end(cause),
            container=box,
        )
        for code, wrote, cause, box in product(
            (0, 1, -9, None),
            (True, False),
            ("", "Error: Cannot find module 'x'", "ERROR: /srv is not a repository"),
            ("", "docker run"),
        )
    ]


def check(hint: str) -> None:
    for text in (hint, for_cli(hint)):
        assert text[:1].isupper(), text
        assert text.endswith("."), text
        assert TWICE.search(text) is None, text
        assert "carried out twice" not in text
    assert CLI_ONLY.search(hint) is None, hint
    assert WINDOW_ONLY.search(for_cli(hint)) is None, hint


@pytest.mark.parametrize("facts", silences())
def test_advice_after_a_time_out_names_only_what_exists(facts: Silence) -> None:
    """Ours."""
    hint, text = advice.silence_hint(facts), advice.silence_words(facts)

    check(hint)
    assert TWICE.search(text) is None, text
    if not facts.stderr:
        assert "stderr" not in hint
        assert "stderr" not in text
    if facts.channel is not Channel.STDIN:
        assert "stdout" not in hint
        assert "standard input" not in hint
    if facts.messages or facts.events or facts.http_status:
        assert text != advice.SILENT
        assert "timeout" not in hint or facts.obstacle is not None
    if facts.stderr:
        assert text != advice.SILENT


@pytest.mark.parametrize("facts", exits())
def test_advice_after_an_exit_names_only_what_exists(facts: Exit) -> None:
    """Ours."""
    hint = advice.exit_hint(facts)

    check(hint)
    if not facts.stderr:
        assert "Read its output" not in hint
    if facts.container and not facts.has_written and facts.shape is None:
        assert "-i" in hint
    if facts.cause:
        assert "without an error" not in hint
        assert facts.cause in advice.exit_words("the process exited", facts)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Content-Length: 52", "header-framing"),
        ("content-length:7\r\n\r\n{}", "header-framing"),
        ("{'jsonrpc': '2.0', 'id': 1, 'result': {}}", "python-repr"),
        ('{\n  "jsonrpc": "2.0",\n  "id": 1\n}', "several-lines"),
        ('{\r\n\t"id": 1,\r\n', "several-lines"),
        ("<!DOCTYPE html><html>", "html"),
    ],
)
def test_what_stands_in_the_place_of_messages_is_recognized(text: str, name: str) -> None:
    """Ours."""
    shape = shapes.framing(text)

    assert shape is not None
    assert shape.name == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Password:", "prompt"),
        ("Enter your API key: ", "prompt"),
        ("Overwrite? [y/N] ", "prompt"),
        ("Need to install the following packages:\n  x\nOk to proceed? (y) ", "npm-prompt"),
        ("(Pdb) ", "debugger"),
    ],
)
def test_a_program_that_waits_for_a_person_is_recognized(text: str, name: str) -> None:
    """Ours."""
    shape = shapes.prompt(text)

    assert shape is not None
    assert shape.name == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Debugger listening on ws://127.0.0.1:9229/4e", "debugger"),
        ("Listening for transport dt_socket at address: 5005", "debugger"),
        ("Welcome to Node.js v22.1.0.", "interpreter"),
        ("INFO:     Uvicorn running on http://127.0.0.1:8000", "listens-on-http"),
        ("Server listening on port 3000", "listens-on-http"),
    ],
)
def test_what_keeps_a_program_from_responding_is_recognized(text: str, name: str) -> None:
    """Ours."""
    shape = shapes.obstacle(text)

    assert shape is not None
    assert shape.name == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ModuleNotFoundError: No module named 'mcp'", "missing-module"),
        ("Error: Cannot find module '/srv/dist/index.js'", "missing-module"),
        ("Error: listen EADDRINUSE: address already in use :::3000", "port-in-use"),
        (
            "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock.",
            "docker-daemon",
        ),
        ("npm error code E404", "no-package"),
        ("Error: GITHUB_TOKEN environment variable is not set", "variable-missing"),
        ("KeyError: 'API_TOKEN'", "variable-missing"),
        ("Please set ACME_REGION before you start", "variable-missing"),
        ("sh: 1: serve: not found", "no-command"),
        ("usage: server [-h] --root ROOT", "usage"),
        ("error: unknown option '--stdio'", "usage"),
        ("Error: Missing Content-Length header", "header-framing"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'index.db'", "no-command"),
        ("Error: Unable to access jarfile server.jar", "no-command"),
        ("getaddrinfo ENOTFOUND api.acme.test", "no-network"),
        ("connection to server at 127.0.0.1 failed: Connection refused", "service-down"),
        (
            "HTTPError: 401 Client Error: Unauthorized for url: https://x.test",
            "credentials-rejected",
        ),
        ("java.lang.UnsupportedClassVersionError: com/x/Main", "wrong-build"),
        ("libc.so.6: version `GLIBC_2.38' not found (required by ./server)", "wrong-build"),
        ("open /dev/tty: no such device or address", "no-terminal"),
        ("the input device is not a TTY", "no-terminal"),
    ],
)
def test_why_a_process_ended_is_recognized(text: str, name: str) -> None:
    """Ours."""
    shape = shapes.end(text)

    assert shape is not None
    assert shape.name == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"id": 1}Content-Length: 153', "header-framing"),
        ('data: {"jsonrpc": "2.0"}', "event-stream"),
        ("event: message", "event-stream"),
        ("HTTP/1.1 200 OK", "http-response"),
        ("{'jsonrpc': '2.0', 'id': 2, 'method': 'initialize', 'params': {}}", "interpreter-echo"),
        ("{'jsonrpc': '2.0', 'id': 2, 'result': {}}", "python-repr"),
        ('{"id": 1}'.encode("utf-16-le").decode(), "utf-16"),
        ('{"id": 1}'.encode("utf-16-be").decode(), "utf-16"),
        ('"{\\"jsonrpc\\": 1}"', "encoded-twice"),
        ('{"protocolVersion": "2025-11-25"}', "bare-result"),
        ("\ufffd\ufffd" + '{"id": 1}'.encode("utf-16-le").decode(), "utf-16"),
    ],
)
def test_how_messages_are_wrapped_or_encoded_wrongly_is_recognized(text: str, name: str) -> None:
    """Ours."""
    shape = shapes.framing(text)

    assert shape is not None
    assert shape.name == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"id": 1}\r{"id": 2}\r', "carriage-return"),
        ('{"id": 1}\0', "nul"),
        ('{"a":{}}\\n', "escaped-newline"),
    ],
)
def test_what_ends_messages_in_the_place_of_a_newline_is_recognized(text: str, name: str) -> None:
    """Ours."""
    shape = shapes.ending(text)

    assert shape is not None
    assert shape.name == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"jsonrpc": "2.0", "id": 1, "result": {}}', "messages-on-stderr"),
        ("To sign in, open the page https://x.test/devicelogin and enter the code AB", "sign-in"),
        ("bash: line 1: jsonrpc:2.0: command not found", "shell"),
        ("Server listening on port 3000", "listens-on-http"),
    ],
)
def test_what_output_on_stderr_tells_of_a_silent_program_is_recognized(
    text: str, name: str
) -> None:
    """Ours."""
    shape = shapes.on_stderr(text)

    assert shape is not None
    assert shape.name == name


@pytest.mark.parametrize("text", ["KeyError: 'clientInfo'", "the token bucket is full", "profound"])
def test_the_end_of_a_program_has_no_wrong_name(text: str) -> None:
    """Ours: a wrong name is worse than none."""
    assert shapes.end(text) is None


def test_a_well_known_reason_comes_before_a_guess_about_the_container() -> None:
    """Ours: a container without `-i` may fail for another reason."""
    shape = shapes.end("docker: Cannot connect to the Docker daemon at unix:///x.sock.")

    hint = advice.exit_hint(Exit(125, stderr="x", shape=shape, container="docker run"))

    assert "-i" not in hint


def test_an_exit_during_a_call_names_the_method() -> None:
    """Ours."""
    facts = Exit(0, method="tools/call", has_written=True)

    assert "tools/call" in advice.exit_words("the process exited", facts)
    assert "tools/call" in advice.exit_hint(facts)


@pytest.mark.parametrize(
    ("facts", "text", "hint"),
    [
        (Silence(Channel.STDIN, "tools/call", responses=3), "did respond to earlier", "tools/call"),
        (Silence(Channel.STDIN, "x", stderr="a", cause="E: no table"), "E: no table", "on stderr"),
        (Silence(Channel.BODY, "x", is_sent=False), "no connection", "firewall"),
        (Silence(Channel.BODY, "x"), "accepted the connection", "log of the server"),
        (Silence(Channel.BODY, "x", http_status="202 Accepted"), "accepted x", "event stream"),
        (Silence(Channel.BODY, "x", http_status="200 OK"), "nothing came in it", "hold back"),
    ],
)
def test_a_silent_server_is_told_by_what_it_did_do(facts: Silence, text: str, hint: str) -> None:
    """Ours."""
    assert text in advice.silence_words(facts)
    assert hint in advice.silence_hint(facts)


@pytest.mark.parametrize(
    ("code", "printed", "word"),
    [(-9, "", "memory"), (-11, "", "crashed"), (0, "Goodbye", "stdout"), (1, "Goodbye", "stdout")],
)
def test_an_end_without_output_on_stderr_has_a_hint_that_fits(
    code: int, printed: str, word: str
) -> None:
    """Ours: stdout and signals tell something as well."""
    assert word in advice.exit_hint(Exit(code, stdout=printed))


@pytest.mark.parametrize(
    "text", ["", "Server is ready", "{", '{"jsonrpc": "2.0"}', "running on stdio", "done"]
)
def test_anything_else_is_no_shape(text: str) -> None:
    """Ours: a wrong name is worse than none."""
    assert shapes.framing(text) is None
    assert shapes.obstacle(text) is None
    assert shapes.prompt(text) is None
    assert shapes.end(text) is None


@pytest.mark.parametrize(
    "text", ["{\n" + " " * 100_000, "a" * 100_000, "error" * 20_000, "port " * 20_000]
)
def test_hostile_text_takes_no_time(text: str) -> None:
    """Ours: text of a server never blocks the loop."""
    for recognize in (shapes.framing, shapes.obstacle, shapes.prompt, shapes.end):
        recognize(text)


@pytest.mark.parametrize(
    ("lines", "cause"),
    [
        (["Error: no key", "Usage:", "  -h  help"], "Error: no key"),
        (
            ["Traceback (most recent call last):", '  File "x"', "ValueError: bad", "sys.exit"],
            "ValueError: bad",
        ),
        (
            ["node:internal:1", "  throw err;", "Error: Cannot find module 'x'", "  - /a.js"],
            "Error: Cannot find module 'x'",
        ),
        (["Server started", "bye"], None),
        ([], None),
    ],
)
def test_the_line_that_names_the_cause_is_found_wherever_it_stands(
    lines: list[str], cause: str | None
) -> None:
    """Ours: the first line of a usage text, the last one of a traceback, one in the middle of a stack."""
    at = shapes.cause_at(lines)

    assert (lines[at] if at is not None else None) == cause


@pytest.mark.parametrize(
    "hint",
    [
        NOT_TRUSTED,
        NEW_SESSION,
        BUFFERED,
        negotiation.refused_pin(NEWEST),
        negotiation.refused_stateless_pin(PeerError(-32600, "no")),
        negotiation.no_opening(PeerError(-32601, "no"))[1],
    ],
)
def test_hints_of_connecting_fit_both_front_ends(hint: str) -> None:
    """Ours."""
    check(hint)
