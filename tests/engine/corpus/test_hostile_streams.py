"""Streams of announcements that are odd in every way: nothing waits for ever, nothing is lost, and what is wrong is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.errors import TimedOut
from inspector.session import notification_stream
from inspector.session.notification_stream import NotificationStream, StreamState
from inspector.spec.subscription_filter import (
    ACKNOWLEDGED,
    KINDS,
    LISTEN,
    UPDATED,
    SubscriptionFilter,
)
from tests.support.answering import silence
from tests.support.findings import findings_of, protocol_rules, validate_all
from tests.support.http_stub import answer, reply, result_event, stream
from tests.support.modern import ModernServer, complete, modern, modern_http
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.http_stub import Reply

TAG = "io.modelcontextprotocol/subscriptionId"
TOOLS, PROMPTS, _ = KINDS
WANTED = SubscriptionFilter(frozenset({TOOLS}), ("a:1",))
PLACE = "/params/notifications"


async def opened_stream(
    server: ModernServer, opened: OpenSession
) -> tuple[NotificationStream, Json]:
    """A stream that was asked for, and its id."""
    made = opened.session.listening.open(WANTED)
    await wait_until(lambda: server.of(LISTEN))
    return made, server.of(LISTEN)[0]["id"]


def findings(opened: OpenSession, since: int = 1) -> list[tuple[str, str]]:
    """Rules and places of all findings, every frame judged."""
    validate_all(opened.sweep)
    return [
        (found.rule, found.pointer)
        for found in findings_of(opened.session.transcript, since=since)
        if protocol_rules([found.rule])
    ]


async def all_came(opened: OpenSession) -> None:
    """Wait until what the server sent so far is recorded."""
    await opened.session.request("tools/list")


AGREED: list[tuple[Json, list[str]]] = [
    (None, [PLACE]),
    ([], [PLACE]),
    ("all", [PLACE]),
    ({"toolsListChanged": "yes"}, [f"{PLACE}/toolsListChanged"]),
    ({"toolsListChanged": 1}, [f"{PLACE}/toolsListChanged"]),
    ({"resourceSubscriptions": "a:1"}, [f"{PLACE}/resourceSubscriptions"]),
    ({"resourceSubscriptions": [1, {}]}, [f"{PLACE}/resourceSubscriptions/{n}" for n in (0, 1)]),
    ({"toolsListChanged": False}, []),
]


@pytest.mark.parametrize(("agreed", "places"), AGREED)
async def test_an_agreement_of_any_shape_agrees_to_what_it_says(
    agreed: Json, places: list[str]
) -> None:
    """C-SUB-02, L-JR-30: shown as it came; only true agrees."""
    async with modern({LISTEN: silence}) as (server, opened):
        made, id_ = await opened_stream(server, opened)
        server.notify(ACKNOWLEDGED, {"notifications": agreed, "_meta": {TAG: id_}})
        await made.settled()

        assert made.state is StreamState.OPEN
        assert made.acknowledged == agreed
        assert made.refused == ("toolsListChanged", "a:1")
        assert [place for _, place in findings(opened)] == places


async def test_the_latest_agreement_counts() -> None:
    """Ours: agreed to twice, and the second time to something else."""
    async with modern({LISTEN: silence}) as (server, opened):
        made, id_ = await opened_stream(server, opened)
        for agreed in ("toolsListChanged", "toolsListChanged", "promptsListChanged"):
            params: JsonObject = {"notifications": {agreed: True}, "_meta": {TAG: id_}}
            server.notify(ACKNOWLEDGED, params)
        await all_came(opened)

        assert made.state is StreamState.OPEN
        assert made.refused == ("toolsListChanged", "a:1")
        assert [rule for rule, _ in findings(opened)] == ["L-SUB-05"]


@pytest.mark.parametrize("tag", [None, 999, "2", "other", {}, [], True, 2.0, ""])
async def test_a_tag_that_names_no_stream_agrees_to_nothing(tag: Json) -> None:
    """L-SUB-02."""
    async with modern({LISTEN: silence}) as (server, opened):
        made, _ = await opened_stream(server, opened)
        for method in (ACKNOWLEDGED, TOOLS, UPDATED):
            params: JsonObject = {"notifications": {}, "uri": "a:1", "_meta": {TAG: tag}}
            server.notify(method, params)
        await all_came(opened)

        assert (made.state, made.count) == (StreamState.OPENING, 0)
        assert [rule for rule, _ in findings(opened)].count("L-SUB-02") == 3


@pytest.mark.parametrize("method", [TOOLS, UPDATED, ACKNOWLEDGED])
@pytest.mark.parametrize("more", [{}, {"_meta": {}}, {"_meta": {"x/y": 1}}])
async def test_an_announcement_without_a_tag_is_found(method: str, more: JsonObject) -> None:
    """L-SUB-02: in this era nothing is announced that was not asked for."""
    async with modern({LISTEN: silence}) as (server, opened):
        made, _ = await opened_stream(server, opened)
        server.notify(method, {"uri": "a:1", "notifications": {}, **more})
        await all_came(opened)

        assert made.state is StreamState.OPENING
        assert ("L-SUB-02", "/params/_meta") in findings(opened)


async def test_a_server_that_never_agrees_keeps_nobody_waiting() -> None:
    """C-SUB-01: the stream stays open, and a late agreement counts."""
    async with modern({LISTEN: silence}, timeout=0.1) as (server, opened):
        watched = opened.subscriptions
        await watched.subscribe("a:1")
        assert watched.subscribed == set()
        assert isinstance(watched.failures["a:1"], TimedOut)
        assert "no subscription acknowledgement within 0.1 s" in watched.failures["a:1"].reason
        assert watched.busy == set()
        made = opened.session.listening.streams[-1]
        assert made.state is StreamState.OPENING

        request = server.of(LISTEN)[-1]
        agreed: JsonObject = {"resourceSubscriptions": ["a:1"]}
        server.notify(ACKNOWLEDGED, {"notifications": agreed, "_meta": {TAG: request["id"]}})
        await made.settled()
        await watched.subscribe("a:1")
        assert watched.subscribed == {"a:1"}
        assert len(server.of(LISTEN)) == 1
        await watched.unsubscribe("a:1")
        assert watched.subscribed == set()


@pytest.mark.parametrize(
    ("result", "state", "rule"),
    [
        (complete(), StreamState.ENDED, "L-SUB-07"),
        (complete(_meta={TAG: 99}), StreamState.ENDED, "L-SUB-07"),
        ({"resultType": "partial"}, StreamState.FAILED, "L-JR-24"),
        ({"resultType": "input_required", "requestState": "s"}, StreamState.FAILED, "L-MRTR-02"),
        ([], StreamState.ENDED, "L-JR-21"),
        (7, StreamState.ENDED, "L-JR-21"),
        (None, StreamState.ENDED, "L-JR-21"),
    ],
)
async def test_an_odd_result_ends_a_stream_with_a_finding(
    result: Json, state: StreamState, rule: str
) -> None:
    """C-SUB-06: and it is not asked for again."""
    async with modern({LISTEN: lambda _: result}) as (server, opened):
        made, _ = await opened_stream(server, opened)
        await wait_until(lambda: made.is_ended)

        assert made.state is state
        assert rule in [found for found, _ in findings(opened)]
        assert len(server.of(LISTEN)) == 1


REFUSED: JsonObject = {"error": {"code": -32601, "message": "no"}}
JSON_STREAM = stream('{"jsonrpc":"2.0","id":{{id}},"result":{}}')


@pytest.mark.parametrize(
    ("how", "state", "text"),
    [
        (answer({"result": complete()}), StreamState.ENDED, "ended by the server"),
        (stream(result_event()), StreamState.ENDED, "ended by the server"),
        (answer(REFUSED, status=404), StreamState.FAILED, "-32601"),
        (reply(202), StreamState.FAILED, "accepted the request but sent no response"),
        (reply(404, b"<h1>no</h1>", "text/html"), StreamState.FAILED, "<h1>no</h1>"),
        (reply(200, b"<h1>hi</h1>", "text/html"), StreamState.FAILED, "<h1>hi</h1>"),
        (reply(500), StreamState.FAILED, "HTTP 500"),
        (stream(), StreamState.LOST, "reopening in 30 s"),
        (stream("data: {\n\n"), StreamState.LOST, "reopening in 30 s"),
        (JSON_STREAM, StreamState.LOST, 'not an event stream: {"jsonrpc"'),
    ],
)
async def test_whatever_answers_over_http_leaves_a_stream_in_a_state_with_words(
    how: Reply, state: StreamState, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-SUB-05, C-SUB-06: it is opened again only where it broke off."""
    monkeypatch.setattr(notification_stream, "FIRST_PAUSE_SECONDS", 30.0)
    async with modern_http({f"POST {LISTEN}": how}) as (stub, session):
        made = session.listening.open(WANTED)
        await wait_until(lambda: made.is_ended or made.state is StreamState.LOST)

        assert made.state is state
        assert text in made.status_text
        assert len(stub.said(f"POST {LISTEN}")) == 1
        assert (await session.request("tools/list")).message.result
