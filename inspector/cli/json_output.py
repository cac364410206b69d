"""Parts of the JSON output. JSON of the server is inserted as it was sent."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from inspector.errors import PeerError, for_cli
from inspector.session.error_responses import hint_of, http_of
from inspector.wire.json_codec import RawJson
from inspector.wire.message import Absent

if TYPE_CHECKING:
    from inspector.errors import InspectorError
    from inspector.finding import Finding
    from inspector.session.steps import Steps
    from inspector.spec.revision import Revision
    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript
    from inspector.wire.frame import Frame
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import Message


def result_to_json(message: Message) -> Json:
    """Return the result of a response, exactly."""
    raw = message.raw_result
    return None if raw is None else RawJson(raw.decode("utf-8", "replace"))


def error_to_json(
    error: InspectorError, revision: Revision | None = None, login: str = ""
) -> JsonObject:
    """Return a failure; with `code` and `data` of a JSON-RPC error, `status` of an HTTP error, and the command that logs in."""
    document: JsonObject = {"kind": type(error).__name__, "reason": error.reason}
    if hint := hint_of(error, revision):
        document["hint"] = for_cli(hint)
    if isinstance(error, PeerError):
        document |= {"code": error.code, "message": error.message, "data": error.data}
    http = http_of(error)
    if http is not None:
        document["status"] = http.status
    return document | ({"login": login} if login else {})


def steps_to_json(steps: Steps) -> list[Json]:
    """Return the steps of connecting."""
    return [
        {
            "name": step.name,
            "state": step.state.value,
            "seconds": step.took_seconds,
            "summary": step.status_text,
            "hint": for_cli(step.hint),
            "detail": step.detail,
        }
        for step in steps
    ]


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
