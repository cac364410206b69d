"""A column of the traffic is one row; its width and place come back by its key; ours throughout."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from tests.ui.traffic.hands import chosen_texts
from ui.models import traffic_columns
from ui.models.timeline import timeline_of
from ui.models.traffic_cells import TimeFormat
from ui.models.traffic_columns import COLUMNS, ColumnSpec, position
from ui.traffic.panel import TrafficPanel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tests.support.talk import Talk
    from ui.theme import Theme

CHANNEL = ColumnSpec(
    key="channel",
    title="Channel",
    tooltip="How the frame traveled",
    characters=9,
    text=lambda row: row.transcript.row(row.number).channel.name.lower(),
    tone=lambda _row: "pending",
    tip=lambda _transcript, number: f"channel of frame {number}",
)


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


def test_an_arrangement_of_an_earlier_version_keeps_its_order_and_choices(
    qtbot: QtBot, theme: Theme, talk: Talk
) -> None:
    """Ours: its widths in pixels hold for one size of text only, and columns leave now where there were none before."""
    keys = ["number", "size", *(spec.key for spec in COLUMNS if spec.key not in {"number", "size"})]
    columns = {key: {"width": 333, "hidden": False} for key in keys}
    saved = {"version": 3, "columns": columns, "splitter": "", "time_format": "relative"}
    panel = add_panel(qtbot, theme, talk)
    before = panel.table.columnWidth(position("method"))

    assert panel.restore_state(json.dumps(saved).encode())

    header = panel.table.horizontalHeader()
    assert header.visualIndex(position("size")) == 1
    assert header.sectionSize(position("method")) == before
    assert header.isSectionHidden(position("delta"))
    assert panel.model.time_format is TimeFormat.RELATIVE
