"""Validates a transcript in the background without delaying what is received.

Frames are validated in order, in short slices with pauses between them, so a flood is validated after it has passed. `pending` is how
many are left, and the screen shows it.
"""

from __future__ import annotations

import asyncio
import sys
import time
from typing import TYPE_CHECKING

from inspector.background_tasks import TurnShare, import_aside, import_in_slices
from inspector.checks.catalog_lookup import load_catalog
from inspector.checks.client_limits import ClientRecheck
from inspector.checks.clients import CLIENT_RULES
from inspector.checks.closing_answers import ClosingAnswers, is_closing_answer
from inspector.checks.exchange_rules import unprovoked
from inspector.checks.faults import fault
from inspector.checks.later_sessions import LaterSessions
from inspector.checks.listed_tools import ListedSchemas
from inspector.checks.listed_views import ListedViews
from inspector.checks.message_order import SPLIT_MESSAGE, MessageRule, SplitMessages, split_text
from inspector.checks.message_validator import (
    MESSAGE_RULES,
    MessageValidator,
    load_official_readers,
)
from inspector.checks.openings import Openings
from inspector.checks.rule_runner import RuleRunner
from inspector.checks.tool_results import ToolResults
from inspector.errors import StorageError
from inspector.finding import Finding, Severity
from inspector.spec.findings import make_finding
from inspector.spec.revision import NEWEST_STATEFUL
from inspector.transcript.index import KINDS, FrameFlags
from inspector.wire.frame import MESSAGE_CHANNELS, Channel, Direction
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from inspector.checks.clients import Targets
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

SIZE_LIMIT = 1 << 20
"""Bytes above which a message is not validated: it would block everything else for too long."""

IDLE_SECONDS, IDLE_CHECKS = 0.1, 5
"""Without frames at so many looks in a row, so far apart, connecting is over, or waits for something: time to load the
validators, a second's work. One long wait would not do: a loop that is busy with other things lets no frames in either."""

LOADING_SWITCH_SECONDS, _SWITCH_SECONDS = 1e-5, sys.getswitchinterval()
"""For how long a thread keeps the interpreter when another one asks for it: while the validators are loaded, and as it was."""

MAX_IDLE_CHECKS = 50
"""The most of such checks; after them the validators are loaded although frames still come."""

FINISH_SECONDS = 20.0
"""How long validation may go on when nothing else is left to do."""

LARGE = 1 << 16
"""Bytes above which a message begins a slice, and is read in the slice before: both take milliseconds."""

TOO_LARGE = Finding("not-judged", Severity.INFO, "too large to validate in the background")
"""The finding about a message above `SIZE_LIMIT`; structured content in it is validated nevertheless."""

# Looked up once: each is compared with for every frame.
_NOTE, _RESPONSE, _MALFORMED = MessageKind.NOTE, MessageKind.RESPONSE, MessageKind.MALFORMED
_STDERR, _HTTP = Channel.STDERR, Channel.HTTP
_OPENING = frozenset({_NOTE, _RESPONSE})

_MESSAGES = {
    MessageKind.REQUEST,
    MessageKind.RESPONSE,
    MessageKind.ERROR,
    MessageKind.NOTIFICATION,
    MessageKind.BATCH,
}


