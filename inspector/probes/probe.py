"""What a probe is, what it works with, and what it came to."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from inspector.checks.probed import ProbeOutcome as Outcome
from inspector.errors import CancelledByServer, InspectorError, InvalidResult, PeerError, TimedOut
from inspector.frozen import FrozenStruct
from inspector.session.outgoing import Timeouts
from inspector.spec.error_codes import INTERNAL_ERROR
from inspector.spec.findings import make_finding
from inspector.visible_text import one_line
from inspector.wire.message import ABSENT

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from inspector.finding import Finding, Severity
    from inspector.probes.tool_uses import ToolUse
    from inspector.session.session import Session
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import MaybeJson

PROBE_SECONDS = 10.0
"""How long a probe waits for a response."""


MAX_SECONDS_OF_ALL = 5.0
"""What many requests at once may take together, one after another, so that a missing response is none that is only late."""


class Effect(StrEnum):
    """What may happen on the server."""

    NONE = "no effect"
    CALLS_TOOL = "calls a tool"
    OPENS_CONNECTIONS = "opens connections"
    READS_FILES = "reads other files"
    CONTACTS_HOSTS = "contacts other hosts"


class ProbeResult(NamedTuple):
    """What a probe came to, and why."""

    outcome: Outcome
    text: str
    """What was received, or why nothing was sent."""
    findings: tuple[tuple[int, Finding], ...] = ()
    """The findings, each with its frame."""
    frame: int = 0
    """The frame that decided it; 0 for none."""
    is_fault: bool = False
    """Whether it could not be tried by a fault of Spyglass."""


class Answer(NamedTuple):
    """What a request came to."""

    frame: int
    """The frame of the response; of the request without one."""
    result: JsonObject | None = None
    code: Json = None
    """The code of an error; null without one."""
    message: str = ""
    """The message of an error, or why there is no response."""
    data: Json = None
    is_error: bool = False
    """Whether the response is an error."""
    is_late: bool = False
    """Whether there was no response in time; without one for another reason, such as a lost connection, nothing is known."""

    @property
    def is_exception(self) -> bool:
        """Whether the code is one that SDKs make of an exception."""
        return self.code == 0 or self.code == INTERNAL_ERROR

    @property
    def is_answered(self) -> bool:
        """Whether there is a response."""
        return self.is_error or self.result is not None

    @property
    def text(self) -> str:
        """The answer in a few letters, e.g. `error -32601: Method not found`."""
        if self.is_error:
            return f"error {self.code}: {one_line(self.message, 200)}"
        return "a result" if self.result is not None else self.message


class ProbeContext:
    """What a probe works with: a connected session, and what it lists."""

    def __init__(
        self,
        session: Session,
        lists: dict[str, list[JsonObject]],
        uses: Sequence[ToolUse] = (),
    ) -> None:
        """Use `session`, which is connected; `lists` are its lists by their member, such as `tools`, and `uses` the calls that are allowed."""
        self.session = session
        self.uses = tuple(uses)
        """The tools that may be called, with their arguments."""
        self._lists = lists
        self._found: list[tuple[int, Finding]] = []

    def with_uses(self, uses: Sequence[ToolUse]) -> ProbeContext:
        """Return the same where other tools may be called."""
        return ProbeContext(self.session, self._lists, uses)

    @property
    def revision(self) -> Revision:
        """The negotiated revision."""
        assert self.session.revision is not None
        return self.session.revision

    def listed(self, member: str) -> list[JsonObject]:
        """Return what the server lists, e.g. as `tools`."""
        return self._lists.get(member, [])

    async def ask(
        self, method: str, params: JsonObject | None = None, *, meta: JsonObject | None = None
    ) -> Answer:
        """Send a request as the session does, and return what it came to; `meta` replaces members of its `_meta`."""
        timeouts = Timeouts(idle_seconds=PROBE_SECONDS, total_seconds=PROBE_SECONDS)
        sent: list[int] = []
        try:
            reply = await self.session.request(
                method, params, timeouts=timeouts, on_sent=sent.append, meta=meta
            )
        except InspectorError as error:
            return failed_answer(error, sent)
        return answer_of(reply.frame, reply.message.result)

    async def why_slow(self, method: str, params: JsonObject | None, count: int) -> str:
        """Send a request, and return why so many of them at once may take longer than a probe waits; empty if they may not."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        answer = await self.ask(method, params)
        took = loop.time() - began
        if answer.is_answered and took * count <= MAX_SECONDS_OF_ALL:
            return ""
        return f"one request takes {took:.1f} s" if answer.is_answered else answer.text

    async def ask_and_cancel(self, method: str) -> None:
        """Send a request, and cancel it as soon as it is sent."""
        with suppress(TimeoutError, InspectorError):  # what it came to does not matter
            async with asyncio.timeout(None) as scope:
                await self.session.request(method, on_sent=lambda _: scope.reschedule(0))

    async def ask_bare(self, method: str, params: JsonObject | None = None) -> Answer:
        """Send a request with these params alone, without what the revision asks for."""
        timeouts = Timeouts(idle_seconds=PROBE_SECONDS, total_seconds=PROBE_SECONDS)
        sent: list[int] = []
        try:
            reply = await self.session.peer.request(
                method, ABSENT if params is None else params, timeouts=timeouts, on_sent=sent.append
            )
        except InspectorError as error:
            return failed_answer(error, sent)
        return answer_of(reply.frame, reply.message.result)

    def find(
        self,
        rule: str,
        text: str,
        frame: int,
        pointer: str = "",
        severity: Severity | None = None,
    ) -> ProbeResult:
        """Return that the probe failed, with a finding of `rule`; earlier findings of this probe are kept."""
        finding = make_finding(rule, text, pointer, self.session.revision, severity=severity)
        self._found.append((frame, finding))
        return ProbeResult(Outcome.FAILED, text, tuple(self._found), frame)

    @property
    def failed(self) -> ProbeResult | None:
        """What was found before; None for nothing."""
        if not self._found:
            return None
        frame, finding = self._found[-1]
        return ProbeResult(Outcome.FAILED, finding.summary, tuple(self._found), frame)

    def conclude(self, answer: Answer, text: str = "") -> ProbeResult:
        """Return that the probe passed, or what was found before, or that it could not be tried without a response."""
        if self.failed is not None:
            return self.failed
        if not answer.is_answered:
            return ProbeResult(Outcome.NOT_TRIED, answer.message, frame=answer.frame)
        return ProbeResult(Outcome.PASSED, text or answer.text, frame=answer.frame)


