"""Cases about the way to an HTTP server: redirects, addresses, certificates, compression, connections."""

from __future__ import annotations

import asyncio
import dataclasses
import gzip
import itertools
import zlib
from typing import TYPE_CHECKING, cast

import pytest
from msgspec.structs import replace

from inspector.errors import InspectorError
from inspector.session.negotiation import HANDSHAKE
from inspector.session.session_state import SessionState
from inspector.spec.revision import NEWEST
from tests.support.certificates import make_certificates
from tests.support.corpus import case, variants
from tests.support.http_session import at, call, connected, session_of, talking, words_of
from tests.support.http_stub import JSON_TYPE, HttpStub, Reply, reply, stream, well_behaved
from tests.support.modern import proper
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inspector.config.profile import Profile
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.http_stub import Asked, Rule

REDIRECTED = "http-16-redirect-307-slash"
ELSEWHERE = "http-17-redirect-downgrade"
CIRCLE = "http-19-redirect-loop"
COMPRESSED = "http-26-compressed"
ADDRESSES = "http-29-tls-dns"
CONNECTIONS = "http-32-http2-and-keepalive"

LIST = b'{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}'
ERAS = pytest.mark.parametrize("era", [HANDSHAKE, NEWEST.date])
SECRETS = (("Authorization", "Bearer t"), ("X-Api-Key", "k"))


def server_of(era: str) -> Callable[[Asked], Reply]:
    """A well-behaved server with a handshake, or without."""
    return well_behaved if era == HANDSHAKE else proper


def variant_of(name: str, number: int) -> JsonObject:
    given = cast("JsonObject", case(name)["input"])
    return cast("JsonObject", cast("list[Json]", given["variants"])[number - 1])


async def failure_of(profile: Profile) -> InspectorError:
    async with session_of(profile) as session:
        with pytest.raises(InspectorError) as failure:
            await session.connect()
        assert session.state is SessionState.FAILED
        return failure.value


@ERAS
@pytest.mark.parametrize("variant", variants(REDIRECTED))
async def test_a_redirect_to_a_slash_takes_the_same_post_along(variant: int, era: str) -> None:
    """http-16-redirect-307-slash: method, body and headers stay, and the final address is advised."""
    status = int(str(variant_of(REDIRECTED, variant)))
    moved = reply(status, location="/mcp/")
    async with (
        HttpStub({"POST /mcp": moved}, otherwise=server_of(era)) as stub,
        connected(replace(at(stub.url), headers=SECRETS, revision=era)) as session,
    ):
        await call(session)

        sent = [asked for asked in stub.asked if asked.rpc == "tools/call"]
        assert [asked.path for asked in sent] == ["/mcp", "/mcp/"]
        assert sent[0].body == sent[1].body
        assert sent[0].pairs == sent[1].pairs
        assert sent[1].headers["authorization"] == "Bearer t"
        assert "use that URL" in words_of(session, "redirected")[0]


@ERAS
@pytest.mark.parametrize("variant", variants(ELSEWHERE))
async def test_a_redirect_to_another_origin_is_stopped_with_both_named(
    variant: int, era: str, tmp_path: Path
) -> None:
    """http-17-redirect-downgrade: neither header leaves the origin."""
    given = variant_of(ELSEWHERE, variant)
    secure = str(given["from"]).startswith("https")
    tls = make_certificates(tmp_path).server_context() if secure else None
    async with HttpStub() as other, HttpStub(tls=tls) as stub:
        target = str(given["location"]).replace("{{port2}}", str(other.port))
        if secure:
            target = stub.url.replace("https:", "http:")
        stub.play("POST", reply(int(str(given["status"])), location=target))
        profile = replace(at(stub.url), headers=SECRETS, verify=False, revision=era)
        failure = await failure_of(profile)

        assert stub.origin in failure.reason
        assert target in failure.reason
        assert "not followed" in failure.reason
        usable = not target.startswith("file:")
        assert ("use its URL" in failure.hint) is usable
        assert other.asked == []
        assert len(stub.asked) == 1


@ERAS
async def test_redirects_that_go_round_end_after_five(era: str) -> None:
    """http-19-redirect-loop, the first variant."""
    chain = cast("list[str]", variant_of(CIRCLE, 1)["chain"])
    hops = itertools.pairwise(chain)
    rules: dict[str, Rule] = {f"POST {here}": reply(307, location=there) for here, there in hops}
    async with HttpStub(rules) as stub:
        failure = await failure_of(replace(at(stub.url), revision=era))

        most = int(str(cast("JsonObject", case(CIRCLE)["expect"])["maxHops"]))
        assert f"more than {most} redirects" in failure.reason
        assert len(stub.asked) == most + 1


@ERAS
async def test_a_redirect_to_a_login_page_is_named_as_one(era: str) -> None:
    """http-19-redirect-loop, the second variant."""
    given = variant_of(CIRCLE, 2)
    moved = reply(int(str(given["status"])), location=str(given["location"]))
    async with HttpStub({"POST": moved}) as stub:
        failure = await failure_of(replace(at(stub.url), revision=era))

        assert "login page" in failure.reason
        assert "/login" in failure.reason
        assert stub.said("POST /login") == []


