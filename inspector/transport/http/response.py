"""The response of one HTTP exchange, and its body.

Some servers send a compressed body unrequested. It is decompressed as it is received, in pieces of limited size, and not read to its end when
it decompresses to far more than a message does.

Source: RFC 9110, section 8.4.1; servers use the name `deflate` for zlib and for raw deflate.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from inspector.errors import TEMPORARY_STATUSES, ConnectionLost, TransportError
from inspector.frozen import FrozenStruct
from inspector.wire.frame import Channel, FrameDefect
from inspector.wire.line_splitter import DEFAULT_LINE_BUDGET, EXCERPT_BYTES, RawChunk

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping

JSON_TYPE = "application/json"
STREAM_TYPE = "text/event-stream"


def _ignore(*_: object) -> None:
    """Do nothing."""


class HttpResponse(FrozenStruct, frozen=True):
    """Status and headers, and a body that is not read yet."""

    status: int
    reason: str
    """The reason phrase."""
    headers: Mapping[str, str]
    """Values by name; case-insensitive."""
    frame: int
    """The frame that opened the exchange."""
    chunks: AsyncIterator[bytes]
    """The body; raises `TransportError` when it is truncated."""
    request_headers: Mapping[str, str] = {}
    """Values by name; case-insensitive."""
    url: str = ""
    """URL of the request."""
    via: str = ""
    """Name of the proxy that may have responded itself; empty without a proxy, and with a tunnel through it."""
    record_rest: Callable[[RawChunk], None] = _ignore
    """Takes what was received of a body that was not read to its end."""
    report_unfinished: Callable[[Channel, int, bytes, bytes], None] = _ignore
    """Takes what was received of the body so far, as `Sink.unfinished` does."""
    credentials_text: str = ""
    """Why the credentials were refused; empty when not known."""
    credentials_hint: str = ""
    """What to do about that."""
    needs_user: bool = False
    """True when the user has to log in first."""
    header_pairs: tuple[tuple[str, str], ...] = ()
    """Name and value of every header, in order, repeated ones included."""

    @property
    def is_success(self) -> bool:
        """True for a 2xx status."""
        return 200 <= self.status < 300

    @property
    def is_temporary(self) -> bool:
        """True when a retry may succeed."""
        return self.status in TEMPORARY_STATUSES

    @property
    def media_type(self) -> str:
        """The media type in lower case, without parameters; empty without `Content-Type`."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def is_stream(self) -> bool:
        """True when the body is an event stream."""
        return self.is_success and self.media_type == STREAM_TYPE

    async def read(self, budget: int = DEFAULT_LINE_BUDGET) -> RawChunk:
        """Return the whole body, truncated to `budget` bytes.

        What was received is also recorded when the body is truncated or reading is cancelled.

        Raises:
            TransportError: the body was truncated; the message has the size that was received.
        """
        body = _Body(budget)
        try:
            async for chunk in self.chunks:
                body.add(chunk)
                self.unfinished(body.size, body.head, body.tail)
        except BaseException as error:
            if isinstance(error, TransportError):
                status = (
                    "" if self.is_success else f"HTTP {self.status} {self.reason}".strip() + "; "
                )
                error.reason = f"{status}{error.reason}; {self._amount_text(body.size)} received"
            if body.size:
                self.record_rest(body.line(FrameDefect.UNTERMINATED))
            raise
        finally:
            self.unfinished(0)
        return body.line(FrameDefect.NONE)

    def unfinished(self, size: int, head: bytes = b"", tail: bytes = b"") -> None:
        """Report how many bytes of the body were received and are no frame yet; 0 when nothing is left."""
        is_json = self.media_type == JSON_TYPE
        channel = Channel.BODY if is_json else Channel.SSE if self.is_stream else Channel.HTTP
        self.report_unfinished(channel, size, head, tail)

    def _amount_text(self, size: int) -> str:
        """Return how much of the body `size` is, by `Content-Length`, which for a compressed body is another size."""
        length = self.headers.get("content-length", "")
        is_known = length.isdecimal() and "content-encoding" not in self.headers
        whole = f"{int(length):,} bytes" if is_known and len(length) < 20 else "the body"
        return f"{size:,} of {whole}" if is_known else f"{size:,} bytes of {whole}"


