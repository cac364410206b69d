"""The events of a server on the official Python SDK, version 1 or 2, kept so that a client can go on where it was cut off."""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUntypedBaseClass=false, reportUnknownParameterType=false, reportUnknownArgumentType=false
# The SDK is not in our environment on purpose: Spyglass must not lean on it.

from __future__ import annotations

from mcp.server.streamable_http import EventCallback, EventMessage, EventStore


class Kept(EventStore):
    """Every event of one server that has one session at a time."""

    def __init__(self) -> None:
        self._events: list[tuple[str, object]] = []

    async def store_event(self, stream_id: str, message: object) -> str:
        """Keep it; its id is its number."""
        self._events.append((stream_id, message))
        return str(len(self._events))

    async def replay_events_after(
        self, last_event_id: str, send_callback: EventCallback
    ) -> str | None:
        """Say again what was said on that stream after it."""
        after = int(last_event_id)
        stream = self._events[after - 1][0]
        for number, (where, message) in enumerate(self._events[after:], after + 1):
            if where == stream and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream
