"""How old a result is, and for how long the server declares it valid; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication

from tests.support.wait import wait_until
from ui.widgets.freshness import Freshness, FreshnessLine, age_text

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.mark.parametrize(
    ("age", "seconds", "text"),
    [
        (0.4, 60.0, "0 s old · valid for 1 min 0 s, private"),
        (12.7, 30.0, "12 s old · valid for 30 s, private"),
        (30.0, 30.0, "30 s old · stale after 30 s, private"),
        (1.0, 0.0, "1 s old · not to be kept, private"),
        (1.0, None, "1 s old · no TTL, private"),
        (1.0, 1e12, "1 s old · never expires, private"),
    ],
)
def test_age_and_promise_in_words(age: float, seconds: float | None, text: str) -> None:
    """C-CCH-03, C-CCH-04; server/utilities/caching."""
    assert age_text(age, Freshness(seconds, "private")) == text


async def test_the_line_says_once_that_a_result_is_stale_and_no_age_runs_on_it(
    qtbot: QtBot,
) -> None:
    """Ours: the age is in the tool tip; a text that changes each second draws the eye."""
    line, age = FreshnessLine(name="age"), [1.96]
    qtbot.addWidget(line)
    line.resize(300, 20)
    line.show_age(lambda: age[0], Freshness(2.0, "public"))
    assert line.whole_text() == "valid for 2 s, public"

    age[0] = 5.0
    await wait_until(lambda: line.whole_text() == "stale after 2 s, public")
    QApplication.sendEvent(line, QHelpEvent(QEvent.Type.ToolTip, QPoint(1, 1), QPoint(1, 1)))
    assert "5 s old" in line.toolTip()

    line.show_age(None, None)
    assert not line.isVisible()
