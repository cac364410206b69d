"""What rules know of the streams of notifications that we asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.latest import Latest
from inspector.spec.subscription_filter import ACKNOWLEDGED, LISTEN, SubscriptionFilter, read_filter

if TYPE_CHECKING:
    from inspector.checks.seen import ReceivedMessage, SentRequest
    from inspector.wire.json_codec import Json


class SubscriptionHistory:
    """The streams of one connection, by the frame of their request."""

    def __init__(self) -> None:
        """Begin without any."""
        self.requested: Latest[int, SubscriptionFilter] = Latest(1_000)
        """What was asked for."""
        self.acknowledged: Latest[int, Json] = Latest(1_000)
        """What the server agreed to."""

    def add_sent(self, request: SentRequest) -> None:
        """Take note of a request for a stream."""
        if request.method == LISTEN:
            params = request.params if isinstance(request.params, dict) else {}
            self.requested[request.number] = read_filter(params.get("notifications"))

    def add_received(self, message: ReceivedMessage) -> None:
        """Take note of an acknowledgment, before the rules look at it."""
        if message.method == ACKNOWLEDGED and message.request in self.requested:
            self.acknowledged[message.request] = message.params.get("notifications")
