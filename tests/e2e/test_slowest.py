"""Which call was slowest, and was it the server or the user: read from the window alone."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QAbstractItemView

from inspector.clock import SystemClock
from tests.e2e import answers, work
from tests.e2e.peers import Act
from tests.e2e.waits import until
from ui.traffic.operations.columns import COLUMNS

if TYPE_CHECKING:
    from tests.e2e.user import User

pytestmark = pytest.mark.timeout(120, method="thread")

DEMO = shlex.join([sys.executable, "-m", "inspector.demo"])
SLOW_SERVER = Act("Count down", {"/steps": "3", "/seconds": "0.6"})
SLOW_USER = Act("Ask a model")
THINKING_SECONDS = 1.5
"""What the user takes to respond."""


async def test_the_slowest_call_and_whose_time_it_was(user: User) -> None:
    """Ours: the rows say how long each operation took, and how much of it was the server's and how much the user's."""
    await work.connect(user, DEMO)
    await work.call(user, SLOW_SERVER)
    made = await work.start_call(user, SLOW_USER)
    dialog = await answers.review(user, "sampling")
    started = user.transcript.columns.monotonic_s[made.request_frame - 1]
    now = SystemClock().monotonic
    await until(lambda: now() - started > THINKING_SECONDS, "the user to think")
    await user.types("answer_text", "A long tube.", dialog)
    await user.clicks("sampling_send", dialog)
    await until(lambda: made.is_finished, "the end of the call")

    await user.clicks("traffic_mode_operations")
    await until(lambda: len(calls(user)) == 2, "both operations")
    by_total = sorted(calls(user), key=lambda row: seconds(row["total"]))
    server, slowest = by_total
    assert slowest["operation"] == "tools/call ask_sampling"
    assert parts(slowest)["Waiting for you"] > parts(slowest)["Server"]
    assert "Waiting for you" not in parts(server)
    assert parts(server)["Server"] >= 0.6

    table = await user.finds(QAbstractItemView, "operations_table")
    await user.goes_to(table)
    await user.chooses_row("operations_table", slowest["operation"])
    await user.reads_soon("operation_split_3", slowest["split"].rpartition("Waiting for you ")[2])


def calls(user: User) -> list[dict[str, str]]:
    """The rows of calls, by column."""
    keys = [spec.key for spec in COLUMNS]
    rows = [dict(zip(keys, row, strict=True)) for row in user.reads_rows("operations_table")]
    return [row for row in rows if row["operation"].startswith("tools/call")]


def parts(row: dict[str, str]) -> dict[str, float]:
    """The time split of a row, by part, in seconds."""
    named = [part.rsplit(" ", 2) for part in row["split"].split(", ")]
    return {name: seconds(f"{number} {unit}") for name, number, unit in named}


def seconds(text: str) -> float:
    number, unit = text.split()
    return float(number) * {"ms": 0.001, "s": 1.0}[unit]
