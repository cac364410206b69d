"""Logs of Claude Desktop: `mcp-server-NAME.log` of one server, and `mcp.log` of all of them.

A line is `TIME [NAME] [LEVEL] TEXT`, in some versions with level and name the other way round; newer ones add `{ metadata: … }`, which may take
several lines. Lines without a time are what the server wrote to standard error.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from inspector.imports.importer import (
    MAX_LINE_BYTES,
    MAX_SESSIONS,
    ForeignSession,
    ImportReport,
    foreign_frame,
    seconds,
)
from inspector.imports.lines import text_lines
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction, FrameDefect

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inspector.imports.importer import Sample
    from inspector.wire.frame import Frame

_LEVELS = frozenset({"info", "error", "warn", "warning", "debug", "silly", "verbose"})
_LINE = re.compile(
    rb"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(?:Z|[+-]\d\d:?\d\d)?) \[([^\]]*)\] \[([^\]]*)\] (.*)",
    re.DOTALL,
)
_MESSAGE = re.compile(r"Message from (client|server): ")
_CLOSED = ("Server transport closed", "Client transport closed", "Server disconnected")

_METADATA = "{ metadata: "
_INDENT = (b" ", b"\t")
_END_OF_BLOCK = re.compile(rb"\}(?: \})?(?: %o)?\s*$")
MAX_BLOCK_LINES = 1000
"""Lines of metadata that belong to one entry at most."""


class _Entry:
    """A line of the log."""

    __slots__ = ("at", "moment", "name", "text")

    def __init__(self, at: str, moment: float, name: str, text: str) -> None:
        self.at, self.moment, self.name, self.text = at, moment, name, text


def accepts(sample: Sample) -> bool:
    """Whether one of the first lines is of such a log."""
    return any(_entry("", line) is not None for line in sample.start.splitlines()[:50])


def sessions(path: Path) -> list[ForeignSession]:
    """Return the servers of a log."""
    found: dict[str, ForeignSession] = {}
    for entry in _entries(path, ImportReport()):
        if not isinstance(entry, _Entry) or _MESSAGE.match(entry.text) is None:
            continue
        known = found.get(entry.name)
        if known is None and len(found) >= MAX_SESSIONS:
            continue
        started = known.started_s if known is not None else entry.moment
        count = (known.messages if known is not None else 0) + 1
        found[entry.name] = ForeignSession(entry.name, entry.name, count, started)
    return list(found.values())


def read(path: Path, session: str, report: ImportReport) -> Iterator[Frame]:
    """Yield the frames of a server."""
    report.limits.append(
        "Claude Desktop wrote the messages again, and its log has no bytes that are no text"
    )
    moment, name = 0.0, session
    for entry in _entries(path, report):
        if isinstance(entry, _Entry):
            moment, name = entry.moment, entry.name
            if not session or name == session:
                yield from _frames(entry, report)
        elif not moment:
            report.skip("the beginning", "a line before the first one with a time")
        elif not session or name == session:
            yield foreign_frame(Direction.RECEIVED, Channel.STDERR, moment, entry)


def _entries(path: Path, report: ImportReport) -> Iterator[_Entry | bytes]:
    """Lines of the log, and those of standard error; metadata in lines of its own is left out, and counted."""
    block, may_start = 0, False
    for at, line in text_lines(path, MAX_LINE_BYTES, report):
        entry = _entry(at, line)
        if entry is not None:
            block = MAX_BLOCK_LINES if entry.text.endswith(f"{_METADATA}{{") else 0
            may_start = entry.text.endswith("{")
            yield entry
            continue
        is_indented = line.startswith(_INDENT)
        if may_start and is_indented and line.lstrip(b" \t").startswith(b"metadata: "):
            block = MAX_BLOCK_LINES
        may_start = False
        is_end = bool(block) and _END_OF_BLOCK.match(line) is not None
        if block and (is_end or is_indented):
            block = 0 if is_end else block - 1
            report.skip(at, "metadata")
        else:
            yield line


def _entry(at: str, line: bytes) -> _Entry | None:
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    one, other = (found[group].decode("utf-8", "replace") for group in (2, 3))
    moment = seconds(found[1].decode())
    if moment is None or not {one, other} & _LEVELS:
        return None
    name = one if other in _LEVELS else other
    return _Entry(at, moment, name, found[4].decode("utf-8", "replace"))


def _frames(entry: _Entry, report: ImportReport) -> Iterator[Frame]:
    found = _MESSAGE.match(entry.text)
    if found is None:
        yield _note(entry)
        return
    side = Direction.SENT if found[1] == "client" else Direction.RECEIVED
    channel = Channel.STDIN if side is Direction.SENT else Channel.STDOUT
    raw, is_whole = _json_at_start(entry.text[found.end() :])
    if not is_whole:
        report.skip(entry.at, "its message is not complete")
    flaw = FrameDefect.NONE if is_whole else FrameDefect.TRUNCATED
    yield foreign_frame(side, channel, entry.moment, raw.encode("utf-8", "replace"), flaw=flaw)


def _note(entry: _Entry) -> Frame:
    text = _without_metadata(entry.text)
    event = "closed" if text.startswith(_CLOSED) else "imported"
    raw = json_codec.write_bytes({"event": event, "words": text})
    return foreign_frame(Direction.NOTE, Channel.NOTE, entry.moment, raw)


_scan = json.JSONDecoder().raw_decode


def _json_at_start(text: str) -> tuple[str, bool]:
    """The JSON value that a text begins with, and whether it is whole; else the text without metadata."""
    try:
        _, end = _scan(text)
    except (ValueError, RecursionError):
        return _without_metadata(text), False
    return text[:end], True


def _without_metadata(text: str) -> str:
    """A text without the metadata at its end; without a pattern, which a hostile line of many spaces would occupy for hours."""
    start = text.find(_METADATA)
    if start < 0 or not text.removesuffix(" %o").endswith("}"):
        return text
    return text[:start].rstrip()
