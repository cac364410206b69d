"""The database of MCPHawk (`~/.mcphawk/mcphawk.db`). It writes every message again and masks secrets in it, and has no standard error.

Source: `mcphawk/store/db.py` of mcphawk 1.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.imports.databases import number, opened, pages, text
from inspector.imports.importer import MAX_SESSIONS, ForeignSession, foreign_frame
from inspector.wire.frame import Channel, Direction

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inspector.imports.importer import ImportReport, Sample
    from inspector.wire.frame import Frame

TABLES = {
    "sessions": ("id", "name", "server_name", "transport", "started_at"),
    "messages": ("id", "session_id", "exchange_id", "ts", "direction", "body"),
    "exchanges": ("id", "request_msg_id"),
}
_MESSAGES = """
SELECT m.id, m.ts, m.direction, m.body, e.request_msg_id FROM messages m
LEFT JOIN exchanges e ON e.id = m.exchange_id
WHERE m.session_id = (SELECT id FROM sessions WHERE rowid = ?) AND m.id > ? ORDER BY m.id
"""
"""The last column is the request that a message belongs to."""

MAX_EARLY, MAX_EARLY_BYTES = 1000, 64 << 20
"""Responses that are held back until their request: each side is captured by a thread of its own, and a response may be stored first."""

_SIDES = {"c2s": Direction.SENT, "s2c": Direction.RECEIVED}
_OVER_STDIO = {"c2s": Channel.STDIN, "s2c": Channel.STDOUT}


def accepts(sample: Sample) -> bool:
    """Whether a database has its tables."""
    return sample.is_database and b"chain_root_id" in sample.start


def sessions(path: Path) -> list[ForeignSession]:
    """Return the sessions of a database, oldest first."""
    with opened(path, TABLES) as database:
        sql = "SELECT rowid, id, name, server_name, started_at FROM sessions ORDER BY started_at"
        rows = database.fetch(sql, max_rows=MAX_SESSIONS).rows
        return [
            ForeignSession(
                f"{row[0]}", text(row[2]) or text(row[3]) or text(row[1]), 0, number(row[4])
            )
            for row in rows
        ]


def read(path: Path, session: str, report: ImportReport) -> Iterator[Frame]:
    """Yield the frames of a session."""
    report.limits.append("MCPHawk wrote the messages again and masked secrets in them")
    key = int(session) if session.isascii() and session.isdigit() else 0
    with opened(path, TABLES) as database:
        sql = "SELECT id, transport FROM sessions WHERE rowid = ?"
        found = database.fetch(sql, (key,), max_rows=1).rows
        transport = text(found[0][1]) if found else ""
        early = _Early()
        for row in pages(database, _MESSAGES, key):
            side, body = _SIDES.get(text(row[2])), row[3]
            if side is None or not isinstance(body, bytes):
                report.skip(f"message {row[0]}", "no direction or no text")
                continue
            is_stdio = transport in {"", "stdio"}
            channel = _OVER_STDIO[text(row[2])] if is_stdio else Channel.BODY
            frame = foreign_frame(side, channel, number(row[1]), bytes(body))
            is_early = isinstance(row[4], int) and row[4] > number(row[0])
            if is_early and early.hold(row[4], frame):
                continue
            yield frame
            yield from early.after(row[0])
        yield from early.rest()


class _Early:
    """Frames that are held back until their request, which has a later id."""

    def __init__(self) -> None:
        self._frames: dict[object, list[Frame]] = {}
        self._count = self._size = 0

    def hold(self, request: object, frame: Frame) -> bool:
        """Keep a frame; False if there are too many."""
        if self._count >= MAX_EARLY or self._size + len(frame.raw) > MAX_EARLY_BYTES:
            return False
        self._frames.setdefault(request, []).append(frame)
        self._count += 1
        self._size += len(frame.raw)
        return True

    def after(self, request: object) -> list[Frame]:
        """The frames that were held back for a request."""
        frames = self._frames.pop(request, [])
        self._count -= len(frames)
        self._size -= sum(len(each.raw) for each in frames)
        return frames

    def rest(self) -> Iterator[Frame]:
        """Those whose request never came."""
        for frames in self._frames.values():
            yield from frames
