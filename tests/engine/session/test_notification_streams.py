"""Being told of changes: streams that are asked for, and the same wishes with a handshake."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from inspector.errors import TimedOut
from inspector.features import subscriptions
from inspector.session import notification_stream, paginated_list
from inspector.session.notification_stream import NotificationStream, StreamState
from inspector.spec.revision import V2025_11_25
from inspector.spec.subscription_filter import (
    ACKNOWLEDGED,
    KINDS,
    LISTEN,
    UPDATED,
    SubscriptionFilter,
)
from inspector.transcript.exchange import Status
from tests.support.answering import AnsweringServer, silence
from tests.support.asked import asker
from tests.support.findings import rules_of
from tests.support.http_stub import stream
from tests.support.modern import (
    ModernServer,
    always,
    complete,
    discovered,
    modern,
    modern_http,
    params_of,
)
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json, JsonObject

TAG = "io.modelcontextprotocol/subscriptionId"
TOOLS, PROMPTS, RESOURCES = KINDS
ALL: JsonObject = {
    "tools": {"listChanged": True},
    "resources": {"subscribe": True, "listChanged": True},
}


def acknowledge(server: ModernServer, agreed: Json = None, *, at: int = -1) -> Json:
    """Agree to what the client asked last, or to something else; gives the id."""
    request = server.of(LISTEN)[at]
    wanted = params_of(request)["notifications"] if agreed is None else agreed
    meta: JsonObject = {TAG: request["id"]}
    server.notify(ACKNOWLEDGED, {"notifications": wanted, "_meta": meta})
    return request["id"]


async def opened_stream(
    server: ModernServer, opened: OpenSession, wanted: SubscriptionFilter | None = None
) -> NotificationStream:
    before = len(server.of(LISTEN))
    stream_ = opened.session.listening.open(wanted or SubscriptionFilter(frozenset({TOOLS})))
    await wait_until(lambda: len(server.of(LISTEN)) > before)
    return stream_


def rules(opened: OpenSession) -> list[str]:
    return rules_of(opened.session.transcript)


async def test_a_stream_asks_for_what_is_wanted_and_tells_what_was_agreed_to() -> None:
    """C-SUB-01, C-SUB-02."""
    async with modern({LISTEN: silence}) as (server, opened):
        wanted = SubscriptionFilter(frozenset({TOOLS, PROMPTS}), ("a:1", "a:2"))
        made = await opened_stream(server, opened, wanted)
        assert params_of(server.of(LISTEN)[0])["notifications"] == {
            "toolsListChanged": True,
            "promptsListChanged": True,
            "resourceSubscriptions": ["a:1", "a:2"],
        }
        assert made.state is StreamState.OPENING
        agreed: JsonObject = {"toolsListChanged": True, "resourceSubscriptions": ["a:2"]}
        acknowledge(server, agreed)
        await made.settled()

        assert made.state is StreamState.OPEN
        assert made.acknowledged == agreed
        assert made.refused == ("promptsListChanged", "a:1")
        assert "a:1" in made.status_text
        assert rules(opened) == []


async def test_what_is_tagged_belongs_to_its_stream() -> None:
    """C-STD-12, C-SUB-03: several streams on one line are told apart by their ids."""
    async with modern({LISTEN: silence}) as (server, opened):
        first = await opened_stream(server, opened)
        second = await opened_stream(server, opened, SubscriptionFilter(uris=("a:1",)))
        ids = [acknowledge(server, at=at) for at in (0, 1)]
        server.notify(UPDATED, {"uri": "a:1/below", "_meta": {TAG: ids[1]}})
        await wait_until(lambda: second.count)

        assert (first.count, second.count) == (0, 1)
        transcript = opened.session.transcript
        exchange = transcript.exchange(transcript.count)
        assert exchange is not None
        assert exchange.request == second.request_frame
        assert rules(opened) == []


@pytest.mark.parametrize(
    ("tag", "method", "params", "rule"),
    [
        ("other", TOOLS, {}, "L-SUB-02"),
        ("{{id}}", TOOLS, {}, "L-SUB-02"),
        (None, PROMPTS, {}, "L-SUB-03"),
        (None, UPDATED, {"uri": "b:1"}, "L-SUB-03"),
        (None, UPDATED, {}, "L-SUB-03"),
    ],
)
async def test_what_does_not_belong_there_is_a_finding(
    tag: str | None, method: str, params: JsonObject, rule: str
) -> None:
    """L-SUB-02, L-SUB-03, modern-12-subscriptions-stream: shown all the same."""
    async with modern({LISTEN: silence}) as (server, opened):
        await opened_stream(server, opened)
        id_ = acknowledge(server)
        named: Json = id_ if tag is None else tag.replace("{{id}}", str(id_))
        server.notify(method, {**params, "_meta": {TAG: named}})
        await wait_until(lambda: rules(opened))

        assert rules(opened) == [rule]


async def test_an_announcement_before_the_agreement_is_a_finding() -> None:
    """L-SUB-01."""
    async with modern({LISTEN: silence}) as (server, opened):
        await opened_stream(server, opened)
        server.notify(TOOLS, {"_meta": {TAG: server.of(LISTEN)[0]["id"]}})
        await wait_until(lambda: rules(opened))

        assert rules(opened) == ["L-SUB-01"]


async def test_an_agreement_to_more_than_was_asked_is_a_finding() -> None:
    """L-SUB-05."""
    async with modern({LISTEN: silence}) as (server, opened):
        await opened_stream(server, opened)
        acknowledge(server, {"toolsListChanged": True, "promptsListChanged": True})
        await wait_until(lambda: rules(opened))

        assert rules(opened) == ["L-SUB-05"]


async def test_a_stream_never_times_out_and_is_ended_by_us_in_its_own_way() -> None:
    """C-SUB-04."""
    async with modern({LISTEN: silence, "tools/call": silence}, timeout=0.05) as (server, opened):
        made = await opened_stream(server, opened)
        id_ = acknowledge(server)
        for _ in range(2):  # each takes as long as any other request is waited for
            with pytest.raises(TimedOut):
                await opened.session.request("tools/call", {"name": "slow"})
        await made.settled()
        assert made.state is StreamState.OPEN
        made.close()
        await wait_until(lambda: len(server.of("notifications/cancelled")) == 3)

        params = server.of("notifications/cancelled")[-1]["params"]
        assert isinstance(params, dict)
        assert params["requestId"] == id_
        assert made.state is StreamState.CLOSED


async def test_a_result_ends_a_stream_in_order() -> None:
    """C-SUB-06: it is not opened again."""
    async with modern({LISTEN: silence}) as (server, opened):
        made = await opened_stream(server, opened)
        id_ = acknowledge(server)
        server.reply(server.of(LISTEN)[0], complete(_meta={TAG: id_}))
        await wait_until(lambda: made.is_ended)

        assert made.state is StreamState.ENDED
        assert len(server.of(LISTEN)) == 1


@pytest.mark.parametrize("more", [False, True])
async def test_a_cancellation_by_the_server_ends_a_stream_too(more: bool) -> None:
    """C-SUB-06: with a result after it, or without."""
    async with modern({LISTEN: silence}) as (server, opened):
        made = await opened_stream(server, opened)
        id_ = acknowledge(server)
        server.notify("notifications/cancelled", {"requestId": id_})
        if more:
            server.reply(server.of(LISTEN)[0], complete(_meta={TAG: id_}))
        await wait_until(lambda: made.is_ended)

        assert made.state is StreamState.ENDED
        assert opened.session.transcript.status(made.request_frame) is Status.CANCELLED


async def test_a_server_without_streams_is_told_of() -> None:
    """Ours."""
    async with modern() as (server, opened):
        made = await opened_stream(server, opened)
        await made.settled()

        assert made.state is StreamState.FAILED
        assert "-32601" in made.status_text


async def test_the_lists_follow_their_changes_on_one_stream(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """C-SUB-01, C-CCH-10: opened for what the server declared; the list is read again when it changed."""
    monkeypatch.setattr(paginated_list, "REFRESH_SECONDS", 0.0)
    lists: dict[str, Json] = {
        "resources/list": complete(resources=[]),
        "resources/templates/list": complete(resourceTemplates=[]),
    }
    answers = always(lists)
    found = discovered(capabilities=ALL)
    async with modern({LISTEN: silence, **answers}, discover=found) as (server, _):
        await wait_until(lambda: server.of(LISTEN))
        id_ = acknowledge(server)
        assert params_of(server.of(LISTEN)[0])["notifications"] == {
            "toolsListChanged": True,
            "resourcesListChanged": True,
        }
        before = len(server.of("tools/list"))
        server.notify(TOOLS, {"_meta": {TAG: id_}})
        await wait_until(lambda: len(server.of("tools/list")) == before + 1)


async def test_a_resource_is_watched_on_the_shared_stream() -> None:
    """C-RES-05: the new stream opens before the old one closes."""
    async with modern({LISTEN: silence}) as (server, opened):
        watched = opened.subscriptions
        asked = asyncio.ensure_future(watched.subscribe("a:1"))
        await wait_until(lambda: server.of(LISTEN))
        acknowledge(server)
        await asked
        assert watched.subscribed == {"a:1"}

        asked = asyncio.ensure_future(watched.subscribe("a:2"))
        await wait_until(lambda: len(server.of(LISTEN)) == 2)
        assert server.of("notifications/cancelled") == []
        id_ = acknowledge(server)
        await asked
        await wait_until(lambda: server.of("notifications/cancelled"))
        server.notify(UPDATED, {"uri": "a:2", "_meta": {TAG: id_}})
        await wait_until(lambda: watched.update_of("a:2"))

        asked = asyncio.ensure_future(watched.unsubscribe("a:1"))
        await wait_until(lambda: len(server.of(LISTEN)) == 3)
        acknowledge(server)
        await asked
        assert watched.subscribed == {"a:2"}


async def test_a_resource_that_the_server_does_not_agree_to_is_not_watched() -> None:
    """C-SUB-02."""
    async with modern({LISTEN: silence}) as (server, opened):
        asked = asyncio.ensure_future(opened.subscriptions.subscribe("a:1"))
        await wait_until(lambda: server.of(LISTEN))
        acknowledge(server, {})
        await asked

        assert opened.subscriptions.subscribed == set()
        assert "declined updates" in opened.subscriptions.failures["a:1"].reason


async def test_with_a_handshake_the_same_wish_is_a_request() -> None:
    """C-RES-02, C-RES-12: features ask the same way in both eras."""
    empty: JsonObject = {}
    server = AnsweringServer(
        {"resources/subscribe": lambda _: empty, "resources/unsubscribe": lambda _: empty},
        revision=V2025_11_25,
    )
    async with asker(server=server) as asking:
        session = asking.opened.session
        await asking.opened.subscriptions.subscribe("a:1")
        await asking.opened.subscriptions.unsubscribe("a:1")
        session.listening.follow(TOOLS)

        assert server.methods()[-2:] == ["resources/subscribe", "resources/unsubscribe"]
        assert session.listening.streams == []


async def test_a_stream_that_breaks_off_is_opened_again_ever_more_slowly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """C-SUB-05, modern-12-subscriptions-stream: never in a tight loop, and not for ever."""
    monkeypatch.setattr(notification_stream, "FIRST_PAUSE_SECONDS", 0.001)
    monkeypatch.setattr(notification_stream, "MAX_PAUSE_SECONDS", 0.002)
    async with modern_http({f"POST {LISTEN}": stream(": hello\n\n")}) as (stub, session):
        made = session.listening.open(SubscriptionFilter(frozenset({TOOLS})))
        await wait_until(lambda: made.is_ended)

        assert made.state is StreamState.FAILED
        assert "failed 11 times" in made.status_text
        asked = stub.said(f"POST {LISTEN}")
        assert len(asked) == notification_stream.MAX_TRIES + 1
        assert len({str(each.message["id"]) for each in asked}) == len(asked)
        assert all("last-event-id" not in each.headers for each in asked)
        assert stub.said("GET") == []


async def test_closing_a_stream_over_http_closes_its_exchange() -> None:
    """C-SUB-04."""
    waits = stream(": hello\n\n", end="hang")
    async with modern_http({f"POST {LISTEN}": waits}) as (stub, session):
        made = session.listening.open(SubscriptionFilter(frozenset({TOOLS})))
        await wait_until(lambda: stub.said(f"POST {LISTEN}"))
        before = stub.open_connections
        made.close()
        await wait_until(lambda: stub.open_connections < before)

        assert [asked.rpc for asked in stub.asked] == ["server/discover", LISTEN]


async def test_the_end_of_the_connection_ends_the_streams() -> None:
    """Ours."""
    async with modern({LISTEN: silence}) as (server, opened):
        made = await opened_stream(server, opened)
        server.end()
        await wait_until(lambda: made.is_ended)

        assert made.state is StreamState.ENDED


def test_the_method_of_updates_is_the_same_everywhere() -> None:
    """Ours."""
    assert subscriptions.UPDATED == UPDATED
