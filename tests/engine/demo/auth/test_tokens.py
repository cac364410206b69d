"""The token endpoint and the revocation endpoint, and what the MCP server thinks of their tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.demo.auth import jose
from inspector.demo.auth.authentication import ASSERTION_TYPE
from tests.engine.demo.auth.site import CALLBACK, PASSED, VERIFIER, answered, protected

if TYPE_CHECKING:
    import httpx
    from joserfc.jwk import ECKey

    from inspector.wire.json_codec import JsonObject
    from tests.engine.demo.auth.site import Site

BOTH = "mcp:read mcp:write"
SECRET = ("demo-client", "demo-secret")


def error_of(answer: httpx.Response) -> str:
    """The code of an error."""
    assert answer.status_code in (400, 401)
    assert answer.json()["error_description"]
    return answer.json()["error"]


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"code_verifier": VERIFIER[::-1]}, "invalid_grant"),
        ({"code_verifier": "short"}, "invalid_grant"),
        ({"redirect_uri": f"{CALLBACK}/"}, "invalid_grant"),
        ({"code": "never-issued"}, "invalid_grant"),
        ({"client_id": "demo-public-client"}, "invalid_grant"),
        ({"client_id": "nobody"}, "invalid_client"),
        ({"resource": "https://elsewhere.example/mcp"}, "invalid_target"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": "client_credentials"}, "unauthorized_client"),
        ({"client_secret": "x"}, "invalid_client"),
    ],
)
async def test_a_wrong_token_request_is_refused_and_the_code_stays_good(
    changed: dict[str, str], error: str
) -> None:
    """Ours: whoever tries again from here needs no new code."""
    async with protected() as site:
        client_id = str((await site.registered())["client_id"])
        code = answered(await site.authorize(client_id))["code"]

        refused = await site.trade(**({"client_id": client_id, "code": code} | changed))

        assert error_of(refused) == error
        assert (await site.trade(client_id, code)).status_code == 200


async def test_a_code_is_good_for_a_minute() -> None:
    """Ours."""
    async with protected() as site:
        client_id = str((await site.registered())["client_id"])
        code = answered(await site.authorize(client_id))["code"]
        site.clock.now += 61

        assert error_of(await site.trade(client_id, code)) == "invalid_grant"


async def test_a_code_that_is_used_twice_ends_all_that_came_of_it() -> None:
    """Ours: OAuth 2.1, 4.1.3."""
    async with protected() as site:
        login = await site.log_in()

        assert error_of(await site.trade(login.client_id, login.code)) == "invalid_grant"
        assert (await site.call(login.access)).status_code == 401
        again = await site.refresh(login.client_id, login.tokens["refresh_token"])
        assert error_of(again) == "invalid_grant"


async def test_a_refresh_token_is_replaced_by_the_next() -> None:
    """Ours: OAuth 2.1, 4.3.1."""
    async with protected() as site:
        login = await site.log_in(scope=BOTH)
        first = (await site.refresh(login.client_id, login.tokens["refresh_token"])).json()
        second = await site.refresh(login.client_id, first["refresh_token"], scope="mcp:read")

        assert (await site.call(first["access_token"], "notes_add")).status_code == PASSED
        assert second.json()["scope"] == "mcp:read"
        third = (await site.refresh(login.client_id, second.json()["refresh_token"])).json()
        assert third["scope"] == BOTH


async def test_a_refresh_token_that_is_used_twice_ends_its_grant() -> None:
    """Ours: RFC 9700, 4.14.2."""
    async with protected() as site:
        login = await site.log_in()
        old = login.tokens["refresh_token"]
        new = (await site.refresh(login.client_id, old)).json()

        assert error_of(await site.refresh(login.client_id, old)) == "invalid_grant"
        dead = await site.refresh(login.client_id, new["refresh_token"])
        assert error_of(dead) == "invalid_grant"
        assert (await site.call(new["access_token"])).status_code == 401


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"scope": BOTH}, "invalid_scope"),
        ({"resource": "https://elsewhere.example/mcp"}, "invalid_target"),
    ],
)
async def test_a_refresh_gives_no_more_than_was_granted(more: dict[str, str], error: str) -> None:
    """Ours."""
    async with protected() as site:
        login = await site.log_in()
        refused = await site.refresh(login.client_id, login.tokens["refresh_token"], **more)

        assert error_of(refused) == error


async def test_who_did_not_register_for_refresh_tokens_gets_none() -> None:
    """Ours."""
    async with protected() as site:
        login = await site.log_in(grant_types=["authorization_code"])

        assert "refresh_token" not in login.tokens


async def test_a_token_lasts_as_long_as_it_is_told_to() -> None:
    """Ours."""
    async with protected(token_seconds=60) as site:
        login = await site.log_in()
        assert login.tokens["expires_in"] == 60
        assert (await site.call(login.access)).status_code == PASSED
        site.clock.now += 100

        answer = await site.call(login.access)

        assert answer.status_code == 401
        assert 'error="invalid_token"' in answer.headers["www-authenticate"]


@pytest.mark.parametrize("token", ["x", "a.b.c", "x y", "x" * 10_000])
async def test_what_is_no_token_is_refused(token: str) -> None:
    """Ours."""
    async with protected() as site:
        assert (await site.call(token)).status_code == 401


async def test_a_token_of_another_issuer_is_refused() -> None:
    """Ours."""
    async with protected() as site, protected() as other:
        login = await other.log_in()

        assert (await site.call(login.access)).status_code == 401


async def test_a_refresh_token_is_revoked_with_its_grant() -> None:
    """Ours: RFC 7009, 2.1."""
    async with protected() as site:
        login = await site.log_in()
        token = str(login.tokens["refresh_token"])

        assert await revoked(site, token, client_id=login.client_id) == 200
        assert (await site.call(login.access)).status_code == 401
        assert error_of(await site.refresh(login.client_id, token)) == "invalid_grant"


async def test_an_access_token_is_revoked_alone() -> None:
    """Ours: RFC 7009, 2.1."""
    async with protected() as site:
        login = await site.log_in()
        assert await revoked(site, login.access, client_id="demo-public-client") == 200
        assert (await site.call(login.access)).status_code == PASSED

        assert await revoked(site, login.access, client_id=login.client_id) == 200

        assert (await site.call(login.access)).status_code == 401
        fresh = await site.refresh(login.client_id, login.tokens["refresh_token"])
        assert (await site.call(fresh.json()["access_token"])).status_code == PASSED
        assert await revoked(site, "unknown", client_id=login.client_id) == 200
        assert await revoked(site, "unknown", client_id="nobody") == 401


async def revoked(site: Site, token: str, **form: str) -> int:
    """Status of the answer to a revocation."""
    return (await site.http.post("/revoke", data={"token": token, **form})).status_code


async def test_a_client_gets_a_token_for_itself() -> None:
    """Ours: the extension oauth-client-credentials."""
    async with protected() as site:
        basic = await site.token({"grant_type": "client_credentials", "scope": BOTH}, SECRET)
        posted = await site.token(
            {
                "grant_type": "client_credentials",
                "client_id": "demo-post-client",
                "client_secret": "demo-secret",
                "resource": site.setup.resource,
            }
        )

        assert (await site.call(basic.json()["access_token"], "notes_add")).status_code == PASSED
        assert (await site.call(posted.json()["access_token"])).status_code == PASSED
        assert "refresh_token" not in basic.json()


async def test_a_wrong_secret_is_refused_by_its_scheme() -> None:
    """Ours: RFC 6749, 5.2."""
    async with protected() as site:
        answer = await site.token({"grant_type": "client_credentials"}, ("demo-client", "wrong"))

        assert error_of(answer) == "invalid_client"
        assert answer.headers["www-authenticate"].startswith("Basic ")


async def test_a_client_must_use_the_method_that_it_registered() -> None:
    """Ours."""
    async with protected() as site:
        form = {"client_id": "demo-client", "client_secret": "demo-secret"}
        posted = await site.token({"grant_type": "client_credentials", **form})
        both = await site.token({"grant_type": "client_credentials", **form}, SECRET)

        assert error_of(posted) == "invalid_client"
        assert error_of(both) == "invalid_request"


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({}, 200),
        ({"aud": ["https://elsewhere.example", "TOKEN"]}, 200),
        ({"aud": "https://elsewhere.example"}, 401),
        ({"exp": 1}, 401),
        ({"exp": None}, 401),
        ({"sub": "another"}, 401),
        ({"jti": None}, 401),
    ],
)
async def test_a_client_proves_itself_with_a_key(changed: JsonObject, status: int) -> None:
    """Ours: RFC 7523, 3."""
    async with protected() as site:
        key = jose.new_key()
        answer = await site.token(await assertion(site, key, key, changed))

        assert answer.status_code == status, answer.text


async def test_an_assertion_is_taken_once_and_only_with_the_right_key() -> None:
    """Ours."""
    async with protected() as site:
        key = jose.new_key()
        form = await assertion(site, key, key, {})
        assert (await site.token(form)).status_code == 200

        assert error_of(await site.token(form)) == "invalid_client"
        forged = await assertion(site, key, jose.new_key(), {})
        assert error_of(await site.token(forged)) == "invalid_client"


async def assertion(
    site: Site, registered: ECKey, signing: ECKey, changed: JsonObject
) -> dict[str, str]:
    """The form of a client that registered a key; a claim is left out with None."""
    client = await site.registered(
        token_endpoint_auth_method="private_key_jwt",
        grant_types=["client_credentials"],
        jwks=jose.public_keys(registered),
    )
    claims: JsonObject = {
        "iss": client["client_id"],
        "sub": client["client_id"],
        "aud": site.setup.issuer,
        "exp": int(site.clock.now) + 60,
        "jti": "once",
    }
    kept: JsonObject = {name: value for name, value in (claims | changed).items() if value}
    if isinstance(kept["aud"], list):
        kept["aud"] = [f"{site.setup.issuer}/token"]
    return {
        "grant_type": "client_credentials",
        "client_assertion_type": ASSERTION_TYPE,
        "client_assertion": jose.sign("JWT", kept, signing),
    }
