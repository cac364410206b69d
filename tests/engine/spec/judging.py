"""Short ways to ask the judge, for the tests of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.revision import V2025_11_25
from inspector.spec.validation import validate
from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.finding import Finding
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject


def found(
    message: Json,
    kind: MessageKind,
    revision: Revision = V2025_11_25,
    *,
    method: str | None = None,
    direction: Direction = Direction.RECEIVED,
) -> list[Finding]:
    """Judge a message."""
    return validate(
        message, kind=kind, method_of_request=method, revision=revision, direction=direction
    )


def said(findings: list[Finding]) -> list[tuple[str, str]]:
    """Rules and places."""
    return [(each.rule, each.pointer) for each in findings]


def result(value: Json, method: str, revision: Revision = V2025_11_25) -> list[tuple[str, str]]:
    """Judge a response of the server."""
    message: Json = {"jsonrpc": "2.0", "id": 1, "result": value}
    return said(found(message, MessageKind.RESPONSE, revision, method=method))


def call(method: str, params: Json, revision: Revision = V2025_11_25) -> list[tuple[str, str]]:
    """Judge a request of the client."""
    message: Json = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return said(found(message, MessageKind.REQUEST, revision, direction=Direction.SENT))


def notice(method: str, params: Json, revision: Revision = V2025_11_25) -> list[tuple[str, str]]:
    """Judge a notification of the server."""
    message: Json = {"jsonrpc": "2.0", "method": method, "params": params}
    return said(found(message, MessageKind.NOTIFICATION, revision))


TOOL: JsonObject = {"name": "a", "inputSchema": {"type": "object"}}
"""A tool without a fault."""
