"""Cases about HTTP and event streams, played by a server without a handshake."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from inspector.checks.background_validator import BackgroundValidator
from inspector.errors import HttpStatus, PeerError, ResponseLost
from inspector.session.session_state import SessionState
from inspector.spec.revision import NEWEST
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import MessageKind
from tests.support.corpus_http import played_stateless
from tests.support.corpus_stateless import Play, plays
from tests.support.findings import rules_of, validate_all
from tests.support.http_session import call, texts

if TYPE_CHECKING:
    from inspector.session.session import Session
    from inspector.wire.json_codec import JsonObject

LIST = "POST tools/list"
STREAMS = plays(
    "sse-01-crlf",
    "sse-02-crlf-split",
    "sse-05-priming-event",
    "sse-06-comments-keepalive",
    "sse-07-multi-data-lines",
    "sse-09-field-order-and-spaces",
    "sse-11-multibyte-split",
    "sse-14-sse-body-parsed-as-json",
)
NOT_STATELESS = plays(
    "http-01-notification-200-empty",
    "http-03-notification-202-body",
    "http-05-get-refused-variants",
    "http-07-get-hangs",
    "http-12-no-session-stale-header",
    "http-13-delete-405",
)
OF_PROXIES = {
    1: ("HTTP 502", "text/html", "502 Bad Gateway"),
    2: ("HTTP 200", "text/html", "<html>login</html>"),
    3: ("HTTP 413",),
    4: ("HTTP 429", "Retry-After: 7 s", "slow down"),
    5: ("HTTP 503", "Retry-After: Wed, 21 Oct 2026 07:28:00 GMT"),
}
"""For each variant of the case about proxies what is quoted."""


def rules(session: Session) -> set[str]:
    """The rules of all findings, every frame judged."""
    validate_all(BackgroundValidator(session.transcript, NEWEST))
    return set(rules_of(session.transcript))


@pytest.mark.parametrize("play", STREAMS, ids=str)
async def test_a_list_is_read_from_any_proper_stream(play: Play) -> None:
    """WHATWG HTML, "Server-sent events"; sse-01 to sse-14."""
    async with played_stateless(play) as (stub, session):
        done = await session.request("tools/list")

        result = cast("JsonObject", done.message.result)
        listed = cast("list[JsonObject]", result["tools"])
        assert [tool["name"] for tool in listed] == names(play)
        assert [tool.get("description") for tool in listed] in ([], [None], ["🎉"])
        assert session.transcript.counts.problems == 0
        assert MessageKind.MALFORMED not in session.transcript.columns.kind
        assert len(stub.said(LIST)) == 1


def names(play: Play) -> list[str]:
    """The tools that a case about streams lists."""
    shows = str(play.expect["shows"])
    return ["a"] if "tool a" in shows or "🎉" in shows else []


@pytest.mark.parametrize("play", plays("sse-12-closes-before-response"), ids=str)
async def test_a_stream_that_closes_early_is_lost_and_not_resumed(play: Play) -> None:
    """sse-12-closes-before-response: what changes nothing is sent once more, under a new id; never in a loop."""
    async with played_stateless(play) as (stub, session):
        with pytest.raises(ResponseLost) as failure:
            await session.request("tools/list")

        assert "ended without a response" in failure.value.reason
        assert "Resend the request" in failure.value.hint
        one, two = stub.said(LIST)
        assert one.message["id"] != two.message["id"]
        assert {asked.verb for asked in stub.asked} == {"POST"}
        assert all("last-event-id" not in asked.headers for asked in stub.asked)
        assert session.state is SessionState.READY


@pytest.mark.parametrize("play", plays("http-14-array-body"), ids=str)
async def test_a_body_of_several_messages_ends_the_call_with_a_finding(play: Play) -> None:
    """http-14-array-body: the answer is used, at once."""
    async with played_stateless(play) as (stub, session):
        done = await session.request("tools/list")

        assert done.message.result == {"tools": []}
        assert "L-JR-15" in rules(session)
        assert len(stub.said(LIST)) == 1


@pytest.mark.parametrize("play", NOT_STATELESS, ids=str)
async def test_nothing_is_sent_that_the_era_does_not_have(play: Play) -> None:
    """http-01 to http-13: neither the handshake, nor GET for a stream, nor DELETE for a session."""
    async with played_stateless(play) as (stub, session):
        await call(session)
        await session.request("tools/list")
        await session.aclose()

        assert {asked.verb for asked in stub.asked} == {"POST"}
        assert [asked.rpc for asked in stub.asked] == [
            "server/discover",
            "tools/call",
            "tools/list",
        ]
        assert all("mcp-session-id" not in asked.headers for asked in stub.asked)
        assert session.failure is None


@pytest.mark.parametrize("play", plays("http-08-session-404"), ids=str)
async def test_a_404_is_the_answer_to_one_call(play: Play) -> None:
    """http-08-session-404: there is no session that could be gone."""
    async with played_stateless(play) as (stub, session):
        with pytest.raises(PeerError, match="session gone"):
            await call(session)
        await call(session)

        assert len(stub.said("POST tools/call")) == 2
        assert stub.said("POST initialize") == []


@pytest.mark.parametrize("play", plays("http-09-session-404-again"), ids=str)
async def test_a_404_without_a_body_fails_one_call_each_time(play: Play) -> None:
    """http-09-session-404-again: nothing is opened anew, and nothing is sent again."""
    async with played_stateless(play) as (stub, session):
        for number in (1, 2):
            with pytest.raises(HttpStatus, match="HTTP 404"):
                await call(session)
            assert len(stub.said("POST tools/call")) == number

        assert session.state is SessionState.READY


@pytest.mark.parametrize("play", plays("http-20-content-type-forms"), ids=str)
async def test_media_types_are_read_as_they_are_meant(play: Play) -> None:
    """http-20-content-type-forms."""
    async with played_stateless(play) as (_, session):
        assert (await session.request("tools/list")).message.result == {"tools": []}


@pytest.mark.parametrize("play", plays("http-22-html-error-pages"), ids=str)
async def test_pages_of_a_proxy_are_quoted(play: Play) -> None:
    """http-22-html-error-pages: and nothing is sent again by itself."""
    async with played_stateless(play) as (stub, session):
        with pytest.raises(HttpStatus) as failure:
            await session.request("tools/list")

        wanted = OF_PROXIES[play.number]
        assert [text for text in wanted if text not in failure.value.reason] == []
        assert len(stub.said(LIST)) == 1


@pytest.mark.parametrize("play", plays("http-23-error-status-with-rpc"), ids=str)
async def test_an_error_in_json_rpc_is_the_answer(play: Play) -> None:
    """http-23-error-status-with-rpc: with the status beside it."""
    async with played_stateless(play) as (_, session):
        with pytest.raises(PeerError, match="Unknown tool"):
            await call(session)

        assert session.state is SessionState.READY
        heads = texts(session, Channel.HTTP, Direction.RECEIVED)
        status = cast("JsonObject", play.given["respond"])["status"]
        assert any(head.startswith(f"HTTP/1.1 {status}") for head in heads)


@pytest.mark.parametrize("play", plays("http-31-failed-call-does-not-block"), ids=str)
async def test_one_call_that_fails_is_no_matter_for_the_next(play: Play) -> None:
    """http-31-failed-call-does-not-block."""
    async with played_stateless(play) as (_, session):
        with pytest.raises(HttpStatus, match="boom"):
            await call(session)
        await call(session)
