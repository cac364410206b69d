"""The traffic by keyboard alone, read out: filter, operations, repeat, compare, timeline, problems, report, export; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QTableView

from tests.e2e import work
from tests.e2e.keyboard import Keyboard
from tests.e2e.listener import Listener
from tests.e2e.test_by_keyboard import choose, connect
from tests.e2e.waits import until
from tests.support.spoken import Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.e2e.user import User

pytestmark = pytest.mark.timeout(180, method="thread")


@pytest.fixture
def listener() -> Iterator[Listener]:
    """What is read out of each part that gets the focus."""
    before = QAccessible.isActive()
    QAccessible.setActive(True)
    yield Listener()
    QAccessible.setActive(before)


async def test_the_main_tasks_of_the_traffic(user: User, listener: Listener) -> None:
    """Ours; WCAG 2.2, 2.1.1 Keyboard, 2.4.3 Focus Order, 4.1.2 Name, Role, Value."""
    keys = Keyboard(user, listener.hear)
    await connect(keys)
    await choose(keys, "echo tool")
    await work.form_is_made(user)
    calls = work.shown(user).tools.history.operations
    for count in (1, 2):
        await keys.presses("Ctrl+Return")
        await until(lambda count=count: len(calls) == count and calls[-1].is_finished, "the call")
    await filter_rows(keys)
    await read_an_operation(keys, listener)
    await compare_and_repeat(keys, listener)
    await look_at_the_timeline(keys, listener)
    await read_the_problems(keys, listener)
    await read_the_report(keys, listener)
    await export(keys, listener)
    assert not listener.faults, "\n".join(dict.fromkeys(listener.faults))


async def filter_rows(keys: Keyboard) -> None:
    """Leave the calls, and go down to them."""
    await keys.presses("Ctrl+L")
    await keys.is_at("traffic_filter_line")
    await keys.types("method:tools/call kind:request")
    await until(lambda: len(keys.user.reads_rows("traffic_table")) == 2, "both calls")
    await keys.presses("Down")
    await keys.is_at("traffic_table")


async def read_an_operation(keys: Keyboard, listener: Listener) -> None:
    """Go to the operations, unfold the last one, mark it, fold it again."""
    user = keys.user
    await keys.presses("End")
    await keys.presses("Ctrl+Shift+O")
    await until(lambda: len(user.reads_rows("operations_table")) == 2, "both operations")
    table = await keys.is_at("operations_table")
    assert isinstance(table, QTableView)
    await keys.presses("Right")
    await until(lambda: len(user.reads_rows("operations_table")) > 2, "what is beneath")
    await listener.hears(user.window, "level 2")
    await keys.presses("Ctrl+M")
    await listener.hears(user.window, "marked")
    await keys.presses("Left")
    assert listener.has_heard("operations_table").role is Role.Table
    assert listener.has_heard("operations_table").name == "Operations"


async def compare_and_repeat(keys: Keyboard, listener: Listener) -> None:
    """Compare the last call with the one before, then open it to be sent again."""
    user = keys.user
    await keys.presses("F9")
    await until(lambda: user.sees("compare_bar"), "the comparison")
    await listener.hears(user.window, "Export…")
    await keys.presses("Ctrl+W")
    await keys.presses("Ctrl+L")
    await keys.is_at("traffic_filter_line")
    await keys.presses("Down")
    await keys.is_at("operations_table")
    await keys.presses("Ctrl+E")
    await until(lambda: user.sees("repeat_request"), "the message to be sent again")
    await listener.hears(user.window, "Original")


async def look_at_the_timeline(keys: Keyboard, listener: Listener) -> None:
    """Bring the timeline to the front, and hear what is in it."""
    await keys.presses("Ctrl+Shift+T")
    await until(lambda: keys.user.sees("timeline_tracks"), "the tracks")
    await listener.hears(keys.user.window, "Filter traffic to this range")


async def read_the_problems(keys: Keyboard, listener: Listener) -> None:
    """Bring the problems to the front, unfold one, have its rule explained, and go to its frame."""
    user = keys.user
    await until(lambda: not work.shown(user).sweep.pending, "the checks")
    await keys.presses("Ctrl+F7")
    table = await keys.is_at("problems_table")
    assert isinstance(table, QTableView)
    await until(lambda: table.model().rowCount() > 0, "the problems")
    folded = table.model().rowCount()
    await keys.presses("Home")
    await keys.presses("Right")
    await until(lambda: table.model().rowCount() > folded, "what is beneath")
    await listener.hears(user.window, "unfolded")
    await keys.presses("Space")
    await until(lambda: user.sees("problems_rule"), "the explanation")
    await keys.presses("Space")
    await keys.is_at("problems_table")
    await keys.presses("Return")
    await until(lambda: user.sees("traffic_panel"), "the frame")
    assert listener.has_heard("problems_table").role is Role.Table


async def read_the_report(keys: Keyboard, listener: Listener) -> None:
    """Go through the families of rules and those of one of them."""
    await keys.presses("Ctrl+Shift+4")
    await keys.is_at("report_families")
    await keys.presses("Home")
    await keys.tabs_to("report_rules")
    await keys.presses("Down")
    await listener.hears(keys.user.window, "rules not seen")
    assert listener.has_heard("report_families").name == "Families of rules"
    assert listener.has_heard("report_rules").role is Role.Table


async def export(keys: Keyboard, listener: Listener) -> None:
    """Open the dialog, hear what would be written, and leave it."""
    await keys.presses("Ctrl+Shift+X")
    dialog = await keys.user.finds_window("export_dialog")
    await keys.is_at("export_dialog")
    await listener.hears(dialog, "Save as…")
    await keys.presses("Esc")
    await keys.is_at("main_window")
