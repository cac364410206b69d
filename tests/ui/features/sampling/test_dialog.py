"""The sheet that answers for a model, over the real engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inspector.features.sampling import TEST_ANSWER
from inspector.inbox import InboxItemStatus
from inspector.spec.revision import V2024_11_05, V2025_06_18
from tests.support.asked import asker
from tests.support.modern import rounds_asker
from tests.support.sheets import Table, case, member
from tests.support.wait import wait_until
from tests.ui.qt_actions import find, reads, sees

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import JsonObject
    from tests.support.asked import Asker
    from ui.theme import Theme

METHOD = "sampling/createMessage"
Asks: TypeAlias = "Callable[..., AbstractAsyncContextManager[Asker]]"
ERAS = pytest.mark.parametrize("asks", [asker, rounds_asker], ids=["request", "result"])
CASES = Path(__file__).with_name("cases")
PARAMS: JsonObject = {
    "messages": [{"role": "user", "content": {"type": "text", "text": "How far is the moon?"}}],
    "maxTokens": 3,
    "systemPrompt": "Be brief.",
    "temperature": 0.5,
    "stopSequences": ["\n"],
    "modelPreferences": {"hints": [{"name": "small"}, {"name": "fast"}], "costPriority": 1.5},
    "includeContext": "thisServer",
    "metadata": {"a": 1},
    "thinking": "high",
}


async def test_everything_that_the_request_says_is_shown(qtbot: QtBot, theme: Theme) -> None:
    """C-SMP-04, C-SMP-23; sampling-06: who asks and what, unknown members marked."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, PARAMS)
        sheet = table.sampling(await asking.waits())

        assert "asking" in reads(sheet, "sheet_title")
        assert "while no client request" in reads(sheet, "sheet_cause")
        assert reads(sheet, "sheet_clock").startswith("waiting 0:0")
        assert "Be brief." in reads(sheet, "system_prompt")
        assert "How far is the moon?" in reads(sheet, "conversation")
        facts = {fact.name: fact.value for fact in sheet.facts.facts()}
        assert facts["Model hints"] == "small, fast"
        assert facts["Max tokens"] == "3"
        assert facts["Stop"] == '"\\n"'
        assert "thinking (unknown)" in facts
        assert {"Temperature", "Cost", "Context", "metadata"} <= facts.keys()
        assert "L-SMP-06" in reads(sheet, "sampling_notes")
        sheet.reject_button.click()
        await table.is_cleared()


@ERAS
async def test_an_answer_in_words_is_reviewed_as_json_and_sent(
    qtbot: QtBot, theme: Theme, asks: Asks
) -> None:
    """sampling-03, C-SMP-06: the exact JSON is there before it leaves."""
    given = case(CASES, "sampling-03-answer-forms")
    async with asks() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, member(given, "input", "sampling"))
        sheet = table.sampling(await asking.waits())
        QTest.keyClicks(sheet.answer.fields.text, "42")
        sheet.answer.show_view("json")
        shown = json.loads(sheet.answer.json.toPlainText())
        sheet.send_button.click()

        result = (await asking.answer_to(1))["result"]
        wanted = member(given, "expect", "variants", 0, "sends")
        assert isinstance(wanted, dict)
        assert isinstance(result, dict)
        assert result == shown
        assert result == {**wanted, "model": result["model"]}
        assert result["model"]
        await table.is_cleared()


async def test_rejecting_sends_the_error_of_the_specification(qtbot: QtBot, theme: Theme) -> None:
    """sampling-03, C-SMP-11."""
    given = case(CASES, "sampling-03-answer-forms")
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, member(given, "input", "sampling"))
        table.sampling(await asking.waits()).reject_button.click()

        error = (await asking.answer_to(1))["error"]
        assert isinstance(error, dict)
        assert error["code"] == member(given, "expect", "variants", 1, "sendsError", "code")
        await table.is_cleared()


