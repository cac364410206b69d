"""The list of what servers wait for, over the real engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLineEdit

from inspector.clock import SystemClock
from inspector.inbox import Inbox, InboxItem, RelatedRequest
from tests.support.asked import asker
from tests.support.sheets import Table
from tests.support.talk import HeldClock
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, reads, sees
from tests.ui.stutter import Stutter
from ui.inbox.cards import MAX_CARDS
from ui.inbox.panel import InboxPanel
from ui.inbox_texts import cause_text, format_age

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import JsonObject
    from ui.theme import Theme

MAX_MS = 100
"""A gap that is felt."""

PARAMS: JsonObject = {
    "messages": [{"role": "user", "content": {"type": "text", "text": "How far?"}}],
    "maxTokens": 5,
}


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def stutter() -> Stutter:
    return Stutter()


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme, inbox: Inbox) -> Iterator[InboxPanel]:
    made = InboxPanel(inbox=inbox, clock=SystemClock(), theme=theme)
    qtbot.addWidget(made)
    made.resize(240, 600)
    made.show()
    yield made
    made.hide()


async def test_each_question_has_a_card_that_says_who_asks_what(
    panel: InboxPanel, inbox: Inbox
) -> None:
    """C-ELI-05, C-ELI-06, C-SMP-04, C-ELI-12."""
    grown: list[bool] = []
    panel.grown.connect(lambda: grown.append(True))
    async with asker(inbox=inbox, name="my <i>server</i>") as asking:
        asking.ask(1, "sampling/createMessage", PARAMS)
        await asking.waits()
        await wait_until(lambda: len(panel.cards) == 1)

        assert reads(panel, "card_kind") == "Sampling"
        assert reads(panel, "card_title") == "“How far?”"
        assert reads(panel, "card_cause") == "my <i>server</i> · unprompted"
        assert reads(panel, "card_clock").startswith("waiting 0:0")
        assert grown == [True]
        assert panel.accessibleName() == "Requests"


async def test_a_card_goes_when_it_is_answered_and_stays_when_it_is_withdrawn(
    panel: InboxPanel, inbox: Inbox
) -> None:
    """Ours."""
    async with asker(inbox=inbox) as asking:
        for number in (1, 2):
            asking.ask(number, "sampling/createMessage", PARAMS)
        await asking.waits(2)
        asking.opened.sampling.reject(inbox.pending[0])
        await wait_until(lambda: len(panel.cards) == 1)
        asking.server.end()
        await wait_until(lambda: "connection closed" in reads(panel, "card_words"))

        assert reads(panel, "card_clock") == "withdrawn"
        assert not sees(panel, "card_review")
        wanted: list[InboxItem] = []
        panel.review_requested.connect(wanted.append)
        await wait_until(lambda: sees(panel, "card_look"))
        click(panel, "card_look")
        assert wanted == list(inbox.items)
        click(panel, "card_dismiss")
        await wait_until(lambda: not panel.cards and sees(panel, "inbox_empty"))


async def test_reviewing_opens_the_sheet_and_new_questions_take_no_focus(
    qtbot: QtBot, theme: Theme, panel: InboxPanel, inbox: Inbox
) -> None:
    """Ours: it never takes the focus and never opens anything by itself."""
    table = Table(inbox, theme)
    qtbot.addWidget(table.window)
    field = QLineEdit(table.window)
    table.window.show()
    table.window.activateWindow()
    field.setFocus()
    panel.review_requested.connect(table.dialogs.open)
    await wait_until(field.hasFocus)
    async with asker(inbox=inbox) as asking:
        asking.ask(1, "sampling/createMessage", PARAMS)
        await asking.waits()
        await wait_until(lambda: len(panel.cards) == 1)
        assert field.hasFocus()
        assert table.dialogs.existing == ()
        click(panel, "card_review")

        assert [sheet.isVisible() for sheet in table.dialogs.existing] == [True]
        asking.opened.sampling.reject(inbox.pending[0])
        await table.is_cleared()


async def test_two_hundred_questions_are_counted_and_the_cards_follow(
    panel: InboxPanel, inbox: Inbox
) -> None:
    """Ours: the window stays usable, and none is lost."""
    async with asker(inbox=inbox) as asking:
        for number in range(200):
            asking.ask(number, "sampling/createMessage", PARAMS)
        await asking.waits(200)
        await wait_until(lambda: len(panel.cards) == MAX_CARDS)
        await wait_until(lambda: reads(panel, "inbox_more") == f"and {200 - MAX_CARDS} more")
        for ask in inbox.pending[:-3]:
            asking.opened.sampling.reject(ask)
        await wait_until(lambda: len(panel.cards) == 3)
        assert not sees(panel, "inbox_more")
        asking.server.end()
        await wait_until(lambda: sees(panel, "inbox_clear"))
        click(panel, "inbox_clear")

        await wait_until(lambda: not panel.cards)


async def test_all_can_be_rejected_at_once_but_only_on_the_second_word(
    panel: InboxPanel, inbox: Inbox
) -> None:
    """Ours; C-SMP-11, C-ELI-07: each in the way its kind has for that."""
    async with asker(inbox=inbox) as asking:
        asking.ask(1, "sampling/createMessage", PARAMS)
        await asking.waits(1)
        await wait_until(lambda: len(panel.cards) == 1)
        assert not sees(panel, "inbox_reject")
        asking.ask(2, "elicitation/create", {"message": "m", "requestedSchema": {}})
        await asking.waits(2)
        await wait_until(lambda: sees(panel, "inbox_reject"))
        assert reads(panel, "inbox_pending") == "2 pending requests"
        click(panel, "inbox_reject")
        assert reads(panel, "inbox_pending") == "Reject all 2 requests?"
        click(panel, "inbox_reject_not")
        assert len(inbox.pending) == 2
        click(panel, "inbox_reject")
        click(panel, "inbox_reject_sure")

        assert inbox.pending == ()
        assert "error" in await asking.answer_to(1)
        assert (await asking.answer_to(2))["result"] == {"action": "decline"}
        await wait_until(lambda: not panel.cards)


async def test_rejecting_all_is_disarmed_when_the_list_shrinks_and_grows_again(
    panel: InboxPanel, inbox: Inbox
) -> None:
    """Ours: who agreed to reject some requests did not see those that came later."""
    async with asker(inbox=inbox) as asking:
        for id_ in (1, 2):
            asking.ask(id_, "sampling/createMessage", PARAMS)
        await asking.waits(2)
        await wait_until(lambda: sees(panel, "inbox_reject"))
        click(panel, "inbox_reject")
        assert sees(panel, "inbox_reject_sure")
        asking.server.notify("notifications/cancelled", {"requestId": 1})
        await wait_until(lambda: not sees(panel, "inbox_pending"))

        asking.ask(3, "sampling/createMessage", PARAMS)
        await wait_until(lambda: sees(panel, "inbox_pending"))
        assert sees(panel, "inbox_reject")
        assert not sees(panel, "inbox_reject_sure")


async def test_two_hundred_at_once_hold_up_nothing(
    panel: InboxPanel, inbox: Inbox, stutter: Stutter
) -> None:
    """Ours: they come, are answered in any order and are rejected while the window stays awake."""
    async with asker(inbox=inbox) as asking:
        with stutter.measured():
            for number in range(200):
                asking.ask(number, "sampling/createMessage", PARAMS)
            await asking.waits(200)
            await wait_until(lambda: len(panel.cards) == MAX_CARDS)
        order = [panel.cards[at].ask.frame for at in range(MAX_CARDS)]
        assert order == sorted(order)
        assert order[0] == inbox.pending[0].frame
        last = inbox.pending[-1]
        assert asking.opened.sampling.answer(last, '{"role":"assistant"}')
        assert (await asking.answer_to(199))["result"] == {"role": "assistant"}
        with stutter.measured():
            click(panel, "inbox_reject")
            click(panel, "inbox_reject_sure")
            await wait_until(lambda: not panel.cards)
            await asking.answer_to(0)
            await asking.answer_to(198)

        assert stutter.longest_ms < MAX_MS
        assert len(asking.server.received) > 200


def test_the_clock_of_a_card_is_the_time_since_the_question_came(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours."""
    clock = HeldClock()
    panel = InboxPanel(inbox=Inbox(), clock=clock, theme=theme)
    qtbot.addWidget(panel)

    assert [format_age(seconds) for seconds in (-1, 0.9, 14, 723, 3723)] == [
        *("0:00", "0:00", "0:14", "12:03", "1:02:03")
    ]


def test_several_possible_causes_are_named_as_such() -> None:
    """C-SMP-04: honestly, since nobody can tell which it was."""
    causes = tuple(RelatedRequest(number, f"tools/call t{number}") for number in range(1, 7))

    def ask(some: tuple[RelatedRequest, ...]) -> InboxItem:
        return InboxItem("sampling", None, None, "s", 9, 0.0, "", None, some)

    assert cause_text(ask(causes[:1])) == "Sent while tools/call t1 was in progress (frame 1)"
    assert "6 requests were in progress; possible cause" in cause_text(ask(causes))
    assert "and 2 more" in cause_text(ask(causes))


def test_the_least_width_follows_the_size_of_the_text(
    panel: InboxPanel, theme: Theme, qapp: QApplication
) -> None:
    """Ours: also in a window that began with large text."""
    assert panel.minimumWidth() == theme.px(200)

    theme.apply(qapp, "light", 2.0)
    assert panel.minimumWidth() == 400
    theme.apply(qapp, "light", 1.0)

    assert panel.minimumWidth() == 200
