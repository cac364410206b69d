"""`python -m tests.bench [NAME…] [--quick]`: measure, and print one table. Ends with 1 when a measurement could not be taken."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from typing import TYPE_CHECKING

from tests.bench import load, table
from tests.bench.benches import BENCHES
from tests.bench.runner import NoSample, Runner
from tests.support.peers import PeerMissing

if TYPE_CHECKING:
    from tests.bench.table import Row


def main() -> int:
    """Measure what was asked for."""
    options = _options()
    raised = load.raise_priority()
    print(_machine(raised))
    runner = Runner(
        count=1 if options.quick else options.samples,
        patience_seconds=0 if options.quick else options.patience,
        quick=options.quick,
    )
    rows: list[Row] = []
    failures: list[str] = []
    for name in options.names or BENCHES:
        print(f"measuring {name} …", file=sys.stderr)
        try:
            rows += BENCHES[name](runner)
        except (NoSample, PeerMissing) as error:
            failures.append(f"{name} could not be measured: {error}")
    print("\n".join(table.lines(rows)))
    missed = [row.what for row in rows if row.missed]
    print(f"\n{len(missed)} goals missed{': ' if missed else ''}{', '.join(missed)}")
    print("\n".join(failures), file=sys.stderr)
    return 1 if failures else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("tests.bench", description=__doc__)
    parser.add_argument(
        "names", nargs="*", choices=[*BENCHES, []], metavar="NAME", help=", ".join(BENCHES)
    )
    parser.add_argument("--quick", action="store_true", help="one small sample of each")
    parser.add_argument("--samples", type=int, default=3, help="fresh processes for each figure")
    parser.add_argument(
        "--patience", type=float, default=20, help="seconds to wait for quiet before each"
    )
    return parser.parse_args()


def _machine(raised: bool) -> str:
    text = "precedence over other work" if raised else "no precedence over other work"
    return (
        f"Python {platform.python_version()}, {os.cpu_count()} processors, {platform.machine()}; {text}."
        " load: cores that others kept busy."
    )


if __name__ == "__main__":
    sys.exit(main())
