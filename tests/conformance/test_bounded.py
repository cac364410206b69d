"""Nothing outlives its time."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tests.conformance import bounded
from tests.e2e.marked import marked, new_mark
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from pathlib import Path


async def bounded_status(script: str, folder: Path, seconds: float = 5) -> int | None:
    return await bounded.run(
        ["sh", "-c", script],
        folder / "log.txt",
        seconds=seconds,
        environment=dict(os.environ),
        cwd=folder,
    )


async def test_a_program_that_ends_gives_its_exit_status_and_its_words(tmp_path: Path) -> None:
    """Ours."""
    assert await bounded_status("echo out; echo err >&2; exit 3", tmp_path) == 3
    assert (tmp_path / "log.txt").read_text() == "out\nerr\n"


async def test_a_program_that_does_not_end_is_stopped_however_stubborn(tmp_path: Path) -> None:
    """Ours."""
    mark = new_mark()
    script = f"trap '' TERM; while :; do sleep 60 # {mark}\ndone"

    assert await bounded_status(script, tmp_path, seconds=0.2) is None
    await wait_until(lambda: not marked(mark))


async def test_what_a_program_leaves_behind_is_stopped_with_it(tmp_path: Path) -> None:
    """Ours."""
    mark = new_mark()
    script = f"sh -c 'sleep 60; : {mark}' >/dev/null 2>&1 & exit 0"

    assert await bounded_status(script, tmp_path) == 0
    await wait_until(lambda: not marked(mark))
