"""The era without a handshake against the official SDK, over both transports it has there."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import DEVNULL
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inspector.config.profile import Profile
from inspector.open_session import OpenSession
from inspector.session.notification_stream import StreamState
from inspector.session.operation import OperationState
from inspector.session.session import Session
from inspector.session.transport_factory import make_transport
from inspector.spec.revision import NEWEST
from inspector.transcript.transcript import Transcript
from inspector.workspace import Workspace
from tests.support.findings import validate_all
from tests.support.modern import EVERYTHING
from tests.support.ports import free_port
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.features.tools import ToolCall

SCRIPT = str(Path(__file__).parents[2] / "servers" / "sdk2_modern_server.py")
START_SECONDS = 20.0
"""An interpreter with much to import takes its time on a busy machine."""


@asynccontextmanager
async def listening_server(python: Path) -> AsyncGenerator[str]:
    """The address of the server over HTTP."""
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        *(str(python), SCRIPT, "http", str(port)), stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL
    )
    try:
        async with asyncio.timeout(START_SECONDS):
            while not await _answers(port):  # noqa: ASYNC110 - nobody else tells when it listens
                await asyncio.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        await process.wait()


async def _answers(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


@asynccontextmanager
async def connected(profile: Profile) -> AsyncGenerator[OpenSession]:
    workspace = Workspace(None)
    session = Session(profile, Transcript(), make_transport)
    session.client_capabilities = EVERYTHING
    side = workspace.client_profile(profile)
    opened = OpenSession(profile, session, side, workspace.inbox)
    try:
        await opened.connect()
        yield opened
    finally:
        await opened.aclose()


@pytest.fixture(params=["stdio", "http"])
async def opened(request: pytest.FixtureRequest, sdk2_python: Path) -> AsyncGenerator[OpenSession]:
    """A session with the server."""
    if request.param == "stdio":
        profile = Profile(name="sdk2", command=str(sdk2_python), args=(SCRIPT,), timeout_seconds=20)
        async with connected(profile) as session:
            yield session
        return
    async with listening_server(sdk2_python) as url:
        profile = Profile(name="sdk2", transport="http", url=url, timeout_seconds=20)
        async with connected(profile) as session:
            yield session


def call(opened: OpenSession, name: str, arguments: str = "{}") -> ToolCall:
    tool = next(tool for tool in opened.tools.items if tool.name == name)
    return opened.tools.call(tool, arguments)


def errors(opened: OpenSession) -> list[str]:
    """What we sent that is not as it should be."""
    validate_all(opened.sweep)
    transcript = opened.session.transcript
    return [
        f"{number} {found.rule} {found.summary}"
        for number in range(1, transcript.count + 1)
        for found in transcript.findings(number)
        if transcript.row(number).direction.name == "SENT"
    ]


async def test_a_server_of_the_official_sdk_is_spoken_to_without_a_handshake(
    opened: OpenSession,
) -> None:
    """C-VER-03, C-MRTR-09, C-SUB-01, C-HTTP-25, C-CAN-09, C-CAN-10, C-MET-09: one conversation with all that is special here."""
    session = opened.session
    assert session.revision == NEWEST
    assert session.greeting is not None
    assert session.greeting.server.server.name == "sdk2-modern"
    first = [tool.name for tool in opened.tools.items[:4]]
    assert first == ["greet", "route", "announce", "slow"]

    made = call(opened, "greet")
    for title, answer in (
        ("Who are you?", '{"name":"Ada"}'),
        ("Where are you, Ada?", '{"town":"Rome"}'),
    ):
        await wait_until(lambda: opened.inbox.pending)
        assert opened.inbox.pending[0].title == title
        opened.elicitation.accept(opened.inbox.pending[0], answer)
    await made.wait()
    assert b"Hello Ada in Rome." in made.response
    found = session.transcript.exchange(made.request_frame)
    assert found is not None
    assert len(found.rounds) == 3

    made = call(opened, "route", '{"zone":"né"}')
    await made.wait()
    assert made.state is OperationState.DONE

    await opened.subscriptions.subscribe("notes://today")
    assert opened.subscriptions.failures == {}
    await call(opened, "announce", '{"uri":"notes://today"}').wait()
    await wait_until(lambda: opened.subscriptions.update_of("notes://today"))
    assert session.listening.streams[-1].state is StreamState.OPEN

    made = call(opened, "slow")
    await wait_until(lambda: made.progress_count > 1)
    made.cancel()
    await made.wait()
    assert made.state is OperationState.CANCELLED
    await call(opened, "route", '{"zone":"x"}').wait()
    assert errors(opened) == []
