"""What a person does with resources, templates and prompts, as it is done by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.e2e.eyes import rows, window_called
from tests.e2e.patience import breathe, until
from tests.e2e.work import shown
from ui.widgets.suggest_edit import SuggestEdit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tests.e2e.hosts import Form, Host
    from tests.e2e.person import Person


async def list_flat(person: Person) -> None:
    """Bring the resources to the front, as one list without folders."""
    await person.opens_tab("Resources")
    session = shown(person)
    both = (session.resources, session.resources.templates)
    await until(lambda: all(listing.state == "read" for listing in both), "resources lists")
    await person.clicks("resources_tree")


async def read_all(person: Person, host: Host) -> None:
    """Read every resource and every template of the list."""
    await list_flat(person)
    wanted = {"Resources", "Templates", *host.resources, *(each.label for each in host.templates)}
    await until(lambda: _named(person, "resource_view") == wanted, "the resources")
    for label in host.resources:
        await person.chooses_row("resource_view", label)
        await read(person)
        assert len(person.reads("resource_contents")) > 3, label
        await see_json(person, "read_answer")
    for template in host.templates:
        await person.chooses_row("resource_view", template.label)
        await fill(person, "template_fields", template)
        await read(person)
        await person.reads_soon("resource_contents", template.seen)


def _named(person: Person, view: str) -> set[str]:
    return {row[0] for row in person.reads_rows(view)}


async def read(person: Person) -> None:
    """Press *Read* and wait until it is done."""
    made = shown(person).reads.history.attempts
    before = len(made)
    await person.clicks("read_button")
    await until(lambda: len(made) > before, "the reading")
    await until(lambda: made[-1].is_over, "what was read")
    await person.reads_soon("read_outcome", "ok")


async def see_json(person: Person, name: str) -> None:
    """Look at the message of the answer as a tree, and go back to what was drawn."""
    await person.clicks(f"{name}_views_json")
    await person.reads_soon(f"{name}_tree", "jsonrpc")
    await person.clicks(f"{name}_views_lead")


async def get_all(person: Person, host: Host) -> None:
    """Get every prompt of the list, with its arguments completed."""
    await person.opens_tab("Prompts")
    prompts = shown(person).prompts
    await until(lambda: prompts.state == "read", "prompts list")
    wanted = {each.label for each in host.prompts}
    await until(lambda: _named(person, "prompt_view") == wanted, "the prompts")
    for prompt in host.prompts:
        await person.chooses_row("prompt_view", prompt.label)
        await fill(person, "prompt_arguments", prompt)
        await person.clicks("get_button")
        await person.reads_soon("prompt_conversation", prompt.seen)
        await see_json(person, "get_answer")


async def fill(person: Person, fields: str, form: Form) -> None:
    """Type into the fields, in order, and take suggestions where there are some to take."""
    place = await person.finds(QWidget, fields) if form.typed or form.picked else None
    for name, text in _typed(form.typed, form.picked):
        await person.types(f"argument_{name}_line", text, place)
        if name in form.picked:
            await take(person, name, form.picked[name])


def _typed(typed: Mapping[str, str], picked: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    return {**picked, **typed}.items() if not typed else ((n, typed[n]) for n in typed)


async def take(person: Person, name: str, value: str) -> None:
    """Wait until `value` is suggested, go down to it and press Enter."""
    line = await person.finds(SuggestEdit, f"argument_{name}_line")
    await until(line.is_suggesting, f"suggestions for {name}")
    offered = [row[0] for row in rows(line.popup)]
    assert value in offered, offered
    for _ in range(offered.index(value) + 1):
        QTest.keyClick(line.popup, Qt.Key.Key_Down)
    QTest.keyClick(line.popup, Qt.Key.Key_Return)
    assert line.text() == value
    await until(lambda: window_called(line.popup.objectName()) is None, "no list")
    await breathe()  # the focus comes back from the list
