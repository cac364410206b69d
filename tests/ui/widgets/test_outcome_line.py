"""How something went, with its whole reason; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel

from ui.widgets.outcome_line import OutcomeLine

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

REASON = "tool error: the file could not be written because the disk of the server is full"


def test_a_reason_that_does_not_fit_stands_whole_below(qtbot: QtBot, theme: Theme) -> None:
    """Ours: the reason stands at the end, where one line cuts it."""
    line = OutcomeLine(theme=theme)
    qtbot.addWidget(line)
    whole = line.findChild(QLabel, "outcome_whole")
    assert isinstance(whole, QLabel)
    line.resize(160, 60)
    line.set_outcome(REASON, "error", seconds=0.1)
    assert not whole.isHidden()
    assert whole.text() == REASON

    line.resize(2000, 60)
    assert whole.isHidden()
    assert line.text() == REASON

    line.resize(160, 60)
    line.set_outcome("ok", "ok", seconds=0.1)
    assert whole.isHidden()


def test_the_tool_tip_of_a_time_names_what_it_counts_and_what_the_traffic_counts(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: the time of a call includes the way to the server, that of its row does not."""
    line = OutcomeLine(theme=theme)
    qtbot.addWidget(line)
    line.set_outcome("ok", "ok", seconds=0.1084)
    took = line.findChild(QLabel, "outcome_time")
    assert isinstance(took, QLabel)
    tip = took.toolTip()
    assert "108.400 ms" in tip
    for counted in ("to be sent", "traffic", "response"):
        assert counted in tip

    line.set_outcome("sent", "pending")
    assert took.toolTip() == ""


def test_smaller_text_gives_back_the_room_that_larger_text_took(
    qtbot: QtBot, qapp: QApplication, theme: Theme
) -> None:
    """Ours: the time kept the room of the largest text that was ever chosen."""
    line = OutcomeLine(theme=theme)
    qtbot.addWidget(line)
    line.set_outcome("ok", "ok", seconds=9.5)
    took = line.findChild(QLabel, "outcome_time")
    assert isinstance(took, QLabel)
    before = took.size()

    for scale in (2.0, 1.0, 2.0):
        theme.apply(qapp, "light", scale)
    assert took.height() > before.height()
    theme.apply(qapp, "light", 1.0)

    assert took.size() == before
