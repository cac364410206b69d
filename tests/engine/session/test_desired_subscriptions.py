"""What a user chose for one server is kept when it is started again, and in a session that is made in the place of one that ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.errors import SessionExpired
from inspector.inbox import Inbox
from inspector.open_session import OpenSession
from inspector.session.session import Session
from inspector.session.transport_factory import make_transport
from inspector.spec.keys import META, META_LOG_LEVEL
from inspector.transcript.transcript import Transcript
from tests.support.asked import client_side
from tests.support.http_session import at, call
from tests.support.http_stub import HttpStub, Reply, answer, reply, well_behaved
from tests.support.modern import discovered, offering, proper
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.open_session import ClientProfile
    from inspector.wire.json_codec import JsonObject
    from tests.support.http_stub import Asked

LOGGING: JsonObject = {"tools": {}, "logging": {}}


def logging(asked: Asked) -> Reply:
    """A server with a handshake that logs."""
    made = well_behaved(asked)
    if asked.rpc != "initialize":
        return made
    params = asked.message["params"]
    assert isinstance(params, dict)
    result: JsonObject = {
        "protocolVersion": params["protocolVersion"],
        "capabilities": LOGGING,
        "serverInfo": {"name": "stub", "version": "1"},
    }
    return Reply(made.status, made.headers, answer({"result": result}).pieces)


async def opened_for(client: ClientProfile, stub: HttpStub, revision: str) -> OpenSession:
    """One more session of the same client."""
    profile = replace(at(stub.url), revision=revision)
    opened = OpenSession(profile, Session(profile, Transcript(), make_transport), client, Inbox())
    await opened.connect()
    return opened


def levels(stub: HttpStub) -> list[object]:
    """Levels that were asked for by a request of its own."""
    asked = [each.message["params"] for each in stub.said("POST logging/setLevel")]
    return [params["level"] for params in asked if isinstance(params, dict)]


def level_along(asked: Asked) -> object:
    """The level that went along with a request."""
    params = asked.message["params"]
    meta = params.get(META) if isinstance(params, dict) else None
    return meta.get(META_LOG_LEVEL) if isinstance(meta, dict) else None


async def test_the_log_level_is_asked_for_again_after_a_restart() -> None:
    """Ours: by the request that the revision has for it, and shown as what was asked for."""
    client = client_side()
    async with HttpStub(otherwise=logging) as stub:
        first = await opened_for(client, stub, "stateful")
        await first.logs.choose("warning")
        await first.aclose()
        second = await opened_for(client, stub, "stateful")
        try:
            await wait_until(lambda: second.logs.level == "warning")
            assert levels(stub) == ["warning", "warning"]
        finally:
            await second.aclose()


async def test_the_log_level_is_asked_for_again_in_a_new_session_of_the_same_connection() -> None:
    """C-HTTP-15: the new session knows nothing of the old one."""
    rules = {"POST tools/call": [reply(404), None]}
    async with HttpStub(rules, otherwise=logging) as stub:
        opened = await opened_for(client_side(), stub, "stateful")
        try:
            await opened.logs.choose("error")
            with pytest.raises(SessionExpired):
                await call(opened.session)
            await wait_until(lambda: levels(stub) == ["error", "error"])
        finally:
            await opened.aclose()


async def test_a_level_that_goes_along_does_so_from_the_first_request_after_a_restart() -> None:
    """C-LOG-03: the lists that are read when connecting have it already."""

    def server(asked: Asked) -> Reply:
        if asked.rpc == "server/discover":
            return answer({"result": discovered(capabilities=LOGGING)})
        return proper(asked)

    client = client_side()
    async with HttpStub(otherwise=server) as stub:
        first = await opened_for(client, stub, "")
        await first.logs.choose("debug")
        await first.aclose()
        second = await opened_for(client, stub, "")
        try:
            assert level_along(stub.said("POST tools/list")[-1]) == "debug"
            await wait_until(lambda: second.logs.level == "debug")
            await second.logs.choose("")
        finally:
            await second.aclose()
        assert client.subscriptions.log_level == ""


async def test_no_level_is_asked_of_a_server_that_does_not_log_any_more() -> None:
    """C-LOG-01; the wish is kept."""
    client = client_side()
    client.subscriptions.log_level = "info"
    async with HttpStub() as stub:
        opened = await opened_for(client, stub, "stateful")
        await opened.session.request("ping")
        await opened.aclose()

        assert levels(stub) == []
        assert client.subscriptions.log_level == "info"


async def test_how_often_a_request_is_sent_again_is_kept() -> None:
    """Ours."""
    client = client_side()
    async with HttpStub(otherwise=offering) as stub:
        first = await opened_for(client, stub, "")
        first.session.max_rounds = 3
        await first.aclose()
        second = await opened_for(client, stub, "")
        await second.aclose()

        assert second.session.max_rounds == 3
