"""The switches. They reach what no tool can: the time before the handshake, and the handshake itself."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from inspector.demo.discovery import FAULTS
from inspector.demo.garble import GARBLES
from inspector.demo.options import ERAS, Options

if TYPE_CHECKING:
    from collections.abc import Sequence

DESCRIPTION = """\
The MCP server that ships with Spyglass. It speaks MCP over stdin and stdout or over HTTP, shows every feature of the protocol, and
misbehaves on request: with the switches below, or in the middle of a session with the tools called fault_...
"""


def read(arguments: Sequence[str] | None = None) -> Options:
    """Read the command line, or `arguments`; exits with a usage message when they are wrong."""
    return Options(**vars(_parser().parse_args(arguments)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m inspector.demo",
        description=DESCRIPTION,
        argument_default=argparse.SUPPRESS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--era",
        choices=ERAS,
        metavar="ERA",
        help="speak with sessions (stateful), without (stateless), or either as the client likes (both, the default)",
    )
    parser.add_argument(
        "--page-size",
        type=_positive,
        metavar="N",
        help="entries on one page of a list (default 16)",
    )
    parser.add_argument(
        "--conformance",
        action="store_true",
        help="offer what the official conformance suite expects, in front of everything else",
    )
    _add_http(parser.add_argument_group("over HTTP, on the loopback interface"))
    _add_start(parser.add_argument_group("misbehaving at the start"))
    _add_session(parser.add_argument_group("misbehaving in the session"))
    _add_end(parser.add_argument_group("misbehaving at the end"))
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def _add_http(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage] - argparse names it nowhere else
    add = group.add_argument
    port = "PORT, or on any free one with 0"
    add(
        "--http",
        dest="http_port",
        type=int,
        metavar="PORT",
        help=f"speak streamable HTTP on {port}",
    )
    add("--sse", dest="sse_port", type=int, metavar="PORT", help=f"speak HTTP+SSE on {port}")
    add(
        "--cut-streams",
        action="store_true",
        help="end the stream of every call at once, so that the client has to ask for the rest",
    )


def _add_start(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage] - argparse names it nowhere else
    add = group.add_argument
    add("--banner", action="store_true", help="print a banner to stdout before anything else")
    add(
        "--slow-start",
        dest="slow_start_seconds",
        type=float,
        metavar="SECONDS",
        help="do nothing for SECONDS before reading the first message",
    )
    add("--exit", dest="exit_code", type=int, metavar="CODE", help="exit at once with CODE")
    add(
        "--discover",
        dest="discovery",
        choices=tuple(FAULTS),
        metavar="HOW",
        help=f"answer server/discover wrongly; HOW is one of {', '.join(FAULTS)}",
    )
    add("--exit-words", metavar="TEXT", help="what --exit writes to stderr")
    add(
        "--stderr-lines",
        type=_positive,
        metavar="N",
        help="write N lines to stderr before reading the first message",
    )


def _add_session(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage] - argparse names it nowhere else
    add = group.add_argument
    add(
        "--slow-answers",
        dest="slow_answers_seconds",
        type=float,
        metavar="SECONDS",
        help="let every request wait for SECONDS",
    )
    add("--silent", action="store_true", help="read everything and answer nothing")
    add(
        "--garble",
        choices=tuple(GARBLES),
        metavar="HOW",
        help=f"misspell the answer to initialize and server/discover; HOW is one of {', '.join(GARBLES)}",
    )
    add("--garble-method", metavar="METHOD", help="misspell the answers to METHOD instead")
    add("--odd-tools", action="store_true", help="list malformed tools among the proper ones")
    add("--loop-pages", action="store_true", help="hand out the same cursor for ever")


def _add_end(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage] - argparse names it nowhere else
    add = group.add_argument
    add("--ignore-eof", action="store_true", help="go on when stdin ends")
    add("--ignore-sigterm", action="store_true", help="go on when told to terminate")
