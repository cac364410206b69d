"""One client over HTTP: the server of its own, and the streams on which that server's lines leave.

The server runs on threads and writes lines, as over stdout; here each line finds the stream it belongs to: an answer that of its request,
what a running call says that of the call, and everything else the standing stream.
"""

from __future__ import annotations

import asyncio
import json
import queue
import threading
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from inspector.demo.conformance.tools import closes_its_stream
from inspector.demo.http_streams import Stream
from inspector.demo.options import STATEFUL_ERA
from inspector.demo.server import Server
from inspector.demo.writer import Outlet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.demo.options import Options
    from inspector.wire.json_codec import Json, JsonObject

LISTEN_STREAM = "standing"
"""Name of the stream for what belongs to no request."""


class HttpSession:
    """One client and its server."""

    def __init__(self, name: str, options: Options, *, one_stream: bool = False) -> None:
        """Start the server; with `one_stream` everything leaves on the standing one."""
        self.name = name
        self._options = options
        self._one_stream = one_stream
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._outlet = StreamOutlet(self, asyncio.get_running_loop())
        self._server = Server(replace(options, era=STATEFUL_ERA), self._outlet)
        self._open: dict[str, Stream] = {}
        self._count = 0
        self._streams = {LISTEN_STREAM: Stream(LISTEN_STREAM, has_priming=False)}
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def listen_stream(self) -> Stream:
        """The stream for what belongs to no request."""
        return self._streams[LISTEN_STREAM]

    def announce(self, raw: bytes) -> None:
        """Give the server a message."""
        self._lines.put(raw.replace(b"\n", b" ") + b"\n")

    def ask(self, message: JsonObject, raw: bytes) -> Stream:
        """Give the server a request; on the stream comes what belongs to it, its answer last."""
        self._count += 1
        stream = Stream(
            str(self._count),
            has_priming=self._server.revision.error_id_optional,
            is_cut=self._is_cut(message),
        )
        self._streams[stream.name] = stream
        self._open[_key(message["id"])] = stream
        self.announce(raw)
        return stream

    def find(self, event_id: str) -> tuple[Stream, int] | None:
        """The stream and the place in it that an event id names."""
        name, _, position = event_id.rpartition("-")
        stream = self._streams.get(name)
        return (stream, int(position)) if stream is not None and position.isdigit() else None

    def take(self, data: bytes, about: Json) -> None:
        """Put what the server wrote, while it was busy with the request `about`, on the stream it belongs to."""
        for line in data.splitlines(keepends=True):
            stream = self.listen_stream if self._one_stream else self._stream_of(line, about)
            stream.add(line)

    def finish(self, number: Json) -> None:
        """The request of that id has its answer, or gets none."""
        stream = self._open.pop(_key(number), None)
        if stream is not None:
            stream.end()

    def close(self) -> None:
        """End the server and every stream."""
        self._lines.put(None)
        for stream in self._streams.values():
            stream.end()

    def _is_cut(self, message: JsonObject) -> bool:
        if message.get("method") != "tools/call":
            return False
        by_name = self._options.conformance and closes_its_stream(message.get("params"))
        return self._options.cut_streams or by_name

    def _serve(self) -> None:
        self._server.serve(iter(self._lines.get, None))

    def _stream_of(self, line: bytes, about: Json) -> Stream:
        try:
            message: Json = json.loads(line)
        except ValueError:
            message = None
        if isinstance(message, dict) and "method" not in message:
            about = message.get("id", about)
        return self._open.get(_key(about), self.listen_stream)


class Taker(Protocol):
    """Takes what a server writes, on the event loop."""

    def take(self, data: bytes, about: Json) -> None:
        """It wrote lines while it was busy with that request."""

    def finish(self, number: Json) -> None:
        """The request of that id has its answer, or gets none."""

    def close(self) -> None:
        """It will write nothing more."""


class StreamOutlet(Outlet):
    """Hands what the threads of a server write to the event loop."""

    def __init__(self, session: Taker, loop: asyncio.AbstractEventLoop) -> None:
        """Write to what `session` makes of it."""
        super().__init__()
        self._session = session
        self._loop = loop
        self._current = threading.local()

    def about(self, number: Json) -> None:
        """What this thread writes from now on belongs to that request."""
        self._current.number = number

    def done(self, number: Json) -> None:
        """That request has its answer, or gets none."""
        self._call(self._session.finish, number)

    def write(self, data: bytes) -> None:
        """Write lines."""
        self._call(self._session.take, data, getattr(self._current, "number", None))

    def write_slowly(self, pieces: Iterable[bytes], pause_seconds: float) -> None:
        """Write them at once: an event leaves whole."""
        del pause_seconds
        self.write(b"".join(pieces))

    def close(self) -> None:
        """End every stream."""
        self._call(self._session.close)

    def _call(self, function: object, *arguments: object) -> None:
        assert callable(function)
        try:
            self._loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:
            return  # the loop is closed: the program ends


def _key(number: Json) -> str:
    return json.dumps(number)