@ERAS
async def test_lists_of_blocks_tools_and_their_choice_are_shown(
    qtbot: QtBot, theme: Theme, asks: Asks
) -> None:
    """sampling-01: three messages with all their blocks; a tool call is one of the answers."""
    given = case(CASES, "sampling-01-content-list")
    async with asks() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, member(given, "input", "sampling"))
        sheet = table.sampling(await asking.waits())

        roles = reads(sheet, "message_role").split("\n")
        assert roles == ["User", "Assistant", "User"]
        blocks = reads(sheet, "conversation")
        assert all(kind in blocks for kind in ("image", "tool use", "tool result"))
        facts = {fact.name: fact.value for fact in sheet.facts.facts()}
        assert facts["Tool choice"] == "required"
        sheet.request.show_view("tools")
        assert sees(sheet, "sampling_tools")
        find(sheet, type(sheet.answer.fields.kinds), "answer_kinds").choose("tool_use")
        sheet.answer.fields.kinds.chosen.emit("tool_use")
        sheet.answer.fields.tool_use.form.set_text('{"n": 1.50}')
        sheet.send_button.click()
        await asking.answer_to(1)

        sent = asking.server.raws[-1]
        assert b'"content":{"type":"tool_use","id":"call-1","name":"w","input":{"n":1.50}}' in sent
        assert b'"stopReason":"toolUse"' in sent
        await table.is_cleared()


@ERAS
async def test_unknown_members_of_a_request_are_kept_and_marked(
    qtbot: QtBot, theme: Theme, asks: Asks
) -> None:
    """sampling-06."""
    given = case(CASES, "sampling-06-unknown-fields-kept")
    async with asks() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, member(given, "input", "sampling"))
        sheet = table.sampling(await asking.waits())

        names = {fact.name for fact in sheet.facts.facts()}
        assert {"thinking (unknown)", "task", "_meta", "metadata"} <= names
        sheet.reject_button.click()
        await table.is_cleared()


async def test_escape_leaves_it_waiting_and_loses_nothing(qtbot: QtBot, theme: Theme) -> None:
    """Ours: Esc never loses input."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, PARAMS)
        ask = await asking.waits()
        sheet = table.sampling(ask)
        QTest.keyClicks(sheet.answer.fields.text, "half an ans")
        QTest.keyClick(sheet, Qt.Key.Key_Escape)

        assert not sheet.isVisible()
        assert asking.inbox.status(ask) is InboxItemStatus.PENDING
        assert table.sampling(ask) is sheet
        assert sheet.isVisible()
        assert sheet.answer.fields.text.toPlainText() == "half an ans"
        sheet.close()
        assert asking.inbox.status(ask) is InboxItemStatus.PENDING
        sheet.reject_button.click()
        await table.is_cleared()


async def test_what_was_typed_stays_when_the_server_goes(qtbot: QtBot, theme: Theme) -> None:
    """Ours; elicit-04: nothing is sent, and what nobody touched goes away."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, PARAMS)
        touched = table.sampling(await asking.waits())
        asking.ask(2, METHOD, PARAMS)
        table.sampling(await asking.waits(2))
        QTest.keyClicks(touched.answer.fields.text, "a long answer")
        asking.server.end()
        await wait_until(lambda: table.dialogs.existing == (touched,))

        assert touched.isVisible()
        assert "connection closed" in reads(touched, "sheet_banner")
        assert not touched.send_button.isEnabled()
        assert not touched.reject_button.isEnabled()
        QTest.keyClick(touched, Qt.Key.Key_Escape)
        assert not touched.isVisible()
        assert table.sampling(touched.ask) is touched, "put aside, it can be read again"
        assert "a long answer" in touched.answer.text()
        QTest.keyClick(touched, Qt.Key.Key_Escape)
        asking.inbox.dismiss(*asking.inbox.items)
        await table.is_cleared()
        assert asking.answers(1) == []


