"""What can be exported: rows, in a format of the engine or as a recording, or a bug report about one operation."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING

from PySide6.QtCore import qVersion

from inspector.export.bug_report import report_frames, report_writer
from inspector.export.formats import FORMATS, JSON_LINES, MARKDOWN, Format
from inspector.export.saving import BugReport, Export, RecordingPart
from inspector.frozen import FrozenStruct
from inspector.transcript.redaction import Masking

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.export.saving import Job
    from inspector.transcript.transcript import Transcript
    from ui.models.timeline import Timeline

RECORDING = "spyglass"
"""Key of the target that is a recording."""


RECORDING_ENDING = ".spyglass"
"""What its file ends with."""


class Part(FrozenStruct, frozen=True):
    """Frames of one run."""

    transcript: Transcript
    numbers: Sequence[int]
    """In ascending order."""


class Rows(FrozenStruct, frozen=True):
    """Rows that can be chosen."""

    key: str
    title: str
    parts: tuple[Part, ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(len(part.numbers) for part in self.parts)


class Target(FrozenStruct, frozen=True):
    """A kind of file."""

    key: str
    title: str
    suffix: str
    preview: Format
    """What writes the preview, which is the file itself but for a recording."""
    make: Callable[[Part, Masking], Job]
    """Returns what writes the file."""


def _text_target(format_: Format) -> Target:
    def make(part: Part, masking: Masking) -> Job:
        return Export(format_, part.transcript, part.numbers, masking)

    return Target(format_.key, format_.title, format_.suffix, format_, make)


def _make_recording(part: Part, masking: Masking) -> Job:
    return RecordingPart(part.transcript, part.numbers, masking)


TARGETS = (
    Target(RECORDING, "Spyglass recording", RECORDING_ENDING, JSON_LINES, _make_recording),
    *(_text_target(each) for each in FORMATS if each.suffix),
)
"""Every kind of file for rows, in the order of the list."""


def rows_of(
    timeline: Timeline, visible: Sequence[int], selected: Sequence[int]
) -> tuple[Rows, ...]:
    """Return all rows of `timeline`, those that are `visible` if these are fewer, and those that are `selected` if these are several."""
    everything = tuple(
        Part(each, range(1, timeline.length(each) + 1)) for each in timeline.transcripts
    )
    found = [Rows("all", "All", everything)]
    if len(visible) < found[0].count:
        found.append(Rows("visible", "Visible", _by_run(timeline, visible)))
    if len(selected) > 1:
        found.append(Rows("selected", "Selected", _by_run(timeline, selected)))
    return tuple(found)


def _by_run(timeline: Timeline, numbers: Sequence[int]) -> tuple[Part, ...]:
    """Numbers of the timeline as those of its transcripts."""
    numbers = array("I", sorted(numbers)) if not isinstance(numbers, array) else numbers
    parts: list[Part] = []
    for transcript in timeline.transcripts:
        first = timeline.number_of(transcript, 1)
        if not first:
            continue
        start = bisect_right(numbers, first - 1)
        stop = bisect_right(numbers, first + timeline.length(transcript) - 1)
        own = numbers[start:stop]
        if first > 1:
            own = array("I", (number - first + 1 for number in own))
        if own:
            parts.append(Part(transcript, own))
    return tuple(parts)


def bug_report(transcript: Transcript, number: int, name: str) -> tuple[Target, Rows]:
    """Return the report about the operation of a frame, and its frames; `name` is that of its file without ending."""
    facts = {"Qt": qVersion()}

    def format_for(recording: str) -> Format:
        write = report_writer(number, facts, recording)
        return Format("bug-report", "Bug report", "", write, suffix=MARKDOWN.suffix)

    def make(part: Part, masking: Masking) -> Job:
        def report(recording: str) -> Export:
            own = Masking(part.transcript, with_secrets=masking.with_secrets)
            return Export(format_for(recording), part.transcript, part.numbers, own)

        return BugReport(report, RecordingPart(part.transcript, part.numbers, masking))

    rows = Rows("operation", "Operation", (Part(transcript, report_frames(transcript, number)),))
    preview = format_for(f"{name}{RECORDING_ENDING}")
    return Target("bug-report", "Bug report", MARKDOWN.suffix, preview, make), rows
