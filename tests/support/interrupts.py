"""Ctrl+C while tests on Qt run, where Python is older than 3.12: the tests end after the one that runs, and at once if it is pressed again.

An interrupt is an error at whatever place Python code has reached, and in code that Qt has called, the process would end with a segmentation fault
(`ui/override_errors.py` says why); no `except` clause stands before the first instruction of a method.
"""

from __future__ import annotations

import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

    import pytest


@contextmanager
def after_each_test(session: pytest.Session) -> Generator[None]:
    """Let an interrupt take effect after a test, in a process that runs tests on Qt."""
    plugins = session.config.pluginmanager
    is_controller = plugins.hasplugin("dsession")
    if sys.version_info >= (3, 12) or is_controller or not plugins.hasplugin("pytest-qt"):
        yield
        return

    def stop(number: int, frame: object) -> None:
        if session.shouldstop:
            raise KeyboardInterrupt
        session.shouldstop = "interrupted; again to stop within a test"

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
