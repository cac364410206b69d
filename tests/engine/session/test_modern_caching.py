"""How long results may be kept: told, and nothing is ever given from a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.errors import PeerError
from inspector.session import multi_round_trip
from tests.support.answering import tool
from tests.support.findings import validate_all
from tests.support.http_session import at, connected
from tests.support.http_stub import Asked, HttpStub, Reply, answer
from tests.support.modern import ModernServer, asks, complete, modern, params_of, proper
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json, JsonObject

READ = "resources/read"
LIST = "tools/list"


def paged(params: JsonObject) -> Json:
    """Three pages of one tool each."""
    number = int(str(params.get("cursor", "0")))
    more: JsonObject = {"nextCursor": str(number + 1)} if number < 2 else {}
    return complete(tools=[tool(f"t{number}")], ttlMs=0, cacheScope="private", **more)


async def cursors(server: ModernServer, opened: OpenSession) -> list[Json]:
    """Read the tools again: the cursors that were asked for, none for the beginning."""
    before = len(server.of(LIST))
    await opened.tools.refresh()
    return [params_of(each).get("cursor") for each in server.of(LIST)[before:]]


@pytest.mark.parametrize("ttl", [None, 0, -5, 3_600_000])
async def test_what_is_asked_for_is_fetched_however_long_it_may_be_kept(
    ttl: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-CCH-01, C-CCH-02, C-CCH-06: nothing is ever given from a store."""
    monkeypatch.setattr(multi_round_trip, "FIRST_PAUSE_SECONDS", 0.0)
    kept: JsonObject = {} if ttl is None else {"ttlMs": ttl}

    def answer(params: JsonObject) -> Json:
        if "requestState" not in params:
            return asks("s")
        return complete(contents=[], cacheScope="public", **kept)

    async with modern({READ: answer}) as (server, opened):
        for uri in ("a:1", "a:1", "a:2"):
            reading = opened.reads.read(uri)
            await reading.wait()
            assert reading.result is not None

        asked = [params_of(each)["uri"] for each in server.of(READ)]
        assert asked == ["a:1"] * 4 + ["a:2"] * 2


@pytest.mark.parametrize("scope", ["public", "private"])
async def test_what_one_caller_was_told_is_not_told_another(scope: str) -> None:
    """C-CCH-09: whoever comes with other credentials is answered by the server."""

    def answering(asked: Asked) -> Reply:
        who = asked.headers["x-who"]
        if asked.rpc != LIST:
            return proper(asked)
        listed = complete(tools=[tool(who)], ttlMs=3_600_000, cacheScope=scope)
        return answer({"result": listed})

    async with HttpStub(otherwise=answering) as stub:
        for who in ("ada", "bob"):
            profile = replace(at(stub.url), revision="", headers=(("X-Who", who),))
            async with connected(profile) as session:
                done = await session.request(LIST)
                assert who.encode() in (done.message.raw_result or b"")


@pytest.mark.parametrize(
    ("said_", "ttl", "rules"),
    [
        ({}, 0, []),
        ({"ttlMs": 0}, 0, []),
        ({"ttlMs": 60_000}, 60_000, []),
        ({"ttlMs": -1}, 0, ["L-CCH-02"]),
    ],
)
async def test_how_long_a_list_is_fresh_counts_from_its_coming(
    said_: JsonObject, ttl: float, rules: list[str]
) -> None:
    """C-CCH-03, C-CCH-04, C-CCH-05, C-TOOL-19: told beside the list, with its age."""
    listed = complete(tools=[], cacheScope="public", **said_)
    async with modern({LIST: lambda _: listed}) as (_, opened):
        clock = opened.session.steps.clock
        before = clock.monotonic()
        await opened.tools.refresh()

        caching = opened.tools.caching
        assert caching is not None
        assert (caching.has_ttl, caching.ttl_ms) == ("ttlMs" in said_, ttl)
        assert before <= opened.tools.read_at <= clock.monotonic()
        assert 0 <= opened.tools.age_seconds() <= clock.monotonic() - before
        number = opened.session.transcript.count
        validate_all(opened.sweep)
        found = [each.rule for each in opened.session.transcript.findings(number)]
        assert [rule for rule in found if rule == "L-CCH-02"] == rules


async def test_a_list_that_went_stale_is_not_asked_for_by_itself() -> None:
    """C-CCH-07: a time to live is no interval."""
    listed = complete(tools=[tool("a")], ttlMs=1, cacheScope="private")
    async with modern({LIST: lambda _: listed}) as (server, opened):
        await wait_until(lambda: opened.tools.age_seconds() > 0.05)
        await opened.session.request("server/discover")

        assert len(server.of(LIST)) == 1


async def test_a_list_is_read_again_from_its_beginning_and_of_one_piece() -> None:
    """C-CCH-11, C-CCH-12: a cursor that is refused leaves nothing of the earlier reading behind."""
    async with modern({LIST: paged}) as (server, opened):
        assert [each.name for each in opened.tools.items] == ["t0", "t1", "t2"]
        assert await cursors(server, opened) == [None, "1", "2"]

        def refusing(params: JsonObject) -> Json:
            if "cursor" in params:
                raise PeerError(-32602, "Invalid cursor")
            return complete(tools=[tool("new")], nextCursor="1", ttlMs=0, cacheScope="private")

        server.answers[LIST] = refusing
        assert await cursors(server, opened) == [None, "1"]
        assert [each.name for each in opened.tools.items] == ["new"]
        assert isinstance(opened.tools.failure, PeerError)

        server.answers[LIST] = paged
        assert await cursors(server, opened) == [None, "1", "2"]
        assert [each.name for each in opened.tools.items] == ["t0", "t1", "t2"]


async def test_a_list_that_cannot_be_read_again_stays_beside_its_failure() -> None:
    """C-CCH-13: and its age goes on."""
    async with modern({LIST: paged}) as (server, opened):
        came = opened.tools.read_at

        def failing(_: JsonObject) -> Json:
            raise PeerError(-32603, "not today")

        server.answers[LIST] = failing
        await opened.tools.refresh()

        assert [each.name for each in opened.tools.items] == ["t0", "t1", "t2"]
        assert opened.tools.failure is not None
        assert opened.tools.read_at == came
