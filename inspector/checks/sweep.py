"""Judging a transcript in the background, without getting in the way of what arrives.

Frames are judged in order, in short slices with pauses between them, so a flood is judged after it has passed. `waiting` tells how
many are still to be judged, and the screen says so.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from inspector.checks import split_message
from inspector.checks.split_message import SplitMessages
from inspector.finding import Finding, Severity
from inspector.spec.revision import NEWEST_STATEFUL
from inspector.wire import jsontext
from inspector.wire.frame import Channel, Direction
from inspector.wire.jsontext import JsonTextError
from inspector.wire.message import Kind, or_null

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript

SLICE_SECONDS = 0.004
"""How long one slice may take; a single message may take longer."""

PAUSE_SECONDS = 0.016
"""Between two slices: time for a frame of the display."""

SIZE_LIMIT = 1 << 20
"""Messages above it are not judged: it would stop everything else for too long."""

_MESSAGES = {Kind.REQUEST, Kind.RESPONSE, Kind.ERROR, Kind.NOTIFICATION, Kind.BATCH}


class Sweep:
    """Goes over one transcript and adds findings to it."""

    def __init__(self, transcript: Transcript, revision: Revision | None = None) -> None:
        """Judge by `revision`, which is set once it is known; until then by the newest stateful one."""
        self.revision = revision
        self.suspect: Callable[[str, int], None] | None = None
        self._transcript = transcript
        self._done = 0
        self._split = SplitMessages()
        self._more = asyncio.Event()

    @property
    def waiting(self) -> int:
        """Frames still to be judged."""
        return self._transcript.count - self._done

    async def run(self) -> None:
        """Judge what is there and what comes, until cancelled."""
        unsubscribe = self._transcript.appended.subscribe(self._more.set)
        try:
            while True:
                while self.waiting:
                    self.judge_some()
                    await asyncio.sleep(PAUSE_SECONDS)
                self._more.clear()
                await self._more.wait()
        finally:
            unsubscribe()

    def judge_some(self, seconds: float = SLICE_SECONDS) -> None:
        """Judge in order for about that long."""
        until = time.perf_counter() + seconds
        found = False
        while self.waiting and time.perf_counter() < until:
            self._done += 1
            found |= self._judge(self._done)
        if found:
            self._transcript.judged.fire()

    def _judge(self, number: int) -> bool:
        columns = self._transcript.columns
        if columns.channel[number - 1] not in {Channel.STDIN, Channel.STDOUT}:
            return False
        kind = Kind(columns.kind[number - 1])
        if kind is Kind.MALFORMED:
            return self._judge_malformed(number)
        if kind not in _MESSAGES:
            return False
        if columns.size[number - 1] > SIZE_LIMIT:
            self._add(
                number,
                [Finding("not-judged", Severity.INFO, "too large to be judged in the background")],
            )
            return True
        found = self._read_notes(number) + self._official(number, kind)
        self._add(number, found)
        return bool(found)

    def _judge_malformed(self, number: int) -> bool:
        span = self._split.take(number, self._transcript.raw(number))
        if span is None:
            return False
        words = split_message.words(*span)
        for piece in range(span[0], span[1] + 1):
            self._transcript.add_finding(piece, Finding(split_message.RULE, Severity.ERROR, words))
        if self.suspect is not None:
            self.suspect(words, span[0])
        return True

    def _read_notes(self, number: int) -> list[Finding]:
        try:
            notes = jsontext.read(self._transcript.raw(number)).notes
        except JsonTextError:
            return []
        return [Finding(note.rule, Severity.WARNING, note.words) for note in notes]

    def _official(self, number: int, kind: Kind) -> list[Finding]:
        from inspector.spec.judge import judge

        transcript = self._transcript
        columns = transcript.columns
        direction = Direction(columns.direction[number - 1])
        owner = columns.owner[number - 1]
        method = columns.methods.texts[columns.method[owner - 1]] if owner else None
        return judge(
            or_null(transcript.message(number).value),
            kind=kind,
            method_of_request=method,
            revision=self.revision or NEWEST_STATEFUL,
            direction=direction,
        )

    def _add(self, number: int, found: list[Finding]) -> None:
        for finding in found:
            self._transcript.add_finding(number, finding)
