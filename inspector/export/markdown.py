"""Frames as Markdown, for an issue: a heading and a code block for each.

What the server made up cannot leave its code block: the fence is longer than any run of backticks in it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.export.csv_rows import iso_time
from inspector.export.text import MAX_INDENTED, indented
from inspector.wire.frame import Direction

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript

MAX_BLOCK = 20_000
"""Characters of one frame; the rest is counted."""

BEGINNING_BYTES = 8 * MAX_BLOCK
"""What is read of a large frame: more than is written, so that no secret is cut where it would not be found."""

_ARROWS = {Direction.SENT: "→ sent", Direction.RECEIVED: "← received", Direction.NOTE: "note"}
_TICKS = re.compile(r"`+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


def markdown(transcript: Transcript, numbers: Iterable[int], masking: Masking) -> Iterator[str]:
    """Yield the frames one after the other."""
    for number in numbers:
        row = transcript.row(number)
        label = transcript.columns.labels.texts[transcript.columns.label[number - 1]]
        parts = [_ARROWS[row.direction], row.kind.name.lower()]
        names = (masking.text(row.method), masking.label(row.method, label))
        parts += [code(each) for each in names if each]
        if status := transcript.status(number):
            parts.append(f"*{status}*")
        yield f"#### {number} · {iso_time(row.wall_s)} · {' '.join(parts)}\n"
        yield from (
            f"- Problem: {code(masking.text(finding.summary))} ({finding.rule})"
            for finding in transcript.findings(number)
        )
        if comment := transcript.annotations.comments.get(number):
            yield f"- Comment: {code(masking.text(comment))}"
        yield _content(transcript, number, masking)


def _content(transcript: Transcript, number: int, masking: Masking) -> str:
    """The message in a frame; of a large one the beginning, without reading the rest."""
    size = transcript.columns.size[number - 1]
    if size <= MAX_INDENTED:
        return fenced(indented(masking.apply(number, transcript.message(number).raw)))
    raw = transcript.contents.beginning(number, BEGINNING_BYTES)
    text = masking.apply(number, raw).decode(errors="replace")[:MAX_BLOCK]
    return f"{fenced(text)}… the beginning of {size:,} bytes\n"


def code(text: str) -> str:
    """Return one line of text as code."""
    line = _CONTROL.sub("\ufffd", " ".join(text.split()))
    ticks = "`" * (_max_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}" if line else ""


def fenced(text: str) -> str:
    """Return text as a block of code, and how much of it was left out."""
    rest = len(text) - MAX_BLOCK
    body = _CONTROL.sub("\ufffd", text[:MAX_BLOCK].replace("\r\n", "\n"))
    ticks = "`" * max(3, _max_run(body) + 1)
    kind = "json" if body[:1] in {"{", "["} else ""
    more = f"\n… {rest:,} more characters" if rest > 0 else ""
    return f"{ticks}{kind}\n{body}\n{ticks}{more}\n"


def _max_run(text: str) -> int:
    return max(map(len, _TICKS.findall(text)), default=0)
