"""Connecting again takes nothing away from the prompts page, and servers do not share what is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.opened import connect, make_session, open_again, shown
from tests.support.wait import wait_until
from tests.ui.features.prompts.user import click_prompt, field, get, listed, serving
from tests.ui.qt_actions import cells, click, has_focus, reads, sees

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.answering import AnsweringServer
    from ui.features.prompts.page import PromptsPage

PROMPT: JsonObject = {"name": "greet", "arguments": [{"name": "who"}]}


def saying(text: str) -> AnsweringServer:
    """A server with one prompt."""
    message: JsonObject = {"role": "user", "content": {"type": "text", "text": text}}
    return serving([PROMPT], messages=[message])


async def test_what_was_got_in_an_earlier_run_stays_with_what_is_typed(
    prompts_page: PromptsPage,
) -> None:
    """Ours."""
    async with shown(prompts_page, saying("the first")) as (page, first):
        click_prompt(page, "greet")
        await get(page, first)
        line = field(page, "who").edit
        line.setFocus()
        line.insert("half")
        second = await open_again(first, saying("the second"))
        page.set_session(second)
        await listed(page, 1)

        assert field(page, "who").edit is line
        assert (line.text(), has_focus(line)) == ("half", True)
        assert "the first" in reads(page, "get_answer")
        await get(page, second)
        assert [row[-1] for row in cells(page.result_panel.history.view)] == ["run 2", "run 1"]
        page.set_session(None)
        await second.aclose()


async def test_arguments_and_filter_belong_to_one_server(prompts_page: PromptsPage) -> None:
    """Ours: two servers with a prompt of the same name."""
    async with shown(prompts_page, saying("one")) as (page, first):
        click_prompt(page, "greet")
        field(page, "who").edit.insert("secret of one")
        page.list.header.filter.set_text("greet")
        other = make_session(saying("two"), id_="two")
        await connect(other)
        page.set_session(other)
        click_prompt(page, "greet")
        assert field(page, "who").edit.text() == ""
        assert page.list.header.filter.text() == ""

        page.set_session(first)
        assert field(page, "who").edit.text() == "secret of one"
        assert page.list.header.filter.text() == "greet"
        page.list.header.filter.set_text("no such prompt")
        assert sees(page, "prompts_no_matches")
        click(page, "prompts_no_matches_action")
        assert not sees(page, "prompts_no_matches")
        page.set_session(None)
        await other.aclose()


async def test_typing_goes_on_while_the_list_of_prompts_changes(prompts_page: PromptsPage) -> None:
    """Ours: the argument is described anew, another is added."""
    server = saying("one")
    async with shown(prompts_page, server) as (page, session):
        click_prompt(page, "greet")
        line = field(page, "who").edit
        line.setFocus()
        line.insert("half")
        line.setCursorPosition(2)
        about: list[Json] = [{"name": "first"}, {"name": "who", "description": "a person"}]
        server.answers["prompts/list"] = lambda _: {
            "prompts": [{"name": "greet", "arguments": about}]
        }
        await session.prompts.refresh()
        await wait_until(lambda: len(page.panel.fields.fields) == 2)

        line = field(page, "who").edit
        assert (line.text(), line.cursorPosition(), has_focus(line)) == ("half", 2, True)


async def test_messages_of_a_wrong_type_are_not_called_empty(prompts_page: PromptsPage) -> None:
    """Ours; no messages at all are."""
    server = saying("one")
    async with shown(prompts_page, server) as (page, session):
        click_prompt(page, "greet")
        unusable: tuple[Json, ...] = ("hello", {"role": "user"}, None)
        for messages in unusable:
            answers: JsonObject = {"messages": messages}
            server.answers["prompts/get"] = lambda _, answers=answers: answers
            await get(page, session)
            assert "Empty" not in reads(page, "get_answer")
        server.answers["prompts/get"] = lambda _: {"messages": []}
        await get(page, session)
        assert "Empty" in reads(page, "get_answer")
