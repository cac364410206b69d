"""Columns leave by priority, come back, and have the same width again at the same text size; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QMenu

from inspector.finding import Finding, Severity
from ui.models.traffic_columns import COLUMNS, position
from ui.theme import tokens
from ui.widgets.row_painter import TextLayouts
from ui.widgets.table_columns import MARGIN_PX, MIN_FLEXIBLE_PX, MIN_REST_CHARACTERS
from ui.widgets.units import clock_with_millis, duration, shorter_duration, shorter_size, size

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from tests.support.talk import Talk
    from ui.theme import Theme
    from ui.traffic.panel import TrafficPanel


def widths(panel: TrafficPanel) -> list[int]:
    return [panel.table.columnWidth(at) for at in range(len(COLUMNS))]


def test_columns_leave_by_priority_and_come_back(panel: TrafficPanel, theme: Theme) -> None:
    """Ours: the summary keeps its width; then the time is shorter, the method narrower, and last the duration leaves, for a summary of a word."""
    columns = panel.table.columns
    method = position("method")
    minimum = round(COLUMNS[method].min_characters * theme.character_width())
    columns.set_visible("delta", True)
    seen: list[list[str]] = []
    for width in range(1300, 500, -4):
        panel.resize(width, 300)
        missing = [*columns.missing(), *columns.shortened()]
        if not seen or missing != seen[-1]:
            seen.append(missing)
        if panel.table.columnWidth(method) > minimum:
            assert panel.table.columnWidth(position("summary")) >= theme.px(MIN_FLEXIBLE_PX)
        word = round(MIN_REST_CHARACTERS * theme.character_width())
        assert panel.table.columnWidth(position("summary")) >= word

    assert panel.table.columnWidth(method) == minimum
    order = ["delta", "size", "id", "kind", "time", "duration"]
    assert [set(missing) for missing in seen] == [set(order[:count]) for count in range(7)]

    panel.resize(1300, 300)
    assert columns.missing() == []
    assert columns.shortened() == []


def test_rows_that_arrive_change_no_column(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: also when a scroll bar appears."""
    panel.resize(1100, 300)
    before = widths(panel)
    assert not panel.table.verticalScrollBar().isVisible()

    talk.flood(90)
    panel.model.feed.pull()
    panel.table.scrollToBottom()

    assert panel.table.verticalScrollBar().maximum() > 0
    assert widths(panel) == before


def test_what_left_is_named_in_the_menu_of_the_header(panel: TrafficPanel) -> None:
    """Ours."""
    panel.resize(970, 300)
    assert panel.table.columns.missing() == ["size"]

    header = panel.table.horizontalHeader()
    header.customContextMenuRequested.emit(QPoint(5, 5))
    menu = header.findChild(QMenu, "columns_menu")
    assert isinstance(menu, QMenu)
    texts = [action.text() for action in menu.actions() if "lack of room" in action.text()]
    menu.close()

    assert len(texts) == 1
    assert texts[0].startswith("Size: ")
    assert texts[0].endswith("(hidden for lack of room)")


def test_a_size_of_text_that_comes_back_brings_the_same_widths(
    qapp: QApplication, panel: TrafficPanel, theme: Theme
) -> None:
    """Ours: also the widths that the user gave."""
    panel.resize(1500, 300)
    panel.table.horizontalHeader().resizeSection(position("method"), 261)
    before = widths(panel)
    for scale in (*tokens.SCALES, *reversed(tokens.SCALES)):
        theme.apply(qapp, "light", scale)

    assert widths(panel) == before
    assert panel.table.columnWidth(position("method")) == 261


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_times_are_read_whole_at_every_size_of_text(
    qapp: QApplication, panel: TrafficPanel, theme: Theme, scale: float
) -> None:
    """Ours: with milliseconds; without the hour where there is little space."""
    theme.apply(qapp, "light", scale)
    metrics, margins = QFontMetrics(theme.font()), 2 * theme.px(MARGIN_PX)
    text = clock_with_millis(1_764_158_584.408)
    assert text.endswith(":04.408")
    for width in (1000, 640):
        panel.resize(round(width * scale), 300)
        short = "time" in panel.table.columns.shortened()
        assert short is (width == 640)
        needed = metrics.horizontalAdvance(text[3:] if short else text) + margins
        assert panel.table.columnWidth(position("time")) >= needed


