"""Prompts: choosing, filling in, getting, and reading the conversation."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from inspector.errors import PeerError
from inspector.wire import json_codec
from tests.support.answering import AnsweringServer, silence
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.prompts.user import (
    case,
    click_prompt,
    field,
    get,
    get_button,
    listed,
    rows,
    sent,
    serving,
    view,
)
from tests.ui.qt_actions import cells, click, press, reads, sees, select_row
from ui.navigator import navigator_of
from ui.render import BlockWidget

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from ui.features.prompts.page import PromptsPage

HI: JsonObject = {"role": "user", "content": {"type": "text", "text": "hi"}}


def prompt(name: str, *arguments: str, required: str = "") -> JsonObject:
    entries: list[Json] = [{"name": a, "required": a == required} for a in arguments]
    return {"name": name, "arguments": entries}


async def test_prompts_without_arguments_can_be_got_at_once(prompts_page: PromptsPage) -> None:
    """prompt-01-no-arguments-variants; C-PRM-01."""
    server = serving(case("prompt-01")["prompts"], messages=[HI])
    async with shown(prompts_page, server) as (page, session):
        await listed(page, 4)
        for name in ("a", "c"):
            click_prompt(page, name)
            assert "has no arguments" in reads(page, "prompt_no_arguments")
            await get(page, session)

        assert sent(server, "prompts/get") == [{"name": "a"}, {"name": "c"}]
        assert "`arguments` must be an array" in reads(page, "prompt_heading")


async def test_nothing_leaves_before_a_required_argument_is_there_or_the_person_insists(
    prompts_page: PromptsPage,
) -> None:
    """prompt-03-get-only-when-filled."""
    server = serving(case("prompt-03")["prompts"])
    async with shown(prompts_page, server) as (page, session):
        await listed(page, 1)
        click_prompt(page, "p")
        press(page.list.view, Qt.Key.Key_Return)
        assert sent(server, "prompts/get") == []
        assert get_button(page) == "Get anyway"
        assert "required: orderNo" in reads(page, "get_problem")

        field(page, "orderNo").edit.setText("7")
        assert get_button(page) == "Get"
        await get(page, session)
        assert sent(server, "prompts/get") == [{"name": "p", "arguments": {"orderNo": "7"}}]


async def test_suggestions_come_before_the_first_key(prompts_page: PromptsPage) -> None:
    """prompt-04-completion-on-focus."""
    given = case("prompt-04")
    server = serving(given["prompts"], capabilities=cast("JsonObject", given["capabilities"]))
    server.answers["completion/complete"] = lambda _: given["reply"]
    async with shown(prompts_page, server) as (page, _):
        await listed(page, 1)
        click_prompt(page, "p")
        edit = field(page, "lang").edit
        edit.setFocus()
        await wait_until(edit.is_suggesting)

        assert edit.suggestions.values == ("go", "rust")
        assert sent(server, "completion/complete") == [
            {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "lang", "value": ""}}
        ]
        press(edit.popup, Qt.Key.Key_Down)
        press(edit.popup, Qt.Key.Key_Return)
        assert edit.text() == "go"


@pytest.mark.parametrize("number", range(4))
async def test_odd_suggestions_keep_nobody_from_typing(
    prompts_page: PromptsPage, number: int
) -> None:
    """prompt-06-completion-odd-replies; C-CMP-03."""
    given = cast("list[JsonObject]", case("prompt-06")["variants"])[number]
    server = serving([prompt("p", "a")])

    def answer(_params: JsonObject) -> Json:
        if "rawError" in given:
            raise PeerError(given["rawError"], "no")
        reply = json_codec.write(given["reply"])
        values = json_codec.write([*["v"] * 150])
        return json_codec.read(reply.replace('{"$times":[150,"v"]}', values).encode()).value

    server.answers["completion/complete"] = answer
    async with shown(prompts_page, server) as (page, session):
        await listed(page, 1)
        click_prompt(page, "p")
        edit = field(page, "a").edit
        edit.setFocus()
        QTest.keyClicks(edit, "xyz")
        await wait_until(lambda: sent(server, "completion/complete"))
        if number == 2:
            await wait_until(edit.is_suggesting)
            assert edit.suggestions.values == ("v",)
            assert edit.suggestions.text == "1 of 1,000"
            edit.hide_suggestions()
        if number == 0:
            await wait_until(lambda: session.completions.refused)
            await wait_until(lambda: "rejected by the server" in reads(page, "prompt_suggest"))

        assert edit.text() == "xyz"
        assert len(sent(server, "completion/complete")) == 1
        assert number == 2 or not edit.is_suggesting()


async def test_only_suggestions_for_the_latest_text_are_shown(prompts_page: PromptsPage) -> None:
    """prompt-06-completion-odd-replies, out of order; C-CMP-03."""
    server = serving([prompt("p", "x")])
    server.answers["completion/complete"] = silence
    async with shown(prompts_page, server) as (page, _):
        await listed(page, 1)
        click_prompt(page, "p")
        edit = field(page, "x").edit
        edit.setFocus()
        for text in ("a", "b"):
            QTest.keyClicks(edit, text)
            asked = {"name": "x", "value": edit.text()}
            await wait_until(
                lambda asked=asked: any(
                    params["argument"] == asked for params in sent(server, "completion/complete")
                )
            )
        requests = [m for m in server.received if m.get("method") == "completion/complete"]
        for request, values in zip(reversed(requests), (["ab"], ["stale"]), strict=False):
            server.reply(request, {"completion": {"values": [*values]}})
        await wait_until(edit.is_suggesting)
        await asyncio.sleep(0)

        assert edit.suggestions.values == ("ab",)
        edit.hide_suggestions()


async def test_a_server_without_prompts_is_not_asked_but_can_be(prompts_page: PromptsPage) -> None:
    """prompt-08-prompts-list-unsupported; C-PRM-03."""
    given = case("prompt-08")
    capabilities = cast("JsonObject", cast("JsonObject", given["initialize"])["capabilities"])
    server = AnsweringServer({"tools/list": lambda _: {"tools": []}}, capabilities=capabilities)
    async with shown(prompts_page, server) as (page, session):
        assert "Not supported by this server" in reads(page, "prompts_empty")
        assert server.methods() == ["tools/list"]
        assert page.missing() == "server does not declare prompts"

        click(page, "prompts_empty_action")
        await wait_until(lambda: "-32601" in reads(page, "prompts_error"))
        assert session.tools.failure is None


async def test_values_leave_as_typed_and_empty_can_be_meant(prompts_page: PromptsPage) -> None:
    """C-PRM-05: texts only; absent is not empty."""
    server = serving([prompt("p", "a", "b", "c")])
    async with shown(prompts_page, server) as (page, session):
        await listed(page, 1)
        click_prompt(page, "p")
        field(page, "a").edit.setText(" 1.50 ")
        assert field(page, "b").empty.text() == "Empty text"
        field(page, "b").empty.click()
        await get(page, session)

        assert sent(server, "prompts/get")[0]["arguments"] == {"a": " 1.50 ", "b": ""}


async def test_the_messages_are_a_conversation(prompts_page: PromptsPage) -> None:
    """Ours: roles, and each content by its type."""
    link: JsonObject = {"type": "resource_link", "uri": "a:1", "name": "one"}
    messages: list[Json] = [HI, {"role": "assistant", "content": link}, {"role": "user"}, "odd"]
    server = serving([prompt("p")], messages=messages, description="what <b>it</b> is")
    async with shown(prompts_page, server) as (page, session):
        await listed(page, 1)
        click_prompt(page, "p")
        await get(page, session)

        said = page.result_panel.conversation.findChildren(QWidget, "prompt_message")
        assert len(said) == 4
        assert "assistant" in reads(said[1])
        assert len(page.result_panel.conversation.findChildren(BlockWidget)) == 2
        assert "`content` is missing" in reads(said[2])
        assert "what <b>it</b> is" in reads(page, "result_description")
        wanted: list[str] = []
        navigator_of(page).resource_requested.connect(wanted.append)
        click(said[1], "read_resource")
        assert wanted == ["a:1"]
        assert "L-PRM-03" in await view(page, "problems")
        assert '"role":"assistant"' in await view(page, "raw")


async def test_problems_of_a_result_hide_secrets(prompts_page: PromptsPage) -> None:
    """Ours: a rule may quote what it is about."""
    odd: JsonObject = {**HI, "role": "sk-Secret-4711"}
    async with shown(prompts_page, serving([prompt("p")], messages=[odd])) as (page, session):
        await listed(page, 1)
        click_prompt(page, "p")
        session.session.transcript.redaction.know(["sk-Secret-4711"])
        await get(page, session)
        text = await view(page, "problems")

        assert "role" in text
        assert "4711" not in text


async def test_a_conversation_can_be_copied_as_text_and_as_json(prompts_page: PromptsPage) -> None:
    """Ours."""
    async with shown(prompts_page, serving([prompt("p")], messages=[HI])) as (page, session):
        await listed(page, 1)
        click_prompt(page, "p")
        await get(page, session)
        clipboard = QGuiApplication.clipboard()

        click(page, "copy_conversation_text")
        assert clipboard.text() == "user:\n\nhi\n"
        click(page, "copy_conversation_json")
        assert json_codec.read(clipboard.text().encode()).value == [HI]


async def test_a_refusal_is_told_in_place(prompts_page: PromptsPage) -> None:
    """Ours."""
    server = serving([prompt("p")])

    def refuse(_params: JsonObject) -> Json:
        raise PeerError(-32602, "Unknown <b>prompt</b>", {"why": 1})

    server.answers["prompts/get"] = refuse
    async with shown(prompts_page, server) as (page, session):
        await listed(page, 1)
        click_prompt(page, "p")
        await get(page, session)

        assert "-32602 Invalid params: Unknown <b>prompt</b>" in reads(page, "get_error")


async def test_earlier_gettings_can_be_gone_back_to_and_their_arguments_reused(
    prompts_page: PromptsPage,
) -> None:
    """Ours."""
    server = serving([prompt("p", "a"), prompt("q")], messages=[HI])
    async with shown(prompts_page, server) as (page, session):
        await listed(page, 2)
        click_prompt(page, "p")
        for text in ("1", "2"):
            field(page, "a").edit.setText(text)
            await get(page, session)
        history = page.result_panel.history.view
        assert len(cells(history)) == 2
        select_row(history, 1)
        click(page, "get_history_reuse")
        assert field(page, "a").edit.text() == "1"

        click(page, "get_history_again")
        await wait_until(lambda: len(session.prompts.history.operations) == 3)
        assert session.prompts.history.operations[2].arguments == {"a": "1"}
        click_prompt(page, "q")
        assert cells(history) == []
        click_prompt(page, "p")
        assert field(page, "a").edit.text() == "1"


async def test_prompts_of_one_name_stay_apart(prompts_page: PromptsPage) -> None:
    """list-06, for prompts."""
    twins: list[Json] = [{**prompt("p", "a"), "title": "T"}, {**prompt("p", "b"), "title": "T"}]
    async with shown(prompts_page, serving(twins)) as (page, _):
        await listed(page, 2)
        assert rows(page) == ["T", "T"]
        click_prompt(page, "T", 1)

        assert [f.argument.name for f in page.panel.fields.fields] == ["b"]
        assert "2 prompts are named" in reads(page, "prompt_heading")


async def test_the_choice_outlives_reading_the_list_again(prompts_page: PromptsPage) -> None:
    """Ours: what is typed stays too."""
    async with shown(prompts_page, serving([prompt("p", "a"), prompt("q")])) as (page, session):
        await listed(page, 2)
        click_prompt(page, "p")
        field(page, "a").edit.setText("typed")
        page.list.header.filter.set_text("q")
        assert rows(page) == ["q"]
        page.list.header.filter.set_text("")
        await session.read_lists()
        await wait_until(lambda: page.list.item is session.prompts.items[0])

        assert field(page, "a").edit.text() == "typed"
        assert page.list.view.currentIndex().data() == "p"


async def test_a_getting_can_be_cancelled(prompts_page: PromptsPage) -> None:
    """C-CAN-01."""
    server = serving([prompt("p")])
    server.answers["prompts/get"] = silence
    async with shown(prompts_page, server) as (page, _):
        await listed(page, 1)
        click_prompt(page, "p")
        click(page, "get_button")
        await wait_until(lambda: sees(page, "get_cancel"))
        click(page, "get_cancel")

        await wait_until(lambda: page.result_panel.status.outcome.text() == "cancelled by you")


async def test_a_page_that_must_be_visited_first_stands_in_the_place_of_the_error(
    prompts_page: PromptsPage,
) -> None:
    """C-ELI-28."""
    server = serving([prompt("p")])
    visit: JsonObject = {"url": "https://example.com/x", "message": "go", "elicitationId": "e"}

    def refuse(_params: JsonObject) -> Json:
        raise PeerError(-32042, "first", {"elicitations": [visit]})

    server.answers["prompts/get"] = refuse
    wanted: list[str] = []
    navigator_of(prompts_page).link_requested.connect(wanted.append)
    async with shown(prompts_page, server) as (page, session):
        await listed(page, 1)
        click_prompt(page, "p")
        await get(page, session)

        assert reads(page, "visit_host") == "example.com"
        assert not sees(page, "get_error")
        click(page, "visit_open")
        assert wanted == ["https://example.com/x"]


async def test_a_long_conversation_is_drawn_bit_by_bit_and_says_what_it_leaves_out(
    prompts_page: PromptsPage,
) -> None:
    """Ours: the window stays awake, and the order is that of the server."""
    messages: list[Json] = [
        {"role": "user", "content": {"type": "text", "text": f"number {n}"}} for n in range(130)
    ]
    server = serving([prompt("p")], messages=messages)
    async with shown(prompts_page, server) as (page, session):
        await listed(page, 1)
        click_prompt(page, "p")
        await get(page, session)
        conversation = page.result_panel.conversation

        def said() -> list[str]:
            return [reads(part, "text_edit") for part in parts()]

        def parts() -> list[QWidget]:
            return conversation.findChildren(QWidget, "prompt_message")

        assert len(parts()) < 100
        await wait_until(lambda: len(parts()) == 100)
        await wait_until(lambda: said() == [f"number {n}" for n in range(100)])
        assert "30 more messages in Raw" in reads(page, "get_remark")

        server.answers["prompts/get"] = lambda _: {"messages": [HI]}
        await get(page, session)
        await wait_until(lambda: said() == ["hi"])


async def test_of_a_message_with_far_too_many_blocks_the_first_are_drawn(
    prompts_page: PromptsPage,
) -> None:
    """Ours; L-PRM-03: a message has one block, and a list of them must not stop the window."""
    blocks: list[Json] = [{"type": "text", "text": "x"}] * 50
    server = serving([prompt("p")], messages=[{"role": "user", "content": blocks}])
    async with shown(prompts_page, server) as (page, session):
        await listed(page, 1)
        click_prompt(page, "p")
        await get(page, session)
        await wait_until(
            lambda: len(page.result_panel.conversation.findChildren(BlockWidget)) == 30
        )
        assert "20 more blocks in Raw" in reads(page, "message_remark")
