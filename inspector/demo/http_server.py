"""The demo server over streamable HTTP, and over the older HTTP+SSE.

Source: basic/transports, "Streamable HTTP", and "HTTP with SSE" of the first revision.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from inspector.demo import http_exchange
from inspector.demo.conversation import SUPPORTED
from inspector.demo.http_exchange import is_stateless
from inspector.demo.http_session import HttpSession
from inspector.demo.http_wire import HttpAnswering, HttpRequest, bind, listen
from inspector.demo.request_errors import INVALID_REQUEST, PARSE_ERROR
from inspector.demo.state import State
from inspector.demo.writer import write_stderr

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from inspector.demo.http_streams import Stream
    from inspector.demo.http_wire import Handle
    from inspector.demo.options import Options
    from inspector.wire.json_codec import Json, JsonObject

MCP_PATH = "/mcp"
SSE_PATH = "/sse"
MESSAGE_PATH = "/message"

JSON_TYPE = "application/json"
STREAM_TYPE = "text/event-stream"

STREAMED = ("tools/call", "tasks/result")
"""What is answered with a stream, because other messages may come first."""


async def serve(options: Options) -> None:
    """Serve until the program ends."""
    if options.http_port is not None:
        handle = StreamableHttp(options).handle
        await _open(options, options.http_port, handle, (MCP_PATH, f"{MCP_PATH}/"))
    if options.sse_port is not None:
        handle = LegacySse(options).handle
        await _open(options, options.sse_port, handle, (SSE_PATH, MESSAGE_PATH))
    await asyncio.Event().wait()


async def _open(options: Options, port: int, handle: Handle, paths: tuple[str, ...]) -> None:
    """Serve what lies at `paths`, the first of which is the endpoint that clients know."""
    bound = bind(port)
    tls = None
    if options.tls_file:
        # Loaded late, as what follows: few runs need cryptography and joserfc, which take a third of a second.
        from inspector.demo import certificate

        tls = certificate.make(Path(options.tls_file), is_expired=options.tls_expired)
    scheme = "http" if tls is None else "https"
    origin = f"{scheme}://127.0.0.1:{bound.getsockname()[1]}"
    if options.auth:
        from inspector.demo.auth.start import protect

        handle = protect(options, origin, handle, paths)
    await listen(bound, handle, tls)
    write_stderr(f"listening on {origin}{paths[0]}")


class StreamableHttp:
    """The server for any number of clients, at one address."""

    def __init__(self, options: Options) -> None:
        """Start without clients."""
        self._options = options
        self._sessions: dict[str, HttpSession] = {}
        self._state = State(has_malformed_tools=options.malformed_tools)
        self._verbs = {"POST": self._post, "GET": self._get, "DELETE": self._delete}

    async def handle(self, request: HttpRequest, answering: HttpAnswering) -> None:
        """Answer one request."""
        handle = self._verbs.get(request.verb)
        if request.path not in (MCP_PATH, f"{MCP_PATH}/"):
            await answering.whole(404)
        elif request.is_from_elsewhere:
            await answering.whole(403)
        elif request.verb != "POST" and is_stateless(request, None, self._options):
            await answering.whole(405, allow="POST")
        elif handle is None:
            await answering.whole(405, allow=", ".join(self._verbs))
        else:
            await handle(request, answering)

    async def _post(self, request: HttpRequest, answering: HttpAnswering) -> None:
        message = _message(request.body)
        if not request.accepts(JSON_TYPE, STREAM_TYPE):
            await _refuse(answering, 406, INVALID_REQUEST, f"Accept {JSON_TYPE} and {STREAM_TYPE}")
        elif message is None:
            await _refuse(answering, 400, PARSE_ERROR, "The body is not one JSON-RPC message")
        elif is_stateless(request, message, self._options):
            await http_exchange.answer(request, answering, message, self._options, self._state)
        elif not _is_version_known(request):
            await _refuse(answering, 400, INVALID_REQUEST, "Unknown protocol version")
        elif message.get("method") == "initialize" and "id" in message:
            session = HttpSession(secrets.token_hex(16), self._options)
            self._sessions[session.name] = session
            stream = session.ask(message, request.body)
            await _answer_with_json(stream, answering, mcp_session_id=session.name)
        else:
            session = await self._session(request, answering)
            if session is not None:
                await _pass_on(session, message, request.body, answering)

    async def _get(self, request: HttpRequest, answering: HttpAnswering) -> None:
        session = await self._session(request, answering)
        if session is None:
            return
        last = request.headers.get("last-event-id")
        found = (session.listen_stream, 0) if last is None else session.find(last)
        if found is None:
            await _refuse(answering, 400, INVALID_REQUEST, f"There is no event {last}")
        elif last is None and session.listen_stream.readers:
            await _refuse(answering, 409, INVALID_REQUEST, "The stream is open already")
        else:
            stream, position = found
            events = stream.events() if last is None else stream.follow(position)
            await answering.stream(events)

    async def _delete(self, request: HttpRequest, answering: HttpAnswering) -> None:
        session = await self._session(request, answering)
        if session is not None:
            del self._sessions[session.name]
            session.close()
            await answering.whole(200)

    async def _session(self, request: HttpRequest, answering: HttpAnswering) -> HttpSession | None:
        """The session that a request names; without one it is answered here.

        Source: basic/transports, "Session Management": 400 without an id, 404 with one that is not known.
        """
        name = request.headers.get("mcp-session-id")
        if name is None:
            await _refuse(answering, 400, INVALID_REQUEST, "Mcp-Session-Id is missing")
            return None
        session = self._sessions.get(name)
        if session is None:
            await _refuse(answering, 404, INVALID_REQUEST, "There is no such session")
        return session


class LegacySse:
    """The server over one event stream a client."""

    def __init__(self, options: Options) -> None:
        """Start without clients."""
        self._options = options
        self._sessions: dict[str, HttpSession] = {}

    async def handle(self, request: HttpRequest, answering: HttpAnswering) -> None:
        """Answer one request."""
        if request.is_from_elsewhere:
            await answering.whole(403)
        elif (request.verb, request.path) == ("GET", SSE_PATH):
            await self._open(answering)
        elif (request.verb, request.path) == ("POST", MESSAGE_PATH):
            await self._take(request, answering)
        else:
            await answering.whole(404)

    async def _open(self, answering: HttpAnswering) -> None:
        session = HttpSession(secrets.token_hex(16), self._options, one_stream=True)
        self._sessions[session.name] = session
        try:
            await answering.stream(_with_endpoint(session))
        finally:
            del self._sessions[session.name]
            session.close()

    async def _take(self, request: HttpRequest, answering: HttpAnswering) -> None:
        (name,) = parse_qs(request.query).get("session", [""])[:1]
        session = self._sessions.get(name)
        if session is None:
            await answering.whole(404, b"There is no such session", content_type="text/plain")
            return
        session.announce(request.body)
        await answering.whole(202, b"Accepted", content_type="text/plain")


def _is_version_known(request: HttpRequest) -> bool:
    version = request.headers.get("mcp-protocol-version")
    return version is None or version in {revision.date for revision in SUPPORTED}


async def _with_endpoint(session: HttpSession) -> AsyncIterator[bytes]:
    yield f"event: endpoint\ndata: {MESSAGE_PATH}?session={session.name}\n\n".encode()
    async for event in session.listen_stream.events():
        yield event


async def _pass_on(
    session: HttpSession, message: JsonObject, raw: bytes, answering: HttpAnswering
) -> None:
    if "id" not in message or "method" not in message:
        session.announce(raw)
        await answering.whole(202)
        return
    stream = session.ask(message, raw)
    if message["method"] in STREAMED:
        await answering.stream(stream.events())
    else:
        await _answer_with_json(stream, answering)


async def _answer_with_json(stream: Stream, answering: HttpAnswering, **headers: str) -> None:
    """Answer with the last thing that was said: the response."""
    await stream.wait_closed()
    body = stream.lines[-1] if stream.lines else b""
    await answering.whole(200 if body else 202, body, content_type=JSON_TYPE, **headers)


async def _refuse(answering: HttpAnswering, status: int, code: int, text: str) -> None:
    error: JsonObject = {"code": code, "message": text}
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
    await answering.whole(status, body, content_type=JSON_TYPE)


def _message(raw: bytes) -> JsonObject | None:
    try:
        value: Json = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
