"""How something went, with its whole reason; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QRect, QRegularExpression
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from ui.theme import tokens
from ui.widgets.outcome_line import Found, OutcomeLine

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

REASON = "tool error: the file could not be written because the disk of the server is full"


def test_the_outcome_is_never_shortened_and_a_reason_that_does_not_fit_stands_below(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: the reason stands at the end, where one line cuts it."""
    line = OutcomeLine(theme=theme)
    qtbot.addWidget(line)
    whole = line.findChild(QLabel, "outcome_whole")
    assert isinstance(whole, QLabel)
    line.resize(160, 60)
    line.set_outcome(REASON, "error", seconds=0.1)
    assert not whole.isHidden()
    assert whole.text() == "The file could not be written because the disk of the server is full"
    outcome = line.findChild(QLabel, "outcome_words")
    assert isinstance(outcome, QLabel)
    assert outcome.text() == "Tool error"
    assert line.minimumSizeHint().width() >= outcome.sizeHint().width()

    line.resize(2000, 60)
    assert whole.isHidden()
    assert line.text() == REASON

    line.resize(160, 60)
    line.set_outcome("ok", "ok", seconds=0.1)
    assert whole.isHidden()


@pytest.mark.parametrize("last", ["time", "request"])
def test_facts_give_way_in_a_narrow_line_and_come_back(
    qtbot: QtBot, theme: Theme, last: str
) -> None:
    """Ours: first the size, then the links to the frames, then the time; the links last where nothing else leads to the frames."""
    around = QWidget()
    qtbot.addWidget(around)
    line = OutcomeLine(theme=theme, frames_first=last == "request")
    line.setParent(around)  # a window of its own would not become narrower than its parts
    requested: list[int] = []
    line.frame_requested.connect(requested.append)
    line.set_outcome("ok", "ok", seconds=0.1, size_bytes=433, frames=(85, 86))

    def visible() -> list[bool]:
        names = dict.fromkeys((last, "time", "request", "size"))
        parts = (line.findChild(QWidget, f"outcome_{name}") for name in names)
        return [part is not None and part.isVisible() for part in parts]

    around.show()
    counts: list[int] = []
    for width in (*range(500, 40, -10), *range(40, 500, 10)):
        line.resize(width, 30)
        counts.append(visible().count(True))
        assert visible() == sorted(visible(), reverse=True), width
    assert (counts[0], min(counts), counts[-1]) == (3, 0, 3)
    for button in filter(QWidget.isVisible, line.findChildren(QPushButton)):
        button.click()
    assert requested == [85, 86]

    texts: set[str] = set()
    for width in range(40, 500, 5):
        line.resize(width, 30)
        links = line.findChildren(QPushButton, QRegularExpression("outcome_re.*"))
        texts |= {link.text() for link in links if link.isVisible()}
    assert texts == {"85", "86", "#85", "#86"}  # without the word before it, a number says nothing


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


def test_problems_that_are_found_later_move_nothing(qtbot: QtBot, theme: Theme) -> None:
    """Ours: there is room for them at the end of the line, for the text, the number or at least the sign."""
    around = QWidget()
    qtbot.addWidget(around)
    line = OutcomeLine(theme=theme)
    line.setParent(around)
    line.set_outcome("ok", "ok", seconds=0.1, size_bytes=433, frames=(85, 86))
    around.show()
    problems = line.findChild(QPushButton, "outcome_found")
    requested: list[int] = []
    line.frame_requested.connect(requested.append)
    assert problems is not None
    texts: list[str] = []
    for width in range(500, 70, -10):
        line.resize(width, theme.px(tokens.FIELD))
        before = places(line)
        line.set_found(Found("2 problems", "2", "warning", 86))
        assert places(line) == before, width
        assert problems.isVisible()
        assert line.rect().contains(problems.geometry())
        texts.append(problems.text())
        line.set_found(Found())
        assert not problems.isVisible()
    assert list(dict.fromkeys(texts)) == ["2 problems", "2", ""]
    line.set_found(Found("2 problems", "2", "warning", 86))
    problems.click()
    assert requested == [86]


def places(line: OutcomeLine) -> dict[str, QRect]:
    """Where the parts of a line are, once they are laid out."""
    for _ in range(3):  # a layout inside another one takes a turn of its own
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    parts = [part for part in line.findChildren(QWidget) if part.isVisible()]
    return {
        f"{part.parentWidget()} {part.objectName()}": part.geometry()
        for part in parts
        if part.objectName() != "outcome_found"
    }


def test_the_time_needs_room_beside_the_sign_of_problems_alone(qtbot: QtBot, theme: Theme) -> None:
    """Ours: the room for their number hid the time of a failed call in panels of usual width."""
    around = QWidget()
    qtbot.addWidget(around)
    line = OutcomeLine(theme=theme)
    line.setParent(around)
    line.set_outcome("tool error", "error", seconds=0.1, frames=(85, 86))
    line.set_found(Found("2 problems", "2", "warning", 86))
    around.show()
    took = line.findChild(QLabel, "outcome_time")
    assert took is not None
    problems = line.findChild(QPushButton, "outcome_found")
    assert problems is not None

    for width in range(300, 0, -1):
        line.resize(width, 60)
        if took.isHidden():
            break
    line.resize(line.width() + 1, 60)
    assert not took.isHidden()
    assert not problems.isHidden()
    assert problems.text() == ""
