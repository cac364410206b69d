"""Running targets in turn until the time is over."""

from __future__ import annotations

import asyncio
import faulthandler
import gc
import sys
import time
import traceback
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

from tests.fuzz.case import MAX_CASE_SECONDS, MAX_GAP_SECONDS, Target, run_case

if TYPE_CHECKING:
    from collections.abc import Sequence

WARM_UP_CASES = 40
"""Cases of each target after which memory is compared with: what is made once was made then."""

MAX_GROWTH_BYTES = 300 << 20
"""Growth of the process beyond that, which no budget of the engine explains."""

MAX_FAILURES = 10
"""Failures after which the run ends: more of the same help nobody."""


class Runner:
    """Runs cases and keeps what failed."""

    def __init__(
        self, targets: Sequence[Target], *, seed: int, max_gap_seconds: float = MAX_GAP_SECONDS
    ) -> None:
        """Try `targets`; the first case of each has the seed `seed`, the next one more."""
        self.cases: Counter[str] = Counter()
        self.failures: list[str] = []
        self._targets = targets
        self._seed = seed
        self._max_gap_seconds = max_gap_seconds
        self._baseline = 0

    def run(self, seconds: float) -> None:
        """Go round the targets for so many seconds, and each once at least."""
        until = time.monotonic() + seconds
        while not self.cases or (time.monotonic() < until and len(self.failures) < MAX_FAILURES):
            for target in self._targets:
                self.run_one(target, self._seed + self.cases[target.name])
            self._check_growth()

    def run_one(self, target: Target, seed: int) -> None:
        """Run one case."""
        # What keeps the loop for good cannot be ended from inside.
        faulthandler.dump_traceback_later(3 * MAX_CASE_SECONDS, exit=True)
        # In the window garbage is collected by a timer. Here a full collection would take a tenth of a second somewhere in a case.
        gc.disable()
        try:
            asyncio.run(run_case(target, Random(seed), max_gap_seconds=self._max_gap_seconds))
        except Exception:  # noqa: BLE001 - every one of them is a finding
            again = f'make fuzz ARGS="{target.name} --seed {seed} --cases 1"'
            self.failures.append(f"{target.name}, again with: {again}\n{traceback.format_exc()}")
        finally:
            faulthandler.cancel_dump_traceback_later()
            gc.enable()
            gc.collect()
        self.cases[target.name] += 1

    def _check_growth(self) -> None:
        if min(self.cases[target.name] for target in self._targets) == WARM_UP_CASES:
            self._baseline = _resident_bytes()
        grown = _resident_bytes() - self._baseline
        if self._baseline and grown > MAX_GROWTH_BYTES:
            self.failures.append(f"the process has grown by {grown >> 20} MB since it was warm")
            self._baseline = _resident_bytes()


def _resident_bytes() -> int:
    """Memory of this process; 0 where the system does not tell."""
    if not sys.platform.startswith("linux"):
        return 0
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - no file of ours
        return int(file.read().split()[1]) * 4096
