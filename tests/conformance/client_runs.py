"""The runs of client scenarios: the suite starts our client, and what it saw is judged."""

from __future__ import annotations

import asyncio
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.conformance.judging import Evidence, judge, read_checks
from tests.conformance.plan import EXTENSION
from tests.conformance.suite import plain_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.conformance.judging import Outcome
    from tests.conformance.plan import Run
    from tests.conformance.suite import Suite

CLIENT = Path(__file__).with_name("client.sh")
LIMIT_SECONDS = 30
"""For the client."""
GRACE_SECONDS = 20
"""What the suite has on top, to start and to end."""
LAST_LINES = 3


class ClientRuns:
    """Runs client scenarios, several at a time, those that are timed after all others and alone."""

    def __init__(self, suite: Suite, folder: Path, client: Path = CLIENT) -> None:
        """Judge the program `client`; leave what each run left behind in `folder`."""
        self._suite = suite
        self._folder = folder
        self._client = client

    async def run(self, chosen: Sequence[Run], tell: Callable[[Outcome], None]) -> None:
        """Run them, and tell what each comes to as soon as those before it are over."""
        together = [run for run in chosen if not run.is_timed]
        async with asyncio.TaskGroup() as group:
            for task in [group.create_task(self._outcome(run)) for run in together]:
                tell(await task)
        for run in chosen:
            if run.is_timed:
                tell(await self._outcome(run))

    async def _outcome(self, run: Run) -> Outcome:
        async with self._suite.job():
            began = time.monotonic()
            evidence = await self._evidence(run)
            return judge(run, evidence, time.monotonic() - began)

    async def _evidence(self, run: Run) -> Evidence:
        folder = self._folder / run.label.replace("/", "_")
        folder.mkdir(parents=True)
        log = folder / "suite.txt"
        text = ["client", "--scenario", run.name, "-o", str(folder)]
        text += ["--command", f"exec {shlex.quote(str(self._client))}"]
        text += ["--timeout", str(LIMIT_SECONDS * 1000)]
        if run.wire != EXTENSION:
            text += ["--spec-version", run.wire]
        status = await self._suite.run(*text, log=log, seconds=LIMIT_SECONDS + GRACE_SECONDS)
        return _evidence(status, folder, log)


def _evidence(status: int | None, folder: Path, log: Path) -> Evidence:
    found = sorted(folder.rglob("checks.json"))
    if not found:
        return Evidence(status, plain_text(log))
    said = plain_text(found[-1].with_name("stderr.txt")).splitlines()[-LAST_LINES:]
    checks = read_checks(plain_text(found[-1]))
    return Evidence(status, plain_text(log), checks, "\n".join(said))
