"""Commands that download the server before they start it: recognized, shown, and waited for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from inspector.config.profile import Profile
from inspector.session.handshake_wait import RUNNER_FACTOR
from inspector.session.negotiation import PROBE_SECONDS
from inspector.session.package_runner import find_runner, lacks_stdin
from inspector.session.session import Session
from inspector.session.session_state import SessionState
from inspector.spec.revision import NEWEST, NEWEST_STATEFUL
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel
from tests.support.dialogue import Dialogue, greeted, hears_result, says
from tests.support.modern import discovered
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterable

DISCOVER = "server/discover"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("npx -y pkg", "npx"),
        ("/usr/local/bin/npx pkg", "npx"),
        ("NPX.CMD pkg", "npx"),
        ("npm exec -- pkg", "npm exec"),
        ("pnpm dlx pkg", "pnpm dlx"),
        ("bunx pkg", "bunx"),
        ("uvx pkg", "uvx"),
        ("uv run server.py", "uv run"),
        ("uv --directory /srv run server.py", "uv run"),
        ("uv tool run pkg", "uv tool run"),
        ("pipx run pkg", "pipx"),
        ("docker run -i --rm image", "docker run"),
        ("podman run -i image", "podman run"),
        ("cmd /c npx -y pkg", "npx"),
        ("sudo -E docker run -i image", "docker run"),
        ("env KEY=1 uvx pkg", "uvx"),
    ],
)
def test_a_command_that_may_download_is_recognized(line: str, name: str) -> None:
    """Ours."""
    command, *args = line.split()
    runner = find_runner(command, args)

    assert runner is not None
    assert runner.name == name


@pytest.mark.parametrize("script", ["npx -y pkg", "cd /srv && exec uvx pkg", "KEY=1 npx pkg"])
def test_a_command_behind_a_shell_is_recognized(script: str) -> None:
    """Ours."""
    assert find_runner("bash", ["-lc", script]) is not None


@pytest.mark.parametrize(
    "line", ["node npx.js", "python -m uv", "docker ps", "npm start", "bash x.sh", "sh -c", "env"]
)
def test_any_other_command_is_none(line: str) -> None:
    """Ours."""
    command, *args = line.split()

    assert find_runner(command, args) is None


@pytest.mark.parametrize(
    ("line", "container"),
    [
        ("docker run image", "docker run"),
        ("docker run --rm -e K=V --name x image -i", "docker run"),
        ("docker run -t image", "docker run"),
        ("podman exec box server", "podman exec"),
        ("kubectl exec pod -- server", "kubectl exec"),
        ("docker run -i image", ""),
        ("docker run --rm -it image", ""),
        ("docker run -e K -i image", ""),
        ("docker run --interactive image", ""),
        ("docker run -di image", ""),
        ("kubectl exec --stdin pod -- server", ""),
        ("docker compose run server", ""),
        ("node server.js", ""),
    ],
)
def test_a_container_without_standard_input_is_recognized(line: str, container: str) -> None:
    """Ours: the most frequent reason why a server in a container ends at once."""
    command, *args = line.split()

    assert lacks_stdin(command, args) == container


def test_a_package_runner_gets_more_time_within_the_total_limit() -> None:
    """Ours: its silence says nothing about the server."""
    plain = session_over(Dialogue(), "server", idle=60).handshake_wait
    fetched = session_over(Dialogue(), "npx", "pkg", idle=60).handshake_wait
    short = session_over(Dialogue(), "npx", "pkg", idle=1).handshake_wait

    assert (plain.probe_seconds, plain.timeouts.idle_seconds) == (PROBE_SECONDS, 60)
    assert fetched.probe_seconds > PROBE_SECONDS
    assert fetched.timeouts.idle_seconds == RUNNER_FACTOR * 60
    assert (short.probe_seconds, short.timeouts.idle_seconds) == (1, 5)


def session_over(dialogue: Dialogue, *command: str, idle: float, revision: str = "") -> Session:
    name, *args = command
    profile = Profile(
        name=name,
        command=name,
        args=tuple(args),
        revision=revision,
        timeout_seconds=idle,
        total_timeout_seconds=10 * idle,
    )
    return Session(profile, Transcript(), dialogue.connect)


def words_of(session: Session) -> Iterable[str]:
    return [step.status_text for step in session.steps]


async def test_what_may_be_downloaded_is_shown_while_the_response_is_awaited() -> None:
    """Ours: and the latest line on stderr with it."""
    dialogue = Dialogue(says("initialize"))
    session = session_over(dialogue, "npx", "-y", "pkg", idle=5, revision=NEWEST_STATEFUL.date)
    connecting = asyncio.ensure_future(session.connect())
    try:
        await wait_until(lambda: any("npx" in message for message in words_of(session)))
        dialogue.connections[0].deliver(b"added 3 packages", channel=Channel.STDERR)
        await wait_until(
            lambda: any("added 3 packages" in status_text for status_text in words_of(session))
        )
        dialogue.connections[0].deliver(b"added 4 packages", channel=Channel.STDERR)
        await wait_until(lambda: any("added 4 packages" in words for words in words_of(session)))
        dialogue.play(greeted()[1], greeted()[2])
        await connecting
    finally:
        await session.aclose()

    assert session.revision == NEWEST_STATEFUL
    assert not any("added 4 packages" in text for text in words_of(session))


async def test_a_response_is_waited_for_as_long_as_the_user_likes() -> None:
    """Ours: *Keep waiting* removes the limit of what is awaited now."""
    dialogue = Dialogue(says("initialize"))
    session = session_over(dialogue, "server", idle=0.4, revision=NEWEST_STATEFUL.date)
    connecting = asyncio.ensure_future(session.connect())
    try:
        await wait_until(lambda: session.steps.pending is not None)
        session.handshake_wait.remove_limits()
        waiting = session.steps.pending
        assert waiting is not None
        assert waiting.times_out_at is None
        await asyncio.wait({connecting}, timeout=0.8)
        assert session.state is SessionState.CONNECTING
        dialogue.play(greeted()[1], greeted()[2])
        await connecting
    finally:
        await session.aclose()

    assert session.revision == NEWEST_STATEFUL


async def test_whoever_keeps_waiting_for_the_probe_waits_for_the_handshake_as_well() -> None:
    """Ours: the handshake follows the probe without another question."""
    dialogue = Dialogue(says(DISCOVER), says("initialize"))
    session = session_over(dialogue, "server", idle=0.3)
    connecting = asyncio.ensure_future(session.connect())
    try:
        await wait_until(lambda: session.steps.pending is not None)
        session.handshake_wait.remove_limits()
        await asyncio.wait({connecting}, timeout=0.9)
        assert session.state is SessionState.CONNECTING
        dialogue.play(hears_result(discovered(), to=DISCOVER))
        await connecting
    finally:
        await session.aclose()

    assert session.revision == NEWEST
