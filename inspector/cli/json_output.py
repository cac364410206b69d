"""Parts of the JSON output. JSON of the server is inserted as it was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import PeerError, for_cli
from inspector.session.error_responses import hint_of, http_of
from inspector.wire.json_codec import RawJson

if TYPE_CHECKING:
    from inspector.errors import InspectorError
    from inspector.session.steps import Steps
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import Message


def result_to_json(message: Message) -> Json:
    """The result of a response, exactly."""
    raw = message.raw_result
    return None if raw is None else RawJson(raw.decode("utf-8", "replace"))


def error_to_json(
    error: InspectorError, revision: Revision | None = None, login: str = ""
) -> JsonObject:
    """A failure; with `code` and `data` of a JSON-RPC error, `status` of an HTTP error, and the command that logs in."""
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
    """The steps of connecting."""
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
