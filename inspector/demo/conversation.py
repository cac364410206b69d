"""What one client agreed with us, and what it changed since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.notebook import Notebook
from inspector.demo.questions import Questions
from inspector.demo.tasks import Tasks
from inspector.spec.revision import REVISIONS

if TYPE_CHECKING:
    from inspector.demo.options import Options
    from inspector.demo.outlet import Outlet
    from inspector.wire.jsontext import Json, JsonObject

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""From the least to the most urgent: RFC 5424."""

SPOKEN = tuple(revision for revision in REVISIONS if revision.stateful)
"""The revisions that this server speaks, oldest first."""


class Conversation:
    """The state of one session."""

    def __init__(self, options: Options, outlet: Outlet) -> None:
        """Begin before the handshake."""
        self.options = options
        self.outlet = outlet
        self.revision = SPOKEN[-1]
        self.is_open = False
        self.client: JsonObject = {}
        self.capabilities: JsonObject = {}
        self.level = LEVELS[0]
        self.subscriptions: set[str] = set()
        self.extras: set[str] = set()
        self.has_odd_tools = options.odd_tools
        self.notebook = Notebook()
        self.questions = Questions(outlet)
        self.tasks = Tasks()

    def notify(self, method: str, params: JsonObject | None = None) -> None:
        """Send a notification."""
        message: JsonObject = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        self.outlet.send(message)

    def log(self, level: str, data: Json, logger: str) -> bool:
        """Send a log message unless the client asked for more urgent ones only; whether it left."""
        is_wanted = LEVELS.index(level) >= LEVELS.index(self.level)
        if is_wanted:
            self.notify("notifications/message", {"level": level, "logger": logger, "data": data})
        return is_wanted

    def touch(self, uri: str) -> bool:
        """Say that a resource changed, to a client that subscribed to it; whether it did."""
        is_subscribed = uri in self.subscriptions
        if is_subscribed:
            self.notify("notifications/resources/updated", {"uri": uri})
        return is_subscribed

    def toggle(self, what: str) -> bool:
        """List one more `tool`, `resource` or `prompt`, or stop listing it; whether it is listed now."""
        self.extras ^= {what}
        self.notify(f"notifications/{what}s/list_changed")
        return what in self.extras