async def test_what_was_typed_and_put_aside_outlives_the_server_too(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours; elicit-04."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, PARAMS)
        sheet = table.sampling(await asking.waits())
        QTest.keyClicks(sheet.answer.fields.text, "a long answer")
        QTest.keyClick(sheet, Qt.Key.Key_Escape)
        asking.server.end()
        await wait_until(lambda: not asking.inbox.pending)
        await wait_until(lambda: not sheet.send_button.isEnabled())

        assert table.sampling(sheet.ask) is sheet
        assert "kept so you can copy" in reads(sheet, "sheet_banner")
        sheet.close()
        await table.is_cleared()


async def test_a_question_that_is_over_can_still_be_read(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, PARAMS)
        ask = await asking.waits()
        asking.server.end()
        await wait_until(lambda: not asking.inbox.pending)
        sheet = table.sampling(ask)

        assert "connection closed" in reads(sheet, "sheet_banner")
        assert "How far is the moon?" in reads(sheet, "conversation")
        assert not sheet.send_button.isEnabled()
        sheet.later_button.click()
        await table.is_cleared()


async def test_json_that_the_fields_cannot_express_is_kept_and_sent(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: two views of one text; what breaks the rules can be sent on purpose."""
    async with asker(revision=V2025_06_18) as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, {"messages": [], "maxTokens": 1})
        sheet = table.sampling(await asking.waits())
        sheet.answer.show_view("json")
        sheet.answer.json.setPlainText("{")
        assert not sheet.send_button.isEnabled()
        text = '{"role": "assistant", "content": [], "model": "", "n": 1.0}'
        sheet.answer.json.setPlainText(text)
        sheet.answer.show_view("fields")

        assert sees(sheet, "answer_unfit")
        assert "arrays of content blocks are not part of" in reads(sheet, "answer_trouble")
        assert sheet.answer.text() == text
        sheet.send_button.click()
        await asking.answer_to(1)
        assert (
            b'"result":{"role":"assistant","content":[],"model":"","n":1.0}'
            in asking.server.raws[-1]
        )
        await table.is_cleared()


async def test_sound_is_on_offer_only_where_it_is_known(qtbot: QtBot, theme: Theme) -> None:
    """C-SMP-19: answers use what the revision has."""
    async with asker(revision=V2024_11_05) as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, PARAMS)
        sheet = table.sampling(await asking.waits())

        assert not sees(sheet, "answer_kinds_audio")
        assert not sees(sheet, "answer_kinds_tool_use")
        sheet.reject_button.click()
        await table.is_cleared()


async def test_a_picture_comes_from_a_file(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    """C-SMP-06."""
    picture = tmp_path / "a.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, PARAMS)
        sheet = table.sampling(await asking.waits())
        find(sheet, type(sheet.answer.fields.kinds), "answer_kinds").choose("image")
        sheet.answer.fields.kinds.chosen.emit("image")
        await sheet.answer.fields.media["image"].take(picture)

        assert json.loads(sheet.answer.text())["content"] == {
            "type": "image",
            "data": "iVBORw0KGgo=",
            "mimeType": "image/png",
        }
        await sheet.answer.fields.media["image"].take(tmp_path / "none.png")
        assert "cannot be read" in reads(sheet, "answer_image_words")
        sheet.reject_button.click()
        await table.is_cleared()


async def test_answers_are_saved_and_used_again(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, PARAMS)
        sheet = table.sampling(await asking.waits())
        sheet.answer.saved.menu.aboutToShow.emit()
        sheet.answer.saved.menu.actions()[0].trigger()
        assert sheet.answer.text() == TEST_ANSWER.text
        assert sheet.answer.fields.text.toPlainText() == "This is a test answer"
        sheet.answer.saved.menu.aboutToShow.emit()
        sheet.answer.saved.menu.actions()[-1].trigger()
        assert sheet.answer.saved.name.isVisible()
        QTest.keyClicks(sheet.answer.saved.name, "mine")
        sheet.answer.saved.save.click()

        kept = asking.opened.client.answers.find("mine")
        assert kept is not None
        assert kept.text == TEST_ANSWER.text
        assert not sheet.answer.saved.name.isVisible()
        sheet.reject_button.click()
        await table.is_cleared()


async def test_an_answer_that_is_too_long_is_told(qtbot: QtBot, theme: Theme) -> None:
    """C-SMP-15."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, PARAMS)
        sheet = table.sampling(await asking.waits())
        sheet.answer.fields.text.setPlainText("x" * 40)

        assert "about 10 of 3 tokens" in reads(sheet, "answer_length")
        sheet.reject_button.click()
        await table.is_cleared()


async def test_the_copy_of_the_prompt_is_edited_apart_from_what_came(
    qtbot: QtBot, theme: Theme
) -> None:
    """C-SMP-05."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, PARAMS)
        sheet = table.sampling(await asking.waits())
        sheet.request.show_view("prompt")
        assert (
            sheet.request.prompt.toPlainText()
            == "system:\nBe brief.\n\nuser:\nHow far is the moon?"
        )
        sheet.request.prompt.setPlainText("other")
        assert sheet.is_touched()
        sheet.request.show_view("messages")

        assert "How far is the moon?" in reads(sheet, "conversation")
        sheet.reject_button.click()
        await table.is_cleared()


@pytest.mark.parametrize(
    "raw", [None, [], {"messages": 3}, {"messages": [1, {"role": 5, "content": "x"}]}]
)
async def test_a_malformed_request_can_be_answered_too(
    qtbot: QtBot, theme: Theme, raw: JsonObject | None
) -> None:
    """C-SMP-07."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, raw)
        sheet = table.sampling(await asking.waits())
        sheet.send_button.click()

        assert "result" in await asking.answer_to(1)
        await table.is_cleared()
