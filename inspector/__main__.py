"""The engine without a window: `spyglass-cli`, or `python -m inspector`. See `cli/` for what it can do."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130
"""The exit code after Ctrl+C, as shells have it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return the exit code."""
    try:
        return _run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader has enough
        _discard_output()
        return 0
    except Exception:  # noqa: BLE001 - the last place: those of commands end in `cli.internal_errors`
        return _internal_error()


def _run(arguments: Sequence[str]) -> int:
    if arguments and arguments[0].startswith("@"):
        return _run_over(arguments)
    from inspector.cli.command_line import read  # what the usage alone needs is little

    options = read(arguments)
    import asyncio

    from inspector.cli.command import INTERNAL_ERROR
    from inspector.cli.console import Console, Keyboard, OutputError
    from inspector.cli.internal_errors import InternalErrors
    from inspector.cli.output_file import redirected
    from inspector.cli.runner import run, run_orderly

    try:
        command = options.command
        file = None if command.writes_output else options.output
        opened = redirected(
            file,
            is_followed=command.prints_notifications,
            makes_folder=command.makes_folder,
        )
        with opened as output:
            console = Console.standard(output.out if output is not None else None)
            keyboard = Keyboard.standard()
            errors = InternalErrors(console)
            try:
                with errors.of_threads():
                    work = errors.watched(run(options, console, keyboard))
                    code = errors.exit_code(asyncio.run(run_orderly(work, keyboard)))
                console.flush()
            except BrokenPipeError:
                if not console.internal_errors:
                    raise
                _discard_output()
                code = INTERNAL_ERROR
            if output is not None and (text := output.settle(code)):
                console.err(text)
    except OutputError as error:
        return _no_output(error)
    return code


def _run_over(arguments: Sequence[str]) -> int:
    """Run a command line over a named connection."""
    from inspector.cli.connection_client import run_over
    from inspector.cli.console import Console, OutputError

    try:
        console = Console.standard()
        code = run_over(arguments, console)
        console.flush()
    except OutputError as error:
        return _no_output(error)
    return code


def _internal_error() -> int:
    """Print the exception that is handled, and return the exit code."""
    import traceback

    from inspector.cli.command import INTERNAL_ERROR
    from inspector.wire.redaction import mask_text

    if sys.stderr:
        with contextlib.suppress(OSError):
            sys.stderr.write(f"internal error: {mask_text(traceback.format_exc())}")
    return INTERNAL_ERROR


def _no_output(error: Exception) -> int:
    """Print that standard output cannot be written, and return the exit code."""
    from inspector.cli.command import NO_OUTPUT

    if sys.stderr:
        with contextlib.suppress(OSError):
            sys.stderr.write(f"spyglass-cli: cannot write the output: {error}\n")
    _discard_output()
    return NO_OUTPUT


def _discard_output() -> None:
    """Python would write what is buffered once more at its end, and complain."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
