"""A PNG drawn in code: a lens on a gradient."""

from __future__ import annotations

import math
import struct
import zlib

DARK = 46
"""Blue of the ground."""
BRIGHT = 214
"""Blue under the lens."""


def png(width: int, height: int) -> bytes:
    """A picture of `width` by `height` pixels, RGB, 8 bits a channel."""
    ramp = bytes(x * 255 // max(1, width - 1) for x in range(width))
    rows = b"".join(b"\0" + _row(ramp, y, width, height) for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", header)
        + _chunk(b"IDAT", zlib.compress(rows, 6))
        + _chunk(b"IEND", b"")
    )


def _row(ramp: bytes, y: int, width: int, height: int) -> bytes:
    green = bytes([80 + y * 120 // max(1, height)])
    start, end = _lens(y, width, height)
    row = bytearray(3 * width)
    row[0::3] = ramp
    row[1::3] = green * width
    row[2::3] = (
        bytes([DARK]) * start + bytes([BRIGHT]) * (end - start) + bytes([DARK]) * (width - end)
    )
    return bytes(row)


def _lens(y: int, width: int, height: int) -> tuple[int, int]:
    """Where row `y` enters and leaves the circle in the middle."""
    radius = min(width, height) * 0.36
    half = math.sqrt(max(0.0, radius**2 - (y - height / 2) ** 2))
    return int(width / 2 - half), int(width / 2 + half)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
