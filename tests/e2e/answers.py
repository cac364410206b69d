"""What a person answers when a server asks, as it is done by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QTableWidget, QWidget

from tests.e2e import work
from tests.e2e.eyes import rows
from tests.e2e.patience import until
from tests.e2e.peers import Act

if TYPE_CHECKING:
    from inspector.features.tool_call import ToolCall
    from tests.e2e.hosts import Asker
    from tests.e2e.person import Person


async def review(person: Person, kind: str) -> QWidget:
    """Wait until something is asked, and open it."""
    await person.reads_soon("header_requests", "1 request")
    await person.clicks("header_requests")
    return await person.finds_window(f"sheet_{kind}")


async def answer(person: Person, asker: Asker, kind: str, button: str) -> None:
    """Call a tool that asks, fill in the sheet, press `button`, and see that the tool got it."""
    made = await work.start_call(person, asker.act)
    sheet = await review(person, kind)
    for name, text in asker.filled.items():
        await person.types(name, text, sheet)
    await person.clicks(button, sheet)
    await until(lambda: made.is_over, "the end of the call")
    await person.reads_soon("result_content", asker.act.seen)
    await until(lambda: not person.sees("header_requests"), "nothing waiting")


async def answer_twice(person: Person, act: Act) -> None:
    """Call a tool that asks for a name, then for a town, and see one call of three rounds, all of them answered."""
    made = await work.start_call(person, act)
    for count, (name, text) in enumerate((("field:/name", "Ada"), ("field:/town", "Rome")), 2):
        sheet = await review(person, "elicitation")
        await person.types(name, text, sheet)
        await person.clicks("elicitation_accept", sheet)
        await until(lambda n=count: len(_rounds(person, made)) == n, f"round {count}")
    await until(lambda: made.is_over, "the end of the call")
    await person.reads_soon("result_content", act.seen)
    assert "input requested 2 times" in work.outcome(person)
    statuses = [person.transcript.status(number) for number in _rounds(person, made)]
    assert statuses == ["ok"] * 3


def _rounds(person: Person, made: ToolCall) -> list[int]:
    """The requests that a call took so far."""
    found = person.transcript.exchange(made.request_frame)
    return [each.request for each in found.rounds] if found is not None else []


async def add_root(person: Person, uri: str) -> None:
    """Type the address of a root."""
    await person.opens_tab("Roots")
    before = len(person.reads_rows("root_table"))
    await person.is_in_front()
    await person.clicks("root_type")
    table = await person.finds(QTableWidget, "root_table")
    await until(lambda: isinstance(QApplication.focusWidget(), QLineEdit), "the cell to be open")
    cell = QApplication.focusWidget()
    assert isinstance(cell, QLineEdit)
    cell.selectAll()
    QTest.keyClicks(cell, uri)
    QTest.keyClick(cell, Qt.Key.Key_Return)
    await until(lambda: [row[0] for row in rows(table)][before:] == [uri], "the root")


async def tell_roots(person: Person, tool: str, uri: str) -> None:
    """Have the server tell which roots it knows."""
    await work.call(person, Act(tool))
    await person.reads_soon("result_content", uri)
