"""The rows of earlier requests; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ui.widgets.history_table import HistoryModel, HistoryRow

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

RUNNING = HistoryRow("1", "city: Lisbon", "running", "", "run 1")
DONE = HistoryRow("1", "city: Lisbon", "OK", "7 ms", "run 1")


@pytest.fixture
def model(theme: Theme) -> HistoryModel:
    return HistoryModel(theme=theme)


def test_a_row_is_reported_only_when_it_differs(model: HistoryModel, qtbot: QtBot) -> None:
    """Ours: progress asks thirty times a second, and each report paints the row."""
    current = [RUNNING]
    model.set_rows(1, lambda _row: current[0])
    with qtbot.waitSignal(model.dataChanged):
        model.refresh(0)
    with qtbot.assertNotEmitted(model.dataChanged):
        model.refresh(0)

    current[0] = DONE

    with qtbot.waitSignal(model.dataChanged):
        model.refresh(0)


def test_other_rows_begin_without_what_was_reported(model: HistoryModel, qtbot: QtBot) -> None:
    model.set_rows(1, lambda _row: RUNNING)
    model.refresh(0)

    model.set_rows(2, lambda _row: RUNNING)

    with qtbot.waitSignal(model.dataChanged):
        model.refresh(0)
    with qtbot.assertNotEmitted(model.dataChanged):
        model.refresh(2)
