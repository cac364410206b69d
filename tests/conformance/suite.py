"""The suite as it is installed: how it is started, and the scenarios it has."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from typing import TYPE_CHECKING

from tests.conformance import bounded
from tests.conformance.plan import Scenario, Side
from tests.support.peers import NODE, ROOT

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

ENTRY = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
LISTING_SECONDS = 60.0

JOBS = (os.cpu_count() or 1) + 1
"""Starts of the suite at a time, unless something else is said; each waits now and then."""

_LISTED = re.compile(r"^  - (\S+) \[([^\]]*)\]$", re.MULTILINE)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class SuiteFailed(Exception):
    """The suite itself did not do its work; the words say why."""


class Suite:
    """The suite in the folder of its peer."""

    def __init__(self, home: Path, jobs: int = JOBS) -> None:
        """Use what is installed in `home`, for so many jobs at a time."""
        self._entry = home / ENTRY
        self._jobs = asyncio.Semaphore(jobs)
        self._listed: dict[Side, tuple[Scenario, ...]] = {}

    def job(self) -> AbstractAsyncContextManager[None]:
        """One of the jobs that there may be at a time."""
        return self._jobs

    def command(self, *text: str) -> list[str]:
        """The command line of one start."""
        return [str(NODE), str(self._entry), *text]

    async def run(self, *text: str, log: Path, seconds: float) -> int | None:
        """Start it with these words; its exit status, or None when it had to be stopped."""
        return await bounded.run(
            self.command(*text), log, seconds=seconds, environment=environment(), cwd=ROOT
        )

    async def scenarios(self, side: Side, folder: Path) -> tuple[Scenario, ...]:
        """Every scenario of one side, asked for once; `folder` takes what the suite says.

        Raises:
            SuiteFailed: it cannot be started, or lists none.
        """
        if side in self._listed:
            return self._listed[side]
        log = folder / f"list-{side}.txt"
        status = await self.run("list", f"--{side}", log=log, seconds=LISTING_SECONDS)
        found = listed(side, plain_text(log))
        if status != 0 or not found:
            raise SuiteFailed(f"no list of {side} scenarios (status {status}):\n{plain_text(log)}")
        self._listed[side] = found
        return found


def listed(side: Side, text: str) -> tuple[Scenario, ...]:
    """The scenarios in what `list` prints."""
    found = _LISTED.findall(text)
    return tuple(Scenario(side, name, tuple(wires.split(","))) for name, wires in found)


def environment() -> dict[str, str]:
    """That of the suite and of what it starts: nothing of a caller who plays suite himself, and no proxy to ourselves."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("MCP_CONFORMANCE_") and name != "NODE_OPTIONS"
    }
    for name in ("NO_PROXY", "no_proxy"):
        known = [kept[name]] if kept.get(name) else []
        kept[name] = ",".join([*known, "localhost", "127.0.0.1", "::1"])
    return kept | {"CONFORMANCE_PYTHON": sys.executable}


def plain_text(file: Path) -> str:
    """What is in a log, without colours; nothing when there is none."""
    try:
        return _COLOUR.sub("", file.read_text(errors="replace"))
    except OSError:
        return ""
