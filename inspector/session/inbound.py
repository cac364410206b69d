"""Requests of the server, each answered in a task of its own. Knows no MCP.

The tasks begin in the order of the requests, a few in each turn of the event loop, and answer in turns of it, too: a server may send thousands at once.
While very many have not begun, nothing more is read; that ends whatever the server does, so neither side waits for the other for ever.

Source: JSON-RPC 2.0: the answer carries the id exactly as it came. A request that the server calls off gets no answer.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from inspector.background_tasks import TurnQueue
from inspector.errors import ConnectionLost, InspectorError, PeerError
from inspector.event import Event
from inspector.transcript.quick_fields import key_of
from inspector.wire import json_codec
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Hashable

    from inspector.background_tasks import BackgroundTasks
    from inspector.transcript.transcript import RecordedMessage, Transcript
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import MaybeJson, Message

INTERNAL_ERROR = -32603
INVALID_REQUEST = -32600
"""JSON-RPC 2.0, section 5.1."""

MAX_QUEUED = 1_000
"""Requests whose answering has not begun, above which reading pauses."""

MAX_QUEUED_BYTES = 8 << 20
"""Their bytes, likewise."""

MAX_EARLY = 1_000
"""Requests that wait until the era is known; the others are refused."""

MAX_BEGUN = 4_000
"""Requests that are being answered at once, more than ever wait for the person; what comes then gets no answer, and the record says so."""

_Key = tuple[int, "Hashable"]
"""Frame and id: the members of a batch share the frame."""


class NoResponse(Exception):
    """A request gets no answer, whatever it is."""


class InboundRequest(NamedTuple):
    """A request of the server."""

    frame: int
    """Its frame, or that of the result it stands in."""
    message: Message
    """The request."""
    pointer: str = ""
    """Where in the frame it stands, as a JSON pointer; empty for the whole of it."""
    cause: int = 0
    """Frame of the request of ours that it belongs to; 0 where nobody can tell."""
    given_beside: Callable[[], int] = lambda: 0
    """Returns how many responses were given to other requests of the same result: they are sent together, or none is."""


@dataclass(slots=True, eq=False)
class _Request:
    """What becomes of a request."""

    inbound: InboundRequest
    connection: int
    """From which connection it came, counted up."""
    came: float
    """When it came: seconds on the loop's clock."""
    task: asyncio.Task[None] | None = None
    is_called_off: bool = False


