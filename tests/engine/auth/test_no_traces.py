"""What an authorization leaves behind: no secret of it in a file, nor in words."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from inspector.auth.grant import Access
from inspector.auth.settings import Settings, Way
from inspector.workspace import Workspace
from tests.support.protected import Protected
from tests.support.recordings import written
from tests.support.redirected import Redirected

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "client-secret/0123456789"


async def test_a_recording_of_an_authorization_holds_none_of_its_secrets(tmp_path: Path) -> None:
    """C-AUT-42, C-SEC-17: tokens, code, verifier, state and secrets, however they are spelled."""
    async with Protected() as server:
        server.metadata["token_endpoint_auth_methods_supported"] = ["client_secret_basic"]
        settings = Settings(way=Way.CODE, client_id="me", client_secret=SECRET)
        access = Access(settings, server.grants, Redirected)
        workspace = Workspace(tmp_path, access=lambda _: access)
        opened = workspace.open(server.profile)
        await opened.connect()
        assert opened.authorizer is not None
        access_token = next(iter(server.valid))
        refresh = server.refresh
        assert await opened.authorizer.refresh()
        flow = opened.authorizer.flow
        assert flow is not None
        shown = repr([(step.words, step.problem) for step in flow.steps])
        await workspace.aclose()

    (asked,) = server.asked("GET /authorize")
    state = parse_qs(urlsplit(asked.path).query)["state"][0]
    verifier = server.forms()[0]["code_verifier"]
    basic = base64.b64encode(b"me:client-secret%2F0123456789").decode()
    secrets = [access_token, refresh, *server.valid, server.refresh, "the-code", state, verifier]
    secrets += [SECRET, SECRET.replace("/", "%2F"), basic]
    file = written(tmp_path)
    assert b"authorization_code" in file
    assert [each for each in secrets if each.encode() in file] == []
    assert [each for each in secrets if each in shown] == []
