"""Tasks: seeing them, asking for them, cancelling them, and calling tools as one."""

from __future__ import annotations

import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QPushButton

from inspector.config.client_settings import ClientSettings
from inspector.config.profile import Profile
from inspector.features.tools import AsTask
from inspector.session.operation import CancelledBy, OperationState
from inspector.spec.revision import NEWEST_STATEFUL
from inspector.workspace import Workspace
from tests.support.answering import AnsweringServer, silence, tool
from tests.support.asked import asker
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.tools.user import click_tool
from tests.ui.qt_actions import click, find, reads, requested_frames, sees
from ui.navigator import navigator_of
from ui.widgets.delegates import BADGES_ROLE

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json, JsonObject
    from ui.features.tasks.page import TasksPage
    from ui.features.tools.page import ToolsPage

ROOT = Path(__file__).parents[4]
NOW = "2030-01-01T00:00:00Z"
CAPABILITIES: JsonObject = {
    "tools": {},
    "tasks": {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}},
}


@asynccontextmanager
async def demo() -> AsyncGenerator[OpenSession]:
    """A session with the demo server."""
    workspace = Workspace(None, ClientSettings(None))
    args = ("-m", "inspector.demo")
    profile = Profile(
        name="demo",
        command=sys.executable,
        args=args,
        cwd=str(ROOT),
        revision=NEWEST_STATEFUL.date,
    )
    session = workspace.open(profile)
    try:
        await session.connect()
        yield session
    finally:
        await workspace.aclose()


def task(id_: str = "t", status: str = "working", **more: Json) -> JsonObject:
    base: JsonObject = {"taskId": id_, "status": status, "createdAt": NOW, "lastUpdatedAt": NOW}
    return {**base, "ttl": 600_000, "pollInterval": 3_600_000, **more}


def serving(*tasks: JsonObject, tools: tuple[Json, ...] = ()) -> AnsweringServer:
    """A server with a tool of each kind, and these tasks in its list."""
    listed = [*tools] or [
        tool("must", execution={"taskSupport": "required"}),
        tool("may", execution={"taskSupport": "optional"}),
        tool("not", execution={"taskSupport": "forbidden"}),
        tool("mum"),
    ]
    return AnsweringServer(
        {
            "tools/list": lambda _: {"tools": listed},
            "tools/call": lambda _: {"task": task()},
            "tasks/list": lambda _: {"tasks": [*tasks]},
            "tasks/get": lambda _: task(status="completed", statusMessage="all done"),
            "tasks/result": lambda _: {"content": [{"type": "text", "text": "the result"}]},
            "tasks/cancel": lambda _: task(status="cancelled"),
        },
        capabilities=CAPABILITIES,
    )


def rows(page: TasksPage) -> list[str]:
    """The rows of the list: what each came from, and its last badge."""
    model = page.list.model
    indexes = [model.index(row) for row in range(model.rowCount())]
    return [f"{index.data()}: {index.data(BADGES_ROLE)[-1][0]}" for index in indexes]


async def test_a_call_of_the_demo_server_is_followed_to_its_result(
    tools_page: ToolsPage, tasks_page: TasksPage
) -> None:
    """C-TK4-04, C-TK4-06: from the click to the result, with a real server."""
    wanted: list[str] = []
    navigator_of(tools_page).task_requested.connect(wanted.append)
    async with demo() as session:
        for page in (tools_page, tasks_page):
            page.set_session(session)
        await wait_until(lambda: tools_page.list.model.rowCount() > 0)
        click_tool(tools_page, "Task in steps")
        assert find(tools_page, QCheckBox, "as_task").isChecked()
        tools_page.call_panel.set_arguments('{"steps": 3, "seconds": 0.6}')
        click(tools_page, "call_button")
        await wait_until(lambda: "Step" in reads(tools_page, "call_progress"))
        await wait_until(lambda: rows(tasks_page) == ["task_steps: working"])
        assert tasks_page.badge() == "1"
        await wait_until(lambda: "next poll in" in reads(tasks_page, "task_clock"))
        assert "expires in" in reads(tasks_page, "task_clock")

        await wait_until(lambda: rows(tasks_page) == ["task_steps: completed"])
        await wait_until(lambda: "Went through 3 steps" in reads(tasks_page, "task_content"))
        await wait_until(lambda: "Went through 3 steps" in reads(tools_page, "call_answer"))
        assert tasks_page.badge() == "0"
        click(tasks_page, "task_answer_views_updates")
        await wait_until(lambda: "Step 2 of 3" in reads(tasks_page, "task_updates"))
        click(tools_page, "call_task")
        assert wanted == [session.tasks.records[0].id]
        for page in (tools_page, tasks_page):
            page.set_session(None)


