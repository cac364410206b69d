"""Clients that no one here wrote log in to the demo server, which shows that it is right where nothing is asked to be wrong."""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import PIPE
from typing import TYPE_CHECKING

import pytest

from tests.support.demo_server import demo
from tests.support.peers import SERVERS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("peer", ["sdk1_python", "sdk2_python"])
async def test_the_client_of_an_official_sdk_logs_in_and_steps_up(
    peer: str, request: pytest.FixtureRequest
) -> None:
    """Ours: discovery, registration, PKCE, `iss`, the token request, and more scopes for a tool that writes."""
    python: Path = request.getfixturevalue(peer)
    async with demo("--http", "0", "--auth", "--auth-consent", "auto") as url:
        process = await asyncio.create_subprocess_exec(
            python, SERVERS / "sdk_login.py", url, stdout=PIPE, stderr=PIPE
        )
        async with asyncio.timeout(40):
            out, err = await process.communicate()

    assert process.returncode == 0, err.decode()
    told = json.loads(out)
    first, second = told["scopes"]
    assert "mcp:write" not in first
    assert "mcp:write" in second
    assert "added" in told["text"]
