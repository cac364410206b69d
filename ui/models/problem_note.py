"""How many problems frames have, beside the outcome of a request: a response with problems is still a response."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.transcript.index import FrameFlags
from ui.widgets.row_painter import SIGNS, RowNote
from ui.widgets.units import plural

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript


def problem_tone(flags: int) -> str:
    """Return the tone of the gravest problem of a frame with these flags; empty for none."""
    return "error" if flags & FrameFlags.ERROR else "warning" if flags & FrameFlags.PROBLEM else ""


def problem_note(transcript: Transcript, *numbers: int) -> RowNote | None:
    """Return how many problems the frames with these numbers have together; None for none."""
    flags = transcript.columns.flags
    tones = {problem_tone(flags[number - 1]) for number in numbers}
    tone = next((each for each in ("error", "warning") if each in tones), "")
    if not tone:
        return None
    found = (each for number in numbers for each in transcript.findings(number))
    count = sum(each.severity is not Severity.INFO for each in found)
    # A frame stays marked when there are so many findings that its own are no longer kept.
    text = plural(count, "problem") if count else "problems"
    return RowNote(SIGNS[tone], tone, text, f"{count}" if count else "")
