"""The log messages of all runs of a server, one after the other; where another run begins, a place of its own says so."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING

from inspector.features.logs import UNKNOWN, LogLine
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.features.logs import LogFilter, LogLines
    from inspector.spec.views.notifications import LogView
    from inspector.transcript.transcript import Transcript


class RunLogs:
    """What `LogLines` tells of one run, of several; those before the last are over."""

    def __init__(self, runs: Sequence[LogLines], text: Callable[[Transcript], str]) -> None:
        """Show `runs`, at least one, oldest first; `text` returns why each but the first begins."""
        self._runs = runs
        self._texts = text
        self._bases = [0]
        """Where each run begins, as far as those before are looked through."""

    def __len__(self) -> int:
        """Places so far: messages, and those where a run begins."""
        at = len(self._bases) - 1
        return self._start_of(at) + len(self._runs[at])

    @property
    def messages(self) -> int:
        """Messages so far."""
        return len(self) - self.dividers

    @property
    def dividers(self) -> int:
        """Places so far where a run begins."""
        return len(self._bases) - 1

    @property
    def let_go(self) -> int:
        """Messages that came before those kept."""
        return sum(run.let_go for run in self._runs)

    def pull(self, seconds: float = math.inf) -> int:
        """Take in what came since, for about that long; gives how many frames were not looked at yet, of one run at least.

        Raises:
            StorageError: bytes cannot be read back.
        """
        while (at := len(self._bases) - 1) + 1 < len(self._runs):
            if left := self._runs[at].pull(seconds):
                return left
            self._bases.append(len(self))
        return self._runs[-1].pull(seconds)

    def divider(self, at: int) -> str:
        """What is said of the run that begins at a place; empty if none does."""
        run, local = self._locate(at)
        return self._texts(self._runs[run].transcript) if local < 0 else ""

    def transcript(self, at: int) -> Transcript:
        """Where the message at a place was recorded."""
        return self._runs[self._locate(at)[0]].transcript

    def frame(self, at: int) -> int:
        """Its frame there; frame 1 where a run begins."""
        run, local = self._locate(at)
        return self._runs[run].frame(local) if local >= 0 else 1

    def wall(self, at: int) -> float:
        """When it came, seconds since 1970-01-01 UTC."""
        return self.transcript(at).columns.wall_s[self.frame(at) - 1]

    def line(self, at: int) -> LogLine:
        """The message at a place, for its row.

        Raises:
            StorageError: its bytes cannot be read back.
        """
        run, local = self._locate(at)
        if local < 0:
            return LogLine("", UNKNOWN, "", json_codec.write_bytes(self.divider(at)))
        return self._runs[run].line(local)

    def raw(self, at: int) -> bytes:
        """The message as it came; the note where a run begins."""
        run, local = self._locate(at)
        return self._runs[run].raw(local) if local >= 0 else self.transcript(at).raw(1)

    def view(self, at: int) -> LogView:
        """The message at a position, decoded; not for a position where a run begins."""
        run, local = self._locate(at)
        return self._runs[run].view(local)

    def cause(self, at: int) -> int:
        """The frame of the request that a message belongs to, where the wire says so; else 0."""
        run, local = self._locate(at)
        return self._runs[run].cause(local) if local >= 0 else 0

    def matching(self, what: LogFilter, start: int, stop: int) -> array[int]:
        """Places from `start` to before `stop` of the messages looked for, and of all where a run begins.

        Raises:
            StorageError: bytes that are needed cannot be read back.
        """
        found, stop = array("I"), min(stop, len(self))
        while start < stop:
            run, local = self._locate(start)
            if local < 0:
                found.append(start)
                start += 1
                continue
            first, end = (
                self._start_of(run),
                self._bases[run + 1] if run + 1 < len(self._bases) else stop,
            )
            end = min(end, stop)
            hits = self._runs[run].matching(what, local, end - first)
            found.extend(array("I", [first + hit for hit in hits]) if first else hits)
            start = end
        return found

    def _start_of(self, run: int) -> int:
        """The place of the first message of a run."""
        return self._bases[run] + (run > 0)

    def _locate(self, at: int) -> tuple[int, int]:
        """The run of a place, and the position there; below 0 where a run begins."""
        run = bisect_right(self._bases, at) - 1
        return run, at - self._start_of(run)
