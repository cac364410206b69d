"""Seeing a request through whose result asks for input: what is asked goes to the same responders as requests of a server do.

Each round is a request of its own under a new id; remarks in the record tie them together. The state of the server is given back
exactly, and answers are given all together or not at all (C-MRTR-01 to C-MRTR-10). Whoever cancels the waiting task ends all of it.

Source: basic/patterns/mrtr.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.errors import InspectorError, InvalidResult, PeerError, RequestAborted
from inspector.finding import Finding, Severity
from inspector.session.inbound import InboundRequest
from inspector.spec import capabilities, methods, tasks
from inspector.spec.json_types import format_value
from inspector.spec.keys import RESULT_COMPLETE, RESULT_INPUT_REQUIRED, RESULT_TASK, TASKS_EXTENSION
from inspector.spec.method import Side
from inspector.spec.spec_urls import link
from inspector.spec.views.input_required import (
    STATE_BYTES,
    InputRequest,
    InputRequired,
    result_type,
)
from inspector.wire import json_codec
from inspector.wire.message import ABSENT, Message, MessageKind

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.session.outgoing import OutgoingRequest
    from inspector.session.peer import Reply
    from inspector.session.session import Session
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import JsonObject

MAX_ROUNDS = 16
"""How often one request is sent again, if nobody sets another limit."""

MAX_TRIES = 6
"""How often in a row it is sent again of these where nobody is asked for anything; a limit that somebody set holds for both."""

FIRST_PAUSE_SECONDS = 0.25
"""Before it is sent again where nothing is asked for; doubled each time."""

MAX_PAUSE_SECONDS = 8.0


_NO_RESULT = "Let the server send a result with `resultType`: `complete`, or `input_required` with `inputRequests` or `requestState`."


class MultiRoundTrip:
    """One request and what it takes to have it answered."""

    def __init__(
        self,
        call: OutgoingRequest,
        session: Session,
        revision: Revision,
        ask: Callable[
            [OutgoingRequest, JsonObject, Callable[[int], None] | None], Awaitable[Reply]
        ],
    ) -> None:
        """Prepare to see `call` through; `ask` sends one round of it."""
        self._call = call
        self._transcript, self._responders = session.transcript, session.responders
        self._revision = revision
        self._ask = ask
        self._max_rounds = rounds = session.max_rounds
        self._first = 0
        self._max_tries = min(rounds, MAX_TRIES) if rounds == MAX_ROUNDS else rounds
        self._tries = 0

    async def settle(self) -> Reply:
        """Ask until the result is complete.

        Raises:
            InvalidResult: a result is none that the revision knows.
            RequestAborted: what was asked for is not given, or not any more.
            InspectorError: one of the requests failed.
        """
        reply = await self._ask(self._call, self._call.params, self._on_begun)
        for number in range(1, self._max_rounds + 2):
            if not self._asks(reply):
                return reply
            reply = await self._go_on(reply, number)
        raise AssertionError("unreachable")  # pragma: no cover - the limit is checked in `_go_on`

    def _on_begun(self, frame: int) -> None:
        self._first = frame
        if self._call.on_sent is not None:
            self._call.on_sent(frame)

    def _asks(self, reply: Reply) -> bool:
        kind = result_type(reply.message)
        if kind == RESULT_COMPLETE:
            return False
        if kind == RESULT_TASK and tasks.may_answer(self._call.method, self._call.capabilities):
            return False
        if kind != RESULT_INPUT_REQUIRED:
            said = f"is {format_value(kind)}, which nobody defines"
            if kind == RESULT_TASK:
                said = "is a task, which was not asked for"
                self._find_unwanted_task(reply)
            raise self._invalid(reply, f"the result {said}")
        if not methods.can_require_input(self._call.method, self._revision):
            raise self._invalid(reply, f"the answer to {self._call.method} may not ask for input")
        return True

    async def _go_on(self, reply: Reply, number: int) -> Reply:
        wanted = InputRequired(reply.message, self._revision)
        if wanted.problem:
            raise self._invalid(reply, f"the result {wanted.problem}")
        self._remark_state(reply, wanted)
        self._tries = 0 if wanted.requests else self._tries + 1
        if number > self._max_rounds or self._tries > self._max_tries:
            self._note_asked(reply, wanted)
            raise self._stopped(reply)
        facts: JsonObject = {} if wanted.requests else self._retry_facts()
        self._note_asked(reply, wanted, facts)
        try:
            answers = await self._answers(reply, wanted)
        except asyncio.CancelledError as cancelled:
            why = cancelled.args[0] if cancelled.args else None
            self._end(why if isinstance(why, str) and why else "cancelled by the person")
            raise
        except InspectorError as error:
            self._end(error.reason)
            raise
        params = wanted.retry(self._call.params, answers)
        return await self._ask(self._call, params, lambda frame: self._on_sent(frame, number))

    def _note_asked(
        self, reply: Reply, wanted: InputRequired, facts: JsonObject | None = None
    ) -> None:
        self._transcript.note(
            "input-required", wanted.summary, request=reply.request_frame, **(facts or {})
        )

    @property
    def _pause_seconds(self) -> float:
        """Before the next try: longer with each in a row."""
        doubled = FIRST_PAUSE_SECONDS * 2.0 ** min(self._tries - 1, 30)
        return min(doubled, MAX_PAUSE_SECONDS)

    def _retry_facts(self) -> JsonObject:
        return {
            "pause_seconds": self._pause_seconds,
            "try_number": self._tries,
            "most_tries": min(self._max_tries, self._max_rounds),
        }

    def _on_sent(self, frame: int, number: int) -> None:
        text = f"round {number + 1}: sent again with what was asked for"
        self._transcript.note("input-given", text, request=self._first, retry=frame)

    async def _answers(self, reply: Reply, wanted: InputRequired) -> JsonObject:
        if not wanted.requests:
            await asyncio.sleep(self._pause_seconds)
            return {}
        for each in wanted.requests:
            self._demand(reply, each)
        answers: JsonObject = {}
        try:
            async with asyncio.TaskGroup() as group:
                for each in wanted.requests:
                    group.create_task(self._answer(reply, each, answers), name=each.method)
        except* InspectorError as failed:
            raise _first_of(failed) from failed
        withdrawn = [each.method for each in wanted.requests if each.key not in answers]
        if withdrawn:
            raise RequestAborted(f"{withdrawn[0]} was withdrawn; {self._call.method} is given up")
        return {each.key: answers[each.key] for each in wanted.requests}

    def _demand(self, reply: Reply, asked: InputRequest) -> None:
        """Give nothing that was not declared with this very request (L-MRTR-04)."""
        need = methods.required_capability(asked.method, self._revision, Side.SERVER)
        if need is not None and not capabilities.declares(self._call.capabilities, *need.path):
            text = f"the server asks for {asked.method} although `{need.name}` was not declared"
            page = link("input-required", self._revision)
            self._find(reply, Finding("L-MRTR-04", Severity.ERROR, text, asked.pointer, page))
            raise RequestAborted(text, frame=reply.frame)

    async def _answer(self, reply: Reply, asked: InputRequest, answers: JsonObject) -> None:
        responder = self._responders.get(asked.method)
        if responder is None:
            raise RequestAborted(f"nobody answers {asked.method} here", frame=reply.frame)
        try:
            answers[asked.key] = await responder(self._inbound(reply, asked, answers))
        except PeerError as refusal:
            text = (
                f"{asked.method} was refused ({refusal.message}); {self._call.method} is given up"
            )
            raise RequestAborted(text, frame=reply.frame) from refusal

    def _inbound(self, reply: Reply, asked: InputRequest, answers: JsonObject) -> InboundRequest:
        body: JsonObject = asked.raw if isinstance(asked.raw, dict) else {}
        message = Message(
            MessageKind.REQUEST, json_codec.write_bytes(body), ABSENT, asked.method, _body=body
        )
        return InboundRequest(
            reply.frame, message, asked.pointer, self._first, lambda: len(answers)
        )

    def _invalid(self, reply: Reply, text: str) -> InvalidResult:
        self._transcript.note("invalid-answer", text, request=reply.request_frame)
        return InvalidResult(text, hint=_NO_RESULT, frame=reply.frame)

    def _stopped(self, reply: Reply) -> RequestAborted:
        text = (
            f"the server still asks after {self._max_rounds} rounds; it was not answered any more"
        )
        hint = "Call again to go on asking."
        if self._tries > self._max_tries:
            text = (
                f"the server asked {self._tries} times in a row to be called again, and for nothing else; "
                f"the request was sent again {self._max_tries} times and is not any more"
            )
            hint = "Call again to start anew; more Rounds in the limits let it be sent again more often."
        self._find(reply, Finding("L-MRTR-09", Severity.WARNING, text, "/result"))
        self._end(text)
        return RequestAborted(text, hint=hint, frame=reply.frame)

    def _find_unwanted_task(self, reply: Reply) -> None:
        if self._call.method == "tools/call":
            text, page = f"{TASKS_EXTENSION} was not declared", link("tasks", self._revision)
            pointer = "/result/resultType"
            self._find(reply, Finding("L-TKX-01", Severity.ERROR, text, pointer, page))

    def _remark_state(self, reply: Reply, wanted: InputRequired) -> None:
        size = len((wanted.state or "").encode("utf-8", "surrogatepass"))
        if size > STATE_BYTES:
            text = f"`requestState` has {size:,} bytes, and travels with every round"
            self._find(reply, Finding("L-MRTR-12", Severity.WARNING, text, "/result/requestState"))

    def _find(self, reply: Reply, finding: Finding) -> None:
        self._transcript.add_finding(reply.frame, finding)
        self._transcript.findings_changed.fire()

    def _end(self, text: str) -> None:
        """Say in the record that the exchange ends here; nothing waits on the wire."""
        self._transcript.note("cancelled", text, request=self._first)


def _first_of(failed: BaseExceptionGroup[InspectorError]) -> InspectorError:
    error: BaseException = failed
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, InspectorError)
    return error
