"""Server requests that wait for the user, and their ordered list.

A request is responded to with `answer` or `reject`, by a window or a rule. It has no time limit here; the server may withdraw it, and the end of its
connection does. A withdrawn request stays in the list until the user dismisses it, and can no longer be responded to.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from inspector.background_tasks import TurnQueue
from inspector.errors import PeerError
from inspector.event import Event
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from inspector.errors import InspectorError
    from inspector.json_value import Json

MAX_PENDING = 2000
"""Requests that may wait at once; later ones are rejected with an error."""

MAX_FINISHED = 500
"""Requests that are done and still listed; the oldest are dropped."""

INTERNAL_ERROR_CODE = -32603
"""JSON-RPC's code for an internal error of the client."""


class InboxItemStatus(StrEnum):
    """The status of a request."""

    PENDING = "waiting"
    """The server waits for the response."""
    ANSWERED = "answered"
    """The response was sent."""
    WITHDRAWN = "withdrawn"
    """It can no longer be responded to."""


class RelatedRequest(FrozenStruct, frozen=True):
    """A request of the client that was pending when the server request arrived."""

    frame: int
    """Its frame."""
    text: str
    """Method, and the name in its params: `tools/call get_sum`."""


SAMPLING, ELICITATION = "sampling", "elicitation"
"""The kinds of requests."""


class InboxItem(FrozenStruct, frozen=True, eq=False):
    """One server request. Two are never equal, even with the same values."""

    kind: str
    """Which dialog responds to it."""
    origin: object
    """The session that received it, compared by identity."""
    feature: object
    """The feature of that session that sends the response."""
    server: str
    """The name that the user gave the server."""
    frame: int
    """The number of its frame."""
    received_at: float
    """Monotonic time in seconds."""
    title: str
    """Its subject, as the server sent it: any text."""
    view: object
    """The view of its params, of a class for its kind."""
    causes: tuple[RelatedRequest, ...] = ()
    """The requests that may have caused it, oldest first; the protocol does not say which."""
    fate: Callable[[], str] = lambda: ""
    """Returns the outcome of the causes once none of them is pending: "tools/call x was cancelled"; empty until then.

    The server may still expect a response.
    """
    given_beside: Callable[[], int] = lambda: 0
    """Returns how many other requests of the same round have a response. An error in place of this one drops them."""


@runtime_checkable
class Declinable(Protocol):
    """A feature that can decline a request."""

    declines_with_error: bool
    """Whether it declines with an error instead of a result: an error ends the round of the request."""

    def decline(self, item: InboxItem, /) -> bool:
        """Decline a request as its kind requires; False if it is done already."""
        ...


@dataclass(slots=True)
class _Entry:
    """The state of one request."""

    answer: asyncio.Future[Json]
    status: InboxItemStatus = InboxItemStatus.PENDING
    note: str = ""


