"""Every request that a client may send, except `tools/call`, which `server.py` runs on a thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo import completion, prompts, resources, tasks, tools
from inspector.demo.conversation import LEVELS
from inspector.demo.failure import INVALID_PARAMS, RpcError
from inspector.demo.lifecycle import initialize

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inspector.demo.conversation import Conversation
    from inspector.wire.jsontext import JsonObject


def _ping(conversation: Conversation, params: JsonObject) -> JsonObject:
    del conversation, params
    return {}


def _set_level(conversation: Conversation, params: JsonObject) -> JsonObject:
    level = params.get("level")
    if not isinstance(level, str) or level not in LEVELS:
        raise RpcError(INVALID_PARAMS, f"Unknown log level: {level}", {"known": [*LEVELS]})
    conversation.level = level
    return {}


METHODS: Mapping[str, Callable[[Conversation, JsonObject], JsonObject]] = {
    "initialize": initialize,
    "ping": _ping,
    "logging/setLevel": _set_level,
    "tools/list": tools.listed,
    "resources/list": resources.listed,
    "resources/templates/list": resources.templates,
    "resources/read": resources.read,
    "resources/subscribe": resources.subscribe,
    "resources/unsubscribe": resources.unsubscribe,
    "prompts/list": prompts.listed,
    "prompts/get": prompts.get,
    "completion/complete": completion.complete,
    "tasks/get": tasks.get,
    "tasks/result": tasks.result,
    "tasks/list": tasks.listed,
    "tasks/cancel": tasks.cancel,
}
