"""`raw`: any text as one frame, and the response to it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.cli.command import ERROR_RESPONSE, SUCCESS
from inspector.cli.runner import session_command
from inspector.errors import ConnectionLost, TimedOut
from inspector.features.raw import Raw
from inspector.transcript.exchange import Status
from inspector.wire import json_codec
from inspector.wire.frame import MESSAGE_CHANNELS, Direction
from inspector.wire.json_codec import JsonSyntaxError, RawJson
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable

    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.session.session import Session
    from inspector.transcript.transcript import Transcript

LISTEN_S = 0.5
"""How long to wait for messages if no response is due: the server may report an error."""


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("args", nargs=1, metavar="TEXT", help="one frame, valid or not")


async def _show(session: Session, options: Options, console: Console) -> int:
    """Send the text. Print the response if it was a request, otherwise what arrives at once.

    Raises:
        InspectorError: there was no response.
    """
    text = options.args[0]
    sent = await Raw(session).send(text)
    transcript = session.transcript
    if transcript.message(sent).kind is MessageKind.REQUEST:
        responses = [await _response(session, sent, session.profile.timeout_seconds)]
    else:
        await _wait(session, lambda: False, LISTEN_S)
        responses = _received_since(transcript, sent)
    for number in responses:
        _print(transcript, number, options, console)
    failed = any(transcript.message(number).kind is MessageKind.ERROR for number in responses)
    return ERROR_RESPONSE if failed else SUCCESS


async def _response(session: Session, sent: int, limit: float) -> int:
    transcript = session.transcript

    def settled() -> bool:
        exchange = transcript.exchange(sent)
        return exchange is not None and exchange.status is not Status.PENDING

    if not await _wait(session, settled, limit):
        if session.peer.ended_with is not None:
            raise session.peer.ended_with
        raise TimedOut(f"no response within {limit:g} s", frame=sent)
    exchange = transcript.exchange(sent)
    assert exchange is not None
    if exchange.response is None:
        raise ConnectionLost(_why_lost(transcript, sent), frame=sent)
    return exchange.response


def _why_lost(transcript: Transcript, sent: int) -> str:
    for number in range(transcript.count, sent, -1):
        note = (
            transcript.message(number).value
            if transcript.row(number).kind is MessageKind.NOTE
            else None
        )
        if isinstance(note, dict) and note.get("request") == sent:
            return str(note.get("words"))
    return "connection closed before a response"


async def _wait(session: Session, done: Callable[[], bool], limit: float) -> bool:
    """Wait until `done`; false if the session ends before, or in case of a timeout."""
    more = asyncio.Event()
    ends = [
        session.transcript.appended.subscribe(more.set),
        session.peer.ended_event.subscribe(more.set),
    ]
    try:
        async with asyncio.timeout(limit):
            while not done():
                if session.peer.ended_with is not None:
                    return False
                await more.wait()
                more.clear()
    except TimeoutError:
        return done()
    finally:
        for end in ends:
            end()
    return True


def _received_since(transcript: Transcript, sent: int) -> list[int]:
    columns = transcript.columns
    return [
        number
        for number in range(sent + 1, transcript.count + 1)
        if columns.direction[number - 1] == Direction.RECEIVED
        and columns.channel[number - 1] in MESSAGE_CHANNELS
        and columns.kind[number - 1] not in {MessageKind.BLANK_LINE, MessageKind.SSE_OTHER}
    ]


def _print(transcript: Transcript, number: int, options: Options, console: Console) -> None:
    raw = transcript.message(number).raw
    text = raw.decode("utf-8", "replace").rstrip("\r\n")
    try:
        value = json_codec.read(raw).value
    except JsonSyntaxError:
        console.out_json(text) if options.json else console.out(text)
        return
    if options.json:
        console.out_json(RawJson(text))
    else:
        console.out(json_codec.write(value, indent=2))


raw = session_command(
    _add_arguments,
    _show,
    'raw \'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\' -- python server.py',
    "raw nonsense -- python server.py",
)
