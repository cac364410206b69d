"""How many problems frames have, beside the outcome of a request: a response with problems is still a response."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.finding import Severity
from inspector.transcript.index import FrameFlags
from ui.widgets.outcome_line import Found
from ui.widgets.row_painter import SIGNS, RowNote
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from inspector.transcript.transcript import Transcript


_GRAVITY = ("", "warning", "error")
"""Tones by their gravity."""


class _Problems(NamedTuple):
    """What counts of the problems of one frame."""

    severities: list[Severity]
    """Of those that are kept and not muted."""
    tone: str
    """That of the gravest of these, or of one that was not kept; empty for none."""
    is_marked: bool
    """Whether the frame has any, muted ones included."""


def problem_tone(flags: int) -> str:
    """Return the tone of the gravest problem of a frame with these flags; empty for none."""
    return "error" if flags & FrameFlags.ERROR else "warning" if flags & FrameFlags.PROBLEM else ""


def problem_note(
    transcript: Transcript, *numbers: int, muted: Collection[str] = ()
) -> RowNote | None:
    """Return how many problems the frames with these numbers have together, without those of `muted` rules; None for none."""
    return _note(transcript, [_problems(transcript, number, muted) for number in numbers])


def found_in(transcript: Transcript, numbers: Sequence[int], muted: Collection[str] = ()) -> Found:
    """Return the same for the line with the outcome of a request; the frame is the first one with a problem of the gravest tone."""
    problems = {number: _problems(transcript, number, muted) for number in numbers}
    note = _note(transcript, [*problems.values()])
    if note is None:
        return Found()
    frame = max(problems, key=lambda number: _rank(problems[number]))
    is_partial = transcript.dropped_findings > 0
    return Found(note.text, note.short, note.tone, frame, is_partial)


def _problems(transcript: Transcript, number: int, muted: Collection[str]) -> _Problems:
    marked = problem_tone(transcript.columns.flags[number - 1])
    if not marked:
        return _Problems([], "", is_marked=False)
    known = [each for each in transcript.findings(number) if each.severity is not Severity.INFO]
    severities = [each.severity for each in known if each.rule not in muted]
    tones = {_tone(severity) for severity in severities}
    if all(_tone(each.severity) != marked for each in known):
        tones.add(marked)  # the frame is marked for a problem that was not kept
    return _Problems(severities, max(tones, key=_GRAVITY.index, default=""), is_marked=True)


def _note(transcript: Transcript, problems: Collection[_Problems]) -> RowNote | None:
    tone = max((each.tone for each in problems), key=_GRAVITY.index, default="")
    count = sum(len(each.severities) for each in problems)
    is_partial = transcript.dropped_findings > 0  # of these frames, too, perhaps
    if not tone and is_partial and any(each.is_marked for each in problems):
        tone = "warning"
    if not tone:
        return None
    if not count:
        return RowNote(SIGNS[tone], tone, "problems", "")
    text = f"{count:,}+ problems" if is_partial else plural(count, "problem")
    return RowNote(SIGNS[tone], tone, text, f"{count:,}+" if is_partial else f"{count:,}")


def _rank(problems: _Problems) -> tuple[int, bool]:
    return _GRAVITY.index(problems.tone), problems.is_marked


def _tone(severity: Severity) -> str:
    return "error" if severity is Severity.ERROR else "warning"
