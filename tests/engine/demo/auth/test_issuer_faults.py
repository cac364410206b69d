"""Each fault of the issuer does exactly what it says: registration, authorization, tokens."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

import pytest

from inspector.demo.auth.faults import Fault
from inspector.demo.auth.setup import OTHER_HOST
from tests.engine.demo.auth.site import (
    CALLBACK,
    PASSED,
    READER,
    VERIFIER,
    WRITER,
    answered,
    is_page,
    protected,
)

if TYPE_CHECKING:
    import httpx


async def test_s256_is_demanded_but_not_listed() -> None:
    """Ours."""
    async with protected(Fault.PKCE_NOT_LISTED) as site:
        assert "code_challenge_methods_supported" not in await site.issuer_metadata()
        assert (await site.log_in()).access


async def test_no_registration_is_offered() -> None:
    """Ours."""
    async with protected(Fault.REGISTRATION_NONE) as site:
        metadata = await site.issuer_metadata()

        assert "registration_endpoint" not in metadata
        assert "client_id_metadata_document_supported" not in metadata
        assert (await site.register()).status_code == 404
        assert answered(await site.authorize("demo-public-client"))["code"]


@pytest.mark.parametrize(
    ("fault", "status", "error"),
    [
        (Fault.REGISTRATION_LOOPBACK, 400, "invalid_redirect_uri"),
        (Fault.REGISTRATION_INITIAL_TOKEN, 401, "invalid_token"),
        (Fault.REGISTRATION_FORBIDDEN, 403, "insufficient_scope"),
    ],
)
async def test_registration_is_refused(fault: Fault, status: int, error: str) -> None:
    """Ours."""
    async with protected(fault) as site:
        answer = await site.register()

        assert (answer.status_code, answer.json()["error"]) == (status, error)


async def test_registration_takes_what_is_not_on_the_loopback_interface() -> None:
    """Ours."""
    async with protected(Fault.REGISTRATION_LOOPBACK) as site:
        answer = await site.register(redirect_uris=["https://app.example/callback"])

        assert answer.status_code == 201


async def test_a_client_is_forgotten_once_it_has_a_token() -> None:
    """Ours."""
    async with protected(Fault.CLIENT_FORGOTTEN) as site:
        login = await site.log_in()

        assert (await site.call(login.access)).status_code == PASSED
        refused = await site.refresh(login.client_id, login.tokens["refresh_token"])
        assert refused.json()["error"] == "invalid_client"
        assert is_page(await site.authorize(login.client_id))


async def test_a_registered_client_is_refused_on_a_page() -> None:
    """Ours."""
    async with protected(Fault.AUTHORIZE_REFUSED) as site:
        client_id = str((await site.registered())["client_id"])

        assert is_page(await site.authorize(client_id))
        assert is_page(await site.authorize(client_id, redirect_uri=None))


async def test_the_port_of_the_redirect_uri_must_be_the_registered_one() -> None:
    """Ours."""
    async with protected(Fault.REDIRECT_PORT) as site:
        client_id = str((await site.registered())["client_id"])

        assert is_page(
            await site.authorize(client_id, redirect_uri="http://127.0.0.1:5002/callback")
        )
        assert answered(await site.authorize(client_id, redirect_uri=CALLBACK))["code"]


async def test_the_parameter_resource_is_refused() -> None:
    """Ours."""
    async with protected(Fault.RESOURCE_REFUSED) as site:
        client_id = str((await site.registered())["client_id"])
        fields = answered(await site.authorize(client_id))
        code = answered(await site.authorize(client_id, resource=None))["code"]

        assert fields["error"] == "invalid_target"
        assert (await site.trade(client_id, code)).json()["error"] == "invalid_target"
        form = {
            "grant_type": "authorization_code",
            "client_id": client_id,
            "code": code,
            "redirect_uri": CALLBACK,
            "code_verifier": VERIFIER,
        }
        assert (await site.call((await site.token(form)).json()["access_token"])).is_success


@pytest.mark.parametrize(
    ("fault", "name", "value"),
    [
        (Fault.ISS_WRONG, "iss", OTHER_HOST),
        (Fault.ISS_MISSING, "iss", None),
        (Fault.STATE_MISSING, "state", None),
    ],
)
async def test_the_authorization_response_is_not_what_it_should_be(
    fault: Fault, name: str, value: str | None
) -> None:
    """Ours."""
    async with protected(fault) as site:
        client_id = str((await site.registered())["client_id"])
        good = answered(await site.authorize(client_id))
        bad = answered(await site.authorize(client_id, response_type="token"))

        metadata = await site.issuer_metadata()
        assert metadata["authorization_response_iss_parameter_supported"] is True
        assert good.get(name) == bad.get(name) == value
        assert len(good) == (3 if value else 2)
        assert good["code"]


async def test_a_scope_is_never_granted() -> None:
    """Ours."""
    async with protected(Fault.SCOPE_NEVER_GRANTED) as site:
        login = await site.log_in(scope="mcp:read mcp:write")

        assert login.tokens["scope"] == "mcp:read"
        assert (await site.call(login.access, READER)).status_code == PASSED
        assert (await site.call(login.access, WRITER)).status_code == 403


async def test_no_refresh_token_is_given() -> None:
    """Ours."""
    async with protected(Fault.REFRESH_NEVER_GIVEN) as site:
        login = await site.log_in(scope="mcp:read offline_access")

        assert "refresh_token" not in login.tokens
        assert "refresh_token" in str((await site.issuer_metadata())["grant_types_supported"])


async def test_the_audience_is_lost_on_refresh() -> None:
    """Ours."""
    async with protected(Fault.REFRESH_AUDIENCE) as site:
        login = await site.log_in()
        fresh = (await site.refresh(login.client_id, login.tokens["refresh_token"])).json()

        assert (await site.call(login.access)).status_code == PASSED
        assert (await site.call(fresh["access_token"])).status_code == 401


async def test_a_method_is_listed_but_not_taken() -> None:
    """Ours."""
    async with protected(Fault.TOKEN_METHOD) as site:
        listed = (await site.issuer_metadata())["token_endpoint_auth_methods_supported"]
        assert listed == ["client_secret_basic", "client_secret_post"]
        client = await site.registered()
        assert client["token_endpoint_auth_method"] == "client_secret_basic"
        pair = (str(client["client_id"]), str(client["client_secret"]))

        basic = await site.token({"grant_type": "authorization_code", "code": "x"}, pair)
        posted = await site.token(
            {
                "grant_type": "client_credentials",
                "client_id": "demo-post-client",
                "client_secret": "demo-secret",
            }
        )

        assert basic.json()["error"] == "invalid_client"
        assert posted.status_code == 200


async def test_the_token_endpoint_answers_200_with_an_error() -> None:
    """Ours."""
    async with protected(Fault.TOKEN_ERROR_200) as site:
        answer = await site.token(
            {"grant_type": "authorization_code", "client_id": "demo-public-client"}
        )

        assert answer.status_code == 200
        assert answer.json()["error"] == "invalid_grant"


async def test_the_lifetime_is_a_string() -> None:
    """Ours."""
    async with protected(Fault.TOKEN_EXPIRES_TEXT) as site:
        assert (await site.log_in()).tokens["expires_in"] == "3600"


async def test_tokens_are_for_another_audience() -> None:
    """Ours."""
    async with protected(Fault.TOKEN_AUDIENCE) as site:
        login = await site.log_in()

        assert login.claims["aud"] == login.client_id
        assert (await site.call(login.access)).status_code == 401


async def test_tokens_are_opaque() -> None:
    """Ours."""
    async with protected(Fault.TOKEN_OPAQUE) as site:
        login = await site.log_in()

        assert login.access.count(".") == 0
        assert (await site.call(login.access)).status_code == 401


@pytest.mark.parametrize("fault", [Fault.CLOCK_AHEAD, Fault.CLOCK_BEHIND])
async def test_the_issuers_clock_is_off(fault: Fault) -> None:
    """Ours."""
    async with protected(fault) as site:
        login = await site.log_in()
        issued, expires = login.claims["iat"], login.claims["exp"]
        assert isinstance(issued, int)
        assert isinstance(expires, int)

        refused = await site.call(login.access)

        assert refused.status_code == 401
        assert abs(date(login.answer) - issued) <= 1
        assert abs(date(refused) - site.clock.now) <= 1
        if fault is Fault.CLOCK_AHEAD:
            assert issued > site.clock.now + 60
        else:
            assert expires < site.clock.now - 60


def date(answer: httpx.Response) -> float:
    """What the server's clock shows."""
    return parsedate_to_datetime(answer.headers["date"]).timestamp()
