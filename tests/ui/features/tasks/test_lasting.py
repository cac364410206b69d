"""Tasks of the extension on the page: what it shows of them, and what it leaves out because there is no such thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDoubleSpinBox, QPushButton

from inspector.features.task_persistence import SavedTask
from inspector.session import era_cache
from inspector.session.operation import OperationState
from tests.support.answering import silence
from tests.support.modern import EVERYTHING, discovered, form
from tests.support.task_server import (
    Telling,
    begin,
    done,
    followed,
    made,
    task,
    tasking,
    told,
    unknown,
)
from tests.support.wait import wait_until
from tests.ui.features.tools.user import click_tool
from tests.ui.qt_actions import click, find, reads, sees
from ui.widgets.delegates import BADGES_ROLE

if TYPE_CHECKING:
    from ui.features.tasks.page import TasksPage
    from ui.features.tools.page import ToolsPage

SLOWLY = {"pollIntervalMs": 3_600_000}


def badges(page: TasksPage) -> list[str]:
    """Those of the first row."""
    model = page.list.model
    return [pair[0] for pair in model.index(0).data(BADGES_ROLE)] if model.rowCount() else []


async def test_a_task_is_followed_from_the_call_to_the_result_it_tells(
    tools_page: ToolsPage, tasks_page: TasksPage
) -> None:
    """C-TKX-01, C-TKX-18: nobody asked for it, and there is nothing to ask for it with."""
    get = Telling(told(statusMessage="half way"), done())
    async with tasking(get) as (_, opened):
        for page in (tools_page, tasks_page):
            page.set_session(opened)
        assert "the server turns into tasks" in reads(tasks_page, "tasks_empty")
        assert not sees(tasks_page, "tasks_empty_action")
        await wait_until(lambda: tools_page.list.model.rowCount() == 1)
        click_tool(tools_page, "t")
        assert not sees(tools_page, "task_choice")
        click(tools_page, "call_button")
        await wait_until(lambda: badges(tasks_page) == ["completed"])
        await wait_until(lambda: "done" in reads(tasks_page, "task_content"))
        await wait_until(lambda: "done" in reads(tools_page, "call_answer"))
        assert not sees(tasks_page, "task_result")
        for page in (tools_page, tasks_page):
            page.set_session(None)


async def test_what_a_task_asks_for_stands_beside_it(tasks_page: TasksPage) -> None:
    """C-TKX-06."""
    get = Telling(told("input_required", inputRequests={"who": form("Who?")}, **SLOWLY))
    async with tasking(get, call=lambda _: made()) as (_, opened):
        tasks_page.set_session(opened)
        begin(opened)
        await wait_until(lambda: "– pending" in reads(tasks_page, "task_facts"))
        assert "who: elicitation/create" in reads(tasks_page, "task_facts")
        assert "see Requests" in reads(tasks_page, "task_outcome")
        opened.elicitation.decline(opened.inbox.pending[0])
        await wait_until(lambda: "– acknowledged" in reads(tasks_page, "task_facts"))
        tasks_page.set_session(None)


async def test_the_person_says_how_often_it_is_asked_for(tasks_page: TasksPage) -> None:
    """C-TKX-03: seen, bounded, changed."""
    get = Telling(told(**SLOWLY))
    async with tasking(get) as (_, opened):
        tasks_page.set_session(opened)
        record = await followed(begin(opened))
        await wait_until(lambda: record.poll_seconds == 3600)
        poll = find(tasks_page, QDoubleSpinBox, "task_poll")
        await wait_until(
            lambda: "1 h" in poll.text() or "3600" in poll.text() or "60 min" in poll.text()
        )
        text = poll.fontMetrics().horizontalAdvance(poll.specialValueText())
        await wait_until(lambda: poll.lineEdit().width() >= text)  # none of it is cut
        poll.setValue(0.2)
        assert record.poll_seconds == 0.2
        await wait_until(lambda: "(custom)" in reads(tasks_page, "task_facts"))
        await wait_until(lambda: len(get.asked) >= 3)
        poll.setValue(0)
        assert record.chosen_poll_seconds is None
        tasks_page.set_session(None)


async def test_cancelling_says_what_was_done_until_it_is_over(tasks_page: TasksPage) -> None:
    """C-TKX-11, C-TKX-12."""
    get = Telling(told())
    async with tasking(get) as (_, opened):
        tasks_page.set_session(opened)
        call = begin(opened)
        await followed(call)
        await wait_until(lambda: sees(tasks_page, "task_cancel"))
        assert find(tasks_page, QPushButton, "task_cancel").text() == "Cancel task"
        click(tasks_page, "task_cancel")
        await wait_until(lambda: "cancellation requested" in reads(tasks_page, "task_clock"))
        get.go_on_with(told("cancelled"))
        await wait_until(lambda: badges(tasks_page) == ["cancelled"])
        await wait_until(lambda: call.state is OperationState.CANCELLED)  # it ends after its task
        tasks_page.set_session(None)


async def test_a_task_of_an_earlier_session_says_so(tasks_page: TasksPage) -> None:
    """C-TKX-05."""
    async with tasking(silence) as (server, opened):
        tasks_page.set_session(opened)
        opened.client.tasks.update(
            era_cache.digest(opened.profile),
            [SavedTask("t", task(statusMessage="half way"), "tools/call t", 1.9e9, False)],
            (),
        )
        opened.task_persistence.resume()
        await wait_until(lambda: badges(tasks_page) == ["earlier", "working"])
        await wait_until(lambda: "from an earlier session" in reads(tasks_page, "task_facts"))
        assert "not polled" in reads(tasks_page, "task_clock")
        server.answers["tasks/get"] = unknown
        click(tasks_page, "task_get")
        await wait_until(lambda: badges(tasks_page) == ["earlier", "expired", "working"])
        await wait_until(lambda: "deleted" in reads(tasks_page, "task_error"))
        assert opened.tasks.records[0].is_deleted
        tasks_page.set_session(None)


async def test_reading_again_asks_for_what_is_not_over(tasks_page: TasksPage) -> None:
    """C-TKX-18."""
    async with tasking(lambda _: told(**SLOWLY)) as (server, opened):
        tasks_page.set_session(opened)
        record = await followed(begin(opened))
        await wait_until(lambda: record.poll_seconds == 3600)
        click(tasks_page, "tasks_refresh")
        await wait_until(lambda: len(server.of("tasks/get")) == 2)
        assert server.of("tasks/list") == []
        tasks_page.set_session(None)


async def test_what_is_missing_is_told(tasks_page: TasksPage) -> None:
    """C-TKX-15."""
    async with tasking(discover=discovered(capabilities={"tools": {}})) as (_, opened):
        tasks_page.set_session(opened)
        assert tasks_page.missing() == "server does not declare tasks"
        assert not sees(tasks_page, "tasks_empty_action")
    async with tasking(declares=EVERYTHING) as (_, opened):
        tasks_page.set_session(opened)
        assert "client does not declare tasks" in tasks_page.missing()
        assert "Client page" in reads(tasks_page, "tasks_empty")
        opened.session.declare = opened.client.capabilities.enabled
        click(tasks_page, "tasks_empty_action")
        await wait_until(lambda: not tasks_page.missing())
        assert "extensions" in opened.session.client_capabilities
        tasks_page.set_session(None)


async def test_what_a_task_asks_for_in_markup_is_shown_as_it_is(tasks_page: TasksPage) -> None:
    """Ours: nothing of a server is rendered."""
    odd = told("input_required", inputRequests={"<b>k</b>\u202e": {"method": "<i>m</i>"}}, **SLOWLY)
    async with tasking(lambda _: odd) as (_, opened):
        tasks_page.set_session(opened)
        begin(opened)
        await wait_until(lambda: "<b>k</b>" in reads(tasks_page, "task_facts"))
        assert "<i>m</i>" in reads(tasks_page, "task_facts")
        tasks_page.set_session(None)
