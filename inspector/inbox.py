"""Questions that the engine puts to the person, and the ordered list of the open ones.

Nothing is answered here: an answer is what somebody hands to `answer` or `refuse`. A question has no deadline of ours; the server
may withdraw it, and the end of its connection does. What was withdrawn stays in the list until the person has seen it, and never leaves
as an answer.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from inspector.errors import PeerError
from inspector.event import Event
from inspector.frozen import FrozenStruct
from inspector.time_slices import TurnQueue

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from inspector.errors import InspectorError
    from inspector.json_value import Json

MAX_PENDING = 2000
"""Questions that may wait at once; whatever comes then is refused, and the server is told so."""

MAX_FINISHED = 500
"""Questions that are over and still listed; the oldest make room."""

INTERNAL_ERROR_CODE = -32603
"""JSON-RPC's code for a fault on our side."""


class InboxItemStatus(StrEnum):
    """Where a question stands."""

    WAITING = "waiting"
    """The server waits for the answer."""
    ANSWERED = "answered"
    """The answer has left."""
    WITHDRAWN = "withdrawn"
    """It can no longer be answered."""


class RelatedRequest(FrozenStruct, frozen=True):
    """A request of ours that was under way when the question came."""

    frame: int
    """Its frame."""
    text: str
    """Method, and what it names: `tools/call get_sum`."""


class InboxItem(FrozenStruct, frozen=True, eq=False):
    """One question. Two are never equal, however alike they are."""

    kind: str
    """Which sheet answers it."""
    origin: object
    """The session it came from, told apart by identity."""
    feature: object
    """Who takes the answer: a feature of that session."""
    server: str
    """What the person calls that server."""
    frame: int
    """Frame of the server's request."""
    received_at: float
    """Seconds of a clock that never runs backwards."""
    title: str
    """What it is about, as the server put it; any text at all."""
    view: object
    """The params, as the features of that kind read them."""
    causes: tuple[RelatedRequest, ...] = ()
    """What may have caused it, oldest first; nobody can tell which when there are several."""
    fate: Callable[[], str] = lambda: ""
    """Returns what became of the causes, once none of them is pending any more: "tools/call x was cancelled". Empty until then.

    The question itself may still be answered: the server need not know, or care.
    """
    given_beside: Callable[[], int] = lambda: 0
    """Returns how many responses to other requests of the same round were given. An error in place of this one drops them."""


@runtime_checkable
class Declinable(Protocol):
    """A feature that knows how to say no."""

    declines_with_error: bool
    """Whether it says no with an error, not with a result: an error ends the round that the question is part of."""

    def decline(self, ask: InboxItem) -> bool:
        """Say no to a question in the way its kind has for that. False if it is too late."""
        ...


@dataclass(slots=True)
class _Entry:
    """What happens to one question."""

    answer: asyncio.Future[Json]
    standing: InboxItemStatus = InboxItemStatus.WAITING
    note: str = ""


