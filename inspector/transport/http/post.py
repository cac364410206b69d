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
from inspector.transport.http import statuses, words
from inspector.transport.http.answer import JSON_TYPE, STREAM_TYPE
from inspector.transport.http.link import session_expired
from inspector.transport.http.place import ResumableEventStream
from inspector.wire.frame import Channel
from inspector.wire.message import Kind

if TYPE_CHECKING:
    from inspector.transport.base import SendContext
    from inspector.transport.http.answer import HttpResponse
    from inspector.transport.http.link import HttpConnection
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
        self, link: HttpConnection, raw: bytes, sending: SendContext, *, url: str = "", answered_here: bool = True
    ) -> None:
        """Send `raw` to `url`, or else to the address itself; `answered_here` when the answer comes the same way."""
        self.accepted = asyncio.Event()
        """The request is written; of what is not answered, the server has said that it took it."""
        self._link = link
        self._raw = raw
        self._sending = sending
        self._url = url
        self._answered_here = answered_here

    async def run(self) -> None:
        """Send, and read until there is an answer or can be none."""
        try:
            place = await self._post()
            if place is not None:
                await self._resume(place)
        except SessionGone as error:
            self._link.end(error)
        except ConnectionLost as error:
            lost = self._answer_lost(error) if self._sending.is_stateless else error
            self._link.sink.failed(self._sending.frame, lost)
        except TransportError as error:
            if words.is_unreachable(error):
                self._link.sink.on_event("unreachable", error.words)
            self._link.sink.failed(self._sending.frame, error)
        finally:
            self.accepted.set()

    @property
    def _waits(self) -> bool:
        return self._answered_here and self._link.sink.is_pending(self._sending.frame)

    def _on_written(self) -> None:
        if self._sending.kind is Kind.REQUEST:
            self.accepted.set()

    async def _post(self) -> ResumableEventStream | None:
        """The POST; gives where its stream ended, when the answer is still awaited."""
        is_first, is_alone = self._sending.method == "initialize", self._sending.is_stateless
        headers = [*self._link.headers(ACCEPT, first=is_first or is_alone), *self._sending.headers]
        async with self._link.client.exchange(
            "POST",
            url=self._url,
            headers=[*headers, ("Content-Type", JSON_TYPE)],
            body=self._raw,
            stream=self._sending.frame,
            on_sent=self._on_written,
        ) as answer:
            self.accepted.set()
            if not answer.is_success:
                await self._take_refusal(answer)
            if is_alone:
                self._link.ignore_session(answer)
            elif is_first and self._answered_here:
                self._link.set_session(answer)
            if answer.is_stream:
                return await self._follow(answer)
            await self._take_body(answer)
        return None

    async def _follow(self, answer: HttpResponse) -> ResumableEventStream | None:
        place = ResumableEventStream(self._link.sink, is_of_post=True)
        try:
            await place.read(answer)
        except HttpStatus:
            raise
        except TransportError as error:
            if self._waits and (self._sending.is_stateless or not place.last_event_id):
                raise
            self._link.sink.on_event("stream-cut", error.words, request=self._sending.frame)
        return place if self._waits else None

    async def _take_body(self, answer: HttpResponse) -> None:
        body = await answer.read()
        is_json = answer.media_type == JSON_TYPE
        if body.raw:
            self._deliver(body, is_message=is_json and self._may_be_message(body.raw))
        if not self._waits:
            return
        raise statuses.without_message(answer, body.raw, self._raw)

    def _may_be_message(self, raw: bytes) -> bool:
        if self._sending.kind is Kind.REQUEST:
            return bodies.is_reply(raw, self._raw)
        return bodies.is_message(raw)

    async def _take_refusal(self, answer: HttpResponse) -> None:
        """Read what comes with a bad status before judging it (C-HTTP-43, C-HTTP-48)."""
        body = await answer.read(MAX_BODY_BYTES)
        is_message = bodies.is_message(body.raw)
        is_request = self._sending.kind is Kind.REQUEST
        is_ours = is_request and bodies.knows_request(body.raw, self._raw)
        refusal = statuses.from_status(answer, body.raw, knows_request=is_ours, endpoint=self._url)
        is_ours = is_ours or self._sending.is_stateless
        if answer.status == 404 and self._link.session_id and not is_ours:
            gone = session_expired()
            self._link.sink.failed(self._sending.frame, gone)
            self._deliver(body, is_message=is_message)
            raise gone
        self._deliver(body, is_message=is_message, http=refusal)
        if self._sending.kind is not Kind.REQUEST or self._link.sink.is_pending(self._sending.frame):
            raise refusal

    def _deliver(self, body: Line, *, is_message: bool, http: HttpStatus | None = None) -> None:
        if body.raw:
            channel = Channel.BODY if is_message else Channel.HTTP
            self._link.sink.received(channel, [body], self._sending.frame, http)

    async def _resume(self, place: ResumableEventStream) -> None:
        """Ask for the rest of the stream for as long as the answer is awaited."""
        unreachable = ""
        while self._waits:
            if self._sending.is_stateless or not place.last_event_id:
                raise self._lost(place)
            delay = place.delay_seconds()
            self._note_resuming(place, delay, unreachable)
            await asyncio.sleep(delay)
            if self._waits:
                unreachable = await self._ask_for_the_rest(place)

    def _lost(self, place: ResumableEventStream) -> ConnectionLost:
        """Nothing is left to ask for."""
        ended = "the stream ended without the answer"
        if place.unterminated is not None:
            return ConnectionLost(
                "the last event of the stream is not ended by a blank line, so it is no event, and the request is lost: "
                + statuses.excerpt(place.unterminated),
                remedy="Let the server write an empty line after every event, the last one included.",
                frame=place.unterminated_frame or None,
            )
        if place.unexpected_body:
            return ConnectionLost(
                f"{ended}: it is no stream of events: {statuses.excerpt(place.unexpected_body)}",
                remedy=_NO_STREAM,
            )
        if not self._sending.is_stateless:
            ended += ", and without an event id to go on from: the request is lost"
        lost = ConnectionLost(ended, remedy=self._again)
        lost.is_unexplained = True
        return lost

    @property
    def _again(self) -> str:
        """What to do about a response that is lost: what opens a session can always be sent again, and would be lost again."""
        if is_greeting(self._sending.method):
            return "Check the log of the server: it ended the stream before its response."
        return "Send it again if it may be carried out twice."

    def _answer_lost(self, error: ConnectionLost) -> AnswerLost:
        words, remedy = f"the answer is lost: {error.words}", error.remedy or self._again
        lost = AnswerLost(words, remedy=remedy, frame=error.frame)
        lost.is_unexplained = error.is_unexplained
        return lost

    def _note_resuming(self, place: ResumableEventStream, delay: float, unreachable: str) -> None:
        then = f"asking for what follows event {place.last_event_id} in {delay:g} s"
        frame, noted = self._sending.frame, self._link.sink.on_event
        if unreachable:
            noted("unreachable", f"{unreachable}; {then}", request=frame, retry_seconds=delay)
        else:
            noted("resuming", f"the stream ended without the answer; {then}", request=frame)

    async def _ask_for_the_rest(self, place: ResumableEventStream) -> str:
        """Read on; gives in words why there was no server to ask, and nothing where there was one."""
        headers = self._link.headers(STREAM_TYPE, last_event=place.last_event_id)
        try:
            async with self._link.client.exchange(
                "GET", headers=headers, stream=self._sending.frame
            ) as answer:
                if not answer.is_stream:
                    raise await self._not_resumed(answer)
                await place.read(answer)
        except SessionGone:
            raise
        except (ConnectFailed, ConnectionLost) as error:
            place.record_failure()
            return error.words if words.is_unreachable(error) else ""
        return ""

    async def _not_resumed(self, answer: HttpResponse) -> TransportError:
        body = await answer.read(MAX_BODY_BYTES)
        self._deliver(body, is_message=False)
        if self._link.is_session_expired(answer):
            return session_expired()
        if answer.is_temporary:
            return ConnectionLost(statuses.from_status(answer, body.raw).words)
        unwanted = "the server does not resume the stream: the request is lost"
        return statuses.from_status(answer, body.raw, unwanted=unwanted, remedy=_RESUME)
