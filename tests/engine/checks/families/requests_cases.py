"""Cases of `checks.families.client_requests`, `apps` and `quality`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.keys import META, META_SERVER_INFO
from inspector.spec.revision import V2025_03_26, V2025_06_18, V2026_07_28
from tests.engine.checks.families.conversations import discover
from tests.engine.checks.families.resources_cases import prompts
from tests.engine.checks.families.tools_cases import called, listed, says, tool
from tests.support.rule_cases import Case

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.talk import Talk

MESSAGE = "Which of your calendars may be read?"


def asks(method: str, **params: Json) -> Callable[[Talk], object]:
    """A request of the server."""

    def write(talk: Talk) -> None:
        talk.received({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})

    return write


def form(message: str = MESSAGE, required: Json = None, **fields: Json) -> Callable[[Talk], object]:
    """A form with these fields."""
    schema: JsonObject = {"type": "object", "properties": fields, "required": required or []}
    return asks("elicitation/create", message=message, requestedSchema=schema)


def requires(method: str, **params: Json) -> Callable[[Talk], object]:
    """A result that requires this input."""

    def write(talk: Talk) -> None:
        talk.call(1, "get_sum")
        inputs: JsonObject = {"a": {"method": method, "params": params}}
        talk.result(1, resultType="input_required", inputRequests=inputs)

    return write


def sampling(rounds: int) -> Callable[[Talk], object]:
    """A sampling request after so many uses of tools."""
    block: JsonObject = {"type": "tool_result", "toolUseId": "a", "content": []}
    messages: list[Json] = [{"role": "user", "content": block}] * rounds
    return asks("sampling/createMessage", messages=messages, maxTokens=9, tools=[])


def url(address: str) -> Callable[[Talk], object]:
    """A URL that the user is to open."""
    return asks("elicitation/create", mode="url", message=MESSAGE, url=address, elicitationId="1")


def url_error(capabilities: JsonObject) -> Callable[[Talk], object]:
    """A call that requires a URL, by a client that declares these capabilities."""

    def write(talk: Talk) -> None:
        opened(talk, {"tools": {}}, capabilities)
        talk.call(2, "get_sum")
        talk.error(2, -32042, "Open a URL first")

    return write


def opened(
    talk: Talk,
    capabilities: JsonObject,
    declared: JsonObject | None = None,
    chosen: str = "2025-11-25",
    version: str = "1.2.3",
) -> None:
    """The handshake with a server of these capabilities."""
    talk.request(1, "initialize", protocolVersion="2025-11-25", capabilities=declared or {})
    info: Json = {"name": "sample", "version": version}
    talk.result(1, protocolVersion=chosen, capabilities=capabilities, serverInfo=info)


def offers(**capabilities: Json) -> Callable[[Talk], object]:
    """A server with these capabilities."""
    return lambda talk: opened(talk, capabilities)


def chooses(revision: str) -> Callable[[Talk], object]:
    """A server that chooses this revision."""
    return lambda talk: opened(talk, {"tools": {}}, chosen=revision)


def with_ui(ui: Json, **meta: Json) -> JsonObject:
    """A tool with a user interface."""
    return tool(_meta={**meta, **({} if ui is None else {"ui": ui})})


def for_client(extensions: JsonObject) -> Callable[[Talk], object]:
    """A list with a user interface, for a client with these extensions."""

    def write(talk: Talk) -> None:
        opened(talk, {"tools": {}}, {"extensions": extensions})
        listed(with_ui(UI))(talk)

    return write


def page(**contents: Json) -> Callable[[Talk], object]:
    """The page of a user interface."""

    def write(talk: Talk) -> None:
        talk.request(1, "resources/read", uri="ui://page")
        talk.result(1, contents=[{"uri": "ui://page", "mimeType": HTML, **contents}])

    return write


def twice(hints: JsonObject, *texts: str) -> Callable[[Talk], object]:
    """Calls of a tool with these hints, with these results."""

    def write(talk: Talk) -> None:
        listed(tool(annotations=hints))(talk)
        for number, each in enumerate(texts, 2):
            talk.call(number, "get_sum", a=1)
            talk.text_result(number, each)

    return write


def slow(seconds: float) -> Callable[[Talk], object]:
    """Twenty calls that take so long."""

    def write(talk: Talk) -> None:
        for number in range(1, 21):
            talk.call(number, "get_sum", a=number)
            talk.wait(seconds)
            talk.text_result(number, "done")

    return write


def stateless(version: str, kind: str, *names: str) -> Callable[[Talk], object]:
    """A run of a server of this version of the stateless era that lists items of these names."""

    def write(talk: Talk) -> None:
        info: Json = {META_SERVER_INFO: {"name": "sample", "version": version}}
        discover(talk, 1, capabilities={kind: {}}, **{META: info})
        talk.request(2, f"{kind}/list")
        items: list[Json] = [{"name": name, "uri": name} for name in names]
        talk.result(2, **{kind: items})

    return write


def dated(annotations: Json) -> Callable[[Talk], object]:
    """A resource with these annotations."""

    def write(talk: Talk) -> None:
        talk.request(1, "resources/list")
        talk.result(1, resources=[{"uri": "demo://a", "name": "a", "annotations": annotations}])

    return write


def questions(pause: float) -> Callable[[Talk], object]:
    """Six elicitations with so many seconds between them."""

    def write(talk: Talk) -> None:
        for _ in range(6):
            form(a={"type": "string"})(talk)
            talk.wait(pause)

    return write


def calls_that_ask(pause: float) -> Callable[[Talk], object]:
    """Six calls with so many seconds between them, each of which leads to an elicitation."""

    def write(talk: Talk) -> None:
        for id_ in range(6):
            talk.call(id_, "ask")
            form(a={"type": "string"})(talk)
            talk.wait(pause)

    return write


def with_secret(text: str) -> Callable[[Talk], object]:
    """A result of this text by a server that was given a secret."""

    def write(talk: Talk) -> None:
        talk.transcript.redaction.know(["s3cr3t-of-ours-42"])
        called(says(text))(talk)

    return write


def declaring(
    capabilities: JsonObject, write: Callable[[Talk], object]
) -> Callable[[Talk], object]:
    """A client that declares these capabilities, and then what `write` writes."""

    def both(talk: Talk) -> None:
        opened(talk, {"tools": {}}, capabilities)
        write(talk)

    return both


SAMPLING: JsonObject = {
    "messages": [{"role": "user", "content": {"type": "text", "text": "a"}}],
    "maxTokens": 9,
}
HTML = "text/html;profile=mcp-app"
UI: JsonObject = {"resourceUri": "ui://page"}
CLOSED: JsonObject = {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False}
PAGE = "<!doctype html><p>Hello</p>"
LOGIN = "https://example.com/authorize?response_type=code"

CASES = (
    Case("L-SMP-07", sampling(21), sampling(20)),
    Case("L-SMP-09", requires("sampling/createMessage", messages=[], maxTokens=1), requires("elicitation/create", message=MESSAGE), V2026_07_28),
    Case("L-ELI-05", form(a={"type": "string", "enum": ["a"], "enumNames": ["A"]}), form(a={"type": "string", "enum": ["a"]})),
    Case("L-ELI-06", form(required=["b"], a={"type": "string"}), form(required=["a"], a={"type": "string"}), name="required"),
    Case("L-ELI-06", form(a={"type": "string", "enum": ["a"], "default": "b"}), form(a={"type": "string", "enum": ["a"], "default": "a"}), name="choice"),
    Case("L-ELI-06", form(a={"type": "integer", "maximum": 5, "default": 6}), form(a={"type": "integer", "maximum": 5, "default": 5}), name="bounds"),
    Case("L-ELI-07", form(a={"type": "string", "default": "x"}), form(a={"type": "boolean", "default": True}), V2025_06_18),
    Case("L-ELI-10", requires("elicitation/create", message=MESSAGE, elicitationId="1"), requires("elicitation/create", message=MESSAGE), V2026_07_28),
    Case("L-ELI-16", url_error({"elicitation": {}}), url_error({"elicitation": {"url": {}}})),
    Case("L-ELI-17", form("Go on?"), form("Delete all files?")),
    Case("L-ELI-19", url(LOGIN + "&resource=https%3A%2F%2Fmcp.example.com"), url(LOGIN)),
    Case("L-APP-01", listed(with_ui({"resourceUri": "https://example.com"})), listed(with_ui(UI))),
    Case("L-APP-02", page(mimeType="text/html", text=PAGE), page(mimeType="text/html; profile=mcp-app", text=PAGE)),
    Case("L-APP-03", listed(with_ui(None, **{"ui/resourceUri": "ui://page"})), listed(with_ui(UI))),
    Case("L-APP-04", listed(with_ui({**UI, "visibility": "model"})), listed(with_ui({**UI, "visibility": ["model"]}))),
    Case("L-APP-04", listed(with_ui({**UI, "csp": []})), listed(with_ui({**UI, "csp": {"connectDomains": ["https://a.example"]}})), name="csp"),
    Case("L-APP-05", called({"content": [], "structuredContent": {}}, (with_ui(UI),)), called(says("Hello"), (with_ui(UI),))),
    Case("L-APP-06", page(text="<p>Hello</p>"), page(text=PAGE)),
    Case("L-APP-06", page(text=PAGE + "<script>eval('1')</script>"), page(text=PAGE + "<p>evaluate (it)</p>"), name="eval"),
    Case("L-APP-07", for_client({}), for_client({"io.modelcontextprotocol/ui": {}})),
    Case("L-Q-01", offers(logging={}), offers(logging={}, prompts={})),
    Case("L-Q-02", chooses("2025-03-26"), chooses("2025-11-25")),
    Case("L-Q-04", twice(CLOSED, "1", "2"), twice(CLOSED, "1", "1")),
    Case("L-Q-04", twice(CLOSED, "1", "2"), twice({**CLOSED, "openWorldHint": True}, "1", "2"), name="open"),
    Case("L-Q-04", twice(CLOSED, "a" * 20_000 + "1", "a" * 20_000 + "2"), twice(CLOSED, "a" * 20_000, "a" * 20_000), name="long"),
    Case("L-Q-05", called(says("caf\ufffd")), called(says("café"))),
    Case("L-Q-06", listed(tool(name="a"), tool(name="b")), listed(tool(name="a"), tool(name="b", title="B"))),
    Case("L-Q-07", slow(5.1), slow(4.9)),
    Case("L-Q-10", listed(tool(name="get sum", title=None)), prompts({"name": "get_sum"}), V2025_06_18, name="tool"),
    Case("L-ANN-04", dated({"lastModified": "2025-01-12T15:00:58Z"}), dated({"priority": 1}), V2025_03_26),
    Case("L-ELI-18", questions(1.9), questions(2.1)),
    Case("L-ELI-18", questions(0.1), calls_that_ask(0.1), name="a call each"),
    Case("L-Q-08", with_secret("Token: s3cr3t-of-ours-42"), with_secret("Token: s3cr3t-of-ours")),
    Case("L-ELI-08", declaring({"elicitation": {}}, url("https://example.com")), declaring({"elicitation": {"url": {}}}, url("https://example.com"))),
    Case("L-SMP-02", declaring({"sampling": {}}, sampling(1)), declaring({"sampling": {"tools": {}}}, sampling(1))),
    Case("L-SMP-03", asks("sampling/createMessage", **SAMPLING, includeContext="thisServer"), asks("sampling/createMessage", **SAMPLING, includeContext="none")),
    Case("L-TOOL-32", stateless("1", "tools", "a"), stateless("2", "tools", "a"), V2026_07_28, before=stateless("1", "tools", "a", "b")),
    Case("L-RES-17", stateless("1", "resources", "demo:a"), stateless("1", "resources", "demo:a", "demo:b"), V2026_07_28, before=stateless("1", "resources", "demo:a", "demo:b")),
    Case("L-PRM-08", stateless("1", "prompts", "a"), stateless("1", "prompts", "a", "b"), V2026_07_28, before=stateless("1", "prompts", "a", "b")),
)  # fmt: skip
