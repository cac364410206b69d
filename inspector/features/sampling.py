"""Responds to `sampling/createMessage`: every request waits for the user, unless an automatic response is set.

A rule answers a number of times, says so in the record each time, and is forgotten with the session.

Source: client/sampling; C-SMP-01 to C-SMP-23.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.errors import PeerError
from inspector.event import Event
from inspector.finding import Finding, Severity
from inspector.frozen import FrozenStruct
from inspector.inbox import SAMPLING
from inspector.session.inbox_requests import InboxRequests, exact, read_params, refuse_undeclared
from inspector.spec.capabilities import declares
from inspector.spec.error_codes import INVALID_PARAMS, USER_REJECTED
from inspector.spec.views.sampling import SamplingView
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.clock import Clock
    from inspector.inbox import Inbox, InboxItem
    from inspector.session.peer import InboundRequest
    from inspector.session.session import Session
    from inspector.wire.json_codec import Json, JsonObject

METHOD = "sampling/createMessage"

REJECTED = "User rejected sampling request"
"""The message of the rejection example in the specification."""

MODEL = "human"
"""Who answers, where no model does."""


class SavedAnswer(FrozenStruct, frozen=True):
    """An answer to use again."""

    name: str
    """Its name, given by the user."""
    text: str
    """The JSON of the result, exactly as it is sent."""


class Rule(FrozenStruct, frozen=True):
    """Answering without asking."""

    answer: SavedAnswer
    """With what."""
    max_uses: int
    """How many times at most."""
    used: int = 0
    """How many times it did."""

    @property
    def text(self) -> str:
        """A short description of the rule."""
        return f"“{self.answer.name}”, {self.used} of {self.max_uses}"


def make_result(content: Json, *, model: str = MODEL, stop_reason: str = "endTurn") -> JsonObject:
    """An answer; no stop reason is sent where it is empty. Content is one block where lists are not known (C-SMP-19)."""
    result: JsonObject = {"role": "assistant", "content": content, "model": model}
    return {**result, "stopReason": stop_reason} if stop_reason else result


TEST_ANSWER = SavedAnswer(
    "Test answer",
    json_codec.write(make_result({"type": "text", "text": "This is a test answer"}), indent=2),
)
"""What is on offer before anything was saved."""


class SavedAnswers:
    """The answers that were saved for one server; the test answer is always among them."""

    def __init__(self, saved: Json = None, save: Callable[[Json], None] | None = None) -> None:
        """Begin with what was `saved`; `save` takes every change."""
        self.changed: Event[()] = Event()
        self._save = save
        self._own = [
            SavedAnswer(name, text)
            for item in (saved if isinstance(saved, list) else [])
            if isinstance(item, dict)
            and isinstance(name := item.get("name"), str)
            and isinstance(text := item.get("text"), str)
        ]

    @property
    def items(self) -> tuple[SavedAnswer, ...]:
        """All responses, the test response first unless the user replaced it."""
        known = {item.name for item in self._own}
        return (*(() if TEST_ANSWER.name in known else (TEST_ANSWER,)), *self._own)

    def find(self, name: str) -> SavedAnswer | None:
        """The answer of that name."""
        return next((item for item in self.items if item.name == name), None)

    def keep(self, answer: SavedAnswer) -> None:
        """Save an answer, in the place of one with the same name."""
        self._own = [item for item in self._own if item.name != answer.name] + [answer]
        self._changed()

    def remove(self, name: str) -> None:
        """Forget an answer."""
        self._own = [item for item in self._own if item.name != name]
        self._changed()

    def _changed(self) -> None:
        if self._save is not None:
            self._save([{"name": item.name, "text": item.text} for item in self._own])
        self.changed.fire()


class Sampling:
    """Requests of one server for a model's answer."""

    declines_with_error = True

    def __init__(
        self, session: Session, inbox: Inbox, answers: SavedAnswers, *, clock: Clock
    ) -> None:
        """Put what `session` is asked into `inbox`; `answers` are on offer there."""
        self.changed: Event[()] = Event()
        self.answers = answers
        self.rule: Rule | None = None
        self._session = session
        self._inbox = inbox
        self._asking = InboxRequests(SAMPLING, self, session, inbox, clock=clock)
        session.responders[METHOD] = self._respond

    def answer_by_rule(self, rule: Rule | None) -> None:
        """Answer by `rule` from now on; without one, always ask. Pending requests still wait for the user."""
        self.rule = rule
        self.changed.fire()

    def answer(self, ask: InboxItem, text: str) -> bool:
        """Send the JSON `text` as the result, as it was written. False if it is too late.

        Raises:
            ValueError: it is not JSON and would break the message it stands in.
        """
        return self._inbox.answer(ask, exact(text))

    def reject(self, ask: InboxItem, code: int = USER_REJECTED, text: str = REJECTED) -> bool:
        """Refuse (C-SMP-11). False if it is too late."""
        return self._inbox.reject(ask, PeerError(code, text))

    def decline(self, ask: InboxItem) -> bool:
        """Refuse; how the inbox says no."""
        return self.reject(ask)

    async def _respond(self, inbound: InboundRequest) -> Json:
        refuse_undeclared(self._session, "sampling")
        read = partial(SamplingView, revision=self._session.revision)
        view = await read_params(self._session, inbound, read)
        self._check(inbound, view)
        by_rule = self._by_rule(inbound.frame)
        if by_rule is not None:
            return by_rule
        return await self._asking.submit(inbound, view.opening or view.system_prompt, view)

    def _check(self, inbound: InboundRequest, view: SamplingView) -> None:
        """Refuse what was not declared (C-LC-14, C-SMP-14), and tool results that lack their calls (C-SMP-12)."""
        client = self._session.client_capabilities
        if view.wants_tools and not declares(client, "sampling", "tools"):
            text = "`tools` sent although the client did not declare `sampling.tools`"
            found = Finding("L-SMP-02", Severity.ERROR, text, "/params/tools")
            self._asking.add_findings(inbound, found)
            raise PeerError(INVALID_PARAMS, "This client does not support tools in sampling")
        if view.include_context not in ("", "none") and not declares(client, "sampling", "context"):
            text = '`sampling.context` was not declared; `includeContext` treated as "none"'
            found = Finding("L-SMP-03", Severity.WARNING, text, "/params/includeContext")
            self._asking.add_findings(inbound, found)
        self._asking.add_findings(inbound, *view.notes)
        if view.tool_problem:
            raise PeerError(INVALID_PARAMS, f"Tool calls and results: {view.tool_problem}")

    def _by_rule(self, frame: int) -> Json:
        rule = self.rule
        if rule is None or rule.used >= rule.max_uses:
            return None
        result = exact(rule.answer.text)
        self.rule = replace(rule, used=rule.used + 1)
        text = f"{METHOD} was answered by the rule {self.rule.text}; nobody was asked"
        self._session.transcript.note("answered-by-rule", text, request=frame)
        self.changed.fire()
        return result
