"""The engine without a window: `spyglass-cli`, or `python -m inspector`. See `cli/` for what it can do."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130
"""The exit code after Ctrl+C, as shells have it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks for and give the exit code."""
    try:
        return _run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has enough. Python would complain once more when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(arguments: Sequence[str]) -> int:
    from inspector.cli.options import read  # what the usage alone needs is little

    options = read(arguments)
    import asyncio

    from inspector.cli.interrupt import run_orderly
    from inspector.cli.screen import Screen
    from inspector.cli.visit import run

    screen = Screen.standard()
    code = asyncio.run(run_orderly(run(options, screen)))
    screen.flush()
    return code


if __name__ == "__main__":
    sys.exit(main())
