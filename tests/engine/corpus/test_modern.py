"""Cases about the stateless era, played over HTTP by a stub that answers as each case says."""

from __future__ import annotations

import json
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from inspector.ask import Inbox
from inspector.errors import InvalidAnswer, NegotiationFailed
from inspector.features.tool_call import CallState
from inspector.library.profile import Profile, with_
from inspector.session import listen_stream
from inspector.session.listen_stream import StreamState
from inspector.session.session import Session
from inspector.session.transports import make_transport
from inspector.spec.listen_filter import KINDS, ListenFilter
from inspector.spec.revision import NEWEST, NEWEST_STATEFUL
from inspector.transcript.transcript import Transcript
from inspector.workspace import OpenSession
from tests.support.asked import client_side
from tests.support.corpus import case
from tests.support.http_session import at, words_of
from tests.support.http_stub import Asked, HttpStub, Reply, answer, stream
from tests.support.modern import (
    EVERYTHING,
    always,
    complete,
    discovered,
    meta_of,
    modern,
    params_of,
    proper,
    said,
)
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping
    from pathlib import Path

    from inspector.wire.jsontext import Json, JsonObject
    from tests.support.http_stub import Rule

CALL = "POST tools/call"
OFFERS: JsonObject = {"tools": {}, "resources": {}, "prompts": {}}


def given(name: str) -> JsonObject:
    found = case(name)["input"]
    assert isinstance(found, dict)
    return found


def expected(name: str) -> JsonObject:
    found = case(name)["expect"]
    assert isinstance(found, dict)
    return found


def entries(of: JsonObject, key: str = "variants") -> list[JsonObject]:
    found = of[key]
    assert isinstance(found, list)
    return [each for each in found if isinstance(each, dict)]


def listing(*tools: Json) -> Reply:
    return answer({"result": complete(tools=list(tools), ttlMs=0, cacheScope="private")})


def server(asked: Asked) -> Reply:
    """A proper server that offers everything."""
    results: dict[str, JsonObject] = {
        "server/discover": discovered(capabilities=OFFERS),
        "resources/list": complete(resources=[], ttlMs=0, cacheScope="private"),
        "resources/templates/list": complete(resourceTemplates=[], ttlMs=0, cacheScope="private"),
        "resources/read": complete(contents=[], ttlMs=0, cacheScope="private"),
        "prompts/list": complete(prompts=[], ttlMs=0, cacheScope="private"),
        "prompts/get": complete(messages=[]),
    }
    return answer({"result": results[asked.rpc]}) if asked.rpc in results else proper(asked)


@asynccontextmanager
async def playing(rules: Mapping[str, Rule]) -> AsyncGenerator[tuple[HttpStub, OpenSession]]:
    """A stub that plays the rules, and a session with it whose lists are read."""
    async with HttpStub(rules, otherwise=server) as stub:
        profile = with_(at(stub.url), revision="")
        session = Session(profile, Transcript(), make_transport)
        session.client_capabilities = EVERYTHING
        opened = OpenSession(profile, session, client_side(), Inbox())
        try:
            await opened.connect()
            yield stub, opened
        finally:
            await opened.aclose()


def rules_of(opened: OpenSession) -> set[str]:
    while opened.sweep.waiting:
        opened.sweep.judge_some()
    transcript = opened.session.transcript
    frames = range(1, transcript.count + 1)
    return {found.rule for number in frames for found in transcript.findings(number)}


@pytest.mark.parametrize("number", range(7))
async def test_annotated_arguments_are_repeated_in_headers(number: int) -> None:
    """modern-01-xheader-mirror: told before the call, and the body is what it is."""
    name = "modern-01-xheader-mirror"
    arguments = entries(given(name))[number]["args"]
    wanted = entries(expected(name))[number]["sendsHeaders"]
    assert isinstance(wanted, dict)
    async with playing({"POST tools/list": listing(given(name)["tool"])}) as (stub, opened):
        (tool,) = opened.tools.items
        text = json.dumps(arguments)
        foretold = opened.tools.headers_of(tool, text)
        await opened.tools.call(tool, text).wait()

        (asked,) = stub.said(CALL)
        repeated = {n: v for n, v in asked.pairs if n.lower().startswith("mcp-param-")}
        assert {n.lower(): v for n, v in repeated.items()} == {
            n.lower(): v for n, v in wanted.items()
        }
        assert params_of(asked.message) == {"name": "route", "arguments": arguments}
        assert asked.headers["mcp-name"] == "route"
        assert asked.headers["mcp-method"] == "tools/call"
        for mirror in foretold.headers:
            assert asked.headers[mirror.name.lower()] == mirror.value


