"""What the server printed where people look."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from tests.support.talk import Talk
from tests.support.wait import wait_until
from tests.ui.hands import press, reads
from ui.shell.stderr_console import LINE_LIMIT, StderrConsole

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


@pytest.fixture
def talk() -> Talk:
    return Talk()


@pytest.fixture
def console(qtbot: QtBot, theme: Theme, talk: Talk) -> StderrConsole:
    console = StderrConsole(theme=theme)
    qtbot.addWidget(console)
    console.resize(600, 200)
    console.show()
    console.set_transcript(talk.transcript)
    return console


def lines(console: StderrConsole) -> list[str]:
    return [str(console.model.index(row).data()) for row in range(console.model.rowCount())]


def test_nothing_printed_is_said_not_to_mean_anything(console: StderrConsole) -> None:
    """C-STD-06: stderr is no sign of an error."""
    assert "Nothing on stderr" in reads(console, "stderr_empty")


async def test_lines_come_as_they_are_printed_and_others_do_not(
    console: StderrConsole, talk: Talk
) -> None:
    """C-STD-06."""
    talk.stderr(b"one")
    talk.log("no stderr")
    talk.stderr("zwei äöü".encode())
    talk.stderr(b"bad \xff byte")

    await wait_until(lambda: console.model.rowCount() == 3)
    assert lines(console) == ["one", "zwei äöü", "bad \ufffd byte"]


async def test_escape_sequences_are_never_acted_upon(console: StderrConsole, talk: Talk) -> None:
    """stdio-04-ansi-colours: colours go, no title is set, no link is made out of sight."""
    talk.stderr(b"\x1b]0;title\x07\x1b[31mbad\x1b[0m\x1b]8;;http://x.test\x1b\\link\x1b]8;;\x1b\\")
    talk.stderr(b"\x1b[2J\x1b[Hgone?\x07")
    await wait_until(lambda: console.model.rowCount() == 2)

    assert lines(console) == ["badlink", "gone?⟨BEL⟩"]
    assert console.windowTitle() == ""
    tip = str(console.model.index(0).data(Qt.ItemDataRole.ToolTipRole))
    assert "http://x.test" not in tip
    assert "<a" not in tip


async def test_markup_and_reordering_are_text(console: StderrConsole, talk: Talk) -> None:
    """text-01-bidi-and-invisible."""
    talk.stderr("<b>a</b>\u202egpj.exe".encode())
    await wait_until(lambda: console.model.rowCount() == 1)

    assert lines(console) == ["<b>a</b>⟨U+202E⟩gpj.exe"]
    assert "&lt;b&gt;" in str(console.model.index(0).data(Qt.ItemDataRole.ToolTipRole))


async def test_a_long_line_is_cut_on_screen_and_copied_whole(
    console: StderrConsole, talk: Talk
) -> None:
    """Ours."""
    talk.stderr(b"x" * 10_000)
    await wait_until(lambda: console.model.rowCount() == 1)
    assert len(lines(console)[0]) <= LINE_LIMIT + 1

    console.view.setCurrentIndex(console.model.index(0))
    press(console.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)

    await wait_until(lambda: QGuiApplication.clipboard().text() == "x" * 10_000)


async def test_it_follows_the_newest_line_until_someone_scrolls_up(
    console: StderrConsole, talk: Talk
) -> None:
    """Ours; nothing jumps under the pointer."""
    for number in range(100):
        talk.stderr(b"%d" % number)
    await wait_until(lambda: console.model.rowCount() == 100)
    bar = console.view.verticalScrollBar()
    await wait_until(lambda: bar.value() == bar.maximum() > 0)

    bar.setValue(10)
    for number in range(50):
        talk.stderr(b"%d" % number)
    await wait_until(lambda: console.model.rowCount() == 150)

    assert bar.value() == 10


async def test_a_line_leads_to_its_frame(console: StderrConsole, talk: Talk) -> None:
    """Ours."""
    talk.log("first")
    number = talk.stderr(b"second")
    await wait_until(lambda: console.model.rowCount() == 1)
    wanted: list[int] = []
    console.frame_wanted.connect(wanted.append)

    console.view.doubleClicked.emit(console.model.index(0))

    assert wanted == [number]


async def test_another_record_shows_its_own_lines(console: StderrConsole, talk: Talk) -> None:
    """Ours."""
    talk.stderr(b"old")
    await wait_until(lambda: console.model.rowCount() == 1)
    other = Talk()
    other.stderr(b"new")

    console.set_transcript(other.transcript)
    talk.stderr(b"late")

    assert lines(console) == ["new"]
    console.set_transcript(None)
    assert console.model.rowCount() == 0
