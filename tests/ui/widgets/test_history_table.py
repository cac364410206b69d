"""The rows of earlier requests; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.session.operation import OperationState
from inspector.transcript.exchange import Status
from ui.models.traffic_cells import status_tone
from ui.render.operation_status import brief_outcome
from ui.theme.signs import Sign
from ui.widgets.history_steps import MIN_STEPS, HistorySteps
from ui.widgets.history_table import (
    MAX_WIDTH_PIXELS,
    SIGN_ROLE,
    HistoryModel,
    HistoryRow,
    HistoryTable,
)
from ui.widgets.row_painter import SIGNS

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


@pytest.mark.parametrize(
    ("state", "status"),
    [
        (OperationState.RUNNING, Status.PENDING),
        (OperationState.DONE, Status.OK),
        (OperationState.TOOL_ERROR, Status.TOOL_ERROR),
        (OperationState.ERROR, Status.ERROR),
        (OperationState.CANCELLED, Status.CANCELLED),
        (OperationState.TIMED_OUT, Status.TIMED_OUT),
        (OperationState.NO_RESPONSE, Status.NO_RESPONSE),
    ],
)
def test_an_outcome_has_the_sign_and_color_that_it_has_in_the_traffic(
    model: HistoryModel, state: OperationState, status: Status
) -> None:
    """Ours: color alone does not say what it means."""
    text, tone, sign = brief_outcome(state, "")
    row = HistoryRow("1", "city: Lisbon", text, "", "run 1", tone, sign)
    model.set_rows(1, lambda _row: row)

    signs = [model.data(model.index(0, at), SIGN_ROLE) for at in range(model.columnCount())]

    assert tone == status_tone(status)
    expected = Sign.CANCELLED if status is Status.CANCELLED else SIGNS.get(tone)
    assert signs == [None, None, expected and (expected, tone), None, None]


def test_other_rows_begin_without_what_was_reported(model: HistoryModel, qtbot: QtBot) -> None:
    model.set_rows(1, lambda _row: RUNNING)
    model.refresh(0)

    model.set_rows(2, lambda _row: RUNNING)

    with qtbot.waitSignal(model.dataChanged):
        model.refresh(0)
    with qtbot.assertNotEmitted(model.dataChanged):
        model.refresh(2)


def test_a_compact_line_has_the_position_only(theme: Theme, qtbot: QtBot) -> None:
    """Ours: beside large text, *Review* was cut so that two buttons had space."""
    steps = HistorySteps(theme=theme, name="call", repeat="Call again", compare="Compare")
    qtbot.addWidget(steps)
    steps.show_position(1, 2, can_repeat=True, can_compare=True)
    steps.show()
    whole = steps.sizeHint().width()

    steps.fit(MIN_STEPS - 1, has_review=False)

    assert steps.sizeHint().width() < whole
    steps.fit(MIN_STEPS, has_review=False)
    assert steps.sizeHint().width() == whole


def test_buttons_without_a_use_stay_hidden(theme: Theme, qtbot: QtBot) -> None:
    steps = HistorySteps(theme=theme, name="read", repeat="Read again")
    qtbot.addWidget(steps)
    steps.show()
    whole = steps.sizeHint().width()

    steps.fit(MIN_STEPS, has_review=False)

    assert steps.sizeHint().width() == whole


def test_a_wide_panel_keeps_the_parts_of_a_row_together(theme: Theme, qtbot: QtBot) -> None:
    """Ours: at 2560 pixels the outcome was a thousand pixels away from what was sent."""
    table = HistoryTable("Calls of this tool", theme=theme, name="calls", compare="Compare")
    qtbot.addWidget(table)
    table.show_rows(1, lambda _row: DONE, 0, has_runs=True)
    for width, expected in ((500, 500 - theme.px(16 + 12)), (1800, theme.px(MAX_WIDTH_PIXELS))):
        table.resize(width, 200)
        table.show()
        qtbot.waitUntil(lambda pixels=expected: table.view.width() == pixels)
