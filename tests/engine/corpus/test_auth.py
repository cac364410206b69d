"""Cases about authorization: what is asked for, what is told, and what is never done."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import pytest
from msgspec.structs import replace

from inspector.auth.check import CheckResult
from inspector.auth.client import Client, Origin
from inspector.auth.settings import Settings, Waiver, Way
from inspector.auth.state import Stage
from inspector.errors import HttpStatus, InspectorError
from tests.support.corpus import case
from tests.support.corpus_auth import (
    AS,
    CODE,
    PRM,
    REDIRECT_URI,
    Hosts,
    checks,
    entries,
    failure,
    told,
    waiving,
)
from tests.support.http_session import call
from tests.support.http_stub import reply
from tests.support.protected import Protected

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject


def numbered(name: str) -> list[object]:
    """Each variant of a case, as an argument."""
    return [pytest.param(number, given, id=f"{name}-{number}") for number, given in entries(name)]


def after_login(name: str) -> str:
    """The challenge that comes with every request after the login."""
    given = cast("JsonObject", case(name)["input"])
    (rule,) = cast("list[JsonObject]", given["afterLogin"])
    return str(rule["header"])


@pytest.mark.parametrize(("number", "given"), numbered("auth-01-challenge-spellings"))
async def test_the_metadata_is_found_however_the_challenge_is_spelled(
    number: int, given: JsonObject
) -> None:
    """auth-01-challenge-spellings: what breaks the grammar is told."""
    hosts = Hosts(given)
    flow = hosts.flow()
    assert await failure(flow) is None

    assert hosts.sent[0].url == "https://rs.test/m"
    is_told = any(check.rule == "WWW-Authenticate" for check in checks(flow))
    assert is_told is (number in {2, 4, 5})


@pytest.mark.parametrize(("number", "given"), numbered("auth-03-challenge-duplicate-param"))
async def test_metadata_that_is_named_twice_is_looked_for_at_both_places(
    number: int, given: JsonObject
) -> None:
    """auth-03-challenge-duplicate-param."""
    hosts = Hosts(given)
    flow = hosts.flow()
    assert await failure(flow) is None

    assert [urlsplit(each.url).path for each in hosts.sent[:2]] == [PRM, f"{PRM}/mcp"]
    assert any(
        c.pointer == "resource_metadata" and c.result is CheckResult.FAILED for c in checks(flow)
    )
    assert number == 0


@pytest.mark.parametrize(("number", "given"), numbered("auth-04-no-challenge-probing-order"))
async def test_without_a_challenge_the_well_known_places_are_looked_at_in_order(
    number: int, given: JsonObject
) -> None:
    """auth-04-no-challenge-probing-order: a server that is out of order stops, for its other document may be about something else."""
    hosts = Hosts(given)
    flow = hosts.flow()
    failed = await failure(flow)
    looked = [urlsplit(each.url).path for each in hosts.sent if "rs.test" in each.url]

    assert looked == [f"{PRM}/public/mcp", PRM][: 1 if number in {1, 6} else 2]
    assert (failed is not None) is (number == 6)
    if number not in {1, 6}:
        (first, _) = (step for step in flow.steps if step.stage is Stage.RESOURCE)
        result = "web page" if number == 5 else f"HTTP {given['pathDoc']}"
        assert result in first.reason


@pytest.mark.parametrize(("number", "given"), numbered("auth-06-no-registration"))
async def test_where_nobody_can_register_the_user_is_told_what_to_register(
    number: int, given: JsonObject
) -> None:
    """auth-06-no-registration: with the exact redirect URI, and no endpoint is made up."""
    hosts = Hosts(given)
    failed = await failure(hosts.flow())

    assert failed is not None
    assert failed.step.stage is Stage.CLIENT
    assert AS in failed.hint
    assert REDIRECT_URI in failed.hint
    assert all(each.verb == "GET" for each in hosts.sent)
    own = replace(CODE, client_id="mine", client_secret="own")
    assert await failure(Hosts(given).flow(own)) is None
    assert number == 0


@pytest.mark.parametrize(("number", "given"), numbered("auth-08-issuer-mismatch"))
async def test_another_issuer_stops_with_both_names(number: int, given: JsonObject) -> None:
    """auth-08-issuer-mismatch: it goes on only where the user lets it."""
    hosts = Hosts(given)
    flow = hosts.flow()
    failed = await failure(flow)
    prm = cast("JsonObject", given["prm"])
    asm = cast("JsonObject", given["asm"])
    (looked_for,) = cast("list[str]", prm["authorization_servers"])

    assert failed is not None
    assert failed.step.waiver is Waiver.ISSUER
    assert looked_for in failed.reason
    assert str(asm.get("issuer", "missing")) in failed.reason
    assert ("only in a slash" in told(flow)) is (number in {4, 5, 6})
    assert hosts.visited == []
    assert await failure(Hosts(given).flow(waiving(failed))) is None


@pytest.mark.parametrize(("number", "given"), numbered("auth-09-resource-mismatch"))
async def test_metadata_of_another_resource_stops_and_that_of_a_parent_is_told(
    number: int, given: JsonObject
) -> None:
    """auth-09-resource-mismatch."""
    hosts = Hosts(given)
    flow = hosts.flow()
    failed = await failure(flow)

    if number in {2, 3}:
        assert failed is None
        assert any(c.rule == "L-AUT-04" and c.result is CheckResult.INFO for c in checks(flow))
        return
    assert failed is not None
    assert failed.step.stage is Stage.RESOURCE
    assert hosts.hosts() == {"rs.test"}
    named = {1: "https://other.test/mcp", 4: "`resource`"}.get(number, "`authorization_servers`")
    assert named in told(flow)
    assert (hosts.url in failed.reason) is (number in {1, 4})


@pytest.mark.parametrize(("number", "given"), numbered("auth-11-token-errors"))
async def test_an_error_of_the_token_endpoint_is_told_and_goes_nowhere_else(
    number: int, given: JsonObject
) -> None:
    """auth-11-token-errors: no redirect is followed with a code, and no link of an error is opened."""
    hosts = Hosts(given)
    failed = await failure(hosts.flow())
    seen = {
        1: ("code expired", "invalid_grant"),
        2: ("500", "boom"),
        3: ("bad_code", "200"),
        4: ("401",),
        5: ("301", "https://as2.test/token"),
        6: ("200", "web page"),
    }

    assert failed is not None
    assert failed.step.stage is Stage.TOKEN
    assert all(each in failed.reason for each in seen[number])
    assert hosts.hosts() == {"rs.test", "as.test"}
    assert [each.verb for each in hosts.sent].count("POST") == 2
    assert len(hosts.visited) == 1


@pytest.mark.parametrize(("number", "given"), numbered("auth-12-dangerous-endpoints"))
async def test_nothing_is_opened_or_sent_where_that_is_dangerous(
    number: int, given: JsonObject
) -> None:
    """auth-12-dangerous-endpoints."""
    hosts = Hosts(given)
    flow = hosts.flow()
    failed = await failure(flow)
    if number == 3:
        assert failed is None
        assert hosts.visited[0].startswith("https://as.test/authorize?x=1&tenant=a%20b&")
        assert hosts.asked["tenant"] == "a b"
        assert any(check.pointer == "/authorization_endpoint" for check in checks(flow))
        return
    assert failed is not None
    assert hosts.visited == []
    if number == 5:
        assert failed.step.waiver is Waiver.PLAIN_HTTP
        asking = failure(Hosts(given).flow(waiving(failed)))
        again = await asking
        assert again is not None
        assert again.step.waiver is Waiver.ADDRESS
        assert hosts.hosts() == {"rs.test"}
        return
    field = "token_endpoint" if number == 4 else "authorization_endpoint"
    scheme = {1: "javascript", 2: "file", 4: "data", 6: "no absolute URL"}[number]
    assert field in failed.reason
    assert scheme in failed.reason


async def test_a_scope_that_is_never_granted_is_asked_for_once() -> None:
    """auth-13-scope-step-up: with those that were granted, and both lists are told."""
    async with Protected() as server:
        workspace = server.workspace()
        session = workspace.open(server.profile)
        await session.connect()
        challenge = re.sub(r', resource_metadata="[^"]*"', "", after_login("auth-13-scope-step-up"))
        server.stub.play("POST tools/call", reply(403, www_authenticate=challenge))
        with pytest.raises(InspectorError) as failed:
            await call(session.session)
        await workspace.aclose()

        assert "scope=read+files%3Awrite" in server.asked("GET /authorize")[-1].path
        assert server.count("GET /authorize") == 2
        assert "needs files:write" in failed.value.reason
        assert "requested were read files:write" in failed.value.reason


async def test_a_new_token_that_is_refused_leads_to_no_other_login() -> None:
    """auth-14-token-rejected-loop."""
    async with Protected() as server:
        challenge = after_login("auth-14-token-rejected-loop")
        server.stub.play(
            "POST /mcp",
            lambda asked: (
                reply(401, www_authenticate=challenge)
                if "authorization" in asked.headers
                else reply(401, www_authenticate="Bearer")
            ),
        )
        workspace = server.workspace()
        session = workspace.open(server.profile)
        for _ in range(2):
            with pytest.raises(HttpStatus, match="rejects the token"):
                await session.connect()
        await workspace.aclose()

        assert server.count("GET /authorize") == 1


@pytest.mark.parametrize(("number", "given"), numbered("auth-16-multiple-as-and-binding"))
async def test_which_authorization_server_is_used_is_a_choice_and_its_client_is_its_own(
    number: int, given: JsonObject
) -> None:
    """auth-16-multiple-as-and-binding: a list that changes later needs another registration."""
    hosts = Hosts(given)
    flow = hosts.flow()
    assert await failure(flow) is None
    assert "https://as2.test" in told(flow)
    assert hosts.hosts() == {"rs.test", "as.test"}

    chosen = Hosts(given)
    assert await failure(chosen.flow(replace(CODE, issuer="https://as2.test"))) is None
    assert chosen.hosts() == {"rs.test", "as2.test"}

    later = Hosts({**given, **cast("JsonObject", given["later"])})
    stored = Client(AS, "of-the-first", "secret-of-the-first", origin=Origin.STORED)
    assert await failure(later.flow(stored=stored)) is None
    assert later.hosts() == {"rs.test", "as2.test"}
    assert later.asked["client_id"] == "registered"
    assert all(b"of-the-first" not in each.body for each in later.sent)

    entered = Settings(way=Way.CODE, client_id="of-the-first", client_issuer=AS)
    failed = await failure(Hosts({**given, **cast("JsonObject", given["later"])}).flow(entered))
    assert failed is not None
    assert failed.step.stage is Stage.CLIENT
    assert number == 0


@pytest.mark.parametrize(("number", "given"), numbered("auth-17-pkce-metadata"))
async def test_what_the_metadata_lacks_is_told_and_plain_is_never_used(
    number: int, given: JsonObject
) -> None:
    """auth-17-pkce-metadata: without S256 it stops unless the user lets it be."""
    hosts = Hosts(given)
    flow = hosts.flow()
    failed = await failure(flow)
    place = {
        4: "/response_types_supported",
        5: "/token_endpoint_auth_methods_supported",
    }.get(number, "/code_challenge_methods_supported")

    assert any(c.pointer == place and c.result is not CheckResult.PASSED for c in checks(flow))
    assert (failed is not None) is (number in {1, 2})
    if failed is not None:
        assert failed.step.waiver is Waiver.PKCE
        hosts = Hosts(given)
        assert await failure(hosts.flow(waiving(failed))) is None
    assert hosts.asked["code_challenge_method"] == "S256"
