"""What a server lists as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Finding, Severity
from ui.models.list_rows import ROWS_AT_ONCE, ListRows

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex

ODD = {0: (Finding("L-PRM-01", Severity.WARNING, "twice"),)}


def rows(*names: str) -> ListRows[str]:
    model: ListRows[str] = ListRows(str.casefold)
    model.set_items(names, {})
    return model


def test_a_list_that_grows_gets_its_new_rows_and_keeps_the_others() -> None:
    """Ours: what is selected stays, and thousands of rows are not laid out anew for each page."""
    model = rows("a", "b")
    resets, inserted = list[int](), list[tuple[int, int]]()

    def on_inserted(_parent: QModelIndex, first: int, last: int) -> None:
        inserted.append((first, last))

    model.modelReset.connect(lambda: resets.append(1))
    model.rowsInserted.connect(on_inserted)

    assert model.set_items((*model.items, "c", "d"), {}) is False
    assert inserted == [(2, 3)]
    assert resets == []
    assert model.rowCount() == 4

    model.set_items((*model.items, *("e" * (2 * ROWS_AT_ONCE + 1))), {})
    assert inserted[1:] == [
        (4, 3 + ROWS_AT_ONCE),
        (4 + ROWS_AT_ONCE, 3 + 2 * ROWS_AT_ONCE),
        (4 + 2 * ROWS_AT_ONCE, 4 + 2 * ROWS_AT_ONCE),
    ]
    assert model.rowCount() == 5 + 2 * ROWS_AT_ONCE


def test_another_list_replaces_all_rows() -> None:
    """Ours."""
    model = rows("a", "b")
    assert model.set_items(("x", "y", "z"), {}) is True
    assert model.set_items(("x",), {}) is True
    assert model.rowCount() == 1


def test_rows_that_a_filter_hides_keep_their_place() -> None:
    """Ours: every word has to be there, and what is added later is filtered, too."""
    model = rows("Red Apple", "pear", "green apple")
    assert model.set_filter("APPLE") is True
    assert model.set_filter("apple ") is False
    assert [model.position(row) for row in range(model.rowCount())] == [0, 2]
    assert (model.row_of(2), model.row_of(1)) == (1, -1)

    model.set_items((*model.items, "plum", "apple pie"), {})
    assert [model.position(row) for row in range(model.rowCount())] == [0, 2, 4]
    assert model.is_filtered


def test_findings_about_names_that_come_later_are_shown() -> None:
    """Ours."""
    model = rows("a", "a")
    changed = list[tuple[int, int]]()

    def on_changed(first: QModelIndex, last: QModelIndex) -> None:
        changed.append((first.row(), last.row()))

    model.dataChanged.connect(on_changed)
    assert model.set_items(model.items, ODD) is False
    assert changed == [(0, 1)]
    assert model.clashes(0) == ODD[0]
    assert model.clashes(1) == ()
