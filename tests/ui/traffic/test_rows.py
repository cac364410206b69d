"""How the rows of the traffic are drawn: whole, on one baseline, quiet where nothing is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest

from inspector.finding import Finding, Severity
from inspector.transcript.exchange import Status
from tests.support.records import Written, request
from tests.support.wait import wait_until
from tests.ui.traffic.hands import numbers
from ui.models.traffic_cells import TimeFormat, status_text
from ui.models.traffic_columns import COLUMNS, make_cells, position
from ui.widgets.row_painter import SIGN_GAP_PX
from ui.widgets.table_columns import MARGIN_PX, SavedColumn

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QApplication

    from tests.support.talk import Talk
    from ui.models.traffic_columns import Cells
    from ui.theme import Theme
    from ui.traffic.panel import TrafficPanel

SIZES = (173, 200, 219, 230)
"""Heights of a panel, with different pixels left below whole rows."""


def row_at(talk: Talk, number: int) -> Cells:
    return make_cells(talk.transcript, number, 0, TimeFormat.CLOCK)


def is_blank(image: QImage, top: int, bottom: int) -> bool:
    """Whether the lines from `top` to before `bottom` have one color."""
    colors = {
        image.pixelColor(x, y).name()
        for y in range(top, bottom)
        for x in range(0, image.width(), 2)
    }
    return len(colors) <= 1


async def fill(panel: TrafficPanel, talk: Talk) -> None:
    talk.flood(100)
    await wait_until(lambda: len(numbers(panel)) == 105)


@pytest.mark.parametrize("height", SIZES)
async def test_only_whole_rows_are_displayed_while_following(
    panel: TrafficPanel, talk: Talk, height: int
) -> None:
    """Ours: the pixels that are left stay empty above the top row, and the newest is at the bottom."""
    table = panel.table
    panel.resize(1200, height)
    await fill(panel, talk)

    viewport, row = table.viewport().height(), panel.theme.ROW_HEIGHT_PX
    top, last = table.whole_rows()
    assert last == 104
    assert table.rowViewportPosition(top) == viewport % row
    assert table.rowViewportPosition(last) + row == viewport
    assert is_blank(table.viewport().grab().toImage(), 0, viewport % row)


@pytest.mark.parametrize("height", SIZES)
async def test_only_whole_rows_are_displayed_above_the_end(
    panel: TrafficPanel, talk: Talk, height: int
) -> None:
    """Ours: the pixels that are left stay empty below the last row."""
    table = panel.table
    panel.resize(1200, height)
    await fill(panel, talk)
    scroll = table.verticalScrollBar()

    scroll.triggerAction(scroll.SliderAction.SliderSingleStepSub)

    viewport, row = table.viewport().height(), panel.theme.ROW_HEIGHT_PX
    top, last = table.whole_rows()
    assert table.rowViewportPosition(top) == 0
    assert last - top + 1 == viewport // row
    image = table.viewport().grab().toImage()
    assert is_blank(image, viewport - viewport % row, viewport)
    assert not table.indexAt(table.viewport().rect().bottomLeft()).isValid() or not viewport % row


async def test_rows_stay_where_they_are_when_following_ends(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: the row that was clicked is still under the pointer, with its details open and more rows arriving."""
    panel.resize(1400, 205)
    await fill(panel, talk)
    table = panel.table
    row = table.whole_rows()[0] + 1
    position_ = table.visualRect(panel.model.index(row, 0)).center()
    before = table.viewport().mapToGlobal(position_)

    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=position_)
    talk.flood(100)
    await wait_until(lambda: len(numbers(panel)) == 205)

    assert panel.split.is_open
    assert not table.following
    assert table.indexAt(table.viewport().mapFromGlobal(before)).row() == row
    panel.show_detail(False)
    assert table.indexAt(table.viewport().mapFromGlobal(before)).row() == row


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_all_texts_of_a_row_stand_on_one_baseline(
    qapp: QApplication, panel: TrafficPanel, theme: Theme, scale: float
) -> None:
    """Ours: by the lowest ink of letters without descenders, in both fonts."""
    theme.apply(qapp, "light", scale)
    panel.resize(round(1300 * scale), 300)
    panel.set_filter("kind:notification")  # without descenders: its time, kind, size
    panel.table.horizontalHeader().resizeSection(position("method"), theme.px(400))
    image = panel.table.viewport().grab().toImage()
    columns = ("number", "time", "kind", "size")
    mono = ("method",)

    bottoms = {key: lowest_ink(panel, image, key) for key in columns}
    # The method has descenders (g, p), which digits and capitals do not: only up to its slash.
    assert len(set(bottoms.values())) == 1
    letters = lowest_ink(panel, image, mono[0], share=0.12)
    assert letters == next(iter(bottoms.values()))


def lowest_ink(panel: TrafficPanel, image: QImage, key: str, share: float = 1.0) -> int:
    """Return the lowest line with ink of a column's cell in the top row, in the left `share` of the cell."""
    table, column = panel.table, position(key)
    rect = table.visualRect(panel.model.index(0, column))
    right = rect.left() + round(rect.width() * share)
    background = image.pixelColor(rect.right() - 1, rect.top()).lightness()
    rows = [
        y
        for y in range(rect.top(), rect.bottom() + 1)
        for x in range(rect.left() + 3, right)
        if abs(image.pixelColor(x, y).lightness() - background) > 60
    ]
    return max(rows) - rect.top()


