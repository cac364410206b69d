"""Tasks of the extension against the demo server in a process of its own, over both transports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.config.client_settings import ClientSettings
from inspector.config.profile import Profile
from inspector.session.operation import CancelledBy, OperationState
from inspector.workspace import Workspace
from tests.support.demo_server import demo as http_demo
from tests.support.demo_server import demo_session
from tests.support.opened import over
from tests.support.task_server import followed, rules
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from inspector.features.tools import ToolCall
    from inspector.open_session import OpenSession

WAYS = pytest.mark.parametrize("transport", ["stdio", "http"])


def demo() -> AbstractAsyncContextManager[OpenSession]:
    """A session that declares everything."""
    return demo_session("stdio", "--era", "stateless")


def call(opened: OpenSession, name: str, arguments: str = "{}") -> ToolCall:
    """Call a tool."""
    tool = next(tool for tool in opened.tools.items if tool.name == name)
    return opened.tools.call(tool, arguments)


@WAYS
async def test_a_task_in_steps_tells_each_on_the_stream(transport: str) -> None:
    """C-TKX-01, C-TKX-04, C-TKX-17."""
    async with demo_session(transport) as opened:
        made = call(opened, "task_steps", '{"steps": 3, "seconds": 1.2}')
        record = await followed(made)
        assert (await over(made)).state is OperationState.DONE
        assert made.result is not None
        assert b"Went through 3 steps" in made.response
        said = [each.status_text for each in record.updates]
        assert said[0] == "Started"  # the first step may be over before anybody listens
        assert said[-3:] == ["Step 2 of 3", "Step 3 of 3", "Done"]
        assert rules(opened) == set()


@pytest.mark.parametrize(
    ("how", "state", "status"),
    [
        ("tool error", OperationState.TOOL_ERROR, "completed"),
        ("protocol error", OperationState.ERROR, "failed"),
    ],
)
async def test_two_kinds_of_failure_have_two_statuses(
    how: str, state: OperationState, status: str
) -> None:
    """C-TKX-01."""
    async with demo() as opened:
        made = call(opened, "task_fails", f'{{"how": "{how}", "seconds": 0.1}}')
        record = await followed(made)
        assert (await over(made)).state is state
        assert record.status == status
        assert rules(opened) == set()


@WAYS
async def test_a_task_is_given_two_answers_one_after_the_other(transport: str) -> None:
    """C-TKX-06, C-TKX-07, C-TKX-09."""
    async with demo_session(transport) as opened:
        made = call(opened, "task_asks_twice")
        await wait_until(lambda: len(opened.inbox.pending) == 2)
        first, then = opened.inbox.pending
        opened.elicitation.accept(then, '{"words": "later"}')
        await wait_until(lambda: len(opened.inbox.pending) == 1)
        opened.elicitation.accept(first, '{"words": "now"}')
        assert (await over(made)).state is OperationState.DONE
        assert b"later" in made.response
        assert rules(opened) == set()


@WAYS
async def test_a_task_without_an_end_is_cancelled(transport: str) -> None:
    """C-TKX-11."""
    async with demo_session(transport) as opened:
        made = call(opened, "task_endless")
        record = await followed(made)
        await wait_until(lambda: "Still working" in record.view.status_message)
        made.cancel()
        assert (await over(made)).state is OperationState.CANCELLED
        assert record.status == "cancelled"
        assert rules(opened) == set()


async def test_a_task_that_the_server_gives_up_is_cancelled() -> None:
    """C-TKX-04."""
    async with demo() as opened:
        made = call(opened, "task_gives_up", '{"seconds": 0.1}')
        assert (await over(made)).state is OperationState.CANCELLED
        assert made.cancelled_by is CancelledBy.SERVER


@pytest.mark.parametrize(
    ("how", "rule"),
    [
        ("nested", "L-TKX-04"),
        ("old_names", "L-TKX-04"),
        ("vanishes", "L-TKX-05"),
        ("no_outcome", "L-TKX-07"),
        ("failed_with_result", "L-TKX-08"),
        ("unknown_status", "L-TKX-04"),
        ("comes_back", "L-TKX-14"),
    ],
)
async def test_a_server_that_breaks_a_rule_is_found_out(how: str, rule: str) -> None:
    """Ours: the call ends all the same."""
    async with demo() as opened:
        made = await over(call(opened, "fault_lasting_task", f'{{"how": "{how}"}}'))
        assert made.is_finished
        await wait_until(lambda: rule in rules(opened))


async def test_a_key_for_two_questions_is_found_out() -> None:
    """C-TKX-09."""
    async with demo() as opened:
        made = call(opened, "fault_lasting_task", '{"how": "reuses_key"}')
        await wait_until(lambda: opened.inbox.pending)
        opened.elicitation.decline(opened.inbox.pending[0])
        await wait_until(lambda: "L-TKX-09" in rules(opened))
        made.cancel()
        await over(made)


async def test_a_server_that_goes_on_although_it_was_asked_to_stop_is_shown_as_it_is() -> None:
    """C-TKX-12: what it gives is the result of the call."""
    async with demo() as opened:
        made = call(opened, "fault_lasting_task", '{"how": "stubborn"}')
        await followed(made)
        made.cancel()
        assert (await over(made)).state is OperationState.DONE


async def test_a_task_goes_on_while_nobody_is_connected() -> None:
    """C-TKX-05, C-TKX-13, C-MET-10: by its id alone, over HTTP, in the next session with the same server."""
    workspace = Workspace(None, ClientSettings(None))
    async with http_demo("--http", "0") as url:
        profile = Profile(name="demo", transport="http", url=url)
        try:
            opened = workspace.open(profile)
            opened.client.capabilities.switch("tasks_extension", on=True)
            await opened.connect()
            record = await followed(call(opened, "task_steps", '{"steps": 2, "seconds": 1}'))
            id_ = record.id
            await workspace.close(opened)
            opened = workspace.open(profile)
            await opened.connect()
            (record,) = opened.tasks.records
            assert (record.id, record.is_earlier) == (id_, True)
            await wait_until(lambda: record.has_outcome)
            assert record.status == "completed"
            assert rules(opened) == set()
        finally:
            await workspace.aclose()
