"""A child and everything it started, as one thing that can be signalled.

On POSIX the child leads a session of its own, so its group id is its process id and stays taken while any member lives. Elsewhere only
the child itself is reached.
"""

from __future__ import annotations

import contextlib
import os
import signal


class ProcessGroup:
    """The group that one child leads."""

    def __init__(self, leader: int) -> None:
        """`leader` is the child's process id; it must have been started as the leader of a new session."""
        self._leader = leader

    def alive(self) -> bool:
        """Whether any member still runs."""
        if os.name != "posix":
            return False
        try:
            os.killpg(self._leader, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to every member; those that are gone are no error."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(self._leader, number)
            else:
                os.kill(self._leader, number)

    def kill(self) -> None:
        """End every member at once."""
        self.signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
