"""Redirects: what is said of those that are not followed, and which credentials go along with those that are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.errors import InspectorError
from inspector.wire.frame import Channel, Direction
from tests.support.http_session import at, call, connected, session_of, texts, words_of
from tests.support.http_stub import HttpStub, reply, stream

if TYPE_CHECKING:
    from tests.support.http_stub import Rule


async def refusal_of(url: str) -> InspectorError:
    async with session_of(at(url)) as session:
        with pytest.raises(InspectorError) as failure:
            await session.connect()
        return failure.value


BEARER = (("Authorization", "Bearer ours"),)


@pytest.mark.parametrize("status", [301, 302, 303])
@pytest.mark.parametrize(
    ("location", "why", "hint"),
    [
        ("/v2/mcp", "has moved", "/v2/mcp"),
        ("/mcp/", "slash", "/mcp/"),
        ("/login?next=/mcp", "login page", "authorization"),
        ("/oauth2/start", "login page", "authorization"),
    ],
)
async def test_a_redirect_that_loses_the_body_is_told_with_the_likely_cause(
    location: str, why: str, hint: str, status: int
) -> None:
    """RFC 9110, section 15.4.3: nothing is sent without its body."""
    async with HttpStub({"POST /mcp": reply(status, location=location)}) as stub:
        async with session_of(at(stub.url)) as session:
            with pytest.raises(InspectorError) as failure:
                await session.connect()

        assert f"HTTP {status} Reason" in failure.value.reason
        assert why in failure.value.reason
        assert location in failure.value.reason
        assert hint in failure.value.hint
        assert len(stub.asked) == 1


async def test_a_redirect_from_http_to_https_offers_the_address() -> None:
    """http-17: and nothing is sent there."""
    async with HttpStub() as stub:
        target = stub.url.replace("http:", "https:")
        stub.play("POST", reply(308, location=target))
        async with session_of(at(stub.url)) as session:
            with pytest.raises(InspectorError) as failure:
                await session.connect()

        assert target in failure.value.hint
        assert "https" in failure.value.hint


async def test_credentials_in_a_redirect_do_not_replace_ours() -> None:
    """C-SEC-14: part of an address that the server chose is no credential."""
    async with HttpStub() as stub:
        place = stub.origin.replace("//", "//user:hidden@")
        moved = reply(307, location=f"{place}/v3")
        stub.play("POST /mcp", moved)
        stub.play("GET /mcp", moved)
        async with connected(replace(at(stub.url), headers=BEARER)) as session:
            await call(session)

            (said,) = words_of(session, "redirected")
            assert "hidden" not in said
            sent = texts(session, Channel.HTTP, Direction.SENT)
            assert not any("Basic" in head for head in sent)
        there = [asked for asked in stub.asked if asked.path == "/v3"]
        assert there
        assert {asked.headers["authorization"] for asked in there} == {"Bearer ours"}


async def test_credentials_in_the_endpoint_event_do_not_replace_ours() -> None:
    """C-SSE-03."""
    async with HttpStub() as stub:
        place = stub.origin.replace("//", "//user:hidden@")
        message = (
            'data: {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05",'
            '"capabilities":{},"serverInfo":{"name":"old","version":"1"}}}\n\n'
        )
        opened = stream(f"event: endpoint\ndata: {place}/messages\n\n", 0.05, message, end="hang")
        rules: dict[str, Rule] = {"GET": opened, "POST": reply(202)}
        for key, rule in rules.items():
            stub.play(key, rule)
        async with connected(replace(at(stub.url, "sse"), headers=BEARER)) as session:
            assert session.transport_name == "sse"
        posts = [asked for asked in stub.asked if asked.verb == "POST"]
        assert posts
        assert {asked.headers["authorization"] for asked in posts} == {"Bearer ours"}


async def test_our_own_credentials_in_the_address_stay_through_a_redirect() -> None:
    """Ours."""
    async with HttpStub() as stub:
        stub.play("POST /mcp", reply(307, location="/v3"))
        async with connected(at(stub.url.replace("//", "//me:word@"))) as session:
            await call(session)

        there = [asked for asked in stub.asked if asked.path == "/v3"]
        assert all(asked.headers["authorization"].startswith("Basic") for asked in there)


@pytest.mark.parametrize("transport", ["http", "sse"])
async def test_secrets_of_an_address_are_in_no_step_and_no_remark(transport: str) -> None:
    """C-SEC-14: steps are printed into logs."""
    url = "http://user:SECRETPW@127.0.0.1:1/mcp?api_key=SECRET"
    async with session_of(at(url, "http" if transport == "http" else "sse")) as session:
        with pytest.raises(InspectorError) as failure:
            await session.connect()

        told = [failure.value.reason, failure.value.hint]
        for step in session.steps:
            told += [step.status_text, step.hint, step.detail]
        told += [
            text
            for event in ("opened", "failed", "unreachable")
            for text in words_of(session, event)
        ]
        assert not [message for message in told if "SECRET" in message]


async def test_secrets_of_an_address_that_is_refused_are_masked() -> None:
    """C-SEC-14: in the redirect that is not followed, and in a URL that is none."""
    async with (
        HttpStub(
            {"POST": reply(302, location="http://x:SECRETPW@other.test/?token=SECRET")}
        ) as stub,
        session_of(at(stub.url)) as session,
    ):
        with pytest.raises(InspectorError) as failure:
            await session.connect()
    async with session_of(at("ftp://u:SECRETPW@h/?token=SECRET")) as session:
        with pytest.raises(InspectorError) as other:
            await session.connect()

    for error in (failure.value, other.value):
        assert "SECRET" not in error.reason + error.hint


@pytest.mark.parametrize(
    "location", ["http://[::1/mcp", "htp://x/mcp", "http://127.0.0.1:99999/", ""]
)
async def test_a_redirect_to_nowhere_is_told_as_one(location: str) -> None:
    """Ours: the server did respond, and nobody cut the connection."""
    async with HttpStub({"POST": reply(307, location=location)}) as stub:
        failure = await refusal_of(stub.url)

        assert location in failure.reason
        assert "HTTP 307" in failure.reason
        assert "Location" in failure.hint


async def test_a_redirect_that_adds_a_slash_and_loses_the_port_is_about_the_slash() -> None:
    """Ours: as servers behind a proxy redirect."""
    async with HttpStub({"POST": reply(307, location="http://127.0.0.1/mcp/")}) as stub:
        failure = await refusal_of(stub.url)

        assert "slash" in failure.hint


async def test_a_redirect_to_a_login_of_another_origin_is_about_authorization() -> None:
    """Ours."""
    async with HttpStub({"POST": reply(302, location="https://id.test/sso?x=1")}) as stub:
        failure = await refusal_of(stub.url)

        assert "authorization" in failure.hint
