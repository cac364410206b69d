"""What a user answers when a server asks, as it is done by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QTableWidget, QWidget

from tests.e2e import work
from tests.e2e.peers import Act
from tests.e2e.qt_queries import rows
from tests.e2e.waits import until

if TYPE_CHECKING:
    from inspector.features.tools import ToolCall
    from tests.e2e.hosts import Asker
    from tests.e2e.user import User


async def review(user: User, kind: str) -> QWidget:
    """Wait until something is asked, and open it."""
    await user.reads_soon("header_requests", "1 request")
    await user.clicks("header_requests")
    await user.clicks("card_review", await user.finds_window("requests_popover"))
    return await user.finds_window(f"sheet_{kind}")


async def answer(user: User, asker: Asker, kind: str, button: str) -> None:
    """Call a tool that asks, fill in the sheet, press `button`, and see that the tool got it."""
    made = await work.start_call(user, asker.act)
    sheet = await review(user, kind)
    for name, text in asker.filled.items():
        await user.types(name, text, sheet)
    await user.clicks(button, sheet)
    await until(lambda: made.is_finished, "the end of the call")
    await user.reads_soon("call_content", asker.act.seen)
    await until(lambda: not user.sees("header_requests"), "nothing waiting")


async def answer_twice(user: User, act: Act) -> None:
    """Call a tool that asks for a name, then for a town, and see one call of three rounds, all of them answered."""
    made = await work.start_call(user, act)
    for count, (name, text) in enumerate((("field:/name", "Ada"), ("field:/town", "Rome")), 2):
        sheet = await review(user, "elicitation")
        await user.types(name, text, sheet)
        await user.clicks("elicitation_accept", sheet)
        await until(lambda n=count: len(_rounds(user, made)) == n, f"round {count}")
    await until(lambda: made.is_finished, "the end of the call")
    await user.reads_soon("call_content", act.seen)
    assert "input requested 2 times" in work.outcome(user)
    statuses = [user.transcript.status(number) for number in _rounds(user, made)]
    assert statuses == ["ok"] * 3


def _rounds(user: User, made: ToolCall) -> list[int]:
    """The requests that a call took so far."""
    found = user.transcript.exchange(made.request_frame)
    return [each.request for each in found.rounds] if found is not None else []


async def add_root(user: User, uri: str) -> None:
    """Type the address of a root."""
    await user.opens_tab("Roots")
    before = len(user.reads_rows("root_table"))
    await user.is_in_front()
    await user.clicks("root_type")
    table = await user.finds(QTableWidget, "root_table")
    await until(lambda: isinstance(QApplication.focusWidget(), QLineEdit), "the cell to be open")
    cell = QApplication.focusWidget()
    assert isinstance(cell, QLineEdit)
    cell.selectAll()
    QTest.keyClicks(cell, uri)
    QTest.keyClick(cell, Qt.Key.Key_Return)
    await until(lambda: [row[0] for row in rows(table)][before:] == [uri], "the root")


async def tell_roots(user: User, tool: str, uri: str) -> None:
    """Have the server tell which roots it knows."""
    await work.call(user, Act(tool))
    await user.reads_soon("call_content", uri)
