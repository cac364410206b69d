"""What a user does with the prompts page, what they read there, and the cases of the corpus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QToolButton

from inspector.wire import json_codec
from tests.support.answering import AnsweringServer
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, find, reads, sees

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.features.prompts import PromptGet
    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json, JsonObject
    from ui.features.prompts.page import PromptsPage
    from ui.widgets.argument_fields import ArgumentField

CASES = Path(__file__).parent / "cases"


def case(name: str) -> JsonObject:
    """The `input` of a case of the corpus by the beginning of its id."""
    path = next(iter(sorted(CASES.glob(f"{name}*.json"))))
    return cast("JsonObject", cast("JsonObject", json_codec.read(path.read_bytes()).value)["input"])


def serving(
    prompts: Json,
    *,
    messages: Sequence[Json] = (),
    capabilities: JsonObject | None = None,
    **more: Json,
) -> AnsweringServer:
    """A server that lists these and answers each getting with the same messages."""
    declared: JsonObject = {"prompts": {}, "completions": {}}
    return AnsweringServer(
        {
            "prompts/list": lambda _: {"prompts": prompts},
            "prompts/get": lambda _: {"messages": list(messages), **more},
        },
        capabilities=declared if capabilities is None else capabilities,
    )


def rows(page: PromptsPage) -> list[str]:
    """The names in the list."""
    model = page.list.model
    return [str(model.index(row).data()) for row in range(model.rowCount())]


def click_prompt(page: PromptsPage, label: str, nth: int = 0) -> None:
    """Choose a prompt with the mouse."""
    row = [at for at, shown in enumerate(rows(page)) if shown == label][nth]
    view = page.list.view
    index = page.list.model.index(row)
    view.scrollTo(index)
    QTest.mouseClick(
        view.viewport(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        view.visualRect(index).center(),
    )


def field(page: PromptsPage, name: str) -> ArgumentField:
    """The field of an argument."""
    return next(f for f in page.panel.fields.fields if f.argument.name == name)


def get_button(page: PromptsPage) -> str:
    """What the button says."""
    return find(page, QPushButton, "get_button").text()


async def listed(page: PromptsPage, count: int) -> None:
    """Wait until that many prompts are in the list."""
    await wait_until(lambda: page.list.model.rowCount() == count)


async def get(page: PromptsPage, session: OpenSession) -> PromptGet:
    """Press the button and wait until the page says how it went."""
    before = len(session.prompts.history.operations)
    click(page, "get_button")
    await wait_until(lambda: len(session.prompts.history.operations) > before)
    made = session.prompts.history.operations[-1]
    await wait_until(lambda: made.is_finished)
    await wait_until(lambda: page.result_panel.is_rendered and not page.result_panel.is_running)
    return made


async def view(page: PromptsPage, key: str) -> str:
    """What stands in a view of the answer."""
    name = f"get_answer_views_{key}"
    await wait_until(lambda: len(page.findChildren(QToolButton, name)) == 1 and sees(page, name))
    click(page, name)
    return reads(page, "get_answer")


def sent(server: AnsweringServer, method: str) -> list[JsonObject]:
    """The params of all requests of that method, without what asks for progress."""
    found = [m["params"] for m in server.received if m.get("method") == method]
    return [
        {key: value for key, value in cast("JsonObject", params).items() if key != "_meta"}
        for params in found
    ]
