"""A process and every process it starts as a Windows job, which ends them together.

A job outlives its first process, so the children of a wrapper that has exited are still ended; and Windows ends the job when Spyglass exits,
even after a crash. Without a job only the process itself is ended. A child that starts before the process is in the job is not ended: the
standard library cannot start a suspended process.

On other systems only the calls and their order are tested: `kernel` is a parameter for that.

Source: basic/transports/stdio, "Shutdown"; Win32, "Job Objects".
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from ctypes import wintypes
from typing import Protocol

_ACCOUNTING = 1
_EXTENDED_LIMITS = 9
"""Classes of information about a job."""

_KILL_ON_CLOSE = 0x2000
_SET_QUOTA, _TERMINATE = 0x0100, 0x0001
"""Access rights that are needed to put a process into a job."""

_EXIT_CODE = 1


class Kernel(Protocol):
    """The functions of kernel32 that are used."""

    def CreateJobObjectW(self, attributes: None, name: None, /) -> int | None:
        """Make a job; returns its handle, or None after an error."""
        ...

    def SetInformationJobObject(self, job: int, kind: int, info: object, size: int, /) -> int:
        """Set limits; returns 0 after an error, as do the functions below."""
        ...

    def QueryInformationJobObject(
        self, job: int, kind: int, info: object, size: int, used: None, /
    ) -> int:
        """Fill in `info`."""
        ...

    def OpenProcess(self, access: int, inherit: bool, pid: int, /) -> int | None:
        """Return a handle of a process."""
        ...

    def AssignProcessToJobObject(self, job: int, process: int, /) -> int:
        """Put a process into a job."""
        ...

    def TerminateJobObject(self, job: int, code: int, /) -> int:
        """End every process of a job."""
        ...

    def CloseHandle(self, handle: int, /) -> int:
        """Free a handle."""
        ...


class BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION."""

    _fields_ = [
        ("PerProcessUserTimeLimit", ctypes.c_int64),
        ("PerJobUserTimeLimit", ctypes.c_int64),
        ("LimitFlags", ctypes.c_uint32),
        ("MinimumWorkingSetSize", ctypes.c_size_t),
        ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", ctypes.c_uint32),
        ("Affinity", ctypes.c_size_t),
        ("PriorityClass", ctypes.c_uint32),
        ("SchedulingClass", ctypes.c_uint32),
    ]


class ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = [
        ("BasicLimitInformation", BasicLimits),
        ("IoInfo", ctypes.c_uint64 * 6),
        ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t),
        ("PeakProcessMemoryUsed", ctypes.c_size_t),
        ("PeakJobMemoryUsed", ctypes.c_size_t),
    ]


class Accounting(ctypes.Structure):
    """JOBOBJECT_BASIC_ACCOUNTING_INFORMATION."""

    _fields_ = [
        ("TotalUserTime", ctypes.c_int64),
        ("TotalKernelTime", ctypes.c_int64),
        ("ThisPeriodTotalUserTime", ctypes.c_int64),
        ("ThisPeriodTotalKernelTime", ctypes.c_int64),
        ("TotalPageFaultCount", ctypes.c_uint32),
        ("TotalProcesses", ctypes.c_uint32),
        ("ActiveProcesses", ctypes.c_uint32),
        ("TotalTerminatedProcesses", ctypes.c_uint32),
    ]


class WindowsJob:
    """The job of one child."""

    terminate_signal = ""
    """Nothing can be sent to a program without a window."""
    kill_signal = "TerminateJobObject"

    def __init__(self, leader: int, kernel: Kernel) -> None:
        """Put the process `leader` into a job of its own."""
        self._leader = leader
        self._kernel = kernel
        self._job = self._make_job()

    def alive(self) -> bool:
        """Return whether any process of the job still runs."""
        if not self._job:
            return False
        accounting = Accounting()
        size = ctypes.sizeof(accounting)
        known = self._kernel.QueryInformationJobObject(
            self._job, _ACCOUNTING, ctypes.pointer(accounting), size, None
        )
        return bool(known) and bool(accounting.ActiveProcesses)

    def processor_use(self) -> None:
        """Return None: it is not known here which of the processes wait to run."""

    def terminate(self) -> None:
        """Do nothing: nothing can be sent."""

    def kill(self) -> None:
        """Kill every process of the job; without a job, the first one."""
        if self._job:
            self._kernel.TerminateJobObject(self._job, _EXIT_CODE)
            return
        with contextlib.suppress(OSError):
            os.kill(self._leader, signal.SIGTERM)  # TerminateProcess, on Windows

    def close(self) -> None:
        """Close the job, which kills what is left in it."""
        if self._job:
            self._kernel.CloseHandle(self._job)
            self._job = 0

    def _make_job(self) -> int:
        """Return the handle of the job; 0 after an error."""
        job = self._kernel.CreateJobObjectW(None, None) or 0
        if job and not (self._limit(job) and self._assign(job)):
            self._kernel.CloseHandle(job)
            return 0
        return job

    def _limit(self, job: int) -> bool:
        limits = ExtendedLimits()
        limits.BasicLimitInformation.LimitFlags = _KILL_ON_CLOSE
        size = ctypes.sizeof(limits)
        info = ctypes.pointer(limits)
        return bool(self._kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, info, size))

    def _assign(self, job: int) -> bool:
        process = self._kernel.OpenProcess(_SET_QUOTA | _TERMINATE, False, self._leader)
        if not process:
            return False
        done = self._kernel.AssignProcessToJobObject(job, process)
        self._kernel.CloseHandle(process)
        return bool(done)


def kernel32() -> Kernel:
    """Return the library.

    Raises:
        OSError: the system is not Windows.
    """
    if sys.platform != "win32":
        raise OSError("kernel32 exists on Windows only")
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    handle, number = wintypes.HANDLE, wintypes.DWORD
    kernel.CreateJobObjectW.restype = handle
    kernel.CreateJobObjectW.argtypes = [wintypes.LPVOID, wintypes.LPCWSTR]
    kernel.OpenProcess.restype = handle
    kernel.OpenProcess.argtypes = [number, wintypes.BOOL, number]
    kernel.SetInformationJobObject.argtypes = [handle, ctypes.c_int, wintypes.LPVOID, number]
    kernel.QueryInformationJobObject.argtypes = [
        handle,
        ctypes.c_int,
        wintypes.LPVOID,
        number,
        wintypes.LPVOID,
    ]
    kernel.AssignProcessToJobObject.argtypes = [handle, handle]
    kernel.TerminateJobObject.argtypes = [handle, wintypes.UINT]
    kernel.CloseHandle.argtypes = [handle]
    return kernel
