"""What the server printed where people look."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.talk import Talk
from tests.support.wait import wait_until
from tests.ui.qt_actions import press, reads, requested_frames
from ui.models.timeline import Timeline
from ui.navigator import Navigator
from ui.shell import stderr_model
from ui.shell.stderr_console import StderrConsole
from ui.shell.stderr_model import LINE_LIMIT, TIME_ROLE

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
    console.set_timeline(Timeline((talk.transcript,)))
    return console


def lines(console: StderrConsole) -> list[str]:
    return [str(console.model.index(row).data()) for row in range(console.model.rowCount())]


def test_nothing_printed_is_said_not_to_mean_anything(console: StderrConsole) -> None:
    """C-STD-06: stderr is no sign of an error."""
    assert "No stderr output" in reads(console, "stderr_empty")


def test_a_server_over_http_is_said_to_have_none(console: StderrConsole) -> None:
    """Ours."""
    talk = Talk()
    head = b"POST /mcp HTTP/1.1\r\nHost: x\r\n\r\n"
    talk.transcript.append(Direction.SENT, Channel.HTTP, [RawChunk(head)], 1)
    console.set_timeline(Timeline([talk.transcript]))

    assert "No stderr over HTTP" in reads(console, "stderr_empty")


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


async def test_a_line_is_shown_while_it_grows_and_a_carriage_return_starts_it_anew(
    console: StderrConsole, talk: Talk
) -> None:
    """Ours: a progress bar and a prompt have no newline."""
    unfinished, stdout = talk.transcript.unfinished, b'{"jsonrpc"'
    talk.stderr(b"starting")
    unfinished.note(Channel.STDOUT, len(stdout), stdout, stdout)
    unfinished.note(Channel.STDERR, 13, b"\rbuilding 1%", b"\rbuilding 1%")
    await wait_until(lambda: lines(console) == ["starting", "building 1%"])

    bar = b"\rbuilding 1%\rbuilding 2%\x1b[K\r"
    unfinished.note(Channel.STDERR, len(bar), bar, bar)
    await wait_until(lambda: lines(console) == ["starting", "building 2%"])
    console.view.doubleClicked.emit(console.model.index(1))

    unfinished.note(Channel.STDERR, 0)
    talk.stderr(bar + b"done")
    talk.stderr(b"next")
    await wait_until(lambda: lines(console) == ["starting", "done", "next"])


async def test_the_newest_line_is_seen_at_first_and_in_a_view_of_any_height(
    console: StderrConsole, talk: Talk
) -> None:
    """Ours: the end matters."""
    for number in range(100):
        talk.stderr(b"%d" % number)
    console.set_timeline(Timeline())
    console.set_timeline(Timeline((talk.transcript,)))
    bar = console.view.verticalScrollBar()
    await wait_until(lambda: bar.value() == bar.maximum() > 0)
    for height in (400, 120, 260):
        console.resize(600, height)
        await wait_until(lambda: bar.value() == bar.maximum() > 0)


async def test_lines_have_times_and_blank_ones_are_counted(
    console: StderrConsole, talk: Talk
) -> None:
    """Ours: what was printed a minute earlier is told from what matters now."""
    talk.stderr(b"one")
    talk.wait(61)
    talk.stderr(b"\n\n")
    talk.stderr(b"")
    await wait_until(lambda: console.model.rowCount() == 3)

    times = [str(console.model.index(row).data(TIME_ROLE)) for row in range(3)]
    assert times[0] != times[1] == times[2]
    assert lines(console) == ["one", "(3 empty lines)", ""]


async def test_a_line_leads_to_its_frame(console: StderrConsole, talk: Talk) -> None:
    """Ours."""
    talk.log("first")
    number = talk.stderr(b"second")
    await wait_until(lambda: console.model.rowCount() == 1)
    wanted = requested_frames(Navigator(console))

    console.view.doubleClicked.emit(console.model.index(0))

    assert wanted == [number]


async def test_another_record_shows_its_own_lines(console: StderrConsole, talk: Talk) -> None:
    """Ours."""
    talk.stderr(b"old")
    await wait_until(lambda: console.model.rowCount() == 1)
    other = Talk()
    other.stderr(b"new")

    console.set_timeline(Timeline((other.transcript,)))
    talk.stderr(b"late")

    assert lines(console) == ["new"]
    console.set_timeline(Timeline())
    assert console.model.rowCount() == 0


async def test_lines_that_came_out_of_sight_are_followed_to_the_newest(
    console: StderrConsole, talk: Talk
) -> None:
    """Ours: nothing is laid out meanwhile, which takes long of many lines."""
    console.hide()
    for number in range(200):
        talk.stderr(b"line %d" % number)
    await wait_until(lambda: console.model.rowCount() == 200)
    bar = console.view.verticalScrollBar()
    assert bar.maximum() == 0

    console.show()

    await wait_until(lambda: bar.maximum() > 0)
    assert bar.value() == bar.maximum()


async def test_very_many_lines_come_in_parts(
    console: StderrConsole, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: a recording that is opened again has all of them at once."""
    monkeypatch.setattr(stderr_model, "AT_ONCE", 10)
    for number in range(25):
        talk.stderr(b"line %d" % number)
        talk.log("between")

    console.set_timeline(Timeline((talk.transcript,)))

    assert console.model.rowCount() == 5
    await wait_until(lambda: console.model.rowCount() == 25)
    assert lines(console) == [f"line {number}" for number in range(25)]
