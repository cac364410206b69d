"""Well-known mistakes are recognized, in time that follows the length of the text; ours."""

from __future__ import annotations

import time

import pytest

from inspector.session.diagnostics import cause_lines, exit_causes, known_mistakes
from inspector.session.diagnostics.known_mistakes import find_mistake

TABLES = (
    *(known_mistakes.FRAMING, known_mistakes.ENCODING, known_mistakes.ENDINGS),
    *(known_mistakes.BROKEN_JSON, known_mistakes.OBSTACLES, known_mistakes.STDERR_OBSTACLES),
    *(known_mistakes.RUNS_INPUT, known_mistakes.PROMPTS, exit_causes.EXIT_CAUSES),
)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Content-Length: 52", "header-framing"),
        ("content-length:7\r\n\r\n{}", "header-framing"),
        ("{'jsonrpc': '2.0', 'id': 1, 'result': {}}", "python-repr"),
        ('{"Jsonrpc": "2.0", "Id": 1, "Result": {}}', "letter-case"),
        ('{"jsonrpc": "2.0", "ID": 1, "Result": {}}', "letter-case"),
        ('{\n  "jsonrpc": "2.0",\n  "id": 1\n}', "several-lines"),
        ('{\r\n\t"id": 1,\r\n', "several-lines"),
        ("<!DOCTYPE html><html>", "html"),
    ],
)
def test_what_stands_in_the_place_of_messages_is_recognized(text: str, name: str) -> None:
    """Ours."""
    mistake = find_mistake(known_mistakes.FRAMING, text)

    assert mistake is not None
    assert mistake.name == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Password:", "prompt"),
        ("Enter your API key: ", "prompt"),
        ("Overwrite? [y/N] ", "prompt"),
        ("Need to install the following packages:\n  x\nOk to proceed? (y) ", "npm-prompt"),
        ("(Pdb) ", "debugger"),
        ("Which city? ", "question"),
    ],
)
def test_a_program_that_waits_for_the_user_is_recognized(text: str, name: str) -> None:
    """Ours."""
    mistake = find_mistake(known_mistakes.QUESTIONS, text)

    assert mistake is not None
    assert mistake.name == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Debugger listening on ws://127.0.0.1:9229/4e", "debugger"),
        ("Listening for transport dt_socket at address: 5005", "debugger"),
        ("Welcome to Node.js v22.1.0.", "interpreter"),
        ("INFO:     Uvicorn running on http://127.0.0.1:8000", "listens-on-http"),
        ("Server listening on port 3000", "listens-on-http"),
        ("  \u279c  Local:   http://localhost:5173/", "listens-on-http"),
        ("[wrangler:info] Ready on http://localhost:8787", "listens-on-http"),
        ("2026/11/30 listening on 0.0.0.0:3001", "listens-on-http"),
        ("MCP SSE server on :8080", "listens-on-http"),
        ("MCP endpoint available at http://127.0.0.1:8000/mcp", "listens-on-http"),
        ("[nodemon] app crashed - waiting for file changes", "crashed-in-watcher"),
        ("[10:00:00] Starting compilation in watch mode...", "compiler-in-watch-mode"),
        ("> Task :run", "gradle"),
        ("The authenticity of host 'h (10.0.0.1)' can't be established.", "host-key"),
        ("Starting MCP inspector...\nProxy server listening on 127.0.0.1:6277", "inspector"),
        ("? Which profile? (Use arrow keys)\n\u276f default\n  staging", "selection"),
        ("? Which profile?\n\u276f default\n  staging", "selection"),
    ],
)
def test_what_keeps_a_program_from_responding_is_recognized(text: str, name: str) -> None:
    """Ours."""
    mistake = find_mistake(known_mistakes.OBSTACLES, text)

    assert mistake is not None
    assert mistake.name == name


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
    mistake = find_mistake(known_mistakes.FRAMING, text)

    assert mistake is not None
    assert mistake.name == name


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
    mistake = find_mistake(known_mistakes.ENDINGS, text)

    assert mistake is not None
    assert mistake.name == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"jsonrpc": "2.0", "id": 1, "result": {}}', "messages-on-stderr"),
        ("To sign in, open the page https://x.test/devicelogin and enter the code AB", "sign-in"),
        ("bash: line 1: jsonrpc:2.0: command not found", "shell"),
        ("latest: Pulling from acme/mcp\n4abcf2066143: Downloading 12MB/340MB", "image-download"),
        ("Server listening on port 3000", "listens-on-http"),
    ],
)
def test_what_output_on_stderr_tells_of_a_silent_program_is_recognized(
    text: str, name: str
) -> None:
    """Ours."""
    mistake = find_mistake(known_mistakes.STDERR_OBSTACLES, text)

    assert mistake is not None
    assert mistake.name == name


