"""Cases of `checks.families.resources`, `resource_errors` and `prompts`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.revision import V2026_07_28
from tests.support.rule_cases import Case

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.talk import Talk

URI = "demo://report"


def resource(**members: Json) -> JsonObject:
    """A resource that breaks nothing, but for these members; None leaves one out."""
    whole: JsonObject = {
        "uri": URI,
        "name": "report",
        "description": "The report of today.",
        "mimeType": "text/plain",
        **members,
    }
    return {key: value for key, value in whole.items() if value is not None}


def listed(*resources: JsonObject) -> Callable[[Talk], object]:
    """A list of these resources."""

    def write(talk: Talk) -> None:
        talk.request(1, "resources/list")
        talk.result(1, resources=[*resources])

    return write


def read(
    answer: JsonObject, resources: tuple[JsonObject, ...] = (resource(),)
) -> Callable[[Talk], object]:
    """Reading of the report, listed as one of `resources`, with these contents, or with the error in the member `error`."""

    def write(talk: Talk) -> None:
        listed(*resources)(talk)
        talk.request(2, "resources/read", uri=URI)
        if "error" in answer:
            talk.received({"jsonrpc": "2.0", "id": 2, **answer})
        else:
            talk.result(2, contents=[{"uri": URI, **answer}])

    return write


def error(code: int, message: str, data: Json = None) -> JsonObject:
    """An error of the protocol."""
    whole: JsonObject = {"code": code, "message": message}
    return {"error": whole if data is None else {**whole, "data": data}}


def updated(uri: str, *, ended: bool = False, after_s: float = 0.0) -> Callable[[Talk], object]:
    """An update of `uri`, while `demo://a` is subscribed to, or after that was ended."""

    def write(talk: Talk) -> None:
        talk.request(1, "resources/subscribe", uri="demo://a")
        if ended:
            talk.request(2, "resources/unsubscribe", uri="demo://a")
        talk.wait(after_s)
        method = "notifications/resources/updated"
        talk.received({"jsonrpc": "2.0", "method": method, "params": {"uri": uri}})

    return write


PROMPT: JsonObject = {
    "name": "greet",
    "title": "Greet",
    "description": "Greets somebody.",
    "arguments": [{"name": "name", "description": "Whom.", "required": True}],
}


def prompts(*items: JsonObject) -> Callable[[Talk], object]:
    """A list of these prompts."""

    def write(talk: Talk) -> None:
        talk.request(1, "prompts/list")
        talk.result(1, prompts=[*items])

    return write


def rendered(
    content: JsonObject, arguments: JsonObject | None = None, prompt: str = "greet"
) -> Callable[[Talk], object]:
    """A prompt of this content, or with the error in its member `error`."""

    def write(talk: Talk) -> None:
        prompts(PROMPT)(talk)
        given: JsonObject = {"name": "Ada"} if arguments is None else arguments
        talk.request(2, "prompts/get", name=prompt, arguments=given)
        if "error" in content:
            talk.received({"jsonrpc": "2.0", "id": 2, **content})
        else:
            talk.result(2, messages=[{"role": "user", "content": content}])

    return write


def text(body: str) -> JsonObject:
    """A text."""
    return {"type": "text", "text": body}


def embedded(**members: Json) -> JsonObject:
    """An embedded resource."""
    return {"type": "resource", "resource": {"uri": URI, "text": "x", **members}}


MISSING = "Resource not found"
BLOB = "aGVsbG8gd29ybGQ="  # hello world
BINARY = "iVBORw0KGgoAAAAN"

CASES = (
    Case("L-RES-04", listed(resource(description=None)), listed(resource(title=None))),
    Case("L-RES-04", listed(resource(mimeType=None)), listed(resource()), name="type"),
    Case("L-RES-06", read({"text": "x", "mimeType": "text/html"}), read({"text": "x", "mimeType": "text/plain; charset=utf-8"})),
    Case("L-RES-07", read({"text": "a\0b"}), read({"text": "a\tb"})),
    Case("L-RES-07", read({"blob": BLOB, "mimeType": "text/plain"}), read({"blob": BINARY, "mimeType": "text/plain"}), name="blob"),
    Case("L-RES-08", read(error(-32001, MISSING)), read(error(-32602, MISSING, {"uri": URI})), V2026_07_28),
    Case("L-RES-09", read(error(0, MISSING)), read(error(-32002, MISSING))),
    Case("L-RES-09", read(error(0, f"{URI}: not found")), read(error(0, "Database connection failed: host not found")), name="host"),
    Case("L-RES-08", read(error(0, f"No such file: {URI}")), read(error(0, "Unknown error in a resource")), V2026_07_28, name="address"),
    Case("L-RES-11", read(error(-32602, MISSING)), read(error(-32602, MISSING, {"uri": URI})), V2026_07_28),
    Case("L-RES-13", read(error(-32002, MISSING)), read(error(-32002, MISSING), (resource(uri="demo://other"),))),
    Case("L-RES-14", read({"blob": BLOB}, (resource(size=12),)), read({"blob": BLOB}, (resource(size=11),))),
    Case("L-RES-15", updated("demo://b"), updated("demo://a/child")),
    Case("L-RES-16", updated("demo://a", ended=True, after_s=3), updated("demo://a", ended=True, after_s=1)),
    Case("L-RES-19", listed(resource(uri="file:///home/ada/.ssh/config")), listed(resource(uri="file:///home/ada/ssh/config"))),
    Case("L-RES-20", read(error(-32000, "Internal error while reading")), read(error(-32603, "Internal error while reading"))),
    Case("L-RES-21", listed(resource()), listed(resource(title="Report"))),
    Case("L-PRM-10", prompts({**PROMPT, "title": ""}), prompts({**PROMPT, "title": "Greet"})),
    Case("L-PRM-02", prompts({**PROMPT, "description": ""}), prompts(PROMPT)),
    Case("L-PRM-02", prompts({**PROMPT, "arguments": [{"name": "a"}]}), prompts({**PROMPT, "arguments": []}), name="argument"),
    Case("L-PRM-05", rendered(embedded()), rendered(embedded(mimeType="text/plain"))),
    Case("L-PRM-06", rendered(error(-32000, "Unknown prompt"), prompt="bye"), rendered(error(-32602, "Unknown prompt"), prompt="bye")),
    Case("L-PRM-06", rendered(error(-32000, "name is required"), {}), rendered(error(-32000, "name is required by the database")), name="argument"),
    Case("L-PRM-07", rendered(text("Hello, "), {}), rendered(text("Hello, Ada"))),
    Case("L-PRM-09", rendered(text("Hello, {{name}}")), rendered(text("Write {{ title }} in the template."))),
    Case("L-Q-10", prompts({**PROMPT, "name": "greet a friend", "title": ""}), prompts({**PROMPT, "name": "greet a friend"})),
)  # fmt: skip
