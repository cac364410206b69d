"""`listen` and `logs`: the notifications of a server as they arrive, until Ctrl+C, a number or a time."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING

from inspector.cli.command import SUCCESS
from inspector.cli.notifications import LOG_MESSAGE, clock_text, log_line, notification_line
from inspector.cli.options import positive_count, positive_seconds
from inspector.cli.runner import session_command
from inspector.errors import RequestAborted
from inspector.features.subscriptions import Subscriptions
from inspector.spec.subscription_filter import KINDS
from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind, or_null

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import AsyncIterator

    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.session.session import Session
    from inspector.wire.message import Message

DEFAULT_LEVEL = "debug"

SET_LEVEL = "logging/setLevel"


def _add_limits(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--count", type=positive_count, metavar="N", help="end after N notifications")
    text = "end after S seconds (default: at Ctrl+C)"
    add("--for", dest="duration_s", type=positive_seconds, metavar="S", help=text)


def _add_arguments(parser: ArgumentParser) -> None:
    text = "resources to be notified about; changes of the lists are always printed"
    parser.add_argument("args", nargs="*", metavar="URI", help=text)
    _add_limits(parser)


async def _listen(session: Session, options: Options, console: Console) -> int:
    """Subscribe to the lists and the resources, and print every notification.

    Raises:
        InspectorError: a subscription was refused, or the connection ended.
    """
    for method in KINDS:
        session.listening.follow(method)
    subscriptions = Subscriptions(session)
    for uri in options.args:
        await subscriptions.subscribe(uri)
        if uri in subscriptions.failures:
            raise subscriptions.failures[uri]
    return await _print(session, options, console, "")


async def _show_logs(session: Session, options: Options, console: Console) -> int:
    """Request log messages, and print them.

    Raises:
        InspectorError: the level was refused, or the connection ended.
    """
    if not session.supports(SET_LEVEL):
        reason = f"in {session.revision}, log messages come with the response to a request"
        raise RequestAborted(reason, hint="Add --log-level LEVEL to another command.")
    if not options.client.log_level:
        await session.set_log_level(DEFAULT_LEVEL)
    return await _print(session, options, console, LOG_MESSAGE)


async def _print(session: Session, options: Options, console: Console, method: str) -> int:
    """Print the notifications of a method, or of all."""
    printed = 0
    async for number, message in _notifications(session, options.duration_s):
        if method and message.method != method:
            continue
        wall_s = session.transcript.columns.wall_s[number - 1]
        if options.json:
            params = or_null(message.params)
            console.out_json({"time": wall_s, "method": message.method, "params": params})
        else:
            text = log_line(message) if method else notification_line(message)
            console.out(f"{clock_text(wall_s)} {text}")
        console.flush()
        printed += 1
        if printed == options.count:
            break
    return SUCCESS


async def _notifications(session: Session, limit_s: float) -> AsyncIterator[tuple[int, Message]]:
    """Yield frame and message of every notification, those received while connecting, too.

    Raises:
        InspectorError: the connection ended.
    """
    transcript, more = session.transcript, asyncio.Event()
    columns = transcript.columns
    ends_at = monotonic() + limit_s if limit_s else None
    unsubscribe = [
        transcript.appended.subscribe(more.set),
        session.peer.ended_event.subscribe(more.set),
    ]
    number = 0
    try:
        while True:
            more.clear()
            while number < transcript.count:
                number += 1
                is_received = columns.direction[number - 1] == Direction.RECEIVED
                if is_received and columns.kind[number - 1] == MessageKind.NOTIFICATION:
                    yield number, transcript.message(number)
            if session.peer.ended_with is not None:
                raise session.peer.ended_with
            left = None if ends_at is None else max(0.0, ends_at - monotonic())
            async with asyncio.timeout(left):
                await more.wait()
    except TimeoutError:
        return
    finally:
        for each in unsubscribe:
            each()


listen = session_command(
    _add_arguments,
    _listen,
    "listen -- python server.py",
    "listen file:///notes.md --count 1 --json -- http://127.0.0.1:3001/mcp",
)
logs = session_command(
    _add_limits,
    _show_logs,
    "logs --log-level warning -- python server.py",
    "logs --for 60 --json -- http://127.0.0.1:3001/mcp",
)
