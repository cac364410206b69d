"""What an authorization leaves behind: no secret of it in a file, in a copy of one, in what is printed, nor in words."""

from __future__ import annotations

import asyncio
import logging
import traceback
from typing import TYPE_CHECKING

import pytest
from joserfc.jwk import ECKey
from msgspec.structs import replace

from inspector.__main__ import main
from inspector.auth.grant import Access
from inspector.auth.settings import Settings, Way
from inspector.errors import InspectorError
from inspector.transcript.recording_file import write_copy
from inspector.workspace import Workspace
from tests.support.http_session import call
from tests.support.http_stub import reply
from tests.support.protected import Protected
from tests.support.recordings import written
from tests.support.redirected import Redirected
from tests.support.traces import secrets_of, traces

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.wire.json_codec import JsonObject

SECRET = "client-secret/0123456789"
CODE = Settings(way=Way.CODE, client_id="me", client_secret=SECRET)
PEM = ECKey.generate_key("P-256").as_pem(private=True).decode()
ID_JAG: JsonObject = {"issued_token_type": "urn:ietf:params:oauth:token-type:id-jag"}

WAYS: dict[str, tuple[Settings, JsonObject]] = {
    "basic": (replace(CODE, client_auth="client_secret_basic"), {}),
    "post": (replace(CODE, client_auth="client_secret_post"), {}),
    "registered": (Settings(way=Way.CODE), {}),
    "dpop": (replace(CODE, always_dpop=True), {"token_type": "DPoP"}),
    "credentials": (
        Settings(way=Way.CLIENT_CREDENTIALS, client_id="me", private_key=PEM),
        {},
    ),
    "workload": (
        Settings(way=Way.WORKLOAD, client_id="me", assertion="assertion-of-a-workload"),
        {},
    ),
    "enterprise": (
        Settings(
            way=Way.ENTERPRISE,
            client_id="me",
            idp_client_id="us",
            idp_client_secret="secret-at-the-idp",
            idp_id_token="identity-token",
        ),
        ID_JAG,
    ),
}


async def whole_flow(folder: Path, server: Protected, settings: Settings) -> tuple[set[str], str]:
    """Log in, call, step up, renew, be refused, revoke; gives the secrets and everything that was told."""
    access = Access(settings, server.grants, Redirected)
    workspace = Workspace(folder, access=lambda _: access)
    opened = workspace.open(server.profile)
    told: list[str] = []
    await opened.connect()
    assert opened.authorizer is not None
    grant = opened.authorizer.grant
    await call(opened.session)
    if settings.way is Way.CODE:
        assert await opened.authorizer.refresh()
    flow = opened.authorizer.flow
    assert flow is not None
    told += [f"{step.reason} {step.problem} {step.hint}" for step in flow.steps]
    told += [check.summary for step in flow.steps for check in step.checks]
    for answer in (reply(307, location="https://other.example/?code=the-code"), reply(500)):
        server.stub.play("POST tools/call", answer)
        try:
            await call(opened.session)
        except InspectorError as error:
            told += [error.reason, error.hint, "".join(traceback.format_exception(error))]
    server.token["error"] = "invalid_grant"
    told.append(await opened.authorizer.revoke())
    server.valid = set()
    server.stub.play("POST tools/call", lambda asked: server.answer(asked))
    try:
        await call(opened.session)
    except InspectorError as error:
        told += [error.reason, error.hint, "".join(traceback.format_exception(error))]
    told.append(repr(grant and grant.tokens))
    await write_copy(opened.session.transcript, folder / "copy.spyglass")
    await workspace.aclose()
    return secrets_of(server, settings, grant), "\n".join(told)


@pytest.mark.parametrize("way", WAYS)
def test_nothing_that_is_left_of_an_authorization_holds_a_secret_of_it(
    way: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """C-AUT-42, C-SEC-17: tokens, code, verifier, state, secrets, assertions and keys, however they are spelled."""
    settings, token = WAYS[way]
    caplog.set_level(logging.WARNING)

    async def flow() -> tuple[set[str], str]:
        async with Protected(token=dict(token), scope_of_calls="write") as server:
            where = replace(settings, idp_token_endpoint=f"{server.issuer}/token")
            return await whole_flow(tmp_path, server, where)

    secrets, told = asyncio.run(flow())
    for file in sorted(tmp_path.glob("*.spyglass")):
        for form in ([], ["--json"], ["--json", "--secrets"]):
            main([*form, "transcript", str(file)])
    out, err = capfd.readouterr()
    files = written(tmp_path)

    assert len(secrets) >= (8 if settings.way is Way.CODE else 3)
    assert b"grant_type=" in files
    assert "grant_type=" in out
    assert traces(secrets, files) == []
    assert traces(secrets, f"{out}{err}".encode()) == []
    assert traces(secrets, told.encode()) == []
    assert traces(secrets, caplog.text.encode()) == []
