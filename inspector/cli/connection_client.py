"""The other end of a named connection: `spyglass-cli @NAME COMMAND …`, and what `connections` and `disconnect` ask of one.

A line is read here, so that its files are those of the user, and mistakes end before anything is sent. Ctrl+C cancels the command and leaves the
connection; after a second one nothing is waited for. Blocks: a process that only waits for a response needs no event loop.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import socket
from contextlib import closing
from typing import TYPE_CHECKING

from inspector.cli.command import COMMANDS, NOT_CONNECTED, SUCCESS, USAGE
from inspector.cli.command_line import LineError, LineHelp, in_session_table, read_tokens
from inspector.cli.connection_files import (
    CODE,
    DATA,
    ERROR,
    MAX_REQUEST_BYTES,
    PIECE,
    SIGN,
    TEXT,
    files_of,
    is_own,
)
from inspector.cli.json_output import error_to_json
from inspector.cli.options import Options
from inspector.cli.output_file import redirected
from inspector.cli.stderr_report import print_error
from inspector.config.atomic_file import locked
from inspector.errors import ConnectFailed, ConnectionLost, InspectorError, StorageError
from inspector.version import VERSION
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from typing import Any

    from inspector.cli.command import Command
    from inspector.cli.connection_files import ConnectionFiles
    from inspector.cli.console import Console
    from inspector.json_value import JsonObject

READ_BYTES = 1 << 16

RESPONSE_SECONDS = 10.0
"""How long a connection has to respond to what needs no server."""

_HELP = ("--help", "-h", "help")

_NO_SESSION = next(each for each in COMMANDS if each.name == "connect")


class _Ended(ConnectionLost):
    """The process of the connection has ended, perhaps while it was asked: a process that was killed accepts until its last thread has ended."""

    def __init__(self) -> None:
        super().__init__("the process of the connection has ended")


def run_over(arguments: Sequence[str], console: Console) -> int:
    """Run a command line that begins with the name of a connection, and return the exit code."""
    name, tokens = arguments[0].removeprefix(SIGN), arguments[1:]
    if not tokens or tokens[0] in _HELP:
        console.out(f"usage: spyglass-cli {SIGN}NAME COMMAND [ARG ...]\n")
        console.out_table(in_session_table())
        return SUCCESS
    try:
        files = files_of(name)
        command, fields = read_tokens(tokens, Options(_NO_SESSION))
    except LineHelp as text:
        console.out(str(text))
        return SUCCESS
    except LineError as error:
        console.err(str(error))
        return USAGE
    except StorageError as error:
        print_error(console, error)
        return USAGE
    with redirected(fields.pop("output"), is_followed=command.prints_notifications) as output:
        printed = console if output is None else console.writing_to(output.out)
        code = _run(files, command, fields, printed)
        if output is not None and (text := output.settle(code)):
            console.err(text)
    return code


def facts(files: ConnectionFiles) -> JsonObject:
    """Return what is known of a connection.

    Raises:
        ConnectFailed: it does not run.
        ConnectionLost: it does not respond.
    """
    return _ask(files, "show")


def stop(files: ConnectionFiles) -> None:
    """End a connection; returns when its process has let go of its name and of its server, or takes too long for it.

    Raises:
        ConnectFailed: it does not run.
        ConnectionLost: it does not respond.
    """
    _ask(files, "stop")
    with contextlib.suppress(StorageError), locked(files.lock, wait_seconds=RESPONSE_SECONDS):
        pass


def _ask(files: ConnectionFiles, action: str) -> JsonObject:
    with closing(_open(files)) as channel:
        channel.settimeout(RESPONSE_SECONDS)
        _send(channel, {"action": action})
        text = b"".join(data for kind, data in _pieces(channel) if kind == TEXT)
    value = json_codec.read(text or b"{}").value
    return value if isinstance(value, dict) else {}


def _run(files: ConnectionFiles, command: Command, fields: dict[str, Any], console: Console) -> int:
    columns = shutil.get_terminal_size().columns if console.is_terminal else 0
    if "meta" in fields:
        fields["meta"] = json_codec.write_bytes(fields["meta"]).decode()
    request = {"action": "run", "command": command.name, "fields": fields, "columns": columns}
    try:
        with closing(_open(files)) as channel, _cancelling(channel):
            _send(channel, request)
            return _print(channel, console)
    except InspectorError as error:
        why = files.end_reason() if isinstance(error, _Ended) else ""
        loss = ConnectionLost(f"“{files.name}” has ended: {why}") if why else error
        print_error(console, loss)
        if fields.get("json"):
            console.out_failure({"error": error_to_json(loss)})
        return NOT_CONNECTED


@contextlib.contextmanager
def _cancelling(channel: socket.socket) -> Generator[None]:
    """Let the first Ctrl+C cancel the command, whose end is waited for."""

    def cancel(_number: int, _frame: object) -> None:
        signal.signal(signal.SIGINT, before)
        with contextlib.suppress(OSError):
            channel.shutdown(socket.SHUT_WR)

    before = signal.signal(signal.SIGINT, cancel)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _open(files: ConnectionFiles) -> socket.socket:
    channel = socket.socket(socket.AF_UNIX)
    try:
        channel.connect(str(files.socket))
        is_ours = is_own(channel)  # fails on macOS where the other end closes meanwhile
    except OSError as error:
        channel.close()
        why = files.end_reason()
        reason = f"“{files.name}” has ended: {why}" if why else f"no connection “{files.name}”"
        hint = f"Make one: spyglass-cli connect {files.name} -- COMMAND"
        raise ConnectFailed(reason, hint=hint) from error
    if not is_ours:
        channel.close()
        raise ConnectFailed(f"{files.socket} belongs to another user")
    return channel


def _send(channel: socket.socket, request: dict[str, Any]) -> None:
    line = json.dumps({"version": VERSION, **request}).encode() + b"\n"
    if len(line) > MAX_REQUEST_BYTES:
        raise ConnectFailed(f"the command is larger than {MAX_REQUEST_BYTES >> 20} MB")
    with _socket_errors():
        channel.sendall(line)


@contextlib.contextmanager
def _socket_errors() -> Generator[None]:
    """A process that ends may cut its response short; an error of standard output would mean another thing."""
    try:
        yield
    except TimeoutError as error:
        raise ConnectionLost("the process of the connection does not respond") from error
    except OSError as error:
        raise _Ended from error


def _print(channel: socket.socket, console: Console) -> int:
    """Print a response as it arrives, and return the exit code."""
    for kind, data in _pieces(channel):
        if kind == CODE:
            return int(data)
        if kind == DATA:
            console.out_bytes(data)
        else:
            console.pass_on(data.decode("utf-8", "replace"), to_err=kind == ERROR)
        console.flush()
    raise _Ended


def _pieces(channel: socket.socket) -> Iterator[tuple[bytes, bytes]]:
    """Yield kind and content of each piece, until the other end closes."""
    while len(header := _read(channel, PIECE.size)) == PIECE.size:
        kind, size = PIECE.unpack(header)
        yield kind, _read(channel, size)


def _read(channel: socket.socket, size: int) -> bytes:
    parts: list[bytes] = []
    with _socket_errors():
        while size and (data := channel.recv(min(size, READ_BYTES))):
            parts.append(data)
            size -= len(data)
    return b"".join(parts)
