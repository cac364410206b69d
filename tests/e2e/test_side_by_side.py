"""Several servers at the same time, and what is done with the window while they are connected; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLineEdit, QListView, QPlainTextEdit, QTableView

from inspector.wire.frame import Direction
from tests.e2e import work
from tests.e2e.marked import marked, new_mark
from tests.e2e.peers import DEMO, SDK1, SDK2, Act
from tests.e2e.qt_queries import rows, spot
from tests.e2e.waits import until

if TYPE_CHECKING:
    from tests.e2e.user import User

pytestmark = pytest.mark.timeout(180, method="thread")

WAIT = Act("Wait", {"/seconds": "3600"})


async def test_each_session_keeps_its_own_page_traffic_and_calls(
    user: User, request: pytest.FixtureRequest
) -> None:
    """Ours: one is shown, the others go on; coming back finds what was left."""
    mark = new_mark()
    await work.connect(user, DEMO.command_line(request, mark))
    waiting = await work.start_call(user, WAIT)
    await work.connect(user, SDK1.command_line(request, mark))
    await work.connect(user, SDK2.command_line(request, mark))
    await work.call(user, SDK2.speaks)
    seen_in_sdk2 = user.transcript.count

    assert [row[0] for row in user.reads_rows("servers_list")] == [
        "inspector.demo",
        "sdk1_server",
        "sdk2_server",
    ]
    await user.chooses_row("servers_list", "inspector.demo")
    await user.reads_soon("header_name", "inspector.demo")
    await user.opens_tab("Overview")
    await user.reads_soon("overview_title", DEMO.name)
    assert waiting.state == "running"
    await until(lambda: len(user.reads_rows("traffic_table")) == user.transcript.count, "rows")

    await user.chooses_row("servers_list", "sdk1_server")
    await user.reads_soon("overview_title", SDK1.name)
    await user.chooses_row("servers_list", "sdk2_server")
    await user.reads_soon("overview_title", SDK2.name)
    await until(lambda: len(user.reads_rows("traffic_table")) == seen_in_sdk2, "its traffic")

    await work.disconnect(user)
    await user.chooses_row("servers_list", "inspector.demo")
    await work.choose_tool(user, WAIT.tool)
    await until(lambda: work.outcome(user) == "running", "the call that still runs")
    await user.clicks("cancel_button")
    await until(lambda: waiting.state == "cancelled", "the end of the call")
    assert len(marked(mark)) == 2


async def test_colours_and_text_size_change_while_connected(user: User) -> None:
    """Ours: by the menu and its shortcuts; what is on the screen stays what it is."""
    await work.connect(user, " ".join(DEMO.argv_alone()))
    await work.call(user, DEMO.structures)
    before = user.reads("call_content")
    light = user.window.grab().toImage().pixelColor(5, 5)

    user.window.commands.actions["theme_dark"].trigger()
    await until(lambda: user.app.theme.mode == "dark", "dark colours")
    dark = user.window.grab().toImage().pixelColor(5, 5)
    height = user.window.fontMetrics().height()
    await user.presses("Ctrl++")
    await user.presses("Ctrl++")
    await until(lambda: user.window.fontMetrics().height() > height, "larger text")

    assert light.lightness() > 200 > 60 > dark.lightness()
    assert user.reads("call_content") == before
    await work.call(user, DEMO.speaks)
    await user.reads_soon("call_content", DEMO.speaks.seen)
    await user.presses("Ctrl+0")
    await until(lambda: user.window.fontMetrics().height() == height, "the usual size")


async def test_the_palette_finds_tools_servers_and_commands(user: User) -> None:
    """Ours: Ctrl+K, a few letters, Enter."""
    await work.connect(user, " ".join(DEMO.argv_alone()))
    await user.opens_tab("Overview")

    await finds_and_takes(user, "weather tool")
    await until(lambda: user.reads("tool_title") == "Weather", "the tool")
    await finds_and_takes(user, "disconnect command")
    await user.reads_soon("header_state", "Disconnected")
    old = work.shown(user)
    await finds_and_takes(user, "inspector.demo server")
    await until(lambda: work.shown(user) is not old, "another session")
    await work.is_ready(user)


async def finds_and_takes(user: User, text: str) -> None:
    """Type into the palette and take the first match."""
    await user.presses("Ctrl+K")
    palette = await user.finds_window("palette")
    await user.types("palette_field", text, palette)
    view = await user.finds(QListView, "palette_view", palette)
    assert rows(view) != []
    await user.presses("Return", spot(QLineEdit, "palette_field", palette))
    await until(lambda: not palette.isVisible(), "the palette to close")


async def test_a_call_is_sent_again_with_another_argument_and_the_results_compared(
    user: User,
) -> None:
    """Ours: Ctrl+E on its row; the page sends what it shows, and says what was changed and what differs."""
    await work.connect(user, " ".join(DEMO.argv_alone()))
    await work.call(user, DEMO.speaks)
    await user.types("traffic_filter_line", "method:tools/call dir:out")
    await until(lambda: len(user.reads_rows("traffic_table")) == 1, "the call alone")
    await user.chooses_row("traffic_table", "tools/call")

    await user.presses("Ctrl+E", spot(QTableView, "traffic_table", user.window))
    edit = await user.finds(QPlainTextEdit, "repeat_edit")
    assert '"id": "rep-1"' in edit.toPlainText()
    edited = edit.toPlainText().replace('"hello"', '"once more"')
    await user.pastes("repeat_edit", edited)
    await user.presses("Ctrl+Return")

    await until(lambda: compared(user), "the comparison")
    assert compared(user) == ['message: "once more"', "1 changed: text"]
    sent = [
        number
        for number in range(1, user.transcript.count + 1)
        if user.transcript.raw(number).replace(b" ", b"") == "".join(edited.split()).encode()
    ]
    assert len(sent) == 1
    assert user.transcript.row(sent[0]).direction is Direction.SENT
    assert user.transcript.status(sent[0]) == "ok"
    await until(lambda: len(user.reads_rows("traffic_table")) == 2, "its row")
    await user.clicks("repeat_answer_views_difference")
    await until(
        lambda: any("once more" in "".join(row) for row in user.reads_rows("repeat_difference")),
        "the difference",
    )


def compared(user: User) -> list[str]:
    """What was changed in the latest send, and how its result differs; empty before that is known."""
    texts = user.reads_rows("repeat_sends")
    return [texts[0][2], texts[0][-1]] if texts and texts[0][-1] else []


async def test_connecting_again_begins_another_record(user: User) -> None:
    """Ours: nothing is ever recorded over."""
    await work.connect(user, " ".join(DEMO.argv_alone()))
    first = user.transcript.path
    await user.clicks("reconnect_button")
    await until(lambda: user.transcript.path != first, "another record")
    await work.is_ready(user)

    assert first is not None
    assert first.exists()
