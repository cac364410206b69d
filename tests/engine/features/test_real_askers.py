"""Real servers that ask: ours, and the official one that has everything."""

from __future__ import annotations

import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inspector.config.client_settings import ClientSettings
from inspector.config.profile import Profile
from inspector.features.roots import Root
from inspector.features.sampling import TEST_ANSWER
from inspector.workspace import Workspace
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.features.tools import ToolCall
    from inspector.open_session import OpenSession

ROOT = Path(__file__).parents[3]
FORM_ANSWER = '{"name": "Ada", "check": true, "days": ["Friday"]}'


@asynccontextmanager
async def session_with(*command: str) -> AsyncGenerator[OpenSession]:
    """A session that declares everything."""
    workspace = Workspace(None, ClientSettings(None))
    profile = Profile(name="asks", command=command[0], args=command[1:], cwd=str(ROOT))
    opened = workspace.open(profile)
    try:
        await opened.connect()
        yield opened
    finally:
        await workspace.aclose()


def call(opened: OpenSession, name: str, arguments: str = "{}") -> ToolCall:
    """Begin a call."""
    tool = next(tool for tool in opened.tools.items if tool.name == name)
    return opened.tools.call(tool, arguments)


async def said(opened: OpenSession, made: ToolCall) -> str:
    """What the tool answered, as text."""
    await wait_until(lambda: made.is_finished)
    exchange = opened.session.transcript.exchange(made.request_frame or 0)
    assert exchange is not None
    assert exchange.response is not None
    return opened.session.transcript.raw(exchange.response).decode()


@pytest.fixture(params=["demo", "everything"])
def command(request: pytest.FixtureRequest) -> tuple[str, ...]:
    if request.param == "demo":
        return sys.executable, "-m", "inspector.demo", "--era", "stateful"
    return *request.getfixturevalue("everything_server"), "stdio"


TOOLS = {
    "demo": ("ask_sampling", "ask_elicitation", "ask_roots"),
    "everything": ("trigger-sampling-request", "trigger-elicitation-request", "get-roots-list"),
}


async def test_a_tool_that_asks_gets_what_the_person_answers(command: tuple[str, ...]) -> None:
    """C-SMP-01, C-ELI-01, C-ROOT-01: sampling, a form and roots, there and back."""
    names = TOOLS["demo" if "inspector.demo" in command else "everything"]
    async with session_with(*command) as opened:
        opened.client.roots.set([Root("file:///tmp", "Temporary")])
        inbox = opened.inbox
        made = call(opened, names[0], '{"prompt": "Moon?"}')
        await wait_until(lambda: inbox.pending)
        assert [cause.text for cause in inbox.pending[0].causes] == [f"tools/call {names[0]}"]
        opened.sampling.answer(inbox.pending[0], TEST_ANSWER.text)
        assert "This is a test answer" in await said(opened, made)

        made = call(opened, names[1])
        await wait_until(lambda: inbox.pending)
        opened.elicitation.accept(inbox.pending[0], FORM_ANSWER)
        assert "Ada" in await said(opened, made)

        assert "file:///tmp" in await said(opened, call(opened, names[2]))
        assert inbox.items == ()


async def test_a_refusal_reaches_the_tool(command: tuple[str, ...]) -> None:
    """C-SMP-11, C-ELI-26."""
    names = TOOLS["demo" if "inspector.demo" in command else "everything"]
    async with session_with(*command) as opened:
        made = call(opened, names[0], '{"prompt": "Moon?"}')
        await wait_until(lambda: opened.inbox.pending)
        opened.sampling.reject(opened.inbox.pending[0])
        assert "User rejected sampling request" in await said(opened, made)

        made = call(opened, names[1])
        await wait_until(lambda: opened.inbox.pending)
        opened.elicitation.decline(opened.inbox.pending[0])
        assert "decline" in await said(opened, made)


async def test_a_page_of_the_demo_server_is_visited_and_said_to_be_done() -> None:
    """C-ELI-22."""
    async with session_with(sys.executable, "-m", "inspector.demo", "--era", "stateful") as opened:
        made = call(opened, "ask_elicitation", '{"mode":"url"}')
        await wait_until(lambda: opened.inbox.pending)
        ask = opened.inbox.pending[0]
        opened.elicitation.consent(ask)
        assert "accept" in await said(opened, made)
        await wait_until(lambda: opened.inbox.note(ask).startswith("completed"))


async def test_a_call_that_is_cancelled_withdraws_what_it_asked() -> None:
    """C-CAN-01: the server calls its own request off."""
    async with session_with(sys.executable, "-m", "inspector.demo", "--era", "stateful") as opened:
        made = call(opened, "ask_sampling")
        await wait_until(lambda: opened.inbox.pending)
        ask = opened.inbox.pending[0]
        made.cancel()
        await wait_until(lambda: not opened.inbox.pending)

        assert "withdrawn" in opened.inbox.note(ask)
