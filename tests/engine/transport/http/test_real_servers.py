"""The official server that has everything, over both transports of HTTP."""

from __future__ import annotations

import asyncio
import os
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from inspector.checks.background_validator import BackgroundValidator
from inspector.wire.message import MessageKind
from tests.support.http_session import at, connected, result_text
from tests.support.ports import free_port

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.session.session import Session
    from inspector.wire.json_codec import JsonObject

START_SECONDS = 20
"""Node takes its time on a busy machine."""


@asynccontextmanager
async def running(command: tuple[str, ...], mode: str) -> AsyncGenerator[int]:
    """The port of the server; it is told a free one and says when it listens."""
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        *(*command, mode),
        env={**os.environ, "PORT": str(port)},
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=PIPE,
    )
    try:
        assert process.stderr is not None
        async with asyncio.timeout(START_SECONDS):
            while b"on port" not in (line := await process.stderr.readline()):
                assert line
        yield port
    finally:
        process.kill()
        await process.communicate()


async def rules_about_http(session: Session) -> list[str]:
    """The rules about HTTP that the record breaks; a server that does well breaks none."""
    sweep = BackgroundValidator(session.transcript, session.revision)
    await sweep.finish()
    frames = range(1, session.transcript.count + 1)
    found = {each.rule for number in frames for each in session.transcript.findings(number)}
    return sorted(rule for rule in found if rule.startswith("L-HTTP"))


@pytest.mark.parametrize(
    ("mode", "path", "transport", "spoken"),
    [
        ("streamableHttp", "/mcp", "http", "http"),
        ("sse", "/sse", "sse", "sse"),
        ("sse", "/sse", "http", "sse"),
    ],
)
async def test_the_official_server_is_spoken_to(
    everything_server: tuple[str, ...], mode: str, path: str, transport: str, spoken: str
) -> None:
    """C-HTTP-03, C-HTTP-14, C-SSE-03; asked for over the newer transport, the older server is found."""
    heard: list[JsonObject] = []
    async with (
        running(everything_server, mode) as port,
        connected(at(f"http://127.0.0.1:{port}{path}", transport)) as session,
    ):
        listed = await session.request("tools/list")
        echoed = await session.request(
            "tools/call", {"name": "echo", "arguments": {"message": "🎉"}}
        )
        await session.request(
            "tools/call",
            {"name": "trigger-long-running-operation", "arguments": {"duration": 0.4, "steps": 2}},
            on_progress=heard.append,
        )

        assert "echo" in result_text(listed)
        assert "Echo: 🎉" in result_text(echoed)
        assert len(heard) == 2
        assert session.transport_name == spoken
        assert MessageKind.MALFORMED not in session.transcript.columns.kind
        assert await rules_about_http(session) == []
