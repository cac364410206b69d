"""Cases about the stateless era, played over HTTP by a stub that answers as each case says."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.errors import InvalidResult, NegotiationFailed
from inspector.session import notification_stream
from inspector.session.notification_stream import StreamState
from inspector.session.operation import OperationState
from inspector.session.session import Session
from inspector.session.transport_factory import make_transport
from inspector.spec.revision import NEWEST, NEWEST_STATEFUL
from inspector.spec.subscription_filter import KINDS, SubscriptionFilter
from inspector.transcript.transcript import Transcript
from tests.support.corpus_stateless import Play, old_server, plays
from tests.support.findings import rules_of, validate_all
from tests.support.http_session import at, words_of
from tests.support.http_stub import HttpStub, answer, stream
from tests.support.modern import (
    always,
    complete,
    listing,
    meta_of,
    modern,
    offering,
    opened_at,
    params_of,
    said,
)
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping
    from pathlib import Path

    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import JsonObject
    from tests.support.http_stub import Rule

CALL = "POST tools/call"
OF_RESULT_TYPE = (("L-JR-23", True), ("", True), ("L-JR-24", False), ("L-JR-24", False))
"""For each variant the rule of its finding, and whether the result is good."""


def play_of(name: str) -> pytest.MarkDecorator:
    """The test takes each play of a case as `play`."""
    return pytest.mark.parametrize("play", plays(name), ids=str)


def entries(of: JsonObject, key: str) -> list[JsonObject]:
    found = of[key]
    assert isinstance(found, list)
    return [each for each in found if isinstance(each, dict)]


@asynccontextmanager
async def playing(rules: Mapping[str, Rule]) -> AsyncGenerator[tuple[HttpStub, OpenSession]]:
    """A stub that plays the rules, and a session with it whose lists are read."""
    async with HttpStub(rules, otherwise=offering) as stub, opened_at(stub) as opened:
        yield stub, opened


def rules(opened: OpenSession) -> set[str]:
    validate_all(opened.sweep)
    return set(rules_of(opened.session.transcript))


@play_of("modern-01-xheader-mirror")
async def test_annotated_arguments_are_repeated_in_headers(play: Play) -> None:
    """modern-01-xheader-mirror: told before the call, and the body is what it is."""
    arguments, wanted = play.given["args"], play.expect["sendsHeaders"]
    assert isinstance(wanted, dict)
    async with playing({"POST tools/list": listing(play.given["tool"])}) as (stub, opened):
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


@play_of("modern-02-xheader-invalid-tools")
async def test_tools_with_invalid_annotations_are_shown_and_not_called(play: Play) -> None:
    """modern-02-xheader-invalid-tools, C-HTTP-27: each with its reason, here and in the record; the user may insist."""
    tools = entries(play.given, "tools")
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
        assert made.state is OperationState.ERROR
        assert made.error is not None
        assert "'My Header'" in made.error.reason
        assert stub.said(CALL) == []

        await opened.tools.call(excluded, "{}", anyway=True).wait()
        assert len(stub.said(CALL)) == 1


@play_of("modern-02-xheader-invalid-tools")
async def test_tools_with_invalid_annotations_are_usable_where_there_are_no_headers(
    play: Play,
) -> None:
    """modern-02-xheader-invalid-tools: over stdio, annotations mean nothing."""
    tools = entries(play.given, "tools")
    listed = complete(tools=list(tools), ttlMs=0, cacheScope="private")
    async with modern(always({"tools/list": listed, "tools/call": said()})) as (_, opened):
        assert [opened.tools.excluded(tool) for tool in opened.tools.items] == [""] * 12
        made = opened.tools.call(opened.tools.items[1], "{}")
        await made.wait()
        assert made.state is OperationState.DONE


@play_of("modern-04-name-header-encoding")
async def test_names_that_headers_cannot_say_travel_in_base64(play: Play) -> None:
    """modern-04-name-header-encoding: in the header alone."""
    method, wanted = str(play.given["call"]), play.expect["sendsMcpName"]
    params: JsonObject = {key: play.given[key] for key in ("name", "uri") if key in play.given}
    async with playing({}) as (stub, opened):
        await opened.session.request(method, params)

        (asked,) = stub.said(f"POST {method}")
        # The stub trims what surrounds a value, as servers do.
        assert asked.headers["mcp-name"] == wanted
        assert params_of(asked.message) == params


@play_of("modern-06-result-type")
async def test_what_kind_of_result_it_is_decides(play: Play) -> None:
    """modern-06-result-type: an unknown kind is no success, and shown as it came."""
    rule, is_good = OF_RESULT_TYPE[play.number - 1]
    async with playing({CALL: answer({"result": play.given["result"]})}) as (_, opened):
        made = opened.tools.call(opened.tools.items[0], "{}")
        await made.wait()

        assert (made.state is OperationState.DONE) is is_good
        assert isinstance(made.error, InvalidResult) is not is_good
        found = opened.session.transcript.exchange(made.request_frame)
        assert found is not None
        assert found.response is not None
        assert rule == "" or rule in rules(opened)


@play_of("modern-07-mrtr-state-exact")
async def test_the_state_of_the_server_is_echoed_byte_for_byte(play: Play) -> None:
    """modern-07-mrtr-state-exact: two rounds under one call."""
    wanted = play.expect["sendsPartial"]
    assert isinstance(wanted, dict)
    first = answer({"result": play.given["reply1"]})
    async with playing({CALL: [first, None]}) as (stub, opened):
        made = opened.tools.call(opened.tools.items[0], '{"q":1.0}')
        await wait_until(lambda: opened.inbox.pending)
        opened.elicitation.accept(opened.inbox.pending[0], '{"n":"v"}')
        await made.wait()

        one, two = stub.said(CALL)
        assert one.message["id"] != two.message["id"]
        again = params_of(two.message)
        assert {"params": {key: again[key] for key in ("inputResponses", "requestState")}} == wanted
        assert b'"arguments":{"q":1.0}' in two.body
        found = opened.session.transcript.exchange(made.request_frame)
        assert found is not None
        assert len(found.rounds) == 2
        assert made.state is OperationState.DONE


@play_of("modern-09-no-session-no-get")
async def test_neither_sessions_nor_resuming_are_taken_up(play: Play) -> None:
    """modern-09-no-session-no-get."""
    pieces = [str(piece["text"]) for piece in entries(play.given, "sse")]
    lost = stream(*pieces, Mcp_Session_Id="zzz")
    async with playing({CALL: lost}) as (stub, opened):
        made = opened.tools.call(opened.tools.items[0], "{}")
        await made.wait()
        assert made.state is OperationState.NO_RESPONSE
        await opened.aclose()

        assert {asked.verb for asked in stub.asked} == {"POST"}
        sent = {name for asked in stub.asked for name in asked.headers}
        assert sent.isdisjoint({"mcp-session-id", "last-event-id"})
        assert len(words_of(opened.session, "session-ignored")) == 1


@play_of("modern-11-meta-required")
async def test_every_request_carries_its_metadata(play: Play) -> None:
    """modern-11-meta-required: protocol version, name and capabilities, and the headers that repeat them."""
    steps = {key: value for step in entries(play.given, "steps") for key, value in step.items()}
    assert list(steps) == ["list", "call", "readResource"]
    async with playing({}) as (stub, opened):
        await opened.tools.call(opened.tools.items[0], "{}").wait()
        await opened.reads.read(str(steps["readResource"])).wait()

        asked_for = {asked.rpc for asked in stub.asked}
        assert {"tools/list", "tools/call", "resources/read"} <= asked_for
        assert "initialize" not in asked_for
        for asked in stub.asked:
            meta = {key.rpartition("/")[2]: each for key, each in meta_of(asked.message).items()}
            assert {"protocolVersion", "clientInfo", "clientCapabilities"} <= set(meta)
            assert asked.headers["mcp-protocol-version"] == meta["protocolVersion"] == NEWEST.date
            assert asked.headers["mcp-method"] == asked.rpc


@play_of("modern-12-subscriptions-stream")
async def test_a_stream_of_announcements_survives_what_does_not_belong_there(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """modern-12-subscriptions-stream: flagged, and opened again after a pause when it died."""
    monkeypatch.setattr(notification_stream, "FIRST_PAUSE_SECONDS", 30.0)
    pieces: list[str | float] = []
    for piece in entries(play.given, "listen"):
        if "text" in piece:
            pieces.append(str(piece["text"]))
        if "json" in piece:
            text = json.dumps(piece["json"]).replace('"{{id}}"', "{{id}}")
            pieces.append(f"data: {text}\n\n")
    async with playing({"POST subscriptions/listen": stream(*pieces, 0.05)}) as (stub, opened):
        made = opened.session.listening.open(SubscriptionFilter(frozenset(KINDS)))
        await wait_until(lambda: made.state is StreamState.LOST)

        assert made.status_text.endswith("reopening in 30 s")
        assert len(stub.said("POST subscriptions/listen")) == 1
        assert {"L-SUB-02", "L-PRG-01"} <= rules(opened)
        assert opened.session.state == "connected"


@play_of("lifecycle-09-discover-fallbacks")
async def test_old_servers_are_greeted_whatever_they_make_of_the_question(
    play: Play, tmp_path: Path
) -> None:
    """lifecycle-09-discover-fallbacks: real processes, one of which has to be started again."""
    started = tmp_path / "started"
    session = Session(old_server(play, started), Transcript(), make_transport)
    try:
        await session.connect()

        assert session.revision == NEWEST_STATEFUL
        ends = play.given["reply"] == "process exits with code 1"
        assert len(started.read_text()) == (2 if ends else 1)
        names = [step.name for step in session.steps]
        assert any("without server/discover" in name for name in names) is ends
    finally:
        await session.aclose()


@play_of("lifecycle-10-discover-unsupported-version")
async def test_a_modern_server_without_a_revision_in_common_is_not_greeted(play: Play) -> None:
    """lifecycle-10-discover-unsupported-version."""
    reply = play.given["reply"]
    assert isinstance(reply, dict)
    for status in (200, 400):
        async with HttpStub({"POST server/discover": answer(reply, status=status)}) as stub:
            session = Session(replace(at(stub.url), revision=""), Transcript(), make_transport)
            with pytest.raises(NegotiationFailed) as failure:
                await session.connect()
            await session.aclose()

            assert "2027-01-01" in failure.value.reason
            assert NEWEST.date in failure.value.reason
            assert [asked.rpc for asked in stub.asked] == ["server/discover"]
