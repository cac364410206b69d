"""Unexpected errors end in one place."""

from __future__ import annotations

import asyncio
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from inspector.clock import SystemClock
from tests.support.wait import wait_until
from ui.errors import KEPT, Reporter

if TYPE_CHECKING:
    import logging


async def test_an_error_in_the_loop_is_kept_with_its_traceback(
    logged: list[logging.LogRecord],
) -> None:
    """Ours."""
    reporter = Reporter(clock=SystemClock())
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    loop.set_exception_handler(reporter.on_loop_error)

    loop.call_soon(lambda: 1 / 0)
    await wait_until(lambda: reporter.problems)

    loop.set_exception_handler(before)
    assert "ZeroDivisionError" in reporter.problems[0].summary
    assert "Traceback" in reporter.problems[0].traceback
    logged.clear()


@pytest.mark.parametrize(
    ("context", "text"),
    [
        ({"message": "Task was destroyed"}, "Task was destroyed"),
        ({}, "event loop reported an error without an exception"),
    ],
)
async def test_what_the_loop_reports_without_an_exception_is_kept_in_its_words(
    logged: list[logging.LogRecord], context: dict[str, object], text: str
) -> None:
    """Ours."""
    reporter = Reporter(clock=SystemClock())
    reporter.on_loop_error(asyncio.get_running_loop(), context)

    assert reporter.problems[0].summary.endswith(text)
    logged.clear()


def test_each_report_is_announced_and_logged(qapp: object, logged: list[logging.LogRecord]) -> None:
    """Ours."""
    reporter = Reporter(clock=SystemClock())
    heard: list[str] = []
    reporter.reported.connect(lambda: heard.append(reporter.problems[-1].summary))

    reporter.report(ValueError("no"), "While reading")

    assert heard == ["While reading: ValueError: no"]
    assert [record.levelname for record in logged] == ["ERROR"]
    logged.clear()


def test_only_the_latest_are_kept_and_the_others_counted(
    qapp: object, logged: list[logging.LogRecord]
) -> None:
    """Ours: everything that can grow has a budget."""
    reporter = Reporter(clock=SystemClock())

    for number in range(KEPT + 5):
        reporter.report(ValueError(str(number)))

    assert len(reporter.problems) == KEPT
    assert reporter.dropped == 5
    assert reporter.problems[0].summary == "ValueError: 5"
    logged.clear()


def test_an_exception_nobody_caught_is_reported(
    qapp: object, monkeypatch: pytest.MonkeyPatch, logged: list[logging.LogRecord]
) -> None:
    """Ours."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    reporter = Reporter(clock=SystemClock())
    loop = asyncio.new_event_loop()
    reporter.install(loop)

    sys.excepthook(KeyError, KeyError("x"), None)

    loop.close()
    assert reporter.problems[0].summary == "KeyError: 'x'"
    logged.clear()


async def test_an_exception_in_a_thread_is_reported(
    qapp: object, monkeypatch: pytest.MonkeyPatch, logged: list[logging.LogRecord]
) -> None:
    """Ours: it is told in the thread of the window, whichever thread it was in; `sys.exit` is none."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    reporter = Reporter(clock=SystemClock())
    reporter.install(loop)

    for work in (sys.exit, lambda: 1 / 0):
        threading.Thread(target=work).start()
    await wait_until(lambda: reporter.problems)

    loop.set_exception_handler(before)
    assert "ZeroDivisionError" in reporter.problems[0].summary
    logged.clear()
