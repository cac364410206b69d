"""What the dialogs that respond to a server have in common: their lines, their foot, the focus before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QVBoxLayout, QWidget

from tests.support.asked import asker
from tests.support.sheets import Table
from tests.support.wait import wait_until
from tests.ui.qt_actions import find, has_focus, reads
from ui.inbox_dialog import GUARD_MS
from ui.widgets.fact_line import FactLine
from ui.widgets.key_values import KeyValue

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import JsonObject
    from ui.inbox_dialog import InboxDialog
    from ui.theme import Theme

SAMPLING: JsonObject = {
    "messages": [
        {"role": "user", "content": {"type": "text", "text": "How far is the moon?"}},
        {"role": "critic", "content": {"type": "text", "text": "Why?"}},
        {"role": "assistant", "content": {"type": "text", "text": "About"}},
    ],
    "maxTokens": 3,
    "temperature": 0.5,
}
FORM: JsonObject = {
    "message": "m",
    "requestedSchema": {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
    },
}
VISIT: JsonObject = {
    "mode": "url",
    "message": "m",
    "url": "https://good.test/x",
    "elicitationId": "e1",
}
REQUESTS = pytest.mark.parametrize(
    ("method", "params", "primary"),
    [
        ("sampling/createMessage", SAMPLING, "sampling_send"),
        ("elicitation/create", FORM, "elicitation_accept"),
        ("elicitation/create", VISIT, "elicitation_accept"),
    ],
)


@pytest.fixture
def scaled(qapp: QApplication, theme: Theme, scale: float) -> Theme:
    theme.apply(qapp, "light", scale)
    return theme


def area_in(dialog: QWidget, name: str) -> QRect:
    part = find(dialog, QWidget, name)
    return QRect(part.mapTo(dialog, QPoint()), part.size())


@REQUESTS
async def test_title_cause_facts_and_foot_have_their_heights(
    qtbot: QtBot, theme: Theme, method: str, params: JsonObject, primary: str
) -> None:
    """Ours: 40, 28, 30 and 46 pixels, from the top to the bottom."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, method, params)
        sheet = table.dialogs.open(await asking.waits())
        assert sheet is not None
        names = ("sheet_title", "sheet_cause", "sheet_facts", "sheet_foot")
        heights = [40, 28, 30, 46]
        await wait_until(lambda: [area_in(sheet, name).height() for name in names] == heights)

        tops = [area_in(sheet, name).top() for name in names]
        assert tops == sorted(tops)
        assert tops[:3] == [0, 40, 68]
        assert area_in(sheet, "sheet_foot").bottom() == sheet.rect().bottom()
        assert area_in(sheet, primary).right() == sheet.rect().right() - 16
        assert "asking" in reads(sheet, "sheet_title")
        sheet.reject()


