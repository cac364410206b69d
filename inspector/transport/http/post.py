"""One message, its POST and everything that answers it.

The end of a stream is not the end of a request: what has an event id is asked for again with GET, by the delay the server sets. What
has none is lost, and is never sent a second time by itself: it may have been carried out. A request that nobody waits for any
more is not asked for again, but its stream is left open, because closing it would not call it off. A request that stands alone is the
opposite in all of this: it has no session, its stream is never gone on with, and closing it calls it off (C-CAN-10, C-HTTP-38, C-HTTP-39).

Source: basic/transports, "Sending Messages to the Server", "Resumability and Redelivery", "Session Management"; C-HTTP-01 to 15, 42, 48.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.errors import (
    AnswerLost,
    ConnectFailed,
    ConnectionLost,
    HttpStatus,
    SessionGone,
    TransportError,
)
from inspector.spec.methods import is_greeting
from inspector.transport.http import body as bodies
from inspector.transport.http import errors, statuses
from inspector.transport.http.connection import session_expired
from inspector.transport.http.event_stream import ResumableEventStream
from inspector.transport.http.response import JSON_TYPE, STREAM_TYPE
from inspector.wire.frame import Channel
from inspector.wire.message import Kind

if TYPE_CHECKING:
    from inspector.transport.base import SendContext
    from inspector.transport.http.connection import HttpConnection
    from inspector.transport.http.response import HttpResponse
    from inspector.wire.lines import Line

ACCEPT = f"{JSON_TYPE}, {STREAM_TYPE}"

MAX_BODY_BYTES = 1 << 20
"""Bytes kept of a body that comes with a bad status."""


_NO_STREAM = (
    "Let the server send `Content-Type: application/json` for a body that is JSON, or write the message as an event: `data: `, the message on "
    "one line, and an empty line."
)
_RESUME = "Let the server send the response before it ends the stream, or resume the stream on GET with `Last-Event-ID`."


class Post:
    """One message on its way."""

    def __init__(
        self,
        connection: HttpConnection,
        raw: bytes,
        context: SendContext,
        *,
        endpoint: str = "",
    ) -> None:
        """Send `raw` to `url`, or else to the address itself; `answered_here` when the answer comes the same way."""
        self.accepted = asyncio.Event()
        """The request is written; of what is not answered, the server has said that it took it."""
        self._connection = connection
        self._raw = raw
        self._context = context
        self._endpoint = endpoint

    async def run(self) -> None:
        """Send, and read until there is an answer or can be none."""
        try:
            place = await self._post()
            if place is not None:
                await self._resume(place)
        except SessionGone as error:
            self._connection.end(error)
        except ConnectionLost as error:
            lost = self._answer_lost(error) if self._context.is_stateless else error
            self._connection.sink.failed(self._context.frame, lost)
        except TransportError as error:
            if errors.is_unreachable(error):
                self._connection.sink.on_event("unreachable", error.words)
            self._connection.sink.failed(self._context.frame, error)
        finally:
            self.accepted.set()

    @property
    def _waits(self) -> bool:
        return not self._endpoint and self._connection.sink.is_pending(self._context.frame)

    def _on_written(self) -> None:
        if self._context.kind is Kind.REQUEST:
            self.accepted.set()

    async def _post(self) -> ResumableEventStream | None:
        """The POST; gives where its stream ended, when the answer is still awaited."""
        is_first, is_alone = self._context.method == "initialize", self._context.is_stateless
        headers = [
            *self._connection.headers(ACCEPT, first=is_first or is_alone),
            *self._context.headers,
        ]
        async with self._connection.client.exchange(
            "POST",
            url=self._endpoint,
            headers=[*headers, ("Content-Type", JSON_TYPE)],
            body=self._raw,
            frame=self._context.frame,
            on_sent=self._on_written,
        ) as response:
            self.accepted.set()
            if not response.is_success:
                await self._take_refusal(response)
            if is_alone:
                self._connection.ignore_session(response)
            elif is_first and not self._endpoint:
                self._connection.set_session(response)
            if response.is_stream:
                return await self._follow(response)
            await self._take_body(response)
        return None

    async def _follow(self, response: HttpResponse) -> ResumableEventStream | None:
        place = ResumableEventStream(self._connection.sink, is_of_post=True)
        try:
            await place.read(response)
        except HttpStatus:
            raise
        except TransportError as error:
            if self._waits and (self._context.is_stateless or not place.last_event_id):
                raise
            self._connection.sink.on_event("stream-cut", error.words, request=self._context.frame)
        return place if self._waits else None

    async def _take_body(self, response: HttpResponse) -> None:
        body = await response.read()
        is_json = response.media_type == JSON_TYPE
        if body.raw:
            self._deliver(body, is_message=is_json and self._may_be_message(body.raw))
        if not self._waits:
            return
        raise statuses.without_message(response, body.raw, self._raw)

    def _may_be_message(self, raw: bytes) -> bool:
        if self._context.kind is Kind.REQUEST:
            return bodies.is_reply(raw, self._raw)
        return bodies.is_message(raw)

    async def _take_refusal(self, response: HttpResponse) -> None:
        """Read what comes with a bad status before judging it (C-HTTP-43, C-HTTP-48)."""
        body = await response.read(MAX_BODY_BYTES)
        is_message = bodies.is_message(body.raw)
        is_request = self._context.kind is Kind.REQUEST
        is_ours = is_request and bodies.knows_request(body.raw, self._raw)
        refusal = statuses.from_status(
            response, body.raw, knows_request=is_ours, endpoint=self._endpoint
        )
        is_ours = is_ours or self._context.is_stateless
        if response.status == 404 and self._connection.session_id and not is_ours:
            gone = session_expired()
            self._connection.sink.failed(self._context.frame, gone)
            self._deliver(body, is_message=is_message)
            raise gone
        self._deliver(body, is_message=is_message, http=refusal)
        if self._context.kind is not Kind.REQUEST or self._connection.sink.is_pending(
            self._context.frame
        ):
            raise refusal

    def _deliver(self, body: Line, *, is_message: bool, http: HttpStatus | None = None) -> None:
        if body.raw:
            channel = Channel.BODY if is_message else Channel.HTTP
            self._connection.sink.received(channel, [body], self._context.frame, http)

    async def _resume(self, place: ResumableEventStream) -> None:
        """Ask for the rest of the stream for as long as the answer is awaited."""
        unreachable = ""
        while self._waits:
            if self._context.is_stateless or not place.last_event_id:
                raise self._lost(place)
            delay = place.delay_seconds()
            self._note_resuming(place, delay, unreachable)
            await asyncio.sleep(delay)
            if self._waits:
                unreachable = await self._ask_for_the_rest(place)

    def _lost(self, place: ResumableEventStream) -> ConnectionLost:
        """Nothing is left to ask for."""
        ended = "the stream ended without a response"
        if place.unterminated is not None:
            return ConnectionLost(
                "the last event of the stream is incomplete (no blank line at its end): "
                + statuses.excerpt(place.unterminated),
                remedy="Let the server write a blank line after every event, the last one included.",
                frame=place.unterminated_frame or None,
            )
        if place.unexpected_body:
            return ConnectionLost(
                f"{ended}: it is not an event stream: {statuses.excerpt(place.unexpected_body)}",
                remedy=_NO_STREAM,
            )
        if not self._context.is_stateless:
            ended += " and cannot be resumed (no event id)"
        lost = ConnectionLost(ended, remedy=self._again)
        lost.is_unexplained = True
        return lost

    @property
    def _again(self) -> str:
        """What to do about a response that is lost: what opens a session can always be sent again, and would be lost again."""
        if is_greeting(self._context.method):
            return "Check the log of the server: it ended the stream before its response."
        return "Resend it if it is safe to run twice."

    def _answer_lost(self, error: ConnectionLost) -> AnswerLost:
        errors, remedy = f"response lost: {error.words}", error.remedy or self._again
        lost = AnswerLost(errors, remedy=remedy, frame=error.frame)
        lost.is_unexplained = error.is_unexplained
        return lost

    def _note_resuming(self, place: ResumableEventStream, delay: float, unreachable: str) -> None:
        then = f"resuming after event {place.last_event_id} in {delay:g} s"
        frame, noted = self._context.frame, self._connection.sink.on_event
        if unreachable:
            noted("unreachable", f"{unreachable}; {then}", request=frame, retry_seconds=delay)
        else:
            noted("resuming", f"the stream ended without a response; {then}", request=frame)

    async def _ask_for_the_rest(self, place: ResumableEventStream) -> str:
        """Read on; gives in words why there was no server to ask, and nothing where there was one."""
        headers = self._connection.headers(STREAM_TYPE, last_event=place.last_event_id)
        try:
            async with self._connection.client.exchange(
                "GET", headers=headers, frame=self._context.frame
            ) as response:
                if not response.is_stream:
                    raise await self._not_resumed(response)
                await place.read(response)
        except SessionGone:
            raise
        except (ConnectFailed, ConnectionLost) as error:
            place.record_failure()
            return error.words if errors.is_unreachable(error) else ""
        return ""

    async def _not_resumed(self, response: HttpResponse) -> TransportError:
        body = await response.read(MAX_BODY_BYTES)
        self._deliver(body, is_message=False)
        if self._connection.is_session_expired(response):
            return session_expired()
        if response.is_temporary:
            return ConnectionLost(statuses.from_status(response, body.raw).words)
        unwanted = "the server did not resume the stream; response lost"
        return statuses.from_status(response, body.raw, unwanted=unwanted, remedy=_RESUME)