def test_a_link_to_documentation_is_no_sign_in() -> None:
    """Ours: pydantic writes one below each field that does not validate."""
    text = "    For further information visit https://errors.pydantic.dev/2.14/v/missing"

    assert find_mistake(known_mistakes.STDERR_OBSTACLES, text) is None


@pytest.mark.parametrize(
    "text",
    [
        *("", "Server is ready", "{", '{"jsonrpc": "2.0"}', "running on stdio", "done"),
        '{"Error": "bad jsonrpc"}',
        *('{"content": "Hello"}', '{"tools": 3}', '{"capabilities": "all"}'),
        *("connecting to the server db:5432", "connected to the server on localhost:5432"),
        *("ready to call https://x.test", "using the local mirror https://x.test"),
        "server started at 10:00:00",
        "OAuth callback server running at http://127.0.0.1:3334",
        "connected to Ollama running on localhost:11434",
        "Metrics server listening on :9090",
        "Acme MCP server running on stdio, docs: https://x.test",
        "Update available: https://x.test/releases",
        *("\u276f Installing dependencies [1/3]", "  \u276f Building", "\u276f npm run start"),
    ],
)
def test_anything_else_is_no_mistake(text: str) -> None:
    """Ours: a wrong name is worse than none."""
    assert find_mistake(known_mistakes.FRAMING, text) is None
    assert find_mistake(known_mistakes.OBSTACLES, text) is None
    assert find_mistake(known_mistakes.PROMPTS, text) is None
    assert find_mistake(exit_causes.EXIT_CAUSES, text) is None


