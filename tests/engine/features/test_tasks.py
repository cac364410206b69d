"""Calls that run as tasks, against the demo server in a process of its own."""

from __future__ import annotations

import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inspector.config.client_settings import ClientSettings
from inspector.config.profile import Profile
from inspector.features.sampling import TEST_ANSWER
from inspector.features.tools import AsTask
from inspector.session.operation import OperationState
from inspector.spec.revision import NEWEST_STATEFUL, V2025_06_18
from inspector.wire.frame import Direction
from inspector.workspace import Workspace
from tests.support.findings import rules_of, validate_all
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from contextlib import AbstractAsyncContextManager

    from inspector.features.tools import ToolCall
    from inspector.open_session import OpenSession
    from inspector.session.task_record import TaskRecord

ROOT = Path(__file__).parents[3]
DEMO = (sys.executable, "-m", "inspector.demo")


def demo(
    *options: str, revision: str = NEWEST_STATEFUL.date
) -> AbstractAsyncContextManager[OpenSession]:
    """A session with the demo server."""
    return session_with(*DEMO, *options, revision=revision)


@asynccontextmanager
async def session_with(
    *command: str, revision: str = NEWEST_STATEFUL.date
) -> AsyncGenerator[OpenSession]:
    """A session that declares everything."""
    workspace = Workspace(None, ClientSettings(None))
    profile = Profile(
        name="tasks", command=command[0], args=command[1:], cwd=str(ROOT), revision=revision
    )
    opened = workspace.open(profile)
    try:
        await opened.connect()
        yield opened
    finally:
        await workspace.aclose()


def call(opened: OpenSession, name: str, arguments: str = "{}", ttl: int | None = None) -> ToolCall:
    """Begin a call that is to run as a task."""
    tool = next(tool for tool in opened.tools.items if tool.name == name)
    return opened.tools.call(tool, arguments, as_task=AsTask(ttl))


async def followed(made: ToolCall) -> TaskRecord:
    """The task of a call, once it has one."""
    await wait_until(lambda: made.task is not None)
    assert made.task is not None
    return made.task


def sent(opened: OpenSession, method: str) -> list[str]:
    """The params of each request of ours for that method, as text."""
    transcript = opened.session.transcript
    numbers = range(1, transcript.count + 1)
    rows = [(n, transcript.row(n)) for n in numbers]
    return [
        transcript.raw(n).decode()
        for n, row in rows
        if row.method == method and row.direction is Direction.SENT
    ]


def rules(opened: OpenSession) -> set[str]:
    """The rules of everything that was found so far, about tasks."""
    validate_all(opened.sweep)
    found = set(rules_of(opened.session.transcript))
    return {rule for rule in found if rule.startswith(("L-TK4", "L-PRG"))}


async def test_a_call_as_a_task_ends_with_the_result_of_the_task() -> None:
    """C-TK4-04, C-TK4-06, C-TK4-09, C-TK4-10, C-PRG-07."""
    async with demo() as opened:
        made = call(opened, "task_steps", '{"steps": 4, "seconds": 1.2}', ttl=50_000)
        task = await followed(made)
        assert made.state is OperationState.RUNNING
        assert (task.view.ttl_ms, task.poll_seconds) == (50_000, 0.5)
        await wait_until(lambda: made.is_finished)

        assert made.state is OperationState.DONE
        assert b"Went through 4 steps" in made.response
        assert [each.status_text for each in task.updates][1:-1] == [
            f"Step {n} of 4" for n in (1, 2, 3, 4)
        ]
        assert [task.updates[0].status, task.updates[-1].status] == ["working", "completed"]
        assert made.progress is not None
        assert made.progress.fraction == 1
        assert '"task":{"ttl":50000}' in sent(opened, "tools/call")[0]
        assert sent(opened, "tasks/get")
        assert all("related-task" not in text for text in sent(opened, "tasks/get"))
        assert rules(opened) == set()


async def test_how_often_is_asked_is_what_the_task_wants() -> None:
    """C-TK4-05: one question in each half second; a change that is announced spares a wait, and asks nothing."""
    async with demo() as opened:
        made = call(opened, "task_steps", '{"steps": 20, "seconds": 1.2}')
        await wait_until(lambda: made.is_finished)

        assert 1 <= len(sent(opened, "tasks/get")) <= 3
        assert len(sent(opened, "tasks/result")) == 1


@pytest.mark.parametrize(
    ("how", "state"),
    [("tool error", OperationState.TOOL_ERROR), ("protocol error", OperationState.ERROR)],
)
async def test_a_failed_task_is_told_as_the_call_would_be(how: str, state: OperationState) -> None:
    """Ours: the status is shown as it is, and the two kinds of failure stay apart."""
    async with demo() as opened:
        made = call(opened, "task_fails", f'{{"how": "{how}", "seconds": 0}}')
        task = await followed(made)
        await wait_until(lambda: made.is_finished)

        assert made.state is state
        assert task.status == "failed"
        assert rules(opened) == set()


async def test_input_is_asked_for_on_the_way_of_the_result() -> None:
    """C-TK4-07, C-TK4-09: our answer names the task as the question did."""
    async with demo() as opened:
        made = call(opened, "task_asks")
        task = await followed(made)
        await wait_until(lambda: opened.inbox.pending)
        assert task.wants_input
        assert opened.elicitation.accept(opened.inbox.pending[0], '{"name": "Ada"}')
        await wait_until(lambda: made.is_finished)

        assert made.state is OperationState.DONE
        assert b"Ada" in made.response
        assert len(sent(opened, "tasks/result")) == 1
        answers = [text for text in _answers(opened) if "Ada" in text]
        assert f'"related-task":{{"taskId":"{task.id}"}}' in answers[0].replace(
            "io.modelcontextprotocol/", ""
        )
        assert rules(opened) == set()


