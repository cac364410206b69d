"""Which processes this test run has started, their children included. Needs /proc; elsewhere it sees none."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from signal import SIGKILL

MARK = "SPYGLASS_TEST_RUN"
"""Environment variable that every process of this run inherits, unless it is given an environment of its own."""

GRACE_SECONDS = 5.0
"""How long a process that was told to end may take to be gone."""

STARTED_AT = 19
"""Where /proc says when a process began: the field, counted from its state."""

STARTS = {"subprocess.Popen", "os.posix_spawn", "os.fork", "os.forkpty"}
"""Audit events of Python that announce a new process."""


class Processes:
    """The processes of this run; looks only after one was started."""

    def __init__(self) -> None:
        self._look = _Look()
        self._is_stale = False
        self._alive: dict[int, str] = {}
        os.environ[MARK] = str(os.getpid())
        sys.addaudithook(self._audit)

    def alive(self) -> dict[int, str]:
        """The command lines of the processes that live, by process id; some may have ended meanwhile."""
        if self._is_stale:
            self._is_stale = False
            self._alive = self._look.alive()
        return self._alive

    def started_since(self, before: dict[int, str]) -> dict[int, str]:
        """What is alive and was not `before`, after some grace."""
        deadline = time.monotonic() + GRACE_SECONDS
        while more := {pid: text for pid, text in self.alive().items() if pid not in before}:
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


class _Look:
    """Finds our processes; knows those of others again, for most of the work is to read what each was started with."""

    def __init__(self) -> None:
        self._mark = f"{MARK}={os.getpid()}".encode()
        self._others: dict[int, bytes] = {}
        """When each process of somebody else began, by process id."""

    def alive(self) -> dict[int, str]:
        """The command lines of ours by process id."""
        pids = {int(folder.name) for folder in Path("/proc").glob("[0-9]*")}
        self._others = {pid: began for pid, began in self._others.items() if pid in pids}
        commands = {pid: _command(pid) for pid in sorted(pids) if self._is_ours(pid)}
        return {pid: command for pid, command in commands.items() if command}

    def _is_ours(self, pid: int) -> bool:
        if pid == os.getpid():
            return False
        try:
            # The name in brackets may hold anything; state and parent follow it.
            fields = _read(pid, "stat").rpartition(b")")[2].split()
            state, parent, began = fields[0], int(fields[1]), fields[STARTED_AT]
            if state in (b"Z", b"X") or self._others.get(pid) == began:
                return False
            if parent == os.getpid() or self._mark in _read(pid, "environ").split(b"\0"):
                return True
        except OSError:
            return False  # gone meanwhile, or somebody else's
        self._others[pid] = began
        return False


def _read(pid: int, name: str) -> bytes:
    return Path(f"/proc/{pid}/{name}").read_bytes()


def _command(pid: int) -> str:
    try:
        text = _read(pid, "cmdline").split(b"\0")
    except OSError:
        return ""
    return " ".join(word.decode(errors="replace") for word in text).strip()
