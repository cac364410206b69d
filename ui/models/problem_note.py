"""How many problems frames have, beside the outcome of a request: a response with problems is still a response."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.transcript.index import FrameFlags
from ui.widgets.outcome_line import Found
from ui.widgets.row_painter import SIGNS, RowNote
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from inspector.transcript.transcript import Transcript


def problem_tone(flags: int) -> str:
    """Return the tone of the gravest problem of a frame with these flags; empty for none."""
    return "error" if flags & FrameFlags.ERROR else "warning" if flags & FrameFlags.PROBLEM else ""


def problem_note(
    transcript: Transcript, *numbers: int, muted: Collection[str] = ()
) -> RowNote | None:
    """Return how many problems the frames with these numbers have together, without those of `muted` rules; None for none."""
    flags = transcript.columns.flags
    tones = {problem_tone(flags[number - 1]) for number in numbers}
    tone = next((each for each in ("error", "warning") if each in tones), "")
    if not tone:
        return None
    found = [
        each
        for number in numbers
        for each in transcript.findings(number)
        if each.severity is not Severity.INFO
    ]
    severities = [each.severity for each in found if each.rule not in muted]
    count = len(severities)
    if transcript.dropped_findings:  # of these frames, too, perhaps
        text = f"{count:,}+ problems" if count else "problems"
        return RowNote(SIGNS[tone], tone, text, f"{count:,}+" if count else "")
    if found and not count:
        return None
    if count:
        tone = "error" if Severity.ERROR in severities else "warning"
    text = plural(count, "problem") if count else "problems"
    return RowNote(SIGNS[tone], tone, text, f"{count:,}" if count else "")


def found_in(transcript: Transcript, numbers: Sequence[int], muted: Collection[str] = ()) -> Found:
    """Return the same for the line with the outcome of a request; the frame is the first one with a problem of the gravest tone."""
    note = problem_note(transcript, *numbers, muted=muted) if numbers else None
    if note is None:
        return Found()
    flags = transcript.columns.flags
    own = [each for each in numbers if problem_tone(flags[each - 1]) == note.tone]
    return Found(note.text, note.short, note.tone, (own or [*numbers])[0])
