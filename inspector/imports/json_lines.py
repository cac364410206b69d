"""JSON Lines of Spyglass (`inspector.export.json_lines`), restored to the byte.

The text of a message is taken from the line as it is there. Lines without it, or that another program wrote again, give the message as that wrote it.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

import msgspec

from inspector.imports.importer import MAX_LINE_BYTES
from inspector.imports.lines import text_lines
from inspector.wire.frame import Channel, Direction, Frame, FrameDefect

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inspector.imports.importer import ImportReport, Sample

_DIRECTIONS = {"out": Direction.SENT, "in": Direction.RECEIVED, "note": Direction.NOTE}
_CHANNELS = {channel.name.lower(): channel for channel in Channel}
_DEFECTS = {f"{flag.name}".lower(): flag for flag in FrameDefect if flag}

MAX_NUMBER = 2**31
"""Numbers of frames above this make no sense."""


class _Line(msgspec.Struct):
    """A line, as far as a frame needs it."""

    time: float
    direction: str
    channel: str = ""
    number: int = 0
    monotonic: float | None = None
    stream: int = 0
    defects: list[str] = []
    dropped: int = 0
    raw: str | None = None
    base64: str | None = None
    message: msgspec.Raw = msgspec.Raw()


_decode = msgspec.json.Decoder(_Line).decode


def accepts(sample: Sample) -> bool:
    """Whether the first line is one of ours."""
    line = sample.first_line
    return (
        line.startswith(b"{")
        and b'"monotonic":' in line
        and b'"direction":' in line
        and b'"channel":' in line
    )


def read(path: Path, session: str, report: ImportReport) -> Iterator[Frame]:
    """Yield the frames of a file."""
    del session
    for at, line in text_lines(path, MAX_LINE_BYTES, report):
        try:
            yield _frame(_decode(line))
        except (msgspec.MsgspecError, ValueError, RecursionError, binascii.Error) as error:
            report.skip(at, str(error))


def _frame(line: _Line) -> Frame:
    direction = _DIRECTIONS.get(line.direction)
    if direction is None:
        raise ValueError(f"no direction {line.direction[:20]!r}")
    channel = _channel(line)
    if (direction is Direction.NOTE) != (channel is Channel.NOTE):
        raise ValueError(f"{line.direction} does not go with {line.channel[:20]}")
    flaw = FrameDefect.NONE
    for name in line.defects:
        flaw |= _DEFECTS.get(name, FrameDefect.NONE)
    moment = line.time if line.monotonic is None else line.monotonic
    return Frame(
        *(line.number if 0 < line.number < MAX_NUMBER else 0, direction, channel),
        *(moment, line.time, _raw(line), flaw, max(0, min(line.dropped, 2**62))),
        line.stream if 0 < line.stream < MAX_NUMBER else 0,
    )


def _channel(line: _Line) -> Channel:
    sides = {"out": Channel.STDIN, "in": Channel.STDOUT, "note": Channel.NOTE}
    return _CHANNELS.get(line.channel, sides[line.direction])


def _raw(line: _Line) -> bytes:
    if line.base64 is not None:
        return base64.b64decode(line.base64, validate=True)
    if line.raw is not None:
        return line.raw.encode("utf-8", "surrogateescape")
    return bytes(line.message)
