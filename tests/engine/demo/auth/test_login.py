"""Getting in where nothing is wrong: discovery, registration, consent, code, token."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from inspector.demo.auth.setup import CONSENT_DENY, CONSENT_PAGE
from tests.engine.demo.auth.site import (
    CALLBACK,
    PASSED,
    READER,
    VERIFIER,
    WRITER,
    Form,
    answered,
    is_page,
    jwt_part,
    protected,
)


async def test_a_request_without_a_token_is_told_where_to_read_on() -> None:
    """Ours: RFC 9728, 5.1."""
    async with protected() as site:
        answer = await site.http.post("/mcp", json={})

        assert answer.status_code == 401
        url = f"{site.setup.origin}/.well-known/oauth-protected-resource/mcp"
        challenge = answer.headers["www-authenticate"]
        assert challenge == f'Bearer scope="mcp:read", resource_metadata="{url}"'
        assert (await site.http.get(url)).json()["resource"] == site.setup.resource


@pytest.mark.parametrize("verb", ["GET", "DELETE", "POST"])
async def test_every_verb_needs_a_token(verb: str) -> None:
    """Ours."""
    async with protected() as site:
        assert (await site.http.request(verb, "/mcp")).status_code == 401


async def test_the_documents_lead_from_the_resource_to_the_issuer() -> None:
    """Ours: RFC 9728 and RFC 8414."""
    async with protected() as site:
        issuers = (await site.resource_metadata())["authorization_servers"]
        metadata = await site.issuer_metadata()

        assert issuers == [site.setup.origin]
        assert metadata["issuer"] == site.setup.origin
        assert metadata["code_challenge_methods_supported"] == ["S256"]
        assert await site.document("/.well-known/openid-configuration") == metadata
        assert (await site.http.get("/.well-known/oauth-protected-resource")).status_code == 404


async def test_an_issuer_with_a_path_has_its_documents_in_all_three_places() -> None:
    """Ours: basic/authorization, "Authorization Server Metadata Discovery"."""
    async with protected(issuer_path="/tenant1") as site:
        first = await site.issuer_metadata()

        assert first["issuer"] == f"{site.setup.origin}/tenant1"
        assert await site.document("/.well-known/openid-configuration/tenant1") == first
        assert await site.document("/tenant1/.well-known/openid-configuration") == first
        assert (await site.http.get("/.well-known/openid-configuration")).status_code == 404
        assert (await site.call((await site.log_in()).access)).status_code == PASSED


async def test_a_user_logs_in_on_the_page_and_allows_less_than_was_asked() -> None:
    """Ours."""
    async with protected(consent=CONSENT_PAGE) as site:
        client_id = str((await site.registered(client_name="<script>"))["client_id"])
        page = await site.authorize(client_id, scope="mcp:read mcp:write")
        assert "<script>" not in page.text
        form = Form(page.text)
        fields = dict(form.fields)

        answer = await site.http.post(
            form.action,
            data={**fields, "login": "ada", "scope": "mcp:read", "decision": "allow"},
        )
        again = await site.http.post(form.action, data={**fields, "decision": "allow"})
        tokens = (await site.trade(client_id, answered(answer)["code"])).json()

        assert tokens["scope"] == "mcp:read"
        assert jwt_part(tokens["access_token"], 1)["sub"] == "ada"
        assert again.status_code == 400


@pytest.mark.parametrize("decision", [{"decision": "deny"}, {"decision": "allow", "scope": ""}])
async def test_a_user_denies_on_the_page(decision: dict[str, str]) -> None:
    """Ours."""
    async with protected(consent=CONSENT_PAGE) as site:
        client_id = str((await site.registered())["client_id"])
        form = Form((await site.authorize(client_id)).text)

        answer = await site.http.post(form.action, data=dict(form.fields) | decision)

        assert answered(answer)["error"] == "access_denied"
        assert answered(answer)["iss"] == site.setup.issuer


async def test_consent_can_be_refused_without_a_page() -> None:
    """Ours."""
    async with protected(consent=CONSENT_DENY) as site:
        client_id = str((await site.registered())["client_id"])

        assert answered(await site.authorize(client_id))["error"] == "access_denied"


async def test_a_code_is_traded_for_a_token_that_opens_the_endpoint() -> None:
    """Ours."""
    async with protected() as site:
        login = await site.log_in()

        assert login.answer.headers["cache-control"] == "no-store"
        assert login.tokens["token_type"] == "Bearer"
        assert login.tokens["expires_in"] == 3600
        assert jwt_part(login.access, 0)["typ"] == "at+jwt"
        assert jwt_part(login.access, 0)["alg"] == "ES256"
        assert login.claims["aud"] == site.setup.resource
        assert login.claims["iss"] == site.setup.issuer
        assert (await site.call(login.access)).status_code == PASSED
        keys = await site.document("/jwks")
        assert str(jwt_part(login.access, 0)["kid"]) in str(keys)
        assert "'d'" not in str(keys)


async def test_the_answer_repeats_the_state_and_names_the_issuer() -> None:
    """Ours: RFC 9207."""
    async with protected() as site:
        client_id = str((await site.registered())["client_id"])
        fields = answered(await site.authorize(client_id, state="a b&c"))

        assert fields["state"] == "a b&c"
        assert fields["iss"] == site.setup.issuer


async def test_a_writing_tool_asks_for_another_scope_and_takes_it() -> None:
    """Ours: basic/authorization, "Scope Challenge Handling"."""
    async with protected() as site:
        small, large = await site.log_in(), await site.log_in(scope="mcp:read mcp:write")

        refused = await site.call(small.access, WRITER)

        assert refused.status_code == 403
        assert 'error="insufficient_scope"' in refused.headers["www-authenticate"]
        assert 'scope="mcp:read mcp:write"' in refused.headers["www-authenticate"]
        assert (await site.call(small.access, READER)).status_code == PASSED
        assert (await site.call(large.access, WRITER)).status_code == PASSED


WRONG_REQUESTS: list[tuple[dict[str, str | None], str]] = [
    ({"response_type": "token"}, "unsupported_response_type"),
    ({"code_challenge": None}, "invalid_request"),
    ({"code_challenge_method": "plain", "code_challenge": VERIFIER}, "invalid_request"),
    ({"code_challenge_method": None}, "invalid_request"),
    ({"scope": "mcp:read admin"}, "invalid_scope"),
    ({"resource": "https://elsewhere.example/mcp"}, "invalid_target"),
]


@pytest.mark.parametrize(("changed", "error"), WRONG_REQUESTS)
async def test_a_wrong_authorization_request_is_answered_by_redirect(
    changed: dict[str, str | None], error: str
) -> None:
    """Ours: RFC 6749, 4.1.2.1."""
    async with protected() as site:
        client_id = str((await site.registered())["client_id"])
        fields = answered(await site.authorize(client_id, **changed))

        assert fields["error"] == error
        assert fields["state"] == "a-state"
        assert fields["iss"] == site.setup.issuer


@pytest.mark.parametrize(
    "changed",
    [
        {"client_id": "nobody"},
        {"redirect_uri": "http://127.0.0.1:5001/other"},
        {"redirect_uri": "http://localhost:5001/callback"},
        {"redirect_uri": "https://evil.example/callback"},
    ],
)
async def test_a_wrong_client_or_redirect_uri_is_told_on_a_page(changed: dict[str, str]) -> None:
    """Ours: RFC 6749, 4.1.2.1: no redirect may follow."""
    async with protected() as site:
        client_id = str((await site.registered())["client_id"])
        answer = await site.authorize(**({"client_id": client_id} | changed))

        assert is_page(answer)


async def test_a_parameter_that_is_there_twice_is_refused() -> None:
    """Ours: RFC 6749, 3.1."""
    async with protected() as site:
        assert is_page(await site.http.get("/authorize?client_id=a&client_id=b"))


async def test_a_native_client_may_take_another_port() -> None:
    """Ours: RFC 8252, 7.3."""
    async with protected() as site:
        client_id = str((await site.registered())["client_id"])
        uri = "http://127.0.0.1:6002/callback"
        answer = await site.authorize(client_id, redirect_uri=uri)

        assert answer.headers["location"].startswith(f"{uri}?code=")


async def test_a_web_client_may_not() -> None:
    """Ours: and a client that names no application_type is one."""
    async with protected() as site:
        client_id = str((await site.registered(application_type=None))["client_id"])
        answer = await site.authorize(client_id, redirect_uri="http://127.0.0.1:6002/callback")

        assert is_page(answer)
        assert answered(await site.authorize(client_id))["code"]


async def test_the_only_registered_redirect_uri_need_not_be_named() -> None:
    """Ours."""
    async with protected() as site:
        client_id = str((await site.registered())["client_id"])
        code = answered(await site.authorize(client_id, redirect_uri=None))["code"]

        assert (await site.trade(client_id, code)).status_code == 200


async def test_a_client_registered_by_hand_needs_no_registration() -> None:
    """Ours."""
    async with protected() as site:
        answer = await site.authorize("demo-public-client", redirect_uri=f"{CALLBACK}/anything?a=1")
        location = urlsplit(answer.headers["location"])

        assert location.path == "/callback/anything"
        assert parse_qs(location.query)["a"] == ["1"]
        assert "code" in parse_qs(location.query)
