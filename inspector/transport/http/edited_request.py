"""One request with edited headers, to see how a server answers it: sent and recorded like any other, and with no effect on the session of Spyglass.

A redirect is not followed, a lost stream is not resumed, and a status such as 404 does not end the session.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import TransportError
from inspector.frozen import FrozenStruct
from inspector.transport.http.body import Body
from inspector.transport.http.connection import MAX_ERROR_BYTES
from inspector.transport.http.response import JSON_TYPE, STREAM_TYPE
from inspector.wire.frame import Channel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.transport.base import SendContext
    from inspector.transport.http.connection import Headers, HttpConnection
    from inspector.transport.http.response import HttpResponse

BODY_SECONDS = 1.0
"""How long a body is read; a stream may be open for ever."""


class HeaderEdit(NamedTuple):
    """What becomes of a header."""

    name: str
    """As it is sent; it replaces headers of that name in any case."""
    value: str | None
    """None leaves it out."""


class EditedRequest(FrozenStruct, frozen=True):
    """What is sent."""

    verb: str = "POST"
    edits: tuple[HeaderEdit, ...] = ()
    body: bytes = b""
    """The message of a POST, which is recorded already."""
    reads_stream: bool = False
    """Whether an event stream that answers a GET is read for a while, as text: its messages are not processed."""


class EditedResponse(NamedTuple):
    """What was received."""

    opener: int
    """The frame that opened the exchange."""
    status: int
    headers: Mapping[str, str]
    """Values by name; case-insensitive."""
    media_type: str
    body: bytes
    """At most `MAX_ERROR_BYTES` of it; empty for an event stream, whose events are messages of the transcript."""


async def send_edited(
    connection: HttpConnection, request: EditedRequest, context: SendContext
) -> EditedResponse:
    """Send a request and record what is received.

    Raises:
        TransportError: there was no response.
    """
    names = frozenset(edit.name.lower() for edit in request.edits)
    headers = [
        pair
        for pair in _usual_headers(connection, request, context)
        if pair[0].lower() not in names
    ]
    headers += [(edit.name, edit.value) for edit in request.edits if edit.value is not None]
    async with connection.client.exchange(
        request.verb,
        headers=headers,
        body=request.body or None,
        frame=context.frame,
        follow_redirects=False,
        replaced=names,
    ) as response:
        body = b""
        with suppress(TimeoutError, TransportError):  # the status is what matters
            async with asyncio.timeout(BODY_SECONDS):
                body = await _read(connection, request, context, response)
        return EditedResponse(
            response.frame, response.status, response.headers, response.media_type, body
        )


def _usual_headers(
    connection: HttpConnection, request: EditedRequest, context: SendContext
) -> Headers:
    from inspector.transport.http.post import ACCEPT  # brings httpx

    if request.verb != "POST":
        return connection.headers(STREAM_TYPE if request.verb == "GET" else "*/*")
    usual = connection.headers(ACCEPT, first=context.is_stateless)
    return [*usual, *context.headers, ("Content-Type", JSON_TYPE)]


async def _read(
    connection: HttpConnection,
    request: EditedRequest,
    context: SendContext,
    response: HttpResponse,
) -> bytes:
    if response.is_stream and not request.reads_stream:
        if request.verb == "POST":
            from inspector.transport.http.event_stream import ResumableEventStream  # brings httpx

            await ResumableEventStream(connection.sink, is_of_post=True).read(response)
        return b""
    chunk = await response.read(MAX_ERROR_BYTES)
    if chunk.raw:
        is_message = bool(request.body) and Body(chunk, request.body).is_message
        channel = Channel.BODY if is_message else Channel.HTTP
        connection.sink.received(channel, [chunk], context.frame or response.frame)
    return chunk.raw
