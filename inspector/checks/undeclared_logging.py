"""Log messages of a server that does not declare `logging`.

Source: server/utilities/logging, "Capabilities" ("Servers that emit log message notifications MUST declare the logging capability").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Finding, Severity
from inspector.spec.spec_urls import link
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import JsonObject

OPENINGS = ("initialize", "server/discover")
"""The requests whose result declares the capabilities of the server."""


class UndeclaredLogging:
    """Remembers what the server declared; reports its first log message that is not covered."""

    def __init__(self) -> None:
        """Begin before the server has declared anything."""
        self._is_declared: bool | None = None

    def judge(
        self, kind: MessageKind, method: str, value: JsonObject, revision: Revision
    ) -> Iterator[Finding]:
        """Yield what is wrong with a message of the server; `method` is that of the request for a response."""
        if kind is MessageKind.RESPONSE and method in OPENINGS:
            result = value.get("result")
            declared = result.get("capabilities") if isinstance(result, dict) else None
            self._is_declared = isinstance(declared, dict) and "logging" in declared
        elif method == "notifications/message" and self._is_declared is False:
            self._is_declared = None  # once is enough
            text = "the server sends log messages and does not declare the capability `logging`"
            yield Finding("L-CAP-01", Severity.WARNING, text, "/method", link("logging", revision))