def test_usual_rows_have_one_color_and_no_background(talk: Talk) -> None:
    """Ours: red and amber need something to stand out from."""
    for number in (1, 2, 3):
        cells = row_at(talk, number)
        assert set(cells.tones) - {"text", "muted"} == {("sent", "received")[number > 1]}
        assert cells.tones[position("direction")] in {"sent", "received"}
        assert (cells.background, cells.sign) == ("", "")
    assert row_at(talk, 2).texts[position("status")] == "OK"
    assert row_at(talk, 2).tones[position("status")] == "muted"


def test_a_status_that_stands_out_has_color_and_a_sign(talk: Talk) -> None:
    """Ours: nothing by color alone, and a background for errors only."""
    talk.text_result(2, "no", is_error=True)  # 6
    talk.call(3, "slow")  # 7
    talk.error(3, -1, "no")  # 8
    talk.call(4, "pending")  # 9
    talk.received({"jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage", "params": {}})
    found = {n: row_at(talk, n) for n in (6, 8, 9, 10)}

    status = position("status")
    assert [(found[n].texts[status], found[n].tones[status]) for n in found] == [
        ("Tool error", "error"),
        ("Error", "error"),
        ("Pending", "pending"),
        ("Waiting for you", "person"),
    ]
    assert all(cells.sign for cells in found.values())
    assert len({found[n].sign for n in (6, 9, 10)}) == 3
    assert [cells.background for cells in found.values()] == ["error_ground"] * 2 + [""] * 2


def test_problems_stand_beside_a_status_and_are_named_for_assistive_technology(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: a response with problems was received all the same, so its status keeps its word and its color."""
    talk.transcript.add_finding(2, Finding("x", Severity.WARNING, "x"))
    talk.transcript.add_finding(3, Finding("x", Severity.ERROR, "x"))
    panel.model.feed.findings_changed.emit()

    status, accessible = position("status"), Qt.ItemDataRole.AccessibleTextRole
    assert row_at(talk, 2).tones[status] == "muted"
    assert (row_at(talk, 2).background, row_at(talk, 2).sign) == ("", "")
    assert panel.model.index(1, status).data(accessible) == "OK, 1 problem"
    assert row_at(talk, 3).texts[status] == "Problem"
    assert row_at(talk, 3).background == "error_ground"


async def test_a_problem_of_a_frame_whose_status_is_an_error_is_named_too(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: color and sign of the status are those of the error."""
    talk.call("bad", "x")
    number = talk.error("bad", -1, "no")
    talk.transcript.add_finding(number, Finding("x", Severity.WARNING, "x"))
    await wait_until(lambda: panel.model.rowCount() == number)

    cells = row_at(talk, number)
    accessible = panel.model.index(number - 1, position("status")).data(
        Qt.ItemDataRole.AccessibleTextRole
    )
    assert cells.tones[position("status")] == "error"
    assert accessible.endswith(", 1 problem")


async def test_a_selection_may_be_longer_than_the_view(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: Qt asks what is at positions outside of the view then."""
    panel.resize(1200, 205)
    await fill(panel, talk)
    table = panel.table
    table.setFocus()
    table.selectRow(80)
    for _ in range(4):
        QTest.keyClick(table, Qt.Key.Key_PageUp, Qt.KeyboardModifier.ShiftModifier)

    top, last = table.whole_rows()
    assert len(table.selectionModel().selectedRows()) > last - top + 1
    assert table.selectionModel().isRowSelected(80)


def test_a_frame_that_is_hidden_opens_its_details_with_the_way_back(panel: TrafficPanel) -> None:
    """Ours: also while no row was selected before."""
    panel.set_filter("kind:notification")
    assert not panel.split.is_open

    panel.select_frame(2)

    assert panel.split.is_open
    assert panel.detail.number() == 2
    assert not panel.away_notice.isHidden()


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_every_status_fits_beside_its_sign(
    qapp: QApplication, panel: TrafficPanel, theme: Theme, scale: float
) -> None:
    """Ours: an outcome is never elided."""
    theme.apply(qapp, "light", scale)
    metrics = QFontMetrics(theme.font())
    taken = 2 * theme.px(MARGIN_PX) + theme.ICON + theme.px(SIGN_GAP_PX)

    available = panel.table.columnWidth(position("status")) - taken
    texts = [status_text(status.value) for status in Status]
    assert [text for text in texts if metrics.horizontalAdvance(text) > available] == []


def test_the_number_of_signs_is_that_of_meanings() -> None:
    """Ours: one column has the sign."""
    assert [spec.key for spec in COLUMNS if spec.has_sign] == ["status"]
    record = Written()
    number = record.sent(request(1))
    assert make_cells(record.transcript, number, 0, TimeFormat.CLOCK).sign == "mdi6.timer-sand"


async def test_a_cell_that_is_cut_has_its_text_in_the_tool_tip(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: also where the model has no tip of its own, as for ids."""
    panel.resize(1200, 300)
    talk.request("an id that is much longer than its column", "ping")
    await wait_until(lambda: len(numbers(panel)) == 6)
    table = panel.table
    row, column = table.model().rowCount() - 1, position("id")
    whole = str(table.model().index(row, column).data())

    assert table.tool_tip_at(table.model().index(row, column)) == whole
    table.columns.restore({"id": SavedColumn(characters=60)})
    assert table.tool_tip_at(table.model().index(row, column)) == ""
