"""Filling in the arguments of a prompt: suggestions, several lines, and what an argument is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from inspector.errors import PeerError
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.prompts.user import click_prompt, field, listed, sent, serving
from tests.ui.qt_actions import has_focus, press, reads
from ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from ui.features.prompts.page import PromptsPage


def prompt(name: str, *arguments: str) -> JsonObject:
    entries: list[Json] = [{"name": each} for each in arguments]
    return {"name": name, "arguments": entries}


async def test_an_argument_that_is_refused_suggestions_is_not_asked_for_again(
    prompts_page: PromptsPage,
) -> None:
    """C-CMP-03: one error in the traffic, and no warning at each key; the other arguments are asked for."""
    server = serving([prompt("p", "a", "b")])

    def answer(params: JsonObject) -> Json:
        argument = params["argument"]
        if isinstance(argument, dict) and argument["name"] == "a":
            raise PeerError(-32602, "nothing to complete")
        return {"completion": {"values": ["bee"]}}

    server.answers["completion/complete"] = answer
    async with shown(prompts_page, server) as (page, session):
        await listed(page, 1)
        click_prompt(page, "p")
        first, second = field(page, "a"), field(page, "b")
        first.edit.setFocus()
        QTest.keyClicks(first.edit, "x")
        await wait_until(lambda: first.status() == "no suggestions")
        QTest.keyClicks(first.edit, "y")
        await wait_until(lambda: first.status() == "")
        await wait_until(lambda: first.status() == "no suggestions")
        second.edit.setFocus()
        await wait_until(second.edit.is_suggesting)

        asked = [params["argument"] for params in sent(server, "completion/complete")]
        assert [each["name"] for each in asked if isinstance(each, dict)] == ["a", "b"]
        assert not session.completions.refused
        second.edit.hide_suggestions()


async def test_a_text_of_several_lines_is_seen_in_several_lines(prompts_page: PromptsPage) -> None:
    """Ours: pasted code; what leaves is what was pasted."""
    server = serving([prompt("p", "code")])
    code = "def f():\n    return 1\n"
    async with shown(prompts_page, server) as (page, _):
        await listed(page, 1)
        click_prompt(page, "p")
        given = field(page, "code")
        height = given.height()
        given.edit.setFocus()
        QGuiApplication.clipboard().setText(code)
        given.edit.paste()
        lines = given.box.lines

        assert lines is not None
        assert has_focus(lines)
        assert not given.edit.isVisible()
        assert lines.text() == code
        await wait_until(lambda: given.height() > height)
        press(lines, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await wait_until(lambda: sent(server, "prompts/get"))
        assert sent(server, "prompts/get") == [{"name": "p", "arguments": {"code": code}}]

        given.set_value("one")
        assert given.edit.isVisible()
        assert given.value() == "one"


async def test_an_argument_with_a_title_tells_its_name_too(prompts_page: PromptsPage) -> None:
    """Ours: the label has the room that there is, the name on the wire stands below and in the tip."""
    title = "The programming language to be used"
    arguments: list[Json] = [{"name": "lang", "title": title, "description": "Any."}]
    server = serving([{"name": "p", "arguments": arguments}])
    async with shown(prompts_page, server) as (page, _):
        await listed(page, 1)
        click_prompt(page, "p")
        label = field(page, "lang").findChild(ElidedLabel)

        assert label is not None
        await wait_until(lambda: not label.is_elided())
        assert title in label.toolTip()
        assert "lang" in label.toolTip()
        assert "lang – Any." in reads(page, "prompt_arguments")
