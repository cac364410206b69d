"""Internal errors of a command: faults of Spyglass in the command itself, a background task, a callback of the event loop, or a thread.

They are printed, and the exit code tells of them: the result may be incomplete because of one.
"""

from __future__ import annotations

import asyncio
import threading
import traceback
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from inspector.cli.command import FIRST_SIGNAL, INTERNAL_ERROR
from inspector.cli.console import OutputError
from inspector.wire.redaction import mask_text

if TYPE_CHECKING:
    from collections.abc import Coroutine, Generator, Iterator
    from typing import Any

    from inspector.cli.console import Console


def raise_lost_output(error: Exception) -> None:
    """Raise the failure of a stream that cannot be written, also one from a group of tasks in which nothing else failed.

    Raises:
        OutputError: standard output cannot be written.
        BrokenPipeError: nothing reads it any more.
    """
    errors = [*_in_groups(error)]
    if all(isinstance(each, OutputError | BrokenPipeError) for each in errors):
        raise errors[0]


def _in_groups(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", error)
        for each in group.exceptions:
            yield from _in_groups(each)
    else:
        yield error


class InternalErrors:
    """Prints and counts the internal errors of this process."""

    def __init__(self, console: Console) -> None:
        """Print to `console`, which counts them."""
        self._console = console

    async def watched(self, work: Coroutine[object, object, int]) -> int:
        """Return the exit code that `work` returns; what it raises, and what fails beside it, is reported."""
        asyncio.get_running_loop().set_exception_handler(self._on_loop_error)
        try:
            return await work
        except Exception as error:  # noqa: BLE001 - the one place where those of a command end
            raise_lost_output(error)
            self._report("the command failed", error)
            return INTERNAL_ERROR

    @contextmanager
    def of_threads(self) -> Generator[None]:
        """Report what ends a thread meanwhile; `sys.exit` is no error."""

        def report(thread: threading.ExceptHookArgs) -> None:
            name = thread.thread.name if thread.thread is not None else "unnamed"
            if thread.exc_value is not None and not isinstance(thread.exc_value, SystemExit):
                self._report(f"the thread {name} failed", thread.exc_value)

        before, threading.excepthook = threading.excepthook, report
        try:
            yield
        finally:
            threading.excepthook = before

    def exit_code(self, code: int) -> int:
        """Return the exit code of the process whose command ends with `code`; that of a signal stays."""
        return INTERNAL_ERROR if self._console.internal_errors and code < FIRST_SIGNAL else code

    def _on_loop_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if error is None:
            loop.default_exception_handler(context)
        else:
            self._report(str(context.get("message", "")), error)

    def _report(self, text: str, error: BaseException) -> None:
        line = "".join(traceback.format_exception_only(error)).strip()
        details = "".join(traceback.format_exception(error)).strip()
        self._console.err_internal(mask_text(f"internal error: {text}: {line}\n{details}"))
