"""Takes samples: each is a fresh process that prints its figures."""

from __future__ import annotations

import json
import os
import signal
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, CompletedProcess, Popen, TimeoutExpired
from typing import cast

from tests.bench import load

ROOT = Path(__file__).parents[2]
CACHE = ROOT / "build" / "bench-bytecode"
"""Compiled modules, so that a start is as warm as that of an installed program."""

TIMEOUT_SECONDS = 180.0
ENOUGH = 3
"""Undisturbed samples that make the disturbed ones dispensable."""


class NoSample(Exception):
    """A sample could not be taken; the words say why."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The figures of one process."""

    values: dict[str, float]
    """By name."""
    foreign: float
    """Cores that others kept busy meanwhile."""


class Samples:
    """The same thing measured several times."""

    def __init__(self, taken: list[Sample]) -> None:
        """Samples in the order of the rounds."""
        self._taken = taken

    @property
    def foreign(self) -> float:
        """Cores that others kept busy, in the middle."""
        return statistics.median(sample.foreign for sample in self._taken)

    def all(self, name: str) -> list[float]:
        """Every value of a figure."""
        return [sample.values[name] for sample in self._taken]


@dataclass(frozen=True, slots=True)
class Child:
    """What is run for a sample: a module of `tests.bench.child`."""

    module: str
    """Its name."""
    args: tuple[object, ...] = ()
    """Its arguments; `{now}` stands for the moment of the start and `{folder}` for a new folder."""
    python: Path | str = sys.executable
    """What runs it."""
    environment: tuple[tuple[str, str], ...] = ()
    """Variables beside the usual ones."""
    is_warmed: bool = False
    """Whether it is run once before, for nothing."""


@dataclass(frozen=True, slots=True)
class Runner:
    """How samples are taken in this run."""

    count: int = 3
    """Samples of each thing."""
    patience_seconds: float = 20.0
    """How long quiet is waited for before each."""
    quick: bool = False
    """Smaller loads: to see that everything works, not for figures."""

    def take(self, *children: Child) -> list[Samples]:
        """Run each of the children in turn, several rounds: what is compared is measured under the same conditions.

        Disturbed rounds are left out where there are enough others.

        Raises:
            NoSample: a child failed or took too long.
        """
        for child in children:
            if child.is_warmed:
                _sample(child)
        rounds = [[self._quiet_sample(child) for child in children] for _ in range(self.count)]
        quiet = [taken for taken in rounds if max(s.foreign for s in taken) <= load.QUIET]
        used = quiet if len(quiet) >= ENOUGH else rounds
        return [Samples(list(taken)) for taken in zip(*used, strict=True)]

    def _quiet_sample(self, child: Child) -> Sample:
        load.wait_for_quiet(self.patience_seconds)
        return _sample(child)


def _sample(child: Child) -> Sample:
    text = [str(child.python), "-m", f"tests.bench.child.{child.module}", *map(str, child.args)]
    before = load.moment()
    with tempfile.TemporaryDirectory() as folder:
        filled = [word.replace("{folder}", folder) for word in text]
        command = [word.replace("{now}", repr(time.monotonic())) for word in filled]
        done = _ended(command, _environment() | dict(child.environment))
    if done.returncode:
        told = done.stderr.decode(errors="replace")[-2000:]
        raise NoSample(f"{' '.join(text)} ended with {done.returncode}:\n{told}")
    return Sample(_figures(done.stdout), load.foreign_since(before))


def _ended(command: list[str], environment: dict[str, str]) -> CompletedProcess[bytes]:
    with Popen(
        command, cwd=ROOT, env=environment, stdout=PIPE, stderr=PIPE, start_new_session=True
    ) as process:
        load.raise_group(process.pid)
        try:
            out, err = process.communicate(timeout=TIMEOUT_SECONDS)
        except TimeoutExpired as error:
            os.killpg(process.pid, signal.SIGKILL)
            raise NoSample(f"no end after {TIMEOUT_SECONDS:.0f} s: {' '.join(command)}") from error
    return CompletedProcess(command, process.returncode, out, err)


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return kept | {
        "PYTHONPATH": str(ROOT),
        "PYTHONPYCACHEPREFIX": str(CACHE),
        "QT_QPA_PLATFORM": "offscreen",
    }


def _figures(out: bytes) -> dict[str, float]:
    lines = out.splitlines()
    try:
        return cast("dict[str, float]", json.loads(lines[-1]))
    except (IndexError, ValueError) as error:
        raise NoSample(f"no figures were printed: {out[-500:]!r}") from error