@pytest.mark.parametrize(
    "text", ["{\n" + " " * 100_000, "a" * 100_000, "error" * 20_000, "port " * 20_000]
)
def test_hostile_text_takes_no_time(text: str) -> None:
    """Ours: text of a server never blocks the loop."""
    for table in (
        known_mistakes.FRAMING,
        known_mistakes.OBSTACLES,
        known_mistakes.PROMPTS,
        exit_causes.EXIT_CAUSES,
    ):
        find_mistake(table, text)


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
        (["x.js:1", 'fail(Error("a: b"))', "     ^", "Error: a: b"], "Error: a: b"),
        (
            [
                "  + Exception Group Traceback (most recent call last):",
                "  | ExceptionGroup: unhandled",
                "  +-+---------------- 1 ----------------",
                "    | Traceback (most recent call last):",
                '    |   File "x"',
                "    | SystemExit: 3",
                "    +------------------------------------",
            ],
            "SystemExit: 3",
        ),
        (
            [
                "Traceback (most recent call last):",
                "  File",
                "ValidationError: 1 validation error for Settings",
                "API_KEY",
                "  Field required [type=missing]",
                "    For further information",
            ],
            "ValidationError: 1 validation error for Settings API_KEY Field required [type=missing]",
        ),
        (
            ["npm error code E401", "npm error Incorrect or missing password.", "npm error"],
            "npm error Incorrect or missing password.",
        ),
        (
            ["Unable to find image 'x' locally", "docker: Error response from daemon: denied"],
            "docker: Error response from daemon: denied",
        ),
        (["WARN cache not found", "Error: no key", "Error: b"], "Error: no key"),
        (["WARN cache not found", "INFO no such file", "bye"], "WARN cache not found"),
        (
            ["error: Failed to fetch: `x`", "  Caused by: retries", "  Caused by: UnknownIssuer"],
            "error: Failed to fetch: `x`; caused by: UnknownIssuer",
        ),
        (
            ["Error: no store", "", "Caused by:", "    0: open", "    1: refused", "", "Stack:"],
            "Error: no store; caused by: refused",
        ),
        (
            [
                "TypeError: fetch failed",
                "    at a:1 {",
                "  [cause]: Error: no host",
                "      at b:2",
            ],
            "TypeError: fetch failed; caused by: Error: no host",
        ),
        (["Error: no key", "bye", "Caused by: another one"], "Error: no key"),
        (
            ["Unhandled exception. System.Exception: no key", "   at Main()", "Aborted"],
            "Unhandled exception. System.Exception: no key",
        ),
        (
            ["PHP Warning:  x: No such file", "PHP Fatal error:  Uncaught Error: y"],
            "PHP Fatal error:  Uncaught Error: y",
        ),
        (
            [
                *("Traceback (most recent call last):", '  File "x"', "OSError: no key.pem", ""),
                "The above exception was the direct cause of the following exception:",
                *("", "Traceback (most recent call last):", '  File "y"', "RuntimeError: no start"),
            ],
            "RuntimeError: no start; caused by: OSError: no key.pem",
        ),
        (
            ["/srv/a.js:1", 'throw "no key"', "^", "no key", "(Use `node --trace-uncaught ...`)"],
            "no key",
        ),
        (
            ["PHP Fatal error:  Composer detected issues:", "", "PHP >= 8.2 is required"],
            "PHP Fatal error:  Composer detected issues: PHP >= 8.2 is required",
        ),
        (
            [
                *("ZodError: [", "  {", '    "path": [', '      "ACME_TOKEN"', "    ],"),
                *('    "message": "Required"', "  }", "]", "    at a.js:1"),
            ],
            "ZodError: ACME_TOKEN Required",
        ),
        (["ZodError: [", "  {", "    cut"], "ZodError:"),
        (
            ["ZodError: [", r'  {"path": ["a"], "message": "b \ud800\u0000\u001b[1m\nc"}', "]"],
            "ZodError: a b ⟨U+D800⟩⟨NUL⟩⟨ESC⟩[1m↵c",
        ),
        (
            ["APPLICATION FAILED TO START", "Web server failed to start: port in use"],
            "Web server failed to start: port in use",
        ),
        (["AggregateError [X]: ", "    at a (b:1)", "    at c"], "AggregateError [X]:"),
        (
            ["[UnhandledPromiseRejection: This error came with no key.] {", "  code: 'X'", "}"],
            "[UnhandledPromiseRejection: This error came with no key.] {",
        ),
        (["Server started", "bye"], ""),
        ([], ""),
    ],
)
def test_the_line_that_names_the_cause_is_found_wherever_it_stands(
    lines: list[str], cause: str
) -> None:
    """Ours: the first line of a usage text, the last one of a traceback, one in the middle of a stack."""
    assert cause_lines.cause_line(lines) == cause


@pytest.mark.parametrize("piece", ["\n", "\t\n", "token ", "missing ", '"secret":', " ", "a.", "x"])
def test_the_time_to_recognize_a_mistake_follows_the_length_of_the_text(piece: str) -> None:
    """Ours: white space was skipped again from each line, and a key was looked for again behind each of its names."""
    text = piece * (50_000 // len(piece)) + "."
    before = time.thread_time()

    for table in TABLES:
        find_mistake(table, text)

    assert time.thread_time() - before < 1
