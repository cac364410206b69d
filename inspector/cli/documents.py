"""Pieces of machine-readable output. What came from the server is spliced in as it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import PeerError, for_cli
from inspector.session.http_verdict import http_of
from inspector.session.refusals import hint_of
from inspector.wire.jsontext import RawJson

if TYPE_CHECKING:
    from inspector.errors import InspectorError
    from inspector.finding import Finding
    from inspector.session.steps import Steps
    from inspector.spec.revision import Revision
    from inspector.wire.jsontext import Json, JsonObject
    from inspector.wire.message import Message


def result_of(message: Message) -> Json:
    """The result of a response, exactly."""
    raw = message.raw_result
    return None if raw is None else RawJson(raw.decode("utf-8", "replace"))


def error_of(error: InspectorError, revision: Revision | None = None) -> JsonObject:
    """A failure; `code` and `data` are there when the server sent an error, `status` when HTTP responded with a bad one."""
    told: JsonObject = {"kind": type(error).__name__, "words": error.words}
    if hint := hint_of(error, revision):
        told["remedy"] = for_cli(hint)
    if isinstance(error, PeerError):
        told |= {"code": error.code, "message": error.message, "data": error.data}
    http = http_of(error)
    if http is not None:
        told["status"] = http.status
    return told


def finding_of(finding: Finding) -> JsonObject:
    """A finding."""
    return {
        "rule": finding.rule,
        "severity": finding.severity.name.lower(),
        "words": finding.words,
        "place": finding.place,
        "link": finding.link,
    }


def steps_of(steps: Steps) -> list[Json]:
    """The steps of connecting."""
    return [
        {
            "name": step.name,
            "state": step.state.value,
            "seconds": step.took_seconds,
            "words": step.words,
            "remedy": for_cli(step.remedy),
            "detail": step.detail,
        }
        for step in steps
    ]
