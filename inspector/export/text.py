"""Frames as text: exactly as they crossed, and messages as indented JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.export.pieces import masked, text_line
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript


MAX_INDENTED = 1 << 20
"""Bytes of a message that is indented: more of them would keep the loop busy."""


def raw_text(transcript: Transcript, numbers: Iterable[int], masking: Masking) -> Iterator[str]:
    """Yield frames as they were sent or received."""
    for number in numbers:
        raw = yield from masked(masking, number, transcript.raw(number))
        yield from text_line(raw)


def indented_json(
    transcript: Transcript, numbers: Iterable[int], masking: Masking
) -> Iterator[str]:
    """Yield messages as indented JSON, numbers spelled as they were sent; large ones and anything else as they are."""
    for number in numbers:
        yield indented(masking.apply(number, transcript.message(number).raw))


def indented(raw: bytes) -> str:
    """Return JSON indented, and any other text as it is; also JSON above `MAX_INDENTED`."""
    if len(raw) > MAX_INDENTED:
        return raw.decode(errors="replace")
    try:
        return json_codec.write(json_codec.read(raw).value, indent=2)
    except ValueError:
        return raw.decode(errors="replace")
