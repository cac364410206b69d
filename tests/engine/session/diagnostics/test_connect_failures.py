"""Why a server cannot be connected to, named with a line of evidence; with real processes."""

from __future__ import annotations

import asyncio
import sys

import pytest

from inspector.config.profile import Profile
from inspector.errors import InspectorError
from inspector.features.tools import Tools
from inspector.session.session import Session
from inspector.session.transport_factory import make_transport
from inspector.spec.revision import NEWEST_STATEFUL
from inspector.transcript.transcript import Transcript


async def failure_of(code: str, *args: str, seconds: float = 0.6, revision: str = "") -> Session:
    """A session with a server that does not get as far as a handshake."""
    profile = Profile(
        name="x",
        command=sys.executable,
        args=("-c", code, *args),
        timeout_seconds=seconds,
        revision=revision,
    )
    session = Session(profile, Transcript(), make_transport)
    with pytest.raises(InspectorError):
        await session.connect()
    await session.aclose()
    return session


async def told_of(code: str, *args: str, seconds: float = 0.6) -> str:
    """Everything that is said about it in the last step."""
    session = await failure_of(code, *args, seconds=seconds, revision=NEWEST_STATEFUL.date)
    step = session.steps[-1]
    assert session.failure is not None
    assert (session.failure.reason, session.failure.hint) == (step.status_text, step.hint)
    return f"{step.status_text}\n{step.hint}\n{step.detail}"


REASON_FIRST = """
import sys
print("Error: no configuration was found", file=sys.stderr)
print("Usage: server [options]", file=sys.stderr)
for n in range(60):
    print(f"  --option-{n}", file=sys.stderr)
sys.exit(1)
"""


async def test_a_reason_that_a_usage_text_follows_is_named_and_kept() -> None:
    """Ours: the last lines alone would hide it."""
    told = await told_of(REASON_FIRST)

    assert told.count("Error: no configuration was found") == 2
    assert "--option-59" in told
    assert "more lines" in told


async def test_a_reason_in_the_middle_of_a_stack_is_named() -> None:
    """Ours."""
    told = await told_of(
        "import sys\n"
        "print('\\n'.join(['node:internal'] * 30), file=sys.stderr)\n"
        "print(\"Error: Cannot find module 'x'\", file=sys.stderr)\n"
        "print('\\n'.join(['- /srv/a.js'] * 30), file=sys.stderr)\n"
        "sys.exit(1)"
    )

    assert "exited with code 1" in told
    assert told.count("Cannot find module 'x'") == 2
    assert "Install the missing module" in told


async def test_a_process_that_ends_in_order_is_told_of_its_input() -> None:
    """Ours: what a container without `-i` does."""
    told = await told_of("import sys; print('Docs server running on stdio', file=sys.stderr)")

    assert "code 0" in told
    assert "-i" in told
    assert "standard input" in told


async def test_a_process_that_dies_at_start_is_not_said_to_dislike_the_probe() -> None:
    """Ours: it would have ended without a message as well."""
    session = await failure_of("raise SystemExit('Error: no database')", seconds=5)

    text = [step.status_text for step in session.steps]
    assert not any("the server does not know" in each for each in text)
    assert "Error: no database" in text[-1]


async def test_an_interpreter_without_a_program_is_recognized() -> None:
    """Ours: it is silent, because it takes the messages for a program."""
    profile = Profile(name="x", command=sys.executable, args=("-q",), timeout_seconds=0.6)
    session = Session(profile, Transcript(), make_transport)
    with pytest.raises(InspectorError) as failure:
        await session.connect()
    await session.aclose()

    assert "without a program" in failure.value.reason
    assert "file or module" in failure.value.hint


async def test_what_was_named_before_stays_when_output_comes_at_the_end() -> None:
    """Ours: a message without a newline is read as one when the process ends."""
    told = await told_of(
        "import sys, json\n"
        "for request in map(json.loads, sys.stdin):\n"
        "    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': {}}), end='', flush=True)"
    )

    assert "without the newline" in told
    assert "Flush stdout" not in told


async def test_a_closed_standard_input_is_told_as_one() -> None:
    """Ours: the process lives, and nothing can be sent to it."""
    told = await told_of("import os, time; os.close(0); time.sleep(60)", seconds=2)

    assert "closed stdin" in told
    assert "start script" in told


async def test_stdout_that_is_flushed_only_at_the_end_is_recognized() -> None:
    """Ours: shown by what comes once standard input is closed."""
    told = await told_of(
        "import sys, json\n"
        "ids = [request['id'] for request in map(json.loads, sys.stdin) if 'id' in request]\n"
        "for id_ in ids: print(json.dumps({'jsonrpc': '2.0', 'id': id_, 'result': {}}))"
    )

    assert "only after standard input was closed" in told
    assert "Flush stdout" in told


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("print('Content-Length: 20\\r\\n\\r\\n{}', flush=True)", "Language Server Protocol"),
        ("print({'jsonrpc': '2.0', 'id': 1, 'result': {}}, flush=True)", "Python dict"),
        ('print(\'{\\n  "jsonrpc": "2.0",\\n  "id": 1\\n}\', flush=True)', "several lines"),
        (
            "sys.stdout.buffer.write('{\"id\": 1}\\n'.encode('utf-16-le')); sys.stdout.flush()",
            "UTF-16",
        ),
        ('print(\'{"jsonrpc": "2.0", "id": 1,\', flush=True)', "not valid JSON"),
        ("print('Password:', end='', flush=True)", "input from the user"),
        ("print('Token: ', end='', flush=True, file=sys.stderr)", "input from the user"),
        (
            "print('Uvicorn running on http://127.0.0.1:1', file=sys.stderr)",
            "listens on the network",
        ),
        (
            "[sys.stdout.write(f'{{\"id\": {n}}}\\r') for n in (1, 2)]; sys.stdout.flush()",
            "carriage return",
        ),
        (
            'print(\'{"jsonrpc": "2.0", "id": 1, "result": {}}\', file=sys.stderr)',
            "messages to stderr",
        ),
        ("print('Open https://x.test/authorize?id=1', file=sys.stderr)", "sign-in"),
        ("[print(line, end='', flush=True) for line in sys.stdin]", "sends back what it receives"),
    ],
)
async def test_a_well_known_mistake_is_named(code: str, text: str) -> None:
    """Ours."""
    told = await told_of(f"import sys; {code}; sys.stdin.read()")

    assert text in told
    assert "increase the timeout" not in told.lower()


