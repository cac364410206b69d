"""A session whose server asks: everything that answers stands beside it, over a server in memory."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from inspector.config.profile import Profile
from inspector.features.client_capabilities import ClientCapabilities, declared
from inspector.features.roots import RootList
from inspector.features.sampling import SavedAnswers
from inspector.inbox import Inbox
from inspector.open_session import ClientProfile, OpenSession
from inspector.session.negotiation import HANDSHAKE
from inspector.session.session import Session
from inspector.spec.revision import NEWEST_STATEFUL, Revision
from inspector.transcript.transcript import Transcript
from tests.support.answering import AnsweringServer
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.inbox import InboxItem
    from inspector.wire.json_codec import Json, JsonObject


class Asker:
    """A server that asks, and the client that is asked."""

    def __init__(self, server: AnsweringServer, opened: OpenSession) -> None:
        self.server = server
        self.opened = opened
        self.inbox = opened.inbox

    def ask(self, id_: Json, method: str, params: Json = None) -> None:
        """Send a request of the server."""
        message: JsonObject = {"jsonrpc": "2.0", "id": id_, "method": method}
        self.server.send(message if params is None else {**message, "params": params})

    async def waits(self, count: int = 1) -> InboxItem:
        """The latest question, once there are `count`."""
        await wait_until(lambda: len(self.inbox.pending) == count)
        return self.inbox.pending[-1]

    async def answer_to(self, id_: Json) -> JsonObject:
        """What the client answered to the request of that id."""
        await wait_until(lambda: self.answers(id_))
        return self.answers(id_)[0]

    def answers(self, id_: Json) -> list[JsonObject]:
        """Every answer of the client to that id so far."""
        return [
            message
            for message in self.server.received
            if "method" not in message and message.get("id") == id_
        ]


def client_side() -> ClientProfile:
    """What a client is that remembers nothing."""
    return ClientProfile(ClientCapabilities(), RootList(), SavedAnswers())


@asynccontextmanager
async def asker(
    *,
    revision: Revision = NEWEST_STATEFUL,
    declares: JsonObject | None = None,
    server: AnsweringServer | None = None,
    inbox: Inbox | None = None,
    name: str = "asking",
    timeout: float = 5,
) -> AsyncGenerator[Asker]:
    """A connected session that declares what is switched on at first, or what `declares` says."""
    server = server or AnsweringServer(capabilities={}, revision=revision)
    profile = Profile(name=name, command="asking", revision=HANDSHAKE, timeout_seconds=timeout)
    session = Session(profile, Transcript(), server.connect)
    side = client_side()
    wanted = declared(side.capabilities.switches, revision)
    session.client_capabilities = wanted if declares is None else declares
    opened = OpenSession(profile, session, side, inbox or Inbox())
    try:
        await opened.connect()
        yield Asker(server, opened)
    finally:
        await opened.aclose()
