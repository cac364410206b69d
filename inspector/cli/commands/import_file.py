"""`import`: a recording made of a file of another tool, or of JSON Lines."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli.command import SUCCESS, USAGE, CommandCode
from inspector.cli.options import add_session_option
from inspector.cli.stderr_report import print_usage_error
from inspector.errors import StorageError
from inspector.imports.conversion import Conversion

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.cli.console import Console, Keyboard
    from inspector.cli.options import Options
    from inspector.imports.importer import ForeignSession


def _add_arguments(parser: ArgumentParser) -> None:
    text = (
        "JSON Lines of Spyglass, HAR, an export of MCP Inspector, a session of mcpsnoop, a database of MCPHawk "
        "or mcp-debugger, or a log of Claude Desktop"
    )
    parser.add_argument("args", nargs=1, metavar="FILE", help=text)
    add_session_option(parser)
    text = "the recording to write"
    parser.add_argument("--output", type=Path, metavar="FILE", required=True, help=text)


async def _run(options: Options, console: Console, keyboard: Keyboard) -> int:
    """Write the recording, and report what of the file is not in it."""
    del keyboard
    assert options.output is not None
    try:
        conversion = await Conversion.open(Path(options.args[0]))
        sessions = await conversion.sessions()
        session = options.session or (sessions[0].key if len(sessions) == 1 else "")
        if sessions and session not in {each.key for each in sessions}:
            _print_sessions(sessions, session, console)
            return USAGE
        await conversion.run(options.output, session)
    except StorageError as error:
        return print_usage_error(console, error, options)
    report = conversion.report
    for sentence in report.sentences:
        console.err(sentence)
    console.out(f"{report.frames:,} frames of {conversion.importer.title} in {options.output}")
    return SUCCESS


def _print_sessions(sessions: list[ForeignSession], session: str, console: Console) -> None:
    problem = f"no session {session!r}" if session else "several sessions"
    console.err(f"{problem}; choose one with --session:")
    for each in sessions:
        started = _date(each.started_s)
        console.err(f"  {each.key}  {each.title}  {started}".rstrip())


def _date(wall_s: float) -> str:
    if not wall_s:
        return ""
    try:
        return datetime.fromtimestamp(wall_s, UTC).astimezone().isoformat(" ", "seconds")
    except (ValueError, OverflowError, OSError):
        return ""


import_ = CommandCode(
    _add_arguments,
    _run,
    (
        "import mcp-server-mine.log --output mine.spyglass",
        "import traffic.har --output traffic.spyglass",
    ),
)
