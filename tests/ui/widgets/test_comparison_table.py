"""Two sides beside each other; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from tests.ui.qt_actions import reads
from ui.widgets.comparison_table import LINES, ComparisonRow, ComparisonTable
from ui.widgets.error_panel import ErrorPanel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


def test_rows_say_in_signs_and_words_whether_they_agree(qtbot: QtBot, theme: Theme) -> None:
    """Ours; never in colour alone."""
    table = ComparisonTable(theme=theme, name="t", headers=("sent", "received"))
    qtbot.addWidget(table)
    table.resize(400, 200)
    assert not table.isVisible()

    table.set_rows([ComparisonRow("a", "1", "1", True), ComparisonRow("b", "1", "2", False)])

    assert "✔ a" in reads(table)
    assert "✘ b" in reads(table)
    assert table.as_text().splitlines()[1] == "b: sent: 1; received: 2"


def test_many_and_long_rows_scroll_and_are_counted(qtbot: QtBot, theme: Theme) -> None:
    """Ours: however much a server says, what stands below is not pushed away."""
    table = ComparisonTable(theme=theme, name="t", headers=("sent", "received"))
    qtbot.addWidget(table)
    table.resize(400, 200)
    table.set_rows(
        [ComparisonRow(f"<b>{at}</b>", "\u202ex" * 900, "y " * 900, False) for at in range(70)]
    )
    assert table.height() <= LINES * table.fontMetrics().lineSpacing()
    assert "and 30 more" in reads(table)
    assert "<b>0</b>" in reads(table)
    assert "\u202e" not in reads(table)


def test_an_error_panel_forgets_the_rows_of_the_error_before(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    panel = ErrorPanel(theme=theme)
    qtbot.addWidget(panel)
    panel.show_text("one", beside=[ComparisonRow("a", "1", "2", False)])
    assert "a: sent: 1; server: 2" in panel.as_text()
    panel.show_text("two")
    assert panel.beside.rows() == ()
    assert panel.as_text() == "two"


def test_rows_give_way_to_the_cause_in_a_low_window(qtbot: QtBot, theme: Theme) -> None:
    """Ours: they scroll, and never lie under it or out of sight."""
    page = QWidget()  # with no layout of its own, as a page that is squeezed
    qtbot.addWidget(page)
    panel = ErrorPanel(theme=theme, parent=page)
    page.resize(420, 190)
    page.show()
    rows = [ComparisonRow(f"header {at}", "ours " * 8, "theirs " * 8, False) for at in range(8)]
    panel.show_text("refused", frame=3, beside=rows)
    panel.setGeometry(page.rect())
    notice = panel.notice

    qtbot.waitUntil(
        lambda: panel.beside.geometry().top() > notice.geometry().bottom(), timeout=20_000
    )
    assert panel.beside.geometry().bottom() <= panel.height()
    assert panel.beside.verticalScrollBar().maximum() > 0
