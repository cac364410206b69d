"""Runs the rules of the catalog over one transcript: message by message, and lists in slices.

What each rule had to check is counted, so that a report can tell *passed* from *not seen*.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from inspector.checks.calls import AFTER_CANCEL
from inspector.checks.catalog_lookup import catalog_lookup
from inspector.checks.collected_pages import CollectedPages
from inspector.checks.faults import fault
from inspector.checks.history import History
from inspector.checks.http_exchanges import Exchanges, http_subject
from inspector.checks.http_history import HttpHistory
from inspector.checks.message_order import LISTS
from inspector.checks.page_items import PageItems
from inspector.checks.seen import (
    At,
    Line,
    Note,
    ReceivedMessage,
    SentRequest,
    WholeList,
)
from inspector.checks.sent_requests import SentRequests
from inspector.finding import bounded
from inspector.rules.rule import STDERR, Kind, On, Subject
from inspector.spec import methods
from inspector.spec.revision import NEWEST_STATEFUL
from inspector.transcript.event_effects import note_at
from inspector.transcript.redaction import known_secrets
from inspector.wire.frame import Channel
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from inspector.background_tasks import Steps
    from inspector.checks.catalog_lookup import CatalogLookup
    from inspector.finding import Finding
    from inspector.rules.rule import Rule
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json, JsonObject

_SUBJECTS = {
    MessageKind.REQUEST: Subject.REQUEST,
    MessageKind.RESPONSE: Subject.RESULT,
    MessageKind.ERROR: Subject.ERROR,
    MessageKind.NOTIFICATION: Subject.NOTIFICATION,
}

_TRANSPORTS = {
    Channel.STDOUT: "stdio",
    Channel.TCP: "tcp",
    Channel.BODY: "http",
    Channel.SSE: "http",
}
"""By the channel of a message of the server; HTTP+SSE is told by its `endpoint` event."""


class _Check(NamedTuple):
    """How one rule is decided."""

    rule: str
    """Its id."""
    check: Callable[..., Iterable[Finding | At | None]]
    when: Callable[..., bool | Steps[bool]] | None


class _Job(NamedTuple):
    """A list, or the items of a page, that are still to be checked."""

    on: On
    seen: WholeList | PageItems
    """The list, or what is left of a page: thousands of jobs would take as long to make as a slice."""
    number: int
    revision: Revision


class _StepsJob(NamedTuple):
    """What is left of work on a page or a list that may pause, such as one rule: each rule on a list looks at all its items."""

    name: str
    """The rule, or what else is to be done."""
    number: int
    steps: Iterator[Finding | At | None]
    """Findings about the frame or about others, and None for each pause."""
    found: list[Finding]
    """The findings so far: what is kept does not depend on the pauses."""


_NONE: frozenset[str] = frozenset()


class RuleRunner:
    """Hands what is seen to the rules, and adds their findings to the transcript."""

    def __init__(self, transcript: Transcript, rules: tuple[Rule, ...] | None = None) -> None:
        """Begin with an empty history of the connection, and these rules with functions of their own; None for all of the catalog."""
        self._exchanges = Exchanges(transcript)
        self.history = History()
        self.history.http = HttpHistory(self._exchanges)
        self.history.find_secrets = partial(known_secrets, transcript)
        self.checked: Counter[str] = Counter()
        """How often each rule with a function had something to check, by id."""
        self.seen_before: Collection[str] = ()
        """The rules that had something to check when this recording was checked an earlier time, by id."""
        self.seen: Counter[On] = Counter()
        """How often there was something of each kind to look at."""
        self._transcript = transcript
        self._rules = rules
        self._rules_on: dict[tuple[On, int, str, frozenset[str]], tuple[_Check, ...]] = {}
        self._jobs: deque[_Job | _StepsJob] = deque()
        self._sent = SentRequests(transcript)
        self._pages = CollectedPages(self.history)
        self._has_added = False

    @cached_property
    def _catalog(self) -> CatalogLookup:
        return catalog_lookup()

    @property
    def pending(self) -> int:
        """Pages and lists that are still to be checked."""
        return len(self._jobs)

    @property
    def seen_rules(self) -> frozenset[str]:
        """The ids of the rules that had something to check so far.

        Of a rule that a reader decides, that what it looks at was received, in a revision and over a transport that it is about.
        """
        seen = {*self.seen, *(on._replace(method="") for on in self.seen)}
        readers = (
            rule.id
            for rule in self._catalog.every.values()
            if rule.check is None
            and rule.kind is Kind.PASSIVE
            and not seen.isdisjoint(rule.on)
            and self._concerns(rule)
        )
        passed = self.history.probes.passed_rules
        return frozenset({*self.checked, *readers, *passed, *self.seen_before})

    def take_added(self) -> bool:
        """Return whether findings about other frames were added that are not announced yet; they count as announced then."""
        added, self._has_added = self._has_added, False
        return added

    def take_sent(self, number: int, value: Json) -> None:
        """Let the history know of a request or notification of ours."""
        if isinstance(value, list):
            self.history.calls.add_batch(number)
        method = value.get("method") if isinstance(value, dict) else None
        if isinstance(value, dict) and isinstance(method, str):
            sent_s = self._transcript.columns.monotonic_s[number - 1]
            params = value.get("params")
            request = SentRequest(number, value.get("id"), method, params, sent_s)
            self.history.add_sent(request)
            self._sent.add(request)

    def message(
        self, number: int, kind: MessageKind, method: str, value: JsonObject, revision: Revision
    ) -> ReceivedMessage:
        """Return the message in frame `number` as rules read it; `method` is its own, or that of its request."""
        columns = self._transcript.columns
        is_event = columns.channel[number - 1] == Channel.SSE
        self._know_transport(columns.channel[number - 1], kind)
        received_s, stream = columns.monotonic_s[number - 1], columns.stream[number - 1]
        read, request = partial(self._sent.of, number), columns.request[number - 1]
        asked_s = columns.monotonic_s[request - 1] if request else None
        what = number, kind, method, value, revision
        return ReceivedMessage(*what, received_s, read, stream, is_event, asked_s, request)

    def take_unread(self, number: int) -> None:
        """Let the history know of a message of the server that is too large to be read."""
        columns = self._transcript.columns
        request, kind = columns.request[number - 1], columns.kind[number - 1]
        if not request or kind not in {MessageKind.RESPONSE, MessageKind.ERROR}:
            return
        self.history.calls.close(request, columns.monotonic_s[number - 1])
        if (method := columns.methods.texts[columns.method[request - 1]]) in LISTS:
            self._pages.skip(method)

    def take_note(self, number: int) -> None:
        """Let the history know of a note of Spyglass."""
        seconds = self._transcript.columns.monotonic_s[number - 1]
        self.history.add_note(note_at(self._transcript, number), seconds)

    def check_note(self, number: int, revision: Revision) -> list[Finding]:
        """Return the findings about a note of Spyglass, after the history knows of it."""
        value = note_at(self._transcript, number)
        event, request = value.get("event"), value.get("request")
        if not isinstance(event, str) or event not in self._catalog.methods:
            return []
        seconds = self._transcript.columns.monotonic_s[number - 1]
        frame = request if isinstance(request, int) else 0
        note = Note(number, event, frame, value, revision, seconds)
        return self.check(On(Subject.NOTE, event), note, number, revision)

    def check_http(self, number: int, revision: Revision) -> list[Finding]:
        """Return the findings about a frame of HTTP."""
        frame = self._exchanges.take(number, revision)
        if frame is None or self.history.edits_http:
            return []  # the probe decides, and its requests are not of the session
        http = self.history.http
        http.add(frame)
        self.history.transport = "sse" if http.is_older else self.history.transport or "http"
        subject = http_subject(frame)
        found = (
            self.check(On(subject, frame.method), frame, number, revision)
            if subject is not None
            else []
        )
        http.add_checked(frame)
        return found

    def check_line(self, number: int, revision: Revision | None) -> list[Finding]:
        """Return the findings about a line that is no message."""
        line = Line(number, self._transcript.raw(number), revision or NEWEST_STATEFUL)
        return self.check(On(Subject.LINE), line, number, line.revision)

    def check_stderr(self, number: int, revision: Revision | None) -> list[Finding]:
        """Return the findings about a line on stderr."""
        line = Line(number, self._transcript.raw(number), revision or NEWEST_STATEFUL)
        return self.check(On(Subject.LINE, STDERR), line, number, line.revision)

    def check_connection(self) -> None:
        """Add the findings about the connection as a whole, which has ended."""
        number = self._transcript.count
        if not number:
            return
        revision = self.history.revision or NEWEST_STATEFUL
        found = self.check(On(Subject.CONNECTION), self.history, number, revision)
        found += self._check_runs("", number, revision)
        for finding in bounded(found):
            self._transcript.add_finding(number, finding)
        self._transcript.findings_changed.fire()

    def check_message(self, message: ReceivedMessage) -> Iterable[Finding]:
        """Return the findings about a message of the server; those about other frames are added."""
        self.history.add_received(message)
        on = On(_SUBJECTS[message.kind], message.method)
        part = message.result or message.params
        has = frozenset(filter(part.__contains__, self._catalog.members)) if part else _NONE
        found = self.check(on, message, message.number, message.revision, has)
        if message.kind is MessageKind.ERROR and message.request in self.history.calls.given_up:
            found = [each for each in found if each.rule in AFTER_CANCEL]
        if message.kind is MessageKind.RESPONSE and message.method in LISTS:
            self.add_steps(message.method, message.number, self._add_page(message))
        if message.kind is MessageKind.RESPONSE and methods.opens_session(message.method):
            found += self._check_runs(message.method, message.number, message.revision)
        self.history.add_checked(message)
        return found

    def _check_runs(self, method: str, number: int, revision: Revision) -> list[Finding]:
        """Return the findings about this connection beside the one before; `method` tells what has become known now."""
        earlier = self.history.earlier
        on = On(Subject.RUNS, method)
        return self.check(on, earlier, number, revision) if earlier is not None else []

    def check(
        self, on: On, seen: object, number: int, revision: Revision, has: frozenset[str] = _NONE
    ) -> list[Finding]:
        """Return what the rules on `on` find in `seen`, which is in frame `number`; findings about other frames are added.

        Of the members that decide whether rules look, a result has those in `has`.
        """
        on = on if on.method in self._catalog.methods else on._replace(method="")
        self.seen[on] += 1
        found: list[Finding] = []
        history, checked = self.history, self.checked
        for rule, check, when in self._looking_at(on, revision, has):
            # Ten rules look at each message: nothing is made for those that have nothing to check.
            try:
                if when is None or when(seen, history):
                    checked[rule] += 1
                    for step in check(seen, history):
                        self._take(step, found)
            except Exception as error:  # noqa: BLE001 - a fault of one rule must not end the checks of a session
                found.append(fault(rule, error))
        return found

    def _looking_at(
        self, on: On, revision: Revision, has: frozenset[str] = _NONE
    ) -> tuple[_Check, ...]:
        """Return the checks of the rules that look at `on` in a revision; a result has the members `has`."""
        key = on, revision.number, self.history.transport, has
        found = self._rules_on.get(key)
        if found is None:
            every = on if on.method == STDERR else on._replace(method="")
            found = self._rules_on[key] = tuple(
                _Check(rule.id, rule.check, rule.when)
                for rule in (self._catalog.checked if self._rules is None else self._rules)
                if rule.check is not None
                and (on in rule.on or every in rule.on)
                and rule.concerns(revision.number, self.history.transport)
                and (on.subject is not Subject.RESULT or not rule.members or has & {*rule.members})
            )
        return found

    def _take(self, step: Finding | At | None, found: list[Finding]) -> None:
        if isinstance(step, At):
            self._transcript.add_finding(step.number, step.finding)
            self._has_added = True
        elif step is not None:
            found.append(step)

    def _run(self, check: _Check, whole: WholeList) -> Iterator[Finding | At | None]:
        """Run a rule on a list."""
        holds = check.when is None or check.when(whole, self.history)
        if holds if isinstance(holds, bool) else (yield from holds):
            self.checked[check.rule] += 1
            yield from check.check(whole, self.history)

    def _go_on(self, job: _StepsJob, until: float) -> list[Finding]:
        """Do some steps and return what all of them found; after a pause past `until`, the others come first in the next slice."""
        try:
            for step in job.steps:
                self._take(step, job.found)
                if step is None and time.perf_counter() >= until:
                    self._jobs.appendleft(job)
                    return []
        except Exception as error:  # noqa: BLE001 - a fault of one rule must not end the checks of a session
            job.found.append(fault(job.name, error))
        return bounded(job.found)

    def work(self, until: float) -> None:
        """Check items and lists until `time.perf_counter()` is past `until`, at least one."""
        has_found = False
        while self._jobs:
            job = self._jobs.popleft()
            findings = (
                self._go_on(job, until) if isinstance(job, _StepsJob) else self._check_list(job)
            )
            for finding in findings:
                self._transcript.add_finding(job.number, finding)
            has_found = has_found or bool(findings)
            if time.perf_counter() >= until:
                break
        if self.take_added() or has_found:
            self._transcript.findings_changed.fire()

    def _check_list(self, job: _Job) -> list[Finding]:
        """Return the findings about the next item of a page; the rules on a whole list run one by one later."""
        if isinstance(job.seen, WholeList):
            self.seen[job.on] += 1
            self._jobs.extendleft(
                _StepsJob(check.rule, job.number, self._run(check, job.seen), [])
                for check in reversed(self._looking_at(job.on, job.revision))
            )
            return self._check_runs(job.on.method, job.number, job.revision)
        item = job.seen.next()
        if item is None:
            return job.seen.rest()
        self._jobs.appendleft(job)
        return job.seen.keep(self.check(job.on, item, job.number, job.revision))

    def add_steps(self, name: str, number: int, steps: Iterator[Finding | At | None]) -> None:
        """Do later what is called `name` and yields findings about the page in frame `number`, and None for each pause."""
        self._jobs.append(_StepsJob(name, number, steps, []))

    def _add_page(self, message: ReceivedMessage) -> Iterator[None]:
        """Take a page of a list: its items are checked one by one, and all together after the last page."""
        method, number, revision = message.method, message.number, message.revision
        page, whole = yield from self._pages.add(message)
        self._jobs.append(_Job(On(Subject.ITEM, method), PageItems(page), number, revision))
        if whole is not None:
            self._jobs.append(_Job(On(Subject.LIST, method), whole, number, revision))

    def _know_transport(self, channel: int, kind: MessageKind) -> None:
        """Tell the transport by the channel of a message of the server, unless it is known."""
        history = self.history
        if history.transport == "" and kind is not MessageKind.NOTE:
            history.transport = _TRANSPORTS.get(Channel(channel), "")

    def _concerns(self, rule: Rule) -> bool:
        revision = self.history.revision
        return revision is None or rule.concerns(revision.number, self.history.transport)
