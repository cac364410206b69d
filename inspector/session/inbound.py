"""Requests of the server, each served in a task of its own. Knows no MCP.

The tasks start in the order of the requests, a few in each turn of the event loop, and respond a few in each turn: a server may send
thousands at once. While very many have not started, reading pauses; they start without any action of the server, so no deadlock follows.

Source: JSON-RPC 2.0: the response carries the id exactly as it came. A request that the server cancels gets no response.
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
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
    from collections.abc import Awaitable, Callable, Coroutine, Generator, Hashable

    from inspector.background_tasks import BackgroundTasks
    from inspector.transcript.frame_processor import RecordedMessage
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import MaybeJson, Message

INTERNAL_ERROR = -32603
INVALID_REQUEST = -32600
"""JSON-RPC 2.0, section 5.1."""

MAX_QUEUED = 1_000
"""Requests that have not started, above which reading pauses."""

MAX_QUEUED_BYTES = 8 << 20
"""Bytes of requests that have not started, above which reading pauses."""

MAX_EARLY = 1_000
"""Requests that wait until the era is known; the others are refused."""

MAX_RUNNING = 4_000
"""Requests that are served at once, more than ever wait for the user; later ones get no response, and a note in the transcript."""

_Key = tuple[int, "Hashable"]
"""Frame and id: the members of a batch share the frame."""


class NoResponse(Exception):
    """The request gets no response, neither a result nor an error."""


class InboundRequest(NamedTuple):
    """A request of the server."""

    frame: int
    """The frame of the request, or of the result that contains it."""
    message: Message
    """The request."""
    pointer: str = ""
    """JSON pointer to the request in the frame; empty for the whole frame."""
    cause: int = 0
    """Frame of the client request that it belongs to; 0 for an unknown one."""
    responses_beside: Callable[[], int] = lambda: 0
    """Returns how many other requests of the same result have responses: all responses are sent together, or none."""


@dataclass(slots=True, eq=False)
class _Request:
    """The state of a request."""

    inbound: InboundRequest
    connection: int
    """Number of the connection that it came from."""
    received_s: float
    """When it was received, in seconds of the loop's clock."""
    task: asyncio.Task[None] | None = None
    is_cancelled: bool = False


