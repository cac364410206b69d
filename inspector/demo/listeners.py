"""Streams of announcements: each says what it honours first, tags everything with the id of its request, and carries nothing else.

Source: basic/patterns/subscriptions.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from inspector.demo.meta import COMPLETE, SUBSCRIPTION_ID
from inspector.demo.request_errors import INVALID_PARAMS, RpcError
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from inspector.demo.writer import Outlet
    from inspector.wire.json_codec import Json, JsonObject

LISTEN = "subscriptions/listen"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
UPDATED = "notifications/resources/updated"
NEWS = "notifications/tasks"

KINDS = {
    f"notifications/{what}/list_changed": f"{what}ListChanged"
    for what in ("tools", "prompts", "resources")
}
"""Announcements, and the member of the filter that asks for each."""

URIS = "resourceSubscriptions"
TASK_IDS = "taskIds"
"""Members of the filter: resources, and tasks, by their names."""

SCHEMES = ("demo:", "test:")
"""Of the resources whose changes can be announced; others are not honored."""


class Listener(FrozenStruct, frozen=True, eq=False):
    """One open stream."""

    number: str | int
    """The id of the request that opened it."""
    outlet: Outlet
    """Where it is written."""
    honored: JsonObject
    """The part of the filter that we agreed to."""

    @property
    def tag(self) -> JsonObject:
        """`_meta` of everything on it."""
        return {SUBSCRIPTION_ID: self.number}

    def wants(self, method: str, params: JsonObject) -> bool:
        """Whether it asked for this announcement."""
        uris, ids = self.honored.get(URIS), self.honored.get(TASK_IDS)
        if method == NEWS:
            return isinstance(ids, list) and params.get("taskId") in ids
        if method == UPDATED:
            return isinstance(uris, list) and params.get("uri") in uris
        return self.honored.get(KINDS.get(method, "")) is True

    def notify(self, method: str, params: JsonObject) -> None:
        """Announce, with the tag."""
        self.outlet.send(
            {"jsonrpc": "2.0", "method": method, "params": {**params, "_meta": self.tag}}
        )

    def end(self, how: str) -> None:
        """End the stream, `gracefully` or as `cancelled`; anything else breaks it off without a word."""
        if how == "gracefully":
            result: JsonObject = {"resultType": COMPLETE, "_meta": self.tag}
            self.outlet.send({"jsonrpc": "2.0", "id": self.number, "result": result})
        elif how == "cancelled":
            params: JsonObject = {"requestId": self.number, "reason": "The server was asked to"}
            self.outlet.send(
                {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}
            )
        self.outlet.done(self.number)


class Listeners:
    """Those that are open; any thread may use them."""

    def __init__(self) -> None:
        """Start without any."""
        self._open: list[Listener] = []
        self._lock = threading.Lock()

    def open(self, number: str | int, outlet: Outlet, params: JsonObject) -> None:
        """Open a stream, and say what of the filter is honored.

        Raises:
            RpcError: there is no filter.
        """
        requested = params.get("notifications")
        if not isinstance(requested, dict):
            raise RpcError(INVALID_PARAMS, "notifications must be an object")
        listener = Listener(number, outlet, _honored(requested))
        listener.notify(ACKNOWLEDGED, {"notifications": listener.honored})
        with self._lock:
            self._open.append(listener)

    def every(self) -> tuple[Listener, ...]:
        """All of them, oldest first."""
        with self._lock:
            return tuple(self._open)

    def announce(self, method: str, params: JsonObject) -> int:
        """Announce to those that asked for it; how many did."""
        notified = [listener for listener in self.every() if listener.wants(method, params)]
        for listener in notified:
            listener.notify(method, params)
        return len(notified)

    def report(self, id_: str, progress: JsonObject) -> None:
        """Report progress on streams that asked for a task, where it does not belong."""
        for listener in self.every():
            if listener.wants(NEWS, {"taskId": id_}):
                listener.notify("notifications/progress", progress)

    def forget(self, outlet: Outlet, number: Json = None) -> None:
        """The client closed the stream with that number, or all it had on `outlet`."""
        with self._lock:
            self._open = [
                each
                for each in self._open
                if each.outlet is not outlet or number not in (None, each.number)
            ]

    def end(self, how: str) -> int:
        """End every stream: see `Listener.end`; how many there were."""
        with self._lock:
            ended, self._open = self._open, []
        for listener in ended:
            listener.end(how)
        return len(ended)


def asks_for(params: JsonObject, member: str) -> bool:
    """Whether the filter has that member."""
    requested = params.get("notifications")
    return isinstance(requested, dict) and member in requested


def _honored(requested: JsonObject) -> JsonObject:
    honored: JsonObject = {key: True for key in KINDS.values() if requested.get(key) is True}
    uris = requested.get(URIS)
    if isinstance(uris, list):
        known = [uri for uri in uris if isinstance(uri, str) and uri.startswith(SCHEMES)]
        honored[URIS] = [*known]
    ids = requested.get(TASK_IDS)
    if isinstance(ids, list):
        honored[TASK_IDS] = [id_ for id_ in ids if isinstance(id_, str)]
    return honored
