"""Requests of the server, each answered in a task of its own. Knows no MCP.

Source: JSON-RPC 2.0: the answer carries the id exactly as it came. A request that the server calls off gets no answer.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import ConnectionLost, InspectorError, PeerError
from inspector.event import Event
from inspector.wire import jsontext
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from inspector.session.tasks import Tasks
    from inspector.transcript.transcript import Taken, Transcript
    from inspector.wire.jsontext import Json, JsonObject
    from inspector.wire.message import Message

INTERNAL_ERROR = -32603
INVALID_REQUEST = -32600
"""JSON-RPC 2.0, section 5.1."""


class Unanswered(Exception):
    """A request gets no answer, whatever it is."""


class Inbound(NamedTuple):
    """A request of the server."""

    frame: int
    """Its frame, or that of the result it stands in."""
    message: Message
    """The request."""
    place: str = ""
    """Where in the frame it stands, as a JSON pointer; empty for the whole of it."""
    cause: int = 0
    """Frame of the request of ours that it belongs to; 0 where nobody can tell."""
    given_beside: Callable[[], int] = lambda: 0
    """Returns how many responses were given to other requests of the same result: they are sent together, or none is."""


class Serving:
    """What the server asked and still waits for."""

    def __init__(
        self,
        transcript: Transcript,
        tasks: Tasks,
        *,
        serve: Callable[[Inbound], Awaitable[Json]],
        send: Callable[[bytes], Awaitable[int]],
    ) -> None:
        """`serve` answers a request or raises `PeerError`; `send` writes a frame."""
        self._transcript = transcript
        self._tasks = tasks
        self._serve = serve
        self._send = send
        self.ended: Event[float] = Event()
        """Fired when a request is served, with the seconds that took: so long the server waited for us."""
        self._running: dict[int, asyncio.Task[None]] = {}
        self._busy_s = self._busy_since = 0.0

    @property
    def is_busy(self) -> bool:
        """Whether the server waits for an answer of ours."""
        return bool(self._running)

    def busy_seconds(self) -> float:
        """How long the server has waited for responses of the client so far, overlapping requests counted once."""
        now = asyncio.get_running_loop().time()
        return self._busy_s + (now - self._busy_since if self._running else 0.0)

    def begin(self, taken: Taken) -> None:
        """Answer a request."""
        inbound = Inbound(taken.number, taken.message)
        task = self._tasks.spawn(self._answer(inbound), name=f"serve {taken.message.method}")
        self._keep(taken.number, task)

    def go_on(self, request: int, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Do what the server waits for, although the request of that frame has its answer."""
        task = self._tasks.spawn(work, name=f"go on with request #{request}")
        self._keep(-request, task)  # requests being answered have numbers above zero
        return task

    def cancel(self, request: int) -> None:
        """Give up answering the request of that frame, if it is being answered."""
        serving = self._running.get(request)
        if serving is not None:
            serving.cancel()

    def _keep(self, number: int, task: asyncio.Task[None]) -> None:
        if not self._running:
            self._busy_since = task.get_loop().time()
        self._running[number] = task
        began = task.get_loop().time()
        task.add_done_callback(lambda done: self._on_done(number, done, began))

    def _on_done(self, number: int, task: asyncio.Task[None], began: float) -> None:
        was_busy = self._running.pop(number, None) is not None  # members of a batch share a frame
        if was_busy and not self._running:
            self._busy_s += task.get_loop().time() - self._busy_since
        self.ended.fire(task.get_loop().time() - began)

    async def _answer(self, inbound: Inbound) -> None:
        try:
            body = await self._answer_body(inbound)
        except Unanswered:
            return
        text = jsontext.write_bytes(or_null(inbound.message.id))
        try:
            await self._send(b'{"jsonrpc":"2.0","id":%b,%b}' % (text, body))
        except ConnectionLost as error:
            self._transcript.note(
                "not-sent", f"the answer could not be sent: {error.words}", request=inbound.frame
            )

    async def _answer_body(self, inbound: Inbound) -> bytes:
        try:
            if inbound.message.id is None:
                raise PeerError(INVALID_REQUEST, "The id of a request must not be null")
            return b'"result":' + jsontext.write_bytes(await self._serve(inbound))
        except InspectorError as failure:
            known = isinstance(failure, PeerError)
            error = failure if known else PeerError(INTERNAL_ERROR, failure.words)
            described: JsonObject = {"code": error.code, "message": error.message}
            if error.data is not None:
                described["data"] = error.data
            return b'"error":' + jsontext.write_bytes(described)
