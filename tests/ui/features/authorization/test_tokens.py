"""The client and the tokens on the page: masked, compared with what was requested, and what can be done with them."""

from __future__ import annotations

import base64
import json
import time
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from inspector.auth.client import Client
from inspector.auth.grant import Grant
from inspector.auth.tokens import Tokens
from tests.support.protected import Protected
from tests.support.wait import wait_until
from tests.ui.qt_actions import cells, click, reads, sees
from ui.features.authorization.token_detail import token_facts, token_rows

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from inspector.open_session import OpenSession
    from ui.features.authorization.page import AuthorizationPage

    Shown = Callable[..., AbstractAsyncContextManager[OpenSession]]

SERVER, ISSUER = "https://mcp.example/mcp", "https://as.example"


def jwt(**claims: object) -> str:
    parts = ({"alg": "ES256"}, claims)
    encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode() for part in parts]
    return ".".join([*(part.rstrip("=") for part in encoded), "c2ln"])


def grant(access: str) -> Grant:
    return Grant(
        server_url=SERVER,
        client=Client(ISSUER, "the-client"),
        resource=SERVER,
        scopes=("read", "write"),
        tokens=Tokens(access, scopes=("read",), refresh="refresh-secret", expires_at=1000.0),
        token_endpoint=f"{ISSUER}/token",
    )


def access_token(session: OpenSession) -> str:
    assert session.authorizer is not None
    held = session.authorizer.grant
    return held.tokens.access if held is not None else ""


def facts(access: str) -> dict[str, tuple[str, str]]:
    held = grant(access)
    row = next(each for each in token_rows(held, None, str.upper) if each.key == "access")
    return {fact.name: (fact.value, fact.tone) for fact in token_facts(row, held, 940.0)}


def test_rows_hold_fingerprints_and_no_token() -> None:
    """C-SEC-14."""
    rows = token_rows(grant("access-secret"), None, lambda _: "7c1e")

    assert [row.key for row in rows] == ["client", "access", "refresh"]
    for row in rows:
        texts = (row.value, row.details, repr(row))
        assert not any("secret" in text for text in texts)
    assert rows[1].value.endswith("7c1e")


def test_a_token_for_another_resource_and_scopes_that_are_missing_stand_out() -> None:
    """C-AUT-30; ours."""
    found = facts(jwt(aud="https://other.example", iss=ISSUER))

    assert found["Audience"] == ("https://other.example", "error")
    assert found["Issuer"] == (ISSUER, "ok")
    assert found["Not granted"] == ("write", "warning")
    assert found["Expires"] == ("expires in 1 min 0 s", "muted")


def test_the_time_that_is_left_has_a_tone_when_it_is_short_or_over() -> None:
    """Ours."""
    row = token_rows(grant("x"), None, str)[1]

    assert row.expiry_text(1000 - 59)[1] == "pending"
    assert row.expiry_text(1001)[1] == "warning"


def test_claims_of_any_type_are_told() -> None:
    """Ours: a token says what it likes."""
    found = facts(jwt(aud=[1, None, SERVER], iss=7, exp="soon", iat=10**30, sub=[], nbf=True))

    assert found["Audience"] == (SERVER, "ok")
    assert found["Issuer"][1] == "error"


async def test_a_token_is_opened_shown_on_demand_and_closed_again(
    page: AuthorizationPage, shown: Shown
) -> None:
    """C-SEC-14; ours."""
    access = jwt(aud="https://other.example", exp=time.time() + 60)
    async with Protected(token={"access_token": access}) as server, shown(server):
        await wait_until(lambda: page.content.runner.has_tokens)
        page.content.tokens.table.selectRow(1)

        assert sees(page, "authorization_not_verified")
        assert "https://other.example" in reads(page, "authorization_token_facts")
        assert "other.example" in reads(page, "authorization_claims")
        assert access not in reads(page)
        click(page, "authorization_show_token")
        assert access in reads(page)
        click(page, "authorization_back")
        assert not sees(page, "authorization_token")


