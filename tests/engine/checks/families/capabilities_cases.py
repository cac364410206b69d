"""Cases of `checks.families.capabilities`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.revision import V2026_07_28
from tests.engine.checks.families.conversations import connect, discover, notify
from tests.support.rule_cases import Case

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.talk import Talk

URI = "file:///notes.txt"
UPDATED = "notifications/resources/updated"


def served(method: str, result: JsonObject, **capabilities: Json) -> Callable[[Talk], object]:
    """A request that is served by a server with these capabilities."""

    def write(talk: Talk) -> None:
        connect(talk, "2025-11-25", **capabilities)
        talk.request(2, method)
        talk.result(2, **result)

    return write


def refused(
    method: str, code: int, text: str = "no", **capabilities: Json
) -> Callable[[Talk], object]:
    """A request that is refused with this code."""

    def write(talk: Talk) -> None:
        connect(talk, "2025-11-25", **capabilities)
        talk.request(2, method)
        talk.error(2, code, text)

    return write


def told(method: str, params: JsonObject, **capabilities: Json) -> Callable[[Talk], object]:
    """A notification of a server with these capabilities."""

    def write(talk: Talk) -> None:
        connect(talk, "2025-11-25", **capabilities)
        notify(talk, method, **params)

    return write


def updated(*, is_subscribed: bool, seconds: float = 0) -> Callable[[Talk], object]:
    """An update of a resource, so long after the subscription was ended."""

    def write(talk: Talk) -> None:
        connect(talk, resources={"subscribe": True})
        if is_subscribed:
            talk.request(2, "resources/subscribe", uri=URI)
            talk.result(2)
        if seconds:
            talk.request(3, "resources/unsubscribe", uri=URI)
            talk.result(3)
            talk.wait(seconds)
        notify(talk, UPDATED, uri=URI)

    return write


def changed(*, is_announced: bool = False, is_late: bool = False) -> Callable[[Talk], object]:
    """A list of prompts that has changed when it is read again, announced before, or right after it."""

    def write(talk: Talk) -> None:
        connect(talk, prompts={"listChanged": True})
        talk.request(2, "prompts/list")
        talk.result(2, prompts=[{"name": "greet"}])
        if is_announced:
            notify(talk, "notifications/prompts/list_changed")
        talk.request(3, "prompts/list")
        talk.result(3, prompts=[{"name": "greet"}, {"name": "leave"}])
        talk.wait(0.5)
        if is_late:
            notify(talk, "notifications/prompts/list_changed")
        talk.wait(10)
        talk.request(4, "prompts/list")
        talk.result(4, prompts=[{"name": "greet"}, {"name": "leave"}])

    return write


def unknown(code: int, method: str = "mine/do") -> Callable[[Talk], object]:
    """An unknown or removed method that is refused by a server of the stateless era."""

    def write(talk: Talk) -> None:
        discover(talk)
        talk.request(2, method)
        talk.error(2, code, "no")

    return write


PROMPTS: JsonObject = {"prompts": []}
VALUES: JsonObject = {"completion": {"values": []}}
EMBEDDED: JsonObject = {"content": [{"type": "resource", "resource": {"uri": URI, "text": "x"}}]}
TASK: JsonObject = {
    "task": {
        "taskId": "t",
        "status": "working",
        "createdAt": "2025-11-25T00:00:00Z",
        "lastUpdatedAt": "2025-11-25T00:00:00Z",
        "ttl": None,
    }
}
LOG: JsonObject = {"level": "info", "data": "x"}
TOOLS_CHANGED = "notifications/tools/list_changed"

CASES = (
    Case("L-CAP-01", served("prompts/list", PROMPTS), served("prompts/list", PROMPTS, prompts={})),
    Case("L-CAP-02", refused("prompts/list", -32601, prompts={}), refused("prompts/list", -32601)),
    Case(
        "L-CAP-02",
        refused("prompts/list", -32601, prompts={}),
        refused("prompts/list", -32603, prompts={}),
        name="another error",
    ),
    Case(
        "L-CAP-02",
        refused("tools/call", -32601, "Method not found: tools/call", tools={}),
        refused("tools/call", -32601, "This client does not support elicitation", tools={}),
        name="error of a tool",
    ),
    Case(
        "L-CAP-03",
        told(TOOLS_CHANGED, {}, tools={}),
        told(TOOLS_CHANGED, {}, tools={"listChanged": True}),
    ),
    Case("L-CAP-04", updated(is_subscribed=False), updated(is_subscribed=True)),
    Case(
        "L-CAP-04",
        told(UPDATED, {"uri": URI}, resources={}),
        updated(is_subscribed=True),
        name="undeclared",
    ),
    Case(
        "L-CAP-05",
        told("notifications/message", LOG),
        told("notifications/message", LOG, logging={}),
    ),
    Case(
        "L-CAP-06",
        served("completion/complete", VALUES),
        served("completion/complete", VALUES, completions={}),
    ),
    Case(
        "L-CAP-08",
        served("prompts/list", PROMPTS, prompts={}),
        served("prompts/list", {"prompts": [{"name": "greet"}]}, prompts={}),
    ),
    Case(
        "L-CAP-09",
        served("tools/call", EMBEDDED, tools={}),
        served("tools/call", EMBEDDED, tools={}, resources={}),
    ),
    Case("L-CAP-10", unknown(-32602), unknown(-32602, "ping"), V2026_07_28),
    Case(
        "L-CAP-10",
        refused("mine/do", -32602),
        refused("mine/do", -32601),
        name="of an earlier revision",
    ),
    Case(
        "L-CAP-11",
        served("tools/call", TASK, tools={}),
        served("tools/call", TASK, tools={}, tasks={}),
    ),
    Case("L-CAP-13", changed(), changed(is_announced=True)),
    Case("L-CAP-13", changed(), changed(is_late=True), name="announced after the list"),
)
