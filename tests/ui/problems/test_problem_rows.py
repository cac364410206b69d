"""What the rows of problems tell, and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from tests.ui.problems.conftest import ERROR, find
from ui.widgets.key_values import KeyValues

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tests.support.talk import Talk
    from ui.problems.page import ProblemsPage


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
