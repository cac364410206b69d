"""The database of mcp-debugger (`~/.mcp-debugger/sessions.db`), and what it exports as JSON.

It keeps the parts of a message, and its id as a text: whole numbers become numbers again, so an id that was the text of one has another type.
An export has no ids at all: a response goes with the oldest request of its method.

Source: `storage/database.py` and `exporters/json_exporter.py` of mcp-debugger 0.1.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from typing import TYPE_CHECKING

import msgspec

from inspector.imports.databases import number, opened, pages, text
from inspector.imports.delayed import sorted_nearby
from inspector.imports.importer import MAX_SESSIONS, ForeignSession, foreign_frame, seconds
from inspector.imports.inspector_export import one_line
from inspector.imports.json_items import array_items
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inspector.imports.importer import ImportReport, Sample
    from inspector.wire.frame import Frame

TABLES = {
    "sessions": ("id", "friendly_name", "server_command", "server_name", "started_at"),
    "messages": (
        *("id", "session_id", "message_id", "direction", "method", "params", "result", "error"),
        *("timestamp", "message_type"),
    ),
}
_SIDES = {"client_to_server": Direction.SENT, "server_to_client": Direction.RECEIVED}
_CHANNELS = {Direction.SENT: Channel.STDIN, Direction.RECEIVED: Channel.STDOUT}
_INTEGER = re.compile(rb"-?(?:0|[1-9]\d{0,17})")

REBUILT = "mcp-debugger keeps parts of messages: they were put together again"


def accepts(sample: Sample) -> bool:
    """Whether a database has its tables, or a document begins as its export."""
    start = sample.start
    if sample.is_database:
        return b"friendly_name" in start and b"message_type" in start
    return sample.is_object and b'"session"' in start[:200] and b'"server_command"' in start[:2000]


def sessions(path: Path) -> list[ForeignSession]:
    """Return the sessions of a database, oldest first; none for an export, which has one."""
    with path.open("rb") as file:
        if not file.read(16).startswith(b"SQLite format 3"):
            return []
    with opened(path, TABLES) as database:
        sql = "SELECT id, friendly_name, server_name, server_command FROM sessions ORDER BY id"
        rows = database.fetch(sql, max_rows=MAX_SESSIONS).rows
        return [
            ForeignSession(f"{row[0]}", text(row[1]) or text(row[2]) or text(row[3]), 0, 0.0)
            for row in rows
        ]


def read(path: Path, session: str, report: ImportReport) -> Iterator[Frame]:
    """Yield the frames of a session."""
    report.limits.append(REBUILT)
    with path.open("rb") as file:
        is_database = file.read(16).startswith(b"SQLite format 3")
    if not is_database:
        yield from _read_export(path, report)
        return
    # Notifications are stored in batches, after messages that came later.
    yield from sorted_nearby(_read_database(path, session, report))


def _read_database(path: Path, session: str, report: ImportReport) -> Iterator[Frame]:
    key = int(session) if session.isascii() and session.isdigit() else 0
    with opened(path, TABLES) as database:
        sql = (
            "SELECT id, direction, message_id, method, params, result, error, timestamp, "
            "message_type FROM messages WHERE session_id = ? AND id > ? ORDER BY id"
        )
        for row in pages(database, sql, key):
            side = _SIDES.get(text(row[1]))
            if side is None:
                report.skip(f"message {row[0]}", "no direction")
                continue
            parts = [each if isinstance(each, bytes) else None for each in row[2:7]]
            raw = _message(*parts, kind=text(row[8]))
            yield foreign_frame(side, _CHANNELS[side], number(row[7]) / 1000, raw)


def _message(
    id_: bytes | None,
    method: bytes | None,
    params: bytes | None,
    result: bytes | None,
    error: bytes | None,
    *,
    kind: str,
) -> bytes:
    """Put a message together; a response has the method of its request beside it, which was not in it."""
    parts = [b'"jsonrpc":"2.0"']
    if id_ is not None:
        parts.append(b'"id":' + (id_ if _INTEGER.fullmatch(id_) else _quoted(id_)))
    if kind == "response":
        parts.append(b'"error":' + error if error is not None else b'"result":' + (result or b"{}"))
    else:
        parts.append(b'"method":' + _quoted(method or b""))
        if params is not None:
            parts.append(b'"params":' + params)
    return b"{" + b",".join(parts) + b"}"


def _quoted(raw: bytes) -> bytes:
    return json_codec.write_bytes(raw.decode("utf-8", "replace"))


class _Exported(msgspec.Struct):
    direction: str
    message_type: str = ""
    method: str | None = None
    timestamp: str | None = None
    params: msgspec.Raw = msgspec.Raw()
    result: msgspec.Raw = msgspec.Raw()
    error: msgspec.Raw = msgspec.Raw()


_decode = msgspec.json.Decoder(_Exported).decode


def _read_export(path: Path, report: ImportReport) -> Iterator[Frame]:
    report.limits.append("The export has no ids: they were made up")
    pending: defaultdict[tuple[Direction, str], deque[int]] = defaultdict(deque)
    for position, item in enumerate(array_items(path, ("messages",), report), 1):
        try:
            message = _decode(item)
            side, moment = _SIDES.get(message.direction), seconds(message.timestamp)
            if side is None or moment is None:
                raise ValueError("no direction or no time")
            raw = _exported(message, side, position, pending)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            report.skip(f"message {position:,}", str(error))
            continue
        yield foreign_frame(side, _CHANNELS[side], moment, raw)


def _exported(
    message: _Exported,
    side: Direction,
    position: int,
    pending: defaultdict[tuple[Direction, str], deque[int]],
) -> bytes:
    method = message.method or ""
    id_: bytes | None = None
    if message.message_type == "request":
        pending[side, method].append(position)
        id_ = f"{position}".encode()
    elif message.message_type == "response":
        other = Direction.RECEIVED if side is Direction.SENT else Direction.SENT
        asked = pending[other, method]
        id_ = f"{asked.popleft() if asked else position}".encode()
    parts = [_given(each) for each in (message.params, message.result, message.error)]
    return _message(id_, method.encode("utf-8", "surrogatepass"), *parts, kind=message.message_type)


def _given(raw: msgspec.Raw) -> bytes | None:
    found = one_line(bytes(raw))
    return None if found in {b"", b"null"} else found
