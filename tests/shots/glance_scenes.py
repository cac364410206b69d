"""Situations that have to be understood at a glance: which server, what is in flight, what went wrong, what waits for the user."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from inspector.config.profile import Profile
from tests.shots.problem_scenes import FAULTS
from tests.support.demo_server import demo

if TYPE_CHECKING:
    from tests.shots.stage import Stage

STATEFUL = ("--era", "stateful")
RUNNER = """#!/bin/sh
echo 'npm warn exec The following package was not found and will be installed: acme-invoices@2.1.0' >&2
exec sleep 600
"""
"""A package runner that takes its time."""

CRASH = (
    "import sys; print('Traceback (most recent call last):', file=sys.stderr);"
    "sys.exit('KeyError: DATABASE_URL')"
)


async def glance(stage: Stage) -> None:
    """Each state of a connection, of a call and of a request of the server, with other servers beside it."""
    for name, command in (("weather-api", "uvx"), ("tickets", "node")):
        stage.app.server_list.replace(Profile(name=name, command=command, args=("server",)))
    await _calls(stage)
    await _requests(stage)
    await _beginnings(stage)
    await _recording(stage)
    await _problems(stage)


def _demo(name: str, *switches: str) -> Profile:
    return Profile(name=name, command=sys.executable, args=("-m", "inspector.demo", *switches))


async def _open(stage: Stage, profile: Profile) -> None:
    await stage.connect(profile)
    await stage.until(lambda: stage.session.tools.state == "read", "the tools")


async def _calls(stage: Stage) -> None:
    await _open(stage, _demo("library", *STATEFUL))
    stage.window.go("tools")
    stage.tools.choose([t.name for t in stage.session.tools.items].index("weather"))
    await stage.take("45-idle")
    await stage.call("fail_as_result")
    await stage.take("45-tool-error")
    await stage.call("fail_as_error")
    await stage.take("45-protocol-error")
    await stage.call("countdown", '{"steps":10,"seconds":60}', wait=False)
    history = stage.session.tools.history
    await stage.until(lambda: history.operations[-1].progress_count > 1, "progress")
    await stage.take("45-in-flight")
    stage.tools.call_panel.cancel_button.click()


async def _requests(stage: Stage) -> None:
    inbox = stage.app.workspace.inbox
    await _open(stage, _demo("assistant", *STATEFUL))
    for tool in ("ask_sampling", "ask_elicitation"):
        await stage.call(tool, wait=False)
        await stage.until(lambda: bool(inbox.pending), "the request")
        await stage.take(f"46-{tool.replace('_', '-')}")
        stage.tools.call_panel.cancel_button.click()
        await stage.until(lambda: not inbox.pending, "the end of the request")


async def _beginnings(stage: Stage) -> None:
    await stage.connect(Profile(name="orders", command=sys.executable, args=("-c", CRASH)))
    await stage.until(lambda: stage.session.session.failure is not None, "the failure")
    await stage.take("47-crashed-at-start")
    runner = stage.folder / "npx"
    runner.write_text(RUNNER)
    runner.chmod(0o755)
    path = os.pathsep.join((str(runner.parent), os.environ["PATH"]))
    await stage.connect(
        Profile(name="invoices", command="npx", args=("-y", "acme-invoices"), env=(("PATH", path),))
    )
    lines = stage.session.session.transcript
    await stage.until(lambda: lines.count > 1, "the first line of the package runner")
    await stage.take("47-package-runner")
    async with demo("--http", "0", "--auth") as url:
        await stage.connect(Profile(name="billing", transport="http", url=url))
        await stage.until(lambda: not stage.app.controller.is_beginning, "the outcome")
        await stage.take("47-unauthorized")
        await stage.session.aclose()
    slow = _demo("archive", *STATEFUL)
    await _open(stage, slow)
    await stage.call("weather", '{"city":"oslo"}')
    first = stage.session
    stage.app.server_list.replace(
        Profile(
            id=slow.id,
            name=slow.name,
            command=slow.command,
            args=(*slow.args, "--slow-start", "60"),
        )
    )
    stage.window.commands.actions["reconnect"].trigger()
    await stage.until(lambda: stage.session is not first, "the next run")
    await stage.take("47-reconnecting")


async def _recording(stage: Stage) -> None:
    await _open(stage, _demo("staging", *STATEFUL))
    await stage.call("weather", '{"city":"oslo"}')
    await stage.call("fail_as_result")
    path = stage.session.session.transcript.path
    assert path is not None
    await stage.session.aclose()
    stage.app.controller.open_record(path)
    await stage.until(lambda: stage.app.controller.recorded is not None, "the recording")
    stage.window.go("tools")
    recorded, record = stage.app.controller.recorded, stage.app.controller.record
    assert recorded is not None
    assert record is not None
    await stage.until(lambda: not record.sweep.pending, "the checks")
    stage.tools.choose([t.name for t in recorded.tools.items].index("fail_as_result"))
    await stage.take("48-recording")
    stage.app.controller.leave_record()


async def _problems(stage: Stage) -> None:
    await _open(stage, _demo("search", "--era", "stateless", "--odd-tools"))
    for name in FAULTS[:5]:
        await stage.call(name)
    await stage.until(lambda: not stage.session.sweep.pending, "the checks")
    stage.has_bottom = True
    stage.window.raise_dock("problems")
    page = stage.window.parts.problems.page
    await stage.until(lambda: page.feed.is_complete and page.model.rowCount() > 0, "the rows")
    await stage.take("48-problems")
    stage.has_bottom = False
    stage.window.raise_dock("traffic")
