"""Validates a transcript in the background without delaying what is received.

Frames are validated in order, in short slices with pauses between them, so a flood is validated after it has passed. `pending` is how
many are left, and the screen shows it. The rules, which are forty modules, are imported when there is something to validate and time for it: the first
connection does not wait for them.
"""

from __future__ import annotations

import asyncio
import sys
import time
from typing import TYPE_CHECKING

from inspector.background_tasks import TurnShare, import_aside, import_in_slices
from inspector.event import Event
from inspector.wire.frame import Channel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from inspector.checks.clients import Targets
    from inspector.checks.history import History
    from inspector.checks.message_order import MessageRule
    from inspector.checks.output_schema import OutputCheck
    from inspector.checks.rule_runner import RuleRunner
    from inspector.checks.tool_results import ToolResults
    from inspector.checks.transcript_validator import TranscriptValidator
    from inspector.rules import Rule
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript

SLICE_SECONDS = 0.006
"""How long one slice may take, and the message at its end a bit longer; a large message may take longer."""

PAUSE_SECONDS = 0.0075
"""Between two slices: with one of them, less than a frame of the display."""

BUSY_SLICE_SECONDS = 0.001
"""The same while frames are received, or while other work fills the turns of the loop; the rest is validated when it has passed."""

MANY = 20
"""Frames that come in one pause, from which on there is little time for anything else."""

LONG_PAUSE_SECONDS = 0.05
"""Between two slices while so many come."""

IDLE_SECONDS, IDLE_CHECKS = 0.1, 5
"""Without frames at so many looks in a row, so far apart, connecting is over, or waits for something: time to load the
validators, a second's work. One long wait would not do: a loop that is busy with other things lets no frames in either."""

LOADING_SWITCH_SECONDS, _SWITCH_SECONDS = 1e-5, sys.getswitchinterval()
"""For how long a thread keeps the interpreter when another one asks for it: while the validators are loaded, and as it was."""

MAX_IDLE_CHECKS = 50
"""The most of such checks; after them the validators are loaded although frames still come."""

FINISH_SECONDS = 20.0
"""How long validation may go on when nothing else is left to do."""

MODULES = ("history", "message_order", "message_validator", "rule_runner", "transcript_validator")
"""What brings the rules, of `inspector.checks`; each is imported in some milliseconds after those before it."""


class ValidationSettings:
    """By what a transcript is validated; may change between two frames."""

    def __init__(
        self,
        revision: Revision | None = None,
        rules: Iterable[Callable[[], MessageRule]] | None = None,
        catalog: tuple[Rule, ...] | None = None,
    ) -> None:
        """Use `rules` about single messages and `catalog`, the rules with functions of their own; None for all of them."""
        self.revision = revision
        """Set once it is known; until then frames are validated by the newest stateful one."""
        self.rules = rules
        self.catalog = catalog
        self.targets: Targets = frozenset()
        """The clients by whose limits lists are checked; empty for all."""
        self.suspect: Callable[[str, int], None] | None = None
        """Is called with the text and the frame of a mistake that may be why connecting fails."""
        self.find_earlier: Callable[[], History | None] = lambda: None
        """Returns what rules know of the run with which this one is compared."""


