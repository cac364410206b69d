"""`python -m tests.fuzz [TARGET…] [--seconds N] [--seed N] [--cases N]`: ends with 1 when anything failed."""

from __future__ import annotations

import argparse
import gc
import importlib
import pkgutil
import secrets
import sys

import inspector
from tests.fuzz.case import MAX_GAP_SECONDS
from tests.fuzz.runner import Runner
from tests.fuzz.targets import TARGETS


def main() -> int:
    """Try what was asked for, and say what was tried."""
    options = _options()
    targets = [each for each in TARGETS if not options.names or each.name in options.names]
    seed: int = secrets.randbelow(1 << 31) if options.seed is None else options.seed
    print(f"seed {seed}, {options.seconds:g} s", file=sys.stderr)
    _load_everything()
    gc.freeze()  # what was imported is no garbage of a case
    runner = Runner(targets, seed=seed, max_gap_seconds=options.gap)
    if options.cases:
        for target in targets:
            for number in range(options.cases):
                runner.run_one(target, seed + number)
    else:
        runner.run(options.seconds)
    for failure in runner.failures:
        print(failure)
    for target in targets:
        print(f"{target.name}: {runner.cases[target.name]} cases")
    print(f"{len(runner.failures)} failures; first seed {seed}")
    return 1 if runner.failures else 0


def _load_everything() -> None:
    """Import what the engine imports when it is needed: that can take half a second of a turn, and is no fault of the input."""
    for module in pkgutil.walk_packages(inspector.__path__, f"{inspector.__name__}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("tests.fuzz", description=__doc__)
    names = [target.name for target in TARGETS]
    parser.add_argument(
        "names", nargs="*", choices=[*names, []], metavar="TARGET", help=", ".join(names)
    )
    parser.add_argument("--seconds", type=float, default=600, help="how long to go on")
    parser.add_argument("--seed", type=int, help="the seed of the first case of each target")
    parser.add_argument("--cases", type=int, default=0, help="run so many cases instead")
    parser.add_argument(
        "--gap",
        type=float,
        default=MAX_GAP_SECONDS,
        help="seconds of work that a turn of the loop may take: more on a slow or shared machine",
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
