"""Servers without a handshake: one in memory that answers by method, and what a proper one does over HTTP."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.config.profile import Profile
from inspector.features.client_capabilities import ClientCapabilities, declared
from inspector.inbox import Inbox
from inspector.open_session import OpenSession
from inspector.session.session import Session
from inspector.session.transport_factory import make_transport
from inspector.spec.revision import NEWEST
from inspector.spec.views.tool import ToolView
from inspector.transcript.transcript import Transcript
from tests.support.answering import AnsweringServer, tool
from tests.support.asked import Asker, client_side
from tests.support.http_session import at, connected
from tests.support.http_stub import TOOL, HttpStub, Reply, answer, reply

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping

    from inspector.features.tools import ToolCall
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.answering import Answer
    from tests.support.http_stub import Asked, Rule

EVERYTHING: JsonObject = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
"""All that a client can declare."""


def discovered(
    *versions: str, capabilities: JsonObject | None = None, name: str = "modern"
) -> JsonObject:
    """The answer to `server/discover`."""
    return {
        "resultType": "complete",
        "supportedVersions": [*(versions or (NEWEST.date,))],
        "capabilities": {"tools": {}} if capabilities is None else capabilities,
        "ttlMs": 0,
        "cacheScope": "private",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": name, "version": "1"}},
    }


def complete(**more: Json) -> JsonObject:
    """A complete result."""
    return {"resultType": "complete", **more}


def said(text: str = "called") -> JsonObject:
    """What a tool gives."""
    return complete(content=[{"type": "text", "text": text}])


def asks(state: str | None = None, /, **requests: Json) -> JsonObject:
    """A result that asks for input: methods, or whole requests, by key."""
    found: JsonObject = {"resultType": "input_required"}
    if requests:
        found["inputRequests"] = {
            key: {"method": each} if isinstance(each, str) else each
            for key, each in requests.items()
        }
    return {**found, "requestState": state} if state is not None else found


def form(message: str = "m") -> JsonObject:
    """A question for the user."""
    schema: JsonObject = {"type": "object", "properties": {"n": {"type": "string"}}}
    return {
        "method": "elicitation/create",
        "params": {"message": message, "requestedSchema": schema},
    }


def always(results: Mapping[str, Json]) -> dict[str, Answer]:
    """One and the same result for each method."""

    def answering(result: Json) -> Answer:
        return lambda _: result

    return {method: answering(result) for method, result in results.items()}


class ModernServer(AnsweringServer):
    """Answers each request at once; `discover` is what it says of itself."""

    def __init__(
        self, answers: dict[str, Answer] | None = None, *, discover: JsonObject | None = None
    ) -> None:
        found = discovered() if discover is None else discover
        empty = complete(tools=[], ttlMs=0, cacheScope="private")
        own: dict[str, Answer] = {"server/discover": lambda _: found, "tools/list": lambda _: empty}
        super().__init__({**own, **(answers or {})})
        del self.answers["initialize"]

    def of(self, method: str) -> list[JsonObject]:
        """The client's messages of one method."""
        return [message for message in self.received if message.get("method") == method]


@asynccontextmanager
async def modern(
    answers: dict[str, Answer] | None = None,
    *,
    declares: JsonObject | None = None,
    discover: JsonObject | None = None,
    server: ModernServer | None = None,
    name: str = "modern",
    timeout: float = 5,
) -> AsyncGenerator[tuple[ModernServer, OpenSession]]:
    """A connected session with such a server, or with the one given, and everything that answers beside it."""
    server = server or ModernServer(answers, discover=discover)
    profile = Profile(name=name, command="modern", timeout_seconds=timeout)
    session = Session(profile, Transcript(), server.connect)
    session.client_capabilities = EVERYTHING if declares is None else declares
    opened = OpenSession(profile, session, client_side(), Inbox())
    try:
        await opened.connect()
        yield server, opened
    finally:
        await opened.aclose()


def proper(asked: Asked) -> Reply:
    """What a proper server of the stateless era does over HTTP."""
    if asked.verb != "POST":
        return reply(405, allow="POST")
    results: dict[str, JsonObject] = {
        "server/discover": discovered(),
        "tools/list": complete(tools=[TOOL], ttlMs=0, cacheScope="private"),
        "tools/call": said(),
    }
    if asked.rpc not in results:
        return answer({"error": {"code": -32601, "message": "Method not found"}}, status=404)
    return answer({"result": results[asked.rpc]})


