"""Each fault of the MCP server and of the documents does exactly what it says; those of the issuer are in `test_issuer_faults.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.demo.auth.challenge import QUOTES_INSIDE
from inspector.demo.auth.faults import FAULTS, Fault
from inspector.demo.auth.setup import INNER_HOST, OTHER_HOST, Setup
from tests.engine.demo.auth.site import (
    PASSED,
    answered,
    protected,
)

if TYPE_CHECKING:
    import httpx

RESOURCE_PLACE = "/.well-known/oauth-protected-resource/mcp"
ISSUER_PLACES = ("/.well-known/oauth-authorization-server", "/.well-known/openid-configuration")


def test_every_fault_has_a_sentence() -> None:
    """Ours."""
    assert set(FAULTS) == set(Fault)


@pytest.mark.parametrize(
    "fault", [each for each in Fault if each not in {Fault.RESOURCE_HTTP, Fault.ISSUER_HTTP}]
)
async def test_no_fault_breaks_the_server_itself(fault: Fault) -> None:
    """Ours: every part of it still answers."""
    async with protected(fault) as site:
        for path in ("/mcp", RESOURCE_PLACE, *ISSUER_PLACES, "/jwks", "/authorize", "/nowhere"):
            assert (await site.http.get(path)).status_code in (200, 400, 401, 403, 404, 500)


@pytest.mark.parametrize(
    ("fault", "described"),
    [
        (Fault.RESOURCE_PATH, "{origin}/other/mcp"),
        (Fault.RESOURCE_SLASH, "{origin}/mcp/"),
        (Fault.RESOURCE_INNER_HOST, f"{INNER_HOST}/mcp"),
    ],
)
async def test_the_resource_is_described_by_another_url(fault: Fault, described: str) -> None:
    """Ours."""
    async with protected(fault) as site:
        resource = described.format(origin=site.setup.origin)

        assert (await site.resource_metadata())["resource"] == resource
        client_id = str((await site.registered())["client_id"])
        code = answered(await site.authorize(client_id, resource=resource))["code"]
        token = (await site.trade(client_id, code, resource=resource)).json()["access_token"]
        assert (await site.call(token)).status_code == 401
        assert (await site.call((await site.log_in()).access)).status_code == PASSED


@pytest.mark.parametrize("fault", [Fault.RESOURCE_HTTP, Fault.ISSUER_HTTP])
def test_a_server_does_not_know_that_it_is_reached_by_https(fault: Fault) -> None:
    """Ours."""
    setup = Setup("https://127.0.0.1:1", "/mcp", float, faults=frozenset({fault}))

    described = {
        Fault.RESOURCE_HTTP: setup.described_resource,
        Fault.ISSUER_HTTP: setup.described_issuer,
    }
    assert described.pop(fault).startswith("http://127.0.0.1:1")
    assert all(each.startswith("https://127.0.0.1:1") for each in described.values())


@pytest.mark.parametrize(
    ("fault", "named", "called"),
    [
        (Fault.RESOURCE_ISSUER_SLASH, "{origin}/", "{origin}"),
        (Fault.ISSUER_SLASH, "{origin}", "{origin}/"),
        (Fault.ISSUER_HOST, "{origin}", OTHER_HOST),
    ],
)
async def test_the_issuer_is_not_called_what_it_calls_itself(
    fault: Fault, named: str, called: str
) -> None:
    """Ours."""
    async with protected(fault) as site:
        origin = site.setup.origin
        issuers = (await site.resource_metadata())["authorization_servers"]

        assert issuers == [named.format(origin=origin)]
        assert (await site.issuer_metadata())["issuer"] == called.format(origin=origin)
        login = await site.log_in()
        assert login.claims["iss"] == called.format(origin=origin)
        assert (await site.call(login.access)).status_code == PASSED


async def test_the_url_in_the_challenge_is_not_there() -> None:
    """Ours."""
    async with protected(Fault.RESOURCE_NOT_FOUND) as site:
        (url,) = metadata_urls(await site.http.post("/mcp"))

        assert (await site.http.get(url)).status_code == 404
        assert await site.resource_metadata()


async def test_resource_metadata_lie_below_the_endpoint_and_are_not_named() -> None:
    """Ours."""
    async with protected(Fault.RESOURCE_UNDER_MOUNT) as site:
        assert metadata_urls(await site.http.post("/mcp")) == []
        assert (await site.http.get(RESOURCE_PLACE)).status_code == 404
        assert await site.document("/mcp/.well-known/oauth-protected-resource")


async def test_issuer_metadata_lie_only_where_openid_has_them() -> None:
    """Ours."""
    async with protected(Fault.METADATA_OPENID_ONLY, issuer_path="/realm") as site:
        for place in ISSUER_PLACES:
            assert (await site.http.get(f"{place}/realm")).status_code == 404
        assert await site.document("/realm/.well-known/openid-configuration")


async def test_issuer_metadata_lie_only_below_the_endpoint() -> None:
    """Ours."""
    async with protected(Fault.METADATA_UNDER_MOUNT) as site:
        for place in ISSUER_PLACES:
            assert (await site.http.get(place)).status_code == 404
            assert await site.document(f"/mcp{place}")


@pytest.mark.parametrize(
    ("html", "broken", "places"),
    [
        (Fault.RESOURCE_HTML, Fault.RESOURCE_500, (RESOURCE_PLACE,)),
        (Fault.METADATA_HTML, Fault.METADATA_500, ISSUER_PLACES),
    ],
)
async def test_something_else_lies_in_the_place_of_metadata(
    html: Fault, broken: Fault, places: tuple[str, ...]
) -> None:
    """Ours."""
    async with protected(html) as site, protected(broken) as other:
        for place in places:
            page = await site.http.get(place)
            assert page.status_code == 200
            assert page.headers["content-type"].startswith("text/html")
            assert (await other.http.get(place)).status_code == 500


async def test_401_comes_without_a_challenge() -> None:
    """Ours."""
    async with protected(Fault.CHALLENGE_MISSING) as site:
        answer = await site.http.post("/mcp")

        assert answer.status_code == 401
        assert "www-authenticate" not in answer.headers
        assert await site.resource_metadata()


async def test_the_challenge_holds_quotes_inside_quotes() -> None:
    """Ours."""
    async with protected(Fault.CHALLENGE_QUOTES) as site:
        challenge = (await site.http.post("/mcp")).headers["www-authenticate"]

        inside = f'error_description="{QUOTES_INSIDE}", '
        assert inside in challenge
        assert challenge.index(inside) < challenge.index("resource_metadata=")


async def test_the_challenge_names_its_metadata_twice() -> None:
    """Ours."""
    async with protected(Fault.CHALLENGE_TWICE) as site:
        first, second = metadata_urls(await site.http.post("/mcp"))

        assert (await site.http.get(first)).status_code == 404
        assert (await site.http.get(second)).status_code == 200


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (Fault.STATUS_200, 200),
        (Fault.STATUS_403, 403),
        (Fault.STATUS_404, 404),
        (Fault.STATUS_500, 500),
    ],
)
async def test_another_status_comes_instead_of_401(fault: Fault, status: int) -> None:
    """Ours."""
    async with protected(fault) as site:
        for answer in (await site.http.post("/mcp"), await site.call("x")):
            assert answer.status_code == status
            assert "www-authenticate" not in answer.headers
        assert (await site.call((await site.log_in()).access)).status_code == PASSED


async def test_every_origin_is_refused() -> None:
    """Ours."""
    async with protected(Fault.ORIGIN_REFUSED) as site:
        login = await site.log_in()

        for answer in (await site.http.post("/mcp"), await site.call(login.access)):
            assert answer.status_code == 403
            assert answer.json()["error"]["code"] == -32000
            assert "www-authenticate" not in answer.headers


async def test_faults_can_be_had_together() -> None:
    """Ours."""
    async with protected(Fault.CHALLENGE_MISSING, Fault.METADATA_HTML) as site:
        assert "www-authenticate" not in (await site.http.post("/mcp")).headers
        assert "html" in (await site.http.get(ISSUER_PLACES[0])).headers["content-type"]


def metadata_urls(answer: httpx.Response) -> list[str]:
    """Every `resource_metadata` of a challenge."""
    pieces = answer.headers["www-authenticate"].split('resource_metadata="')
    return [piece.partition('"')[0] for piece in pieces[1:]]
