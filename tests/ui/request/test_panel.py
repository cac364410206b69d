"""A panel that prepares a request, where it is lower than its parts need."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QScrollArea, QSpinBox, QWidget

from ui.request.panel import MIN_BODY_PIXELS, RequestColumn

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


def labels(*texts: str) -> list[QWidget]:
    made: list[QWidget] = []
    for text in texts:
        label = QLabel(text)
        label.setWordWrap(True)
        made.append(label)
    return made


@pytest.mark.parametrize("height", [140, 260, 700])
def test_parts_never_overlap_and_the_row_is_always_in_sight(
    qtbot: QtBot, theme: Theme, height: int
) -> None:
    """Ours: what there is no room for is scrolled to."""
    above, below = labels("heading", "word " * 60), [*labels("headers"), QSpinBox()]
    body, row = QPlainTextEdit(), QLabel("row")
    panel = RequestColumn(above, body, below, row=row, theme=theme)
    qtbot.addWidget(panel)
    panel.resize(300, height)
    panel.show()
    area = panel.findChild(QScrollArea, "request_column")
    assert area is not None
    inner = area.widget()
    assert inner is not None
    assert inner.isAncestorOf(body)

    def are_apart() -> bool:
        tops = [(w.mapTo(inner, QPoint()).y(), w.height()) for w in (*above, body, *below)]
        return all(top + high <= next_top for (top, high), (next_top, _) in pairwise(tops))

    qtbot.waitUntil(
        lambda: are_apart() and inner.width() <= area.viewport().width(), timeout=20_000
    )

    assert body.height() >= theme.px(MIN_BODY_PIXELS)
    assert row.geometry().bottom() < panel.height()
    assert area.verticalScrollBar().maximum() == max(inner.height() - area.viewport().height(), 0)
    assert (height == 700) == (area.verticalScrollBar().maximum() == 0)


def test_the_panel_is_as_wide_as_what_scrolls_in_it(qtbot: QtBot, theme: Theme) -> None:
    """Ours: nothing is cut at its side."""
    wide = QLabel("w" * 100)
    panel = RequestColumn([], QPlainTextEdit(), [wide], row=QLabel(), theme=theme)
    qtbot.addWidget(panel)

    assert panel.minimumSizeHint().width() > wide.minimumSizeHint().width()


def test_a_panel_that_gets_too_little_width_squeezes_its_parts(qtbot: QtBot, theme: Theme) -> None:
    """Ours: nothing is cut at the side."""
    body = QPlainTextEdit()
    panel = RequestColumn([], body, [QLabel("w" * 100)], row=QLabel(), theme=theme)
    around = QWidget()
    qtbot.addWidget(around)
    panel.setParent(around)
    panel.setGeometry(0, 0, 200, 300)
    around.resize(400, 400)
    around.show()

    qtbot.waitUntil(lambda: 0 < body.width() < 200, timeout=20_000)
    assert body.mapTo(panel, QPoint(body.width(), 0)).x() <= panel.width()