def listing(*tools: Json) -> Reply:
    """A list of tools."""
    return answer({"result": complete(tools=list(tools), ttlMs=0, cacheScope="private")})


def offering(asked: Asked) -> Reply:
    """A proper server that offers everything."""
    results: dict[str, JsonObject] = {
        "server/discover": discovered(capabilities={"tools": {}, "resources": {}, "prompts": {}}),
        "resources/list": complete(resources=[], ttlMs=0, cacheScope="private"),
        "resources/templates/list": complete(resourceTemplates=[], ttlMs=0, cacheScope="private"),
        "resources/read": complete(contents=[], ttlMs=0, cacheScope="private"),
        "prompts/list": complete(prompts=[], ttlMs=0, cacheScope="private"),
        "prompts/get": complete(messages=[]),
    }
    return answer({"result": results[asked.rpc]}) if asked.rpc in results else proper(asked)


@asynccontextmanager
async def modern_http(
    rules: Mapping[str, Rule] | None = None,
    *,
    otherwise: Callable[[Asked], Reply] = proper,
    revision: str = "",
) -> AsyncGenerator[tuple[HttpStub, Session]]:
    """A stub that plays the rules, and a session that is connected to it."""
    async with (
        HttpStub(rules, otherwise=otherwise) as stub,
        connected(replace(at(stub.url), revision=revision)) as session,
    ):
        yield stub, session


@asynccontextmanager
async def opened_http(
    rules: Mapping[str, Rule] | None = None,
    *,
    otherwise: Callable[[Asked], Reply] = proper,
    revision: str = "",
) -> AsyncGenerator[OpenSession]:
    """A session over HTTP with its lists read, and everything that answers beside it."""
    async with (
        HttpStub(rules, otherwise=otherwise) as stub,
        opened_at(stub, revision=revision) as opened,
    ):
        yield opened


@asynccontextmanager
async def opened_at(stub: HttpStub, *, revision: str = "") -> AsyncGenerator[OpenSession]:
    """The same with a stub that is there."""
    profile = replace(at(stub.url), revision=revision)
    session = Session(profile, Transcript(), make_transport)
    session.client_capabilities = EVERYTHING
    opened = OpenSession(profile, session, client_side(), Inbox())
    try:
        await opened.connect()
        yield opened
    finally:
        await opened.aclose()


def meta_of(message: JsonObject) -> JsonObject:
    """What a request says of itself."""
    params = message["params"]
    assert isinstance(params, dict)
    meta = params["_meta"]
    assert isinstance(meta, dict)
    return meta


def params_of(message: JsonObject) -> JsonObject:
    """The params of a message without what it says of itself."""
    params = message["params"]
    assert isinstance(params, dict)
    return {key: value for key, value in params.items() if key != "_meta"}


class RoundsAsker(Asker):
    """A server that asks through its results: each question is asked by a call of its own, which the client makes at once."""

    def __init__(self, server: ModernServer, opened: OpenSession) -> None:
        super().__init__(server, opened)
        self.calls: list[ToolCall] = []
        """Those calls, in order."""
        self._questions: dict[str, JsonObject] = {}
        server.answers["tools/call"] = self._answer

    def ask(self, id_: Json, method: str, params: Json = None) -> None:
        """Have a call made whose result asks."""
        request: JsonObject = {"method": method}
        self._questions[f"ask {id_}"] = request if params is None else {**request, "params": params}
        self.calls.append(self.opened.tools.call(ToolView(tool(f"ask {id_}")), "{}"))

    def answers(self, id_: Json) -> list[JsonObject]:
        """What came back for it, as if it were a response."""
        calls = [message["params"] for message in self.server.received if "method" in message]
        mine = [p for p in calls if isinstance(p, dict) and p.get("name") == f"ask {id_}"]
        given = [params["inputResponses"] for params in mine if "inputResponses" in params]
        return [{"result": each["k"]} for each in given if isinstance(each, dict)]

    def _answer(self, params: JsonObject) -> Json:
        name = str(params["name"])
        return said() if "inputResponses" in params else asks(k=self._questions[name])


@asynccontextmanager
async def rounds_asker(
    *, name: str = "asking", declares: JsonObject | None = None
) -> AsyncGenerator[RoundsAsker]:
    """Like `asker`, without a handshake."""
    switched_on = declared(ClientCapabilities().switches, NEWEST)
    async with modern(name=name, declares=declares or switched_on) as (server, opened):
        yield RoundsAsker(server, opened)
