"""The frame of the fuzzing fails where it has to, and says how to repeat it; ours."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest

from tests.fuzz.case import MAX_GAP_SECONDS, Target
from tests.fuzz.runner import Runner
from tests.fuzz.targets import TARGETS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.fuzz.case import Case


async def raises(case: Case) -> None:
    """A fault that nobody foresaw."""
    raise KeyError(case.random.random())


async def works_too_long(_case: Case) -> None:
    """Work in one piece."""
    await asyncio.sleep(0)
    until = time.thread_time() + 2 * MAX_GAP_SECONDS
    while time.thread_time() < until:
        pass


async def is_fine(case: Case) -> None:
    """As it should be."""
    (case.folder / "x").touch()
    await asyncio.sleep(0)


@pytest.mark.parametrize(("run", "word"), [(raises, "KeyError"), (works_too_long, "LoopGap")])
def test_a_failure_is_told_with_the_seed_that_repeats_it(
    run: Callable[[Case], Awaitable[None]], word: str
) -> None:
    runner = Runner([Target("odd", run)], seed=41)

    runner.run(0)

    assert len(runner.failures) == 1
    assert word in runner.failures[0]
    assert "odd --seed 41" in runner.failures[0]


def test_targets_take_turns_until_the_time_is_over() -> None:
    runner = Runner([Target("one", is_fine), Target("two", is_fine)], seed=0)

    runner.run(0.05)

    assert runner.failures == []
    assert runner.cases["one"] == runner.cases["two"] > 0


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_every_target_passes_one_case(target: Target) -> None:
    runner = Runner(
        [target], seed=7, max_gap_seconds=1.0
    )  # a freeze fails, a busy machine does not

    runner.run_one(target, 7)

    assert runner.failures == []
