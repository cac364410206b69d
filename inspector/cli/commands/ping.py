"""`ping`: whether a server responds, and how fast."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.cli.command import ERROR_RESPONSE, SUCCESS
from inspector.cli.options import positive_count, positive_seconds
from inspector.cli.runner import session_command
from inspector.errors import RequestAborted
from inspector.features.ping import Ping

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.features.ping import Pong
    from inspector.json_value import JsonObject
    from inspector.session.session import Session

DEFAULT_INTERVAL_S = 1.0


def _add_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--count", type=positive_count, metavar="N", help="send N pings (default 1)")
    text = f"wait S seconds between two pings (default {DEFAULT_INTERVAL_S:g})"
    add("--interval", dest="interval_s", type=positive_seconds, metavar="S", help=text)


async def _show(session: Session, options: Options, console: Console) -> int:
    """Print a line for each ping, and the figures of several.

    Raises:
        InspectorError: a single ping has no response.
    """
    ping = Ping(session)
    if not ping.is_possible:
        hint = "Send request server/discover instead: it has no effects either."
        raise RequestAborted(f"{session.revision} has no ping", hint=hint)
    total, failed, took = options.count or 1, 0, list[float]()
    for number in range(total):
        if number:
            await asyncio.sleep(options.interval_s or DEFAULT_INTERVAL_S)
        pong = await ping.once()
        if total == 1 and pong.error is not None:
            raise pong.error
        failed += pong.error is not None
        took += [] if pong.took_seconds is None else [pong.took_seconds]
        if options.json:
            console.out_json(_to_json(number + 1, pong))
        else:
            console.out(f"{number + 1}: {_outcome(pong)}")
        console.flush()
    if total > 1 and took:
        figures = {"min": min(took), "mean": sum(took) / len(took), "max": max(took)}
        text = ", ".join(f"{name} {_duration(value)}" for name, value in figures.items())
        console.err(f"{text}; {failed:,} failed")
    return ERROR_RESPONSE if failed else SUCCESS


def _outcome(pong: Pong) -> str:
    if pong.error is not None:
        return pong.error.reason
    return "response" if pong.took_seconds is None else _duration(pong.took_seconds)


def _duration(seconds: float) -> str:
    return f"{seconds * 1000:,.2f} ms"


def _to_json(number: int, pong: Pong) -> JsonObject:
    error = None if pong.error is None else pong.error.reason
    return {"ping": number, "seconds": pong.took_seconds, "error": error}


ping = session_command(
    _add_arguments,
    _show,
    "ping -- npx -y @modelcontextprotocol/server-everything",
    "ping --count 10 --interval 0.5 --json -- http://127.0.0.1:3001/mcp",
)
