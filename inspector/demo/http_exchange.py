"""One request of the stateless era over HTTP: it is checked, answered with JSON or with a stream, and ends when the client goes.

There is no session, and nothing but POST. A fault of the request shows in the HTTP status as well.

Source: basic/transports/streamable-http of the first revision without sessions.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.demo import stateless
from inspector.demo.conversation import SUPPORTED
from inspector.demo.headers import compare, compare_arguments
from inspector.demo.http_session import StreamOutlet
from inspector.demo.http_streams import Stream
from inspector.demo.meta import HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION
from inspector.demo.methods import STATELESS_METHODS
from inspector.demo.options import STATEFUL_ERA, STATELESS_ERA
from inspector.demo.request_errors import INVALID_REQUEST, METHOD_NOT_FOUND, RpcError
from inspector.demo.server import Server, error_response, is_id
from inspector.demo.tools import find

if TYPE_CHECKING:
    from inspector.demo.http_wire import HttpAnswering, HttpRequest
    from inspector.demo.options import Options
    from inspector.demo.state import State
    from inspector.wire.json_codec import Json, JsonObject

JSON_TYPE = "application/json"

STATUSES = {
    METHOD_NOT_FOUND: 404,
    HEADER_MISMATCH: 400,
    MISSING_CAPABILITY: 400,
    UNSUPPORTED_VERSION: 400,
}
"""HTTP statuses by the code of the error; 200 with any other."""

STREAMED = ("tools/call", "subscriptions/listen")
"""What may be answered with a stream: at once when something comes before the answer, and when it takes its time."""

QUICK_SECONDS = 0.3
"""How long a stream waits for an answer that needs none."""


def is_stateless(request: HttpRequest, message: JsonObject | None, options: Options) -> bool:
    """Whether a POST is of this era; where both are served, it says so in its header or in its body."""
    if options.era in (STATEFUL_ERA, STATELESS_ERA):
        return options.era == STATELESS_ERA
    if "mcp-session-id" in request.headers:
        return False
    version = request.headers.get("mcp-protocol-version")
    names = message is not None and stateless.names_version(message)
    return names or (version is not None and version not in {each.date for each in SUPPORTED})


async def answer(
    request: HttpRequest,
    answering: HttpAnswering,
    message: JsonObject,
    options: Options,
    state: State,
) -> None:
    """Answer one POST."""
    if "method" in message and "id" not in message:
        await answering.whole(202)
        return
    try:
        _check(request, message, options, state)
    except RpcError as error:
        number = message.get("id") if is_id(message.get("id")) else None
        body = json.dumps(error_response(number, error)).encode()
        status = STATUSES.get(error.code, 400)
        await answering.whole(status, body, content_type=JSON_TYPE)
        return
    exchange = HttpExchange(options, state)
    try:
        await _run(exchange, message, request.body, answering)
    finally:
        exchange.hang_up()


async def _run(
    exchange: HttpExchange, message: JsonObject, raw: bytes, answering: HttpAnswering
) -> None:
    stream = exchange.begin(raw)
    if message["method"] not in STREAMED:
        await stream.wait_closed()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(stream.begun(), QUICK_SECONDS)
    response = _response(stream.lines[:1], message)
    if response is not None:
        await stream.wait_closed()
    if response is not None and len(stream.lines) == 1:
        await answering.whole(_status(response), stream.lines[0], content_type=JSON_TYPE)
    else:
        await answering.stream(stream.events(), x_accel_buffering="no")


def _check(request: HttpRequest, message: JsonObject, options: Options, state: State) -> None:
    """Raise what is wrong with a request before its method is read."""
    if "method" not in message or not is_id(message.get("id")):
        raise RpcError(INVALID_REQUEST, "Neither a request nor a notification")
    if message["method"] == "initialize" and not stateless.names_version(message):
        params = message.get("params")
        asked = params.get("protocolVersion") if isinstance(params, dict) else None
        raise stateless.unsupported(asked)
    meta = stateless.described(message)
    compare(request.headers, message, meta)
    exchange = HttpExchange(options, state)
    conversation = exchange.conversation(message)
    if message["method"] not in STATELESS_METHODS:
        raise RpcError(METHOD_NOT_FOUND, f"Unknown method: {message['method']}")
    params = message.get("params")
    name = params.get("name") if isinstance(params, dict) else None
    if message["method"] == "tools/call" and isinstance(name, str) and isinstance(params, dict):
        tool = find(name, conversation)
        if tool is not None:
            compare_arguments(request.headers, tool.input, params.get("arguments"))


class HttpExchange:
    """One request, the server that answers it, and the stream on which it does."""

    def __init__(self, options: Options, state: State) -> None:
        """Be ready for the request."""
        self._options = replace(options, era=STATELESS_ERA)
        self._state = state
        self._outlet = StreamOutlet(self, asyncio.get_running_loop())
        self._stream = Stream("", has_priming=False, has_ids=False)
        self._server = Server(self._options, self._outlet, state)

    def conversation(self, message: JsonObject) -> stateless.StatelessConversation:
        """What the request says of itself.

        Raises:
            RpcError: it is not as it must be.
        """
        return stateless.StatelessConversation(self._options, self._outlet, self._state, message)

    def begin(self, raw: bytes) -> Stream:
        """Let the server have it; what the server says is on the stream."""
        line = raw.replace(b"\n", b" ") + b"\n"
        threading.Thread(target=self._server.receive, args=(line,), daemon=True).start()
        return self._stream

    def take(self, data: bytes, about: Json) -> None:
        """Put what the server wrote on the stream."""
        del about
        for line in data.splitlines(keepends=True):
            self._stream.add(line)

    def finish(self, number: Json) -> None:
        """The request has its answer, or gets none."""
        del number
        self._stream.end()

    def close(self) -> None:
        """Nothing more will be said."""
        self._stream.end()

    def hang_up(self) -> None:
        """The client closed the exchange, which calls the request off."""
        self._server.hang_up()


def _response(lines: list[bytes], message: JsonObject) -> JsonObject | None:
    """What stands there, if it is the answer to `message`."""
    try:
        value: Json = json.loads(lines[0])
    except (IndexError, ValueError):
        return None
    if not isinstance(value, dict) or "method" in value:
        return None
    return value if value.get("id") == message["id"] else None


def _status(response: JsonObject) -> int:
    error = response.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    return STATUSES.get(code, 200) if isinstance(code, int) else 200
