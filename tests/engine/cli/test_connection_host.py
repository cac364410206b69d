"""The process of a named connection, in this one: what it sends to those that read, and which errors count; ours."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import socket
from typing import TYPE_CHECKING

import pytest

from inspector.cli import connection_host
from inspector.cli.command import INTERNAL_ERROR, SUCCESS
from inspector.cli.command_line import read
from inspector.cli.connection_files import CODE, PIECE, TEXT, files_of
from inspector.cli.connection_host import ConnectionHost
from inspector.cli.console import Console
from inspector.cli.findings_report import SessionFindings
from inspector.cli.internal_errors import InternalErrors
from inspector.cli.session_setup import ServerSession
from inspector.config.profile import Profile
from inspector.version import VERSION
from tests.support.answering import AnsweringServer, connected, silence
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter
    from collections.abc import AsyncGenerator

    from inspector.cli.access import Credentials
    from inspector.json_value import JsonObject

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="sockets of one user"),
    pytest.mark.usefixtures("connections_folder"),
]


@contextlib.asynccontextmanager
async def two_ends() -> AsyncGenerator[tuple[StreamWriter, StreamReader]]:
    """A socket as the process of a connection has it, and the end that reads."""
    served: asyncio.Queue[StreamWriter] = asyncio.Queue()
    path = files_of("x").socket
    listener = await asyncio.start_unix_server(lambda _, each: served.put_nowait(each), path)
    reader, other = await asyncio.open_unix_connection(path)
    writer = await served.get()
    yield writer, reader
    for each in (writer, other):
        each.close()
        with contextlib.suppress(OSError):
            await each.wait_closed()
    listener.close()


@contextlib.asynccontextmanager
async def hosted(server: AnsweringServer) -> AsyncGenerator[Console]:
    """A connection in this process, and its console."""
    files, is_ready = files_of("x"), asyncio.Event()
    console = Console(io.StringIO(), io.StringIO())
    async with connected(server) as session:
        held: ServerSession[Credentials | None] = ServerSession(session, Profile(name="x"), None)
        findings = SessionFindings(console, session.transcript, is_on=False)
        host = ConnectionHost(files, lambda _facts, _console: is_ready.set(), held, findings)
        options = read(["connect", "x", "--", "server"])
        work = InternalErrors(console).watched(host(session, options, console))
        hosting = asyncio.ensure_future(work)
        await is_ready.wait()
        yield console
        assert await asked(action="stop") == SUCCESS
        assert await hosting == SUCCESS


def request(**members: object) -> bytes:
    return json.dumps({"version": VERSION, **members}).encode() + b"\n"


async def asked(**members: object) -> int:
    """The exit code in the response to a request."""
    reader, writer = await asyncio.open_unix_connection(files_of("x").socket)
    writer.write(request(**members))
    response = await reader.read()
    writer.close()
    return int(response.rpartition(PIECE.pack(CODE, 1))[2])


PING: JsonObject = {"action": "run", "command": "ping", "fields": {"args": []}, "columns": 0}


@pytest.mark.parametrize("error", [RuntimeError(), TimeoutError(), FileNotFoundError()], ids=repr)
async def test_an_internal_error_ends_a_command_with_its_own_code(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: one of the system was taken for a process that reads nothing any more."""

    async def fail(*_: object) -> int:
        raise error

    monkeypatch.setattr(connection_host, "run_in_session", fail)
    async with hosted(AnsweringServer()) as console:
        assert await asked(**PING) == INTERNAL_ERROR
        assert console.internal_errors == 1


async def test_a_process_that_ends_with_unread_output_is_no_internal_error() -> None:
    """Ours: its end of the socket is reset then."""
    server = AnsweringServer({"ping": silence})
    async with hosted(server) as console:
        console.err("kept for the next command")
        with socket.socket(socket.AF_UNIX) as channel:
            channel.connect(str(files_of("x").socket))
            channel.sendall(request(**PING))
            await wait_until(lambda: "ping" in server.methods())
        await wait_until(lambda: "notifications/cancelled" in server.methods())
    assert console.internal_errors == 0


async def test_a_process_that_reads_nothing_does_not_fill_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours: it loses its command."""
    monkeypatch.setattr(connection_host, "MAX_UNREAD_BYTES", 1_000)
    monkeypatch.setattr(connection_host, "UNREAD_SECONDS", 0.0)

    def send(pieces: connection_host.Pieces) -> None:
        for _ in range(100):
            pieces.send_text(TEXT, "x" * 100_000)

    async with two_ends() as (writer, _):
        with pytest.raises(BrokenPipeError):
            send(connection_host.Pieces(writer))
        assert writer.transport.get_write_buffer_size() == 0


async def test_what_nobody_reads_is_kept_within_bounds_and_counted() -> None:
    """Ours: a server may log for days while no command runs, and long texts."""
    errors = connection_host.SharedErrors()
    for number in range(10):
        errors.write(f"{number}" * (connection_host.MAX_KEPT_CHARACTERS // 4))
    async with two_ends() as (writer, reader):
        with errors.read_by(connection_host.Pieces(writer)):
            writer.close()
        text = (await reader.read()).decode("latin-1")

    assert "6 earlier texts" in text
    assert ("555" in text, "666" in text, "999" in text) == (False, True, True)
