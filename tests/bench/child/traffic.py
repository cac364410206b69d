"""A long transcript of mixed frames: calls that succeed and fail, notifications, requests of the server, lines on stderr."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.transcript.transcript import Transcript

CYCLE = 10
"""Frames of one turn: three calls with their answers, three notifications, a line on stderr."""
PAD = "The quick brown fox jumps over the lazy dog and keeps on running. " * 3

SENT = (Direction.SENT, Channel.STDIN)
RECEIVED = (Direction.RECEIVED, Channel.STDOUT)
STDERR = (Direction.RECEIVED, Channel.STDERR)


def fill(transcript: Transcript, frames: int) -> None:
    """Append about `frames` frames of some 300 bytes."""
    for turn in range(frames // CYCLE):
        first = turn * 3 + 1
        for nth in range(3):
            tool = f"tool_{(first + nth) % 50:02d}"
            transcript.append(*SENT, [_line(_call(first + nth, tool))])
        answers = [_answer(first, PAD), _failure(first + 1), _answer(first + 2, PAD, failed=True)]
        notices = [_notice(turn * 3 + nth) for nth in range(3)]
        transcript.append(*RECEIVED, [_line(message) for message in (*notices, *answers)])
        transcript.append(*STDERR, [RawChunk(f"[{turn:06d}] INFO load: {PAD}".encode())])


async def record(path: Path, frames: int) -> None:
    """The same as a file."""
    from inspector.transcript.transcript import Transcript

    transcript = Transcript.create(path)
    fill(transcript, frames)
    await transcript.aclose()


def _line(message: dict[str, object]) -> RawChunk:
    return RawChunk(json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode())


def _call(id_: int, tool: str) -> dict[str, object]:
    arguments = {"path": f"/home/user/{id_}", "text": PAD}
    return {"id": id_, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def _answer(id_: int, text: str, *, failed: bool = False) -> dict[str, object]:
    content = [{"type": "text", "text": f"{id_}: {text}"}]
    return {"id": id_, "result": {"content": content, "isError": failed}}


def _failure(id_: int) -> dict[str, object]:
    return {"id": id_, "error": {"code": -32602, "message": f"no such file ({id_})"}}


def _notice(number: int) -> dict[str, object]:
    if number % 3 == 2:
        return {"method": "notifications/resources/updated", "params": {"uri": f"file:///{number}"}}
    params = {"level": "info", "logger": "load", "data": f"step {number} {PAD}"}
    return {"method": "notifications/message", "params": params}
