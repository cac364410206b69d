"""Several workers that share one run of the tests, and how they keep out of each other's way.

Each has a home of its own below a folder of the run. Tests run beside each other, except those that measure the clock: they
carry the mark `alone`, wait until every other worker has ended its test, and keep the others waiting meanwhile.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence
    from contextlib import AbstractContextManager

FOLDER = "spyglass_folder"
"""What a worker is told: the folder of the run."""

RUN = pytest.StashKey[Path]()
TURNS = pytest.StashKey["Turns"]()


class Node(Protocol):
    """A worker as the process sees it that starts the workers."""

    config: pytest.Config
    workerinput: dict[str, str]


class Turns:
    """One worker's view of two files that all workers lock."""

    def __init__(self, folder: Path) -> None:
        """Use files in `folder`, which all workers know."""
        # Whoever wants the room waits at the door, so nobody overtakes a test that waits for the room to be empty.
        self._door = (folder / "door").open("w")
        self._room = (folder / "room").open("w")

    @contextmanager
    def turn(self, *, alone: bool) -> Generator[None]:
        """A turn beside other workers, or with none of them."""
        fcntl.flock(self._door, fcntl.LOCK_EX)
        try:
            fcntl.flock(self._room, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        finally:
            fcntl.flock(self._door, fcntl.LOCK_UN)
        try:
            yield
        finally:
            fcntl.flock(self._room, fcntl.LOCK_UN)

    def close(self) -> None:
        """Give up both files."""
        self._door.close()
        self._room.close()


def count(arguments: Sequence[str]) -> int:
    """How many workers it takes: none where `arguments` name no folder, for each imports and collects all tests anew."""
    if any(Path(argument).is_dir() for argument in arguments):
        return (os.cpu_count() or 1) + 1  # much of the time of a test is waiting
    return 0


def make_home(config: pytest.Config) -> Path:
    """A folder for what a program keeps of its user, empty, and gone after the run."""
    told = _told(config)
    if FOLDER not in told:
        folder = tempfile.TemporaryDirectory(prefix="spyglass-test-")
        config.add_cleanup(folder.cleanup)
        config.stash[RUN] = Path(folder.name)
        return config.stash[RUN]
    turns = config.stash[TURNS] = Turns(Path(told[FOLDER]))
    config.add_cleanup(turns.close)
    home = Path(told[FOLDER]) / told["workerid"]
    home.mkdir()
    return home


def instruct(node: Node) -> None:
    """Tell a worker where the folder of the run is."""
    node.workerinput[FOLDER] = str(node.config.stash[RUN])


def are_there(config: pytest.Config) -> bool:
    """Whether this is one of several workers."""
    return FOLDER in _told(config)


def spread(paths: Iterable[Path], root: Path) -> dict[Path, float]:
    """Where in the run each file has its turn, from 0 to 1: the files of each folder of `root` are spread over all of it.

    One after the other, the workers would all wait for processes in one folder, and compete for the processors in the next.
    """
    folders: dict[str, list[Path]] = {}
    for path in paths:
        folders.setdefault(path.relative_to(root).parts[0], []).append(path)
    return {
        path: (at + 0.5) / len(folder)
        for folder in folders.values()
        for at, path in enumerate(folder)
    }


def turn(item: pytest.Item) -> AbstractContextManager[None]:
    """The turn of a test; at once where there are no other workers."""
    turns = item.config.stash.get(TURNS, None)
    if turns is None:
        return nullcontext()
    return turns.turn(alone=item.get_closest_marker("alone") is not None)


def _told(config: pytest.Config) -> dict[str, str]:
    told: dict[str, str] = getattr(config, "workerinput", {})
    return told
