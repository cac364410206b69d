"""What a request of the stateless era brings as answers to questions that its earlier rounds asked.

A request that needs more ends with a result that asks for it, and runs again from its beginning when the client sends it again: each question
then finds its answer at once. Answers of earlier rounds travel in the state, which is sealed and bound to the request.

Source: basic/patterns/mrtr.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.meta import INPUT_REQUIRED
from inspector.demo.request_errors import INVALID_PARAMS, InputRequired, RpcError
from inspector.demo.request_state import digest, opened, sealed
from inspector.demo.schema import record, string
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.wire.json_codec import Json, JsonObject

ASKING = ("tools/call", "prompts/get", "resources/read")
"""Requests that may ask."""

_OF_ROUND = ("_meta", "inputResponses", "requestState")
"""What differs from round to round."""


class Asked(FrozenStruct, frozen=True):
    """One question for the client."""

    method: str
    """Its method."""
    params: JsonObject
    """Its params."""

    def entry(self) -> JsonObject:
        """As it stands in `inputRequests`."""
        return {"method": self.method, "params": self.params}


ROOTS = Asked("roots/list", {})


def form(message: str, name: str, title: str) -> Asked:
    """A question for the user, with one text to fill in."""
    schema = record({name: string(title, title=title)}, name)
    return Asked("elicitation/create", {"message": message, "requestedSchema": schema})


def prompt(text: str) -> Asked:
    """A question for the model."""
    message: JsonObject = {"role": "user", "content": {"type": "text", "text": text}}
    return Asked("sampling/createMessage", {"messages": [message], "maxTokens": 50})


class Inputs:
    """The answers that one request brings."""

    def __init__(self, method: str, params: JsonObject, secret: bytes) -> None:
        """Read them; `secret` seals the state.

        Raises:
            RpcError: they are no answers, or the state is not ours.
        """
        self._secret = secret
        self._subject = digest([method, {k: v for k, v in params.items() if k not in _OF_ROUND}])
        self.round, self._answers = self._remembered(params)
        given = params.get("inputResponses", {})
        if not isinstance(given, dict):
            raise RpcError(INVALID_PARAMS, "inputResponses must be an object")
        self._answers |= {key: value for key, value in given.items() if isinstance(value, dict)}

    def demand(
        self, questions: Mapping[str, Asked], *, remember: bool = False
    ) -> dict[str, JsonObject]:
        """The answers to all of `questions`; `remember` hands out state even where nothing need be kept.

        Raises:
            InputRequired: some are missing.
        """
        missing = {key: asked for key, asked in questions.items() if key not in self._answers}
        if not missing:
            return {key: self._answers[key] for key in questions}
        requested: JsonObject = {key: asked.entry() for key, asked in missing.items()}
        result: JsonObject = {"resultType": INPUT_REQUIRED, "inputRequests": requested}
        if remember or self._answers:
            result["requestState"] = self._state()
        raise InputRequired(result)

    def put_off(self, rounds: int) -> None:
        """Ask the client to come again, with nothing but the state, until it did so `rounds` times.

        Raises:
            InputRequired: it did not come often enough.
        """
        if self.round < rounds:
            raise InputRequired({"resultType": INPUT_REQUIRED, "requestState": self._state()})

    def _state(self) -> str:
        kept: JsonObject = {
            "round": self.round + 1,
            "subject": self._subject,
            "answers": {**self._answers},
        }
        return sealed(kept, self._secret)

    def _remembered(self, params: JsonObject) -> tuple[int, dict[str, JsonObject]]:
        """How often this was asked before, and what was answered."""
        if "requestState" not in params:
            return 0, {}
        text = params["requestState"]
        state = opened(text, self._secret) if isinstance(text, str) else None
        if state is None:
            raise RpcError(INVALID_PARAMS, "requestState was changed, or is too old")
        if state["subject"] != self._subject:
            raise RpcError(INVALID_PARAMS, "requestState belongs to another request")
        number, answers = state["round"], state["answers"]
        assert isinstance(number, int)
        assert isinstance(answers, dict)
        return number, {key: value for key, value in answers.items() if isinstance(value, dict)}


def inputs_of(method: Json, params: JsonObject, secret: bytes) -> Inputs | None:
    """The answers that a request brings; None if it may not ask.

    Raises:
        RpcError: they are no answers, or the state is not ours.
    """
    return Inputs(method, params, secret) if isinstance(method, str) and method in ASKING else None
