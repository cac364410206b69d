"""Makes a recording of any number of frames in seconds: rows written straight into the file, as a day of debugging leaves them.

Half of the calls go over pipes, half over HTTP with a token (redacted, as in every file), an event stream and progress. One call in
seven fails, one in fifty is never answered, one in thirty is cancelled; between them are log notifications and lines on stderr.

    python -m tests.bench.recording FILE [--frames N]
"""

from __future__ import annotations

import argparse
import hashlib
import sqlite3
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.transcript.recording_file import RecordingFile
from inspector.wire.frame import Channel, Direction, FrameDefect

if TYPE_CHECKING:
    from collections.abc import Iterator

MILLION = 1_000_000
FOLDER = Path(__file__).parents[2] / "build" / "bench-recordings"
PAD = b"The quick brown fox jumps over the lazy dog and keeps on running. "
STARTED_S = 1_700_000_000.0
NEEDLE = "a needle in the haystack"
"""Text of a few frames."""
EVERY = 2_002
"""Calls from one of them to the next."""

_OUT, _IN = int(Direction.SENT), int(Direction.RECEIVED)
_STDIN, _STDOUT, _STDERR = int(Channel.STDIN), int(Channel.STDOUT), int(Channel.STDERR)
_HTTP, _BODY, _SSE = int(Channel.HTTP), int(Channel.BODY), int(Channel.SSE)
_REDACTED = int(FrameDefect.REDACTED)
_INSERT = (
    "INSERT INTO frame(number, at, wall, direction, channel, stream, flaw, dropped, raw)"
    " VALUES (?,?,?,?,?,?,?,0,?)"
)

Crossing = tuple[int, int, int, int, bytes]
"""Direction, channel, frames back to the one that opened the HTTP exchange (0 for none), flaw, bytes."""

_POST = (
    b"POST /mcp HTTP/1.1\r\nhost: mcp.example.test\r\naccept: application/json, text/event-stream\r\n"
    b"authorization: Bearer [redacted:64-bytes:3f9c21ab]\r\ncontent-type: application/json\r\n"
    b"mcp-protocol-version: 2025-06-18\r\nmcp-session-id: 7f3d8c\r\n\r\n"
)
_OK = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\n"
    b"transfer-encoding: chunked\r\nserver: uvicorn\r\n\r\n"
)
_OPENING: tuple[Crossing, ...] = (
    (
        *(_OUT, _STDIN, 0, 0),
        b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
        b'"capabilities":{},"clientInfo":{"name":"spyglass","version":"1"}}}',
    ),
    (
        *(_IN, _STDOUT, 0, 0),
        b'{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":'
        b'{"tools":{},"logging":{}},"serverInfo":{"name":"load","version":"1"}}}',
    ),
    (*(_OUT, _STDIN, 0, 0), b'{"jsonrpc":"2.0","method":"notifications/initialized"}'),
)


def stored(frames: int) -> Path:
    """The file of a recording of so many frames, made where it is missing or was made by another version of this module."""
    digest = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]
    path = FOLDER / f"{frames}-{digest}.spyglass"
    if not path.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        for old in FOLDER.glob(f"{frames}-*"):
            old.unlink()
        part = path.with_suffix(".part")
        part.unlink(missing_ok=True)
        make(part, frames)
        part.rename(path)
    return path


def make(path: Path, frames: int = MILLION) -> None:
    """Write a recording of so many frames."""
    RecordingFile.create(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous=OFF")
    with connection:
        connection.execute("INSERT INTO fact VALUES('title', 'A long day')")
        connection.executemany(_INSERT, islice(_rows(), frames))
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.close()


def _rows() -> Iterator[tuple[object, ...]]:
    number = 0
    for moment, crossings in enumerate(_moments()):
        at = moment * 0.04
        for nth, (side, channel, back, flaw, raw) in enumerate(crossings):
            number += 1
            when = at + nth * 0.003
            opener = number - back if back else 0
            yield number, when, STARTED_S + when, side, channel, opener, flaw, raw


def _moments() -> Iterator[tuple[Crossing, ...]]:
    yield _OPENING
    call = 0
    while True:
        yield _over_pipes(call + 1)
        yield _over_http(call + 2)
        call += 2


def _over_pipes(call: int) -> tuple[Crossing, ...]:
    crossed: list[Crossing] = [(_OUT, _STDIN, 0, 0, _request(call))]
    crossed += [(_IN, _STDERR, 0, 0, b"[%06d] INFO handler: %b" % (call, PAD * 2))] * (call % 3 + 1)
    if call % EVERY == 1:
        crossed.append((_IN, _STDERR, 0, 0, NEEDLE.encode()))
    crossed += [(_IN, _STDOUT, 0, 0, _notice(call, nth)) for nth in range(2)]
    if call % 50 == 1:
        return tuple(crossed)
    if call % 30 == 1:
        text = b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}'
        return (*crossed, (_OUT, _STDIN, 0, 0, text % call))
    return (*crossed, (_IN, _STDOUT, 0, 0, _answer(call)))


def _over_http(call: int) -> tuple[Crossing, ...]:
    progress = [
        (_IN, _SSE, 3 + nth, 0, b"event: message\ndata: %b\n\n" % _progress(call, nth))
        for nth in range(2)
    ]
    return (
        (_OUT, _BODY, 0, 0, _request(call)),
        (_OUT, _HTTP, 1, _REDACTED, _POST),
        (_IN, _HTTP, 2, 0, _OK),
        *progress,
        (_IN, _SSE, 5, 0, b"event: message\ndata: %b\n\n" % _answer(call)),
    )


def _request(call: int) -> bytes:
    return (
        b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"tool_%02d","arguments":'
        b'{"path":"/home/user/%d","text":"%b"},"_meta":{"progressToken":%d}}}'
    ) % (call, call % 50, call, PAD * 2, call)


def _progress(call: int, nth: int) -> bytes:
    return (
        b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%d,'
        b'"progress":%d,"total":2,"message":"step %d of 2"}}'
    ) % (call, nth + 1, nth + 1)


def _notice(call: int, nth: int) -> bytes:
    return (
        b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info",'
        b'"logger":"load","data":"step %d of call %d: %b"}}'
    ) % (nth, call, PAD)


def _answer(call: int) -> bytes:
    if call % 14 == 1:
        text = b'{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"no such file %d"}}'
        return text % (call, call)
    failed = b"true" if call % 14 == 8 else b"false"
    return (
        b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"%d: %b"}],"isError":%b}}'
    ) % (call, call, PAD * (1 + call % 8), failed)


def main() -> None:
    parser = argparse.ArgumentParser("tests.bench.recording", description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--frames", type=int, default=MILLION)
    options = parser.parse_args()
    make(options.path, options.frames)


if __name__ == "__main__":
    main()