class BackgroundValidator:
    """Validates one transcript and adds findings to it."""

    def __init__(
        self,
        transcript: Transcript,
        revision: Revision | None = None,
        rules: Iterable[Callable[[], MessageRule]] | None = None,
        catalog: tuple[Rule, ...] | None = None,
    ) -> None:
        """Validate by `revision`; `rules` and `catalog` as in `ValidationSettings`."""
        self.settings = ValidationSettings(revision, rules, catalog)
        self.output_validated: Event[int] = Event()
        """The result in the frame of this number was validated by the output schema of its tool."""
        self.rechecks = 0
        """How often limits of clients were checked again, for other clients."""
        self.is_running = False
        """Whether `run` goes on; otherwise `catch_up` checks what there is to check."""
        self._transcript = transcript
        self._validator: TranscriptValidator | None = None
        self._more = asyncio.Event()
        self._is_final = False

    @property
    def validator(self) -> TranscriptValidator:
        """What validates frames and has the rules; made, and imported, when it is needed first."""
        if self._validator is None:
            from inspector.checks.transcript_validator import TranscriptValidator

            self._validator = TranscriptValidator(self._transcript, self.settings)
            self._validator.is_final = self._is_final
            self._validator.results.validated.subscribe(self.output_validated.fire)
        return self._validator

    @property
    def rules(self) -> RuleRunner:
        """The rules, and what they know of the session."""
        return self.validator.rules

    @property
    def results(self) -> ToolResults:
        """The results of tools, and how validating them by their output schemas went."""
        return self.validator.results

    def output_check(self, number: int) -> OutputCheck | None:
        """Return how validating the result in frame `number` went; None while that is unknown."""
        return self._validator.results.of(number) if self._validator is not None else None

    @property
    def pending(self) -> int:
        """Frames that are not validated yet, plus listed pages, items, schemas, and results with structured content."""
        if self._validator is None:
            return self._transcript.count + self._is_final
        return self._validator.pending

    def restore(self, targets: Targets) -> None:
        """Know that all frames of a recording were checked an earlier time, limits of clients by those of `targets`."""
        self.validator.restore(targets)

    def set_targets(self, targets: Targets) -> bool:
        """Check limits of clients by those of `targets`; returns whether what was checked before is to be checked again."""
        self.settings.targets = targets
        if self._validator is None or not self._validator.set_targets(targets):
            return False
        self.rechecks += 1
        self._more.set()
        return True

    def end(self) -> None:
        """Check the connection as a whole after the frames that are there: no more will come."""
        self._is_final = True
        if self._validator is not None:
            self._validator.is_final = True

    async def finish(self, limit_seconds: float = FINISH_SECONDS) -> int:
        """Validate what is left, in slices between which other tasks run; return how many frames were left out."""
        await self._import_readers()
        deadline = time.monotonic() + limit_seconds
        while self.pending and time.monotonic() < deadline:
            await self._validate_next(time.perf_counter() + SLICE_SECONDS)
            await asyncio.sleep(0)
        return self.pending

    async def run(self) -> None:
        """Validate all frames, also new ones, until cancelled."""
        unsubscribe = self._transcript.appended.subscribe(self._more.set)
        self.is_running = True
        try:
            await self._wait_until_idle()
            while True:
                await self.catch_up()
                self._more.clear()
                await self.validator.closing.wait(self._more)
        finally:
            self.is_running = False
            unsubscribe()

    async def catch_up(self) -> None:
        """Validate the frames received so far, in slices between which other tasks run."""
        await self._load_readers()
        # What has just come is being displayed in the same turn.
        seconds, pause = BUSY_SLICE_SECONDS, PAUSE_SECONDS
        share = TurnShare(SLICE_SECONDS, min_seconds=BUSY_SLICE_SECONDS, pause_seconds=pause)
        while self.pending:
            await self._validate_next(min(share.until(), time.perf_counter() + seconds))
            before = self._transcript.count
            share.end()
            await asyncio.sleep(pause)
            came = self._transcript.count - before
            seconds = BUSY_SLICE_SECONDS if came else SLICE_SECONDS
            pause = LONG_PAUSE_SECONDS if came >= MANY else PAUSE_SECONDS

    async def _load_readers(self) -> None:
        """Import what reads frames in a thread that lets go of the interpreter as soon as the loop asks for it.

        It would keep it for 5 ms each time otherwise. Painting and reading ask often: five hundred short calls that let go of it took 35 ms beside a
        busy thread, and take 4 to 12.
        """
        sys.setswitchinterval(LOADING_SWITCH_SECONDS)
        try:
            await self._import_readers()
        finally:
            sys.setswitchinterval(_SWITCH_SECONDS)

    async def _import_readers(self) -> None:
        """Import the rules, the catalog, the official validators, and for event streams their reader, which brings httpx."""
        await import_in_slices(*(f"inspector.checks.{name}" for name in MODULES))
        from inspector.checks.catalog_lookup import load_catalog
        from inspector.checks.message_validator import load_official_readers

        await load_official_readers()
        await load_catalog()
        if Channel.SSE in self._transcript.columns.channel.tobytes():
            await import_aside("httpx_sse")
            await import_in_slices("inspector.wire.sse")

    async def _wait_until_idle(self) -> None:
        idle = 0
        for _ in range(MAX_IDLE_CHECKS):
            before = self._transcript.count
            await asyncio.sleep(IDLE_SECONDS)
            idle = idle + 1 if self._transcript.count == before else 0
            if idle == IDLE_CHECKS:
                return

    def validate_slice(self, seconds: float = SLICE_SECONDS) -> None:
        """Validate in order for about `seconds`, including what otherwise runs in a thread."""
        until = time.perf_counter() + seconds
        while self.pending:
            if self.validator.results.pending:
                self.validator.results.validate_next()
            elif not self.validator.validate_some(until):
                break
            if time.perf_counter() >= until:
                break

    async def _validate_next(self, until: float) -> None:
        validator = self.validator
        if validator.results.pending:
            await validator.results.validate_next_beside()
            return
        if validator.is_next_large():
            await validator.read_next_beside()
            until = time.perf_counter() + SLICE_SECONDS
        while (
            validator.pending and not validator.results.pending and validator.validate_some(until)
        ):
            if time.perf_counter() >= until:
                break
