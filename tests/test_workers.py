"""Workers keep out of each other's way, see `support/workers.py`; ours."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from tests.support import ports, workers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future
    from pathlib import Path


class Worker:
    """Takes one turn, in a thread of its own."""

    def __init__(self, folder: Path, threads: ThreadPoolExecutor, *, alone: bool) -> None:
        self.is_at_it = threading.Event()
        self._leave = threading.Event()
        self._turns = workers.Turns(folder)
        self._done: Future[None] = threads.submit(self._run, alone)

    def waits(self) -> bool:
        """Whether it did not get its turn in a while."""
        return not self.is_at_it.wait(0.05)

    def ends(self) -> None:
        """End its turn, once it has it."""
        assert self.is_at_it.wait(5)
        self._leave.set()
        self._done.result(5)
        self._turns.close()

    def _run(self, alone: bool) -> None:
        with self._turns.turn(alone=alone):
            self.is_at_it.set()
            assert self._leave.wait(5)


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as threads:
        yield threads


def test_tests_run_beside_each_other(tmp_path: Path, threads: ThreadPoolExecutor) -> None:
    """Ours."""
    first, second = (Worker(tmp_path, threads, alone=False) for _ in range(2))

    assert second.is_at_it.wait(5)
    second.ends()
    first.ends()


def test_a_test_that_is_alone_has_no_other_beside_it(
    tmp_path: Path, threads: ThreadPoolExecutor
) -> None:
    """Ours: it waits for those that run, and those that come later wait for it."""
    early = Worker(tmp_path, threads, alone=False)
    assert early.is_at_it.wait(5)
    alone = Worker(tmp_path, threads, alone=True)
    assert alone.waits()
    late = Worker(tmp_path, threads, alone=False)
    assert late.waits()

    early.ends()
    assert alone.is_at_it.wait(5)
    assert late.waits()
    alone.ends()
    late.ends()


def test_only_folders_are_worth_workers(tmp_path: Path) -> None:
    """Ours: each worker imports and collects what is chosen."""
    assert workers.count([str(tmp_path)]) > 1
    assert workers.count(["tests/test_workers.py", "tests/test_workers.py::test_x[/tmp]"]) == 0


def test_files_of_every_folder_are_spread_over_the_run(tmp_path: Path) -> None:
    """Ours: so that those that wait run beside those that work."""
    engine = [tmp_path / "engine" / f"test_{at}.py" for at in range(4)]
    ui = [tmp_path / "ui" / "shell" / f"test_{at}.py" for at in range(2)]

    at = workers.spread([*engine, *ui, tmp_path / "test_x.py"], tmp_path)

    order = "".join(
        path.relative_to(tmp_path).parts[0][0] for path in sorted(at, key=at.__getitem__)
    )
    assert order == "eueteue"
    assert sorted(engine, key=at.__getitem__) == engine


def test_no_port_is_given_twice() -> None:
    """Ours: a server that is still starting does not listen yet."""
    assert len({ports.free_port() for _ in range(20)}) == 20
