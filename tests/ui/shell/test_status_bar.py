"""Counts that are buttons."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QRect
from PySide6.QtWidgets import QLayout, QMenu, QPushButton, QWidget

from inspector.checks.problem_sums import Sums, problem_sums
from inspector.errors import StorageError
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel
from tests.support.answering import silence
from tests.support.modern import ModernServer
from tests.support.talk import Talk
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, find, reads, sees
from ui.shell.status_bar import StatusBar

if TYPE_CHECKING:
    import logging

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from tests.ui.shell.shell_fixture import ShellFixture
    from ui.theme import Theme


@pytest.fixture
def bar(qtbot: QtBot, theme: Theme) -> StatusBar:
    bar = StatusBar(theme=theme)
    qtbot.addWidget(bar)
    bar.resize(900, 28)
    bar.show()
    return bar


def test_what_a_record_counts_is_told(bar: StatusBar) -> None:
    """Ours; ux: counts, pending requests, problems, capture size."""
    talk = Talk()
    talk.call(1, "a")
    talk.call(2, "b")
    talk.text_result(1, "x")
    talk.received(b"no json")
    talk.stderr(b"one")

    bar.show_counts([talk.transcript], None)
    bar.show_problems(problem_sums(talk.transcript.rule_findings))

    assert reads(bar, "status_messages") == "↑ 2  ↓ 2 messages"
    assert reads(bar, "status_pending") == "1 pending"
    assert reads(bar, "status_problems") == "1 problem"
    assert reads(bar, "status_stderr") == "stderr: 1 line"

    talk.transcript.unfinished.note(Channel.STDERR, 6, b"prompt", b"prompt")
    bar.show_counts([talk.transcript], None)
    assert reads(bar, "status_stderr") == "stderr: 2 lines"
    assert reads(bar, "status_capture").startswith("not saved")


def test_without_problems_the_status_bar_counts_what_else_was_found(bar: StatusBar) -> None:
    """Ours: zero problems would say that nothing is wrong; a narrow bar counts errors and warnings as one."""
    bar.resize(1200, 28)
    bar.show_counts([Talk().transcript], None)
    texts: list[str] = []
    for sums in (Sums(), Sums(muted=2), Sums(notes=1, muted=2), Sums(warnings=1, notes=1)):
        bar.show_problems(sums)
        texts.append(reads(bar, "status_problems"))
    assert texts == ["no findings", "2 muted", "1 note", "1 warning"]

    bar.show_problems(Sums(errors=2, warnings=1))
    assert reads(bar, "status_problems") == "2 errors, 1 warning"
    bar.resize(900, 28)
    assert reads(bar, "status_problems") == "3 problems"


def test_what_is_counted_is_what_the_traffic_lists(bar: StatusBar) -> None:
    """Ours: the frames of all runs; the size is that of the recording of the latest."""
    first, second = Talk(), Talk()
    first.call(1, "a")
    first.text_result(1, "x")
    first.received(b"no json")
    first.stderr(b"one")
    second.call(1, "a")

    bar.show_counts([first.transcript, second.transcript], None)

    assert reads(bar, "status_messages") == "↑ 2  ↓ 2 messages"
    assert reads(bar, "status_pending") == "1 pending"
    assert reads(bar, "status_stderr") == "stderr: 1 line"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("messages", ""),
        ("pending", "status:pending"),
        ("stderr", "kind:stderr"),
    ],
)
def test_each_count_filters_the_traffic_to_what_it_counts(
    bar: StatusBar, name: str, text: str
) -> None:
    """Ours; ux: each is a button that filters the traffic."""
    bar.show_counts([Talk().transcript], None)
    wanted: list[str] = []
    bar.filter_requested.connect(wanted.append)

    click(bar, f"status_{name}")

    assert wanted == [text]


def test_the_count_of_problems_leads_to_their_page(bar: StatusBar) -> None:
    """Ours."""
    bar.show_counts([Talk().transcript], None)
    requested: list[bool] = []
    bar.problems_requested.connect(lambda: requested.append(True))

    click(bar, "status_problems")

    assert requested == [True]


def test_without_a_record_there_is_nothing_to_count(bar: StatusBar) -> None:
    """Ours."""
    bar.show_counts([Talk().transcript], None)
    bar.show_counts((), None)

    assert reads(bar) == ""


def test_a_message_leaves_the_counts_where_they_are(bar: StatusBar) -> None:
    """Ours; nothing jumps."""
    bar.show_counts([Talk().transcript], None)

    bar.show_message("something <b>happened</b>")

    assert reads(bar, "status_message") == "something <b>happened</b>"
    assert sees(bar, "status_messages")


async def test_a_count_filters_the_traffic_of_the_window(shell: ShellFixture) -> None:
    """Ours; C-STD-06: what the server printed is no error, and easily found."""
    shell.server.answers["tools/call"] = silence
    session = await shell.open()
    session.tools.call(session.tools.items[0], "{}")
    await wait_until(lambda: reads(shell.window, "status_pending") == "1 pending")

    click(shell.window, "status_pending")

    assert shell.window.parts.traffic.filter_text() == "status:pending"
    await wait_until(lambda: shell.window.parts.traffic.model.rowCount() == 1)


async def test_a_ping_says_how_far_away_the_server_is(shell: ShellFixture) -> None:
    """C-PNG-02."""
    assert not sees(shell.window, "status_ping")
    await shell.open()
    await wait_until(lambda: sees(shell.window, "status_ping"))
    assert reads(shell.window, "status_ping") == "ping"

    shell.window.commands.actions["ping"].trigger()

    await wait_until(lambda: reads(shell.window, "status_ping").endswith("ms"))
    assert reads(shell.window, "status_ping").startswith("ping ")
    before = len(shell.session.ping.history)
    click(shell.window, "status_ping")
    await wait_until(lambda: len(shell.session.ping.history) == before + 1)


async def test_pings_go_on_by_themselves_when_the_person_wants_that(shell: ShellFixture) -> None:
    """C-PNG-02: off at first, the interval is chosen, the last round trips are in the tool tip."""
    session = await shell.open()
    button = find(shell.window, QPushButton, "status_ping")
    await wait_until(button.isVisible)
    button.customContextMenuRequested.emit(button.rect().center())
    menu = find(shell.window, QMenu, "ping_menu")
    text = [action.text() for action in menu.actions() if action.text()]
    assert text == ["Ping now", "Off", "Every 10 s", "Every 30 s", "Every 60 s"]
    assert [action.isChecked() for action in menu.actions()[2:]] == [True, False, False, False]
    menu.actions()[3].trigger()
    menu.close()
    await wait_until(lambda: reads(shell.window, "status_ping").endswith("ms · every 10 s"))

    assert "last 1 ping: min" in button.toolTip()
    session.ping.repeat(0)
    await wait_until(lambda: reads(shell.window, "status_ping").endswith("ms"))


async def test_a_ping_without_an_answer_says_that(shell: ShellFixture) -> None:
    """C-PNG-02."""
    session = await shell.open()
    shell.server.answers.pop("ping")

    shell.window.commands.actions["ping"].trigger()

    await wait_until(lambda: session.ping.history)
    await wait_until(lambda: reads(shell.window, "status_ping") == "ping: no response")


async def test_faults_of_spyglass_itself_are_told_and_can_be_read(
    shell: ShellFixture, logged: list[logging.LogRecord]
) -> None:
    """Ours."""
    assert not sees(shell.window, "status_faults")

    shell.app.reporter.report(ValueError("ours"), "While testing")

    assert reads(shell.window, "status_faults").startswith("1 internal error: While testing")
    button = find(shell.window, QPushButton, "status_faults")
    assert "While testing: ValueError: ours" in button.toolTip()
    click(shell.window, "status_faults")
    await wait_until(lambda: sees(shell.window, "about_errors"))
    assert "While testing: ValueError: ours" in reads(shell.window, "about_errors")
    shell.app.reporter.clear()
    logged.clear()


def test_the_latest_internal_error_is_named_as_far_as_there_is_room(bar: StatusBar) -> None:
    """Ours: what failed, where it is told, and not only in the list of errors."""
    bar.setMinimumWidth(1)  # as in the window
    bar.resize(1000, 24)
    bar.set_faults(2, "refresh lists: ValueError: no such thing")
    assert (
        reads(bar, "status_faults") == "2 internal errors: refresh lists: ValueError: no such thing"
    )

    bar.resize(120, 24)

    assert reads(bar, "status_faults") == "2 internal errors"
    assert "no such thing" in find(bar, QPushButton, "status_faults").toolTip()
    assert "no such thing" in find(bar, QPushButton, "status_faults").accessibleName()


async def test_where_the_revision_has_no_ping_that_is_said(shell: ShellFixture) -> None:
    """C-PNG-05."""
    shell.server = ModernServer()
    await shell.open()
    await wait_until(lambda: reads(shell.window, "status_ping") == "no ping")
    button = find(shell.window, QPushButton, "status_ping")
    assert not button.isEnabled()
    assert "has no ping" in button.toolTip()
    assert not shell.window.commands.actions["ping"].isEnabled()


@pytest.mark.parametrize("faults", [0, 1, 12])
def test_buttons_get_room_for_their_numbers_in_another_size_of_text(
    bar: StatusBar, theme: Theme, qapp: QApplication, faults: int
) -> None:
    """Ours: nothing overlaps in a window of any width, and the reason why nothing is recorded is seen."""
    talk = Talk()
    talk.call(1, "a")
    bar.show_counts([talk.transcript], None)
    bar.show_for_user(1, elsewhere=1)
    bar.set_faults(faults, "x" * 100)
    layout = bar.layout()
    assert layout is not None
    layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
    bar.setMinimumWidth(0)  # as in a window, which a bar does not make wider

    for scale, narrowest in ((1.0, 512), (2.0, 1024)):
        theme.apply(qapp, "light", scale)
        for width in range(narrowest, 2600, 61):
            bar.resize(width, bar.height())
            layout.activate()
            assert bar.width() == width
            buttons = [each for each in bar.findChildren(QPushButton) if each.isVisible()]
            buttons.sort(key=lambda button: button.x())
            ends = [button.geometry().right() + 1 for button in buttons]
            starts = [*(button.x() for button in buttons[1:]), bar.width() + 1]
            assert all(map(operator.lt, ends, starts)), (scale, width)
            assert all(each.width() >= each.minimumSizeHint().width() for each in buttons)
            assert {"status_problems", "status_for_user"} <= {each.objectName() for each in buttons}


def test_why_nothing_is_recorded_is_said_in_the_bar(bar: StatusBar) -> None:
    """Ours: the cause, however long the path before it is."""
    failure = StorageError(f"the transcript {'/folder' * 30} cannot be made: No space left")

    bar.show_counts([Transcript(failure=failure)], None)

    assert reads(bar, "status_capture").endswith("No space left")
    button = find(bar, QPushButton, "status_capture")
    assert failure.reason in button.toolTip().replace("\n", "")  # long paths are broken
    assert button.property("tone") == "error"


def test_the_bar_is_as_high_as_the_empty_one_and_grows_with_the_text(
    bar: StatusBar, theme: Theme, qapp: QApplication
) -> None:
    """Ours: nothing moves when the counts come."""
    assert bar.height() == 24
    bar.show_counts([Talk().transcript], None)
    bar.set_faults(1, "refresh lists: ValueError: no such thing")
    assert bar.height() == 24

    theme.apply(qapp, "light", 2.0)

    assert bar.height() == 48


def test_only_what_is_not_zero_has_a_color(bar: StatusBar) -> None:
    """Ours: a screen without errors has nothing that stands out."""
    names = ("messages", "pending", "for_user", "problems", "capture", "stderr")

    def tones() -> dict[str, str]:
        buttons = {name: find(bar, QPushButton, f"status_{name}") for name in names}
        return {name: str(button.property("tone")) for name, button in buttons.items()}

    bar.show_counts([Talk().transcript], None)
    assert tones() == dict.fromkeys(names, "muted")
    talk = Talk()
    talk.call(1, "a")
    talk.received(b"no json")

    bar.show_counts([talk.transcript], None)
    bar.show_problems(problem_sums(talk.transcript.rule_findings))
    bar.show_for_user(1)

    assert tones()["pending"] == "pending"
    assert tones()["for_user"] == "person"
    assert tones()["problems"] in {"error", "warning"}


def test_requests_that_wait_are_counted_without_a_recording_too(bar: StatusBar) -> None:
    """Ours: another server than the displayed one may wait; the button moves no other."""
    listed: list[bool] = []
    bar.requests_requested.connect(lambda: listed.append(True))
    bar.show_counts((), None)
    assert not sees(bar, "status_for_user")
    bar.show_for_user(2)
    assert reads(bar, "status_for_user") == "2 waiting for you"
    click(bar, "status_for_user")
    assert listed == [True]

    bar.show_counts([Talk().transcript], None)
    bar.show_for_user(0)
    assert not sees(bar, "status_for_user")
    places = places_of(bar, "problems", "ping", "message")
    bar.show_for_user(9)
    assert places_of(bar, "problems", "ping", "message") == places
    bar.show_for_user(12, elsewhere=2)

    assert reads(bar, "status_for_user") == "12 waiting for you"
    assert places_of(bar, "problems", "ping") == places[:2]
    bar.resize(1200, 28)
    assert reads(bar, "status_for_user") == "12 waiting for you, 2 in another server"


def places_of(bar: StatusBar, *names: str) -> list[QRect]:
    """Where parts of the bar are, once it is laid out."""
    for _ in range(3):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    return [find(bar, QWidget, f"status_{name}").geometry() for name in names]