async def test_tools_with_invalid_annotations_are_shown_and_not_called() -> None:
    """modern-02-xheader-invalid-tools, C-HTTP-27: each with its reason, here and in the record; the person may insist."""
    tools = entries(given("modern-02-xheader-invalid-tools"), "tools")
    async with playing({"POST tools/list": listing(*tools)}) as (stub, opened):
        assert [tool.name for tool in opened.tools.items] == [tool["name"] for tool in tools]
        usable = [t.name for t in opened.tools.items if not opened.tools.excluded(t)]
        assert usable == ["good", "nested_ok"]
        excluded = next(tool for tool in opened.tools.items if tool.name == "space")
        assert "'My Header'" in opened.tools.excluded(excluded)
        assert {found.rule for found in excluded.header_problems} == {"L-TOOL-38"}
        transcript = opened.session.transcript
        notes = [raw for raw in transcript.raws(1, transcript.count + 1) if b"is excluded" in raw]
        assert len(notes) == len(tools) - len(usable)
        assert any(b"space is excluded" in note and b"'My Header'" in note for note in notes)

        made = opened.tools.call(excluded, "{}")
        await made.wait()
        assert made.state is CallState.ERROR
        assert made.error is not None
        assert "'My Header'" in made.error.words
        assert stub.said(CALL) == []

        await opened.tools.call(excluded, "{}", anyway=True).wait()
        assert len(stub.said(CALL)) == 1


async def test_tools_with_invalid_annotations_are_usable_where_there_are_no_headers() -> None:
    """modern-02-xheader-invalid-tools: over stdio, annotations mean nothing."""
    tools = entries(given("modern-02-xheader-invalid-tools"), "tools")
    listed = complete(tools=list(tools), ttlMs=0, cacheScope="private")
    async with modern(always({"tools/list": listed, "tools/call": said()})) as (_, opened):
        assert [opened.tools.excluded(tool) for tool in opened.tools.items] == [""] * 12
        made = opened.tools.call(opened.tools.items[1], "{}")
        await made.wait()
        assert made.state is CallState.DONE


@pytest.mark.parametrize("number", range(4))
async def test_names_that_headers_cannot_say_travel_in_base64(number: int) -> None:
    """modern-04-name-header-encoding: in the header alone."""
    name = "modern-04-name-header-encoding"
    variant = entries(given(name))[number]
    wanted = entries(expected(name))[number]["sendsMcpName"]
    method = str(variant["call"])
    params: JsonObject = {key: variant[key] for key in ("name", "uri") if key in variant}
    async with playing({}) as (stub, opened):
        await opened.session.request(method, params)

        (asked,) = stub.said(f"POST {method}")
        # The stub trims what surrounds a value, as servers do.
        assert asked.headers["mcp-name"] == wanted
        assert params_of(asked.message) == params


@pytest.mark.parametrize(
    ("number", "rule", "is_good"),
    [(0, "L-JR-23", True), (1, "", True), (2, "L-JR-24", False), (3, "L-JR-24", False)],
)
async def test_what_kind_of_result_it_is_decides(number: int, rule: str, is_good: bool) -> None:
    """modern-06-result-type: an unknown kind is no success, and shown as it came."""
    result = entries(given("modern-06-result-type"))[number]["result"]
    async with playing({CALL: answer({"result": result})}) as (_, opened):
        made = opened.tools.call(opened.tools.items[0], "{}")
        await made.wait()

        assert (made.state is CallState.DONE) is is_good
        assert isinstance(made.error, InvalidAnswer) is not is_good
        found = opened.session.transcript.exchange(made.request_frame)
        assert found is not None
        assert found.response is not None
        assert rule == "" or rule in rules_of(opened)


async def test_the_state_of_the_server_is_echoed_byte_for_byte() -> None:
    """modern-07-mrtr-state-exact: two rounds under one call."""
    name = "modern-07-mrtr-state-exact"
    wanted = expected(name)["sendsPartial"]
    assert isinstance(wanted, dict)
    first = answer({"result": given(name)["reply1"]})
    async with playing({CALL: [first, None]}) as (stub, opened):
        made = opened.tools.call(opened.tools.items[0], '{"q":1.0}')
        await wait_until(lambda: opened.inbox.waiting)
        opened.elicitation.accept(opened.inbox.waiting[0], '{"n":"v"}')
        await made.wait()

        one, two = stub.said(CALL)
        assert one.message["id"] != two.message["id"]
        again = params_of(two.message)
        assert {"params": {key: again[key] for key in ("inputResponses", "requestState")}} == wanted
        assert b'"arguments":{"q":1.0}' in two.body
        found = opened.session.transcript.exchange(made.request_frame)
        assert found is not None
        assert len(found.rounds) == 2
        assert made.state is CallState.DONE


async def test_neither_sessions_nor_resuming_are_taken_up() -> None:
    """modern-09-no-session-no-get."""
    pieces = [str(piece["text"]) for piece in entries(given("modern-09-no-session-no-get"), "sse")]
    lost = stream(*pieces, Mcp_Session_Id="zzz")
    async with playing({CALL: lost}) as (stub, opened):
        made = opened.tools.call(opened.tools.items[0], "{}")
        await made.wait()
        assert made.state is CallState.LOST
        await opened.aclose()

        assert {asked.verb for asked in stub.asked} == {"POST"}
        sent = {name for asked in stub.asked for name in asked.headers}
        assert sent.isdisjoint({"mcp-session-id", "last-event-id"})
        assert len(words_of(opened.session, "session-ignored")) == 1


