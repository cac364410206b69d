"""`connect`, `connections` and `disconnect`: connections that stay while many command lines use them.

`connect NAME` starts a process that holds the session, and ends when that is connected; `@NAME COMMAND` runs a command over it. It ends with
`disconnect`, with the server, or after a time without commands.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli.command import (
    NOT_CONNECTED,
    OF_A_SESSION,
    SUCCESS,
    CommandCode,
)
from inspector.cli.connection_files import SIGN, all_connections, claimed, files_of
from inspector.cli.options import add_check_options, add_connection_options, positive_seconds
from inspector.cli.runner import run_reporting
from inspector.cli.stderr_report import print_error, print_usage_error
from inspector.config.atomic_file import LockHeld
from inspector.errors import ConnectFailed, InspectorError, StorageError

if TYPE_CHECKING:
    from inspector.cli.connection_files import ConnectionFiles
    from inspector.cli.console import Console, Keyboard
    from inspector.cli.options import Options
    from inspector.json_value import Json, JsonObject

CLOSE_SECONDS = 3.0
"""How long the process of an earlier connection of the name may take to end."""

_HOST = (
    "import json, sys; sys.path.append(sys.argv[1]); from inspector.__main__ import main; "
    "sys.exit(main(json.load(sys.stdin)))"
)
"""The program of a process that holds a connection."""


def _add_connect_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("args", nargs=1, metavar="NAME", help=f"the name, for {SIGN}NAME COMMAND")
    text = "end after S seconds without a command (default 1800)"
    add("--idle", dest="idle_s", type=positive_seconds, metavar="S", help=text)
    add("--foreground", action="store_true", help="stay in this terminal until it ends")
    add("--ready-on", type=int, help=argparse.SUPPRESS)
    add("--json", action="store_true", help="print JSON")
    add_check_options(parser)
    add_connection_options(parser)


async def _connect(options: Options, console: Console, keyboard: Keyboard) -> int:
    """Connect, in a process of its own unless it is to stay in the foreground."""
    try:
        files = files_of(options.args[0])
    except StorageError as error:
        return print_usage_error(console, error, options)
    if not options.ready_on and await asyncio.to_thread(_is_held, files):
        return print_usage_error(console, _taken(files), options)
    if not options.foreground and not options.ready_on:
        return await _start(files.name, options)
    from inspector.cli.connection_host import ConnectionHost  # imported by who holds it

    host = partial(ConnectionHost, files, partial(_ready, options))
    with contextlib.ExitStack() as held:  # before a server is started: another start may be faster
        try:
            claim = claimed(files, CLOSE_SECONDS)
            await asyncio.to_thread(held.enter_context, claim)
        except LockHeld:
            return print_usage_error(console, _taken(files), options)
        except StorageError as error:
            return print_usage_error(console, error, options)
        return await run_reporting(host, options, console, keyboard)


def _taken(files: ConnectionFiles) -> StorageError:
    reason = f"“{files.name}” is taken: a connection has this name, or is being made"
    return StorageError(reason, hint="End it with disconnect, or use another name.")


def _is_held(files: ConnectionFiles) -> bool:
    from inspector.cli.connection_client import facts

    try:
        facts(files)
    except ConnectFailed:
        return False
    except InspectorError:
        pass
    return True


async def _start(name: str, options: Options) -> int:
    """Start the process of a connection, and return when it is connected, or its exit code."""
    ready, writable = os.pipe()
    own, target = list(options.line), list[str]()
    if "--" in own:
        at = own.index("--")
        own, target = own[:at], own[at:]
    process = _spawn(name, writable)
    os.close(writable)
    line = [*own, "--ready-on", str(writable), *target]
    try:
        is_ready = await asyncio.to_thread(_hand_over, process, line, ready)
    except asyncio.CancelledError:
        process.terminate()
        process.wait()
        raise
    finally:
        os.close(ready)
    if not is_ready:
        return process.wait()
    process.returncode = SUCCESS  # it goes on; Python would complain that it is not waited for
    return SUCCESS


def _spawn(name: str, kept: int) -> subprocess.Popen[bytes]:
    """Start a process that outlives this one, and inherits the descriptor `kept`.

    It imports nothing from the folder in which it runs (`-P`), and its arguments, which every user of this computer can read, have no secrets:
    the command line comes over its standard input.
    """
    command = [sys.executable, "-P", "-c", _HOST, str(Path(__file__).parents[3]), SIGN + name]
    return subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[kept], start_new_session=True)


def _hand_over(process: subprocess.Popen[bytes], line: list[str], ready: int) -> bytes:
    """Send the command line to the process, and wait until it is connected; nothing is returned if it ends before."""
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError), process.stdin:
        process.stdin.write(json.dumps(line).encode())
    return os.read(ready, 1)


def _ready(options: Options, facts: JsonObject, console: Console) -> None:
    """Print that it is connected, and let go of the terminal."""
    if options.json:
        console.out_json(facts)
    else:
        console.out_table(
            [(f"{SIGN}{facts['name']}", str(facts["server"]), str(facts["revision"]))]
        )
    console.flush()
    if options.ready_on:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in (1, 2):
            os.dup2(nowhere, descriptor)
        os.close(nowhere)
        os.write(options.ready_on, b"+")
        os.close(options.ready_on)


def _add_list_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


async def _list(options: Options, console: Console, keyboard: Keyboard) -> int:
    """Print the connections of this user, also those that have ended."""
    del keyboard
    from inspector.cli.connection_client import facts

    found: list[Json] = []
    try:
        for files in all_connections():
            try:
                found.append(await asyncio.to_thread(facts, files))
            except InspectorError as error:
                found.append({"name": files.name, "ended": files.end_reason() or error.reason})
    except StorageError as error:
        return print_usage_error(console, error, options)
    if options.json:
        console.out_json({"connections": found})
        return SUCCESS
    console.out_table([_cells(each) for each in found if isinstance(each, dict)])
    if not found:
        console.err("no connections")
    return SUCCESS


def _cells(found: JsonObject) -> tuple[str, str, str, str]:
    name = f"{SIGN}{found['name']}"
    if "ended" in found:
        return name, "ended", str(found["ended"]), ""
    state = "running a command" if found["running"] else f"idle for {found['idle_s']} s"
    return name, state, str(found["server"]), str(found["target"])


def _add_disconnect_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("args", nargs="*", metavar="NAME", help="the connections to end")
    parser.add_argument("--all", action="store_true", help="end every connection")


def _disconnect_problem(options: Options) -> str:
    return (
        "" if bool(options.args) != options.all else "write: disconnect NAME …, or disconnect --all"
    )


async def _disconnect(options: Options, console: Console, keyboard: Keyboard) -> int:
    """End connections; those that have ended are forgotten."""
    del keyboard
    from inspector.cli.connection_client import stop

    code = SUCCESS
    try:
        names = [each.name for each in all_connections()] if options.all else options.args
        found = [files_of(name.removeprefix(SIGN)) for name in names]
    except StorageError as error:
        return print_usage_error(console, error, options)
    for files in found:
        try:
            await asyncio.to_thread(stop, files)
            console.out(f"disconnected {SIGN}{files.name}")
        except ConnectFailed as error:
            code = max(code, _forget(files, error, console))
        except InspectorError as error:
            print_error(console, error)
            code = NOT_CONNECTED
    return code


def _forget(files: ConnectionFiles, error: ConnectFailed, console: Console) -> int:
    """Remove what an ended connection left; an error if there was none."""
    if not files.end_reason():
        print_error(console, error)
        return NOT_CONNECTED
    files.forget()
    console.out(error.reason)
    return SUCCESS


connect = CommandCode(
    _add_connect_options,
    _connect,
    (
        "connect calc -- npx -y @modelcontextprotocol/server-everything",
        "@calc call echo message=hello",
        "@calc tools --json",
        "connect docs --idle 600 --accept-all -- http://127.0.0.1:3001/mcp",
    ),
    OF_A_SESSION,
)
connections = CommandCode(_add_list_options, _list, ("connections", "connections --json"))
disconnect = CommandCode(
    _add_disconnect_options,
    _disconnect,
    ("disconnect calc", "disconnect --all"),
    (NOT_CONNECTED,),
    _disconnect_problem,
)
