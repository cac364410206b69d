"""Puts requests of the server into the inbox, and withdraws them when the server no longer waits for the response.

The end of the connection and `notifications/cancelled` withdraw a request; nothing else here ends one. A request for a capability that
was not declared is refused before it gets into the inbox (C-LC-14).
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from inspector.errors import PeerError
from inspector.inbox import InboxItem, RelatedRequest
from inspector.spec.capabilities import declares
from inspector.spec.error_codes import METHOD_NOT_FOUND
from inspector.transcript.exchange import Status
from inspector.transcript.quick_fields import key_of
from inspector.wire import json_codec
from inspector.wire.frame import Direction
from inspector.wire.json_codec import JsonSyntaxError, RawJson
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from inspector.clock import Clock
    from inspector.finding import Finding
    from inspector.inbox import Inbox
    from inspector.session.inbound import InboundRequest
    from inspector.session.session import Session
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json
    from inspector.wire.message import Message

CANCELLED = "notifications/cancelled"

TITLE_LENGTH = 500
"""Characters of the title of an item; the view has the whole text."""

MAX_CAUSES = 20
"""Latest pending requests of the client that are named as possible causes."""

LARGE_BYTES = 1 << 16
"""Size of a request from which its parameters are read in a thread: the loop takes 10 ms for them at most."""

T = TypeVar("T")


async def read_params(session: Session, inbound: InboundRequest, read: Callable[[Json], T]) -> T:
    """Return what `read` makes of the parameters of a request, after those of all earlier requests of the session."""

    def read_all() -> T:
        return read(or_null(inbound.message.params))

    is_large = len(inbound.message.raw) >= LARGE_BYTES
    async with session.peer.serving.reading:
        return await asyncio.to_thread(read_all) if is_large else read_all()


class InboxRequests:
    """The requests of one kind in one session that wait for the user."""

    def __init__(
        self, kind: str, feature: object, session: Session, inbox: Inbox, *, clock: Clock
    ) -> None:
        """Put requests of `session` into `inbox`; `feature` responds to them."""
        self.session = session
        self.inbox = inbox
        self._kind = kind
        self._feature = feature
        self._clock = clock
        self._open: dict[Hashable, set[InboxItem]] = {}
        """The waiting items by the id of their request; input requests share the absent id."""
        session.peer.listener(CANCELLED).subscribe(self._on_cancelled)
        session.peer.ended_event.subscribe(self._on_ended)

    def add_findings(self, inbound: InboundRequest, *findings: Finding) -> None:
        """Add findings about a request to its frame."""
        _add_findings(self.session, inbound, *findings)

    async def submit(self, inbound: InboundRequest, title: str, view: object) -> Json:
        """Put a request into the inbox; return the response of the user.

        Raises:
            PeerError: the user refused.
        """
        causes = self._causes(inbound)
        item = InboxItem(
            self._kind,
            self.session,
            self._feature,
            self.session.profile.name,
            inbound.frame,
            self._clock.monotonic(),
            title[:TITLE_LENGTH],
            view,
            causes,
            partial(outcome_of, self.session.transcript, causes),
            inbound.responses_beside,
        )
        key = key_of(inbound.message.id)
        self._open.setdefault(key, set()).add(item)
        try:
            return await self.inbox.submit(item)
        except asyncio.CancelledError:
            if inbound.cause:
                self.inbox.set_note(item, "the client cancelled the request it belongs to")
            raise
        finally:
            self._open[key].discard(item)
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
        for item in tuple(self._open.get(key_of(params["requestId"]), ())):
            self.inbox.withdraw(item, f"withdrawn by the server{why}")

    def _on_ended(self) -> None:
        self.inbox.withdraw_from(self.session, "connection closed")


ENDINGS = {
    Status.CANCELLED: "was cancelled",
    Status.TIMED_OUT: "timed out",
    Status.NO_RESPONSE: "got no response",
}
"""How a request ended without a response, as a clause."""

PENDING = {Status.PENDING, Status.INPUT_REQUIRED, Status.OPEN}


def outcome_of(transcript: Transcript, causes: Sequence[RelatedRequest]) -> str:
    """Return how the latest of the requests ended, as a clause; empty while one of them is pending, or for no requests."""
    text = ""
    for cause in causes:
        exchange = transcript.exchange(cause.frame)
        if exchange is None or exchange.status in PENDING:
            return ""
        text = f"{cause.text} {ENDINGS.get(exchange.status, 'has its response')}"
    return text


def refuse_undeclared(session: Session, capability: str) -> None:
    """Refuse a request for a capability that was not declared (C-LC-14).

    Raises:
        PeerError: it was not declared.
    """
    if declares(session.client_capabilities, capability):
        return
    raise PeerError(METHOD_NOT_FOUND, f"This client does not support {capability}")


def _add_findings(session: Session, inbound: InboundRequest, *findings: Finding) -> None:
    for finding in findings:
        placed = replace(finding, pointer=inbound.pointer + finding.pointer)
        session.transcript.add_finding(inbound.frame, placed)
    if findings:
        session.transcript.findings_changed.fire()


def exact(text: str) -> RawJson:
    """Return a JSON text to send as it was written, without white space between tokens: one message is one line (C-STD-03).

    Raises:
        ValueError: the text is not JSON and would break the message that contains it.
    """
    try:
        json_codec.read(text.encode("utf-8", "surrogatepass"))
    except JsonSyntaxError as error:
        raise ValueError(f"this is not JSON: {error}") from error
    return RawJson(json_codec.compact(text))
