"""A new session in the place of one that the server ended: what is made anew, and when it is enough."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from inspector.errors import SessionExpired
from inspector.features.subscriptions import Subscriptions
from inspector.features.tools import Tools
from inspector.session import session_recovery
from inspector.session.session_state import SessionState
from inspector.session.steps import StepState
from tests.support.http_session import call, talking, words_of
from tests.support.http_stub import Asked, HttpStub, Reply, answer, reply, well_behaved
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.session.peer import Reply as Result
    from inspector.wire.json_codec import JsonObject

GONE = reply(404)
INIT = "POST initialize"
GREETING: JsonObject = {
    "capabilities": {"tools": {}, "resources": {"subscribe": True}},
    "serverInfo": {"name": "stub", "version": "1"},
}


class Numbered:
    """A server that numbers its sessions and knows none but the last."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, asked: Asked) -> Reply:
        if asked.rpc == "initialize":
            self.count += 1
            return well_behaved(asked, session=f"s-{self.count}")
        known = asked.headers.get("mcp-session-id") == f"s-{self.count}"
        return well_behaved(asked) if known or asked.verb != "POST" else GONE


def sessions_of(stub: HttpStub, key: str) -> list[str]:
    return [asked.headers.get("mcp-session-id", "") for asked in stub.said(key)]


async def test_what_changes_nothing_is_sent_again_in_the_new_session() -> None:
    """C-HTTP-15: the user sees the list, and reads what happened."""
    server = Numbered()
    async with talking(otherwise=server) as (stub, session):
        server.count = 7
        tools = Tools(session)
        await tools.refresh()

        assert [tool.name for tool in tools.items] == ["a"]
        assert sessions_of(stub, "POST tools/list")[:2] == ["s-1", "s-8"]
        assert sessions_of(stub, INIT) == ["", ""]
        step = next(step for step in session.steps if step.name == "Start new session")
        assert step.state is StepState.DONE
        assert "session expired" in step.status_text
        assert words_of(session, "session-renewed")
        assert words_of(session, "sent-again")
        assert session.state is SessionState.READY


async def test_a_call_is_never_made_again_by_itself() -> None:
    """C-HTTP-15: the next one is made in the new session."""
    server = Numbered()
    async with talking(otherwise=server) as (stub, session):
        server.count = 7
        with pytest.raises(SessionExpired) as failure:
            await call(session)
        assert "new session was started" in failure.value.hint
        await call(session)

        assert sessions_of(stub, "POST tools/call") == ["s-1", "s-8"]


async def test_lists_and_subscriptions_are_made_anew() -> None:
    """C-HTTP-15: the new session knows nothing of the old one."""
    server = Numbered()

    def greet(asked: Asked) -> Reply:
        made = server(asked)
        params = asked.message["params"]
        assert isinstance(params, dict)
        result: JsonObject = {**GREETING, "protocolVersion": params["protocolVersion"]}
        return Reply(made.status, made.headers, answer({"result": result}).pieces)

    async with talking({INIT: greet}, otherwise=server) as (stub, session):
        tools, watched = Tools(session), Subscriptions(session)
        await tools.refresh()
        await watched.subscribe("a:1")
        server.count = 7
        with pytest.raises(SessionExpired):
            await call(session)

        await wait_until(lambda: "s-8" in sessions_of(stub, "POST tools/list"))
        await wait_until(lambda: "s-8" in sessions_of(stub, "POST resources/subscribe"))
        assert watched.subscribed == {"a:1"}


async def test_a_server_that_ends_every_session_is_left_after_a_while() -> None:
    """Ours: no loops, and the last words say why."""
    server = Numbered()
    async with talking({"POST tools/call": GONE}, otherwise=server) as (stub, session):
        for _ in range(session_recovery.MAX_RENEWALS + 1):
            with pytest.raises(SessionExpired):
                await call(session)
            if session.state is SessionState.READY:
                await session.request("tools/list")

        assert session.state is SessionState.CLOSED
        assert len(stub.said(INIT)) == 1 + session_recovery.MAX_RENEWALS


async def test_a_server_that_knows_no_session_it_has_opened_is_told_so() -> None:
    """Ours: several processes behind one address, for instance, of which only one knows the session."""
    async with talking({"POST tools/call": GONE}, otherwise=Numbered()) as (_, session):
        with pytest.raises(SessionExpired):
            await call(session)
        with pytest.raises(SessionExpired) as failure:
            await call(session)

        assert "has just opened" in failure.value.reason
        assert "processes" in failure.value.hint


async def test_a_server_that_opens_no_new_session_is_left() -> None:
    """Ours."""
    rules = {INIT: [None, reply(500, b"no", "text/plain")], "POST tools/call": GONE}
    async with talking(rules) as (_, session):
        with pytest.raises(SessionExpired) as failure:
            await call(session)
        assert failure.value.hint.startswith("Connect again")
        await wait_until(lambda: session.state is SessionState.CLOSED)

        assert "500" in session.closed_reason
        step = next(step for step in session.steps if step.name == "Start new session")
        assert step.state is StepState.FAILED


async def test_a_request_that_would_be_sent_again_waits_for_what_becomes_of_the_new_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours: its error says that one is being started only as long as that is so."""
    monkeypatch.setattr("inspector.session.session.EXAMINE_SECONDS", 0.0)
    rules = {INIT: [None, reply(500, b"no", "text/plain")], "POST tools/list": GONE}
    async with talking(rules) as (_, session):
        with pytest.raises(SessionExpired) as failure:
            await session.request("tools/list")

        assert failure.value.hint.startswith("Connect again")


async def test_no_request_is_lost_that_is_sent_in_the_turn_in_which_the_session_ends() -> None:
    """Ours: the task that posts it is cancelled before its first step."""
    loop = asyncio.get_running_loop()
    sent: list[asyncio.Task[Result]] = []

    def send(left: int) -> None:
        sent.append(loop.create_task(call(session)))
        if left:
            loop.call_soon(send, left - 1)

    async with talking({"POST tools/call": GONE}) as (_, session):

        def on_appended() -> None:
            if (
                not sent
                and session.transcript.raw(session.transcript.count)[:12] == b"HTTP/1.1 404"
            ):
                send(30)

        session.transcript.appended.subscribe(on_appended)
        with pytest.raises(SessionExpired):
            await call(session)
        _, pending = await asyncio.wait(sent, timeout=5)

        assert len(sent) == 31
        assert not pending


async def test_closing_while_a_new_session_is_made_ends_everything() -> None:
    """Ours."""
    rules = {INIT: [None, Reply(hangs=True)], "POST tools/call": GONE}
    async with talking(rules) as (stub, session):
        calling = asyncio.ensure_future(call(session))
        await wait_until(lambda: len(stub.said(INIT)) == 2)
        await session.aclose()
        with pytest.raises(SessionExpired):
            await calling

        assert session.state is SessionState.CLOSED
        assert session.failure is None
