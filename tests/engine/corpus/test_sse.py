"""Cases about event streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from inspector.errors import ConnectFailed
from inspector.transport.http.config import check
from inspector.transport.legacy_sse import LegacySseTransport
from inspector.wire.message import MessageKind
from tests.support.corpus import case
from tests.support.corpus_http import era_variants, played, variants
from tests.support.http_session import at, call, connected, words_of
from tests.support.http_stub import HttpStub, stream
from tests.support.old_server import OldServer
from tests.support.programs import Ear
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject
    from tests.support.http_stub import Rule


@pytest.mark.parametrize(
    ("name", "tools"),
    [
        ("sse-01-crlf", ["a"]),
        ("sse-02-crlf-split", []),
        ("sse-05-priming-event", ["a"]),
        ("sse-06-comments-keepalive", ["a"]),
        ("sse-07-multi-data-lines", []),
        ("sse-09-field-order-and-spaces", ["a"]),
        ("sse-11-multibyte-split", ["a"]),
        ("sse-14-sse-body-parsed-as-json", ["a"]),
    ],
)
async def test_a_list_is_read_from_any_proper_stream(name: str, tools: list[str]) -> None:
    """WHATWG HTML, "Server-sent events"."""
    async with played(name) as (_, session):
        await session.connect()
        done = await session.request("tools/list")

        result = cast("JsonObject", done.message.result)
        listed = cast("list[JsonObject]", result["tools"])
        assert [tool["name"] for tool in listed] == tools
        assert [tool.get("description") for tool in listed] in ([], [None], ["🎉"])
        assert session.transcript.counts.problems == 0
        assert MessageKind.MALFORMED not in session.transcript.columns.kind


@pytest.mark.parametrize("revision", era_variants("sse-12-closes-before-response"))
async def test_a_stream_that_closes_early_is_asked_for_again(revision: str) -> None:
    """C-HTTP-10, C-HTTP-12."""
    async with played("sse-12-closes-before-response", revision=revision) as (stub, session):
        await session.connect()
        await wait_until(lambda: stub.said("GET"))
        stub.play("GET", stream('data: {"jsonrpc":"2.0","id":2,"result":{}}\n\n'))
        await session.request("tools/list")

        assert stub.said("GET")[-1].headers["last-event-id"] == "7"
        assert any("in 0.2 s" in text for text in words_of(session, "resuming"))


@pytest.mark.parametrize("variant", variants("sse-15-legacy-endpoint-relative"))
async def test_the_endpoint_is_found_in_every_form(variant: int) -> None:
    """C-SSE-01."""
    given = cast("JsonObject", case("sse-15-legacy-endpoint-relative")["input"])
    wanted = cast("JsonObject", case("sse-15-legacy-endpoint-relative")["expect"])
    endpoint = cast("list[JsonObject]", given["variants"])[variant - 1]["endpoint"]
    post = cast("list[JsonObject]", wanted["variants"])[variant - 1]["post"]
    named = str(endpoint).replace("http://127.0.0.1:{{port}}", "{{origin}}")
    path = str(given["url"]).partition("{{port}}")[2]
    server = OldServer(endpoint=named, path=path)
    async with server, connected(at(server.url, "sse")) as session:
        await call(session)

        posts = [asked for asked in server.stub.asked if asked.verb == "POST"]
        assert {asked.path for asked in posts} == {str(post)}


@pytest.mark.parametrize("variant", variants("sse-17-legacy-no-endpoint"))
async def test_a_stream_without_an_endpoint_is_given_up(variant: int) -> None:
    """C-SSE-01."""
    given = cast("JsonObject", case("sse-17-legacy-no-endpoint")["input"])
    entry = cast("list[JsonObject]", given["variants"])[variant - 1]
    chunks = cast("list[JsonObject]", entry["chunks"])
    rules: dict[str, Rule] = {"GET": stream(*(str(c["text"]) for c in chunks), end="hang")}
    async with HttpStub(rules) as stub:
        transport = LegacySseTransport(check(stub.url, ()), endpoint_seconds=0.2)
        with pytest.raises(ConnectFailed, match="no endpoint event"):
            await transport.open(Ear())
        await transport.aclose()

        assert stub.said("POST") == []