class InboundRequests:
    """What the server asked and still waits for."""

    def __init__(
        self,
        transcript: Transcript,
        tasks: BackgroundTasks,
        *,
        serve: Callable[[InboundRequest], Awaitable[Json]],
        send: Callable[[bytes], Awaitable[int]],
    ) -> None:
        """`serve` answers a request or raises `PeerError`; `send` writes a frame."""
        self._transcript = transcript
        self._tasks = tasks
        self._serve = serve
        self._send = send
        self.ended: Event[float] = Event()
        """Fired when a request is served, with the seconds that took: so long the server waited for us."""
        self.drained: Event[()] = Event()
        """Fired when `is_congested` is False again."""
        self._was_congested = False
        self._starts, self._answers = TurnQueue(), TurnQueue()
        self._requests: dict[_Key, _Request] = {}
        self._connection = 0
        self._begun = self._waiting = 0
        self._busy_s = self._busy_since = 0.0

    @property
    def waiting(self) -> int:
        """For how many things the server waits: requests that are being answered or are to be, and what is gone on with."""
        return self._waiting

    @property
    def is_busy(self) -> bool:
        """Whether the server waits for an answer of ours."""
        return self._waiting > 0

    @property
    def is_congested(self) -> bool:
        """True while so many requests wait for their turn that nothing more should be read."""
        starts = self._starts
        return starts.pending > MAX_QUEUED or starts.pending_bytes > MAX_QUEUED_BYTES

    def busy_seconds(self) -> float:
        """How long the server has waited for responses of the client so far, overlapping requests counted once."""
        now = asyncio.get_running_loop().time()
        return self._busy_s + (now - self._busy_since if self.is_busy else 0.0)

    def begin(self, taken: RecordedMessage) -> None:
        """Answer a request, in its turn."""
        inbound = InboundRequest(taken.number, taken.message)
        request = _Request(inbound, self._connection, self._count_in())
        self._requests[_key(inbound.frame, inbound.message.id)] = request
        self._starts.add(partial(self._start, request), len(inbound.message.raw))
        self._was_congested |= self.is_congested

    def run_after_response(
        self, request: int, work: Coroutine[object, object, None]
    ) -> asyncio.Task[None]:
        """Do what the server waits for, although the request of that frame has its answer."""
        task = self._tasks.spawn(work, name=f"go on with request #{request}")
        came = self._count_in()
        task.add_done_callback(lambda _: self._count_out(came))
        return task

    def hold(self) -> Callable[[], None]:
        """Count the time from now on as ours, because of something that is no request; calling what this gives ends that."""
        came = self._count_in()
        is_held = True

        def release() -> None:
            nonlocal is_held
            if is_held:
                is_held = False
                self._count_out(came)

        return release

    def cancel(self, frame: int, id_: MaybeJson) -> None:
        """Give up answering the request in that frame with that id, if it is being answered or is to be."""
        request = self._requests.get(_key(frame, id_))
        if request is None:
            return
        request.is_called_off = True
        if request.task is not None:
            request.task.cancel()

    def drop(self) -> None:
        """Begin to answer nothing that came until now: the connection it came from ended."""
        self._connection += 1

    def _count_in(self) -> float:
        now = asyncio.get_running_loop().time()
        if not self._waiting:
            self._busy_since = now
        self._waiting += 1
        return now

    def _count_out(self, came: float) -> None:
        now = asyncio.get_running_loop().time()
        self._waiting -= 1
        if not self._waiting:
            self._busy_s += now - self._busy_since
        self.ended.fire(now - came)

    def _start(self, request: _Request) -> None:
        if self._was_congested and not self.is_congested:
            self._was_congested = False
            self.drained.fire()
        inbound = request.inbound
        if request.is_called_off or request.connection != self._connection:
            self._on_done(request)
        elif self._begun >= MAX_BEGUN:
            text = (
                f"not answered: {MAX_BEGUN:,} other requests of the server wait for their responses"
            )
            self._transcript.note("failed", text, request=inbound.frame)
            self._on_done(request)
        else:
            self._begun += 1
            work = self._answer(inbound)
            request.task = self._tasks.spawn(work, name=f"serve {inbound.message.method}")
            request.task.add_done_callback(lambda _: self._on_answered(request))

    def _on_answered(self, request: _Request) -> None:
        self._begun -= 1
        self._on_done(request)

    def _on_done(self, request: _Request) -> None:
        key = _key(request.inbound.frame, request.inbound.message.id)
        if self._requests.get(key) is request:  # not where a batch has the id twice
            del self._requests[key]
        self._count_out(request.came)

    async def _answer(self, inbound: InboundRequest) -> None:
        try:
            body = await self._answer_body(inbound)
        except NoResponse:
            return
        text = json_codec.write_bytes(or_null(inbound.message.id))
        try:
            await (
                self._answers.turn()
            )  # one click may answer thousands, and so does the end of a wait
            await self._send(b'{"jsonrpc":"2.0","id":%b,%b}' % (text, body))
        except ConnectionLost as error:
            self._transcript.note(
                "not-sent", f"the answer could not be sent: {error.reason}", request=inbound.frame
            )

    async def _answer_body(self, inbound: InboundRequest) -> bytes:
        try:
            if inbound.message.id is None:
                raise PeerError(INVALID_REQUEST, "The id of a request must not be null")
            return b'"result":' + json_codec.write_bytes(await self._serve(inbound))
        except InspectorError as failure:
            known = isinstance(failure, PeerError)
            error = failure if known else PeerError(INTERNAL_ERROR, failure.reason)
            described: JsonObject = {"code": error.code, "message": error.message}
            if error.data is not None:
                described["data"] = error.data
            return b'"error":' + json_codec.write_bytes(described)


class EarlyRequests:
    """Requests of the server that come before the era is known: they wait, within a budget."""

    def __init__(self) -> None:
        """Hold the requests that come."""
        self._released = asyncio.Event()
        self._turns = TurnQueue()
        self._held = 0

    @property
    def are_held(self) -> bool:
        """Whether a request that comes now waits."""
        return not self._released.is_set()

    def pause(self) -> None:
        """Let requests wait from now on."""
        self._released.clear()

    def release(self) -> None:
        """Release the waiting requests, a few in each turn of the event loop; later ones do not wait."""
        self._released.set()

    async def wait(self) -> None:
        """Return when requests are released.

        Raises:
            PeerError: too many requests wait already.
        """
        if self._released.is_set():
            return
        if self._held >= MAX_EARLY:
            raise PeerError(
                INTERNAL_ERROR, f"{MAX_EARLY:,} requests wait for the handshake already"
            )
        self._held += 1
        try:
            await self._released.wait()
        finally:
            self._held -= 1
        await self._turns.turn()


def _key(frame: int, id_: MaybeJson) -> _Key:
    return frame, key_of(id_)
