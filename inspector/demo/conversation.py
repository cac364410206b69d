"""What one client agreed with us, and what it changed since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.listeners import UPDATED
from inspector.demo.request_errors import ToolError
from inspector.demo.server_requests import Questions
from inspector.demo.state import State
from inspector.demo.tasks import Tasks
from inspector.spec.revision import REVISIONS

if TYPE_CHECKING:
    from inspector.demo.embedded_inputs import Inputs
    from inspector.demo.notebook import Notebook
    from inspector.demo.options import Options
    from inspector.demo.writer import Outlet
    from inspector.wire.json_codec import Json, JsonObject

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""From the least to the most urgent: RFC 5424."""

SUPPORTED = tuple(revision for revision in REVISIONS if revision.stateful)
"""The revisions of sessions that this server speaks, oldest first."""


class Conversation:
    """A session. Where there are none, `stateless.py` makes one for every request."""

    def __init__(self, options: Options, outlet: Outlet, state: State | None = None) -> None:
        """Begin before the handshake."""
        self.options = options
        self.outlet = outlet
        self.state = State(has_malformed_tools=options.malformed_tools) if state is None else state
        self.revision = SUPPORTED[-1]
        self.is_open = False
        self.client: JsonObject = {}
        self.capabilities: JsonObject = {}
        self.level = LEVELS[0]
        self.subscriptions: set[str] = set()
        self.questions = Questions(outlet)
        self.tasks: Tasks = Tasks()
        self.inputs: Inputs | None = None

    @property
    def notebook(self) -> Notebook:
        """What the tools called notes_… change."""
        return self.state.notebook

    @property
    def extras(self) -> set[str]:
        """What is listed on request."""
        return self.state.extras

    def notify(self, method: str, params: JsonObject | None = None) -> None:
        """Send a notification."""
        message: JsonObject = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        self.outlet.send(message)

    def log(self, level: str, data: Json, logger: str) -> bool:
        """Send a log message if the client wants any, unless it asked for more urgent ones only; whether it left."""
        is_enabled = bool(self.level) and LEVELS.index(level) >= LEVELS.index(self.level)
        if is_enabled:
            self.notify("notifications/message", {"level": level, "logger": logger, "data": data})
        return is_enabled

    def touch(self, uri: str) -> bool:
        """Say that a resource changed, to a client that subscribed to it; whether it did."""
        is_subscribed = uri in self.subscriptions
        if is_subscribed:
            self.notify(UPDATED, {"uri": uri})
        return is_subscribed

    def announce(self, what: str) -> None:
        """Say that the list of tools, resources or prompts changed: `what` is one of these three."""
        self.notify(f"notifications/{what}/list_changed")

    def toggle(self, what: str) -> bool:
        """List one more `tool`, `resource` or `prompt`, or stop listing it; whether it is listed now."""
        self.state.extras ^= {what}
        self.announce(f"{what}s")
        return what in self.extras

    def require(self, capability: str, method: str, *, part: str = "") -> None:
        """Go on only if the client declared what `method` needs, maybe only a `part` of a capability.

        Raises:
            ToolError: it did not.
        """
        del part
        if capability not in self.capabilities:
            raise ToolError(f"The client did not declare “{capability}”, so {method} was not sent.")

    def wrapped(self, method: str, result: JsonObject) -> JsonObject:
        """The result of `method` as it leaves."""
        del method
        return result
