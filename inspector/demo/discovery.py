"""`server/discover`: what we are and can, at any time; and wrong answers to it, on request.

Source: server/discover; basic/versioning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.lifecycle import capabilities_of, instructions_of
from inspector.demo.meta import HEADER_MISMATCH, UNSUPPORTED_VERSION
from inspector.demo.request_errors import INTERNAL_ERROR, METHOD_NOT_FOUND, RpcError
from inspector.spec.revision import REVISIONS, STATELESS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inspector.demo.conversation import Conversation
    from inspector.wire.json_codec import Json, JsonObject

STRANGE = "the-day-after"
"""A revision that does not exist."""

OLDER: list[Json] = [revision.date for revision in REVISIONS if revision.stateful]


def discover(conversation: Conversation, params: JsonObject) -> JsonObject:
    """`server/discover`."""
    del params
    fault = FAULTS.get(conversation.options.discovery)
    answer: JsonObject = {
        "supportedVersions": [revision.date for revision in STATELESS],
        "capabilities": capabilities_of(conversation.revision),
        "instructions": instructions_of(conversation.revision),
    }
    return answer if fault is None else fault(conversation, answer)


def _older(conversation: Conversation, answer: JsonObject) -> JsonObject:
    del conversation
    return {**answer, "supportedVersions": OLDER}


def _strange(conversation: Conversation, answer: JsonObject) -> JsonObject:
    del conversation
    return {**answer, "supportedVersions": [STRANGE]}


def _empty(conversation: Conversation, answer: JsonObject) -> JsonObject:
    del conversation, answer
    return {}


def _unsupported(conversation: Conversation, answer: JsonObject) -> JsonObject:
    del answer
    asked = conversation.revision.date
    data: JsonObject = {"supported": [STRANGE], "requested": asked}
    raise RpcError(UNSUPPORTED_VERSION, f"Unsupported protocol version: {asked}", data)


def _only_older(conversation: Conversation, answer: JsonObject) -> JsonObject:
    del answer
    asked = conversation.revision.date
    data: JsonObject = {"supported": OLDER, "requested": asked}
    raise RpcError(UNSUPPORTED_VERSION, f"Unsupported protocol version: {asked}", data)


def _capability(conversation: Conversation, answer: JsonObject) -> JsonObject:
    conversation.require("elicitation", "server/discover", part="form")
    return answer


def _mismatch(conversation: Conversation, answer: JsonObject) -> JsonObject:
    del conversation, answer
    raise RpcError(HEADER_MISMATCH, "The headers do not say what the body says")


def _unknown(conversation: Conversation, answer: JsonObject) -> JsonObject:
    del conversation, answer
    raise RpcError(METHOD_NOT_FOUND, "Unknown method: server/discover")


def _broken(conversation: Conversation, answer: JsonObject) -> JsonObject:
    del conversation, answer
    raise RpcError(INTERNAL_ERROR, "Internal error: no answer today")


FAULTS: Mapping[str, Callable[[Conversation, JsonObject], JsonObject]] = {
    "older": _older,
    "strange": _strange,
    "empty": _empty,
    "refuse_strange": _unsupported,
    "refuse_older": _only_older,
    "capability": _capability,
    "mismatch": _mismatch,
    "unknown": _unknown,
    "broken": _broken,
}
"""Wrong answers by name, for the switch."""