async def test_every_request_carries_its_metadata() -> None:
    """modern-11-meta-required: protocol version, name and capabilities, and the headers that repeat them."""
    async with playing({}) as (stub, opened):
        await opened.tools.call(opened.tools.items[0], "{}").wait()
        reading = opened.reads.read("a:1")
        await reading.wait()

        asked_for = {asked.rpc for asked in stub.asked}
        assert {"tools/list", "tools/call", "resources/read"} <= asked_for
        assert "initialize" not in asked_for
        for asked in stub.asked:
            meta = {key.rpartition("/")[2]: each for key, each in meta_of(asked.message).items()}
            assert {"protocolVersion", "clientInfo", "clientCapabilities"} <= set(meta)
            assert asked.headers["mcp-protocol-version"] == meta["protocolVersion"] == NEWEST.date
            assert asked.headers["mcp-method"] == asked.rpc


async def test_a_stream_of_announcements_survives_what_does_not_belong_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """modern-12-subscriptions-stream: flagged, and opened again after a pause when it died."""
    monkeypatch.setattr(listen_stream, "FIRST_PAUSE_SECONDS", 30.0)
    pieces: list[str | float] = []
    for piece in entries(given("modern-12-subscriptions-stream"), "listen"):
        if "text" in piece:
            pieces.append(str(piece["text"]))
        if "json" in piece:
            pieces.append(f"data: {json.dumps(piece['json'])}\n\n")
    async with playing({"POST subscriptions/listen": stream(*pieces, 0.05)}) as (stub, opened):
        made = opened.session.listening.open(ListenFilter(frozenset(KINDS)))
        await wait_until(lambda: made.state is StreamState.LOST)

        assert made.words.endswith("opened again in 30 s")
        assert len(stub.said("POST subscriptions/listen")) == 1
        assert {"L-SUB-02", "progress-token"} <= rules_of(opened)
        assert opened.session.state == "connected"


async def test_an_empty_cursor_is_a_cursor() -> None:
    """list-01-cursor-empty-modern: C-PAG-06."""
    pages = entries(given("list-01-cursor-empty-modern"), "pages")

    def page(params: JsonObject) -> Json:
        found = next(each for each in pages if each["cursor"] == params.get("cursor"))
        names = found["tools"]
        assert isinstance(names, list)
        tools: list[Json] = [{"name": n, "inputSchema": {"type": "object"}} for n in names]
        more: JsonObject = {"nextCursor": found["nextCursor"]} if "nextCursor" in found else {}
        return complete(tools=tools, ttlMs=0, cacheScope="private", **more)

    async with modern({"tools/list": page}) as (stub, opened):
        assert [tool.name for tool in opened.tools.items] == ["a", "b", "c"]
        assert [params_of(each) for each in stub.of("tools/list")] == [{}, {"cursor": ""}]


FALLBACK = """
import json, os, sys
how, started = sys.argv[1:3]
open(started, "a").write("x")
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "server/discover":
        if how == "exit":
            os._exit(1)
        if how.startswith("-"):
            error = {"code": int(how), "message": "no"}
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}), flush=True)
        if how == "without id":
            error = {"code": -32600, "message": "no"}
            print(json.dumps({"jsonrpc": "2.0", "error": error}), flush=True)
    elif message.get("method") == "initialize":
        version = message["params"]["protocolVersion"]
        who = {"name": "old", "version": "1"}
        result = {"protocolVersion": version, "capabilities": {}, "serverInfo": who}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""
HOWS = ["-32601", "-32602", "-32000", "silence", "exit", "without id"]


@pytest.mark.parametrize("how", HOWS)
async def test_old_servers_are_greeted_whatever_they_make_of_the_question(
    how: str, tmp_path: Path
) -> None:
    """lifecycle-09-discover-fallbacks: real processes, one of which has to be started again."""
    assert len(entries(given("lifecycle-09-discover-fallbacks"))) == len(HOWS)
    started = tmp_path / "started"
    profile = Profile(
        name="old",
        command=sys.executable,
        args=("-I", "-S", "-c", FALLBACK, how, str(started)),
        timeout_seconds=1 if how in {"silence", "without id"} else 5,
    )
    session = Session(profile, Transcript(), make_transport)
    try:
        await session.connect()

        assert session.revision == NEWEST_STATEFUL
        assert len(started.read_text()) == (2 if how == "exit" else 1)
        names = [step.name for step in session.steps]
        assert any("without the question" in name for name in names) is (how == "exit")
    finally:
        await session.aclose()


async def test_a_modern_server_without_a_revision_in_common_is_not_greeted() -> None:
    """lifecycle-10-discover-unsupported-version."""
    reply = given("lifecycle-10-discover-unsupported-version")["reply"]
    assert isinstance(reply, dict)
    for status in (200, 400):
        async with HttpStub({"POST server/discover": answer(reply, status=status)}) as stub:
            session = Session(with_(at(stub.url), revision=""), Transcript(), make_transport)
            with pytest.raises(NegotiationFailed) as failure:
                await session.connect()
            await session.aclose()

            assert "2027-01-01" in failure.value.words
            assert NEWEST.date in failure.value.words
            assert [asked.rpc for asked in stub.asked] == ["server/discover"]
