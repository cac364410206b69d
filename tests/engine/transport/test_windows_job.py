"""How processes are ended where there are no process groups. No Windows runs here: the calls are tested, and their order, not their effect."""

from __future__ import annotations

import ctypes
import struct
from typing import Protocol, cast

import pytest

from inspector.transport.process_group import spawn_options
from inspector.transport.windows_job import Accounting, ExtendedLimits, WindowsJob, kernel32

JOB, PROCESS, PID = 41, 42, 4711
SET_QUOTA_AND_TERMINATE = 0x0101
KILL_ON_JOB_CLOSE = 0x2000


class ToLimits(Protocol):
    """A pointer."""

    contents: ExtendedLimits


class ToAccounting(Protocol):
    """A pointer."""

    contents: Accounting


class Kernel:
    """Answers as kernel32 would, and keeps what it was asked."""

    def __init__(self, refuses: str = "") -> None:
        self.calls: list[str] = []
        self.running = 2
        self.flags = 0
        self._refuses = refuses

    def CreateJobObjectW(self, attributes: None, name: None, /) -> int | None:
        assert attributes is name is None
        return self._say("create", JOB) or None

    def SetInformationJobObject(self, job: int, kind: int, facts: object, size: int, /) -> int:
        limits = cast("ToLimits", facts)
        self.flags = limits.contents.BasicLimitInformation.LimitFlags
        assert (job, kind, size) == (JOB, 9, ctypes.sizeof(ExtendedLimits))
        return self._say("limit")

    def QueryInformationJobObject(
        self, job: int, kind: int, facts: object, size: int, used: None, /
    ) -> int:
        told = cast("ToAccounting", facts)
        told.contents.ActiveProcesses = self.running
        assert (job, kind, size, used) == (JOB, 1, ctypes.sizeof(Accounting), None)
        return self._say("query")

    def OpenProcess(self, access: int, inherit: bool, pid: int, /) -> int | None:
        assert (access, inherit, pid) == (SET_QUOTA_AND_TERMINATE, False, PID)
        return self._say("open", PROCESS) or None

    def AssignProcessToJobObject(self, job: int, process: int, /) -> int:
        assert (job, process) == (JOB, PROCESS)
        return self._say("assign")

    def TerminateJobObject(self, job: int, code: int, /) -> int:
        assert (job, code) == (JOB, 1)
        return self._say("terminate")

    def CloseHandle(self, handle: int, /) -> int:
        return self._say(f"close {handle}")

    def _say(self, call: str, answer: int = 1) -> int:
        self.calls.append(call)
        return 0 if call == self._refuses else answer


def test_a_server_leads_a_group_of_its_own_whatever_the_system() -> None:
    """C-STD-09: a session on POSIX; elsewhere a group that hears no interrupt of ours, without a window."""
    assert spawn_options("posix") == (True, 0)
    assert spawn_options("nt") == (False, 0x00000200 | 0x08000000)


def test_a_process_is_put_into_a_job_that_ends_with_us() -> None:
    """C-STD-09."""
    kernel = Kernel()
    job = WindowsJob(PID, kernel)

    assert kernel.calls == ["create", "limit", "open", "assign", f"close {PROCESS}"]
    assert kernel.flags == KILL_ON_JOB_CLOSE
    assert job.terminate_signal == ""


def test_a_job_is_ended_with_everything_that_is_in_it() -> None:
    """C-STD-09: also once the first process has gone; letting go of it happens once."""
    kernel = Kernel()
    job = WindowsJob(PID, kernel)
    kernel.calls.clear()

    assert job.alive()
    kernel.running = 0
    assert not job.alive()
    job.kill()
    job.close()
    job.close()
    assert kernel.calls == ["query", "query", "terminate", f"close {JOB}"]


@pytest.mark.parametrize(
    ("refuses", "calls"),
    [
        ("create", ["create"]),
        ("limit", ["create", "limit", f"close {JOB}"]),
        ("open", ["create", "limit", "open", f"close {JOB}"]),
        ("assign", ["create", "limit", "open", "assign", f"close {PROCESS}", f"close {JOB}"]),
    ],
)
def test_where_there_can_be_no_job_the_process_alone_is_ended(
    monkeypatch: pytest.MonkeyPatch, refuses: str, calls: list[str]
) -> None:
    """C-STD-09."""
    ended: list[int] = []

    def end(pid: int, _: int) -> None:
        ended.append(pid)

    monkeypatch.setattr("os.kill", end)
    kernel = Kernel(refuses)
    job = WindowsJob(PID, kernel)

    assert not job.alive()
    job.kill()
    job.close()
    assert kernel.calls == calls
    assert ended == [PID]


@pytest.mark.skipif(struct.calcsize("P") != 8, reason="the sizes are those of 64 bits")
def test_what_is_told_to_windows_has_the_size_that_it_expects() -> None:
    """C-STD-09: as the headers of Windows have it for 64 bits."""
    assert (ctypes.sizeof(ExtendedLimits), ctypes.sizeof(Accounting)) == (144, 48)


def test_there_is_no_such_library_elsewhere() -> None:
    """Ours."""
    with pytest.raises(OSError, match="Windows only"):
        kernel32()
