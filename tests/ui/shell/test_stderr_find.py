"""Finding in standard error, and hiding the lines so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QToolButton

from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.talk import Talk
from tests.support.wait import wait_until
from tests.ui.qt_actions import press
from ui.models.timeline import Timeline
from ui.shell.stderr_console import StderrConsole

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tests.ui.shell.shell_fixture import ShellFixture
    from ui.theme import Theme

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def talk() -> Talk:
    return Talk()


@pytest.fixture
def console(qtbot: QtBot, theme: Theme, talk: Talk) -> StderrConsole:
    console = StderrConsole(theme=theme)
    qtbot.addWidget(console)
    console.resize(600, 200)
    console.show()
    console.set_timeline(Timeline((talk.transcript,)))
    return console


def lines(console: StderrConsole) -> list[str]:
    return [console.model.text(row) for row in range(console.model.rowCount())]


def told(console: StderrConsole) -> str:
    return console.find_bar.outcome()


async def printed(console: StderrConsole, talk: Talk, *texts: bytes) -> None:
    """The server prints lines, and they are shown."""
    rows = console.model.rowCount() + len(texts)
    for text in texts:
        talk.stderr(text)
    await wait_until(lambda: console.model.rowCount() == rows)


def find(console: StderrConsole, text: str) -> None:
    console.open_find()
    console.find_bar.line.setText(text)
    press(console.find_bar.line, Qt.Key.Key_Return)


def current(console: StderrConsole) -> int:
    return console.view.currentIndex().row()


async def test_finding_goes_from_line_to_line_and_round_at_both_ends(
    console: StderrConsole, talk: Talk
) -> None:
    """Ours: the place among the lines that match is told; capitals matter only where they are typed."""
    await printed(console, talk, b"an Error", b"fine", b"\x1b[31merr\x1b[0mor", b"fine", b"ERROR")

    find(console, "error")
    seen = [(current(console), told(console))]
    for _ in range(3):
        press(console.find_bar.line, Qt.Key.Key_Return)
        seen.append((current(console), told(console)))
    press(console.find_bar.line, Qt.Key.Key_Return, SHIFT)
    press(console.find_bar.line, Qt.Key.Key_Return, SHIFT)

    assert seen == [(0, "1 of 3"), (2, "2 of 3"), (4, "3 of 3"), (0, "1 of 3")]
    assert (current(console), told(console)) == (2, "2 of 3")
    find(console, "Error")
    assert told(console) == "1 of 1"


async def test_no_match_is_said_and_closing_returns_to_the_lines(
    console: StderrConsole, talk: Talk
) -> None:
    """Ours."""
    await printed(console, talk, b"one", b"two")

    press(console.view, Qt.Key.Key_F, CTRL)
    assert console.find_bar.isVisible()
    find(console, "three")
    assert told(console) == "No match"

    console.find_bar.line.setText("thre")
    assert told(console) == ""
    press(console.find_bar.line, Qt.Key.Key_Escape)
    assert console.find_bar.isHidden()


async def test_lines_that_come_later_count_and_do_not_take_the_found_one_away(
    console: StderrConsole, talk: Talk
) -> None:
    """Ours."""
    await printed(console, talk, *[b"line %d" % number for number in range(50)], b"wanted")
    find(console, "wanted")
    value = console.view.verticalScrollBar().value()

    await printed(console, talk, *[b"more"] * 50, b"wanted")

    await wait_until(lambda: told(console) == "1 of 2")
    assert console.view.verticalScrollBar().value() == value


async def test_many_lines_are_searched_in_slices(console: StderrConsole, talk: Talk) -> None:
    """Ours: the window is not held up, and what is known is told meanwhile."""
    batch = [RawChunk(b"a line without it")] * 1000
    for _ in range(60):
        talk.transcript.append(Direction.RECEIVED, Channel.STDERR, batch)
    talk.stderr(b"wanted")
    await wait_until(lambda: console.model.rowCount() == 60_001)

    find(console, "wanted")
    console.view.clearSelection()
    assert told(console) == "Searching…"

    await wait_until(lambda: told(console) == "1 of 1")
    assert current(console) == 60_000


async def test_cleared_lines_are_counted_and_can_be_shown_again(
    console: StderrConsole, talk: Talk
) -> None:
    """Ours: only this view lacks them; the record keeps everything."""
    await printed(console, talk, b"one", b"two")
    notice = console.findChild(QLabel, "stderr_hidden_words")
    assert notice is not None
    assert not notice.isVisible()

    console.hide_earlier()
    assert (lines(console), console.model.hidden_count) == ([], 2)
    assert notice.isVisible()
    assert notice.text().startswith("2 ")
    await printed(console, talk, b"three")
    assert lines(console) == ["three"]
    assert talk.transcript.count == 3

    console.show_earlier()
    assert lines(console) == ["one", "two", "three"]
    assert not notice.isVisible()


async def test_cleared_lines_stay_hidden_in_the_next_run_and_after_another_server(
    console: StderrConsole, talk: Talk
) -> None:
    """Ours."""
    await printed(console, talk, b"one")
    console.hide_earlier()
    other, again = Talk(), Talk()
    other.stderr(b"other")
    again.note("started", "the next run")
    again.stderr(b"two")

    console.set_timeline(Timeline((other.transcript,)))
    assert (lines(console), console.model.hidden_count) == (["other"], 0)
    runs = (talk.transcript, again.transcript)
    console.set_timeline(Timeline(runs, lambda _: "a new run"))

    assert (lines(console), console.model.hidden_count) == (["a new run", "two"], 1)
    console.show_earlier()
    assert lines(console) == ["one", "a new run", "two"]
    assert console.model.line_count == 2  # the row that begins a run is no line


async def test_a_search_is_over_when_lines_are_cleared(console: StderrConsole, talk: Talk) -> None:
    """Ours: its rows stand for other lines then."""
    await printed(console, talk, b"one", b"two")
    find(console, "two")
    console.hide_earlier()
    assert told(console) == ""
    await printed(console, talk, b"three", b"two")

    press(console.find_bar.line, Qt.Key.Key_Return)

    assert (current(console), told(console)) == (1, "1 of 1")


async def test_the_page_of_standard_error_has_buttons_and_commands_for_both(
    shell: ShellFixture,
) -> None:
    """Ours; ux: every action has a menu entry."""
    window = shell.window
    for name in ("stderr_find", "stderr_clear"):
        assert window.parts.stderr.findChild(QToolButton, name) is not None

    window.commands.actions["stderr_find"].trigger()

    await wait_until(lambda: window.is_dock_visible("stderr"))
    assert window.parts.stderr.find_bar.isVisible()
