"""Validates a transcript in the background without delaying what is received.

Frames are validated in order, in short slices with pauses between them, so a flood is validated after it has passed. `pending` is how
many are left, and the screen shows it.
"""

from __future__ import annotations

import asyncio
import sys
import time
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from inspector.checks.catalog import CHECKED_RULES
from inspector.checks.closing_answers import ClosingAnswers, is_closing_answer
from inspector.checks.exchange_rules import ExchangeRules, unprovoked
from inspector.checks.listed_tools import ListedSchemas
from inspector.checks.listed_views import ListedViews
from inspector.checks.message_order import (
    LISTS,
    SPLIT_MESSAGE,
    ListPages,
    MessageRule,
    ProgressOrder,
    SplitMessages,
    split_text,
)
from inspector.checks.openings import Openings, offered_revision
from inspector.checks.rule_runner import RuleRunner
from inspector.checks.task_changes import TaskChanges
from inspector.checks.tool_results import LIST, ToolResults
from inspector.checks.views import read_view
from inspector.errors import StorageError
from inspector.finding import Finding, Severity, bounded
from inspector.spec import methods
from inspector.spec.error_codes import STATELESS_ERA_CODES
from inspector.spec.findings import make_finding
from inspector.spec.jsonrpc_rules import check_notes
from inspector.spec.revision import NEWEST_STATEFUL
from inspector.transcript.index import DIRECTIONS, KINDS, FrameFlags
from inspector.wire import json_codec, lazy_json
from inspector.wire.frame import MESSAGE_CHANNELS, Channel, Direction
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from inspector.rules import Rule
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json

SLICE_SECONDS = 0.008
"""How long one slice may take; a single message may take longer."""

PAUSE_SECONDS = 0.010
"""Between two slices: with one of them, a frame of the display."""

BUSY_SLICE_SECONDS = 0.001
"""The same while frames are received; the rest is validated when they have passed."""

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

TOO_LARGE = Finding("not-judged", Severity.INFO, "too large to validate in the background")
"""The finding about a message above `SIZE_LIMIT`; structured content in it is validated nevertheless."""

_MESSAGES = {
    MessageKind.REQUEST,
    MessageKind.RESPONSE,
    MessageKind.ERROR,
    MessageKind.NOTIFICATION,
    MessageKind.BATCH,
}


MESSAGE_RULES: tuple[Callable[[], MessageRule], ...] = (
    lambda: ProgressOrder().check,
    lambda: TaskChanges().check,
    lambda: ListPages().check,
)
"""Make the rules over several messages for one transcript; a rule without state is a plain function."""


