"""Validates the frames of one transcript in order, as many as there is time for. Knows no event loop.

It brings the rules and what they know of a session: `background_validator` makes it when there is time for that.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from inspector.checks.client_limits import ClientRecheck
from inspector.checks.clients import CLIENT_RULES
from inspector.checks.closing_answers import ClosingAnswers, is_closing_answer
from inspector.checks.exchange_rules import unprovoked
from inspector.checks.faults import fault
from inspector.checks.later_sessions import LaterSessions
from inspector.checks.listed_tools import ListedSchemas
from inspector.checks.listed_views import ListedViews
from inspector.checks.message_order import SPLIT_MESSAGE, SplitMessages, split_text
from inspector.checks.message_validator import MESSAGE_RULES, MessageValidator
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
    from inspector.checks.background_validator import ValidationSettings
    from inspector.checks.clients import Targets
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript

SIZE_LIMIT = 1 << 20
"""Bytes above which a message is not validated: it would block everything else for too long."""

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


class TranscriptValidator:
    """Validates one transcript and adds findings to it."""

    def __init__(self, transcript: Transcript, settings: ValidationSettings) -> None:
        """Begin with the first frame."""
        self.settings = settings
        self._transcript = transcript
        self._done = 0
        self._split = SplitMessages()
        self.rules = RuleRunner(transcript, settings.catalog)
        self.rules.history.find_earlier = settings.find_earlier
        self.rules.history.targets = settings.targets
        self._openings = Openings(transcript)
        self._later = LaterSessions(transcript)
        self.closing = ClosingAnswers(transcript)
        """Errors that wait for what follows, or for some time."""
        self._schemas = ListedSchemas(transcript)
        self._views = ListedViews(transcript)
        rules = MESSAGE_RULES if settings.rules is None else settings.rules
        self._messages = MessageValidator(transcript, self.rules, self._views, self._schemas, rules)
        self.results = ToolResults(transcript, self.rules.add_steps)
        self._recheck = ClientRecheck(transcript, SIZE_LIMIT, self.rules.checked)
        self.is_final = False
        """Whether no more frames will come."""
        self._has_ended = self._is_whole = False

    @property
    def pending(self) -> int:
        """Frames that are not validated yet, plus listed pages, items, schemas, and results with structured content."""
        beside = self.results.pending + self._schemas.pending + self.rules.pending
        beside += self._views.pending + self._recheck.pending
        return self._pending_frames + beside + self._is_end_pending

    @property
    def _is_end_pending(self) -> bool:
        return (self._has_ended or self.is_final) and not self._is_whole

    @property
    def _pending_frames(self) -> int:
        return self._transcript.count - self._done

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
            self._start_recheck()
        return self._done > 0

    def _start_recheck(self) -> None:
        before = self.rules.seen_before
        self.rules.seen_before = [rule for rule in before if rule not in CLIENT_RULES]
        self._recheck.start(self.rules.history.targets, self._done, self.settings.revision)

    async def read_next_beside(self) -> None:
        """Read the message of the next frame in a thread."""
        await self._messages.read_beside(*self._next_frame)

    def validate_some(self, until: float) -> bool:
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
            self.closing.release_all()
            self.rules.check_connection()

    def _validate_frames(self, until: float) -> bool:
        """Validate frames, the first one after which a list is to be checked the last; return whether the slice may go on."""
        found, count, now_s = False, self._transcript.count, time.perf_counter
        begun, sizes, may_go_on = self._done, self._transcript.columns.size, True
        while self._done < count:
            is_large = sizes[self._done] > LARGE and self.is_next_large()
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

    def is_next_large(self) -> bool:
        """Whether there is a frame to validate next, with a message that takes long to read."""
        columns, at = self._transcript.columns, self._done
        if at >= len(columns.size) or not LARGE < columns.size[at] <= SIZE_LIMIT:
            return False
        return KINDS[columns.kind[at]] in _MESSAGES

    @property
    def _current(self) -> Revision | None:
        """The revision by which the next frame is checked."""
        return self._later.current(self.settings.revision)

    def _check_frame(self, number: int) -> bool:
        columns, at = self._transcript.columns, number - 1
        self._later.follow(number, self.settings.revision)
        kind, channel = columns.kind[at], columns.channel[at]
        found = self.closing.release(number)
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
            self.closing.hold(number, found)
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
        if self.settings.suspect is not None:
            self.settings.suspect(text, span[0])
        return True

    def _add(self, number: int, found: list[Finding]) -> None:
        if self.rules.history.is_probing:
            found = unprovoked(self._transcript, number, found)
        for finding in found:
            self._transcript.add_finding(number, finding)
