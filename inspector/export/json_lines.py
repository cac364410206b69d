"""Frames as JSON Lines, from which they can be restored to the byte: `inspector.imports.json_lines` reads them.

A line has the number, the time (seconds since 1970), the monotonic time, direction, channel and kind of a frame. What crossed is in `message`
where it is JSON of one line, character for character as it was; in `raw` where it is other text; in `base64` where it is no UTF-8. An event of a
stream and a message of several lines have `raw`, and their message for reading beside it. `message` is the last member, so that its source text
can be found without reading it. A frame above `MAX_MESSAGE` has `raw` alone, which is written in pieces.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import msgspec

from inspector.export.pieces import Piece, is_utf8, json_string, masked
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction, FrameDefect
from inspector.wire.json_codec import RawJson
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript
    from inspector.wire.frame import Frame
    from inspector.wire.json_codec import JsonObject

DIRECTIONS = {Direction.SENT: "out", Direction.RECEIVED: "in", Direction.NOTE: "note"}
"""How a direction is written."""

DEFECTS = {
    FrameDefect.UNTERMINATED: "unterminated",
    FrameDefect.TRUNCATED: "truncated",
    FrameDefect.CONTINUED: "continued",
    FrameDefect.REDACTED: "redacted",
    FrameDefect.UNDECODED: "undecoded",
}
"""How a defect is written."""

_JSON_KINDS = {
    MessageKind.REQUEST,
    MessageKind.RESPONSE,
    MessageKind.ERROR,
    MessageKind.NOTIFICATION,
    MessageKind.BATCH,
    MessageKind.NOTE,
}


MAX_MESSAGE = 4 << 20
"""Bytes of a frame whose message is a value of the line; that of a larger one is a string, `raw`, for reading it takes long."""


def json_lines(transcript: Transcript, numbers: Iterable[int], masking: Masking) -> Iterator[str]:
    """Yield a line for each frame, in pieces where it is large."""
    for number in numbers:
        frame = transcript.frame(number)
        raw = yield from masked(masking, number, frame.raw)
        line = _json_line(transcript, frame, raw, masking)
        if len(raw) > MAX_MESSAGE:
            is_text = yield from is_utf8([raw])
            yield Piece(f'{json_codec.write(line)[:-1]},"{"raw" if is_text else "base64"}":')
            yield from json_string([raw], is_text=is_text)
            yield "}"
        else:
            yield json_codec.write(line)


def _json_line(transcript: Transcript, frame: Frame, raw: bytes, masking: Masking) -> JsonObject:
    """Return the line of a frame whose content, without its secrets, is `raw`; without it where that is large."""
    number, kind = frame.number, transcript.row(frame.number).kind
    line: JsonObject = {
        "number": number,
        "time": RawJson(repr(frame.wall_s)),
        "monotonic": RawJson(repr(frame.monotonic_s)),
        "direction": DIRECTIONS[frame.direction],
        "channel": frame.channel.name.lower(),
        "kind": kind.name.lower(),
    }
    if frame.stream:
        line["stream"] = frame.stream
    if defects := [name for flag, name in DEFECTS.items() if frame.flaw & flag]:
        line["defects"] = list(defects)
    if frame.dropped:
        line["dropped"] = frame.dropped
    if len(raw) > MAX_MESSAGE:
        return line
    message = _message_of(transcript, number, masking, raw) if kind in _JSON_KINDS else None
    if message is None or message.encode() != raw:
        line |= _exact(raw)
    if message is not None:
        line["message"] = RawJson(message)
    return line


def _exact(raw: bytes) -> JsonObject:
    try:
        return {"raw": raw.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(raw).decode()}


def _message_of(transcript: Transcript, number: int, masking: Masking, whole: bytes) -> str | None:
    """The JSON text of a message, of one line; None if it is not exactly what the JSON specification allows."""
    raw = whole
    if transcript.columns.channel[number - 1] == Channel.SSE:
        raw = masking.apply(number, transcript.message(number).raw)
    try:
        msgspec.json.decode(raw)
        text = raw.decode()
    except (ValueError, RecursionError):
        return None
    return json_codec.compact(text) if "\n" in text or "\r" in text else text
