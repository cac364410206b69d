"""Every request that a client may send, in a session and alone, and what answers it.

`tools/call` is not answered here, `server.py` runs it on a thread; nor is `subscriptions/listen`, which is not answered until it ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo import completion, extension_tasks, prompts, resources, tasks, tools
from inspector.demo.conversation import LEVELS
from inspector.demo.discovery import discover
from inspector.demo.lifecycle import initialize
from inspector.demo.request_errors import INVALID_PARAMS, RpcError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inspector.demo.conversation import Conversation
    from inspector.wire.json_codec import JsonObject


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
"""In a session."""

STATELESS_METHODS: Mapping[str, Callable[[Conversation, JsonObject], JsonObject] | None] = {
    "server/discover": discover,
    "tools/list": tools.listed,
    "tools/call": None,
    "resources/list": resources.listed,
    "resources/templates/list": resources.templates,
    "resources/read": resources.read,
    "prompts/list": prompts.listed,
    "prompts/get": prompts.get,
    "completion/complete": completion.complete,
    "tasks/get": extension_tasks.get,
    "tasks/update": extension_tasks.update,
    "tasks/cancel": extension_tasks.cancel,
    "subscriptions/listen": None,
}
"""Where every request stands alone; None for what is not answered here."""
