"""Putting a request of the server to the person, and taking it back when nobody waits for the answer any more.

The connection's end and `notifications/cancelled` withdraw a question; nothing else here ends one. What was not declared is
refused before anybody is asked (C-LC-14).
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.errors import PeerError
from inspector.finding import Finding, Severity
from inspector.inbox import InboxItem, RelatedRequest
from inspector.spec.capabilities import declares
from inspector.spec.error_codes import METHOD_NOT_FOUND
from inspector.transcript.exchange import Status
from inspector.transcript.quick_fields import key_of
from inspector.wire import json_codec
from inspector.wire.frame import Direction
from inspector.wire.json_codec import JsonSyntaxError, RawJson

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from inspector.clock import Clock
    from inspector.inbox import Inbox
    from inspector.session.inbound import InboundRequest
    from inspector.session.session import Session
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json
    from inspector.wire.message import Message

CANCELLED = "notifications/cancelled"

TITLE_LENGTH = 500
"""Characters kept of what a question is about; the view has all of it."""

MAX_CAUSES = 20
"""Requests of ours that are named as possible causes, the latest."""


class InboxRequests:
    """The questions of one session, of one kind."""

    def __init__(
        self, kind: str, feature: object, session: Session, inbox: Inbox, *, clock: Clock
    ) -> None:
        """Put what is asked in `session` into `inbox`, to be answered through `feature`."""
        self.session = session
        self.inbox = inbox
        self._kind = kind
        self._feature = feature
        self._clock = clock
        self._open: dict[Hashable, set[InboxItem]] = {}
        """Those that wait, by the id of their request; an input request has none."""
        session.peer.listener(CANCELLED).subscribe(self._on_cancelled)
        session.peer.ended_event.subscribe(self._on_ended)

    def demand(self, inbound: InboundRequest, capability: str) -> None:
        """Refuse a request that belongs to a capability we did not declare.

        Raises:
            PeerError: we did not.
        """
        refuse_undeclared(self.session, inbound, capability)

    def remark(self, inbound: InboundRequest, *findings: Finding) -> None:
        """Put findings about a request beside its frame."""
        _remark(self.session, inbound, *findings)

    async def put(self, inbound: InboundRequest, title: str, view: object) -> Json:
        """Ask the person, and wait.

        Raises:
            PeerError: the person refused.
        """
        causes = self._causes(inbound)
        ask = InboxItem(
            self._kind,
            self.session,
            self._feature,
            self.session.profile.name,
            inbound.frame,
            self._clock.monotonic(),
            title[:TITLE_LENGTH],
            view,
            causes,
            partial(fate_of, self.session.transcript, causes),
            inbound.given_beside,
        )
        key = key_of(inbound.message.id)
        self._open.setdefault(key, set()).add(ask)
        try:
            return await self.inbox.submit(ask)
        except asyncio.CancelledError:
            if inbound.cause:
                self.inbox.set_note(ask, "the request that it belongs to was given up")
            raise
        finally:
            self._open[key].discard(ask)
            if not self._open[key]:
                del self._open[key]

    def _causes(self, inbound: InboundRequest) -> tuple[RelatedRequest, ...]:
        transcript = self.session.transcript
        open_now = transcript.open_requests(Direction.SENT)[-MAX_CAUSES:]
        found: list[RelatedRequest] = []
        for frame in (inbound.cause,) if inbound.cause else open_now:
            exchange = transcript.exchange(frame)
            if exchange is not None:
                found.append(RelatedRequest(frame, f"{exchange.method} {exchange.label}".strip()))
        return tuple(found)

    def _on_cancelled(self, _frame: int, message: Message) -> None:
        params = message.params
        if not isinstance(params, dict) or "requestId" not in params:
            return
        reason = params.get("reason")
        why = f": {reason}" if isinstance(reason, str) and reason else ""
        for ask in tuple(self._open.get(key_of(params["requestId"]), ())):
            self.inbox.withdraw(ask, f"the server withdrew it{why}")

    def _on_ended(self) -> None:
        self.inbox.withdraw_from(self.session, "the connection ended")


ENDINGS = {
    Status.CANCELLED: "was cancelled",
    Status.TIMED_OUT: "timed out",
    Status.NO_RESPONSE: "was lost",
}
"""How a request may end without a response."""

UNDER_WAY = {Status.PENDING, Status.INPUT_REQUIRED, Status.OPEN}


def fate_of(transcript: Transcript, causes: Sequence[RelatedRequest]) -> str:
    """Return how the latest of the requests ended, in words; empty while one of them is under way, or there are none."""
    text = ""
    for cause in causes:
        exchange = transcript.exchange(cause.frame)
        if exchange is None or exchange.status in UNDER_WAY:
            return ""
        text = f"{cause.text} {ENDINGS.get(exchange.status, 'has its response')}"
    return text


def refuse_undeclared(session: Session, inbound: InboundRequest, capability: str) -> None:
    """Refuse a request that belongs to a capability we did not declare (C-LC-14).

    Raises:
        PeerError: we did not.
    """
    if declares(session.client_capabilities, capability):
        return
    text = f"the server ignores that we did not declare `{capability}`"
    _remark(session, inbound, Finding("L-JR-32", Severity.ERROR, text, "/method"))
    raise PeerError(METHOD_NOT_FOUND, f"This client does not support {capability}")


def _remark(session: Session, inbound: InboundRequest, *findings: Finding) -> None:
    for finding in findings:
        placed = replace(finding, pointer=inbound.pointer + finding.pointer)
        session.transcript.add_finding(inbound.frame, placed)
    if findings:
        session.transcript.findings_changed.fire()


def exact(text: str) -> RawJson:
    """A JSON text to send as it was written, but for white space between tokens: one message is one line (C-STD-03).

    Raises:
        ValueError: it is not JSON and would break the message it stands in.
    """
    try:
        json_codec.read(text.encode("utf-8", "surrogatepass"))
    except JsonSyntaxError as error:
        raise ValueError(f"this is not JSON: {error}") from error
    return RawJson(json_codec.compact(text))