class BackgroundValidator:
    """Validates one transcript and adds findings to it."""

    def __init__(
        self,
        transcript: Transcript,
        revision: Revision | None = None,
        rules: Iterable[Callable[[], MessageRule]] = MESSAGE_RULES,
        catalog: tuple[Rule, ...] | None = None,
    ) -> None:
        """Validate by `revision`, which is set once it is known; until then by the newest stateful one.

        `catalog` are the rules with functions of their own; None for all of them.
        """
        self.revision = revision
        self.suspect: Callable[[str, int], None] | None = None
        self._transcript = transcript
        self._done = 0
        self._split = SplitMessages()
        self.rules = RuleRunner(transcript, catalog)
        self._openings = Openings(transcript)
        self._later = LaterSessions(transcript)
        self._closing = ClosingAnswers(transcript)
        self._schemas = ListedSchemas(transcript)
        self._views = ListedViews(transcript)
        self._messages = MessageValidator(transcript, self.rules, self._views, self._schemas, rules)
        self.results = ToolResults(transcript, self.rules.add_steps)
        self._recheck = ClientRecheck(transcript, SIZE_LIMIT, self.rules.checked)
        self.rechecks = 0
        """How often limits of clients were checked again, for other clients."""
        self._more = asyncio.Event()
        self.is_running = False
        """Whether `run` goes on; otherwise `catch_up` checks what there is to check."""
        self._has_ended = self._is_final = self._is_whole = False

    @property
    def pending(self) -> int:
        """Frames that are not validated yet, plus listed pages, items, schemas, and results with structured content."""
        beside = self.results.pending + self._schemas.pending + self.rules.pending
        beside += self._views.pending + self._recheck.pending
        return self._pending_frames + beside + self._is_end_pending

    @property
    def _is_end_pending(self) -> bool:
        return (self._has_ended or self._is_final) and not self._is_whole

    def restore(self, targets: Targets) -> None:
        """Know that all frames of a recording were checked an earlier time, limits of clients by those of `targets`."""
        self._done, self._is_whole = self._transcript.count, True
        if self.rules.history.targets != targets:
            self._start_recheck()

    def set_targets(self, targets: Targets) -> bool:
        """Check limits of clients by those of `targets`; returns whether what was checked before is to be checked again."""
        if targets == self.rules.history.targets:
            return False
        self.rules.history.targets = targets
        if self._done:
            self.rechecks += 1
            self._start_recheck()
            self._more.set()
        return self._done > 0

    def _start_recheck(self) -> None:
        before = self.rules.seen_before
        self.rules.seen_before = [rule for rule in before if rule not in CLIENT_RULES]
        self._recheck.start(self.rules.history.targets, self._done, self.revision)

    def end(self) -> None:
        """Check the connection as a whole after the frames that are there: no more will come."""
        self._is_final = True

    @property
    def _pending_frames(self) -> int:
        return self._transcript.count - self._done

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
                await self._closing.wait(self._more)
        finally:
            self.is_running = False
            unsubscribe()

    async def catch_up(self) -> None:
        """Validate the frames received so far, in slices between which other tasks run."""
        await self._load_readers()
        seconds, pause = SLICE_SECONDS, PAUSE_SECONDS
        share = TurnShare(seconds, min_seconds=BUSY_SLICE_SECONDS, pause_seconds=pause)
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
        """Import the catalog, the official validators, and for event streams their reader, which brings httpx."""
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
            if self.results.pending:
                self.results.validate_next()
            elif not self._validate_some(until):
                break
            if time.perf_counter() >= until:
                break

    async def _validate_next(self, until: float) -> None:
        if self.results.pending:
            await self.results.validate_next_beside()
            return
        if self._is_next_large():
            await self._messages.read_beside(*self._next_frame)
            until = time.perf_counter() + SLICE_SECONDS
        while self.pending and not self.results.pending and self._validate_some(until):
            if time.perf_counter() >= until:
                break

    def _validate_some(self, until: float) -> bool:
        """Validate the next there is, at least one; return whether the slice may go on.

        What a frame has led to comes before the next frame, so that rules on lists know no later ones: findings do not depend on where slices end.
        """
        if self._views.pending:
            self._views.check_some(until)
        elif self._schemas.pending:
            self._schemas.validate_some(until)
        elif self.rules.pending:
            self.rules.work(until)
        elif self._recheck.pending:
            self._recheck.work(until)
        elif self._pending_frames:
            return self._validate_frames(until)
        else:
            self._check_whole()
        return True

    def _check_whole(self) -> None:
        """Check the connection as a whole, once it has ended and everything else is checked."""
        if self._is_end_pending:
            self._is_whole = True
            self._closing.release_all()
            self.rules.check_connection()

    def _validate_frames(self, until: float) -> bool:
        """Validate frames, the first one after which a list is to be checked the last; return whether the slice may go on."""
        found, count, now_s = False, self._transcript.count, time.perf_counter
        begun, sizes, may_go_on = self._done, self._transcript.columns.size, True
        while self._done < count:
            is_large = sizes[self._done] > LARGE and self._is_next_large()
            if is_large and (self._done > begun or self._messages.read_ahead(*self._next_frame)):
                may_go_on = False
                break
            self._done += 1
            try:
                found |= self._check_frame(self._done)
            except StorageError:
                pass  # the frame itself says that it cannot be read
            except Exception as error:  # noqa: BLE001 - a fault about one frame must not end the checks of a session
                self._transcript.add_finding(self._done, fault("the frame", error))
                found = True
            if self.rules.pending or now_s() >= until:
                break
        if self.rules.take_added() or found:
            self._transcript.findings_changed.fire()
        return may_go_on

    @property
    def _next_frame(self) -> tuple[int, MessageKind, Revision]:
        """Number, kind and revision of the frame to validate next."""
        kind = KINDS[self._transcript.columns.kind[self._done]]
        return self._done + 1, kind, self._current or NEWEST_STATEFUL

    def _is_next_large(self) -> bool:
        """Whether there is a frame to validate next, with a message that takes long to read."""
        columns, at = self._transcript.columns, self._done
        if at >= len(columns.size) or not LARGE < columns.size[at] <= SIZE_LIMIT:
            return False
        return KINDS[columns.kind[at]] in _MESSAGES

    @property
    def _current(self) -> Revision | None:
        """The revision by which the next frame is checked."""
        return self._later.current(self.revision)

    def _check_frame(self, number: int) -> bool:
        columns, at = self._transcript.columns, number - 1
        self._later.follow(number, self.revision)
        kind, channel = columns.kind[at], columns.channel[at]
        found = self._closing.release(number)
        if kind in _OPENING:
            for about, finding in self._openings.check(number):
                self._transcript.add_finding(about, finding)
                found = True
        if columns.flags[at] & FrameFlags.PROBE and kind != _RESPONSE:
            return found  # Spyglass provoked it; a result for an unknown method is the server's own doing
        if channel == _STDERR:
            self._add(number, errors := self.rules.check_stderr(number, self._current))
            return found or bool(errors)
        if kind == _NOTE or columns.stream[at] or channel == _HTTP:
            found |= self._validate_http(number)
        if channel in MESSAGE_CHANNELS:
            self._has_ended &= kind == _NOTE
            found |= self._validate_frame(number)
        return found

    def _validate_http(self, number: int) -> bool:
        revision, columns = self._current or NEWEST_STATEFUL, self._transcript.columns
        if columns.kind[number - 1] == _NOTE:
            self.rules.take_note(number)
            self._has_ended |= "closed" in self.rules.history.notes
            found = self.rules.check_note(number, revision)
        else:
            found = self.rules.check_http(number, revision)
        self._add(number, found)
        return bool(found)

    def _validate_frame(self, number: int) -> bool:
        columns = self._transcript.columns
        kind, size = KINDS[columns.kind[number - 1]], columns.size[number - 1]
        if kind is _MALFORMED:
            self._add(number, found := self.rules.check_line(number, self._current))
            return self._validate_malformed(number) or bool(found)
        if kind not in _MESSAGES:
            return False
        found, value = [TOO_LARGE], None
        if size <= SIZE_LIMIT:
            found, value = self._messages.validate(number, kind, self._current or NEWEST_STATEFUL)
        elif columns.direction[number - 1] == Direction.RECEIVED:
            self.rules.take_unread(number)
        if is_closing_answer(kind, value):
            self._closing.hold(number, found)
            return False
        found += self.results.follow(number, kind, self._current or NEWEST_STATEFUL, value)
        self._add(number, found)
        return bool(found)

    def _validate_malformed(self, number: int) -> bool:
        span = self._split.add(number, self._transcript.raw(number))
        if span is None:
            return False
        text = split_text(*span)
        for piece in range(span[0], span[1] + 1):
            self._transcript.add_finding(piece, make_finding(SPLIT_MESSAGE, text))
        if self.suspect is not None:
            self.suspect(text, span[0])
        return True

    def _add(self, number: int, found: list[Finding]) -> None:
        if self.rules.history.is_probing:
            found = unprovoked(self._transcript, number, found)
        for finding in found:
            self._transcript.add_finding(number, finding)
