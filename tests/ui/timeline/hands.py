"""A session with something on every track, its page, and what tests do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inspector.transcript.spans.track import Track
from ui.timeline.page import TimelinePage
from ui.timeline.track_painter import NAMES_WIDTH

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tests.support.talk import Talk
    from ui.models.timeline import Timeline
    from ui.theme import Theme
    from ui.timeline.scene import Mark


def converse(talk: Talk) -> Talk:
    """Three calls in a minute, the second one long and with a question of the server inside, the last one pending."""
    talk.note("started", "started process 7", pid=7)  # 1
    talk.call(1, "quick")  # 2
    talk.wait(1)
    talk.text_result(1, "fine")  # 3
    talk.wait(9)
    talk.call(2, "slow")  # 4
    talk.wait(10)
    talk.received({"jsonrpc": "2.0", "id": 9, "method": "sampling/createMessage"})  # 5
    talk.log("working")  # 6
    talk.wait(5)
    talk.sent({"jsonrpc": "2.0", "id": 9, "result": {}})  # 7
    talk.stderr(b"careful")  # 8
    talk.wait(15)
    talk.text_result(2, "no", is_error=True)  # 9
    talk.wait(10)
    talk.call(3, "hangs")  # 10
    talk.wait(10)
    return talk


def shown(qtbot: QtBot, theme: Theme, talk: Talk, timeline: Timeline) -> TimelinePage:
    page = TimelinePage(theme=theme, clock=talk.clock)
    qtbot.addWidget(page)
    page.resize(NAMES_WIDTH + 1200, 400)
    page.set_timeline(timeline)
    page.show()
    qtbot.waitUntil(lambda: page.feed.is_complete and page.visible_time.length_s > 0)
    qtbot.waitUntil(lambda: bool(marks(page, Track.REQUESTS_OUT)))
    return page


def marks(page: TimelinePage, track: Track) -> list[Mark]:
    return [mark for mark in page.tracks.scene.marks if mark.track is track and mark.at >= 0]


def press(page: TimelinePage, *keys: Qt.Key, control: bool = False) -> None:
    held = Qt.KeyboardModifier.ControlModifier if control else Qt.KeyboardModifier.NoModifier
    for key in keys:
        QTest.keyClick(page.tracks, key, held)
