"""A long message is edited without waiting for what is known of it; ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox

from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.conftest import on_screen
from tests.ui.features.repeat.test_page import called, orders
from tests.ui.qt_actions import find, reads
from ui.features.repeat.editing import LONG
from ui.features.repeat.page import RepeatPage

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


async def test_a_long_message_is_compared_in_a_pause_of_typing(qtbot: QtBot, theme: Theme) -> None:
    """Ours: while it is no JSON for a moment, its method and its envelope stay."""
    page = on_screen(RepeatPage(theme=theme), qtbot)
    async with shown(page, orders()) as (_, session):
        page.repeat(await called(session))
        message = json.loads(page.edit.message())
        message["params"]["arguments"]["items"] = ["text"] * (LONG // 4)
        page.edit.setPlainText(json.dumps(message, indent=1))
        method = reads_method(page)
        envelope = find(page, QCheckBox, "repeat_envelope")
        before = reads(page, "repeat_changes"), method, envelope.isChecked()
        assert method

        cursor = page.edit.textCursor()
        cursor.setPosition(page.edit.message().index('"limit') + 1)
        page.edit.setTextCursor(cursor)
        QTest.keyClicks(page.edit, '"')
        assert page.editing.sending.problem
        after = reads(page, "repeat_changes"), reads_method(page), envelope.isChecked()
        assert after == before

        await wait_until(lambda: reads(page, "repeat_changes") != before[0])
        assert page.work.current is not None
        assert page.work.current.text == page.edit.message()


def reads_method(page: RepeatPage) -> str:
    return page.message.method.currentText()