class Inbox:
    """The server requests that wait for the user, oldest first."""

    def __init__(self) -> None:
        """Start empty."""
        self.changed: Event[()] = Event()
        self._entries: dict[InboxItem, _Entry] = {}
        self._pending_count = 0
        self._withdrawn = TurnQueue()

    @property
    def items(self) -> tuple[InboxItem, ...]:
        """All that are listed: pending ones, and done ones that were not dismissed."""
        return tuple(self._entries)

    @property
    def pending(self) -> tuple[InboxItem, ...]:
        """The requests that can be responded to."""
        return tuple(
            item for item, entry in self._entries.items() if entry.status is InboxItemStatus.PENDING
        )

    def pending_during(self, origin: object, frames: Collection[int]) -> tuple[InboxItem, ...]:
        """Return the pending requests that a request of session `origin`, sent as one of `frames`, may have caused."""
        return tuple(
            item
            for item in self.pending
            if item.origin is origin and any(cause.frame in frames for cause in item.causes)
        )

    def status(self, item: InboxItem) -> InboxItemStatus:
        """Return the status of a request; one that is no longer listed was answered."""
        entry = self._entries.get(item)
        return entry.status if entry is not None else InboxItemStatus.ANSWERED

    def note(self, item: InboxItem) -> str:
        """Return a note about the status; often empty."""
        entry = self._entries.get(item)
        return entry.note if entry is not None else ""

    async def submit(self, item: InboxItem) -> Json:
        """Add a request and return the result that answers it; waits without a limit.

        Raises:
            PeerError: the user rejected it, or `MAX_PENDING` requests wait already.
            asyncio.CancelledError: it was withdrawn.
        """
        if self._pending_count >= MAX_PENDING:
            text = f"{MAX_PENDING:,} requests wait for a user already"
            raise PeerError(INTERNAL_ERROR_CODE, text)
        entry = self._entries[item] = _Entry(asyncio.get_running_loop().create_future())
        self._pending_count += 1
        self.changed.fire()
        try:
            return await entry.answer
        except asyncio.CancelledError:
            self.withdraw(item, "the server no longer waits for it")
            raise

    def answer(self, item: InboxItem, result: Json, *, text: str = "") -> bool:
        """Answer a request with a result; with `text` it stays listed. False if it is done already."""
        entry = self._settled(item, InboxItemStatus.ANSWERED, text)
        if entry is None:
            return False
        if not text:
            del self._entries[item]
        entry.answer.set_result(result)
        self.changed.fire()
        return True

    def reject(self, item: InboxItem, error: InspectorError) -> bool:
        """Answer a request with an error. False if it is done already."""
        entry = self._settled(item, InboxItemStatus.ANSWERED, "")
        if entry is None:
            return False
        del self._entries[item]
        entry.answer.set_exception(error)
        self.changed.fire()
        return True

    def decline_all(self) -> int:
        """Decline every pending request that can be declined, and return their number."""
        return sum(
            item.feature.decline(item)
            for item in self.pending
            if isinstance(item.feature, Declinable)
        )

    def withdraw(self, item: InboxItem, text: str) -> None:
        """Mark a request as withdrawn; `text` is the reason."""
        self._withdraw([item], text)

    def withdraw_from(self, origin: object, text: str) -> None:
        """Withdraw every pending request of the session `origin`."""
        self._withdraw([item for item in self.pending if item.origin is origin], text)

    def set_note(self, item: InboxItem, text: str) -> None:
        """Change the note about a request that is still listed."""
        entry = self._entries.get(item)
        if entry is not None and entry.note != text:
            entry.note = text
            self.changed.fire()

    def dismiss(self, *items: InboxItem) -> None:
        """Remove requests that are done from the list; pending ones stay."""
        done = [item for item in items if item in self._entries and self._is_done(item)]
        for item in done:
            del self._entries[item]
        if done:
            self.changed.fire()

    def _is_done(self, item: InboxItem) -> bool:
        return self._entries[item].status is not InboxItemStatus.PENDING

    def _settled(self, item: InboxItem, status: InboxItemStatus, text: str) -> _Entry | None:
        entry = self._entries.get(item)
        if entry is None or entry.status is not InboxItemStatus.PENDING:
            return None
        if entry.answer.done() and status is not InboxItemStatus.WITHDRAWN:
            return None  # cancelled from outside; `submit` is about to withdraw it
        entry.status, entry.note = status, text
        self._pending_count -= 1
        return entry

    def _withdraw(self, items: Sequence[InboxItem], text: str) -> None:
        """Withdraw requests at once; their tasks end a few in each turn of the event loop, for there may be thousands."""
        entries = [self._settled(item, InboxItemStatus.WITHDRAWN, text) for item in items]
        for entry in filter(None, entries):
            self._withdrawn.add(entry.answer.cancel)
        if any(entries):
            self._drop_oldest()
            self.changed.fire()

    def _drop_oldest(self) -> None:
        done = [item for item in self._entries if self._is_done(item)]
        for item in done[: max(len(done) - MAX_FINISHED, 0)]:
            del self._entries[item]
