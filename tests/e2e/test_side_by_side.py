"""Several servers at the same time, and what is done with the window while they are connected; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLineEdit, QListView, QPlainTextEdit, QTableView

from inspector.wire.frame import Direction
from tests.e2e import work
from tests.e2e.eyes import rows, spot
from tests.e2e.marked import marked, new_mark
from tests.e2e.patience import until
from tests.e2e.peers import DEMO, SDK1, SDK2, Act

if TYPE_CHECKING:
    from tests.e2e.person import Person

pytestmark = pytest.mark.timeout(180, method="thread")

WAIT = Act("Wait", {"/seconds": "3600"})


async def test_each_session_keeps_its_own_page_traffic_and_calls(
    person: Person, request: pytest.FixtureRequest
) -> None:
    """Ours: one is shown, the others go on; coming back finds what was left."""
    mark = new_mark()
    await work.connect(person, DEMO.command_line(request, mark))
    waiting = await work.start_call(person, WAIT)
    await work.connect(person, SDK1.command_line(request, mark))
    await work.connect(person, SDK2.command_line(request, mark))
    await work.call(person, SDK2.speaks)
    seen_in_sdk2 = person.transcript.count

    assert [row[0] for row in person.reads_rows("servers_list")] == [
        "inspector.demo",
        "sdk1_server",
        "sdk2_server",
    ]
    await person.chooses_row("servers_list", "inspector.demo")
    await person.reads_soon("header_name", "inspector.demo")
    await person.opens_tab("Overview")
    await person.reads_soon("overview_title", DEMO.name)
    assert waiting.state == "running"
    await until(lambda: len(person.reads_rows("traffic_table")) == person.transcript.count, "rows")

    await person.chooses_row("servers_list", "sdk1_server")
    await person.reads_soon("overview_title", SDK1.name)
    await person.chooses_row("servers_list", "sdk2_server")
    await person.reads_soon("overview_title", SDK2.name)
    await until(lambda: len(person.reads_rows("traffic_table")) == seen_in_sdk2, "its traffic")

    await work.disconnect(person)
    await person.chooses_row("servers_list", "inspector.demo")
    await work.choose_tool(person, WAIT.tool)
    await until(lambda: work.outcome(person) == "running", "the call that still runs")
    await person.clicks("cancel_button")
    await until(lambda: waiting.state == "cancelled", "the end of the call")
    assert len(marked(mark)) == 2


async def test_colours_and_text_size_change_while_connected(person: Person) -> None:
    """Ours: by the menu and its shortcuts; what is on the screen stays what it is."""
    await work.connect(person, " ".join(DEMO.argv_alone()))
    await work.call(person, DEMO.structures)
    before = person.reads("result_content")
    light = person.window.grab().toImage().pixelColor(5, 5)

    person.window.actions_["theme_dark"].trigger()
    await until(lambda: person.app.theme.mode == "dark", "dark colours")
    dark = person.window.grab().toImage().pixelColor(5, 5)
    height = person.window.fontMetrics().height()
    await person.presses("Ctrl++")
    await person.presses("Ctrl++")
    await until(lambda: person.window.fontMetrics().height() > height, "larger text")

    assert light.lightness() > 200 > 60 > dark.lightness()
    assert person.reads("result_content") == before
    await work.call(person, DEMO.speaks)
    await person.reads_soon("result_content", DEMO.speaks.seen)
    await person.presses("Ctrl+0")
    await until(lambda: person.window.fontMetrics().height() == height, "the usual size")


async def test_the_palette_finds_tools_servers_and_commands(person: Person) -> None:
    """Ours: Ctrl+K, a few letters, Enter."""
    await work.connect(person, " ".join(DEMO.argv_alone()))
    await person.opens_tab("Overview")

    await finds_and_takes(person, "weather tool")
    await until(lambda: person.reads("tool_title") == "Weather", "the tool")
    await finds_and_takes(person, "disconnect command")
    await person.reads_soon("header_state", "disconnected")
    old = work.shown(person)
    await finds_and_takes(person, "inspector.demo server")
    await until(lambda: work.shown(person) is not old, "another session")
    await work.is_ready(person)


async def finds_and_takes(person: Person, text: str) -> None:
    """Type into the palette and take the first match."""
    await person.presses("Ctrl+K")
    palette = await person.finds_window("palette")
    await person.types("palette_field", text, palette)
    view = await person.finds(QListView, "palette_view", palette)
    assert rows(view) != []
    await person.presses("Return", spot(QLineEdit, "palette_field", palette))
    await until(lambda: not palette.isVisible(), "the palette to close")


async def test_a_request_in_the_traffic_is_edited_and_sent_again(person: Person) -> None:
    """Ours: Ctrl+E on its row; the page for raw text sends it as it stands."""
    await work.connect(person, " ".join(DEMO.argv_alone()))
    await work.call(person, DEMO.speaks)
    await person.types("traffic_filter_line", "method:tools/call dir:out")
    await until(lambda: len(person.reads_rows("traffic_table")) == 1, "the call alone")
    await person.chooses_row("traffic_table", "tools/call")

    await person.presses("Ctrl+E", spot(QTableView, "traffic_table", person.window))
    edit = await person.finds(QPlainTextEdit, "raw_edit")
    assert '"hello"' in edit.toPlainText()
    edited = edit.toPlainText().replace('"hello"', '"once more"').replace('"id":', '"id":9000')
    await person.pastes("raw_edit", edited)
    await person.clicks("raw_send")

    await person.reads_soon("page_raw", "response #")
    sent = [
        number
        for number in range(1, person.transcript.count + 1)
        if person.transcript.raw(number) == edited.encode()
    ]
    assert len(sent) == 1
    assert person.transcript.row(sent[0]).direction is Direction.SENT
    assert person.transcript.status(sent[0]) == "ok"
    await until(lambda: len(person.reads_rows("traffic_table")) == 2, "its row")


async def test_connecting_again_begins_another_record(person: Person) -> None:
    """Ours: nothing is ever recorded over."""
    await work.connect(person, " ".join(DEMO.argv_alone()))
    first = person.transcript.path
    await person.clicks("reconnect_button")
    await until(lambda: person.transcript.path != first, "another record")
    await work.is_ready(person)

    assert first is not None
    assert first.exists()
