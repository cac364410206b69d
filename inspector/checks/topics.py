"""What rules know of a connection by topic: messages, and what HTTP, rounds, streams and tasks make of them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from inspector.checks.cached_results import ANNOUNCED, CachedResults
from inspector.checks.http_history import HttpHistory
from inspector.checks.remembered import MAX_ID, Remembered
from inspector.checks.rounds import Rounds
from inspector.checks.subscription_history import SubscriptionHistory
from inspector.checks.task_history import TaskHistory
from inspector.spec import tasks
from inspector.spec.subscription_filter import ACKNOWLEDGED, LISTEN

if TYPE_CHECKING:
    from inspector.checks.seen import ReceivedMessage, SentRequest
    from inspector.wire.json_codec import JsonObject


MAX_VERSIONS = 100
"""Revisions of a server that are remembered."""


_ABOUT_TASKS = frozenset(
    method
    for each in tasks.DIALECTS
    for method in (each.get_method, each.result_method, each.update_method, each.announced)
)
"""Methods that say something about a task; a result of any other may be one."""

_CANCELS_TASK = frozenset(each.cancel_method for each in tasks.DIALECTS)


class Topics(Remembered):
    """What is known of one connection by the topics of what crossed the wire."""

    def __init__(self) -> None:
        """Begin before the first message."""
        super().__init__()
        self.http = HttpHistory()
        """The exchanges of HTTP."""
        self.rounds = Rounds()
        """Requests that are sent again with input."""
        self.subscriptions = SubscriptionHistory()
        """Streams of notifications that we asked for."""
        self.cached = CachedResults()
        """Results that may be kept."""
        self.tasks = TaskHistory()
        """Tasks that the server runs."""
        self.supported_versions: tuple[str, ...] = ()
        """The revisions that the server named in the result of `server/discover`."""
        self._broken: set[str] = set()

    def is_first(self, rule: str) -> bool:
        """Return whether a rule is broken for the first time: what a server does with every response is reported once."""
        is_new = rule not in self._broken
        self._broken.add(rule)
        return is_new

    def remember_sent(self, request: SentRequest) -> None:
        """Take note of a request or notification of ours."""
        super().remember_sent(request)
        if request.method == LISTEN:
            self.subscriptions.add_sent(request)
        elif request.method in _CANCELS_TASK:
            self.tasks.add_sent(request)

    def remember_received(self, message: ReceivedMessage) -> None:
        """Take note of a message of the server, before the rules look at it."""
        result, method = message.result, message.method
        if "resultType" in result:
            self.rounds.add(message)
        if "ttlMs" in result:
            self.cached.add(message)
        if method == ACKNOWLEDGED:
            self.subscriptions.add_received(message)
        versions = result.get("supportedVersions") if method == "server/discover" else None
        if isinstance(versions, list):
            named = (each for each in versions if isinstance(each, str) and len(each) <= MAX_ID)
            self.supported_versions = tuple(islice(named, MAX_VERSIONS))

    def add_checked(self, message: ReceivedMessage) -> None:
        """Take note of a message of the server, after the rules have looked at it."""
        super().add_checked(message)
        result = message.result
        if message.stream:
            self.http.add_message(message)
        if "inputRequests" in result:
            self.rounds.add_checked(message)
        if "cacheScope" in result or message.method in ANNOUNCED:
            self.cached.add_checked(message, self.http)
        if message.method in _ABOUT_TASKS or (result and "content" not in result):
            self.tasks.add_checked(message)

    def add_note(self, note: JsonObject, monotonic_s: float) -> None:
        """Take note of a remark of Spyglass."""
        super().add_note(note, monotonic_s)
        self.rounds.add_note(str(note.get("event")), note)
