"""A WAV computed in code: one tone that fades in and out."""

from __future__ import annotations

import array
import math
import struct
import sys

RATE_HZ = 16_000
LOUDNESS = 12_000
"""Of 32,767: heard, not feared."""
FADE_SECONDS = 0.02


def wav(hertz: float, seconds: float) -> bytes:
    """Mono, 16 bits."""
    count = max(1, int(RATE_HZ * seconds))
    step = 2 * math.pi * hertz / RATE_HZ
    fade = max(1, int(FADE_SECONDS * RATE_HZ))
    samples = array.array(
        "h",
        (
            int(LOUDNESS * min(1, i / fade, (count - i) / fade) * math.sin(step * i))
            for i in range(count)
        ),
    )
    if sys.byteorder == "big":
        samples.byteswap()
    data = samples.tobytes()
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, RATE_HZ, RATE_HZ * 2, 2, 16)
    body = b"WAVE" + form + struct.pack("<4sI", b"data", len(data)) + data
    return struct.pack("<4sI", b"RIFF", len(body)) + body
