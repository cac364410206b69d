"""The strip of the folded dock."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest

from tests.support.answering import Silence
from tests.support.wait import wait_until
from ui.shell.dock_strip import NARROW
from ui.shell.strip_feed import INTERVAL_MS

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.ui.shell.shell_fixture import ShellFixture
    from ui.models.latest_message import LatestMessage
    from ui.shell.dock_strip import StripButton


SECONDS = 0.8
"""How long the flood lasts."""
NOTIFICATION: JsonObject = {
    "jsonrpc": "2.0",
    "method": "notifications/message",
    "params": {"level": "info", "data": "tick"},
}


def silent(_params: JsonObject) -> Json:
    raise Silence


async def folded(shell: ShellFixture) -> StripButton:
    """Connect, and fold the bottom dock."""
    await shell.open()
    shell.window.commands.actions["dock_traffic"].trigger()
    await wait_until(lambda: shell.window.bottom.height() == 32)
    button = shell.window.bottom.strip.button
    await wait_until(lambda: button.message is not None and button.width() > NARROW)
    return button


def message_of(button: StripButton) -> LatestMessage:
    assert button.message is not None
    return button.message


async def test_it_shows_the_latest_message_and_its_outcome(shell: ShellFixture) -> None:
    """Ours."""
    button = await folded(shell)

    shell.tools.choose(3)
    shell.tools.call_panel.call_button.click()

    await wait_until(lambda: message_of(button).name == "tool_03")
    await wait_until(lambda: message_of(button).kind == "response")
    message = message_of(button)
    assert message.method == "tools/call"
    assert message.outcome_tone == "muted"
    assert message.duration
    for part in ("Traffic", str(message.number), "received", "tools/call", "tool_03"):
        assert part in button.accessibleName()


async def test_in_a_narrow_window_links_give_way_to_the_message(shell: ShellFixture) -> None:
    """Ours: but for the one that tells of problems, which has their color."""
    await folded(shell)
    strip = shell.window.bottom.strip
    problems = strip.links["problems"]
    assert all(link.isVisible() for link in strip.links.values())

    strip.set_count("problems", 3, "error")
    shell.window.resize(880, 700)
    await wait_until(lambda: strip.width() < NARROW)

    assert [key for key, link in strip.links.items() if link.isVisible()] == ["problems"]
    assert problems.text() == "Problems 3"
    assert problems.palette().buttonText().color() == shell.app.theme.color("error")


async def test_the_name_of_a_message_gives_way_to_its_outcome(shell: ShellFixture) -> None:
    """Ours: how it ended is why one looks."""
    button = await folded(shell)
    message = replace(message_of(button), name="a_long_name_" * 20, outcome="Tool error")

    button.show_message(message, 1)

    font = QFontMetrics(shell.app.theme.font())
    end = button.part_lefts()["Tool error"] + font.horizontalAdvance("Tool error")
    assert end < button.width()


async def test_it_shows_no_keep_alives_and_nothing_that_is_no_message(shell: ShellFixture) -> None:
    """Ours."""
    button = await folded(shell)
    before = message_of(button).number

    timeline = shell.window.parts.traffic.model.timeline
    count = timeline.count
    shell.server.send({"jsonrpc": "2.0", "id": 900, "method": "ping"})
    await wait_until(lambda: timeline.count >= count + 2)
    await wait_until(lambda: str(timeline.count) in button.accessibleName())

    assert message_of(button).number == before


async def test_a_flood_replaces_the_message_four_times_a_second_at_most(
    shell: ShellFixture,
) -> None:
    """Ours."""
    button = await folded(shell)
    start, seen = time.monotonic(), set[int]()

    while (passed := time.monotonic() - start) < SECONDS:
        shell.server.send(NOTIFICATION)
        await asyncio.sleep(0.005)
        seen.add(message_of(button).number)

    assert 1 < len(seen) <= passed * 1000 / INTERVAL_MS + 2


async def test_the_parts_of_a_message_stay_where_they_are(shell: ShellFixture) -> None:
    """Ours: nothing dances while messages are replaced."""
    button = await folded(shell)
    before = button.part_lefts()
    number = message_of(button).number

    for _ in range(3):
        shell.server.send(NOTIFICATION)
    await wait_until(lambda: message_of(button).number >= number + 3)
    after = button.part_lefts()

    lefts = [
        (places[f"#{n}"], places[time_of(places)])
        for places, n in ((before, number), (after, message_of(button).number))
    ]
    assert lefts[0] == lefts[1]
    assert before["Traffic"] == after["Traffic"]


def time_of(places: dict[str, int]) -> str:
    """The time among the texts of the line."""
    return next(text for text in places if text.count(":") == 2)


async def test_a_pending_request_has_a_running_clock(shell: ShellFixture) -> None:
    """Ours; ux: the pending request shows a running clock."""
    button = await folded(shell)
    shell.server.answers["tools/call"] = silent

    shell.tools.choose(3)
    shell.tools.call_panel.call_button.click()
    await wait_until(lambda: message_of(button).is_pending)
    before = message_of(button).duration

    await wait_until(lambda: message_of(button).duration != before)
    assert message_of(button).outcome_tone == "pending"


async def test_a_problem_colors_only_the_outcome(shell: ShellFixture) -> None:
    """Ours; nothing is said by color alone."""
    button = await folded(shell)
    shell.server.answers["tools/call"] = lambda _: {
        "isError": True,
        "content": [{"type": "text", "text": "no"}],
    }

    shell.tools.choose(3)
    shell.tools.call_panel.call_button.click()

    await wait_until(lambda: message_of(button).outcome_tone == "error")
    assert message_of(button).outcome in button.accessibleName()


async def test_the_whole_line_is_one_button_that_opens_the_dock(shell: ShellFixture) -> None:
    """Ours; also with the keyboard, and the focus stays in the dock."""
    button = await folded(shell)
    button.setFocus()

    QTest.keyClick(button, Qt.Key.Key_Space)

    await wait_until(lambda: not shell.window.bottom.is_folded)
    assert shell.window.bottom.isAncestorOf(shell.window.focusWidget())


async def test_a_link_opens_the_dock_with_its_page(shell: ShellFixture) -> None:
    """Ours."""
    button = await folded(shell)
    shell.window.bottom.strip.links["stderr"].click()

    await wait_until(lambda: shell.window.is_dock_visible("stderr"))
    assert not button.isVisible()
