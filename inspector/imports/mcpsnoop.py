"""Sessions of mcpsnoop (`*.jsonl`, an envelope on each line), and what it exports as JSON, whose events are the same envelopes.

Source: `Envelope` in internal/proxy/frame.go and `EventExport` in internal/exporter/exporter.go of kerlenton/mcpsnoop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from inspector.imports.importer import (
    MAX_LINE_BYTES,
    MAX_SESSIONS,
    ForeignSession,
    ImportReport,
    foreign_frame,
    seconds,
)
from inspector.imports.inspector_export import one_line
from inspector.imports.json_items import array_items
from inspector.imports.lines import text_lines
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction, FrameDefect

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inspector.imports.importer import Sample
    from inspector.wire.frame import Frame

_SIDES = {"c2s": Direction.SENT, "s2c": Direction.RECEIVED}
_OVER_STDIO = {"c2s": Channel.STDIN, "s2c": Channel.STDOUT}


class _Envelope(msgspec.Struct):
    direction: str
    ts: str = ""
    timestamp: str = ""
    session_id: str = ""
    server_label: str = ""
    transport: str = ""
    raw: msgspec.Raw = msgspec.Raw()
    text: str = ""
    truncated: bool = False
    status: int = 0


_decode = msgspec.json.Decoder(_Envelope).decode


class _Command(msgspec.Struct):
    command: list[str] = []


def accepts(sample: Sample) -> bool:
    """Whether a file has envelopes on its lines, or is an export."""
    line = sample.first_line
    is_session = b'"session_id"' in line and b'"direction"' in line and b'"seq"' in line
    return sample.is_object and (is_session or _is_export(sample.start))


def _is_export(start: bytes) -> bool:
    return b'"generated_at"' in start[:200] and b'"session"' in start[:400]


def sessions(path: Path) -> list[ForeignSession]:
    """Return the sessions of a file, in the order of their beginning."""
    found: dict[str, ForeignSession] = {}
    for _, envelope in _envelopes(path, ImportReport()):
        known = found.get(envelope.session_id)
        if known is None and len(found) >= MAX_SESSIONS:
            continue
        moment = seconds(envelope.ts or envelope.timestamp) or 0.0
        started = known.started_s if known is not None else moment
        count = (known.messages if known is not None else 0) + 1
        found[envelope.session_id] = ForeignSession(
            envelope.session_id, envelope.server_label, count, started
        )
    return list(found.values())


def read(path: Path, session: str, report: ImportReport) -> Iterator[Frame]:
    """Yield the frames of a session."""
    for at, envelope in _envelopes(path, report):
        if session and envelope.session_id != session:
            continue
        try:
            yield _frame(envelope)
        except (msgspec.MsgspecError, ValueError) as error:
            report.skip(at, str(error))


def _envelopes(path: Path, report: ImportReport) -> Iterator[tuple[str, _Envelope]]:
    with path.open("rb") as file:
        is_export = _is_export(file.read(400))
    texts = (
        ((f"event {n:,}", item) for n, item in enumerate(array_items(path, ("events",), report), 1))
        if is_export
        else text_lines(path, MAX_LINE_BYTES, report)
    )
    for at, text in texts:
        try:
            yield at, _decode(text)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            report.skip(at, str(error))


def _frame(envelope: _Envelope) -> Frame:
    moment = seconds(envelope.ts or envelope.timestamp)
    if moment is None:
        raise ValueError("it has no time")
    raw = bytes(envelope.raw)
    if raw == b"null":
        raw = b""
    if envelope.direction == "meta":
        return foreign_frame(Direction.NOTE, Channel.NOTE, moment, _started(raw))
    text = envelope.text.encode("utf-8", "surrogatepass")
    if envelope.direction == "stderr":
        return foreign_frame(Direction.RECEIVED, Channel.STDERR, moment, text)
    side = _SIDES.get(envelope.direction)
    if side is None:
        raise ValueError(f"no direction {envelope.direction[:20]!r}")
    is_stdio = envelope.transport in {"", "stdio"}
    channel = _OVER_STDIO[envelope.direction] if is_stdio else Channel.BODY
    flaw = FrameDefect.TRUNCATED if envelope.truncated else FrameDefect.NONE
    return foreign_frame(side, channel, moment, one_line(raw) or text, flaw=flaw)


def _started(raw: bytes) -> bytes:
    """The note about a started program, as Spyglass writes it."""
    command = msgspec.json.decode(raw, type=_Command).command if raw else []
    if not command:
        return json_codec.write_bytes({"event": "imported", "words": "session of mcpsnoop"})
    program, *arguments = command
    text = f"started {program}"
    note: json_codec.JsonObject = {"event": "started", "words": text, "program": program}
    note["args"] = [*arguments]
    return json_codec.write_bytes(note)
