"""What is told of the times of a task; ours throughout."""

from __future__ import annotations

import asyncio

import pytest

from inspector.session.task_record import TaskRecord
from inspector.spec.revision import V2025_11_25
from inspector.spec.views.task import TaskView
from ui.features.tasks.task_text import times

NOW = 1000.0


def record_of(status: str = "working", *, hosted: bool = False) -> TaskRecord:
    """A task that was heard of just now and may be forgotten in a minute."""
    view = TaskView({"taskId": "t", "status": status, "ttl": 60_000}, revision=V2025_11_25)
    made = TaskRecord(view, origin="a call", origin_frame=1, hosted=hosted)
    made.see(view, 2, NOW)
    return made


def told(record: TaskRecord, after: float = 0.0) -> list[str]:
    return times(record, wall_s=NOW + after, monotonic=after).split(" · ")


def test_a_task_of_the_server_that_nobody_polls_says_so() -> None:
    """And when it may be forgotten."""
    assert told(record_of()) == ["not polled", "expires in 1 min 0 s"]
    assert told(record_of(), after=60.0) == ["not polled", "may have expired"]


@pytest.mark.parametrize(
    ("status", "hosted"), [("completed", False), ("failed", False), ("working", True)]
)
def test_one_that_is_over_or_ours_is_not_said_to_be_polled(status: str, hosted: bool) -> None:
    """There is nothing to poll."""
    assert told(record_of(status, hosted=hosted)) == ["expires in 1 min 0 s"]


def test_one_that_is_gone_has_no_times_any_more() -> None:
    """The server forgot it."""
    record = record_of()
    record.is_deleted = True

    assert told(record) == [""]


async def test_the_next_poll_is_told_until_it_is_due() -> None:
    """Whatever else goes on meanwhile."""
    record = record_of()
    record.watching = asyncio.current_task()
    assert told(record) == ["expires in 1 min 0 s"]
    record.next_poll_at = 5.0
    assert told(record)[0] == "next poll in 5.0 s"
    assert told(record, after=5.0)[0] == "polling"
    record.is_cancel_sent = True
    assert told(record)[0] == "cancellation requested"
