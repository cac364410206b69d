"""How wide the columns of the traffic are; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QFontMetrics

from ui.models.traffic_columns import Column
from ui.traffic.row_painter import MARGIN

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from ui.theme import Theme
    from ui.traffic.panel import TrafficPanel


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_times_and_short_ids_are_read_whole_at_every_size_of_text(
    qapp: QApplication, panel: TrafficPanel, theme: Theme, scale: float
) -> None:
    """Ours: the tenth of a second, and the id that the page for raw messages offers."""
    theme.apply(qapp, "light", scale)

    margins = 2 * theme.px(MARGIN)
    time = QFontMetrics(theme.font()).horizontalAdvance("00:00:00.0") + margins
    id_ = QFontMetrics(theme.mono()).horizontalAdvance('"raw-1"') + margins
    assert panel.table.columnWidth(Column.TIME) >= time
    assert panel.table.columnWidth(Column.ID) >= id_
