"""One connection over HTTP: what its exchanges share, and the base of the transports over HTTP.

httpx is imported when a connection is opened: that takes long, and most servers are reached over stdio.

Source: basic/transports, "Session Management": the session id comes with the response to `initialize` and has visible ASCII characters only.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import re
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from inspector.background_tasks import BackgroundTasks, import_aside, import_in_slices
from inspector.errors import ConnectionLost, SessionExpired
from inspector.spec.keys import HEADER_LAST_EVENT_ID, HEADER_SESSION_ID
from inspector.transport.base import BAD_SESSION, NO_CONTEXT, NO_SESSION, Transport
from inspector.wire.frame import Channel
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

    from inspector.transport.base import SendContext, Sink
    from inspector.transport.http.client import RecordingClient
    from inspector.transport.http.config import HttpConfig
    from inspector.transport.http.credentials import Credentials
    from inspector.transport.http.edited_request import EditedRequest, EditedResponse
    from inspector.transport.http.response import HttpResponse

LINGER_SECONDS = 0.5
"""How long responses to notifications are still read before the connection is closed."""

ACK_TIMEOUT_SECONDS = 5.0
"""How long sending waits until the server accepts a message that has no response."""

MAX_ERROR_BYTES = 1 << 20
"""Bytes kept of the body of an error response."""

_VISIBLE = re.compile(r"[\x21-\x7e]+")

_MODULES = ("client", "post", "server_stream", "legacy_endpoint")
_IMPORTED_LATER = ("httpcore._backends.anyio", "anyio._backends._asyncio")
"""Modules that httpx would import with the first request, in the thread of the event loop; no public function loads them."""

_OPTIONAL = "sniffio"
"""httpcore tries to import it with every lock, several times a request. Where it is not installed, searching the folders costs more
than the request itself; None in `sys.modules` ends the search at once."""

Headers = list[tuple[str, str]]
"""Name and value, in the order in which they are sent."""


@dataclass(slots=True, eq=False)
class HttpConnection:
    """One connection, as its exchanges use it."""

    client: RecordingClient
    sink: Sink
    end: Callable[[ConnectionLost], None]
    """Ends the connection."""
    session_id: str = ""
    """Empty for a server without sessions."""
    default_headers: Headers = field(default_factory=Headers)
    """Headers of every request after the handshake."""
    has_invalid_session: bool = False
    """The latest session id that the server sent is one that no header can carry."""
    has_no_session: bool = False
    """The response to `initialize` had no session id, which is not reported yet."""
    has_noted_session: bool = False
    """An ignored session id was reported."""
    had_stream: bool = False
    """A GET in this session was answered by an event stream."""

    def headers(self, accept: str, *, first: bool = False, last_event: str = "") -> Headers:
        """Return the headers of one request; the `first` one has neither a session id nor the default headers."""
        found = [("Accept", accept)]
        if not first:
            found += [(HEADER_SESSION_ID, self.session_id)] if self.session_id else []
            found += self.default_headers
        return found + ([(HEADER_LAST_EVENT_ID, last_event)] if last_event else [])

    def is_session_expired(self, response: HttpResponse) -> bool:
        """Return whether the response to a GET means that the session has expired (C-HTTP-15); without an earlier stream, the server has none."""
        return response.status == 404 and bool(self.session_id) and self.had_stream

    async def read_error(self, response: HttpResponse) -> bytes:
        """Read and record the body of a response that is not the expected one."""
        body = await response.read(MAX_ERROR_BYTES)
        if body.raw:
            self.sink.received(Channel.HTTP, [body], response.frame)
        return body.raw

    def ignore_session(self, response: HttpResponse) -> None:
        """Report, once, a session id in a revision without sessions (C-HTTP-39)."""
        if HEADER_SESSION_ID in response.headers and not self.has_noted_session:
            self.has_noted_session = True
            text = "session id ignored: this revision has no HTTP sessions"
            self.sink.on_event("session-ignored", text)

    def report_no_session(self) -> None:
        """Report, once the handshake is done, that the response to `initialize` had no session id: that of a refusal has none either."""
        if self.has_no_session:
            self.has_no_session = False
            self.sink.on_event(NO_SESSION, "no session id: the server is sessionless")

    def set_session(self, response: HttpResponse) -> None:
        """Keep the session id of the response to `initialize`, and report one that is invalid."""
        given = response.headers.get(HEADER_SESSION_ID)
        self.has_no_session = given is None
        self.has_invalid_session = given is not None and not _VISIBLE.fullmatch(given)
        if self.has_invalid_session:
            self.sink.on_event(BAD_SESSION, f"session id {given!r} ignored: not visible ASCII")
        elif given is not None:
            self.session_id = given


def session_expired(*, was_in_use: bool = False) -> SessionExpired:
    """Return the error of every request that was pending in a session when the server ended it."""
    expired = SessionExpired(
        "session expired (HTTP 404)",
        hint="Connect again, and resend the request if it may run twice.",
    )
    expired.was_in_use = was_in_use
    return expired


class HttpTransport(Transport):
    """What Streamable HTTP and HTTP+SSE have in common: every message is a POST of its own."""

    channel = Channel.BODY

    def __init__(self, config: HttpConfig, *, credentials: Credentials | None = None) -> None:
        """Prepare to reach the server of `config`; nothing is sent before `open`."""
        self._config = config
        self._credentials = credentials
        self._connection: HttpConnection | None = None
        self._ended: ConnectionLost | None = None
        self._tasks = BackgroundTasks()
        self._stateless: dict[int, asyncio.Task[None]] = {}
        self._unacknowledged: set[asyncio.Task[None]] = set()
        self._closing: asyncio.Task[None] | None = None

    async def _connect(self, sink: Sink) -> HttpConnection:
        """Make the client; nothing is sent yet."""
        await import_http()
        from inspector.transport.http.client import RecordingClient

        if self._credentials is not None:
            self._credentials.attach(sink)
        client = RecordingClient(self._config, sink, credentials=self._credentials)
        await client.open()
        self._connection = HttpConnection(client, sink, self._end)
        return self._connection

    @property
    def _is_open(self) -> bool:
        return self._connection is not None

    @property
    def _endpoint(self) -> str:
        """URL of the POSTs; empty: the URL of the server."""
        return ""

    async def send(self, raw: bytes, context: SendContext = NO_CONTEXT) -> None:
        """Post a message. Returns when a request is written, or when the server has accepted any other message."""
        connection = self._connection
        if connection is None or not self._is_open or self._ended or self._closing:
            raise self._ended or ConnectionLost("not connected")
        from inspector.transport.http.post import Post

        post = Post(connection, raw, context, endpoint=self._endpoint)
        name = f"post {context.method or context.kind.name.lower()}"
        task = self._tasks.spawn(post.run(), name=name)
        # not by the task itself: where the connection ends in this turn, it is cancelled before its first step
        task.add_done_callback(lambda _: post.accepted.set())
        if context.kind is MessageKind.REQUEST:
            if context.is_stateless:
                self._stateless[context.frame] = task
                task.add_done_callback(lambda _: self._stateless.pop(context.frame, None))
            await post.accepted.wait()
            return
        self._unacknowledged.add(task)
        task.add_done_callback(self._unacknowledged.discard)
        try:
            async with asyncio.timeout(ACK_TIMEOUT_SECONDS):
                await post.accepted.wait()
        except TimeoutError:
            text = f"POST not acknowledged within {ACK_TIMEOUT_SECONDS:g} s"
            connection.sink.on_event("not-taken", text, request=context.frame)

    async def send_edited(
        self, request: EditedRequest, context: SendContext = NO_CONTEXT
    ) -> EditedResponse:
        """Send one request with edited headers, and return the response; nothing of it affects the session.

        Raises:
            TransportError: there was no response.
        """
        if self._connection is None or not self._is_open or self._ended or self._closing:
            raise self._ended or ConnectionLost("not connected")
        from inspector.transport.http.edited_request import send_edited

        return await send_edited(self._connection, request, context)

    @property
    def session_id(self) -> str:
        """The id of the HTTP session; empty without one."""
        return self._connection.session_id if self._connection is not None else ""

    def set_default_headers(self, headers: Mapping[str, str]) -> None:
        """Send these headers with every request from now on."""
        if self._connection is not None:
            self._connection.default_headers = list(headers.items())

    async def aclose(self) -> None:
        """Stop reading and close the connection; may be called at any time and more than once."""
        if self._connection is None or not self._is_open:
            return
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._close(self._connection))
        await asyncio.shield(self._closing)

    async def _close(self, connection: HttpConnection) -> None:
        if self._unacknowledged and self._ended is None:
            await asyncio.wait(self._unacknowledged, timeout=LINGER_SECONDS)
        await self._tasks.aclose()
        if self._ended is None and connection.session_id:
            await self._end_session(connection)
        await connection.client.aclose()
        self._end(ConnectionLost("disconnected"))

    async def _end_session(self, connection: HttpConnection) -> None:
        """Nothing: only Streamable HTTP has sessions."""

    def _end(self, error: ConnectionLost) -> None:
        if self._ended is None and self._connection is not None and self._is_open:
            self._ended = error
            self._tasks.cancel()
            self._connection.sink.ended(error)


async def import_http() -> None:
    """Import httpx, in a thread, and the modules that need it."""
    if _OPTIONAL not in sys.modules and importlib.util.find_spec(_OPTIONAL) is None:
        cast("dict[str, ModuleType | None]", sys.modules)[_OPTIONAL] = None
    await import_aside("httpcore", "httpx", "httpx_sse")
    for name in _IMPORTED_LATER:
        with contextlib.suppress(ImportError):
            await import_aside(name)
    await import_in_slices(*(f"inspector.transport.http.{name}" for name in _MODULES))
