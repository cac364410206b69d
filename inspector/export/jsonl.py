"""Frames as JSON Lines: one JSON object a frame."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from inspector.wire import json_codec
from inspector.wire.frame import Direction
from inspector.wire.json_codec import RawJson
from inspector.wire.message import Absent, MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.finding import Finding
    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript
    from inspector.wire.frame import Frame
    from inspector.wire.json_codec import JsonObject

_JSON_KINDS = {
    MessageKind.REQUEST,
    MessageKind.RESPONSE,
    MessageKind.ERROR,
    MessageKind.NOTIFICATION,
    MessageKind.BATCH,
    MessageKind.NOTE,
}
_DIRECTIONS = {Direction.SENT: "out", Direction.RECEIVED: "in", Direction.NOTE: "note"}


def json_lines(transcript: Transcript, numbers: Iterable[int], masking: Masking) -> Iterator[str]:
    """Yield a line for each frame, for reading: number, time, direction, kind, and the message, or the text if it is not JSON."""
    for number in numbers:
        yield _line(transcript, number, masking)


def _line(transcript: Transcript, number: int, masking: Masking) -> str:
    row = transcript.row(number)
    text = masking.apply(number, transcript.message(number).raw).decode(errors="replace")
    line: JsonObject = {
        "number": number,
        "time": RawJson(f"{row.wall_s:.6f}"),
        "direction": _DIRECTIONS[row.direction],
        "kind": row.kind.name.lower(),
    }
    if row.kind in _JSON_KINDS:
        line["message"] = RawJson(json_codec.compact(text))
    else:
        line["text"] = text
    return json_codec.write(line)


def frame_to_json(transcript: Transcript, number: int, masking: Masking) -> JsonObject:
    """Return all that is known of a frame, for programs: its exact bytes, times, exchange and findings."""
    row, message = transcript.row(number), transcript.message(number)
    frame = transcript.frame(number)
    document: JsonObject = {
        "number": number,
        "monotonic_s": row.monotonic_s,
        "wall_s": row.wall_s,
        "direction": row.direction.name.lower(),
        "channel": row.channel.name.lower(),
        "kind": row.kind.name.lower(),
        "method": row.method,
    }
    if not isinstance(message.id, Absent):
        document["id"] = message.id
    if frame.stream:
        document["stream"] = frame.stream
    if exchange := transcript.exchange(number):
        document |= {"request": exchange.request, "status": exchange.status.value}
    document |= {
        "size": row.size,
        "findings": [finding_to_json(f) for f in transcript.findings(number)],
    }
    return document | _raw(frame, masking.apply(number, frame.raw))


def _raw(frame: Frame, raw: bytes) -> JsonObject:
    document: JsonObject = {}
    if frame.flaw:
        document = {"defect": (frame.flaw.name or "").lower(), "dropped": frame.dropped}
    if raw != frame.raw:
        document["secretsHidden"] = True
    try:
        return document | {"raw": raw.decode()}
    except UnicodeDecodeError:
        return document | {"rawBase64": base64.b64encode(raw).decode()}


def finding_to_json(finding: Finding) -> JsonObject:
    """Return a finding."""
    return {
        "rule": finding.rule,
        "severity": finding.severity.name.lower(),
        "summary": finding.summary,
        "pointer": finding.pointer,
        "link": finding.link,
    }
