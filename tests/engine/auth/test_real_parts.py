"""The whole flow against parts that nobody here wrote: an authorization server, and servers that are protected by official SDKs."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.auth.client import Origin
from inspector.auth.grant import MemoryGrants
from inspector.auth.settings import Settings, Waiver
from inspector.auth.state import Stage
from inspector.frozen import FrozenStruct
from inspector.wire import json_web_token
from tests.support.form_browser import FormBrowser
from tests.support.http_session import call, result_text
from tests.support.http_stub import JSON_TYPE, HttpStub, reply, well_behaved
from tests.support.real_parts import (
    python_server,
    typescript_example,
    typescript_server,
)
from tests.support.real_sessions import CODE, authorizer_of, broken, opened, refused

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from inspector.wire.json_codec import JsonObject
    from tests.support.http_stub import Asked, Reply


class Server(FrozenStruct, frozen=True):
    """A protected server."""

    url: str
    settings: Settings = CODE
    """What it takes to be let in."""
    breaks: frozenset[str] = frozenset()
    """The rules that it breaks."""


@pytest.fixture(scope="module", params=["python1", "python2", "typescript"])
def server(
    request: pytest.FixtureRequest,
    issuer: str,
    npm_folder: Path,
    sdk1_python: Path,
    sdk2_python: Path,
    folder: Path,
) -> Generator[Server]:
    """A server on each official SDK that checks tokens of the authorization server."""
    if request.param == "typescript":
        with typescript_server(npm_folder, issuer, folder) as url:
            yield Server(url)
        return
    python = sdk1_python if request.param == "python1" else sdk2_python
    with python_server(python, issuer, folder, "mcp:read") as url:
        if request.param == "python2":
            yield Server(url)
        else:  # it names the issuer with a slash at its end, which it has not
            waived = replace(CODE, waivers=frozenset({Waiver.ISSUER}))
            yield Server(url, waived, frozenset({"L-AUT-06"}))


@pytest.fixture(scope="module")
def writing(issuer: str, sdk2_python: Path, folder: Path) -> Generator[str]:
    """A server on the Python SDK that needs two scopes for everything."""
    with python_server(sdk2_python, issuer, folder, "mcp:read", "mcp:write") as url:
        yield url


@pytest.fixture(scope="module")
def example(npm_folder: Path, folder: Path) -> Generator[str]:
    """The example of the TypeScript SDK, with its own authorization server."""
    with typescript_example(npm_folder, folder) as url:
        yield url


async def test_discovery_registration_and_login_end_in_a_token_for_the_server(
    server: Server, issuer: str
) -> None:
    """C-AUT-02, C-AUT-04, C-AUT-10, C-AUT-22, C-AUT-25, C-AUT-36."""
    async with opened(server.url, server.settings) as session:
        await session.connect()
        told = result_text(await call(session.session, "whoami"))
        grant = authorizer_of(session).grant

    assert grant is not None
    said = json_web_token.token_claims(grant.tokens.access) or {}
    assert (said["aud"], said["iss"]) == (server.url, issuer)
    assert f"{grant.client.id} mcp:read" in told
    assert grant.client.origin is Origin.REGISTERED
    assert broken(session) == server.breaks


async def test_many_calls_over_an_expiring_token_renew_it_once_and_nobody_is_locked_out(
    server: Server,
) -> None:
    """C-AUT-43: the authorization server takes each refresh token once, and ends the grant where one comes twice."""
    browser = FormBrowser()
    async with opened(server.url, server.settings, user_agent=browser.user_agent) as session:
        await session.connect()
        authorizer = authorizer_of(session)
        used = [authorizer.grant]
        for _ in range(2):
            authorizer.expire()
            await asyncio.gather(*(call(session.session, "whoami") for _ in range(20)))
            used.append(authorizer.grant)

        assert len({each.tokens.refresh for each in used if each is not None}) == 3
        assert len(browser.visited) == 1


async def test_a_stored_token_lets_in_without_a_login_and_one_that_was_revoked_does_not(
    server: Server,
) -> None:
    """RFC 7009, section 2.1."""
    browser, grants = FormBrowser(), MemoryGrants()
    for _ in range(2):
        async with opened(
            server.url, server.settings, grants=grants, user_agent=browser.user_agent
        ) as session:
            await session.connect()
    assert len(browser.visited) == 1

    async with opened(server.url, server.settings, grants=grants) as session:
        await session.connect()
        authorizer = authorizer_of(session)
        held = authorizer.grant
        assert held is not None
        assert await authorizer.revoke() == ""
        assert grants.grants == {}
        grants.put(held)
        assert not await authorizer.refresh()


async def test_a_tool_that_needs_another_scope_leads_to_a_login_for_both(typescript: str) -> None:
    """C-AUT-33, C-AUT-34: the client was registered for one scope, and gets no other until it is registered again."""
    browser = FormBrowser()
    async with opened(typescript, user_agent=browser.user_agent) as session:
        await session.connect()
        told = result_text(await call(session.session, "write"))
        grant = authorizer_of(session).grant

    assert "written" in told
    assert grant is not None
    assert set(grant.tokens.scopes) >= {"mcp:read", "mcp:write"}
    assert len(browser.visited) == 2


async def test_scopes_that_a_challenge_does_not_name_are_read_from_the_metadata(
    writing: str,
) -> None:
    """C-AUT-32, C-AUT-34."""
    browser = FormBrowser()
    settings = replace(CODE, scopes=("mcp:read",))
    async with opened(writing, settings, user_agent=browser.user_agent) as session:
        await session.connect()
        told = result_text(await call(session.session, "whoami"))

    assert "mcp:read mcp:write" in told
    assert len(browser.visited) == 2


async def test_a_refresh_token_that_somebody_used_leads_back_to_the_user(typescript: str) -> None:
    """C-AUT-43."""
    browser, grants = FormBrowser(), MemoryGrants()
    async with opened(typescript, grants=grants, user_agent=browser.user_agent) as session:
        await session.connect()
        authorizer = authorizer_of(session)
        first = authorizer.grant
        assert first is not None
        assert await authorizer.refresh()
    grants.put(replace(first, tokens=replace(first.tokens, access="over", expires_at=0.0)))
    async with opened(typescript, grants=grants, user_agent=browser.user_agent) as session:
        await session.connect()

    assert len(browser.visited) == 2
    assert len(grants.clients) == 1


async def test_a_resource_that_the_authorization_server_does_not_know_is_told(
    typescript: str,
) -> None:
    """C-AUT-25, C-AUT-26."""
    settings = replace(CODE, resource=f"{typescript}/")
    async with opened(typescript, settings) as session:
        assert "invalid_target" in (await refused(session)).reason


async def test_a_token_that_was_not_asked_for_this_server_tells_why_it_is_rejected(
    typescript: str,
) -> None:
    """C-AUT-30; ours: the server says only that it cannot read the token."""
    browser = FormBrowser()
    settings = replace(CODE, sends_resource=False, scopes=("openid",))
    async with opened(typescript, settings, user_agent=browser.user_agent) as session:
        failure = await refused(session)

    assert "not a JSON Web Token" in failure.reason
    assert len(browser.visited) == 1


async def test_a_login_that_the_user_cancels_is_told(typescript: str) -> None:
    """RFC 6749, section 4.1.2.1."""
    async with opened(typescript, user_agent=FormBrowser(refuses=True).user_agent) as session:
        assert "access_denied" in (await refused(session)).reason


async def test_a_wrong_verifier_is_refused_and_the_step_can_be_done_again(typescript: str) -> None:
    """C-AUT-22; ours: wrong on purpose, to see what the authorization server says."""
    async with opened(typescript) as session:
        await session.connect()
        flow = authorizer_of(session).new_flow()
        await flow.run(Stage.AUTHORIZATION)
        planned = await flow.next_step()
        assert planned is not None
        assert planned.request is not None
        wrong = planned.request.body.replace(b"code_verifier=", b"code_verifier=x")
        step = await flow.advance(replace(planned, request=replace(planned.request, body=wrong)))
        assert step is not None
        assert "invalid_grant" in step.problem
        flow.rewind(step.number)
        assert await flow.run() is not None
        await flow.aclose()


async def test_tokens_are_bound_to_a_key_and_nonces_are_given_back(issuer: str) -> None:
    """RFC 9449, sections 5 and 8; the SDKs take no such tokens."""

    def bound(asked: Asked) -> Reply:
        if "oauth-protected-resource" in asked.path:
            return reply(200, json.dumps(described).encode(), JSON_TYPE)
        if not asked.headers.get("authorization", "").startswith("DPoP "):
            return reply(401, www_authenticate='DPoP algs="ES256"')
        return well_behaved(asked)

    async with HttpStub(otherwise=bound) as stub, opened(stub.url) as session:
        described: JsonObject = {
            "resource": stub.url,
            "authorization_servers": [issuer],
            "scopes_supported": ["mcp:read"],
        }
        await session.connect()
        authorizer = authorizer_of(session)
        assert authorizer.flow is not None
        assert [step.stage for step in authorizer.flow.steps].count(Stage.TOKEN) == 2
        assert await authorizer.refresh()
        assert authorizer.grant is not None
        said = json_web_token.token_claims(authorizer.grant.tokens.access) or {}
        assert "cnf" in said


async def test_the_example_of_an_sdk_lets_in_and_gives_no_refresh_token(example: str) -> None:
    """C-AUT-02, C-AUT-36: its tokens are opaque, its issuer has a slash at its end, and it names itself in no callback."""
    browser = FormBrowser()
    async with opened(example, user_agent=browser.user_agent) as session:
        await session.connect()
        authorizer = authorizer_of(session)
        await session.session.request("tools/call", {"name": "greet", "arguments": {"name": "Ada"}})
        assert authorizer.grant is not None
        assert authorizer.grant.tokens.refresh == ""
        assert not await authorizer.refresh()
        assert await authorizer.revoke() != ""
    assert broken(session) == set()
