"""Requests that are sent in several rounds, because their results ask for input."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.checks.latest import Latest
from inspector.spec.keys import RESULT_INPUT_REQUIRED

if TYPE_CHECKING:
    from inspector.checks.seen import ReceivedMessage
    from inspector.wire.json_codec import JsonObject

MAX_KEYS = 1_000
"""Keys of input requests that are remembered of one request."""


MAX_NAME = 400
"""Characters of a key and its method, beyond which they are not remembered."""


class Asked(NamedTuple):
    """What a request was asked for so far."""

    rounds: int = 0
    """Results that asked for input."""
    tries: int = 0
    """How many of the latest had no input requests, one after the other."""
    methods: tuple[tuple[str, str], ...] = ()
    """The keys of its input requests, each with its method."""


class Rounds:
    """The rounds of one connection."""

    def __init__(self) -> None:
        """Begin without any."""
        self.asked: Latest[int, Asked] = Latest(1_000)
        """By the frame of the first round."""
        self.questions: Latest[int, int] = Latest()
        """Frames of results that ask for input, with the frame of the first round."""
        self.retries: Latest[int, int] = Latest()
        """Frames of later rounds, with the frame of the first one."""

    def add_note(self, event: str, note: JsonObject) -> None:
        """Take note of a remark of Spyglass about a round."""
        first, retry = note.get("request"), note.get("retry")
        if event == "input-given" and isinstance(first, int) and isinstance(retry, int):
            self.retries[retry] = self.retries.get(first) or first

    def first_of(self, request: int) -> int:
        """Return the frame of the first round of a request."""
        return self.retries.get(request) or request

    def add(self, message: ReceivedMessage) -> None:
        """Take note of a result, before the rules look at it."""
        if message.result.get("resultType") != RESULT_INPUT_REQUIRED or not message.request:
            return
        first = self.first_of(message.request)
        before = self.asked.get(first) or Asked()
        requests = message.result.get("inputRequests")
        tries = 0 if isinstance(requests, dict) and requests else before.tries + 1
        self.asked[first] = before._replace(rounds=before.rounds + 1, tries=tries)
        self.questions[message.number] = first

    def add_checked(self, message: ReceivedMessage) -> None:
        """Take note of the keys of its input requests, after the rules have looked at it."""
        requests = message.result.get("inputRequests")
        if message.number not in self.questions or not isinstance(requests, dict):
            return
        first = self.first_of(message.request)
        before = self.asked.get(first) or Asked()
        named = {
            key: each["method"]
            for key, each in requests.items()
            if isinstance(each, dict) and isinstance(each.get("method"), str)
        }
        read = {k: str(v) for k, v in named.items() if len(k) + len(str(v)) <= MAX_NAME}
        methods = {**dict(before.methods), **read}
        self.asked[first] = before._replace(methods=tuple(methods.items())[:MAX_KEYS])
