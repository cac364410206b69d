"""What was wanted of a server that ended is asked for again of the one that is started in its place; real processes throughout."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inspector.config.profile import Profile
from inspector.session.notification_stream import StreamState
from inspector.session.session_state import SessionState
from inspector.spec.revision import V2025_11_25
from inspector.spec.subscription_filter import KINDS, LISTEN, SubscriptionFilter
from inspector.wire.frame import Direction
from inspector.workspace import Workspace
from tests.support.opened import over
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import JsonObject

ROOT = Path(__file__).parents[3]
NOTES, GONE = "demo://notes", "x:1"
TOOLS = next(iter(KINDS))


@asynccontextmanager
async def shell(*switches: str, revision: str = "") -> AsyncGenerator[Desk]:
    """A workspace and the demo server."""
    text = ("-m", "inspector.demo", *switches)
    profile = Profile(
        name="demo", command=sys.executable, args=text, cwd=str(ROOT), revision=revision
    )
    shell = Desk(Workspace(None), profile)
    try:
        yield shell
    finally:
        await shell.workspace.aclose()


class Desk:
    """Starts the server again and again, as the button of the window does."""

    def __init__(self, workspace: Workspace, profile: Profile) -> None:
        self.workspace = workspace
        self._profile = profile

    async def start(self) -> OpenSession:
        before = self.workspace.session_of(self._profile)
        if before is not None:
            await self.workspace.close(before)
        opened = self.workspace.open(self._profile)
        await opened.connect()
        return opened


async def killed(opened: OpenSession) -> None:
    """End the process from outside."""
    transcript = opened.session.transcript
    started = next(
        value
        for number in range(1, transcript.count + 1)
        if isinstance(value := transcript.message(number).value, dict) and "pid" in value
    )
    facts = started["pid"]
    assert isinstance(facts, int)
    os.kill(facts, signal.SIGKILL)
    await wait_until(lambda: opened.session.state is SessionState.CLOSED)


def asked(opened: OpenSession, method: str) -> list[JsonObject]:
    """The params of what we asked so far."""
    transcript = opened.session.transcript
    rows = (transcript.row(number) for number in range(1, transcript.count + 1))
    ours = [row.number for row in rows if row.method == method and row.direction is Direction.SENT]
    found = [transcript.message(number).params for number in ours]
    return [params for params in found if isinstance(params, dict)]


async def add_note(opened: OpenSession) -> None:
    tool = next(tool for tool in opened.tools.items if tool.name == "notes_add")
    await over(opened.tools.call(tool, '{"text":"x"}'))


async def test_a_watched_resource_is_watched_again_after_a_restart() -> None:
    """C-STD-10, C-STD-11, C-SUB-05: the server that was killed knows nothing of what the new one is to announce."""
    async with shell("--era", "stateless") as at:
        first = await at.start()
        await first.subscriptions.subscribe(NOTES)
        assert first.subscriptions.subscribed == {NOTES}
        await killed(first)

        second = await at.start()
        await wait_until(lambda: second.subscriptions.subscribed == {NOTES})
        stream = second.subscriptions.stream_of(NOTES)
        assert stream is not None
        assert stream.state is StreamState.OPEN
        await add_note(second)
        await wait_until(lambda: second.subscriptions.update_of(NOTES))


async def test_lists_and_resources_are_asked_for_on_one_stream() -> None:
    """C-STD-11: not first without the resources, and then again with them."""
    async with shell("--era", "stateless") as at:
        first = await at.start()
        await first.subscriptions.subscribe(NOTES)
        await killed(first)

        second = await at.start()
        await wait_until(lambda: second.subscriptions.subscribed == {NOTES})
        wanted = [params["notifications"] for params in asked(second, LISTEN)]
        assert len(wanted) == 1
        assert wanted[0] == {
            **dict.fromkeys(KINDS.values(), True),
            "resourceSubscriptions": [NOTES],
        }


async def test_a_stream_that_a_person_opened_is_opened_again() -> None:
    """C-STD-11; one that was closed, or ended by the server, is not."""
    async with shell("--era", "stateless") as at:
        first = await at.start()
        kept, closed = SubscriptionFilter(frozenset({TOOLS})), SubscriptionFilter(uris=(NOTES,))
        lasting = first.session.listening.open_lasting(kept)
        other = first.session.listening.open_lasting(closed)
        await lasting.settled()
        await other.settled()
        other.close()
        await killed(first)
        await wait_until(lambda: lasting.is_ended)

        second = await at.start()
        listening = second.session.listening
        await wait_until(lambda: [each for each in listening.streams if each.requested == kept])
        assert [each for each in listening.streams if each.requested == closed] == []
        await second.session.listening.streams[0].settled()
        assert second.session.listening.streams[0].state is StreamState.OPEN


async def test_what_is_not_watched_any_more_is_not_watched_again() -> None:
    """C-STD-11, C-RES-12: neither what the user ended, nor what the server refuses."""
    async with shell("--era", "stateless") as at:
        first = await at.start()
        await first.subscriptions.subscribe(NOTES)
        await first.subscriptions.subscribe(GONE)
        assert first.subscriptions.subscribed == {NOTES}
        await first.subscriptions.unsubscribe(NOTES)
        await killed(first)

        second = await at.start()
        assert second.client.subscriptions.uris == {}
        assert second.subscriptions.subscribed == set()
        assert all("resourceSubscriptions" not in str(params) for params in asked(second, LISTEN))


async def test_what_the_new_server_refuses_is_told_and_given_up() -> None:
    """C-SUB-02, C-STD-11."""
    async with shell("--era", "stateless") as at:
        first = await at.start()
        first.client.subscriptions.uris[GONE] = None
        await killed(first)

        second = await at.start()
        await wait_until(lambda: GONE in second.subscriptions.failures)
        assert second.subscriptions.subscribed == set()
        assert second.subscriptions.busy == set()
        assert second.client.subscriptions.uris == {}
        said = [
            str(second.session.transcript.message(number).value)
            for number in range(1, second.session.transcript.count + 1)
        ]
        assert any("no longer subscribed" in text for text in said)


@pytest.mark.parametrize("times", [2])
async def test_with_a_handshake_each_resource_is_subscribed_to_again(times: int) -> None:
    """C-RES-05: after every restart."""
    async with shell(revision=V2025_11_25.date) as at:
        opened = await at.start()
        await opened.subscriptions.subscribe(NOTES)
        for _ in range(times):
            await killed(opened)
            opened = await at.start()
            watched = opened.subscriptions
            await wait_until(lambda watched=watched: watched.subscribed == {NOTES})
            assert asked(opened, "resources/subscribe") == [{"uri": NOTES}]
