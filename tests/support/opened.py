"""Open sessions over the memory transport: the real engine behind a page, and a server in the same process."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

from inspector.config.profile import Profile
from inspector.errors import InspectorError
from inspector.open_session import OpenSession
from inspector.session.negotiation import HANDSHAKE
from inspector.session.session import Session
from inspector.transcript.transcript import Transcript
from inspector.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.features.tools import ToolCall
    from tests.support.answering import AnsweringServer
    from ui.page import Page

P = TypeVar("P", bound="Page")


def make_session(server: AnsweringServer, *, timeout: float = 5, id_: str = "one") -> OpenSession:
    """A session with `server`, not yet connected; it must be closed."""
    profile = Profile(
        id=id_,
        name="answering",
        command="answering",
        revision=HANDSHAKE,
        timeout_seconds=timeout,
    )
    workspace = Workspace(None)
    session = Session(profile, Transcript(), server.connect)
    return OpenSession(profile, session, workspace.client_profile(profile), workspace.inbox)


@asynccontextmanager
async def opened(server: AnsweringServer, *, timeout: float = 5) -> AsyncGenerator[OpenSession]:
    """A session with its lists read, or one that failed to connect; closed afterwards."""
    session = make_session(server, timeout=timeout)
    try:
        await connect(session)
        yield session
    finally:
        await session.aclose()


@asynccontextmanager
async def shown(
    page: P, server: AnsweringServer, *, timeout: float = 5
) -> AsyncGenerator[tuple[P, OpenSession]]:
    """`page` over such a session; it shows none any more afterwards."""
    async with opened(server, timeout=timeout) as session:
        page.set_session(session)
        yield page, session
        page.set_session(None)


async def connect(session: OpenSession) -> None:
    """Connect; whether that failed is told by the session."""
    try:
        await session.connect()
    except InspectorError:
        assert session.session.failure is not None


async def over(call: ToolCall) -> ToolCall:
    """`call`, when it is over."""
    await call.wait()
    assert call.is_finished
    return call


async def open_again(before: OpenSession, server: AnsweringServer) -> OpenSession:
    """The next run of the server behind `before`, which ends; it must be closed."""
    made = await make_next_run(before, server)
    await connect(made)
    return made


async def make_next_run(before: OpenSession, server: AnsweringServer) -> OpenSession:
    """The same, not yet connected."""
    await before.aclose()
    before.runs.add(before)
    session = Session(before.profile, Transcript(), server.connect)
    return OpenSession(before.profile, session, before.client, before.inbox, runs=before.runs)