class Inbox:
    """The questions, oldest first."""

    def __init__(self) -> None:
        """Start empty."""
        self.changed: Event[()] = Event()
        self._slips: dict[InboxItem, _Entry] = {}
        self._waiting = 0
        self._withdrawn = TurnQueue()

    @property
    def items(self) -> tuple[InboxItem, ...]:
        """All that are listed: those that wait, and those that are over and were not dismissed."""
        return tuple(self._slips)

    @property
    def waiting(self) -> tuple[InboxItem, ...]:
        """Those that can be answered."""
        return tuple(
            ask for ask, slip in self._slips.items() if slip.standing is InboxItemStatus.WAITING
        )

    def waiting_during(self, origin: object, frames: Collection[int]) -> tuple[InboxItem, ...]:
        """Those that can be answered and that a request of this session may have caused, sent as one of `frames`."""
        return tuple(
            ask
            for ask in self.waiting
            if ask.origin is origin and any(cause.frame in frames for cause in ask.causes)
        )

    def standing(self, ask: InboxItem) -> InboxItemStatus:
        """How a question stands; one that is no longer listed was answered."""
        slip = self._slips.get(ask)
        return slip.standing if slip is not None else InboxItemStatus.ANSWERED

    def note(self, ask: InboxItem) -> str:
        """What there is to say about how it stands; often nothing."""
        slip = self._slips.get(ask)
        return slip.note if slip is not None else ""

    async def submit(self, ask: InboxItem) -> Json:
        """Ask, and wait for the answer as long as it takes.

        Raises:
            PeerError: the person refused, or too many questions wait already.
            asyncio.CancelledError: it was withdrawn.
        """
        if self._waiting >= MAX_PENDING:
            raise PeerError(
                INTERNAL_ERROR_CODE, f"{MAX_PENDING:,} requests wait for a person already"
            )
        slip = self._slips[ask] = _Entry(asyncio.get_running_loop().create_future())
        self._waiting += 1
        self.changed.fire()
        try:
            return await slip.answer
        except asyncio.CancelledError:
            self.withdraw(ask, "the server no longer waits for it")
            raise

    def answer(self, ask: InboxItem, result: Json, *, text: str = "") -> bool:
        """Give the result that is sent; with `words` the question stays listed. False if it is over already."""
        slip = self._settled(ask, InboxItemStatus.ANSWERED, text)
        if slip is None:
            return False
        if not text:
            del self._slips[ask]
        slip.answer.set_result(result)
        self.changed.fire()
        return True

    def refuse(self, ask: InboxItem, error: InspectorError) -> bool:
        """Give the error that is sent. False if it is over already."""
        slip = self._settled(ask, InboxItemStatus.ANSWERED, "")
        if slip is None:
            return False
        del self._slips[ask]
        slip.answer.set_exception(error)
        self.changed.fire()
        return True

    def turn_down_all(self) -> int:
        """Say no to everything that waits, and give how many that were."""
        return sum(
            ask.feature.decline(ask) for ask in self.waiting if isinstance(ask.feature, Declinable)
        )

    def withdraw(self, ask: InboxItem, text: str) -> None:
        """Take note that nobody waits for the answer any more; `words` say why."""
        self._withdraw([ask], text)

    def end(self, origin: object, text: str) -> None:
        """Withdraw everything that `origin` still waits for."""
        self._withdraw([ask for ask in self.waiting if ask.origin is origin], text)

    def set_note(self, ask: InboxItem, text: str) -> None:
        """Say something else about a question that is still listed."""
        slip = self._slips.get(ask)
        if slip is not None and slip.note != text:
            slip.note = text
            self.changed.fire()

    def dismiss(self, *asks: InboxItem) -> None:
        """Remove questions that are over from the list; those that wait stay."""
        gone = [ask for ask in asks if ask in self._slips and self._is_over(ask)]
        for ask in gone:
            del self._slips[ask]
        if gone:
            self.changed.fire()

    def _is_over(self, ask: InboxItem) -> bool:
        return self._slips[ask].standing is not InboxItemStatus.WAITING

    def _settled(self, ask: InboxItem, standing: InboxItemStatus, text: str) -> _Entry | None:
        slip = self._slips.get(ask)
        if slip is None or slip.standing is not InboxItemStatus.WAITING:
            return None
        if slip.answer.done() and standing is not InboxItemStatus.WITHDRAWN:
            return None  # cancelled from outside; `put` is about to say so
        slip.standing, slip.note = standing, text
        self._waiting -= 1
        return slip

    def _withdraw(self, asks: Sequence[InboxItem], text: str) -> None:
        """Withdraw them at once; their tasks end a few in each turn of the event loop, for there may be thousands."""
        slips = [self._settled(ask, InboxItemStatus.WITHDRAWN, text) for ask in asks]
        for slip in filter(None, slips):
            self._withdrawn.add(slip.answer.cancel)
        if any(slips):
            self._make_room()
            self.changed.fire()

    def _make_room(self) -> None:
        over = [ask for ask in self._slips if self._is_over(ask)]
        for ask in over[: max(len(over) - MAX_FINISHED, 0)]:
            del self._slips[ask]
