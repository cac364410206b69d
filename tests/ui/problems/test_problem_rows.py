"""What the rows of problems tell, and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.ui.problems.conftest import ERROR, find
from tests.ui.qt_actions import click
from ui.problems.columns import PROBLEM, RULE, WHERE
from ui.problems.selection import Grouping
from ui.widgets.key_values import KeyValues

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tests.support.talk import Talk
    from ui.problems.page import ProblemsPage
    from ui.theme import Theme


def test_secrets_are_in_no_text_of_a_row_nor_of_its_explanation(
    page: ProblemsPage, talk: Talk, qtbot: QtBot
) -> None:
    """Ours: nor in what is spoken and copied of it; also one that becomes known while the rows are there."""
    secret = "hunter2-hunter2"
    find(talk, 4, ERROR, f"/result/{secret}", f"unexpected {secret}")
    qtbot.waitUntil(lambda: page.feed.is_complete)
    talk.transcript.redaction.know((secret,))
    page.model.set_open(0, is_open=True)
    row = next(
        row for row in range(page.model.rowCount()) if "unexpected" in page.model.row(row).title
    )
    page.table.go_to(row)
    page.toggle_explanation()
    assert page.explanation is not None

    roles = (
        Qt.ItemDataRole.DisplayRole,
        Qt.ItemDataRole.ToolTipRole,
        Qt.ItemDataRole.AccessibleTextRole,
    )
    told = [str(page.model.index(row, 0).data(role)) for role in roles]
    told += [page.model.painted_row(row).texts[0]]
    facts = page.explanation.findChild(KeyValues, "problems_rule_facts")
    assert facts is not None
    told.append(" ".join(each.value for each in facts.facts()))
    page.make_menu(row).actions()[-1].trigger()
    told.append(QGuiApplication.clipboard().text())
    assert [text for text in told if "unexpected" not in text] == []
    assert not any(secret in text for text in told)


def test_what_came_while_the_page_was_hidden_is_in_order(
    page: ProblemsPage, talk: Talk, qtbot: QtBot
) -> None:
    """Ours: nobody looks, so nothing has to stay where it is."""
    page.hide()
    for _ in range(3):
        find(talk, talk.log("x"), "L-TOOL-41")
    page.show()
    qtbot.waitUntil(lambda: page.feed.is_complete)
    made = [page.model.row(row) for row in range(2)]
    assert [(row.rule, row.count) for row in made] == [("L-TOOL-41", "3"), (ERROR, "2")]


def test_what_the_filter_hides_is_not_copied(page: ProblemsPage, qtbot: QtBot) -> None:
    """Ours: a copy has what is displayed, in any grouping."""
    for grouping in Grouping:
        page.group_by(grouping)
        page.bar.filter.set_text("list_customers")
        qtbot.waitUntil(lambda: page.feed.is_complete)
        page.copy_markdown()
        copied = QGuiApplication.clipboard().text()
        assert "expected object" in copied
        assert "expected number" not in copied
        page.bar.filter.set_text("")
        qtbot.waitUntil(lambda: page.feed.is_complete)
        page.copy_markdown()
        assert "expected number" in QGuiApplication.clipboard().text()


def test_where_there_is_no_room_for_both_the_explanation_hides_the_rows(
    page: ProblemsPage,
) -> None:
    """Ours; Esc goes back to them."""
    page.table.go_to(0)
    click(page, "problems_explain")
    assert page.explanation is not None
    assert page.table.isVisible()
    page.resize(700, 320)
    assert page.explanation.isVisible()
    assert not page.table.isVisible()

    QTest.keyClick(page.explanation, Qt.Key.Key_Escape)
    assert page.table.isVisible()
    assert not page.explanation.isVisible()
    assert not page.bar.explain.isChecked()


def test_in_a_wide_window_counts_stay_near_their_problems(
    page: ProblemsPage, theme: Theme, qtbot: QtBot
) -> None:
    """Ours: what the problems leave of the width is for the tools that they are about."""
    header = page.table.horizontalHeader()
    page.resize(2560, 320)
    most = round(130 * theme.character_width())
    qtbot.waitUntil(lambda: header.sectionSize(PROBLEM) == most)
    assert header.sectionSize(WHERE) > 60 * theme.character_width()
    assert header.sectionViewportPosition(RULE) + header.sectionSize(RULE) <= page.table.width()

    page.resize(1000, 320)
    qtbot.waitUntil(lambda: header.sectionSize(PROBLEM) < most)


def test_the_column_that_takes_the_rest_keeps_the_width_that_the_user_gave_it(
    page: ProblemsPage, theme: Theme
) -> None:
    """Ours: and hides no column for it in a narrower window."""
    table, columns = page.table, page.table.columns
    page.resize(2560, 320)
    spare = table.columnWidth(WHERE)
    wanted = spare - 10 * theme.character_width()

    table.setColumnWidth(WHERE, wanted)

    assert table.columnWidth(WHERE) == wanted > 60 * theme.character_width()
    page.resize(1150, 320)
    assert columns.missing() == []
    assert table.columnWidth(WHERE) < wanted
    page.resize(2560, 320)
    assert table.columnWidth(WHERE) == wanted