def _answers(opened: OpenSession) -> list[str]:
    transcript = opened.session.transcript
    numbers = range(1, transcript.count + 1)
    return [
        transcript.raw(n).decode()
        for n in numbers
        if transcript.row(n).direction is Direction.SENT and b'"result"' in transcript.raw(n)
    ]


async def test_a_task_is_cancelled_as_tasks_are() -> None:
    """C-CAN-11, C-TK4-12."""
    async with demo() as opened:
        made = call(opened, "task_steps", '{"seconds": 60}')
        task = await followed(made)
        made.cancel()
        await wait_until(lambda: made.is_finished)

        assert made.state is OperationState.CANCELLED
        assert made.late_frame == 0
        assert task.status == "cancelled"
        assert sent(opened, "notifications/cancelled") == []
        await opened.tasks.cancel(task)
        assert task.polling_error is not None
        assert rules(opened) == set()


async def test_a_task_that_the_server_cancels_is_cancelled() -> None:
    """C-TK4-12: its result is not asked for."""
    async with demo() as opened:
        made = call(opened, "task_gives_up", '{"seconds": 0}')
        await wait_until(lambda: made.is_finished)

        assert made.state is OperationState.CANCELLED
        assert sent(opened, "tasks/result") == []


async def test_tasks_of_the_list_are_shown_and_asked_for_only_when_wanted() -> None:
    """C-TK4-11, C-TK4-13."""
    async with demo("--page-size", "2") as opened:
        made = [call(opened, "task_quick") for _ in range(3)]
        await wait_until(lambda: all(each.is_finished for each in made))
        asked = len(sent(opened, "tasks/get"))
        await opened.tasks.refresh()

        assert len(sent(opened, "tasks/list")) == 2
        assert len(opened.tasks.listing.items) == 3
        assert len(opened.tasks.records) == 3
        assert len(sent(opened, "tasks/get")) == asked
        record = opened.tasks.records[0]
        await opened.tasks.ask(record)
        await opened.tasks.fetch(record)
        assert record.result_frame > 0


async def test_a_task_that_is_forgotten_is_told_so() -> None:
    """Ours: -32602 is what every task ends in when its time is over."""
    async with demo() as opened:
        made = call(opened, "task_steps", '{"seconds": 60}', ttl=300)
        await wait_until(lambda: made.is_finished)

        assert made.task is not None
        assert made.task.is_deleted
        assert made.state is OperationState.ERROR
        assert made.error is not None
        assert "not found" in made.error.reason


@pytest.mark.parametrize(
    ("how", "rule"),
    [
        ("plain_result", "L-TK4-05"),
        ("begins_input_required", "L-TK4-02"),
        ("comes_back", "L-TK4-03"),
        ("other_id", "L-TK4-01"),
        ("early_result", "L-TK4-10"),
        ("no_relation", "L-TK4-07"),
    ],
)
async def test_a_server_that_breaks_a_rule_is_found_out(how: str, rule: str) -> None:
    """Ours: nothing a server does to its tasks ends anything else."""
    async with demo() as opened:
        made = call(opened, "fault_task", f'{{"how": "{how}"}}')
        if how == "early_result":
            await opened.tasks.fetch(await followed(made))
        if how == "other_id":
            await wait_until(lambda: rule in rules(opened))
            made.cancel()
            made.cancel()
        await wait_until(lambda: made.is_finished)
        await wait_until(lambda: rule in rules(opened))
        assert opened.session.peer.ended_with is None


async def test_the_official_server_is_followed_and_followed_by(
    everything_server: tuple[str, ...],
) -> None:
    """C-TK4-06, C-TK4-14, C-TK4-17, C-CAN-11: a task of theirs is cancelled, and one of ours fetched."""
    async with session_with(*everything_server, "stdio") as opened:
        made = call(opened, "simulate-research-query", '{"topic": "x"}')
        task = await followed(made)
        await wait_until(lambda: task.updates)
        made.cancel()
        await wait_until(lambda: made.is_finished)
        assert (made.state, task.status) == (OperationState.CANCELLED, "cancelled")

        name = "trigger-sampling-request-async"
        await wait_until(lambda: name in [tool.name for tool in opened.tools.items])
        tool = next(tool for tool in opened.tools.items if tool.name == name)
        asked = opened.tools.call(tool, '{"prompt": "x"}')
        await wait_until(lambda: opened.inbox.pending)
        assert opened.sampling.answer(opened.inbox.pending[0], TEST_ANSWER.text)
        await wait_until(lambda: asked.is_finished)
        assert asked.state is OperationState.DONE
        assert b"This is a test answer" in asked.response
        assert [record.status for record in opened.hosted.records] == ["completed"]
        assert rules(opened) == set()


async def test_tasks_are_not_offered_where_the_revision_has_none() -> None:
    """C-TK4-02."""
    async with demo(revision=V2025_06_18.date) as opened:
        assert not opened.tasks.is_known
        assert not opened.tasks.offered
        assert "tasks" not in opened.session.client_capabilities


async def test_what_is_followed_ends_with_the_session() -> None:
    """Ours."""
    async with demo() as opened:
        made = call(opened, "task_steps", '{"seconds": 60}')
        await followed(made)
    assert made.is_finished
    assert made.task is not None
    assert not made.task.is_watched
