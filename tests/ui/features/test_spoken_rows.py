"""With a screen reader: what is painted of a row in a list is spoken."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractItemView, QTreeView

from tests.support.answering import AnsweringServer, tool
from tests.support.opened import shown
from tests.support.wait import wait_until
from ui.widgets.delegates import BADGES_ROLE, SECONDARY_ROLE, SIGNS_ROLE, ListDelegate, Sign

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.answering import Answer
    from ui.features.prompts.page import PromptsPage
    from ui.features.resources.page import ResourcesPage
    from ui.features.tasks.page import TasksPage
    from ui.features.tools.page import ToolsPage
    from ui.page import Page

TASK: JsonObject = {
    "taskId": "task-1",
    "status": "working",
    "statusMessage": "half of it",
    "createdAt": "2026-01-01T00:00:00Z",
    "lastUpdatedAt": "2026-01-01T00:00:00Z",
    "ttl": 60000,
}
EXTRA: JsonObject = {
    "tools": {},
    "prompts": {},
    "resources": {},
    "tasks": {"list": {}},
}


def serving(**lists: list[Json]) -> AnsweringServer:
    """A server that lists these, and nothing else."""
    methods = {
        "tools": "tools/list",
        "prompts": "prompts/list",
        "resources": "resources/list",
        "resourceTemplates": "resources/templates/list",
        "tasks": "tasks/list",
    }
    answers: dict[str, Answer] = {}
    for key, method in methods.items():
        result: JsonObject = {key: lists.get(key, [])}
        answers[method] = partial(_same, result)
    return AnsweringServer(answers, capabilities=EXTRA)


def _same(result: JsonObject, _params: JsonObject) -> JsonObject:
    return result


@pytest.fixture(autouse=True)
def screen_reader() -> Iterator[None]:
    before = QAccessible.isActive()
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(before)


def rows_of(view: QAbstractItemView, above: QModelIndex | None = None) -> Iterator[QModelIndex]:
    """Every row, those inside of others as well."""
    model, above = view.model(), above or QModelIndex()
    for row in range(model.rowCount(above)):
        index = model.index(row, 0, above)
        yield index
        yield from rows_of(view, index)


def painted(index: QModelIndex) -> list[str]:
    """What `ListDelegate` draws of a row."""
    badges = cast("list[tuple[str, str]]", index.data(BADGES_ROLE) or [])
    signs = cast("list[Sign]", index.data(SIGNS_ROLE) or [])
    marks = (*(text for text, _tone in badges), *(sign.text for sign in signs))
    texts = (index.data(), index.data(SECONDARY_ROLE), *marks)
    return [str(text) for text in texts if text]


def spoken_by(view: QAbstractItemView) -> list[str]:
    """The names of all that an assistive technology finds in a view."""
    interface = QAccessible.queryAccessibleInterface(view)
    assert interface is not None
    children = (interface.child(at) for at in range(interface.childCount()))
    return [child.text(QAccessible.Text.Name) for child in children]


def lists_of(page: Page) -> list[QAbstractItemView]:
    """The lists of `page` that paint rows in this way, with everything in them open."""
    found = [
        view
        for view in page.findChildren(QAbstractItemView)
        if isinstance(view.itemDelegate(), ListDelegate) and view.isVisible()
    ]
    for view in found:
        if isinstance(view, QTreeView):
            view.expandAll()
    return found


async def all_is_spoken(page: Page, rows: int, *texts: str) -> None:
    await wait_until(lambda: sum(len([*rows_of(view)]) for view in lists_of(page)) >= rows)
    shown_texts: list[str] = []
    for view in lists_of(page):
        names = spoken_by(view)
        for index in rows_of(view):
            parts = painted(index)
            shown_texts += parts
            assert any(all(part in name for part in parts) for name in names), (parts, names)
    for text in texts:
        assert any(text in part for part in shown_texts), (text, shown_texts)


async def test_tools(tools_page: ToolsPage) -> None:
    """Ours: title, name, hints and problems."""
    hints: JsonObject = {"destructiveHint": True, "readOnlyHint": False}
    server = serving(tools=[tool("remove", title="Remove it", annotations=hints), tool("remove")])
    async with shown(tools_page, server) as (page, _session):
        await all_is_spoken(page, 2, "Remove it", "remove", "destructive", "duplicate")


async def test_prompts(prompts_page: PromptsPage) -> None:
    """Ours: title, name and arguments."""
    prompt: Json = {"name": "greet", "title": "Greeting", "arguments": [{"name": "who"}]}
    async with shown(prompts_page, serving(prompts=[prompt])) as (page, _session):
        await all_is_spoken(page, 1, "Greeting", "greet", "1 argument")


async def test_resources_and_templates(resources_page: ResourcesPage) -> None:
    """Ours: in folders as well; name, address and size."""
    resources: list[Json] = [
        {"uri": "file:///a/one.txt", "name": "one.txt", "size": 2048},
        {"uri": "file:///a/two.txt", "name": "Second"},
    ]
    templates: list[Json] = [{"uriTemplate": "file:///{path}", "name": "Any file"}]
    server = serving(resources=resources, resourceTemplates=templates)
    async with shown(resources_page, server) as (page, _session):
        await all_is_spoken(page, 3, "one.txt", "Second", "Any file", "2")


async def test_tasks(tasks_page: TasksPage) -> None:
    """Ours: origin, state, message and id."""
    async with shown(tasks_page, serving(tasks=[TASK])) as (page, session):
        await session.tasks.refresh()
        await all_is_spoken(page, 1, "half of it", "task-1", "working")


async def test_the_frames_of_an_exchange() -> None:
    """Ours: the direction in words, and what a frame says."""
    from tests.support.talk import Talk
    from ui.traffic.timing import ExchangeModel

    talk = Talk()
    talk.call(1, "get_sum", a=3)
    talk.text_result(1, "The sum is 7.")
    model = ExchangeModel()
    exchange = talk.transcript.exchange(1)
    assert exchange is not None
    model.show(talk.transcript, exchange)

    for row in range(model.rowCount()):
        index = model.index(row)
        name = str(index.data(Qt.ItemDataRole.AccessibleTextRole))
        assert all(part in name for part in painted(index))