async def test_what_a_tool_says_of_tasks_decides_what_is_chosen_at_first(
    tools_page: ToolsPage,
) -> None:
    """C-TK4-01, C-TK4-03, C-TK4-04: a user may choose otherwise."""
    server = serving()
    async with shown(tools_page, server) as (page, session):
        await wait_until(lambda: page.list.model.rowCount() == 4)
        box = find(page.call_panel, QCheckBox, "as_task")
        button = find(page, QPushButton, "call_button")
        seen: list[tuple[str, bool, str, str]] = []
        for name in ("must", "may", "not", "mum"):
            click_tool(page, name)
            seen.append((name, box.isChecked(), button.text(), reads(page, "task_words")))
        assert seen == [
            ("must", True, "Call", "tool must run as a task"),
            ("may", False, "Call", "tool can run as a task"),
            ("not", False, "Call", "tool cannot run as a task"),
            ("mum", False, "Call", "tool cannot run as a task"),
        ]
        assert not box.isEnabled()
        click_tool(page, "may")
        box.click()
        find(page, QDoubleSpinBox, "task_ttl").setValue(5)
        click(page, "call_button")
        await wait_until(lambda: session.tools.history.operations)
        assert session.tools.history.operations[0].as_task == AsTask(5000)
        click_tool(page, "must")
        box.click()
        assert button.text() == "Call anyway"


async def test_nothing_is_said_of_tasks_where_there_are_none(tools_page: ToolsPage) -> None:
    """C-TK4-01, C-TK4-02."""
    server = AnsweringServer({"tools/list": lambda _: {"tools": [tool("t")]}})
    async with shown(tools_page, server) as (page, _):
        await wait_until(lambda: page.list.model.rowCount() == 1)
        click_tool(page, "t")
        assert not sees(page, "task_choice")


async def test_the_list_of_the_server_is_read_when_it_is_wanted(tasks_page: TasksPage) -> None:
    """C-TK4-11: and its tasks can be asked for, fetched and cancelled."""
    server = serving(task("t", statusMessage="half way"), task("u", "failed"))
    async with shown(tasks_page, server) as (page, _):
        assert "No tasks" in reads(page, "tasks_empty")
        click(page, "tasks_empty_action")
        await wait_until(lambda: len(rows(page)) == 2)
        page.show_task("t")
        await wait_until(lambda: "half way" in reads(page, "task_facts"))
        assert "not polled" in reads(page, "task_clock")
        assert not find(page, QPushButton, "task_follow").isChecked()
        click(page, "task_get")
        await wait_until(lambda: "all done" in reads(page, "task_facts"))
        assert "Completed" in reads(page, "task_outcome")
        click(page, "task_result")
        await wait_until(lambda: "the result" in reads(page, "task_content"))
        page.show_task("u")
        assert find(page, QPushButton, "task_cancel").text() == "Cancel anyway"


async def test_a_task_is_cancelled_where_it_is_seen(
    tasks_page: TasksPage,
) -> None:
    """C-CAN-11."""
    server = serving()
    async with shown(tasks_page, server) as (page, session):
        made = session.tools.call(session.tools.items[0], "{}", as_task=AsTask())
        await wait_until(lambda: len(rows(page)) == 1)
        click(page, "task_cancel")
        await wait_until(lambda: made.is_finished)
        assert (made.state, made.cancelled_by) == (OperationState.CANCELLED, CancelledBy.USER)
        await wait_until(lambda: rows(page) == ["must: cancelled"])


