"""Compressed bodies, which some servers send unrequested: decompressed as they are received, in pieces of limited size.

A body that decompresses to far more than a message does is not read to its end.

Source: RFC 9110, section 8.4.1; servers use the name `deflate` for zlib and for raw deflate.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from inspector.errors import ConnectionLost

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

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
    """Decompresses one body."""

    def __init__(self, encoding: str) -> None:
        """`encoding` is one of `ENCODINGS`."""
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
                f"body does not match `Content-Encoding` ({self._encoding}): {error}",
                hint=IDENTITY,
            ) from error
