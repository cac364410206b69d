"""Why connecting failed, told from the record: what the server printed before it was given up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.session import shapes
from inspector.transcript import probes
from inspector.transcript.index import newest_with
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import last_written
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.transcript.transcript import Transcript

_ENDED = "closed"
"""The event of the remark that a connection is over."""

BEGUN = {"started", "opened"}
"""The events of the remark that there is one."""

LINE_CHANNELS = frozenset({Channel.STDOUT, Channel.TCP})
"""Channels on which a newline ends a message."""

STDERR_LINES = 20
"""Latest lines on stderr that are shown."""

FIRST_LINES = 3
"""First lines on stderr that are shown: a usage text follows its reason."""

CAUSE_LINES = 10
"""Lines in between that are shown because they look like errors."""

STRAY_LINES = 3
"""First lines on stdout that were no messages."""

LOOK_BACK = 5000
"""Frames looked at; more are not worth the time."""

EXCERPT = 200
"""Characters shown of a line."""


def stderr_lines(transcript: Transcript, since: int = 0) -> list[str]:
    """The lines on stderr of the latest start that wrote any, oldest first, each cut to an excerpt; after frame `since` only.

    The last one may still be without its newline.
    """
    rest = transcript.unfinished.of(Channel.STDERR)
    found = [_excerpt(rest.tail)] if rest is not None else []
    first = max(since, transcript.count - LOOK_BACK)
    ends = [n for n in notes(transcript, first) if note_event(transcript, n) == _ENDED]
    later = transcript.count + 1
    for number in newest_with(transcript.columns.channel, Channel.STDERR, first, transcript.count):
        if found and any(number < end < later for end in ends):
            break
        found.append(line_of(transcript, number))
        later = number
    return found[::-1]


def notes(transcript: Transcript, after: int) -> Iterator[int]:
    """Yield our notes after the frame `after`, newest first."""
    return newest_with(transcript.columns.kind, MessageKind.NOTE, after, transcript.count)


def stderr_excerpt(transcript: Transcript, since: int = 0) -> str:
    """What was written to stderr after frame `since`, shortened: the first lines, what looks like an error, and the latest lines."""
    lines = stderr_lines(transcript, since)
    if len(lines) <= FIRST_LINES + STDERR_LINES:
        return "\n".join(lines)
    tail = len(lines) - STDERR_LINES
    causes = [at for at in range(FIRST_LINES, tail) if shapes.looks_like_cause(lines[at])]
    shown = [*range(FIRST_LINES), *causes[:CAUSE_LINES], *range(tail, len(lines))]
    parts: list[str] = []
    for at, after in zip(shown, [*shown[1:], len(lines)], strict=True):
        parts.append(lines[at])
        if after - at > 1:
            parts.append(f"… {after - at - 1:,} more lines …")
    return "\n".join(parts)


def is_stdout_noise(transcript: Transcript, number: int) -> bool:
    """Whether a frame came on stdout, or over TCP, and is not JSON-RPC."""
    columns = transcript.columns
    is_malformed = columns.kind[number - 1] == MessageKind.MALFORMED
    return is_malformed and columns.channel[number - 1] in LINE_CHANNELS


def first_stdout_noise(transcript: Transcript) -> int:
    """The first such frame; 0 when there is none."""
    return next(iter(_strays(transcript)), 0)


def _strays(transcript: Transcript) -> list[int]:
    last = min(transcript.count, LOOK_BACK)
    malformed = newest_with(transcript.columns.kind, MessageKind.MALFORMED, 0, last)
    return [number for number in malformed if is_stdout_noise(transcript, number)][::-1]


def first_echo(transcript: Transcript) -> int:
    """The first frame in which a request of ours that opens a session came back; 0 when there is none."""
    columns = transcript.columns
    opening = {columns.methods.number(method) for method in probes.METHODS}
    for number in range(1, min(transcript.count, LOOK_BACK) + 1):
        is_request = columns.kind[number - 1] == MessageKind.REQUEST
        if is_request and columns.direction[number - 1] == Direction.RECEIVED:
            return number if columns.method[number - 1] in opening else 0
    return 0


def stray_sentence(transcript: Transcript, number: int) -> str:
    """What such a frame means, in words that another clause can follow."""
    if transcript.columns.channel[number - 1] == Channel.TCP:
        return f"the server sent what is not JSON-RPC (“{line_of(transcript, number)}”)"
    return f"the server printed on stdout what is not JSON-RPC (“{line_of(transcript, number)}”)"


def stray_words(transcript: Transcript) -> str:
    """What came there that is no message, in one sentence; empty when there was none."""
    stray = _strays(transcript)
    if not stray:
        return ""
    lines = "\n".join(line_of(transcript, number) for number in stray[:STRAY_LINES])
    more = f"\n(and {len(stray) - STRAY_LINES} more)" if len(stray) > STRAY_LINES else ""
    where = "" if transcript.columns.channel[stray[0] - 1] == Channel.TCP else "on stdout "
    return f"Lines {where}that are no JSON-RPC message:\n{lines}{more}"


def detail(transcript: Transcript) -> str:
    """Everything the server printed that may explain a failure."""
    printed = stderr_excerpt(transcript)
    parts = [stray_words(transcript), f"Output on stderr:\n{printed}" if printed else ""]
    return "\n\n".join(part for part in parts if part)


def opening(transcript: Transcript, since: int) -> tuple[int, str]:
    """The remark after frame `since` that a connection was made, and its words; the latest frame where there is none."""
    begun = [n for n in notes(transcript, since) if note_event(transcript, n) in BEGUN]
    found = begun[-1] if begun else transcript.count
    note = transcript.message(found).value if found else None
    text = note.get("words") if isinstance(note, dict) else None
    return found, text if isinstance(text, str) else ""


def note_event(transcript: Transcript, number: int) -> str:
    """What a remark of ours is about; empty for any other frame."""
    if transcript.columns.kind[number - 1] != MessageKind.NOTE:
        return ""
    note = transcript.message(number).value
    return str(note.get("event", "")) if isinstance(note, dict) else ""


def line_of(transcript: Transcript, number: int) -> str:
    """The text of one frame, cut to an excerpt."""
    return _excerpt(transcript.raw(number))


def _excerpt(raw: bytes) -> str:
    text = last_written(raw.decode("utf-8", "replace"))
    return text if len(text) <= EXCERPT else text[: EXCERPT - 1] + "…"