@REQUESTS
async def test_a_dialog_that_is_activated_unasked_can_send_nothing_for_a_moment(
    qtbot: QtBot, theme: Theme, method: str, params: JsonObject, primary: str
) -> None:
    """Ours: a key that was meant for the window in front must not send anything."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        table.window.show()
        asking.ask(1, method, params)
        sheet = table.dialogs.open(await asking.waits())
        assert sheet is not None
        await wait_until(sheet.isActiveWindow)
        button = find(sheet, QPushButton, primary)
        assert button.isEnabled(), "opened by the user"

        table.window.activateWindow()
        await wait_until(lambda: not sheet.isActiveWindow())
        sheet.activateWindow()
        await wait_until(sheet.isActiveWindow)

        assert not button.isEnabled()
        assert GUARD_MS == 400
        await wait_until(button.isEnabled)
        assert asking.answers(1) == []
        sheet.reject()


@REQUESTS
@pytest.mark.parametrize("scale", [1.0, 2.0])
async def test_a_dialog_takes_at_most_its_share_of_the_window(
    qtbot: QtBot, scaled: Theme, method: str, params: JsonObject, primary: str
) -> None:
    """Ours: 92 % of a window of 1024 by 640, with the foot in sight."""
    async with asker() as asking:
        table = Table(asking.inbox, scaled)
        qtbot.addWidget(table.window)
        table.window.resize(1024, 640)
        table.window.show()
        asking.ask(1, method, params)
        sheet = table.dialogs.open(await asking.waits())
        assert sheet is not None
        button = find(sheet, QPushButton, primary)

        await wait_until(lambda: sheet.rect().contains(area_in(sheet, primary)))
        assert sheet.height() <= round(0.92 * 640)
        assert sheet.width() <= round(0.92 * 1024)
        assert button.isVisible()
        sheet.reject()


async def test_after_a_response_the_focus_is_where_it_was_and_the_next_request_stays_closed(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours; WCAG 2.2, 3.2.2: nothing opens that the user did not open."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        lines = [QLineEdit(table.window) for _ in range(2)]
        column = QVBoxLayout(table.window)
        for line in lines:
            column.addWidget(line)
        table.window.resize(1360, 860)
        table.window.show()
        table.window.activateWindow()
        await wait_until(table.window.isActiveWindow)
        lines[1].setFocus()
        for number in (1, 2):
            asking.ask(number, "elicitation/create", FORM)
        await asking.waits(2)
        first, second = asking.inbox.pending
        sheet = table.form(first)
        await wait_until(sheet.isActiveWindow)

        sheet.decline_button.click()

        await wait_until(table.window.isActiveWindow)
        assert has_focus(lines[1])
        assert table.dialogs.existing in {(), (sheet,)}
        assert asking.inbox.pending == (second,)
        asking.opened.elicitation.decline(second)
        await table.is_cleared()


def test_facts_take_two_lines_at_most_and_count_the_rest(qtbot: QtBot, theme: Theme) -> None:
    """Ours; WCAG 2.2, 1.3.1: the accessible name has all of them."""
    line = FactLine(theme=theme, name="facts")
    qtbot.addWidget(line)
    facts = [KeyValue(f"Name {number}", f"value {number}") for number in range(12)]
    line.set_facts(facts)
    line.resize(2000, 30)
    line.show()
    assert line.heightForWidth(2000) == 30
    assert line.hidden_count() == 0

    line.resize(500, line.heightForWidth(500))

    assert line.height() == 48
    assert 0 < line.hidden_count() < 12
    assert "Name 11: value 11" in line.accessibleName()
    assert len(line.facts()) == 12
    line.set_facts([])
    assert line.isHidden()


async def test_the_conversation_is_read_in_the_font_of_texts_under_short_lines(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: roles of the specification are named, another one stays as it came."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, "sampling/createMessage", SAMPLING)
        sheet = table.sampling(await asking.waits())
        await wait_until(
            lambda: reads(sheet, "message_role").split("\n") == ["User", "critic", "Assistant"]
        )
        prose = sheet.findChildren(QWidget, "prose")
        blocks = sheet.findChildren(QWidget, "message_block")

        assert {text.font().family() for text in prose} == {theme.font().family()}
        assert reads(blocks[-1]).count("prefill") == 1
        copies = [find(block, QWidget, "block_copy") for block in blocks]
        assert {copy.height() for copy in copies} == {20}
        sheet.reject_button.click()
        await table.is_cleared()


async def test_more_tokens_than_the_limit_are_warned_of(qtbot: QtBot, theme: Theme) -> None:
    """Ours; WCAG 2.2, 1.4.1: by the color and a sign."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, "sampling/createMessage", SAMPLING)
        sheet = table.sampling(await asking.waits())
        length = sheet.answer.fields.length
        assert length.property("tone") == "muted"

        QTest.keyClicks(sheet.answer.fields.text, "x" * 13)

        assert length.property("tone") == "warning"
        assert length.text().startswith("⚠")
        sheet.reject_button.click()
        await table.is_cleared()


async def test_the_saved_responses_are_one_control(qtbot: QtBot, theme: Theme) -> None:
    """Ours: its menu saves one more; the row for the name is there only then."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, "sampling/createMessage", SAMPLING)
        sheet = table.sampling(await asking.waits())
        saved = sheet.answer.saved
        assert not saved.name.isVisible()
        saved.menu.aboutToShow.emit()

        find_action(saved.menu.actions(), "answer_save_new").trigger()
        assert saved.name.isVisible()
        saved.cancel.click()

        assert not saved.name.isVisible()
        sheet.reject_button.click()
        await table.is_cleared()


def find_action(actions: list[QAction], name: str) -> QAction:
    return next(action for action in actions if action.objectName() == name)


def closed_notice_top(sheet: InboxDialog) -> int:
    return area_in(sheet, "sheet_banner").top()


async def test_a_request_that_the_server_closed_says_so_at_the_top(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: what was typed stays readable, and can be copied."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, "sampling/createMessage", SAMPLING)
        sheet = table.sampling(await asking.waits())
        QTest.keyClicks(sheet.answer.fields.text, "half")
        asking.server.end()
        await wait_until(lambda: not sheet.send_button.isEnabled())

        await wait_until(lambda: closed_notice_top(sheet) == 0)
        assert area_in(sheet, "sheet_title").top() > 0
        assert sheet.answer.fields.text.isEnabled()
        assert sheet.answer.fields.text.toPlainText() == "half"
        sheet.close()
        await table.is_cleared()
