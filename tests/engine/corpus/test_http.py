"""Cases about streamable HTTP."""

from __future__ import annotations

import time

import pytest

from inspector.errors import ConnectFailed, HttpStatus, InspectorError, PeerError, SessionExpired
from inspector.session.session_state import SessionState
from inspector.wire.frame import Channel, Direction
from tests.support.corpus_http import era_variants, played, variants
from tests.support.http_session import call, notes, texts, words_of
from tests.support.wait import patience, wait_until


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        (name, variant)
        for name in ("http-01-notification-200-empty", "http-03-notification-202-body")
        for variant in variants(name)
    ],
)
async def test_a_notification_may_be_taken_in_any_way(name: str, variant: int) -> None:
    """Ours."""
    async with played(name, variant) as (_, session):
        await session.connect()
        await call(session)

        assert "failed" not in [event for event, _ in notes(session)]
        assert session.transcript.counts.problems == 0


@pytest.mark.parametrize("variant", variants("http-05-get-refused-variants"))
async def test_a_server_without_a_stream_is_used_without(variant: int) -> None:
    """C-HTTP-07."""
    async with played("http-05-get-refused-variants", variant) as (stub, session):
        await session.connect()
        await wait_until(lambda: words_of(session, "no-server-stream"))
        await session.request("tools/list")

        (text,) = words_of(session, "no-server-stream")
        assert text.startswith("no server stream (status ")
        assert len(stub.said("GET")) == 1
        assert session.state is SessionState.READY


async def test_a_stream_that_never_begins_holds_up_nothing() -> None:
    """C-HTTP-07."""
    async with played("http-07-get-hangs") as (_, session):
        await session.connect()
        await session.request("tools/list")


async def test_a_session_that_is_gone_is_followed_by_a_new_one_and_nothing_is_repeated() -> None:
    """C-HTTP-15, C-HTTP-42."""
    async with played("http-08-session-404") as (stub, session):
        await session.connect()
        with pytest.raises(SessionExpired) as failure:
            await call(session)
        assert "may run twice" in failure.value.hint
        assert len(stub.said("POST tools/call")) == 1

        await call(session)
        assert len(stub.said("POST initialize")) == 2


async def test_a_new_session_that_is_gone_as_well_is_the_last_one() -> None:
    """C-HTTP-15."""
    async with played("http-09-session-404-again") as (stub, session):
        await session.connect()
        for _ in range(2):
            with pytest.raises(SessionExpired):
                await call(session)

        assert session.state is SessionState.CLOSED
        assert "session expired" in session.closed_reason
        assert len(stub.said("POST initialize")) == 2


async def test_a_server_without_sessions_is_never_sent_one() -> None:
    """C-HTTP-14."""
    async with played("http-12-no-session-stale-header") as (stub, session):
        await session.connect()
        await call(session)
        await session.aclose()

        assert all("mcp-session-id" not in asked.headers for asked in stub.asked)
        assert stub.said("DELETE") == []


@pytest.mark.parametrize("variant", variants("http-13-delete-405"))
@pytest.mark.alone
async def test_leaving_takes_less_than_two_seconds(variant: int) -> None:
    """C-HTTP-16."""
    async with played("http-13-delete-405", variant) as (stub, session):
        await session.connect()
        started = time.monotonic()
        await session.aclose()

        assert time.monotonic() - started < patience(2)
        assert session.failure is None
        assert len(stub.said("DELETE")) == 1


@pytest.mark.parametrize("revision", era_variants("http-14-array-body"))
async def test_a_body_of_several_messages_ends_the_call(revision: str) -> None:
    """Decision: read leniently in every revision."""
    async with played("http-14-array-body", revision=revision) as (_, session):
        await session.connect()
        done = await session.request("tools/list")

        assert done.message.result == {"tools": []}


@pytest.mark.parametrize("variant", variants("http-20-content-type-forms"))
async def test_media_types_are_read_as_they_are_meant(variant: int) -> None:
    """Ours."""
    async with played("http-20-content-type-forms", variant) as (_, session):
        await session.connect()

        assert (await session.request("tools/list")).message.result == {"tools": []}


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        (1, ("HTTP 502", "text/html", "502 Bad Gateway")),
        (2, ("HTTP 200", "text/html", "<html>login</html>")),
        (3, ("HTTP 413",)),
        (4, ("HTTP 429", "Retry-After: 7 s", "slow down")),
        (5, ("HTTP 503", "Retry-After: Wed, 21 Oct 2026 07:28:00 GMT")),
    ],
)
async def test_pages_of_a_proxy_are_quoted(variant: int, said: tuple[str, ...]) -> None:
    """Ours."""
    async with played("http-22-html-error-pages", variant) as (stub, session):
        await session.connect()
        with pytest.raises(HttpStatus) as failure:
            await session.request("tools/list")

        assert [text for text in said if text not in failure.value.reason] == []
        assert len(stub.said("POST tools/list")) == 1


@pytest.mark.parametrize("variant", variants("http-23-error-status-with-rpc"))
async def test_an_error_in_json_rpc_is_the_answer(variant: int) -> None:
    """C-HTTP-43."""
    async with played("http-23-error-status-with-rpc", variant) as (_, session):
        await session.connect()
        with pytest.raises(PeerError, match="Unknown tool"):
            await call(session)

        assert session.state is SessionState.READY
        heads = texts(session, Channel.HTTP, Direction.RECEIVED)
        assert any(head.startswith(f"HTTP/1.1 {[400, 404, 500][variant - 1]}") for head in heads)


async def test_a_refusal_names_the_revisions_to_try() -> None:
    """Decision 8: the older transport is tried too, and both tries are told."""
    async with played("http-24-version-refused-early") as (_, session):
        with pytest.raises(InspectorError) as failure:
            await session.connect()

        assert "version not known here; we speak 2025-06-18" in failure.value.reason
        assert "HTTP+SSE" in failure.value.reason
        assert "2025-06-18" in failure.value.hint


async def test_headers_that_cannot_be_sent_are_told_one_by_one() -> None:
    """Ours."""
    async with played("http-30-custom-headers") as (stub, session):
        with pytest.raises(ConnectFailed) as failure:
            await session.connect()

        for name in ("Authorization", "Bad Name", "X-Nl"):
            assert name in failure.value.reason
        assert stub.asked == []


async def test_one_call_that_fails_is_no_matter_for_the_next() -> None:
    """Ours."""
    async with played("http-31-failed-call-does-not-block") as (_, session):
        await session.connect()
        with pytest.raises(HttpStatus, match="boom"):
            await call(session)
        await call(session)
