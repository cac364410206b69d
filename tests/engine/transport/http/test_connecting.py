"""Connecting over HTTP: what fails says why, and what leads elsewhere is refused."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.errors import ConnectFailed, HttpStatus, InspectorError, TimedOut
from inspector.session.session_state import SessionState
from inspector.session.steps import StepState
from inspector.wire.redaction import MASK
from tests.support.http_session import at, call, connected, session_of, talking, words_of
from tests.support.http_stub import HttpStub, answer, reply, stream
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.config.profile import Profile
    from tests.support.http_stub import Rule


async def failure_of(profile: Profile) -> InspectorError:
    async with session_of(profile) as session:
        with pytest.raises(InspectorError) as failure:
            await session.connect()
        assert session.state is SessionState.FAILED
        assert [step for step in session.steps if step.state is StepState.FAILED]
        return failure.value


@pytest.mark.parametrize(
    ("url", "text", "hint"),
    [
        ("http://127.0.0.1:1/mcp", "http://127.0.0.1:1 refused the connection", "running"),
        ("http://no-such-host.invalid/mcp", "cannot resolve", "host name"),
        ("localhost:3000/mcp", "is not an HTTP URL", "Write http://localhost:3000/mcp"),
        ("mcp.test/mcp", "is not an HTTP URL", "Write https://mcp.test/mcp"),
        ("ftp://mcp.test", "is not an HTTP URL", "starts with http"),
        ("http:///mcp", "is not an HTTP URL", "host name is missing"),
        ("http://[::1/mcp", "invalid URL", "Fix"),
        ("http://a:99999/", "invalid URL http://a:99999/: the port is not", "Fix"),
        ("http://[::1/@b", "invalid URL http://[::1/@b: the host is not valid", "Fix"),
        ("http://a:99999/@b", "invalid URL http://a:99999/@b: the port is not", "Fix"),
        ("http://me:wo/rd@a/", f"invalid URL http://{MASK}@a/: a `/`", "Fix"),
        ("me:word@mcp.test", f"{MASK}@mcp.test is not an HTTP URL", f"https://{MASK}@mcp.test"),
        ("", "no URL", "Enter"),
    ],
)
@pytest.mark.parametrize("transport", ["http", "sse"])
async def test_an_address_that_leads_nowhere_is_refused_in_words(
    url: str, text: str, hint: str, transport: str
) -> None:
    """http-29."""
    failure = await failure_of(at(url, "http" if transport == "http" else "sse"))

    assert isinstance(failure, ConnectFailed)
    assert text in failure.reason
    assert hint in failure.hint


async def test_the_query_is_kept_and_the_fragment_dropped() -> None:
    """http-29."""
    async with HttpStub() as stub, connected(at(f"{stub.url}?key=a%20b#frag")) as session:
        await call(session)

        assert {asked.path for asked in stub.asked} == {"/mcp?key=a%20b"}


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("Bad Name", "x", "invalid header name 'Bad Name'"),
        ("X-Nl", "a\nb", "header X-Nl contains a line break"),
        ("Authorization", "Bearer ü", "header Authorization contains 'ü'"),
    ],
)
async def test_headers_that_cannot_be_sent_are_named_before_connecting(
    name: str, value: str, text: str
) -> None:
    """http-30."""
    async with HttpStub() as stub:
        failure = await failure_of(replace(at(stub.url), headers=((name, value),)))

        assert text in failure.reason
        assert stub.asked == []


async def test_headers_of_the_person_are_sent_with_everything_but_for_those_that_are_ours() -> None:
    """http-30, C-HTTP-02."""
    headers = (("X-A", "1"), ("x-a", "2"), ("X-Empty", ""), ("Accept", "*/*"))
    async with HttpStub() as stub:
        async with connected(replace(at(stub.url), headers=headers)) as session:
            await call(session)

            assert words_of(session, "header-left-out") == ["header Accept is set by the transport"]
        assert {asked.verb for asked in stub.asked} == {"POST", "GET", "DELETE"}
        for asked in stub.asked:
            ours = [pair for pair in asked.pairs if pair[0].lower().startswith("x-")]
            assert ours == [("X-A", "1"), ("x-a", "2"), ("X-Empty", "")]
            assert asked.headers["accept"] != "*/*" or asked.verb == "DELETE"


@pytest.mark.parametrize("status", [307, 308])
async def test_a_redirect_on_the_same_origin_is_followed_with_method_and_body(status: int) -> None:
    """http-16."""
    moved = reply(status, location="/mcp/")
    async with HttpStub({"POST /mcp": moved, "GET /mcp": moved}) as stub:
        profile = replace(at(stub.url), headers=(("Authorization", "Bearer t"),))
        async with connected(profile) as session:
            await call(session)

            final = [
                asked for asked in stub.asked if asked.path == "/mcp/" and asked.verb == "POST"
            ]
            assert [asked.rpc for asked in final][-1] == "tools/call"
            assert all(asked.headers["authorization"] == "Bearer t" for asked in final)
            (text,) = words_of(session, "redirected")
            assert "use that URL" in text


async def test_a_redirect_to_another_origin_is_refused() -> None:
    """http-17: our headers may be secret."""
    async with HttpStub() as other:
        for target in (f"{other.origin}/mcp", "https://mcp.test/", "file:///etc/passwd"):
            moved = reply(307, location=target)
            async with HttpStub({"POST": moved}) as stub:
                failure = await failure_of(at(stub.url))

                assert isinstance(failure, HttpStatus)
                assert stub.origin in failure.reason
                assert target in failure.reason
        assert other.asked == []


async def test_redirects_in_a_circle_end() -> None:
    """http-19."""
    rules: dict[str, Rule] = {
        "POST /mcp": reply(307, location="/a"),
        "POST /a": reply(307, location="/mcp"),
    }
    async with HttpStub(rules) as stub:
        failure = await failure_of(at(stub.url))

        assert "more than 5 redirects" in failure.reason
        assert len(stub.asked) == 6


async def test_a_redirect_to_a_login_page_is_named() -> None:
    """http-19."""
    async with HttpStub({"POST": reply(302, location="/login")}) as stub:
        failure = await failure_of(at(stub.url))

        assert "/login" in failure.reason
        assert "login page" in failure.reason
        assert len(stub.asked) == 1


async def test_an_older_server_is_found_at_the_same_address() -> None:
    """C-SSE-02, C-VER-14; basic/transports, "Backwards Compatibility": both tries are steps."""
    async with HttpStub(_older_rules()) as stub, connected(at(stub.url)) as session:
        assert session.transport_name == "sse"
        states = [step.state for step in session.steps]
        assert states == [StepState.DONE, StepState.UNSUCCESSFUL, StepState.DONE, StepState.DONE]


def _older_rules() -> dict[str, Rule]:
    greeting = stream(
        "event: endpoint\ndata: /messages\n\n",
        0.05,
        'data: {"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2024-11-05","capabilities":{},'
        '"serverInfo":{"name":"old","version":"1"}}}\n\n',
        end="hang",
    )
    return {"POST /mcp": reply(404), "GET": greeting, "POST /messages": reply(202)}


@pytest.mark.parametrize("status", [400, 404, 405, 406, 422])
async def test_when_neither_transport_works_both_failures_are_told(status: int) -> None:
    """C-VER-15, C-VER-16; B.5: all failures are reported."""
    async with HttpStub({"POST": reply(status, b"no post"), "GET": reply(410)}) as stub:
        failure = await failure_of(at(stub.url))

        assert f"HTTP {status}" in failure.reason
        assert "no post" in failure.reason
        assert "HTTP 410" in failure.reason


@pytest.mark.parametrize("status", [401, 403, 407, 408, 429, 500, 502, 503])
async def test_other_statuses_say_nothing_about_the_transport(status: int) -> None:
    """Decision 8."""
    async with HttpStub({"POST": reply(status)}) as stub:
        failure = await failure_of(at(stub.url))

        assert isinstance(failure, HttpStatus)
        assert failure.status == status
        assert stub.said("GET") == []


async def test_an_error_in_json_rpc_is_no_reason_for_the_older_transport() -> None:
    """B.5."""
    refused = answer({"error": {"code": -32600, "message": "no"}}, status=400)
    async with HttpStub({"POST": refused}) as stub:
        await failure_of(at(stub.url))

        assert stub.said("GET") == []


async def test_a_refusal_that_names_a_revision_is_told_with_it() -> None:
    """http-24."""
    said = b"version not known here; we speak 2025-06-18 and 2024-11-05"
    async with HttpStub({"POST initialize": reply(400, said, "text/plain")}) as stub:
        failure = await failure_of(at(stub.url))

        assert "we speak 2025-06-18" in failure.reason
        assert "2025-06-18, 2024-11-05" in failure.hint


async def test_an_answer_that_never_comes_ends_in_time() -> None:
    """C-LC-14."""
    async with HttpStub({"POST initialize": stream(end="hang")}) as stub:
        failure = await failure_of(replace(at(stub.url), timeout_seconds=0.2))

        assert isinstance(failure, TimedOut)


async def test_a_server_that_speaks_no_tls_is_told_from_one_that_is_not_trusted() -> None:
    """http-29."""
    async with HttpStub() as stub:
        failure = await failure_of(at(stub.url.replace("http:", "https:")))

    assert "TLS connection" in failure.reason
    assert "change the URL to http" in failure.hint


async def test_connections_are_made_through_the_proxy_that_is_named() -> None:
    """Ours."""
    async with HttpStub() as proxy:
        async with connected(replace(at("http://mcp.test/mcp"), proxy=proxy.origin)) as session:
            await call(session)

        assert proxy.asked[0].path == "http://mcp.test/mcp"


async def test_a_file_of_certificates_that_is_not_there_is_named(tmp_path: Path) -> None:
    """Ours."""
    profile = replace(at("https://127.0.0.1:1/mcp"), ca_file=str(tmp_path / "none.pem"))

    failure = await failure_of(profile)

    assert str(tmp_path / "none.pem") in failure.reason
    assert "certificate settings" in failure.hint


@pytest.mark.parametrize("encoding", ["gzip", "br"])
async def test_a_body_that_is_not_compressed_as_its_head_says_is_named(encoding: str) -> None:
    """http-26."""
    body = b'{"jsonrpc":"2.0","id":2,"result":{}}'
    odd = reply(200, body, "application/json", content_encoding=encoding)
    async with talking({"POST tools/call": odd}) as (_, session):
        with pytest.raises(InspectorError, match=r"Content-Encoding"):
            await call(session)


async def test_a_compressed_stream_is_read_as_it_is_flushed() -> None:
    """http-26: although it was not asked for."""
    packer = zlib.compressobj(wbits=31)
    event = b'data: {"jsonrpc":"2.0","id":2,"result":{}}\n\n'
    first = packer.compress(event) + packer.flush(zlib.Z_SYNC_FLUSH)
    made = stream(first, end="hang", content_encoding="gzip")
    async with talking({"POST tools/call": made}) as (_, session):
        done = await call(session)

        assert session.transcript.raw(done.frame) == event


async def test_nothing_is_left_of_a_connection() -> None:
    """Ours."""
    async with HttpStub({"GET": stream(end="hang")}) as stub:
        async with connected(at(stub.url)) as session:
            await call(session)

        await wait_until(lambda: not stub.open_connections)