async def test_a_task_is_shown_in_the_traffic_by_its_call(
    tasks_page: TasksPage,
) -> None:
    """Ours."""
    async with shown(tasks_page, serving()) as (page, session):
        frames = requested_frames(navigator_of(page))
        made = session.tools.call(session.tools.items[0], "{}", as_task=AsTask())
        shows = find(page, QPushButton, "task_traffic")
        await wait_until(lambda: shows.isVisible() and shows.isEnabled())
        click(page, "task_traffic")
        assert frames == [made.request_frame]


async def test_a_refusal_stands_beside_the_task(tasks_page: TasksPage) -> None:
    """Ours."""
    server = serving(task("t"))
    del server.answers["tasks/get"]
    async with shown(tasks_page, server) as (page, _):
        click(page, "tasks_empty_action")
        await wait_until(lambda: len(rows(page)) == 1)
        click(page, "task_get")
        await wait_until(lambda: "-32601" in reads(page, "task_error"))


async def test_following_can_be_switched(tasks_page: TasksPage) -> None:
    """Ours."""
    server = serving(task("t", pollInterval=100))
    server.answers["tasks/get"] = lambda _: task("t", pollInterval=100)
    async with shown(tasks_page, server) as (page, session):
        click(page, "tasks_empty_action")
        await wait_until(lambda: len(rows(page)) == 1)
        click(page, "task_follow")
        await wait_until(lambda: server.methods().count("tasks/get") >= 2)
        await wait_until(lambda: find(page, QPushButton, "task_follow").isChecked())
        click(page, "task_follow")
        await wait_until(lambda: not session.tasks.records[0].is_watched)


async def test_a_task_on_our_side_is_listed_and_left_to_the_inbox(tasks_page: TasksPage) -> None:
    """C-TK4-15."""
    async with asker() as asking:
        tasks_page.set_session(asking.opened)
        assert tasks_page.missing() == "server does not declare tasks"
        params: JsonObject = {"message": "m", "requestedSchema": {"type": "object"}, "task": {}}
        asking.ask(1, "elicitation/create", params)
        await wait_until(lambda: rows(tasks_page) == ["elicitation/create: working"])
        assert tasks_page.missing() == ""
        assert "waiting for your response" in reads(tasks_page, "task_outcome")
        assert not sees(tasks_page, "task_get")
        assert sees(tasks_page, "task_hosted_note")
        asking.opened.elicitation.decline(asking.inbox.pending[0])
        await wait_until(lambda: rows(tasks_page) == ["elicitation/create: completed"])
        tasks_page.set_session(None)


async def test_what_is_missing_is_told(tasks_page: TasksPage) -> None:
    """Ours."""
    assert "No tasks" in reads(tasks_page, "tasks_empty")
    async with shown(tasks_page, AnsweringServer()) as (page, _):
        assert page.missing() == "server does not declare tasks"
        assert "Not supported by this server" in reads(page, "tasks_empty")
        click(page, "tasks_empty_action")
        await wait_until(lambda: "-32601" in reads(page, "tasks_foot"))


async def test_the_filter_looks_into_everything_a_row_shows(tasks_page: TasksPage) -> None:
    """Ours."""
    server = serving(task("one", statusMessage="half way"), task("two", "failed"))
    async with shown(tasks_page, server) as (page, _):
        click(page, "tasks_empty_action")
        await wait_until(lambda: len(rows(page)) == 2)
        for text, count in (("half", 1), ("FAILED two", 1), ("three", 0), ("", 2)):
            page.list.header.filter.set_text(text)
            await wait_until(lambda count=count: len(rows(page)) == count)


async def test_a_task_in_markup_is_shown_as_it_is(tasks_page: TasksPage) -> None:
    """Ours: nothing of a server is rendered."""
    odd = task("<b>x</b>", "<i>odd</i>", statusMessage="<img src=x>\u202e", createdAt="<u>")
    server = serving(odd)
    server.answers["tasks/get"] = silence
    async with shown(tasks_page, server) as (page, _):
        click(page, "tasks_empty_action")
        await wait_until(lambda: len(rows(page)) == 1)
        await wait_until(lambda: "<img src=x>" in reads(page, "task_facts"))
        assert "invalid task status" in reads(page, "task_outcome")
        assert "<b>x</b>" in reads(page, "task_heading")