class BackgroundValidator:
    """Validates one transcript and adds findings to it."""

    def __init__(
        self,
        transcript: Transcript,
        revision: Revision | None = None,
        rules: Iterable[Callable[[], MessageRule]] = MESSAGE_RULES,
        catalog: tuple[Rule, ...] = CHECKED_RULES,
    ) -> None:
        """Validate by `revision`, which is set once it is known; until then by the newest stateful one.

        `catalog` are the rules with functions of their own.
        """
        self.revision = revision
        self.suspect: Callable[[str, int], None] | None = None
        self._transcript = transcript
        self._done = 0
        self._split = SplitMessages()
        self._together = ExchangeRules(transcript)
        self._message_rules = [make() for make in rules]
        self.rules = RuleRunner(transcript, catalog)
        self._openings = Openings(transcript)
        self._closing = ClosingAnswers(transcript)
        self._schemas = ListedSchemas(transcript)
        self._views = ListedViews(transcript)
        self.results = ToolResults(transcript)
        self._more = asyncio.Event()
        self._has_ended = self._is_final = self._is_whole = False

    @property
    def pending(self) -> int:
        """Frames that are not validated yet, plus listed pages, items, schemas, and results with structured content."""
        beside = self.results.pending + self._schemas.pending + self.rules.pending
        beside += self._views.pending
        return self._pending_frames + beside + self._is_end_pending

    @property
    def _is_end_pending(self) -> bool:
        return (self._has_ended or self._is_final) and not self._is_whole

    def end(self) -> None:
        """Check the connection as a whole after the frames that are there: no more will come."""
        self._is_final = True

    @property
    def _pending_frames(self) -> int:
        return self._transcript.count - self._done

    async def finish(self, limit_seconds: float = FINISH_SECONDS) -> int:
        """Validate what is left, in slices between which other tasks run; return how many frames were left out."""
        await asyncio.to_thread(_official)
        deadline = time.monotonic() + limit_seconds
        while self.pending and time.monotonic() < deadline:
            await self._validate_next(SLICE_SECONDS)
            await asyncio.sleep(0)
        return self.pending

    async def run(self) -> None:
        """Validate all frames, also new ones, until cancelled."""
        unsubscribe = self._transcript.appended.subscribe(self._more.set)
        try:
            await self._wait_until_idle()
            while True:
                await self.catch_up()
                self._more.clear()
                await self._more.wait()
        finally:
            unsubscribe()

    async def catch_up(self) -> None:
        """Validate the frames received so far, in slices between which other tasks run."""
        await _load_official()
        seconds, pause = SLICE_SECONDS, PAUSE_SECONDS
        while self.pending:
            await self._validate_next(seconds)
            before = self._transcript.count
            await asyncio.sleep(pause)
            came = self._transcript.count - before
            seconds = BUSY_SLICE_SECONDS if came else SLICE_SECONDS
            pause = LONG_PAUSE_SECONDS if came >= MANY else PAUSE_SECONDS

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
        self._validate_frames(until)
        while self._views.pending and time.perf_counter() < until:
            self._views.check_some(until)
        while self._schemas.pending and time.perf_counter() < until:
            self._schemas.validate_some(until)
        while self.rules.pending and time.perf_counter() < until:
            self.rules.work(until)
        while self.results.pending and time.perf_counter() < until:
            self.results.validate_next()
        if self.pending == self._is_end_pending and time.perf_counter() < until:
            self._check_whole()

    async def _validate_next(self, seconds: float) -> None:
        if self.results.pending:
            await self.results.validate_next_beside()
        elif self._views.pending:
            self._views.check_some(time.perf_counter() + seconds)
        elif self._schemas.pending:
            self._schemas.validate_some(time.perf_counter() + seconds)
        elif self.rules.pending:
            self.rules.work(time.perf_counter() + seconds)
        elif self._pending_frames:
            self._validate_frames(time.perf_counter() + seconds)
        else:
            self._check_whole()

    def _check_whole(self) -> None:
        """Check the connection as a whole, once it has ended and everything else is checked."""
        if self._is_end_pending:
            self._is_whole = True
            self._closing.release_all()
            self.rules.check_connection()

    def _validate_frames(self, until: float) -> None:
        found = False
        while self._pending_frames and time.perf_counter() < until:
            self._done += 1
            with suppress(StorageError):  # the frame itself says that it cannot be read
                found |= self._check_frame(self._done)
        if found:
            self._transcript.findings_changed.fire()

    def _check_frame(self, number: int) -> bool:
        columns = self._transcript.columns
        found = self._closing.release(number)
        for about, finding in self._openings.check(number):
            self._transcript.add_finding(about, finding)
            found = True
        is_result = columns.kind[number - 1] == MessageKind.RESPONSE
        if columns.flags[number - 1] & FrameFlags.PROBE and not is_result:
            return found  # Spyglass provoked it; a result for an unknown method is the server's own doing
        if columns.channel[number - 1] == Channel.STDERR:
            self._add(number, errors := self.rules.check_stderr(number, self.revision))
            return found or bool(errors)
        found |= self._validate_http(number)
        if columns.channel[number - 1] in MESSAGE_CHANNELS:
            self._has_ended &= columns.kind[number - 1] == MessageKind.NOTE
            found |= self._validate_frame(number)
        return found

    def _validate_http(self, number: int) -> bool:
        revision, columns = self.revision or NEWEST_STATEFUL, self._transcript.columns
        if columns.kind[number - 1] == MessageKind.NOTE:
            self.rules.take_note(number)
            self._has_ended |= "closed" in self.rules.history.notes
            found = self.rules.check_note(number, revision)
        elif columns.stream[number - 1] or columns.channel[number - 1] == Channel.HTTP:
            found = self.rules.check_http(number, revision)
        else:
            return False
        self._add(number, found)
        return bool(found)

    def _validate_frame(self, number: int) -> bool:
        columns = self._transcript.columns
        kind, size = KINDS[columns.kind[number - 1]], columns.size[number - 1]
        if kind is MessageKind.MALFORMED:
            self._add(number, found := self.rules.check_line(number, self.revision))
            return self._validate_malformed(number) or bool(found)
        if kind not in _MESSAGES:
            return False
        found, value = [TOO_LARGE], None
        if size <= SIZE_LIMIT:
            found, value = self._validate_message(number, kind)
        elif columns.direction[number - 1] == Direction.RECEIVED:
            self.rules.take_unread(number)
        read = value if size <= lazy_json.LARGE else None
        if is_closing_answer(kind, value):
            self._closing.hold(number, found)
            return False
        found += self.results.follow(number, kind, self.revision or NEWEST_STATEFUL, read)
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

    def _validate_message(self, number: int, kind: MessageKind) -> tuple[list[Finding], Json]:
        """Return the findings, and the message as it was read for them; null for none."""
        try:
            text = json_codec.read(_text_of(self._transcript, number))
        except JsonSyntaxError:
            return [], None
        revision, columns = self.revision or NEWEST_STATEFUL, self._transcript.columns
        owner, direction = columns.request[number - 1], DIRECTIONS[columns.direction[number - 1]]
        method = columns.methods.texts[columns.method[owner - 1]] if owner else None
        is_ours = owner == number and direction is Direction.SENT
        if method is not None and (is_ours or _knows_its_era(kind, text.value)):
            revision = methods.revision_of(method, revision)
        if is_ours and method == "initialize":
            revision = offered_revision(text.value) or revision
        found = check_notes(text.notes, revision) + _official()(
            text.value, kind=kind, method_of_request=method, revision=revision, direction=direction
        )
        found += self._together.check(number, kind, text.value, revision)
        if direction is Direction.RECEIVED:
            found += bounded(self._of_server(number, kind, method, text.value, revision, found))
        elif is_ours or kind in {MessageKind.NOTIFICATION, MessageKind.BATCH}:
            self.rules.take_sent(number, text.value)
        return found, text.value

    def _of_server(
        self,
        number: int,
        kind: MessageKind,
        method: str | None,
        value: Json,
        revision: Revision,
        found: list[Finding],
    ) -> Iterator[Finding]:
        """Yield the findings of views, and of rules over several messages, about a message of the server."""
        if not isinstance(value, dict):
            return
        is_answer = kind in {MessageKind.RESPONSE, MessageKind.ERROR}
        own = method if is_answer else value.get("method")
        if not is_answer and not isinstance(own, str):
            return
        name = own if isinstance(own, str) else ""
        is_known = self.rules.history.is_probing and name in LISTS  # it was read before
        if not is_known and (view := read_view(kind, name, value, revision)) is not None:
            yield from self._views.check(number, view, found)
        message = self.rules.message(number, kind, name, value, revision)
        if self.rules.history.is_probing:
            self.rules.history.add_probed(message)
            return  # the probe decides about the answer: a rule would take it for one to an ordinary request
        for check in self._message_rules:
            yield from check(message)
        yield from self.rules.check_message(message)
        if kind is MessageKind.RESPONSE and name == LIST:
            self._schemas.add_page(number, value.get("result"), revision)

    def _add(self, number: int, found: list[Finding]) -> None:
        if self.rules.history.is_probing:
            found = unprovoked(self._transcript, number, found)
        for finding in found:
            self._transcript.add_finding(number, finding)


