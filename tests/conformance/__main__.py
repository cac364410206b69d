"""`python -m tests.conformance [client] [server]`: judge, and print a line for each run.

Ends with 0 when every failure is one that expected-failures.txt names and nothing that it names passes, with 1 when not, and
with 2 when the suite could not be installed or did not start.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.conformance import expected, report, server_runs
from tests.conformance.client_runs import ClientRuns
from tests.conformance.plan import EXTENSION, Side, runs
from tests.conformance.suite import JOBS, Suite, SuiteFailed
from tests.support import peers
from tests.support.peers import PeerMissing

if TYPE_CHECKING:
    from collections.abc import Generator

    from tests.conformance.judging import Outcome

EXPECTED = Path(__file__).with_name("expected-failures.txt")


def main() -> int:
    """Judge what was asked for."""
    options = _options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that nothing outlives us
    try:
        suite = Suite(peers.require("conformance"), options.jobs)
        with _folder(options.keep) as folder:
            return asyncio.run(_judge(suite, options, folder))
    except (SuiteFailed, PeerMissing) as problem:
        print(problem, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("tests.conformance", description=__doc__)
    add = parser.add_argument
    add(
        "sides",
        nargs="*",
        choices=[*map(str, Side), []],
        metavar="client|server",
        help="one of them only",
    )
    add("--only", action="append", default=[], metavar="PATTERN", help="only these scenarios")
    add("--wire", default="", metavar="DATE", help=f"only this revision, or {EXTENSION!r}")
    add("--jobs", type=int, default=JOBS, help=f"starts of the suite at a time (default {JOBS})")
    add(
        "--keep",
        type=Path,
        metavar="FOLDER",
        help="leave the checks and logs there, in a new folder",
    )
    return parser.parse_args()


@contextlib.contextmanager
def _folder(kept: Path | None) -> Generator[Path]:
    if kept is not None:
        kept.mkdir(parents=True)
        yield kept.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="conformance-") as name:
        yield Path(name)


async def _judge(suite: Suite, options: argparse.Namespace, folder: Path) -> int:
    known = expected.read(EXPECTED.read_text())
    listed = [each for side in Side for each in await suite.scenarios(side, folder)]
    wanted = [each for each in listed if str(each.side) in (options.sides or [*map(str, Side)])]
    chosen = runs(wanted, only=options.only, wire=options.wire)
    if not chosen:
        raise SuiteFailed("no scenario is called so")
    width = max(len(each.label) for each in chosen)
    outcomes: list[Outcome] = []

    def tell(outcome: Outcome) -> None:
        outcomes.append(outcome)
        print(*report.run_lines(outcome, known, width), sep="\n", flush=True)

    clients = [each for each in chosen if each.scenario.side is Side.CLIENT]
    servers = [each for each in chosen if each.scenario.side is Side.SERVER]
    client_runs = ClientRuns(suite, folder)
    await asyncio.gather(
        client_runs.run([each for each in clients if not each.is_timed], tell),
        server_runs.run(suite, servers, folder, tell),
    )
    await client_runs.run([each for each in clients if each.is_timed], tell)
    compared = expected.compare(outcomes, known, runs(listed))
    print(*report.closing_lines(outcomes, compared), sep="\n")
    return 0 if compared.holds else 1


if __name__ == "__main__":
    sys.exit(main())
