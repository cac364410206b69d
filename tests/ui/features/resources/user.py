"""What a user does with the resources page, what they read there, and the servers of the corpus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton, QToolButton

from inspector.wire import json_codec
from tests.support.answering import AnsweringServer
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, find, reads, sees
from ui.widgets.delegates import BADGES_ROLE, SIGNS_ROLE, Sign

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inspector.features.resources import ResourceRead
    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json, JsonObject
    from ui.features.resources.page import ResourcesPage

CASES = Path(__file__).parent / "cases"


def case(name: str) -> JsonObject:
    """The `input` of a case of the corpus by the beginning of its id, with what it expects under `expect`."""
    path = next(iter(sorted(CASES.glob(f"{name}*.json"))))
    whole = cast("JsonObject", json_codec.read(path.read_bytes()).value)
    return {**cast("JsonObject", whole["input"]), "expect": whole["expect"]}


def serving(
    resources: Sequence[Json] = (),
    templates: Sequence[Json] = (),
    *,
    contents: Sequence[Json] = (),
    capabilities: JsonObject | None = None,
) -> AnsweringServer:
    """A server that lists these and answers each reading with the same contents."""
    declared: JsonObject = {"resources": {"subscribe": True}, "completions": {}}
    return AnsweringServer(
        {
            "resources/list": lambda _: {"resources": list(resources)},
            "resources/templates/list": lambda _: {"resourceTemplates": list(templates)},
            "resources/read": lambda _: {"contents": list(contents)},
            "resources/subscribe": lambda _: {},
            "resources/unsubscribe": lambda _: {},
        },
        capabilities=declared if capabilities is None else capabilities,
    )


def indexes(page: ResourcesPage, parent: QModelIndex | None = None) -> Iterator[QModelIndex]:
    """Every row, from top to bottom."""
    model, above = page.list.model, parent or QModelIndex()
    for row in range(model.rowCount(above)):
        index = model.index(row, 0, above)
        yield index
        yield from indexes(page, index)


def rows(page: ResourcesPage) -> list[str]:
    """The names of all rows, groups and folders among them."""
    return [str(index.data()) for index in indexes(page)]


def leaves(page: ResourcesPage) -> list[str]:
    """The names of the entries."""
    model = page.list.model
    return [str(i.data()) for i in indexes(page) if model.entry(i) is not None]


def badges(page: ResourcesPage, label: str) -> list[str]:
    """The badges and signs of an entry."""
    index = next(index for index in indexes(page) if index.data() == label)
    found = cast("list[tuple[str, str]]", index.data(BADGES_ROLE))
    signs = cast("list[Sign]", index.data(SIGNS_ROLE))
    return [*(text for text, _tone in found), *(sign.text for sign in signs)]


def click_entry(page: ResourcesPage, label: str, nth: int = 0) -> None:
    """Choose an entry with the mouse."""
    model, view = page.list.model, page.list.view
    same = [i for i in indexes(page) if model.entry(i) is not None and i.data() == label]
    view.scrollTo(same[nth])
    QTest.mouseClick(
        view.viewport(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        view.visualRect(same[nth]).center(),
    )


def filter_by(page: ResourcesPage, text: str) -> None:
    """Type into the filter in place of what is there."""
    line = find(page, QLineEdit, "resources_filter_line")
    line.selectAll()
    QTest.keyClicks(line, text) if text else QTest.keyClick(line, Qt.Key.Key_Delete)


async def listed(page: ResourcesPage, count: int) -> None:
    """Wait until that many entries are in the list."""
    await wait_until(lambda: len(leaves(page)) == count)


async def read(page: ResourcesPage, session: OpenSession) -> ResourceRead:
    """Press *Read* and wait until the page says how it went."""
    before = len(session.reads.history.operations)
    click(page, "read_button")
    await wait_until(lambda: len(session.reads.history.operations) > before)
    made = session.reads.history.operations[-1]
    await wait_until(lambda: made.is_finished)
    await wait_until(lambda: page.result_panel.is_rendered and not page.result_panel.is_running)
    return made


async def view(page: ResourcesPage, key: str) -> str:
    """What stands in a view of the answer."""
    name = f"read_answer_views_{key}"
    await wait_until(lambda: len(page.findChildren(QToolButton, name)) == 1 and sees(page, name))
    click(page, name)
    return reads(page, "read_answer")


def button(page: ResourcesPage, name: str) -> QPushButton:
    """A button with words."""
    return find(page, QPushButton, name)
