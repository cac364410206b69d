"""How the page *Authorization* divides its room, in windows and at text sizes of all kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QMenu, QScrollArea, QWidget

from tests.support.protected import Protected
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, find, press, reads, sees
from ui.features.authorization.ladder_delegate import MIN_GAP, ladder_columns
from ui.features.authorization.panes import Arrangement, arrangement
from ui.features.authorization.tokens_panel import DETAILS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractAsyncContextManager

    from PySide6.QtWidgets import QApplication

    from inspector.open_session import OpenSession
    from ui.features.authorization.page import AuthorizationPage
    from ui.theme import Theme

    Shown = Callable[..., AbstractAsyncContextManager[OpenSession]]

LARGE = 2.0
LOW_PAGE = (1280, 416)
"""What a window of 1280 × 720 pixels leaves to a page at twice the text size."""


@pytest.fixture
def large(theme: Theme, qapp: QApplication) -> Iterator[Theme]:
    theme.apply(qapp, "light", LARGE)
    yield theme
    theme.apply(qapp, "light", 1.0)


def inside(page: AuthorizationPage, part: QWidget) -> QRect:
    return QRect(part.mapTo(page, QPoint()), part.size())


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((1184, 430), Arrangement.WIDE),
        ((980, 300), Arrangement.WIDE),
        ((800, 600), Arrangement.STACKED),
        ((640, 208), Arrangement.SINGLE),
        ((800, 300), Arrangement.SINGLE),
    ],
)
def test_the_room_decides_how_the_parts_stand(size: tuple[int, int], expected: Arrangement) -> None:
    """Ours."""
    assert arrangement(*size) is expected


async def test_the_ladder_has_its_width_back_when_there_is_room_again(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours: the step keeps a width in which it can be read."""
    async with Protected() as server, shown(server):
        await wait_until(lambda: page.content.runner.has_tokens)

        def widths(width: int) -> list[int]:
            page.resize(width, 600)
            return page.content.panes.splitter.sizes()

        assert widths(1300) == [690, 609]
        assert widths(1000) == [559, 440]
        assert widths(1300) == [690, 609]


async def test_a_low_page_with_large_text_shows_one_part_at_a_time_and_does_not_scroll(
    page: AuthorizationPage, shown: Shown, large: Theme
) -> None:
    """Ours; WCAG 2.2, 1.4.4: the whole page would have to be scrolled otherwise, with half a row of the ladder in sight."""
    del large
    async with Protected() as server, shown(server):
        await wait_until(lambda: page.content.runner.has_tokens)
        page.resize(*LOW_PAGE)

        scroll = find(page, QScrollArea, "authorization_scroll")
        await wait_until(lambda: scroll.verticalScrollBar().maximum() == 0)
        assert page.content.ladder.viewport().height() >= 2 * 40 * LARGE
        assert not sees(page, "authorization_detail")
        assert not sees(page, "authorization_tokens")
        for name in ("authorization_run", "authorization_step", "authorization_panes"):
            assert page.rect().contains(inside(page, find(page, QWidget, name))), name

        click(page, "authorization_panes_details")
        assert sees(page, "authorization_step_title")
        assert not page.content.ladder.isVisible()
        click(page, "authorization_panes_tokens")
        assert sees(page, "authorization_token_table")
        assert not sees(page, "authorization_detail")

        page.resize(2400, 1000)
        await wait_until(
            lambda: page.content.ladder.isVisible() and sees(page, "authorization_detail")
        )
        assert not sees(page, "authorization_panes")


async def test_enter_in_the_ladder_opens_the_step_where_only_one_part_is_in_sight(
    page: AuthorizationPage, shown: Shown, large: Theme
) -> None:
    """Ours; WCAG 2.2, 2.1.1; the arrow keys move on without leaving the ladder."""
    del large
    async with Protected() as server, shown(server):
        await wait_until(lambda: page.content.runner.has_tokens)
        page.resize(*LOW_PAGE)
        page.content.ladder.setFocus()
        press(page.content.ladder, Qt.Key.Key_Home)
        press(page.content.ladder, Qt.Key.Key_Down)
        assert page.content.ladder.isVisible()

        press(page.content.ladder, Qt.Key.Key_Return)

        assert sees(page, "authorization_step_title")
        assert reads(page, "authorization_step_title").startswith("2")


async def test_the_rarer_commands_of_a_low_page_are_in_a_menu(
    page: AuthorizationPage, shown: Shown, large: Theme
) -> None:
    """Ours: the bar keeps one line, and no command is lost."""
    del large
    edits: list[None] = []
    page.edit_requested.connect(lambda: edits.append(None))
    async with Protected() as server, shown(server):
        await wait_until(lambda: page.content.runner.has_tokens)
        page.resize(*LOW_PAGE)
        page.content.ladder.select_row(1)
        assert page.content.bar.height() <= 50 * LARGE

        click(page, "authorization_more")

        menu = page.findChild(QMenu)
        assert menu is not None
        assert [action.text() for action in menu.actions()] == ["Again from step 2…", "Settings…"]
        menu.actions()[-1].trigger()
        menu.close()
        assert len(edits) == 1


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_the_parties_stand_where_they_are_meant_to_at_full_width(scale: float) -> None:
    """Ours."""
    columns = ladder_columns(round(690 * scale), scale)

    assert columns.parties == tuple(round(x * scale) for x in (330, 416, 524, 620))
    assert columns.title_left == round(36 * scale)


@pytest.mark.parametrize("width", [640, 800])
def test_a_compact_ladder_gives_its_width_to_the_titles(width: int) -> None:
    """Ours."""
    columns = ladder_columns(width, 1.0, is_compact=True)

    gaps = {right - left for left, right in zip(columns.parties, columns.parties[1:], strict=False)}
    assert gaps == {MIN_GAP}
    assert columns.title_right > ladder_columns(width, 1.0).title_right


async def test_what_cannot_be_taken_back_is_red_and_last(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours."""
    async with Protected() as server, shown(server):
        await wait_until(lambda: page.content.runner.has_tokens)
        red = [button for button in page.content.tokens.buttons if button.property("destructive")]

        assert [button.objectName() for button in red] == [
            "authorization_revoke",
            "authorization_forget",
        ]
        others = [button for button in page.content.tokens.buttons if button not in red]
        assert max(button.x() for button in others) < min(button.x() for button in red)


async def test_details_of_tokens_leave_a_table_that_is_too_narrow(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours: a column of two letters says nothing; the selected row has them whole."""
    async with Protected() as server, shown(server):
        await wait_until(lambda: page.content.runner.has_tokens)
        page.resize(1300, 700)
        await wait_until(lambda: not page.content.tokens.table.isColumnHidden(DETAILS))

        page.resize(460, 700)

        await wait_until(lambda: page.content.tokens.table.isColumnHidden(DETAILS))


async def test_no_row_of_the_ladder_is_cut_at_its_top(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours: also where the failed row is scrolled into sight."""
    async with Protected() as server, shown(server):
        await wait_until(lambda: page.content.runner.has_tokens)
        page.resize(1160, 280)
        ladder = page.content.ladder
        ladder.select_row(ladder.rows.rowCount() - 1)

        await wait_until(lambda: ladder.verticalScrollBar().value() > 0)
        tops = [
            ladder.visualRect(ladder.rows.index(at)).top() for at in range(ladder.rows.rowCount())
        ]
        assert 0 in tops
