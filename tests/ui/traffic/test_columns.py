"""A column of the traffic is one row; its width and place come back by its key; ours throughout."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QMenu

from tests.ui.traffic.hands import chosen_texts
from ui.models import traffic_columns
from ui.models.timeline import timeline_of
from ui.models.traffic_cells import TimeFormat
from ui.models.traffic_columns import COLUMNS, ColumnSpec, position
from ui.traffic.panel import TrafficPanel
from ui.traffic.row_painter import MARGIN

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from tests.support.talk import Talk
    from ui.theme import Theme

CHANNEL = ColumnSpec(
    "channel",
    "Channel",
    "How the frame traveled",
    9,
    lambda row: row.transcript.row(row.number).channel.name.lower(),
    lambda _row: "pending",
    lambda _transcript, number: f"channel of frame {number}",
)


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_times_and_short_ids_are_read_whole_at_every_size_of_text(
    qapp: QApplication, panel: TrafficPanel, theme: Theme, scale: float
) -> None:
    """Ours: the tenth of a second, and the id that the page for raw messages offers."""
    theme.apply(qapp, "light", scale)

    margins = 2 * theme.px(MARGIN)
    time = QFontMetrics(theme.font()).horizontalAdvance("00:00:00.0") + margins
    id_ = QFontMetrics(theme.mono()).horizontalAdvance('"raw-1"') + margins
    assert panel.table.columnWidth(position("time")) >= time
    assert panel.table.columnWidth(position("id")) >= id_


@pytest.fixture
def one_column_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The traffic with one more row of columns, before the last."""
    monkeypatch.setattr(traffic_columns, "COLUMNS", (*COLUMNS[:-1], CHANNEL, COLUMNS[-1]))


def add_panel(qtbot: QtBot, theme: Theme, talk: Talk) -> TrafficPanel:
    panel = TrafficPanel(theme=theme)
    qtbot.addWidget(panel)
    panel.resize(1400, 500)
    panel.show()
    panel.set_timeline(timeline_of(talk.transcript))
    return panel


@pytest.mark.usefixtures("one_column_more")
def test_a_column_added_by_one_row_is_in_the_table_and_its_menu(
    qtbot: QtBot, theme: Theme, talk: Talk
) -> None:
    """Ours."""
    panel = add_panel(qtbot, theme, talk)
    at = position("channel")
    index = panel.model.index(0, at)

    assert index.data() == "stdin"
    assert "channel of frame 1" in str(index.data(Qt.ItemDataRole.ToolTipRole))
    assert panel.model.headerData(at, Qt.Orientation.Horizontal) == "Channel"
    menu = panel.menu.make()
    [choices] = menu.findChildren(QMenu)
    assert any(text.startswith("Channel: ") for text in chosen_texts(choices))


def test_an_arrangement_without_a_newer_column_leaves_it_visible_in_its_first_place(
    qtbot: QtBot, theme: Theme, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: the arrangement of an earlier version does not hide what is new."""
    before = add_panel(qtbot, theme, talk)
    header = before.table.horizontalHeader()
    header.moveSection(position("size"), 1)
    header.resizeSection(position("method"), 333)
    saved = before.save_state()
    monkeypatch.setattr(traffic_columns, "COLUMNS", (*COLUMNS[:-1], CHANNEL, COLUMNS[-1]))
    panel = add_panel(qtbot, theme, talk)

    assert panel.restore_state(saved)

    header = panel.table.horizontalHeader()
    assert header.visualIndex(position("size")) == 1
    assert header.sectionSize(position("method")) == 333
    assert header.visualIndex(position("channel")) == position("channel")
    assert not header.isSectionHidden(position("channel"))
    assert header.visualIndex(position("summary")) == header.count() - 1


def test_an_arrangement_of_the_version_before_still_loads(
    qtbot: QtBot, theme: Theme, talk: Talk
) -> None:
    """Ours: version 2 saved the state of the header as Qt does."""
    before = add_panel(qtbot, theme, talk)
    header = before.table.horizontalHeader()
    header.moveSection(position("size"), 1)
    header.resizeSection(position("method"), 333)
    text = b64encode(header.saveState().data()).decode()
    saved = json.dumps({"version": 2, "header": text, "splitter": "", "time_format": "relative"})
    panel = add_panel(qtbot, theme, talk)

    assert panel.restore_state(saved.encode())

    header = panel.table.horizontalHeader()
    assert header.visualIndex(position("size")) == 1
    assert header.sectionSize(position("method")) == 333
    assert panel.model.time_format is TimeFormat.RELATIVE
