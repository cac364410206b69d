"""Suggestions while an argument is typed.

Asked for only where the server declared it, or where the revision has no way to declare it (C-CMP-06); after `-32601` the server
is not asked again unless the user requests it, nor for an argument that it refused. Answers are kept for a while (C-CMP-02).
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import PeerError, RequestAborted
from inspector.event import Event
from inspector.spec.error_codes import INVALID_PARAMS, METHOD_NOT_FOUND
from inspector.spec.views.completion import Completion, CompletionResult
from inspector.wire import json_codec
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.finding import Finding
    from inspector.session.session import Session
    from inspector.wire.json_codec import JsonObject

KEPT_SECONDS = 10.0
"""How long an answer is good: the things that are suggested may change."""

KEPT = 200
"""How many answers are kept."""


class Suggested(NamedTuple):
    """An answer."""

    completion: Completion
    """What was suggested."""
    notes: tuple[Finding, ...]
    """What is odd about the answer."""
    frame: int
    """The frame of the answer."""


class Completions:
    """Asks for suggestions."""

    def __init__(self, session: Session) -> None:
        """Offer suggestions over `session`."""
        self.changed: Event[()] = Event()
        self.refused = False
        self.insist = False
        self._session = session
        self._declined: set[str] = set()
        self._kept: OrderedDict[str, tuple[float, Suggested]] = OrderedDict()

    @property
    def offered(self) -> bool:
        """Whether the server declared suggestions, or could not have declared them in this revision."""
        revision = self._session.revision
        undeclarable = revision is not None and not revision.has_completions_capability
        return undeclarable or self._session.declares("completions")

    @property
    def is_enabled(self) -> bool:
        """Whether to request suggestions during typing."""
        return self.insist or (self.offered and not self.refused)

    @property
    def has_context(self) -> bool:
        """Whether the revision sends the other arguments along (C-CMP-04)."""
        revision = self._session.revision
        return revision is not None and revision.has_completion_context

    def set_insist(self, insist: bool) -> None:
        """Ask although nothing was declared, or although the server refused."""
        self.insist = insist
        self._declined.clear()
        self.changed.fire()

    def declines(self, ref: JsonObject, argument: str) -> bool:
        """Whether the server refused to suggest anything for this argument in this session."""
        return _key(ref, argument) in self._declined

    async def complete(
        self, ref: JsonObject, argument: str, value: str, context: Mapping[str, str]
    ) -> Suggested:
        """Ask for suggestions for `argument`, of which `value` is typed; `context` has the other arguments.

        Raises:
            InspectorError: there is no answer, or it is an error; `RequestAborted` where the server declined before.
        """
        if self.declines(ref, argument):
            raise RequestAborted("no suggestions")
        params: JsonObject = {"ref": ref, "argument": {"name": argument, "value": value}}
        if context and self.has_context:
            params["context"] = {"arguments": dict(context)}
        key = json_codec.write(params)
        kept = self._kept.get(key)
        now = self._session.steps.clock.monotonic()
        if kept is not None and now - kept[0] < KEPT_SECONDS:
            return kept[1]
        try:
            suggested = await self._ask(params)
        except PeerError as error:
            if error.code in {INVALID_PARAMS, METHOD_NOT_FOUND}:
                self._declined.add(_key(ref, argument))
            raise
        self._keep(key, suggested)
        return suggested

    async def _ask(self, params: JsonObject) -> Suggested:
        try:
            reply = await self._session.request("completion/complete", params)
        except PeerError as error:
            if error.code == METHOD_NOT_FOUND and not self.refused:
                self.refused = True
                self.changed.fire()
            raise
        result = CompletionResult(or_null(reply.message.result), revision=self._session.revision)
        return Suggested(result.completion, result.findings, reply.frame)

    def _keep(self, key: str, suggested: Suggested) -> None:
        self._kept[key] = (self._session.steps.clock.monotonic(), suggested)
        self._kept.move_to_end(key)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)


def _key(ref: JsonObject, argument: str) -> str:
    return json_codec.write([ref, argument])


def prompt_ref(name: str) -> JsonObject:
    """How a prompt is referred to."""
    return {"type": "ref/prompt", "name": name}


def template_ref(template: str) -> JsonObject:
    """How a template is referred to: by its exact text."""
    return {"type": "ref/resource", "uri": template}
