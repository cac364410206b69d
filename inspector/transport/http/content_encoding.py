"""Bodies that come compressed, although none were asked for: undone as they arrive, in bounded pieces, and said when they are not whole.

What unpacks to far more than messages do is not read to its end.

Source: RFC 9110, section 8.4.1; zlib and raw deflate are both found under the name `deflate`.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from inspector.errors import ConnectionLost

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

PIECE_BYTES = 1 << 18
"""Bytes that are made of a chunk at once: a small body may hold a very large one."""

MAX_UNPACKED_BYTES = 64 << 20
"""Bytes that a body may unpack to, whatever its size."""

MAX_RATIO = 100
"""How many times its size it may unpack to beyond that; JSON rarely reaches 20, and gzip can hold 1,000."""

ENCODINGS = {"gzip": 31, "x-gzip": 31, "deflate": 15}
"""Encoding → how zlib is to read it. Others need more libraries."""

PLAIN = {"", "identity"}
"""Encodings that are none."""

_RAW_DEFLATE = -15


async def decoded(chunks: AsyncIterator[bytes], encoding: str) -> AsyncIterator[bytes]:
    """The body that `chunks` carry, one of `PLAIN` or `ENCODINGS`.

    Raises:
        ConnectionLost: it is not compressed as its head says, ends before it is whole, or unpacks to too much.
    """
    if encoding in PLAIN:
        async for chunk in chunks:
            yield chunk
        return
    inflater = Decompressor(encoding)
    async for chunk in chunks:
        for piece in inflater.feed(chunk):
            yield piece
    inflater.finish()


IDENTITY = "Let the server, or the proxy in front of it, respond without `Content-Encoding`: the request asks for identity."


class Decompressor:
    """Undoes the compression of one body."""

    def __init__(self, encoding: str) -> None:
        """Of one of `ENCODINGS`."""
        self._encoding = encoding
        self._reader = zlib.decompressobj(ENCODINGS[encoding])
        self._begun = False
        self._came = self._made = 0

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """What a chunk holds, in pieces, some of which may be empty.

        Raises:
            ConnectionLost: it is not compressed as was said, or holds far more than messages do.
        """
        piece = b""
        self._came += len(chunk)
        while chunk or len(piece) == PIECE_BYTES:
            if self._reader.eof and chunk:  # a body of several members, as gzip allows
                self._reader = zlib.decompressobj(ENCODINGS[self._encoding])
            piece = self._read(chunk)
            self._begun = True
            self._made += len(piece)
            yield piece
            self._check_ratio()
            chunk = self._reader.unconsumed_tail or self._reader.unused_data

    def finish(self) -> None:
        """The body has ended.

        Raises:
            ConnectionLost: it is not whole.
        """
        if self._begun and not self._reader.eof:
            raise ConnectionLost(
                f"truncated body: incomplete {self._encoding} data", remedy=IDENTITY
            )

    def _check_ratio(self) -> None:
        if self._made > MAX_UNPACKED_BYTES and self._made > MAX_RATIO * self._came:
            raise ConnectionLost(
                f"body decompresses to more than {MAX_RATIO} times its size: {self._came:,} bytes of {self._encoding} "
                f"gave {self._made:,} bytes so far; the rest is not read",
                remedy=IDENTITY,
            )

    def _read(self, chunk: bytes) -> bytes:
        try:
            return self._reader.decompress(chunk, PIECE_BYTES)
        except zlib.error as error:
            if self._encoding == "deflate" and not self._begun:
                self._reader = zlib.decompressobj(_RAW_DEFLATE)
                self._begun = True
                return self._read(chunk)
            raise ConnectionLost(
                f"body does not match `Content-Encoding` ({self._encoding}): {error}",
                remedy=IDENTITY,
            ) from error
