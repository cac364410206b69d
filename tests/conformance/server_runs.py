"""The runs of server scenarios: for each revision a demo server, and the suite once.

Scenarios of extensions are run one by one: no suite has them, and they belong to no revision that it could be told.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
from typing import TYPE_CHECKING

from tests.conformance import bounded
from tests.conformance.judging import Evidence, judge, read_checks
from tests.conformance.plan import EXTENSION
from tests.conformance.suite import SuiteFailed, environment, plain_text
from tests.support.peers import ROOT

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence
    from pathlib import Path

    from tests.conformance.judging import Outcome
    from tests.conformance.plan import Run
    from tests.conformance.suite import Suite

DEMO = (sys.executable, "-m", "inspector.demo", "--conformance", "--http", "0")
START_SECONDS = 20.0
LIMIT_SECONDS = 90.0
"""For all scenarios of one revision, or a single one of an extension; they take a few seconds."""

_LISTENING = re.compile(r"listening on (http://\S+)")


async def run(
    suite: Suite, chosen: Sequence[Run], folder: Path, tell: Callable[[Outcome], None]
) -> None:
    """Run them, those of a revision one after the other, and tell what each comes to.

    Raises:
        SuiteFailed: a demo server did not start.
    """
    try:
        async with asyncio.TaskGroup() as group:
            for wire in dict.fromkeys(each.wire for each in chosen):
                those = [each for each in chosen if each.wire == wire]
                group.create_task(_run_wire(suite, those, folder, tell))
    except* SuiteFailed as failures:
        failed = failures
    else:
        return
    raise SuiteFailed(str(failed.exceptions[0]))


async def _run_wire(
    suite: Suite, chosen: Sequence[Run], folder: Path, tell: Callable[[Outcome], None]
) -> None:
    wire = chosen[0].wire
    async with _demo(folder / f"demo@{wire}.txt") as url:
        if wire != EXTENSION:
            text = ("--suite", "all", "--spec-version", wire)
            status, place = await _run(suite, url, text, folder, wire)
            for each in chosen:
                tell(judge(each, _evidence(each, status, place)))
            return
        for each in chosen:
            text = ("--scenario", each.name)
            status, place = await _run(suite, url, text, folder, each.label)
            tell(judge(each, _evidence(each, status, place)))


@contextlib.asynccontextmanager
async def _demo(log: Path) -> AsyncGenerator[str]:
    """The address of our demo server while it runs."""
    async with bounded.running(DEMO, log, environment=environment(), cwd=ROOT) as process:
        try:
            async with asyncio.timeout(START_SECONDS):
                while not (said := _LISTENING.search(plain_text(log))):
                    if process.returncode is not None:
                        raise SuiteFailed(f"the demo server ended at once:\n{plain_text(log)}")
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise SuiteFailed("the demo server does not listen") from None
        yield said[1]


async def _run(
    suite: Suite, url: str, chosen: Sequence[str], folder: Path, name: str
) -> tuple[int | None, Path]:
    place = folder / f"server@{name}"
    place.mkdir(parents=True)
    text = ("server", "--url", url, *chosen, "-o", str(place))
    async with suite.job():
        status = await suite.run(*text, log=place / "suite.txt", seconds=LIMIT_SECONDS)
    return status, place


def _evidence(run: Run, status: int | None, place: Path) -> Evidence:
    """The exit status speaks of all scenarios together, so it counts for those alone that left no result."""
    log = plain_text(place / "suite.txt")
    name = re.compile(rf"server-{re.escape(run.name)}-\d{{4}}-\d\d-\d\dT.*")
    folders = [each for each in place.iterdir() if name.fullmatch(each.name)]
    if not folders:
        return Evidence(status, log)
    return Evidence(0, log, read_checks(plain_text(folders[-1] / "checks.json")))
