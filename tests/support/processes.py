"""Which processes this test run has started, their children included. Needs /proc; elsewhere it sees none."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from signal import SIGKILL

MARK = "SPYGLASS_TEST_RUN"
"""Environment variable that every process of this run inherits, unless it is given an environment of its own."""

GRACE_SECONDS = 2.0
"""How long a process that was told to end may take to be gone."""

STARTS = {"subprocess.Popen", "os.posix_spawn", "os.fork", "os.forkpty"}
"""Audit events of Python that announce a new process."""


class Processes:
    """The processes of this run; looks only after one was started, for a look costs 40 ms."""

    def __init__(self) -> None:
        self._is_stale = False
        self._alive: dict[int, str] = {}
        os.environ[MARK] = str(os.getpid())
        sys.addaudithook(self._audit)

    def alive(self) -> dict[int, str]:
        """The command lines of the processes that live, by process id; some may have ended meanwhile."""
        if self._is_stale:
            self._is_stale = False
            self._alive = _look()
        return self._alive

    def started_since(self, before: dict[int, str]) -> dict[int, str]:
        """What is alive and was not `before`, after some grace."""
        deadline = time.monotonic() + GRACE_SECONDS
        while more := {pid: words for pid, words in self.alive().items() if pid not in before}:
            if time.monotonic() > deadline:
                break
            time.sleep(0.01)
            self._is_stale = True
        return more

    def _audit(self, event: str, _arguments: object) -> None:
        if event in STARTS:
            self._is_stale = True


def kill(pids: dict[int, str]) -> None:
    """End processes that nobody else will."""
    for pid in pids:
        try:
            os.kill(pid, SIGKILL)
        except ProcessLookupError:
            continue


def _look() -> dict[int, str]:
    folders = Path("/proc").glob("[0-9]*")
    commands = {int(folder.name): _command(folder) for folder in folders if _is_ours(folder)}
    return {pid: command for pid, command in commands.items() if command}


def _is_ours(folder: Path) -> bool:
    if int(folder.name) == os.getpid():
        return False
    try:
        # The name in brackets may hold anything; state and parent follow it.
        state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        if state in "ZX":
            return False
        if int(parent) == os.getpid():
            return True
        environment = (folder / "environ").read_bytes().split(b"\0")
    except OSError:
        return False  # gone meanwhile, or somebody else's
    return f"{MARK}={os.getpid()}".encode() in environment


def _command(folder: Path) -> str:
    try:
        words = (folder / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    return " ".join(word.decode(errors="replace") for word in words).strip()