@pytest.mark.parametrize("scale", [1.0, 1.25, 2.0])
def test_headers_are_as_high_as_a_row_and_whole(
    qapp: QApplication, panel: TrafficPanel, theme: Theme, scale: float
) -> None:
    """Ours: 22 pixels at 100%, and no title is elided."""
    theme.apply(qapp, "light", scale)
    panel.resize(round(1400 * scale), 300)
    header = panel.table.horizontalHeader()
    metrics, margins = QFontMetrics(theme.font(tokens.SMALL)), 2 * theme.px(MARGIN_PX)

    assert header.viewport().font().pointSizeF() == theme.font(tokens.SMALL).pointSizeF()
    assert header.height() == theme.ROW_HEIGHT_PX == theme.px(22)
    assert panel.table.rowHeight(0) == theme.px(22)
    cut = [
        spec.title
        for at, spec in enumerate(COLUMNS)
        if not header.isSectionHidden(at)
        and metrics.horizontalAdvance(spec.title) + margins > header.sectionSize(at)
    ]
    assert cut == []


def test_usual_values_fit_their_column_whole_or_in_their_short_form(
    panel: TrafficPanel, theme: Theme
) -> None:
    """Ours: numbers that are cut say less than nothing."""
    values = {
        "size": [size(113_200), size(1023 << 10), size(999_900_000), size(7)],
        "duration": [duration(72.3), duration(59.94), duration(3599.0), duration(11_400.0)],
    }
    metrics, margins = QFontMetrics(theme.font()), 2 * theme.px(MARGIN_PX)
    for key, texts in values.items():
        shorten = COLUMNS[position(key)].shorten
        assert shorten is not None
        available = panel.table.columnWidth(position(key)) - margins
        assert max(metrics.horizontalAdvance(shorten(text)) for text in texts) <= available
    assert shorter_duration("3 h 10 min") == "3.2 h"
    assert shorter_duration("1 min 12 s") == "72 s"
    assert shorter_duration("3.2 s") == "3.2 s"
    assert shorter_size("113.2 kB") == "113 kB"


def test_of_a_notification_the_prefix_goes_before_its_name(theme: Theme) -> None:
    """Ours: lists of tools, resources and prompts change alike, and differ in the middle."""
    method = COLUMNS[position("method")]
    layouts = TextLayouts(method, theme.mono())
    available = round(method.characters * theme.character_width()) - 2 * theme.px(MARGIN_PX)

    fitted = [
        layouts.fitted(f"notifications/{kind}/list_changed", available)
        for kind in ("tools", "resources", "prompts")
    ]

    assert fitted[0] == "…/tools/list_changed"
    assert len(set(fitted)) == 3
    assert layouts.fitted("tools/call", available) == "tools/call"


@pytest.mark.parametrize("characters", [18, 9, 7])
def test_a_problem_is_seen_behind_the_status_in_a_column_of_any_width(
    panel: TrafficPanel, talk: Talk, theme: Theme, characters: int
) -> None:
    """Ours: at least its sign, for which the status is elided."""
    talk.transcript.add_finding(2, Finding("wrong", Severity.WARNING, "Wrong", ""))
    talk.transcript.findings_changed.fire()
    panel.model.feed.pull()
    table, at = panel.table, position("status")
    table.setColumnWidth(at, characters * theme.character_width())
    color = theme.color("warning").name()

    image = table.viewport().grab(table.visualRect(panel.model.index(1, at))).toImage()

    assert panel.model.painted_row(1).tones[at] != "warning"
    pixels = (
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    )
    assert color in pixels
