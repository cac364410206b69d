"""Requests and responses over frames: ids, pending requests and their limits. Of MCP it knows cancellation and progress only.

Every frame goes into the transcript before it is processed or written. The transcript alone decides which request a response
belongs to.

Source: JSON-RPC 2.0; C-JR-02, C-JR-03: ids are integers counted up from 1, never reused.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.errors import CancelledByServer, ConnectionLost, HttpStatus, InspectorError
from inspector.event import Event
from inspector.session import diagnostics
from inspector.session.error_responses import error_of
from inspector.session.inbound import InboundRequests
from inspector.session.outgoing import Deadlines, Pending, Reply, Timeouts, Watched, mark_among_text
from inspector.transcript.exchange import Status
from inspector.transport.base import SendContext
from inspector.transport.large_messages import LARGE_BYTES, decode
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from inspector.wire.message import ABSENT, Absent, MessageKind, read
from inspector.wire.misshapen import first_members

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from inspector.background_tasks import BackgroundTasks
    from inspector.session.inbound import InboundRequest
    from inspector.transcript.frame_processor import RecordedMessage
    from inspector.transcript.transcript import Transcript
    from inspector.transport.base import Transport
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import MaybeJson, Message

_AWAITED = {Status.PENDING, Status.OPEN}


class Peer:
    """The peer of a session: sends requests to it, and serves the requests that it sends."""

    def __init__(
        self,
        transcript: Transcript,
        tasks: BackgroundTasks,
        *,
        serve: Callable[[InboundRequest], Awaitable[Json]],
        cancel: Callable[[Pending, str], Awaitable[None]],
        add_headers: Callable[[Message, SendContext], SendContext] = lambda _, sending: sending,
    ) -> None:
        """`serve` returns the result of a request or raises `PeerError`; `cancel` sends that a pending request is cancelled.

        `add_headers` adds the HTTP headers that are derived from a message.
        """
        self.ended_with: ConnectionLost | None = None
        self.ended_event: Event[()] = Event()
        self.noted: Event[str] = Event()  # with the event of a note of the transport
        self.unfinished = transcript.unfinished.note
        """Takes received bytes that are not a frame yet."""
        self._transcript = transcript
        self._tasks = tasks
        self._cancel = cancel
        self._add_headers = add_headers
        self.serving = InboundRequests(transcript, tasks, serve=serve, send=self._send)
        """The requests of the server."""
        self.serving.ended.subscribe(self._on_served)
        self.pause_timeouts = self.serving.pause
        """Counts time as waiting for the client, until the returned function is called."""
        self.transport: Transport | None = None
        """Where frames are sent."""
        self._next_id = 1
        self._taken_ids: set[int] = set()
        self._pending: dict[int, Pending] = {}
        self._listeners: dict[str, Event[int, Message]] = {}
        self._reactions: dict[MessageKind, Callable[[RecordedMessage], None]] = {
            MessageKind.RESPONSE: self._on_response,
            MessageKind.ERROR: self._on_response,
            MessageKind.MALFORMED: self._on_response,
            MessageKind.NOTIFICATION: self._on_notification,
            MessageKind.REQUEST: self.serving.start,
        }
        self._drained = asyncio.Event()
        self.reading = asyncio.Event()
        """Nothing is read while it is not set, as by a slow client."""
        self.reading.set()
        self._transcript.drained.subscribe(self._drained.set)
        self.serving.drained.subscribe(self._drained.set)
        self.deadlines = Deadlines(self._pending.values, self._expire)

    # As a transport's sink

    @property
    def is_congested(self) -> bool:
        """True while frames are not stored, or requests not started, faster than they are received."""
        is_read = self.reading.is_set()
        return not is_read or self._transcript.is_congested or self.serving.is_congested

    async def ready(self) -> None:
        """Return when reading may continue; never with a full transcript."""
        while self.is_congested:
            await self.reading.wait()
            self._drained.clear()
            if self.is_congested and self.reading.is_set():
                await self._drained.wait()

    def sent(self, channel: Channel, lines: Sequence[RawChunk], stream: int) -> int:
        """Record what a transport writes besides messages; return the number of the last frame."""
        self._transcript.append(Direction.SENT, channel, lines, stream)
        return self._transcript.count

    def received(
        self,
        channel: Channel,
        lines: Sequence[RawChunk],
        stream: int = 0,
        http: HttpStatus | None = None,
    ) -> int:
        """Record and process received lines; return the number of the last frame."""
        if http is not None and stream in self._pending:
            self._pending[stream].http = http
        found = self._transcript.append(Direction.RECEIVED, channel, lines, stream)
        last = self._transcript.count
        for taken in found:
            react = self._reactions.get(taken.message.kind)
            if react is not None:
                react(taken)
        return last

    def on_event(self, event: str, text: str, **facts: Json) -> None:
        """Record a note of the transport."""
        self._transcript.note(event, text, **facts)
        self.noted.fire(event)

    def is_pending(self, frame: int) -> bool:
        """Whether a request that was sent may still get a response."""
        return frame > 0 and self._transcript.status(frame) in _AWAITED

    def failed(self, frame: int, error: InspectorError, *, event: str = "failed") -> None:
        """Fail one request that cannot get a response any more; `event` is `cancelled` where Spyglass ended its exchange."""
        if isinstance(error, ConnectionLost) and error.is_unexplained:
            diagnostics.no_response.explain_lost(self._transcript, frame, error)
        elif isinstance(error, HttpStatus):
            diagnostics.no_response.explain_body(error)
        number = self._transcript.note(event, error.reason, request=frame)
        error.frame = error.frame or number
        pending = self._pending.pop(frame, None)
        if pending is not None:
            _fail(pending, error)

    def ended(self, error: ConnectionLost) -> None:
        """End the connection: every pending request fails with `error`."""
        self.ended_with = error
        self.serving.drop()
        self.deadlines.close()
        lost = list(self._pending.values())
        self._pending.clear()
        self._transcript.unfinished.clear()
        self._transcript.note("closed", error.reason)
        for pending in lost:
            _fail(pending, type(error)(error.reason, hint=error.hint, frame=pending.frame))
        self.ended_event.fire()

    # As the peer

    def attach(self, transport: Transport) -> None:
        """Send over `transport` from now on; pending requests stay pending."""
        self.transport = transport
        self.ended_with = None

    def listener(self, method: str) -> Event[int, Message]:
        """Return the event that is fired with frame number and message for each notification of that method."""
        return self._listeners.setdefault(method, Event())

    async def request(
        self,
        method: str,
        params: MaybeJson = ABSENT,
        *,
        timeouts: Timeouts,
        on_progress: Callable[[JsonObject], None] | None = None,
        on_notice: Callable[[int, Message], None] | None = None,
        on_sent: Callable[[int], None] | None = None,
    ) -> Reply:
        """Send a request and wait for the result. Cancelling the awaiting task cancels the request on the wire, with its message as the reason.

        `on_sent` takes the frame of the request as soon as it is recorded.

        Raises:
            PeerError: the server responded with an error.
            InvalidResult: it responded with neither result nor error, or with more than is kept.
            TimedOut: it did not respond in time.
            ConnectionLost: it cannot respond any more.
            CancelledByServer: the server cancelled the request.
        """
        pending, raw = self._start(method, params, timeouts, on_progress)
        pending.on_notice = on_notice
        if on_sent is not None:
            on_sent(pending.frame)
        try:
            await self._write_pending(pending, raw)
            return await pending.reply
        except asyncio.CancelledError as cancelled:
            why = str(cancelled.args[0] or "") if cancelled.args else ""
            self._drop(pending, "cancelled", why or "cancelled by the user")
            raise
        finally:
            self._pending.pop(pending.frame, None)

    async def notify(self, method: str, params: MaybeJson = ABSENT) -> int:
        """Send a notification; return its frame."""
        return await self._send(_envelope(b"", method, params))

    async def send_raw(self, raw: bytes) -> int:
        """Send any bytes as a frame, valid or not; return its number. An id in it is not used for later requests."""
        return await self._send(raw)

    # Sending

    def _start(
        self,
        method: str,
        params: MaybeJson,
        timeouts: Timeouts,
        on_progress: Callable[[JsonObject], None] | None,
    ) -> tuple[Pending, bytes]:
        if self.ended_with is not None or self.transport is None:
            raise self.ended_with or ConnectionLost("not connected")
        loop = asyncio.get_running_loop()
        while self._next_id in self._taken_ids:
            self._next_id += 1
        id_, self._next_id = self._next_id, self._next_id + 1
        raw = _envelope(b'"id":%d,' % id_, method, params)
        frame, now = self._record(RawChunk(raw)), loop.time()
        pending = Pending(id_, method, frame, timeouts, now, now, loop.create_future(), on_progress)
        pending.busy_before_s = self.serving.busy_seconds()
        self._pending[frame] = pending
        self.deadlines.watch(pending)
        return pending, raw

    async def _send(self, raw: bytes) -> int:
        beginning = first_members(raw) if len(raw) >= LARGE_BYTES else {}
        if isinstance(id_ := beginning.get("id"), int):
            self._taken_ids.add(id_)  # decoding may take a while
        chunk = await decode(RawChunk(raw), self._channel, self)
        message = chunk.message or read(raw)
        if message.kind is MessageKind.REQUEST and isinstance(message.id, int):
            self._taken_ids.add(message.id)
        frame = self._record(replace(chunk, message=message))
        await self._write(raw, SendContext(frame, message.kind, message.method), message)
        return frame

    @property
    def _channel(self) -> Channel:
        return self.transport.channel if self.transport is not None else Channel.STDIN

    def _record(self, chunk: RawChunk) -> int:
        self._transcript.append(Direction.SENT, self._channel, [chunk])
        return self._transcript.count

    async def _write_pending(self, pending: Pending, raw: bytes) -> None:
        """Write a request; a server that does not read cannot delay its time-out."""
        try:
            async with asyncio.timeout(None) as pending.writing:
                await self._write(
                    raw, SendContext(pending.frame, MessageKind.REQUEST, pending.method)
                )
                pending.written = True
        except TimeoutError:
            return  # the request has failed with the time-out already

    async def _write(
        self, raw: bytes, sending: SendContext, message: Message | None = None
    ) -> None:
        if self.transport is None:
            raise ConnectionLost("not connected")
        if self.transport.channel is Channel.BODY:
            sending = self._add_headers(message or read(raw), sending)
        await self.transport.send(raw, sending)

    # Time-outs and cancellation

    def _expire(self, watched: Watched) -> None:
        assert isinstance(watched, Pending)
        now = asyncio.get_running_loop().time()
        watched.paused_s = self.serving.busy_seconds() - watched.busy_before_s
        if self.serving.is_busy:  # it is silent because it waits for the client
            watched.alive = now
        if watched.deadline > now:
            return
        in_total = now - watched.started - watched.paused_s >= watched.timeouts.total_seconds
        if not in_total and watched.prolong(self._transcript, now):
            return
        error = diagnostics.no_response.timed_out(self._transcript, watched, now)
        self._drop(watched, "timed-out", f"no response to {watched.method}: {error.reason}")
        _fail(watched, error)
        if watched.writing is not None and not watched.written:
            watched.writing.reschedule(now)

    def _on_served(self, seconds: float) -> None:
        """Do not count the time that the server waited for the client as its silence."""
        now = asyncio.get_running_loop().time()
        for pending in self._pending.values():
            pending.alive = min(now, pending.alive + seconds)

    def _drop(self, pending: Pending, event: str, text: str) -> None:
        """Stop waiting: note it in the transcript, then send it to the server."""
        if self._pending.pop(pending.frame, None) is None or self.ended_with is not None:
            return
        self._transcript.note(event, text, request=pending.frame)
        self._tasks.spawn(self._send_cancelled(pending, text), name=f"cancel {pending.method}")

    async def _send_cancelled(self, pending: Pending, text: str) -> None:
        try:
            await self._cancel(pending, text)
        except InspectorError as error:
            reason = f"could not send the cancellation: {error.reason}"
            self._transcript.note("not-sent", reason, request=pending.frame)

    # Receiving

    def _on_response(self, taken: RecordedMessage) -> None:
        pending = self._pending.pop(taken.request, None)
        if pending is None or pending.reply.done():
            for each in mark_among_text(self._pending.values(), taken):
                self.deadlines.watch(each)
            return
        error = error_of(taken, pending.http)
        if error is not None:
            _fail(pending, error)
        else:
            pending.reply.set_result(Reply(pending.frame, taken.number, taken.message))

    def _on_notification(self, taken: RecordedMessage) -> None:
        if taken.request:
            self._on_related(taken)
        listener = self._listeners.get(taken.message.method)
        if listener is not None:
            listener.fire(taken.number, taken.message)

    def _on_related(self, taken: RecordedMessage) -> None:
        pending = self._pending.get(taken.request)
        if pending is None:
            if taken.message.method == "notifications/cancelled":
                params = taken.message.lazily("params")
                id_ = params.get("requestId", ABSENT) if isinstance(params, dict) else ABSENT
                self.serving.cancel(taken.request, id_)
            return
        if pending.timeouts.progress_resets:
            pending.alive = asyncio.get_running_loop().time()
        method = taken.message.method
        if method == "notifications/cancelled":
            self._pending.pop(taken.request, None)
            _fail(pending, CancelledByServer("cancelled by the server", frame=taken.number))
        elif method != "notifications/progress":
            if pending.on_notice is not None:
                pending.on_notice(taken.number, taken.message)
        elif pending.on_progress is not None:
            params = taken.message.lazily("params")
            if isinstance(params, dict):
                pending.on_progress(params)


def _fail(pending: Pending, error: InspectorError) -> None:
    """Fail the request, even if no task awaits its reply any more."""
    if not pending.reply.done():
        pending.reply.set_exception(error)
        pending.reply.exception()


def _envelope(id_: bytes, method: str, params: MaybeJson) -> bytes:
    named = json_codec.write_bytes(method)
    if isinstance(params, Absent):
        return b'{"jsonrpc":"2.0",%b"method":%b}' % (id_, named)
    return b'{"jsonrpc":"2.0",%b"method":%b,"params":%b}' % (
        id_,
        named,
        json_codec.write_bytes(params),
    )
