"""Tokens that are bound to a key."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import pytest
from joserfc import jwt

from inspector.demo.auth import jose
from inspector.demo.auth.dpop import token_hash
from inspector.demo.auth.setup import DPOP_NONCE, DPOP_REQUIRED
from tests.engine.demo.auth.site import CALLBACK, PASSED, VERIFIER, answered, protected

if TYPE_CHECKING:
    import httpx
    from joserfc.jwk import ECKey

    from inspector.wire.json_codec import Json, JsonObject
    from tests.engine.demo.auth.site import Site


def proof(key: ECKey, site: Site, path: str, **changed: object) -> str:
    """A proof for a POST; a claim is left out with None."""
    claims: dict[str, object] = {
        "jti": secrets.token_urlsafe(8),
        "htm": "POST",
        "htu": site.setup.origin + path,
        "iat": int(site.clock.now),
    }
    kept = {name: value for name, value in (claims | changed).items() if value is not None}
    header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": key.as_dict(private=False)}
    return jwt.encode(header, kept, key)


async def ask(site: Site, key: ECKey, **changed: object) -> httpx.Response:
    """A token for a client of its own, bound to a key."""
    headers = {"DPoP": proof(key, site, "/token", **changed)}
    auth = ("demo-client", "demo-secret")
    return await site.token({"grant_type": "client_credentials"}, auth, headers)


async def call(site: Site, key: ECKey, token: str, **changed: object) -> httpx.Response:
    """A call with a bound token."""
    given = proof(key, site, "/mcp", **({"ath": token_hash(token)} | changed))
    return await site.call(token, Authorization=f"DPoP {token}", DPoP=given)


async def test_a_bound_token_opens_the_endpoint_with_a_proof() -> None:
    """Ours: RFC 9449, 5 to 7."""
    async with protected(dpop=DPOP_REQUIRED) as site:
        key = jose.new_key()
        tokens = (await ask(site, key)).json()

        assert tokens["token_type"] == "DPoP"
        assert (await call(site, key, tokens["access_token"])).status_code == PASSED
        assert (await call(site, jose.new_key(), tokens["access_token"])).status_code == 401
        assert (await site.call(tokens["access_token"])).status_code == 401
        metadata = await site.issuer_metadata()
        assert "ES256" in str(metadata["dpop_signing_alg_values_supported"])
        assert (await site.resource_metadata())["dpop_bound_access_tokens_required"] is True


async def test_the_challenge_names_the_scheme() -> None:
    """Ours: RFC 9449, 7.1."""
    async with protected(dpop=DPOP_REQUIRED) as site:
        challenge = (await site.http.post("/mcp")).headers["www-authenticate"]

        assert challenge.startswith("DPoP ")
        assert 'algs="ES256 ' in challenge


WRONG: list[JsonObject] = [
    {"htm": "GET"},
    {"htu": "http://elsewhere.example/mcp"},
    {"iat": 1},
    {"jti": None},
]


@pytest.mark.parametrize("changed", WRONG)
async def test_a_wrong_proof_is_refused_by_both(changed: JsonObject) -> None:
    """Ours: RFC 9449, 4.3."""
    async with protected(dpop=DPOP_REQUIRED) as site:
        key = jose.new_key()
        refused = await ask(site, key, **changed)
        token = (await ask(site, key)).json()["access_token"]

        assert refused.json()["error"] == "invalid_dpop_proof"
        assert (await call(site, key, token, **changed)).status_code == 401
        assert (await call(site, key, token, ath="another")).status_code == 401


async def test_a_proof_is_good_for_one_request() -> None:
    """Ours: RFC 9449, 11.1."""
    async with protected(dpop=DPOP_REQUIRED) as site:
        key = jose.new_key()
        token = (await ask(site, key)).json()["access_token"]

        assert (await call(site, key, token, jti="once")).status_code == PASSED
        assert (await call(site, key, token, jti="once")).status_code == 401


async def test_a_nonce_is_asked_for_by_both_and_then_taken() -> None:
    """Ours: RFC 9449, 8 and 9."""
    async with protected(dpop=DPOP_NONCE) as site:
        key = jose.new_key()
        refused = await ask(site, key)
        assert refused.status_code == 400
        assert refused.json()["error"] == "use_dpop_nonce"
        token = (await ask(site, key, nonce=refused.headers["dpop-nonce"])).json()["access_token"]

        challenged = await call(site, key, token)

        assert challenged.status_code == 401
        assert 'error="use_dpop_nonce"' in challenged.headers["www-authenticate"]
        nonce = challenged.headers["dpop-nonce"]
        assert nonce != refused.headers["dpop-nonce"]
        assert (await call(site, key, token, nonce=nonce)).status_code == PASSED


async def test_a_nonce_is_taken_until_the_one_after_the_next() -> None:
    """Ours."""
    async with protected(dpop=DPOP_NONCE) as site:
        key = jose.new_key()
        first = (await ask(site, key)).headers["dpop-nonce"]
        site.clock.now += 61
        second = (await ask(site, key, nonce=first)).headers["dpop-nonce"]
        site.clock.now += 61
        third = (await ask(site, key, nonce=second)).headers["dpop-nonce"]

        assert len({first, second, third}) == 3
        assert (await ask(site, key, nonce=first)).json()["error"] == "use_dpop_nonce"


@pytest.mark.parametrize("given", ["", "x", "a.b.c"])
async def test_what_is_no_proof_is_refused(given: str) -> None:
    """Ours."""
    async with protected(dpop=DPOP_REQUIRED) as site:
        auth = ("demo-client", "demo-secret")
        answer = await site.token({"grant_type": "client_credentials"}, auth, {"DPoP": given})

        assert answer.json()["error"] == "invalid_dpop_proof"


@pytest.mark.parametrize(
    "key",
    [
        "x",
        1,
        {},
        {"kty": "EC", "crv": "P-256", "x": "AAAA", "y": "AAAA"},
        {"kty": "oct", "k": "AAAA"},
    ],
)
def test_a_key_that_cannot_be_used_ends_in_one_error(key: Json) -> None:
    """Ours: whatever the library raises."""
    with pytest.raises(jose.BadToken):
        jose.public_key(key)


async def test_the_refresh_token_of_a_public_client_is_bound_as_well() -> None:
    """Ours: RFC 9449, 5."""
    async with protected(dpop=DPOP_REQUIRED) as site:
        key = jose.new_key()
        client_id = str((await site.registered())["client_id"])
        form = {
            "grant_type": "authorization_code",
            "client_id": client_id,
            "code": answered(await site.authorize(client_id))["code"],
            "redirect_uri": CALLBACK,
            "code_verifier": VERIFIER,
        }
        tokens = (await site.token(form, None, {"DPoP": proof(key, site, "/token")})).json()
        again = {
            "grant_type": "refresh_token",
            "client_id": client_id,
            "refresh_token": tokens["refresh_token"],
        }

        other = {"DPoP": proof(jose.new_key(), site, "/token")}
        assert (await site.token(again, None, other)).json()["error"] == "invalid_grant"
        same = {"DPoP": proof(key, site, "/token")}
        assert (await site.token(again, None, same)).json()["token_type"] == "DPoP"
