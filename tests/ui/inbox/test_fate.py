"""A card and a sheet know what became of the call that the question belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.clock import SystemClock
from inspector.inbox import Inbox
from inspector.spec.views.tool import ToolView
from tests.support.answering import AnsweringServer, silence, tool
from tests.support.asked import asker
from tests.support.sheets import Table
from tests.support.wait import wait_until
from tests.ui.qt_actions import reads, sees
from ui.inbox.panel import InboxPanel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json, JsonObject
    from ui.theme import Theme

FORM: JsonObject = {
    "message": "Where?",
    "requestedSchema": {"type": "object", "properties": {"a": {"type": "string"}}},
}


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> InboxPanel:
    made = InboxPanel(inbox=Inbox(), clock=SystemClock(), theme=theme)
    qtbot.addWidget(made)
    made.resize(260, 600)
    made.show()
    return made


@pytest.mark.parametrize(
    ("how", "text"), [("cancel", "was cancelled"), ("answer", "has its response")]
)
async def test_a_question_says_when_its_call_is_over_and_can_still_be_answered(
    qtbot: QtBot, theme: Theme, panel: InboxPanel, how: str, text: str
) -> None:
    """Ours: a request of a server that no longer waits looks alive otherwise."""
    table = Table(panel.inbox, theme)
    qtbot.addWidget(table.window)
    server = AnsweringServer({"tools/call": silence})
    async with asker(inbox=panel.inbox, server=server) as asking:
        call = asking.opened.tools.call(ToolView(tool("t")), "{}")
        await wait_until(lambda: "tools/call" in server.methods())
        asking.ask(7, "elicitation/create", FORM)
        ask = await asking.waits()
        sheet = table.form(ask)
        sheet.form.set_text('{"a":"kept"}')
        await wait_until(lambda: len(panel.cards) == 1)
        assert "during tools/call t" in reads(panel, "card_cause")

        if how == "cancel":
            call.cancel()
        else:
            request = next(m for m in server.received if m.get("method") == "tools/call")
            server.send({"jsonrpc": "2.0", "id": request["id"], "result": {"content": []}})
        await wait_until(ask.fate)
        panel.tick()
        sheet.tick()

        assert text in reads(panel, "card_words")
        assert not sees(panel, "card_clock") or reads(panel, "card_clock") == ""
        assert text in reads(sheet, "sheet_banner")
        assert sheet.form.text() == '{"a":"kept"}'
        sheet.accept_button.click()
        assert (await asking.answer_to(7))["result"] == {
            "action": "accept",
            "content": {"a": "kept"},
        }
        await table.is_cleared()


async def test_a_question_that_came_by_itself_has_no_fate(panel: InboxPanel) -> None:
    """Ours."""
    async with asker(inbox=panel.inbox) as asking:
        asking.ask(7, "elicitation/create", FORM)
        ask = await asking.waits()

        assert ask.fate() == ""
        asking.opened.elicitation.decline(ask)


async def test_questions_that_wait_stand_above_those_that_are_over(panel: InboxPanel) -> None:
    """Ours: the order in which they are needed."""
    async with asker(inbox=panel.inbox) as asking:
        for number in (1, 2):
            asking.ask(number, "elicitation/create", FORM)
        await asking.waits(2)
        await wait_until(lambda: len(panel.cards) == 2)
        first, second = panel.inbox.pending
        panel.inbox.withdraw(first, "given up")

        await wait_until(lambda: [card.ask for card in panel.cards] == [second, first])

        def is_in_order() -> bool:
            tops = [card.y() for card in panel.cards]
            return tops == sorted(set(tops))

        await wait_until(is_in_order)
        asking.opened.elicitation.decline(second)


async def test_a_card_tells_a_page_to_visit_from_a_form(panel: InboxPanel) -> None:
    """Ours."""
    page: JsonObject = {
        "mode": "url",
        "message": "Go",
        "url": "https://x.test/",
        "elicitationId": "e",
    }
    async with asker(inbox=panel.inbox) as asking:
        asking.ask(1, "elicitation/create", FORM)
        asking.ask(2, "elicitation/create", page)
        await asking.waits(2)

        kinds = ["Elicitation form", "Elicitation URL"]
        await wait_until(lambda: [reads(card, "card_kind") for card in panel.cards] == kinds)
        for ask in panel.inbox.pending:
            asking.opened.elicitation.decline(ask)


@pytest.mark.parametrize(
    ("messages", "title"),
    [
        ([("user", "How far?"), ("assistant", "From where?"), ("user", "Here.")], "“How far?”"),
        ([("assistant", "Hello."), ("user", "How far?")], "“How far?”"),
        ([("assistant", "Hello.")], "“Hello.”"),
        ([("user", " \n"), ("user", "How far?")], "“How far?”"),
        ([("user", " "), ("assistant", "")], "2 messages · text"),
    ],
)
async def test_a_sampling_card_is_headed_by_what_the_user_said_first(
    panel: InboxPanel, messages: list[tuple[str, str]], title: str
) -> None:
    """Ours."""
    said: list[Json] = [
        {"role": role, "content": {"type": "text", "text": text}} for role, text in messages
    ]
    async with asker(inbox=panel.inbox) as asking:
        asking.ask(1, "sampling/createMessage", {"messages": said, "maxTokens": 5})
        ask = await asking.waits()
        await wait_until(lambda: len(panel.cards) == 1)

        assert reads(panel, "card_title") == title
        asking.opened.sampling.reject(ask)


async def test_sheets_open_where_they_were_and_not_on_top_of_each_other(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours."""
    inbox = Inbox()
    table = Table(inbox, theme)
    qtbot.addWidget(table.window)
    table.window.show()
    async with asker(inbox=inbox) as asking:
        for number in (1, 2):
            asking.ask(number, "elicitation/create", FORM)
        await asking.waits(2)
        first, second = (table.form(ask) for ask in inbox.pending)
        assert first.pos() != second.pos()

        first.move(37, 41)
        first.reject()
        assert not first.isVisible()
        table.dialogs.open(first.ask)

        assert (first.pos().x(), first.pos().y()) == (37, 41)
        assert not table.dialogs.has_unsent()
        first.form.set_text('{"a":"x"}')
        assert table.dialogs.has_unsent()
        for ask in inbox.pending:
            asking.opened.elicitation.decline(ask)
        await table.is_cleared()