async def test_refresh_now_gets_another_token(page: AuthorizationPage, shown: Shown) -> None:
    """C-AUT-43."""
    async with Protected() as server, shown(server) as session:
        await wait_until(lambda: page.content.runner.has_tokens)
        before = access_token(session)

        click(page, "authorization_refresh")
        await wait_until(lambda: sees(page, "authorization_token_outcome"))

        assert access_token(session) != before
        assert server.forms()[-1]["grant_type"] == "refresh_token"


async def test_a_token_that_counts_as_expired_is_refreshed_by_the_next_request(
    page: AuthorizationPage, shown: Shown
) -> None:
    """C-AUT-43."""
    async with Protected() as server, shown(server) as session:
        await wait_until(lambda: page.content.runner.has_tokens)
        click(page, "authorization_expire")
        assert server.count("POST /token") == 1
        await wait_until(lambda: "expired" in cells(page.content.tokens.table)[1][3])

        await session.ping.once()

        assert server.forms()[-1]["grant_type"] == "refresh_token"


async def test_a_broken_token_is_rejected_and_the_right_one_is_used_again(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours: whether a server checks tokens at all."""
    async with Protected() as server, shown(server):
        await wait_until(lambda: page.content.runner.has_tokens)
        access, before = next(iter(server.valid)), len(server.stub.asked)
        click(page, "authorization_break")

        await wait_until(lambda: "rejected" in reads(page, "authorization_token_outcome"))
        await wait_until(lambda: len(server.stub.asked) > before + 1)
        sent = [each.headers.get("authorization") for each in server.stub.asked[before:]]
        assert sent.count(f"Bearer {access}") == len(sent) - 1
        assert server.count("POST /token") == 1
        told: list[str] = []

        def tell(text: str, _tone: str) -> None:
            told.append(text)

        page.content.token_commands.done.connect(tell)
        page.content.token_commands.look_at_broken()
        assert told == []  # that it was rejected is told once


async def test_a_server_that_accepts_a_broken_token_is_found_out(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours."""
    async with Protected() as server, shown(server) as session:
        await wait_until(lambda: page.content.runner.has_tokens)
        access = access_token(session)
        server.is_open = True
        click(page, "authorization_break")

        await wait_until(lambda: "accepted" in reads(page, "authorization_token_outcome"))
        assert access_token(session) == access


async def test_tokens_are_revoked_and_forgotten_after_a_question(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours."""
    async with Protected() as server, shown(server) as session:
        await wait_until(lambda: page.content.runner.has_tokens)
        click(page, "authorization_revoke")
        assert server.count("POST /revoke") == 0
        click(page, "authorization_cancel")
        assert not sees(page, "authorization_question")

        click(page, "authorization_revoke")
        click(page, "authorization_confirm")
        await wait_until(lambda: not access_token(session))

        assert server.count("POST /revoke") == 1
        await wait_until(lambda: not server.grants.grants)


async def test_copying_what_is_known_of_a_token_copies_no_token(
    page: AuthorizationPage, shown: Shown
) -> None:
    """C-SEC-14."""
    async with Protected() as server, shown(server) as session:
        await wait_until(lambda: page.content.runner.has_tokens)
        page.content.tokens.table.selectRow(1)
        QGuiApplication.clipboard().setText(page.content.token.facts.as_text())

        assert access_token(session) not in QGuiApplication.clipboard().text()


async def test_a_token_for_another_audience_shows_both_audiences(
    page: AuthorizationPage, shown: Shown
) -> None:
    """C-AUT-30; ours."""
    access = jwt(aud="https://other.example/", exp=time.time() + 60)
    async with Protected(token={"access_token": access}) as server, shown(server):
        await wait_until(lambda: sees(page, "authorization_received"))

        assert reads(page, "authorization_expected") == server.stub.url
        assert reads(page, "authorization_received") == "https://other.example/"
        assert server.stub.url in reads(page, "authorization_hint")
