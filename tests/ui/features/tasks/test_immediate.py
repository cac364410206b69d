"""What a server says for the time until a task is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.keys import META_IMMEDIATE_RESPONSE
from tests.support.answering import AnsweringServer, tool
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.tools.user import click_tool, listed, start
from tests.ui.qt_actions import reads

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject
    from ui.features.tasks.page import TasksPage
    from ui.features.tools.page import ToolsPage

NOW = "2030-01-01T00:00:00Z"
TASK: JsonObject = {
    "taskId": "t",
    "status": "working",
    "createdAt": NOW,
    "lastUpdatedAt": NOW,
    "ttl": None,
    "pollInterval": 3_600_000,
}
CAPABILITIES: JsonObject = {"tools": {}, "tasks": {"requests": {"tools": {"call": {}}}}}


async def test_words_for_the_model_are_shown_while_the_task_runs(
    tools_page: ToolsPage, tasks_page: TasksPage
) -> None:
    """C-TK4-21."""
    server = AnsweringServer(
        {
            "tools/list": lambda _: {"tools": [tool("a", execution={"taskSupport": "required"})]},
            "tools/call": lambda _: {
                "task": TASK,
                "_meta": {META_IMMEDIATE_RESPONSE: "I am on <b>it</b>."},
            },
            "tasks/get": lambda _: TASK,
        },
        capabilities=CAPABILITIES,
    )
    async with shown(tools_page, server) as (page, session):
        tasks_page.set_session(session)
        await listed(page, 1)
        click_tool(page, "a")
        await start(page, session)

        await wait_until(lambda: "I am on <b>it</b>." in reads(tasks_page, "task_facts"))
        tasks_page.set_session(None)
