"""Marks, comments and colors among operations, the run of the top row, the scale of the bars; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from inspector.compare.run_difference import ListDifference, RunDifference
from inspector.config.saved_filters import SavedFilter
from inspector.finding import Finding, Severity
from inspector.runs import RunStart
from inspector.session.run import RunCause
from tests.support.talk import Talk
from tests.ui.traffic.operations.hands import column, mode, names
from ui.models.row_rules import ROW_COLORS, rules_of
from ui.models.timeline import Timeline
from ui.navigator import Navigator
from ui.traffic.divider_links import MessagePainter
from ui.widgets.units import clock_time

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.traffic.panel import TrafficPanel


def two_runs(panel: TrafficPanel, talk: Talk, difference: RunDifference | None) -> Talk:
    """Show a second run."""
    later = Talk()
    later.request(1, "initialize")
    later.result(1)
    start = RunStart(2, 0, RunCause.USER, "reconnected", "2025-11-25", "1.1", 1, difference)
    transcripts = (talk.transcript, later.transcript)
    panel.set_timeline(
        Timeline(
            transcripts,
            lambda _: "Run 2 · reconnected",
            (1, 2),
            lambda run: start if run is later.transcript else None,
        )
    )
    return later


def test_a_mark_beneath_an_operation_marks_its_row(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: and is spoken, with the frame that has it; its own comment is in the tip."""
    talk.transcript.annotations.set_marked([13], marked=True)
    talk.transcript.annotations.set_comment(7, "slow")
    talk.transcript.annotations.set_marked([5], marked=True)
    panel.model.feed.findings_changed.emit()
    row = names(panel).index("tools/call search")
    marks = column(panel, "marks")
    assert marks[row] == "comment, marked (frame 13)"
    assert marks[1] == "marked (frame 5)"
    assert marks[0] == marks[3] == ""
    painted = mode(panel).model.painted_row(row)
    assert len(painted.marks) == 2
    index = mode(panel).model.index(row, column_of("marks"))
    assert "slow" in str(index.data(Qt.ItemDataRole.ToolTipRole))


def column_of(key: str) -> int:
    from ui.traffic.operations.columns import position

    return position(key)


def test_marking_a_row_shows_the_column_of_marks(panel: TrafficPanel, qtbot: QtBot) -> None:
    """Ours: in both modes."""
    table = mode(panel).table
    assert table.isColumnHidden(column_of("marks"))
    table.go_to_row(2)
    panel.row_actions.annotating.toggle_mark()
    assert not table.isColumnHidden(column_of("marks"))
    qtbot.waitUntil(lambda: column(panel, "marks")[2] == "marked")
    panel.row_actions.annotating.toggle_mark()
    qtbot.waitUntil(lambda: column(panel, "marks")[2] == "")


def test_problems_of_a_response_that_asks_for_input_count(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: although it is not how the request ended; those of muted rules do not."""
    response = talk.result(5, resultType="input_required", inputRequests={})
    talk.note("input-required", "name", request=14)
    talk.transcript.add_finding(response, Finding("wrong", Severity.WARNING, "Wrong", ""))
    panel.model.feed.pull()
    panel.model.feed.findings_changed.emit()
    note = mode(panel).model.painted_row(3).note
    assert note is not None
    assert note.text == "1 problem"
    panel.model.feed.muted = ("wrong",)
    panel.model.feed.findings_changed.emit()
    assert mode(panel).model.painted_row(3).note is None


def test_filters_color_operations(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: by the request or the response, with the sign among the marks; another color is drawn at once."""
    filters = [SavedFilter("Sampled", "kind:result tool:search", color="green")]
    panel.model.set_rules(rules_of(filters))
    row = names(panel).index("tools/call search")
    green = ROW_COLORS["green"]
    painted = mode(panel).model.painted_row(row)
    assert painted.background == green.background
    assert painted.marks == ((green.sign, green.tone),)
    assert column(panel, "marks")[row] == "Sampled"
    panel.model.set_rules(())
    assert mode(panel).model.painted_row(row).background == ""


def test_the_line_above_the_rows_names_the_run_of_the_top_one(
    panel: TrafficPanel, talk: Talk, qtbot: QtBot
) -> None:
    """Ours: it is there while there are several runs, whichever row is at the top, and leads to that run alone."""
    strip = mode(panel).strip
    assert not strip.isVisible()
    for number in range(40):
        talk.call(100 + number, "more")
    later = two_runs(panel, talk, None)
    for number in range(40):
        later.call(100 + number, "more")
    panel.model.feed.pull()
    table = mode(panel).table
    table.scrollToTop()
    assert strip.isVisible()
    assert strip.title.text() == "Run 1"
    assert strip.facts.whole_text() == clock_time(talk.transcript.row(1).wall_s)
    table.scrollToBottom()
    assert strip.title.text() == "Run 2"
    assert "reconnected" in strip.facts.whole_text()
    assert strip.height() == panel.theme.px(24)
    qtbot.waitUntil(lambda: strip.title.width() >= strip.title.sizeHint().width())
    only = strip.findChild(QPushButton, "operations_run_only")
    assert only is not None
    only.click()
    assert panel.filter_text() == "run:2"


def test_bars_are_scaled_by_logarithm_where_the_user_says_so(panel: TrafficPanel) -> None:
    """Ours: in the menu of the header; it is there again after a restart."""
    model = mode(panel).model
    column(panel, "split")
    assert model.row_cells.share(model.row_cells.slowest_s / 100) == pytest.approx(0.01)
    menu = QMenu(panel)
    mode(panel).table.columns.add_choices(menu)
    scale = next(each for each in menu.actions() if each.text() == "Logarithmic time split")
    scale.trigger()
    assert model.row_cells.share(model.row_cells.slowest_s) == pytest.approx(1)
    assert model.row_cells.share(model.row_cells.slowest_s / 100) > 0.2
    saved = panel.save_state()
    panel.modes.is_logarithmic = False
    assert panel.restore_state(saved)
    assert model.row_cells.is_logarithmic


@pytest.mark.parametrize("differs", [True, False])
def test_a_run_among_the_messages_leads_to_what_changed(
    panel: TrafficPanel, talk: Talk, differs: bool
) -> None:
    """Ours: a link at the right, where something did."""
    tools = ListDifference("tools", "tool", added=("refund",))
    two_runs(panel, talk, RunDifference(lists=(tools,)) if differs else RunDifference())
    panel.modes.set_mode("messages")
    compared: list[object] = []
    Navigator(panel).run_comparison_requested.connect(compared.append)
    table = panel.table
    number = panel.model.timeline.dividers[0]
    table.go_to(number)
    row = table.currentIndex().row()
    painter = table.findChild(MessagePainter)
    assert painter is not None
    viewport: QWidget = table.viewport()
    area = QRect(0, table.rowViewportPosition(row), viewport.width(), table.rowHeight(row))
    link = painter.difference_link(area)
    assert link.isEmpty() is not differs
    if not differs:
        return
    assert viewport.rect().contains(link)
    button, modifier = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(viewport, button, modifier, link.center())
    assert compared == [panel.model.timeline.latest]
