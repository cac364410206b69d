"""Whatever servers say of their authorization is shown as text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from inspector.auth.state import Stage
from tests.support.protected import Protected
from tests.support.wait import wait_until
from tests.ui.hostile import MARKUP, NASTY, SHORT, troubles
from tests.ui.qt_actions import click, sees

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import JsonObject
    from ui.features.authorization.page import AuthorizationPage

    Shown = Callable[..., AbstractAsyncContextManager[OpenSession]]

# What cannot be sent as JSON of a real server is not in it: half a surrogate.
TEXT = json.loads(json.dumps(NASTY.replace("\ud800", "")))

METADATA: dict[str, JsonObject] = {
    "issuer": {"issuer": TEXT},
    "endpoint": {"token_endpoint": f"http://{MARKUP}/"},
    "methods": {"code_challenge_methods_supported": [TEXT, SHORT]},
}


@pytest.mark.parametrize("kind", METADATA)
async def test_metadata_is_shown_as_text(page: AuthorizationPage, shown: Shown, kind: str) -> None:
    """text-01-bidi-and-invisible."""
    async with Protected(metadata=METADATA[kind]) as server, shown(server):
        await wait_until(lambda: page.content.runner.failed_step is not None)

        for at in range(page.content.ladder.rows.rowCount()):
            page.content.ladder.select_row(at)
            assert troubles(page) == []


async def test_token_answers_and_tokens_are_shown_as_text(
    page: AuthorizationPage, shown: Shown
) -> None:
    """text-01-bidi-and-invisible."""
    token: JsonObject = {"scope": f"{SHORT} {MARKUP}", "token_type": TEXT, "id_token": TEXT}
    async with Protected(token=token) as server, shown(server):
        await wait_until(lambda: page.content.runner.has_tokens)
        for at in range(page.content.tokens.table.rowCount()):
            page.content.tokens.table.selectRow(at)
            assert troubles(page) == []
        click(page, "authorization_refresh")
        await wait_until(lambda: sees(page, "authorization_token_outcome"))
        assert troubles(page) == []


async def test_an_error_of_the_authorization_server_is_shown_as_text(
    page: AuthorizationPage, shown: Shown
) -> None:
    """text-01-bidi-and-invisible."""
    token: JsonObject = {"error": SHORT, "error_description": TEXT}
    async with Protected(token=token) as server, shown(server):
        await wait_until(lambda: page.content.runner.failed_step is not None)

        failed = page.content.runner.failed_step
        assert failed is not None
        assert failed.stage is Stage.TOKEN
        assert troubles(page) == []
