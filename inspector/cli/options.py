"""The command line, taken apart. What stands behind `--` is the server's and is not looked at."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from inspector.errors import NegotiationFailed
from inspector.fact import Fact
from inspector.session.negotiate import first_offer
from inspector.version import VERSION
from inspector.wire import jsontext
from inspector.wire.jsontext import JsonTextError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.library.profile import Transport

USAGE = 1
"""The exit code for a command line that cannot be followed."""

_TASKS = {
    "info": (0, 0, "info"),
    "tools": (0, 0, "tools"),
    "call": (1, 2, "call NAME [JSON]"),
    "raw": (1, 1, "raw TEXT"),
    "transcript": (1, 1, "transcript FILE"),
}
"""Each task: how many words it takes at least and at most, and how it is written."""

_DESCRIPTION = """\
Connects to an MCP server, does one thing with it, and disconnects.

tasks:
  info               who the server is, what both sides declared
  tools              the tools it lists, one a line
  call NAME [JSON]   call a tool with arguments in JSON; without them, with none at all
  raw TEXT           send TEXT as one frame, valid or not; print the answer
  transcript FILE    print a recorded session; needs no server

The server is started with the COMMAND behind `--`; every ARG reaches it unchanged. A URL there (http, https or tcp) is
connected to instead.
"""

_EPILOG = """\
exit codes: 0 fine, 1 usage, 2 could not connect, 3 the server answered with an error or not at all,
4 the tool reported an error, 130 ended with Ctrl+C. Findings and failures are told on stderr.
"""


class Options(Fact, frozen=True):
    """What is to be done."""

    task: str
    """A key of the tasks."""
    words: tuple[str, ...]
    """What the task is about: a name and arguments, a text, a file."""
    json: bool
    """Print one JSON document instead of text for people."""
    quiet: bool
    """Tell no findings."""
    revision: str
    """The revision to insist on; empty for automatic."""
    timeout_seconds: float
    """How long to wait for an answer."""
    env: tuple[tuple[str, str], ...]
    """Variables added to the server's environment."""
    cwd: str
    """The server's working directory; empty for ours."""
    headers: tuple[tuple[str, str], ...]
    """HTTP headers sent with every request."""
    transport: Transport | None
    """How to reach a URL; none for what the URL suggests."""
    record: Path | None
    """Where the transcript is kept; nowhere without."""
    secrets: bool
    """Print secrets of a transcript, too."""
    command: tuple[str, ...]
    """The server's program and its arguments."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")


def read(arguments: Sequence[str]) -> Options:
    """Read the command line; ends the program with words and code when it cannot be followed."""
    parser = _parser()
    ours, command = _split(arguments)
    found = parser.parse_intermixed_args(ours)
    words: tuple[str, ...] = tuple(found.words)
    _check(parser, found.task, words, command)
    return Options(
        task=found.task,
        words=words,
        json=found.json,
        quiet=found.quiet,
        revision=found.revision,
        timeout_seconds=found.timeout,
        env=tuple(found.env),
        cwd=found.cwd,
        headers=tuple(found.header),
        transport=found.transport,
        record=found.record,
        secrets=found.secrets,
        command=command,
    )


def _split(arguments: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    if "--" not in arguments:
        return list(arguments), ()
    at = list(arguments).index("--")
    return list(arguments[:at]), tuple(arguments[at + 1 :])


def _parser() -> _Parser:
    parser = _Parser(
        prog="spyglass-cli",
        usage="%(prog)s [options] info | tools | call NAME [JSON] | raw TEXT -- COMMAND [ARG ...]\n"
        "       %(prog)s [options] info | tools | call NAME [JSON] | raw TEXT -- URL\n"
        "       %(prog)s [options] transcript FILE",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("task", choices=tuple(_TASKS), help=argparse.SUPPRESS)
    add("words", nargs="*", help=argparse.SUPPRESS)
    add("--json", action="store_true", help="print for programs: JSON, every value exact")
    add("--quiet", action="store_true", help="do not look for findings, which takes a second")
    add("--revision", type=_revision, default="", metavar="R", help="insist on a revision")
    add(
        "--timeout",
        type=_seconds,
        default=60.0,
        metavar="S",
        help="seconds to wait for an answer (default 60)",
    )
    add("--env", type=_pair, action="append", default=[], metavar="K=V", help="add a variable")
    add("--cwd", default="", metavar="D", help="working directory of the server")
    add(
        "--header",
        type=_header,
        action="append",
        default=[],
        metavar="'K: V'",
        help="send a header",
    )
    add("--transport", choices=("http", "sse", "tcp"), help="how to reach a URL")
    add("--record", type=Path, metavar="FILE", help="keep the transcript in a new FILE")
    add("--secrets", action="store_true", help="print a transcript with the secrets in its headers")
    add("--version", action="version", version=f"%(prog)s {VERSION}")
    return parser


def _check(parser: _Parser, task: str, words: tuple[str, ...], command: tuple[str, ...]) -> None:
    least, most, form = _TASKS[task]
    if not least <= len(words) <= most:
        parser.error(f"it is written: {form}")
    if task == "transcript" and command:
        parser.error("transcript reads a file and starts no server")
    if task != "transcript" and not command:
        parser.error("which server? Give its command or its URL behind `--`")
    if task == "call" and len(words) == 2:
        try:
            jsontext.read(words[1].encode("utf-8", "surrogateescape"))
        except JsonTextError as error:
            parser.error(f"the arguments are not JSON: {error}")


def _revision(text: str) -> str:
    try:
        first_offer(text)
    except NegotiationFailed as error:
        raise argparse.ArgumentTypeError(f"{error.words}. {error.remedy}") from None
    return text


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return seconds


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not name.strip() or not colon:
        raise argparse.ArgumentTypeError(f"{text!r} is not written NAME: VALUE")
    return name.strip(), value.strip()


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not written NAME=VALUE")
    return name, value
