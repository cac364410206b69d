"""Checks the limits of clients again, when a user chooses the clients that a server is for: what was found before is forgotten.

recheck = ClientRecheck(transcript, SIZE_LIMIT)
recheck.start(frozenset({"VS Code"}), 120, revision)     up to frame 120; later frames are checked as always
while recheck.pending: recheck.work(until)           in slices
"""

from __future__ import annotations

import time
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING

from inspector.checks.catalog_lookup import catalog_lookup
from inspector.checks.clients import CLIENT_RULES
from inspector.checks.later_sessions import LaterSessions
from inspector.checks.rule_runner import RuleRunner
from inspector.errors import StorageError
from inspector.finding import bounded
from inspector.spec import methods
from inspector.spec.revision import NEWEST_STATEFUL
from inspector.wire import json_codec
from inspector.wire.frame import Direction
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator

    from inspector.checks.clients import Targets
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript


class ClientRecheck:
    """Runs the rules about limits of clients over frames that were checked before."""

    def __init__(self, transcript: Transcript, size_limit: int, checked: Counter[str]) -> None:
        """Check nothing yet, and no message of more bytes than `size_limit`; count in `checked` what each rule had to check."""
        self._checked = checked
        self._size_limit = size_limit
        self._transcript = transcript
        self._rules = RuleRunner(transcript, ())
        self._methods: frozenset[str] = frozenset()
        self._revision: Revision | None = None
        self._later = LaterSessions(transcript)
        self._next = 1
        self._until = 0
        self._forgetting: Iterator[object] = iter(())
        """Forgets what was found before, as far as it is not forgotten yet."""
        self._is_forgotten = True

    @property
    def pending(self) -> int:
        """Frames and lists that are still to be checked."""
        return max(0, self._until - self._next + 1) + self._rules.pending + (not self._is_forgotten)

    def start(self, targets: Targets, until: int, revision: Revision | None) -> None:
        """Forget what was found about limits of clients, and check the frames up to `until` by those of the targets; `revision` is that of the first session."""
        self._forgetting = chain(self._forgetting, self._transcript.forget_findings(CLIENT_RULES))
        self._is_forgotten = False
        for rule in CLIENT_RULES:
            self._checked.pop(rule, None)
        rules = catalog_lookup().of_clients
        self._rules = RuleRunner(self._transcript, rules)
        self._rules.checked = self._checked
        self._methods = frozenset(on.method for rule in rules for on in rule.on)
        self._rules.history.targets = targets
        self._revision, self._later = revision, LaterSessions(self._transcript)
        self._next, self._until = 1, until

    def work(self, until: float) -> None:
        """Check frames until `time.perf_counter()` is past `until`, at least one."""
        found = False
        while self.pending:
            if not self._is_forgotten:
                self._is_forgotten = found = next(self._forgetting, self) is self
            elif self._rules.pending:
                self._rules.work(until)
            else:
                with suppress(StorageError, JsonSyntaxError):
                    found |= self._check(self._next)
                self._next += 1
            if time.perf_counter() >= until:
                break
        if found:
            self._transcript.findings_changed.fire()

    def _check(self, number: int) -> bool:
        self._later.follow(number, self._revision)
        columns = self._transcript.columns
        kind, request = columns.kind[number - 1], columns.request[number - 1]
        if kind == MessageKind.NOTE:
            self._rules.take_note(number)  # a probe may begin or end
        is_result = kind == MessageKind.RESPONSE and request
        if not is_result or columns.direction[number - 1] != Direction.RECEIVED:
            return False
        method = columns.methods.texts[columns.method[request - 1]]
        if method not in self._methods:
            return False
        if columns.size[number - 1] > self._size_limit:
            self._rules.take_unread(number)
            return False
        value = json_codec.read(self._transcript.message(number).raw).value
        if not isinstance(value, dict) or self._rules.history.is_probing:
            return False
        current = self._later.current(self._revision) or NEWEST_STATEFUL
        revision = methods.revision_of(method, current)
        message = self._rules.message(number, MessageKind.RESPONSE, method, value, revision)
        for finding in (found := bounded(self._rules.check_message(message))):
            self._transcript.add_finding(number, finding)
        return bool(found)
