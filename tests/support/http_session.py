"""A session over HTTP with a stub at the other end."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.config.profile import Profile
from inspector.session.negotiation import HANDSHAKE
from inspector.session.session import Session
from inspector.session.transport_factory import make_transport
from inspector.transcript.transcript import Transcript
from inspector.wire import json_codec
from inspector.wire.message import MessageKind
from tests.support.http_stub import HttpStub, well_behaved

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping

    from inspector.session.peer import Reply as Result
    from inspector.wire.frame import Channel, Direction
    from tests.support.http_stub import Asked, Reply, Rule


@asynccontextmanager
async def session_of(profile: Profile) -> AsyncGenerator[Session]:
    """A session that is not connected yet."""
    session = Session(profile, Transcript(), make_transport)
    try:
        yield session
    finally:
        await session.aclose()


def at(url: str, transport: str = "http") -> Profile:
    """A profile for that address; what is pinned can be changed."""
    return Profile(name="stub", transport=transport, url=url, revision=HANDSHAKE, timeout_seconds=5)


@asynccontextmanager
async def connected(profile: Profile) -> AsyncGenerator[Session]:
    """A session that is connected."""
    async with session_of(profile) as session:
        await session.connect()
        yield session


@asynccontextmanager
async def talking(
    rules: Mapping[str, Rule] | None = None,
    *,
    otherwise: Callable[[Asked], Reply] = well_behaved,
    revision: str = HANDSHAKE,
) -> AsyncGenerator[tuple[HttpStub, Session]]:
    """A stub that plays the rules, and a session that is connected to it."""
    async with (
        HttpStub(rules, otherwise=otherwise) as stub,
        connected(replace(at(stub.url), revision=revision)) as session,
    ):
        yield stub, session


async def call(session: Session, tool: str = "a") -> Result:
    """Call a tool."""
    return await session.request("tools/call", {"name": tool, "arguments": {}})


def notes(session: Session) -> list[tuple[str, str]]:
    """Events and words of the remarks in the record."""
    found: list[tuple[str, str]] = []
    for number in range(1, session.transcript.count + 1):
        if session.transcript.row(number).kind is MessageKind.NOTE:
            note = session.transcript.message(number).value
            assert isinstance(note, dict)
            found.append((str(note["event"]), str(note["words"])))
    return found


def words_of(session: Session, event: str) -> list[str]:
    """Words of the remarks of one event."""
    return [text for name, text in notes(session) if name == event]


def texts(session: Session, channel: Channel, direction: Direction) -> list[str]:
    """What went over a channel one way."""
    transcript = session.transcript
    return [
        transcript.raw(number).decode("utf-8", "replace")
        for number in range(1, transcript.count + 1)
        if transcript.row(number).channel is channel
        and transcript.row(number).direction is direction
    ]


def result_text(reply: Result) -> str:
    """A result as JSON."""
    result = reply.message.result
    return json_codec.write(result)  # type: ignore[arg-type] - a reply has a result