class Probe(FrozenStruct, frozen=True):
    """One scenario."""

    key: str
    """A stable name, e.g. `unknown-method`."""
    title: str
    """What is tried, for the user."""
    sends: str
    """What is sent, e.g. `tools/list with a cursor that no server has`."""
    rules: tuple[str, ...]
    """The rules that it decides."""
    run: Callable[[ProbeContext], Awaitable[ProbeResult]]
    needs: Callable[[ProbeContext], str]
    """Returns why it does not apply to a server; empty if it does."""
    effect: Effect = Effect.NONE
    requests: int = 1
    """How many requests it sends at most."""
    seconds: float = 0.0
    """How long it waits on purpose."""
    edits_headers: bool = False
    """Whether it sends requests of HTTP that are not of the session, though it does more than that."""

    @property
    def edits_http(self) -> bool:
        """Whether rules about HTTP are to ignore what it sends."""
        return self.edits_headers or self.effect is Effect.OPENS_CONNECTIONS

    @property
    def calls_tool(self) -> bool:
        """Whether it runs only if a tool may be called."""
        return self.effect is Effect.CALLS_TOOL

    @property
    def is_opt_in(self) -> bool:
        """Whether it runs only if it was chosen itself: it goes beyond the server, or its folders."""
        return self.effect in {Effect.READS_FILES, Effect.CONTACTS_HOSTS}


def always(context: ProbeContext) -> str:
    """Apply to every server."""
    del context
    return ""


def needs_capability(capability: str) -> Callable[[ProbeContext], str]:
    """Apply to servers that declare `capability`, or that declare nothing at all."""

    def needs(context: ProbeContext) -> str:
        return "" if context.session.declares(capability) else f"`{capability}` is not declared"

    return needs


def answer_of(frame: int, result: MaybeJson) -> Answer:
    """Return the answer with a result, of frame `frame`."""
    return Answer(frame, result if isinstance(result, dict) else {})


def failed_answer(error: InspectorError, sent: list[int]) -> Answer:
    """Return the answer of a request that failed; `sent` has its frame."""
    frame = error.frame or (sent[-1] if sent else 0)
    if isinstance(error, PeerError):
        return Answer(frame, None, error.code, error.message, error.data, is_error=True)
    if isinstance(error, TimedOut):
        return Answer(frame, None, message=f"no response within {PROBE_SECONDS:g} s", is_late=True)
    if isinstance(error, InvalidResult | CancelledByServer):
        return Answer(frame, None, None, str(error), is_error=True)
    return Answer(frame, None, message=str(error))