def _text_of(transcript: Transcript, number: int) -> bytes:
    """Return the JSON of the message in a frame: the frame itself, or the data of an SSE event."""
    is_event = transcript.columns.channel[number - 1] == Channel.SSE
    return transcript.message(number).raw if is_event else transcript.raw(number)


def _knows_its_era(kind: MessageKind, value: Json) -> bool:
    """Whether the response to a handshake follows the era of its request; errors of older servers do not."""
    error = value.get("error") if isinstance(value, dict) else None
    code = error.get("code") if isinstance(error, dict) else None
    return kind is MessageKind.RESPONSE or (isinstance(code, int) and code in STATELESS_ERA_CODES)


async def _load_official() -> None:
    """Import the validators in a thread that lets go of the interpreter as soon as the loop asks for it.

    It would keep it for 5 ms each time otherwise. Painting and reading ask often: five hundred short calls that let go of it took 35 ms beside a
    busy thread, and take 4 to 12.
    """
    sys.setswitchinterval(LOADING_SWITCH_SECONDS)
    try:
        await asyncio.to_thread(_official)
    finally:
        sys.setswitchinterval(_SWITCH_SECONDS)


@cache
def _official() -> Callable[..., list[Finding]]:
    """Return the official validators. Importing them takes about a second, and even looking up the import takes time."""
    import_module("inspector.schema.validate")
    from inspector.spec.validation import validate

    return validate
