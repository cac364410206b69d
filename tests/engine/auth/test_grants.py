"""Tokens that no user logs in for, and tokens that are bound to a key: over exchanges that are scripted."""

from __future__ import annotations

import json

import pytest
from joserfc import jws
from joserfc.jwk import ECKey, OKPKey, RSAKey
from msgspec.structs import replace

from inspector.auth import signing
from inspector.auth.settings import Settings, Way
from inspector.errors import AuthError
from tests.support.scripted_flow import (
    CODE,
    IDP,
    ISSUER,
    PRM,
    SERVER,
    Script,
    failure,
    flow_of,
    refused,
)

# Other ways


async def test_a_client_gets_a_token_for_itself_with_its_secret() -> None:
    """C-AUT-47, C-AUT-25."""
    settings = Settings(way=Way.CLIENT_CREDENTIALS, client_id="me", client_secret="s")
    script = Script()
    await flow_of(script, refused(settings=settings)).run()

    form = script.form()
    assert (form["grant_type"], form["resource"], form["scope"]) == (
        "client_credentials",
        SERVER,
        "p q",
    )
    assert script.visited == []
    assert "/register" not in script.paths


async def test_a_client_gets_a_token_for_itself_with_its_key() -> None:
    """C-AUT-47; RFC 7523, section 3."""
    pem = ECKey.generate_key("P-256").as_pem(private=True).decode()
    settings = Settings(way=Way.CLIENT_CREDENTIALS, client_id="me", private_key=pem)
    script = Script()
    await flow_of(script, refused(settings=settings)).run()

    payload = json.loads(jws.extract_compact(script.form()["client_assertion"].encode()).payload)
    assert (payload["iss"], payload["sub"], payload["aud"]) == ("me", "me", ISSUER)


@pytest.mark.parametrize(
    "pem", ["", "x", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"]
)
def test_a_key_that_cannot_be_used_is_told(pem: str) -> None:
    """Ours."""
    with pytest.raises(AuthError):
        signing.client_assertion(pem, "ES256", client_id="me", audience=ISSUER, now=0)


async def test_an_identity_token_is_exchanged_twice_and_the_user_has_no_part_in_it() -> None:
    """C-AUT-48."""
    settings = Settings(
        way=Way.ENTERPRISE,
        client_id="me",
        client_secret="s",
        idp_token_endpoint=f"{IDP}/token",
        idp_client_id="we",
        idp_id_token="identity",
    )
    jag = "urn:ietf:params:oauth:token-type:id-jag"
    script = Script(
        answers=[{"access_token": "jag", "token_type": "N_A", "issued_token_type": jag}]
    )
    await flow_of(script, refused(settings=settings)).run()

    exchange, token = script.form(0), script.form(1)
    assert (exchange["audience"], exchange["resource"]) == (ISSUER, SERVER)
    assert exchange["subject_token"] == "identity"
    assert token["assertion"] == "jag"
    assert script.visited == []


async def test_an_assertion_that_is_refused_is_not_tried_in_another_way() -> None:
    """RFC 7523, section 2.1."""
    settings = Settings(way=Way.WORKLOAD, client_id="me", assertion="mine")
    script = Script(answers=[{"error": "invalid_grant"}])
    await failure(script, refused(settings=settings))

    assert script.paths.count("/token") == 1
    assert script.form()["assertion"] == "mine"


# Proofs


async def test_a_token_is_bound_to_a_key_where_the_server_asks_for_that_and_a_nonce_is_given() -> (
    None
):
    """RFC 9449, sections 5 and 8."""
    script = Script(answers=[{"error": "use_dpop_nonce"}])
    flow = flow_of(script, refused(f'DPoP resource_metadata="{PRM}"'))
    tokens = await flow.run()

    assert tokens is not None
    assert tokens.is_bound
    proofs = [dict(each.headers)["DPoP"] for each in script.sent if each.url.endswith("/token")]
    read = [jws.extract_compact(each.encode()) for each in proofs]
    claims = [json.loads(each.payload) for each in read]
    assert [each.get("nonce") for each in claims] == [None, "nonce"]
    assert claims[0]["jti"] != claims[1]["jti"]
    assert {each["htu"] for each in claims} == {f"{ISSUER}/token"}
    assert read[0].headers()["typ"] == "dpop+jwt"
    assert "d" not in read[0].headers()["jwk"]


async def test_a_server_that_always_wants_another_nonce_is_not_obeyed_for_ever() -> None:
    """Ours."""
    script = Script(answers=[{"error": "use_dpop_nonce"}] * 5)
    failed = await failure(script, refused(settings=replace(CODE, always_dpop=True)))

    assert "use_dpop_nonce" in failed.reason
    assert script.paths.count("/token") == 2


@pytest.mark.parametrize(
    ("key", "algorithm"),
    [
        (ECKey.generate_key("P-256"), "ES256"),
        (ECKey.generate_key("P-384"), "ES384"),
        (RSAKey.generate_key(2048), "RS256"),
        (OKPKey.generate_key("Ed25519"), "Ed25519"),
    ],
    ids=["P-256", "P-384", "RSA", "Ed25519"],
)
def test_the_algorithm_follows_from_the_key(key: ECKey | RSAKey | OKPKey, algorithm: str) -> None:
    """RFC 7518, section 3.1; ours: what it says can be signed with."""
    pem = key.as_pem(private=True).decode()
    found = signing.algorithm_for(pem)
    made = signing.client_assertion(
        pem, found, client_id="me", audience="https://as.example", now=0
    )

    assert found == algorithm
    assert json.loads(jws.extract_compact(made.encode()).payload)["sub"] == "me"


@pytest.mark.parametrize(
    "pem", ["", "junk", ECKey.generate_key("P-256").as_pem(private=False).decode()]
)
def test_what_is_no_private_key_is_told_so(pem: str) -> None:
    """Ours."""
    with pytest.raises(AuthError) as failure:
        signing.algorithm_for(pem)

    assert failure.value.hint
