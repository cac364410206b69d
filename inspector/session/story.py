"""Why connecting failed, told from the record: what the server printed before it was given up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.wire.frame import Channel
from inspector.wire.message import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.transcript.transcript import Transcript

STDERR_LINES = 20
"""Last lines of stderr that are told."""

STRAY_LINES = 3
"""First lines on stdout that were no messages."""

LOOK_BACK = 5000
"""Frames looked at; more are not worth the time."""

EXCERPT = 200
"""Characters shown of a line."""


def stderr_tail(transcript: Transcript) -> str:
    """The last lines on stderr, oldest first; empty when there are none."""
    found: list[str] = []
    for number in _backwards(transcript):
        if transcript.columns.channel[number - 1] == Channel.STDERR:
            found.append(_line(transcript, number))
            if len(found) == STDERR_LINES:
                break
    return "\n".join(reversed(found))


def stray_words(transcript: Transcript) -> str:
    """What came on stdout that is not JSON-RPC, in one sentence; empty when there was none."""
    kinds, channels = transcript.columns.kind, transcript.columns.channel
    stray = [
        n
        for n in range(1, min(transcript.count, LOOK_BACK) + 1)
        if kinds[n - 1] == Kind.MALFORMED and channels[n - 1] == Channel.STDOUT
    ]
    if not stray:
        return ""
    lines = "\n".join(_line(transcript, number) for number in stray[:STRAY_LINES])
    more = f"\n(and {len(stray) - STRAY_LINES} more)" if len(stray) > STRAY_LINES else ""
    return f"The server printed what is not JSON-RPC on stdout:\n{lines}{more}"


def detail(transcript: Transcript) -> str:
    """Everything the server printed that may explain a failure."""
    tail = stderr_tail(transcript)
    parts = [stray_words(transcript), f"Last lines on stderr:\n{tail}" if tail else ""]
    return "\n\n".join(part for part in parts if part)


def _backwards(transcript: Transcript) -> Iterator[int]:
    return iter(range(transcript.count, max(0, transcript.count - LOOK_BACK), -1))


def _line(transcript: Transcript, number: int) -> str:
    text = transcript.raw(number)[: EXCERPT * 4].decode("utf-8", "replace").rstrip("\r\n")
    return text if len(text) <= EXCERPT else text[: EXCERPT - 1] + "…"
