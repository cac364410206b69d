"""The one place where unexpected errors end.

Expected ones (`InspectorError`) are shown where they happened. Everything else is a fault of Spyglass: it is logged, kept here
with its traceback, and shown without interrupting the user.
"""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inspector.frozen import FrozenStruct
from inspector.wire.redaction import mask_text

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Mapping
    from types import TracebackType

    from inspector.clock import Clock

KEPT = 200
"""How many problems are kept; older ones are counted in `Reporter.dropped`."""

_log = logging.getLogger(__name__)


class InternalError(FrozenStruct, frozen=True):
    """An unexpected error, as text: keeping the exception would keep everything its frames refer to."""

    at: float
    """Seconds since 1970-01-01 UTC."""
    summary: str
    """What was being done, and the error in one line."""
    traceback: str
    """The whole story, for a bug report."""


class Reporter(QObject):
    """Keeps, logs and announces unexpected errors.

    Signals:
        reported: a problem was added; it is the last of `problems`.
    """

    reported = Signal()

    def __init__(self, *, clock: Clock, parent: QObject | None = None) -> None:
        """Start empty; `install` makes it hear of anything."""
        super().__init__(parent)
        self.without_secrets: Callable[[str], str] = mask_text
        """Takes the secrets out of what is kept and logged: an error tells what it was about."""
        self._clock = clock
        self._problems: deque[InternalError] = deque(maxlen=KEPT)
        self._total = 0

    @property
    def problems(self) -> tuple[InternalError, ...]:
        """The latest, oldest first."""
        return tuple(self._problems)

    @property
    def dropped(self) -> int:
        """How many are no longer kept."""
        return self._total - len(self._problems)

    def report(self, error: BaseException, text: str = "") -> None:
        """Keep `error`; `text` says what was being done."""
        line = "".join(traceback.format_exception_only(error)).strip()
        summary = self.without_secrets(f"{text}: {line}" if text else line)
        details = self.without_secrets("".join(traceback.format_exception(error)))
        _log.error("%s\n%s", summary, details)
        self._problems.append(InternalError(self._clock.wall_s(), summary, details))
        self._total += 1
        self.reported.emit()

    def clear(self) -> None:
        """Forget all problems."""
        self._problems.clear()
        self._total = 0

    def install(self, loop: asyncio.AbstractEventLoop) -> None:
        """Report uncaught errors of `loop`, of slots, and of every thread."""
        loop.set_exception_handler(self.on_loop_error)
        sys.excepthook = self.on_uncaught

        def on_thread_error(args: threading.ExceptHookArgs) -> None:
            with suppress(RuntimeError):  # the loop is closed already
                loop.call_soon_threadsafe(self.on_thread_error, args)

        threading.excepthook = on_thread_error

    def on_loop_error(self, loop: asyncio.AbstractEventLoop, context: Mapping[str, object]) -> None:
        """An exception handler for event loops."""
        text = str(context.get("message", ""))
        error = context.get("exception")
        if isinstance(error, BaseException):
            self.report(error, text)
        else:
            self.report(RuntimeError(text or "event loop reported an error without an exception"))

    def on_uncaught(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """An exception hook, as in `sys.excepthook`."""
        if isinstance(error, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        self.report(error.with_traceback(trace))

    def on_thread_error(self, args: threading.ExceptHookArgs) -> None:
        """An exception hook for threads, as in `threading.excepthook`; `sys.exit` is no error."""
        if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
            self.report(args.exc_value, "Unhandled error in a thread")
