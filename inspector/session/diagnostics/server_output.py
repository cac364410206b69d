"""What a transcript has of a server: its lines on stdout and stderr, its HTTP responses, and the notes about its connections."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from inspector.session import diagnostics
from inspector.transcript.index import newest_with
from inspector.visible_text import without_nuls
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction, FrameDefect
from inspector.wire.line_splitter import last_written
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import JsonObject

T = TypeVar("T")

CONNECTED = {"started", "opened"}
"""Events of the note that a connection was made."""

LINE_CHANNELS = frozenset({Channel.STDOUT, Channel.TCP})
"""Channels on which a newline ends a message."""

MAX_LINES = 20
"""Latest lines of an excerpt of stderr."""

MAX_TOP_LINES = 3
"""Lines from the top of such an excerpt: a usage text follows its reason."""

MAX_CAUSE_LINES = 10
"""Lines between these that are in the excerpt because they look like errors."""

MAX_FIRST, MAX_LAST = 20, 60
"""Lines on stderr, the oldest and the latest, in which well-known mistakes are searched for: that takes half a millisecond for each line."""

_WITHOUT_DATA = frozenset(
    {"ping", "tools/list", "prompts/list", "resources/list", "resources/templates/list"}
)
"""Methods of requests that say only what a server has."""

MAX_STRAY_LINES = 3
"""Lines on stdout that are not messages, of which an excerpt has the first ones."""

MAX_FRAMES = 5000
"""Frames that one search reads."""

TUNNEL = b"CONNECT "
"""Start of the HTTP headers that request a tunnel of a proxy."""

MAX_CHARACTERS = 200
"""Characters of a line in an excerpt."""

EXCERPT_BYTES = 1 << 14
"""Bytes at the beginning of a line, or at its end where the line starts again there, of which an excerpt is made."""

_BEGINNING = re.compile(
    rb'\s*(?:\[\s*)?\{(?:[^\n]*?"jsonrpc"\s*:|\s*"id"\s*:\s*(?:\d+|"[^"\n]*"|null)\s*,\s*"(?:json|resu|error"\s*:\s*\{))'
)
"""The beginning of a message, or of a batch."""


def stderr_lines(transcript: Transcript, since: int = 0) -> list[str]:
    """Return the lines on stderr of the latest process that wrote any after frame `since`, oldest first, each shortened.

    The last line may still be without its newline.
    """
    return _lines(transcript, _stderr_frames(transcript, since))


def ends(lines: Sequence[T]) -> Sequence[T]:
    """Return those of the lines on stderr in which well-known mistakes are searched for."""
    if len(lines) <= MAX_FIRST + MAX_LAST:
        return lines
    return [*lines[:MAX_FIRST], *lines[-MAX_LAST:]]


def stderr_ends(transcript: Transcript, since: int = 0) -> list[str]:
    """Return `ends` of these lines of the latest process that wrote any after frame `since`, without reading the others."""
    return _lines(transcript, ends(_stderr_frames(transcript, since)))


def _lines(transcript: Transcript, frames: Iterable[int]) -> list[str]:
    """Return the lines in these frames on stderr, and the one that is still without its newline."""
    lines = [line_of(transcript, number) for number in frames]
    rest = transcript.unfinished.of(Channel.STDERR)
    return lines if rest is None else [*lines, _excerpt(rest.tail)]


def _stderr_frames(transcript: Transcript, since: int = 0) -> list[int]:
    """Return the frames of the lines on stderr of the latest process that wrote any after frame `since`, oldest first."""
    found: list[int] = []
    is_open = transcript.unfinished.of(Channel.STDERR) is not None
    start = max(since, transcript.count - MAX_FRAMES)
    closed = [n for n in notes(transcript, start) if note_event(transcript, n) == "closed"]
    later = transcript.count + 1
    for number in newest_with(transcript.columns.channel, Channel.STDERR, start, transcript.count):
        if (found or is_open) and any(number < end < later for end in closed):
            break
        found.append(number)
        later = number
    return found[::-1]


def stderr_excerpt(transcript: Transcript, since: int = 0) -> str:
    """Return stderr after frame `since`, shortened: the lines at its top, those that look like errors, and the latest lines."""
    lines = stderr_lines(transcript, since)
    if len(lines) <= MAX_TOP_LINES + MAX_LINES:
        return "\n".join(lines)
    tail = len(lines) - MAX_LINES
    causes = [
        at for at in range(MAX_TOP_LINES, tail) if diagnostics.cause_lines.is_error_line(lines[at])
    ]
    kept = [*range(MAX_TOP_LINES), *causes[:MAX_CAUSE_LINES], *range(tail, len(lines))]
    parts: list[str] = []
    for at, after in zip(kept, [*kept[1:], len(lines)], strict=True):
        parts.append(lines[at])
        if after - at > 1:
            parts.append(f"… {after - at - 1:,} more lines …")
    return "\n".join(parts)


def is_stray(transcript: Transcript, number: int) -> bool:
    """Whether a frame came on stdout, or over TCP, and is not JSON-RPC; a response that was cut on our side was."""
    columns, at = transcript.columns, number - 1
    if columns.kind[at] != MessageKind.MALFORMED or columns.channel[at] not in LINE_CHANNELS:
        return False
    is_ours = columns.request[at] and columns.flaw[at] & FrameDefect.TRUNCATED
    return not is_ours and not columns.flaw[at] & FrameDefect.UNDECODED


def is_unfinished(transcript: Transcript, number: int) -> bool:
    """Whether a frame is the beginning of a message, after which the output ended: JSON of something else, or whole JSON, is none."""
    columns, at = transcript.columns, number - 1
    is_open = columns.channel[at] in LINE_CHANNELS and columns.flaw[at] & FrameDefect.UNTERMINATED
    raw = transcript.raw(number) if is_open else b""
    if _BEGINNING.match(raw[:EXCERPT_BYTES]) is None:
        return False
    is_ended = raw.rstrip().endswith((b"}", b"]"))  # to read it all may take long
    return not (is_ended and json_codec.is_json(raw))


def ends_in_message(transcript: Transcript) -> bool:
    """Whether the latest line on stdout, or over TCP, that is not JSON-RPC is the beginning of a message."""
    strays = _strays(transcript)
    return bool(strays) and is_unfinished(transcript, strays[-1])


def first_stray(transcript: Transcript) -> int:
    """Return the first frame on stdout, or over TCP, that is not JSON-RPC; 0 for no such frame."""
    return next(iter(_strays(transcript)), 0)


def stray_lines(transcript: Transcript) -> list[str]:
    """Return `ends` of the lines on stdout, or over TCP, that are not JSON-RPC, oldest first, each shortened."""
    return [line_of(transcript, number) for number in ends(_strays(transcript))]


def _strays(transcript: Transcript) -> list[int]:
    last = min(transcript.count, MAX_FRAMES)
    malformed = newest_with(transcript.columns.kind, MessageKind.MALFORMED, 0, last)
    return [number for number in malformed if is_stray(transcript, number)][::-1]


def stray_sentence(transcript: Transcript, number: int) -> str:
    """Return what such a frame means, as a clause that another one can follow."""
    where = "sent" if transcript.columns.channel[number - 1] == Channel.TCP else "printed on stdout"
    return f"the server {where} what is not JSON-RPC (“{line_of(transcript, number)}”)"


def last_response(transcript: Transcript, request: int) -> int:
    """Return the latest frame before the frame `request` with a response of the server; 0 for none."""
    columns = transcript.columns
    received = newest_with(
        columns.direction, Direction.RECEIVED, max(0, request - MAX_FRAMES), request
    )
    responses = (MessageKind.RESPONSE, MessageKind.ERROR)
    return next((each for each in received if columns.kind[each - 1] in responses), 0)


def latest_start(transcript: Transcript) -> int:
    """Return the latest frame that notes a connection; 0 for none among the latest frames."""
    numbers = notes(transcript, max(0, transcript.count - MAX_FRAMES))
    return next((each for each in numbers if note_event(transcript, each) in CONNECTED), 0)


def took_notification(transcript: Transcript, request: int) -> bool:
    """Whether a notification is what the server handled last, after all that it responded to.

    A request after it may have been handled as well, so that one has to be a list or a ping, which runs no handler with data of its own.
    """
    columns = transcript.columns
    responded = last_response(transcript, request or transcript.count + 1)
    sent = newest_with(columns.direction, Direction.SENT, responded, transcript.count)
    for number in sent:
        if columns.kind[number - 1] == MessageKind.NOTIFICATION:
            return True
        if columns.methods.texts[columns.method[number - 1]] not in _WITHOUT_DATA:
            return False
    return False


def detail(transcript: Transcript, since: int = 0) -> str:
    """Return everything the server printed that may explain a failure: stray lines, and stderr after frame `since`."""
    printed = stderr_excerpt(transcript, since)
    parts = [_stray_lines(transcript), f"Output on stderr:\n{printed}" if printed else ""]
    return "\n\n".join(part for part in parts if part)


def _stray_lines(transcript: Transcript) -> str:
    stray = _strays(transcript)
    if not stray:
        return ""
    lines = "\n".join(line_of(transcript, number) for number in stray[:MAX_STRAY_LINES])
    more = f"\n(and {len(stray) - MAX_STRAY_LINES} more)" if len(stray) > MAX_STRAY_LINES else ""
    where = "" if transcript.columns.channel[stray[0] - 1] == Channel.TCP else "on stdout "
    return f"Lines {where}that are no JSON-RPC message:\n{lines}{more}"


def received(transcript: Transcript, request: int) -> Iterator[int]:
    """Yield the frames that were received after a request; of very many, only those at both ends."""
    directions = transcript.columns.direction
    head, tail = skipped(transcript, request)
    numbers = chain(range(request + 1, head + 1), range(tail, transcript.count + 1))
    return (n for n in numbers if directions[n - 1] == Direction.RECEIVED)


def skipped(transcript: Transcript, request: int) -> tuple[int, int]:
    """Return the last frame before those that `received` skips, and the first frame after them."""
    head = min(transcript.count, request + MAX_FRAMES)
    return head, max(head, transcript.count - MAX_FRAMES) + 1


def http_status(transcript: Transcript, request: int) -> str:
    """Return the status, such as `200 OK`, of the HTTP exchange that the frame `request` opened; empty before the response."""
    columns = transcript.columns
    for number in received(transcript, request) if request else ():
        is_ours = columns.stream[number - 1] == request
        if is_ours and columns.channel[number - 1] == Channel.HTTP:
            return status_of(transcript, number)
    return ""


def status_of(transcript: Transcript, number: int) -> str:
    """Return the status in the HTTP headers of one frame."""
    line = transcript.raw(number)[:200].split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    version, _, status = line.partition(" ")
    return status if version.startswith("HTTP/") else ""


def latest_headers(transcript: Transcript, request: int) -> bytes:
    """Return the latest HTTP headers sent for the frame `request`: they start with `TUNNEL` as long as only a proxy has them."""
    columns = transcript.columns
    last = min(transcript.count, request + MAX_FRAMES)
    sent = newest_with(columns.direction, Direction.SENT, request, last) if request else ()
    latest = next((n for n in sent if columns.stream[n - 1] == request), 0)
    return transcript.raw(latest) if latest else b""


def notes(transcript: Transcript, after: int) -> Iterator[int]:
    """Yield the frames of notes after the frame `after`, newest first."""
    return newest_with(transcript.columns.kind, MessageKind.NOTE, after, transcript.count)


def note_of(transcript: Transcript, number: int) -> JsonObject:
    """Return the members of a note; empty for any other frame."""
    if transcript.columns.kind[number - 1] != MessageKind.NOTE:
        return {}
    note = transcript.message(number).value
    return note if isinstance(note, dict) else {}


def note_event(transcript: Transcript, number: int) -> str:
    """Return the event of a note; empty for any other frame."""
    return str(note_of(transcript, number).get("event", ""))


def line_of(transcript: Transcript, number: int) -> str:
    """Return the text of one frame, shortened."""
    return _excerpt(transcript.raw(number))


def _excerpt(raw: bytes) -> str:
    if len(raw) > EXCERPT_BYTES:
        end = raw[-EXCERPT_BYTES:]
        raw = end if b"\r" in end or b"\x1b[" in end else raw[:EXCERPT_BYTES]
    text = last_written(without_nuls(raw).decode("utf-8", "replace"))
    return text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1] + "…"