def compressed(given: JsonObject) -> Reply:
    """The answer of a variant of the case about compression."""
    encoding = str(given["encoding"])
    if given.get("flushEachEvent"):
        packer = zlib.compressobj(wbits=31)
        event = b"data: " + LIST + b"\n\n"
        packed = packer.compress(event) + packer.flush(zlib.Z_SYNC_FLUSH)
        return stream(packed, end="hang", content_encoding=encoding)
    packed = gzip.compress(LIST)
    if given.get("truncated"):
        packed = packed[:-12]
    if given.get("bodyNotCompressed") or encoding in ("identity", "br"):
        packed = LIST
    made = reply(200, packed, JSON_TYPE, content_encoding=encoding)
    if "contentLength" in given:
        made = Reply(200, made.headers, (packed,), lasting=False, length=len(packed) + 40)
    return made


@ERAS
@pytest.mark.parametrize(
    ("variant", "problem"),
    [
        (1, ""),
        (2, ""),
        (3, "Content-Encoding`: br"),
        (4, "truncated body"),
        (5, "does not match `Content-Encoding`"),
        (6, "closed the connection"),
        (7, ""),
    ],
)
async def test_compressed_bodies_are_read_or_the_trouble_is_named(
    variant: int, problem: str, era: str
) -> None:
    """http-26-compressed: none was asked for, and an event is read as soon as it is flushed."""
    given = variant_of(COMPRESSED, variant)
    rules = {"POST tools/list": compressed(given)}
    async with talking(rules, otherwise=server_of(era), revision=era) as (stub, session):
        if problem:
            with pytest.raises(InspectorError) as failure:
                await session.request("tools/list")
            assert problem in failure.value.reason
        else:
            done = await session.request("tools/list")
            assert done.message.raw.strip().endswith(LIST)
        assert stub.said("POST tools/list")[0].headers["accept-encoding"] == "identity"
        await call(session)


@pytest.mark.parametrize(
    ("variant", "reason"),
    [
        (1, "refused the connection"),
        (2, "cannot resolve"),
        (3, "not trusted: self-signed certificate"),
        (4, "is not an HTTP URL"),
    ],
)
async def test_each_way_not_to_reach_a_server_has_its_own_words(
    variant: int, reason: str, tmp_path: Path
) -> None:
    """http-29-tls-dns: never a bare failure."""
    url = str(variant_of(ADDRESSES, variant)["url"])
    tls = make_certificates(tmp_path).server_context(self_signed=True)
    async with HttpStub(tls=tls) as stub:
        failure = await failure_of(at(url.replace("{{selfSigned}}", str(stub.port))))

        assert reason in failure.reason
        assert failure.hint


@pytest.mark.parametrize("variant", [5, 6])
async def test_an_address_may_name_a_number_and_a_query(variant: int) -> None:
    """http-29-tls-dns: the query is kept, the fragment is not sent."""
    url = str(variant_of(ADDRESSES, variant)["url"])
    host = "::1" if "[::1]" in url else "127.0.0.1"
    async with (
        HttpStub(host=host) as stub,
        connected(at(url.replace("{{port}}", str(stub.port)))) as session,
    ):
        await call(session)

        path = url.partition("{{port}}")[2].partition("#")[0]
        assert {asked.path for asked in stub.asked} == {path}


async def test_a_server_of_http_2_alone_is_told_as_one() -> None:
    """http-32-http2-and-keepalive, the first variant: Spyglass speaks HTTP/1.1 and says so."""
    settings = bytes.fromhex("000000040000000000") + bytes.fromhex("000008070000000000") + bytes(8)

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(settings)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        failure = await failure_of(at(f"http://127.0.0.1:{port}/mcp"))

    assert "not in HTTP/1.1" in failure.reason
    assert "HTTP/2" in failure.hint


@ERAS
async def test_a_server_that_closes_after_each_answer_is_used_all_the_same(era: str) -> None:
    """http-32-http2-and-keepalive, the second variant."""

    def closing(asked: Asked) -> Reply:
        return dataclasses.replace(server_of(era)(asked), lasting=False)

    async with talking(otherwise=closing, revision=era) as (stub, session):
        done = await session.request("tools/list")
        await call(session)
        await call(session)

        assert '"name": "a"' in done.message.raw.decode()
        assert len(stub.said("POST tools/call")) == 2


@ERAS
async def test_a_connection_that_was_closed_in_between_is_made_anew(era: str) -> None:
    """http-32-http2-and-keepalive, the third variant: no call is sent twice."""
    async with talking(otherwise=server_of(era), revision=era) as (stub, session):
        for number in range(3):
            await stub.close_idle()
            await wait_until(lambda: not stub.open_connections)
            await call(session)

            assert len(stub.said("POST tools/call")) == number + 1


def test_the_variants_of_the_cases_are_those_that_are_played() -> None:
    """Ours: a case that grows has its test grow."""
    counts = {name: len(variants(name)) for name in (COMPRESSED, ADDRESSES, CONNECTIONS)}

    assert counts == {COMPRESSED: 7, ADDRESSES: 6, CONNECTIONS: 3}
