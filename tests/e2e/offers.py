"""What a user does with resources, templates and prompts, as it is done by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.e2e.qt_queries import rows, window_called
from tests.e2e.waits import breathe, until
from tests.e2e.work import shown
from ui.widgets.suggest_edit import SuggestEdit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tests.e2e.hosts import Form, Host
    from tests.e2e.user import User


async def list_flat(user: User) -> None:
    """Bring the resources to the front, as one list without folders."""
    await user.opens_tab("Resources")
    session = shown(user)
    both = (session.resources, session.resources.templates)
    await until(lambda: all(listing.state == "read" for listing in both), "resources lists")
    await user.clicks("resources_tree")


async def read_all(user: User, host: Host) -> None:
    """Read every resource and every template of the list."""
    await list_flat(user)
    wanted = {"Resources", "Templates", *host.resources, *(each.label for each in host.templates)}
    await until(lambda: _named(user, "resource_view") == wanted, "the resources")
    for label in host.resources:
        await user.chooses_row("resource_view", label)
        await read(user)
        await until(lambda: len(user.reads("read_content")) > 3, f"the contents of {label}")
        await see_json(user, "read_answer")
    for template in host.templates:
        await user.chooses_row("resource_view", template.label)
        await fill(user, "template_fields", template)
        await read(user)
        await user.reads_soon("read_content", template.seen)


def _named(user: User, view: str) -> set[str]:
    return {row[0] for row in user.reads_rows(view)}


async def read(user: User) -> None:
    """Press *Read* and wait until it is done."""
    made = shown(user).reads.history.operations
    before = len(made)
    await user.clicks("read_button")
    await until(lambda: len(made) > before, "the reading")
    await until(lambda: made[-1].is_finished, "what was read")
    await user.reads_soon("read_outcome", "OK")


async def see_json(user: User, name: str) -> None:
    """Look at the message of the answer as a tree, and go back to what was drawn."""
    await user.clicks(f"{name}_views_json")
    await user.reads_soon(f"{name}_tree", "jsonrpc")
    await user.clicks(f"{name}_views_content")


async def get_all(user: User, host: Host) -> None:
    """Get every prompt of the list, with its arguments completed."""
    await user.opens_tab("Prompts")
    prompts = shown(user).prompts
    await until(lambda: prompts.state == "read", "prompts list")
    wanted = {each.label for each in host.prompts}
    await until(lambda: _named(user, "prompt_view") == wanted, "the prompts")
    for prompt in host.prompts:
        await user.chooses_row("prompt_view", prompt.label)
        await fill(user, "prompt_arguments", prompt)
        await user.clicks("get_button")
        await user.reads_soon("get_content", prompt.seen)
        await see_json(user, "get_answer")


async def fill(user: User, fields: str, form: Form) -> None:
    """Type into the fields, in order, and take suggestions where there are some to take."""
    place = await user.finds(QWidget, fields) if form.typed or form.picked else None
    for name, text in _typed(form.typed, form.picked):
        await user.types(f"argument_{name}_line", text, place)
        if name in form.picked:
            await take(user, name, form.picked[name])


def _typed(typed: Mapping[str, str], picked: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    return {**picked, **typed}.items() if not typed else ((n, typed[n]) for n in typed)


async def take(user: User, name: str, value: str) -> None:
    """Wait until `value` is suggested, go down to it and press Enter."""
    line = await user.finds(SuggestEdit, f"argument_{name}_line")
    await until(line.is_suggesting, f"suggestions for {name}")
    offered = [row[0] for row in rows(line.popup)]
    assert value in offered, offered
    for _ in range(offered.index(value) + 1):
        QTest.keyClick(line.popup, Qt.Key.Key_Down)
    QTest.keyClick(line.popup, Qt.Key.Key_Return)
    assert line.text() == value
    await until(lambda: window_called(line.popup.objectName()) is None, "no list")
    await breathe()  # the focus comes back from the list