async def test_a_question_on_stdout_is_recognized_though_the_program_ended() -> None:
    """Ours: it took the first message for the answer."""
    told = await told_of("input('Enter your API token: ')")

    assert "exited with code 0" in told
    assert "standard input carries MCP messages" in told


async def test_a_server_that_reacts_on_stderr_is_not_said_to_have_no_input() -> None:
    """Ours."""
    told = await told_of(
        "import sys\nfor line in sys.stdin: print('no header before', line[:9], file=sys.stderr)",
        seconds=1.5,
    )

    assert "Content-Length" in told
    assert "keep it closed" not in told


async def test_a_server_that_asks_before_it_responds_is_told_to_respond_first() -> None:
    """Ours."""
    told = await told_of(
        'import sys; print(\'{"jsonrpc":"2.0","id":1,"method":"roots/list"}\', flush=True); sys.stdin.read()',
        seconds=2.0,
    )

    assert "roots/list" in told
    assert "respond to initialize first" in told


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (
            ["npm error code EACCES", *["npm error path /x"] * 4],
            "exited with code 1 after",
        ),
        (["thread 'main' panicked at src/main.rs:12:44:", "the reason"], ":44: the reason"),
        (
            ["npm warn EBADENGINE Unsupported engine {", "TypeError: x is not a function"],
            "version of the runtime",
        ),
    ],
)
async def test_the_line_that_says_why_is_quoted_with_what_belongs_to_it(
    lines: list[str], text: str
) -> None:
    """Ours: a code that a package manager prints, the line after a colon, a warning long before."""
    printed = "\n".join(lines)
    told = await told_of(f"import sys; print({printed!r}, file=sys.stderr); sys.exit(1)")

    assert text in told
    assert told.splitlines()[0].endswith(("EACCES", "the reason", "not a function"))


ENDS_ON_THE_LIST = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "tools/list":
        raise RuntimeError("the schema is out of date")
    if "id" in message:
        opening = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "x", "version": "1"}}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": opening}), flush=True)
"""


async def test_a_list_that_is_lost_with_its_process_says_why() -> None:
    """Ours: for the window as for the command line."""
    profile = Profile(
        name="x",
        command=sys.executable,
        args=("-c", ENDS_ON_THE_LIST),
        revision=NEWEST_STATEFUL.date,
    )
    session = Session(profile, Transcript(), make_transport)
    try:
        await session.connect()
        tools = Tools(session)
        await tools.refresh()
    finally:
        await session.aclose()

    assert tools.failure is not None
    assert tools.failure.reason.endswith("tools/list: RuntimeError: the schema is out of date")
    assert tools.failure.hint


async def told_over_tcp(first: bytes, *, ends: bool) -> str:
    """What is said of a server that sends this when it is connected to, and then nothing, or the end."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(first)
        await writer.drain()
        if not ends:
            await reader.read()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    profile = Profile(
        name="x",
        transport="tcp",
        url=f"tcp://127.0.0.1:{port}",
        timeout_seconds=0.3,
        revision=NEWEST_STATEFUL.date,
    )
    session = Session(profile, Transcript(), make_transport)
    with pytest.raises(InspectorError):
        await session.connect()
    await session.aclose()
    server.close()
    step = session.steps[-1]
    return f"{step.status_text}\n{step.hint}"


@pytest.mark.parametrize("ends", [False, True])
@pytest.mark.parametrize(
    ("first", "text"),
    [
        (b"SSH-2.0-OpenSSH_9.6\r\n", "responds in SSH"),
        (b"-ERR unknown command '{', with args beginning with:\r\n", "the protocol of Redis"),
        (b"<!DOCTYPE HTML>\n<html>\n", "responds in HTTP"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "responds in HTTP"),
    ],
)
async def test_what_else_listens_at_a_port_is_named(first: bytes, text: str, *, ends: bool) -> None:
    """Ours: and nothing is said of a command, which there is none of."""
    told = await told_over_tcp(first, ends=ends)

    assert text in told
    assert "Check host and port" in told
    assert "command" not in told.splitlines()[1]


@pytest.mark.parametrize(
    ("first", "text", "ends"),
    [
        (b'\0\0\0\x12{"jsonrpc": "2.0"}', "their length in binary", False),
        (b'{"jsonrpc":"2.0","id":1,"resu', "a message does not end", True),
    ],
)
async def test_a_message_in_a_wrong_frame_is_recognized(
    first: bytes, text: str, *, ends: bool
) -> None:
    """Ours: and the port is not blamed for it."""
    told = await told_over_tcp(first, ends=ends)

    assert text in told
    assert "Check host and port" not in told