class _Body:
    """What was received of a body."""

    def __init__(self, budget: int) -> None:
        self.size = 0
        """Bytes received, kept or not."""
        self.head = b""
        """The first `EXCERPT_BYTES`."""
        self.tail = b""
        """The latest `EXCERPT_BYTES`."""
        self._budget = budget
        self._parts: list[bytes] = []
        self._kept = 0

    def add(self, chunk: bytes) -> None:
        part = chunk[: max(0, self._budget - self._kept)]
        self._parts.append(part)
        self._kept += len(part)
        self.size += len(chunk)
        self.head += chunk[: max(0, EXCERPT_BYTES - len(self.head))]
        self.tail = (self.tail + chunk[-EXCERPT_BYTES:])[-EXCERPT_BYTES:]

    def line(self, flaw: FrameDefect) -> RawChunk:
        dropped = self.size - self._kept
        return RawChunk(
            b"".join(self._parts), flaw | FrameDefect.TRUNCATED if dropped else flaw, dropped
        )


PIECE_BYTES = 1 << 18
"""Bytes that are decompressed at once: a small body may contain a very large one."""

MAX_UNPACKED_BYTES = 64 << 20
"""Bytes that a body of any size may decompress to."""

MAX_RATIO = 100
"""Upper limit of decompressed to compressed size beyond that; JSON rarely reaches 20, gzip can reach 1,000."""

ENCODINGS = {"gzip": 31, "x-gzip": 31, "deflate": 15}
"""Encoding → `wbits` of zlib. Other encodings need more libraries."""

PLAIN = {"", "identity"}
"""Values for a body that is not compressed."""

_RAW_DEFLATE = -15


async def decoded(chunks: AsyncIterator[bytes], encoding: str) -> AsyncIterator[bytes]:
    """Yield the decompressed body; `encoding` is one of `PLAIN` or `ENCODINGS`.

    Raises:
        ConnectionLost: the body does not match `encoding`, is truncated, or decompresses to too much.
    """
    if encoding in PLAIN:
        async for chunk in chunks:
            yield chunk
        return
    decompressor = Decompressor(encoding)
    async for chunk in chunks:
        for piece in decompressor.feed(chunk):
            yield piece
    decompressor.finish()


IDENTITY = "Let the server, or the proxy in front of it, respond without `Content-Encoding`: the request accepts identity only."


class Decompressor:
    """Decompresses one body; `encoding` is one of `ENCODINGS`."""

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding
        self._reader = zlib.decompressobj(ENCODINGS[encoding])
        self._has_started = False
        self._received = self._made = 0

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield the content of a chunk in pieces, some of which may be empty.

        Raises:
            ConnectionLost: the body does not match the encoding, or decompresses to too much.
        """
        piece = b""
        self._received += len(chunk)
        while chunk or len(piece) == PIECE_BYTES:
            if self._reader.eof and chunk:  # a body of several members, as gzip allows
                self._reader = zlib.decompressobj(ENCODINGS[self._encoding])
            piece = self._read(chunk)
            self._has_started = True
            self._made += len(piece)
            yield piece
            self._check_ratio()
            chunk = self._reader.unconsumed_tail or self._reader.unused_data

    def finish(self) -> None:
        """Check that the body is complete.

        Raises:
            ConnectionLost: it is truncated.
        """
        if self._has_started and not self._reader.eof:
            raise ConnectionLost(f"truncated body: incomplete {self._encoding} data", hint=IDENTITY)

    def _check_ratio(self) -> None:
        if self._made > MAX_UNPACKED_BYTES and self._made > MAX_RATIO * self._received:
            raise ConnectionLost(
                f"body decompresses to more than {MAX_RATIO} times its size: {self._received:,} bytes of {self._encoding} "
                f"became {self._made:,} bytes so far; the rest is not read",
                hint=IDENTITY,
            )

    def _read(self, chunk: bytes) -> bytes:
        try:
            return self._reader.decompress(chunk, PIECE_BYTES)
        except zlib.error as error:
            if self._encoding == "deflate" and not self._has_started:
                self._reader = zlib.decompressobj(_RAW_DEFLATE)
                self._has_started = True
                return self._read(chunk)
            raise ConnectionLost(
                f"body does not match `Content-Encoding` ({self._encoding}): {error}", hint=IDENTITY
            ) from error
