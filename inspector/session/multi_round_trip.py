"""Multi round-trip requests: input requests in a result go to the same responders as requests of the server.

Each round is a request of its own under a new id; notes in the transcript tie them together. The state of the server is sent back
exactly, and responses are sent all together or not at all (C-MRTR-01 to C-MRTR-10). Cancelling the awaiting task ends all rounds.

Source: basic/patterns/mrtr.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.errors import InspectorError, InvalidResult, PeerError, RequestAborted
from inspector.session.error_responses import undeclared_hint
from inspector.session.inbound import InboundRequest
from inspector.spec import capabilities, methods, tasks
from inspector.spec.json_types import format_value
from inspector.spec.keys import RESULT_COMPLETE, RESULT_INPUT_REQUIRED, RESULT_TASK
from inspector.spec.method import Side
from inspector.spec.views.input_required import (
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
"""How often one request is sent again by default."""

MAX_TRIES = 6
"""How often in a row it is sent again without input requests by default; another limit of rounds is the limit of both."""

FIRST_PAUSE_SECONDS = 0.25
"""Pause before a request is sent again without input requests; doubled each time."""

MAX_PAUSE_SECONDS = 8.0


_NO_RESULT = "Let the server send a result with `resultType`: `complete`, or `input_required` with `inputRequests` or `requestState`."


class MultiRoundTrip:
    """One request and its rounds."""

    def __init__(
        self,
        call: OutgoingRequest,
        session: Session,
        revision: Revision,
        ask: Callable[
            [OutgoingRequest, JsonObject, Callable[[int], None] | None], Awaitable[Reply]
        ],
    ) -> None:
        """Prepare to complete `call`; `ask` sends one round."""
        self._call = call
        self._transcript, self._responders = session.transcript, session.responders
        self._revision = revision
        self._ask = ask
        self._max_rounds = rounds = session.max_rounds
        self._first_frame = 0
        self._max_tries = min(rounds, MAX_TRIES) if rounds == MAX_ROUNDS else rounds
        self._tries = 0

    async def settle(self) -> Reply:
        """Send rounds until the result is complete.

        Raises:
            InvalidResult: a result is of a type that the revision does not have.
            RequestAborted: the input is not sent, or not any more.
            InspectorError: one of the requests failed.
        """
        reply = await self._ask(self._call, self._call.params, self._on_begun)
        for number in range(1, self._max_rounds + 2):
            if not self._requires_input(reply):
                return reply
            reply = await self._next_round(reply, number)
        raise AssertionError(
            "unreachable"
        )  # pragma: no cover - the limit is checked in `_next_round`

    def _on_begun(self, frame: int) -> None:
        self._first_frame = frame
        if self._call.on_sent is not None:
            self._call.on_sent(frame)

    def _requires_input(self, reply: Reply) -> bool:
        kind = result_type(reply.message)
        if kind == RESULT_COMPLETE:
            return False
        if kind == RESULT_TASK and tasks.may_answer(self._call.method, self._call.capabilities):
            return False
        if kind != RESULT_INPUT_REQUIRED:
            if kind == RESULT_TASK:
                raise self._invalid(reply, "the result is a task, but none was requested")
            raise self._invalid(reply, f"the result has an undefined type {format_value(kind)}")
        if not methods.can_require_input(self._call.method, self._revision):
            raise self._invalid(reply, f"a {self._call.method} result must not request input")
        return True

    async def _next_round(self, reply: Reply, number: int) -> Reply:
        required = InputRequired(reply.message, self._revision)
        if required.problem:
            raise self._invalid(reply, f"the result {required.problem}")
        self._tries = 0 if required.requests else self._tries + 1
        if number > self._max_rounds or self._tries > self._max_tries:
            self._note_required(reply, required)
            raise self._stopped(reply)
        self._note_required(reply, required, {} if required.requests else self._retry_facts())
        try:
            answers = await self._answers(reply, required)
        except asyncio.CancelledError as cancelled:
            why = cancelled.args[0] if cancelled.args else None
            self._end(why if isinstance(why, str) and why else "cancelled by the user")
            raise
        except InspectorError as error:
            self._end(error.reason)
            raise
        params = required.retry(self._call.params, answers)
        return await self._ask(self._call, params, lambda frame: self._on_sent(frame, number))

    def _note_required(
        self, reply: Reply, required: InputRequired, facts: JsonObject | None = None
    ) -> None:
        self._transcript.note(
            "input-required", required.summary, request=reply.request_frame, **(facts or {})
        )

    @property
    def _pause_seconds(self) -> float:
        """The pause before the next try: longer with each in a row."""
        doubled = FIRST_PAUSE_SECONDS * 2.0 ** min(self._tries - 1, 30)
        return min(doubled, MAX_PAUSE_SECONDS)

    def _retry_facts(self) -> JsonObject:
        return {
            "pause_seconds": self._pause_seconds,
            "try_number": self._tries,
            "most_tries": min(self._max_tries, self._max_rounds),
        }

    def _on_sent(self, frame: int, number: int) -> None:
        text = f"round {number + 1}: resent with the requested input"
        self._transcript.note("input-given", text, request=self._first_frame, retry=frame)

    async def _answers(self, reply: Reply, required: InputRequired) -> JsonObject:
        if not required.requests:
            await asyncio.sleep(self._pause_seconds)
            return {}
        for each in required.requests:
            self._check_declared(reply, each)
        answers: JsonObject = {}
        try:
            async with asyncio.TaskGroup() as group:
                for each in required.requests:
                    group.create_task(self._answer(reply, each, answers), name=each.method)
        except* InspectorError as failed:
            raise _innermost(failed) from failed
        withdrawn = [each.method for each in required.requests if each.key not in answers]
        if withdrawn:
            raise RequestAborted(f"{withdrawn[0]} withdrawn; {self._call.method} cancelled")
        return {each.key: answers[each.key] for each in required.requests}

    def _check_declared(self, reply: Reply, request: InputRequest) -> None:
        """Refuse input whose capability was not declared with this request."""
        need = methods.required_capability(request.method, self._revision, Side.SERVER)
        if need is not None and not capabilities.declares(self._call.capabilities, *need.path):
            text = f"the server requests {request.method} although the client did not declare `{need.name}`"
            raise RequestAborted(text, hint=undeclared_hint(need.name), frame=reply.frame)

    async def _answer(self, reply: Reply, request: InputRequest, answers: JsonObject) -> None:
        responder = self._responders.get(request.method)
        if responder is None:
            raise RequestAborted(f"no handler for {request.method}", frame=reply.frame)
        try:
            answers[request.key] = await responder(self._inbound(reply, request, answers))
        except PeerError as refusal:
            text = f"{request.method} rejected ({refusal.message}); {self._call.method} cancelled"
            raise RequestAborted(text, frame=reply.frame) from refusal

    def _inbound(self, reply: Reply, request: InputRequest, answers: JsonObject) -> InboundRequest:
        body: JsonObject = request.raw if isinstance(request.raw, dict) else {}
        message = Message(
            MessageKind.REQUEST, json_codec.write_bytes(body), ABSENT, request.method, _body=body
        )
        return InboundRequest(
            reply.frame, message, request.pointer, self._first_frame, lambda: len(answers)
        )

    def _invalid(self, reply: Reply, text: str) -> InvalidResult:
        self._transcript.note("invalid-answer", text, request=reply.request_frame)
        return InvalidResult(text, hint=_NO_RESULT, frame=reply.frame)

    def _stopped(self, reply: Reply) -> RequestAborted:
        text = f"still requesting input after {self._max_rounds} rounds; stopped"
        hint = "Call again to continue."
        if self._tries > self._max_tries:
            text = (
                f"the server requested {self._tries} times in a row to be called again, without input requests; "
                f"stopped after the request was resent {self._max_tries} times"
            )
            hint = "Call again to start over; increase Rounds in the limits to resend the request more often."
        self._end(text)
        return RequestAborted(text, hint=hint, frame=reply.frame)

    def _end(self, text: str) -> None:
        """Note in the transcript that the exchange ends here; no request is pending."""
        self._transcript.note("cancelled", text, request=self._first_frame)


def _innermost(failed: BaseExceptionGroup[InspectorError]) -> InspectorError:
    error: BaseException = failed
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, InspectorError)
    return error
