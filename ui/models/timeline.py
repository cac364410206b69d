"""The frames of all runs of a server as one list, numbered through. Knows no Qt.

A frame has the number that it has in its own transcript, plus the count of all transcripts before. Only the last transcript grows.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.runs import RunStart
    from inspector.transcript.filter.query import Query
    from inspector.transcript.transcript import Transcript


def _no_text(_transcript: Transcript) -> str:
    return ""


def _no_start(_transcript: Transcript) -> RunStart | None:
    return None


def timeline_of(transcript: Transcript | None) -> Timeline:
    """The frames of one transcript, or none."""
    return Timeline((transcript,) if transcript is not None else ())


class Timeline:
    """Transcripts, one after the other; the last one may still grow."""

    def __init__(
        self,
        transcripts: Sequence[Transcript] = (),
        text: Callable[[Transcript], str] = _no_text,
        runs: Sequence[int] = (),
        starts: Callable[[Transcript], RunStart | None] = _no_start,
    ) -> None:
        """Number `transcripts` through, oldest first; `runs` has their run numbers.

        `text` returns why each but the first begins, and `starts` the same as data.
        """
        self.transcripts = tuple(transcripts)
        self._text = text
        self._starts = starts
        self._runs = tuple(runs)
        self._bases = [0]
        for transcript in self.transcripts[:-1]:
            self._bases.append(self._bases[-1] + transcript.count)

    @property
    def latest(self) -> Transcript | None:
        """The transcript that may grow; none without any."""
        return self.transcripts[-1] if self.transcripts else None

    @property
    def base(self) -> int:
        """Frames before those of the latest."""
        return self._bases[-1]

    @property
    def count(self) -> int:
        """Frames of all of them."""
        return self.base + self.latest.count if self.latest is not None else 0

    @property
    def http_count(self) -> int:
        """HTTP headers among them."""
        return sum(transcript.counts.http for transcript in self.transcripts)

    @property
    def event_count(self) -> int:
        """SSE events without a message among them."""
        return sum(transcript.counts.events for transcript in self.transcripts)

    @property
    def stderr_count(self) -> int:
        """Lines on standard error among them."""
        return sum(transcript.counts.stderr for transcript in self.transcripts)

    def locate(self, number: int) -> tuple[Transcript, int]:
        """The transcript of a frame, and its number there."""
        at = self._index_of(number)
        return self.transcripts[at], number - self._bases[at]

    def number_of(self, transcript: Transcript, number: int) -> int:
        """The number here of a frame of `transcript`; 0 if it is not here."""
        if transcript not in self.transcripts or not 1 <= number <= transcript.count:
            return 0
        found = self._bases[self.transcripts.index(transcript)] + number
        return found if self.locate(found)[0] is transcript else 0

    def run_label(self, transcript: Transcript) -> str:
        """Return `run 2` where there are several runs, `earlier run` for one that is not here; empty for the only one."""
        if transcript not in self.transcripts:
            return "earlier run" if self.transcripts else ""
        at = self.transcripts.index(transcript)
        return f"run {self._runs[at]}" if len(self.transcripts) > 1 and self._runs else ""

    def length(self, transcript: Transcript) -> int:
        """How many frames of a transcript are here; what is written to one that is over is not."""
        at = self.transcripts.index(transcript)
        if at + 1 < len(self._bases):
            return self._bases[at + 1] - self._bases[at]
        return transcript.count

    def divides(self, number: int) -> bool:
        """Whether the frame of this number begins another run than the first."""
        return number > 1 and number - 1 in self._bases

    def divider(self, number: int) -> str:
        """What is said of the run that begins with the frame of this number; empty if none does."""
        return self._text(self.locate(number)[0]) if self.divides(number) else ""

    def start(self, number: int) -> RunStart | None:
        """Return how the run of a frame began; None if that is not known."""
        return self._starts(self.locate(number)[0])

    @property
    def dividers(self) -> list[int]:
        """The frames with which runs but the first begin."""
        return [base + 1 for base in self._bases[1:] if base < self.count]

    def matches(self, query: Query, start: int, stop: int, until: float) -> tuple[array[int], int]:
        """The frames from `start` to before `stop` that match or begin a run, up to the end of a run or of a block; and where that was.

        That is `start` if `time.perf_counter()` is past `until` before what the query needs is known.

        Raises:
            StorageError: bytes that are needed cannot be read back.
        """
        at = self._index_of(start)
        base, transcript = self._bases[at], self.transcripts[at]
        end = min(stop, self._bases[at + 1] + 1) if at + 1 < len(self._bases) else stop
        if not query.prepare(transcript, end - base, until):
            return array("I"), start
        end = base + query.end_of_block(transcript, start - base, end - base)
        found = query.matches(transcript, start - base, end - base)
        if base:
            for at, number in enumerate(found):
                found[at] = number + base
            if start == base + 1 and end > start and (not found or found[0] != start):
                found.insert(0, start)
        return found, end

    def _index_of(self, number: int) -> int:
        # A run without frames begins where the next does: the last of those is meant.
        return max(bisect_right(self._bases, number - 1) - 1, 0)