class InboundRequests:
    """The requests of the server that have no response yet."""

    def __init__(
        self,
        transcript: Transcript,
        tasks: BackgroundTasks,
        *,
        serve: Callable[[InboundRequest], Awaitable[Json]],
        send: Callable[[bytes], Awaitable[int]],
    ) -> None:
        """`serve` returns the result of a request or raises `PeerError`; `send` writes a frame."""
        self._transcript = transcript
        self._tasks = tasks
        self._serve = serve
        self._send = send
        self.ended: Event[float] = Event()
        """Fired when a request is served, with the seconds that the server waited for the client."""
        self.drained: Event[()] = Event()
        """Fired when `is_congested` is False again."""
        self.reading = asyncio.Lock()
        """Held while the parameters of a request are read: a large one takes a thread, and later ones wait for their turn."""
        self._was_congested = False
        self._starts, self._responses = TurnQueue(), TurnQueue()
        self._requests: dict[_Key, _Request] = {}
        self._connection = 0
        self._running = 0
        self.open_count = 0
        """Requests without a response, and other work that the server waits for."""
        self._busy_s = self._busy_since = 0.0

    @property
    def is_busy(self) -> bool:
        """Whether the server waits for the client."""
        return self.open_count > 0

    @property
    def is_congested(self) -> bool:
        """True while too many requests have not started to read more."""
        return self._was_congested and self._exceeds_limits()

    def _exceeds_limits(self) -> bool:
        starts = self._starts
        return starts.pending > MAX_QUEUED or starts.pending_bytes > MAX_QUEUED_BYTES

    def busy_seconds(self) -> float:
        """Return how long the server has waited for the client so far, overlapping requests counted once."""
        if not self.open_count:
            return self._busy_s
        return self._busy_s + (asyncio.get_running_loop().time() - self._busy_since)

    def start(self, taken: RecordedMessage) -> None:
        """Serve a request, in its turn."""
        inbound = InboundRequest(taken.number, taken.message)
        request = _Request(inbound, self._connection, self._count_in())
        self._requests[_key(inbound.frame, inbound.message.id)] = request
        self._starts.add(partial(self._run, request), len(inbound.message.raw))
        self._was_congested = self._was_congested or self._exceeds_limits()

    def run_after_response(
        self, request: int, work: Coroutine[object, object, None]
    ) -> asyncio.Task[None]:
        """Run background work for a request that already has a response (a client-side task)."""
        task = self._tasks.spawn(work, name=f"go on with request #{request}")
        since = self._count_in()
        task.add_done_callback(lambda _: self._count_out(since))
        return task

    def pause(self) -> Callable[[], None]:
        """Count the time from now on as waiting for the client, without a request; the returned function ends that."""
        since = self._count_in()
        is_paused = True

        def release() -> None:
            nonlocal is_paused
            if is_paused:
                is_paused = False
                self._count_out(since)

        return release

    @contextmanager
    def deferring(self) -> Generator[None]:
        """Do not count the time within, in which a request is held until the server has responded: the client waits for the server."""
        self._count_out(asyncio.get_running_loop().time())
        try:
            yield
        finally:
            self._count_in()

    def cancel(self, frame: int, id_: MaybeJson) -> None:
        """Cancel the request in that frame with that id, if it has no response yet."""
        request = self._requests.get(_key(frame, id_))
        if request is None:
            return
        request.is_cancelled = True
        if request.task is not None:
            request.task.cancel()

    def drop(self) -> None:
        """Start none of the requests received until now: their connection ended."""
        self._connection += 1

    def _count_in(self) -> float:
        now = asyncio.get_running_loop().time()
        if not self.open_count:
            self._busy_since = now
        self.open_count += 1
        return now

    def _count_out(self, since: float) -> None:
        now = asyncio.get_running_loop().time()
        self.open_count -= 1
        if not self.open_count:
            self._busy_s += now - self._busy_since
        self.ended.fire(now - since)

    def _run(self, request: _Request) -> None:
        if self._was_congested and not self.is_congested:
            self._was_congested = False
            self.drained.fire()
        inbound = request.inbound
        if request.is_cancelled or request.connection != self._connection:
            self._on_done(request)
        elif self._running >= MAX_RUNNING:
            text = f"no response: {MAX_RUNNING:,} other requests of the server are pending"
            self._transcript.note("failed", text, request=inbound.frame)
            self._on_done(request)
        else:
            self._running += 1
            work = self._respond(inbound)
            request.task = self._tasks.spawn(work, name=f"serve {inbound.message.method}")
            request.task.add_done_callback(lambda _: self._on_responded(request))

    def _on_responded(self, request: _Request) -> None:
        self._running -= 1
        self._on_done(request)

    def _on_done(self, request: _Request) -> None:
        key = _key(request.inbound.frame, request.inbound.message.id)
        if self._requests.get(key) is request:  # not where a batch has the id twice
            del self._requests[key]
        self._count_out(request.received_s)

    async def _respond(self, inbound: InboundRequest) -> None:
        try:
            body = await self._body(inbound)
        except NoResponse:
            return
        text = json_codec.write_bytes(or_null(inbound.message.id))
        try:
            await (
                self._responses.turn()
            )  # one click may respond to thousands, and so does the end of a wait
            await self._send(b'{"jsonrpc":"2.0","id":%b,%b}' % (text, body))
        except ConnectionLost as error:
            self._transcript.note(
                "not-sent", f"could not send the response: {error.reason}", request=inbound.frame
            )

    async def _body(self, inbound: InboundRequest) -> bytes:
        try:
            if inbound.message.id is None:
                raise PeerError(INVALID_REQUEST, "Request id must not be null")
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

    def defer(self) -> None:
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
