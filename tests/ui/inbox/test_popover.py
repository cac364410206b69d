"""The list of requests over the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from shiboken6 import isValid

from inspector.clock import SystemClock
from inspector.inbox import Inbox
from tests.support.asked import asker
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, reads, sees
from ui.inbox.card import HEIGHT
from ui.inbox.popover import MAX_VISIBLE, WIDTH, RequestsPopover

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import JsonObject
    from ui.theme import Theme

PARAMS: JsonObject = {
    "messages": [{"role": "user", "content": {"type": "text", "text": "How far?"}}],
    "maxTokens": 5,
}


@pytest.fixture
def opener(qtbot: QtBot) -> Iterator[QPushButton]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 700)
    button = QPushButton("2 requests", window)
    button.setGeometry(600, 7, 120, 26)
    window.show()
    yield button
    window.hide()


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


def opened(opener: QPushButton, inbox: Inbox, theme: Theme) -> RequestsPopover:
    popover = RequestsPopover(opener, inbox=inbox, clock=SystemClock(), theme=theme)
    popover.open_below(46)
    return popover


async def test_cards_are_below_the_badge_with_the_oldest_on_top(
    opener: QPushButton, inbox: Inbox, theme: Theme
) -> None:
    """Ours."""
    async with asker(inbox=inbox, name="my server") as asking:
        for number in (1, 2):
            asking.ask(number, "sampling/createMessage", PARAMS)
        await asking.waits(2)
        popover = opened(opener, inbox, theme)
        await wait_until(lambda: len(popover.cards.cards) == 2)

        assert popover.width() == WIDTH
        corner = opener.mapToGlobal(QPoint(opener.width(), 0))
        assert popover.mapToGlobal(QPoint(popover.width(), 0)).x() == corner.x()
        assert [card.height() for card in popover.cards.cards] == [HEIGHT, HEIGHT]
        assert popover.cards.verticalScrollBar().maximum() == 0
        assert [card.ask for card in popover.cards.cards] == list(inbox.pending)
        primary = [card.review.property("primary") for card in popover.cards.cards]
        assert primary == [True, False]
        assert reads(popover, "popover_count") == "2"
        assert "How far?" in reads(popover, "card_title")
        assert "my server" in reads(popover, "card_cause")
        assert reads(popover, "card_clock").startswith("waiting 0:0")
        assert popover.focusWidget() is popover.cards.cards[0].review
        popover.close()
        asking.opened.sampling.reject(inbox.pending[0])
        asking.opened.sampling.reject(inbox.pending[0])


async def test_three_cards_need_no_scrolling(
    opener: QPushButton, inbox: Inbox, theme: Theme
) -> None:
    """Ours: also those that follow after the popover is displayed."""
    async with asker(inbox=inbox) as asking:
        for number in range(3):
            asking.ask(number, "sampling/createMessage", PARAMS)
        await asking.waits(3)
        popover = opened(opener, inbox, theme)
        await wait_until(lambda: len(popover.cards.cards) == 3)

        await wait_until(lambda: popover.cards.verticalScrollBar().maximum() == 0)
        assert all(card.isVisible() for card in popover.cards.cards)
        popover.close()


async def test_more_than_five_cards_scroll(opener: QPushButton, inbox: Inbox, theme: Theme) -> None:
    """Ours."""
    async with asker(inbox=inbox) as asking:
        for number in range(8):
            asking.ask(number, "sampling/createMessage", PARAMS)
        await asking.waits(8)
        popover = opened(opener, inbox, theme)
        await wait_until(lambda: len(popover.cards.cards) == 8)

        assert popover.cards.height() == MAX_VISIBLE * HEIGHT
        assert popover.cards.verticalScrollBar().maximum() > 0
        popover.close()
        window = opener.window()
        window.resize(900, 300)
        popover = opened(opener, inbox, theme)
        bottom = popover.mapToGlobal(QPoint(0, popover.height())).y()
        assert bottom < window.mapToGlobal(QPoint(0, window.height())).y()
        popover.close()
        inbox.decline_all()


async def test_reviewing_closes_it_first(opener: QPushButton, inbox: Inbox, theme: Theme) -> None:
    """Ours: the dialog opens over the window and not under a list."""
    async with asker(inbox=inbox) as asking:
        asking.ask(1, "sampling/createMessage", PARAMS)
        ask = await asking.waits()
        popover = opened(opener, inbox, theme)
        reviewed: list[tuple[object, bool]] = []

        def review(item: object) -> None:
            reviewed.append((item, popover.isVisible()))

        popover.review_requested.connect(review)

        QTest.keyClick(popover.cards.cards[0].review, Qt.Key.Key_Return)

        assert reviewed == [(ask, False)]
        asking.opened.sampling.reject(ask)


async def test_a_closed_request_stays_with_its_reason_until_it_is_dismissed(
    opener: QPushButton, inbox: Inbox, theme: Theme
) -> None:
    """Ours."""
    async with asker(inbox=inbox) as asking:
        asking.ask(1, "sampling/createMessage", PARAMS)
        ask = await asking.waits()
        popover = opened(opener, inbox, theme)
        inbox.withdraw(ask, "no longer needed")

        await wait_until(lambda: "no longer needed" in reads(popover, "card_words"))
        assert not sees(popover, "card_review")
        assert popover.isVisible()
        click(popover, "card_dismiss")

        await wait_until(lambda: not isValid(popover))


async def test_escape_and_the_panel_close_it(
    opener: QPushButton, inbox: Inbox, theme: Theme
) -> None:
    """Ours."""
    async with asker(inbox=inbox) as asking:
        asking.ask(1, "sampling/createMessage", PARAMS)
        ask = await asking.waits()
        popover = opened(opener, inbox, theme)
        QTest.keyClick(popover, Qt.Key.Key_Escape)
        assert not popover.isVisible()
        assert inbox.pending == (ask,)

        popover = opened(opener, inbox, theme)
        panels: list[bool] = []
        popover.panel_requested.connect(lambda: panels.append(True))
        click(popover, "popover_panel")

        assert panels == [True]
        assert not popover.isVisible()
        asking.opened.sampling.reject(ask)
