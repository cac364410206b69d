"""The page of the problems."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from inspector.config.muted_rules import MutedRules
from inspector.finding import Finding, Severity
from inspector.transcript.findings import Findings
from tests.support.talk import Talk
from tests.support.wait import wait_until
from tests.ui.problems.conftest import ERROR, NOTE, WARNING, find
from tests.ui.qt_actions import cells, click, reads, sees
from ui.problems.mute_dialog import MuteDialog
from ui.problems.page import ProblemsPage
from ui.problems.selection import Grouping
from ui.problems.source import ProblemSource
from ui.render.rule_explanation import RuleExplanation

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

Keys = Qt.Key


def rows(page: ProblemsPage) -> list[tuple[str, ...]]:
    """Rule or frame, and count, of each row."""
    made = [page.model.row(row) for row in range(page.model.rowCount())]
    return [
        (f"#{row.number}", row.pointer) if row.number else (row.rule, row.count) for row in made
    ]


def press(page: ProblemsPage, key: Qt.Key) -> None:
    page.table.setFocus()
    QTest.keyClick(page.table, key)


def go(page: ProblemsPage, row: int) -> None:
    page.table.setCurrentIndex(page.model.index(row, 0))


def test_rules_are_listed_the_gravest_first_with_their_occurrences(page: ProblemsPage) -> None:
    """Ours."""
    assert rows(page) == [(ERROR, "2"), (WARNING, "1"), (NOTE, "1")]
    first = page.model.row(0)
    assert first.title == "Structured content breaks the output schema"
    assert first.where == "search_orders, list_customers"
    assert page.model.row(1).where == "echo"  # the tool of the list that the pointer leads to


def test_counts_are_those_of_rules(page: ProblemsPage) -> None:
    """Ours: the column counts occurrences, everything else rules."""
    sums = page.source.sums
    assert (sums.errors, sums.warnings, sums.notes, sums.problems) == (1, 1, 1, 2)
    for name, text in (("errors", "Errors 1"), ("warnings", "Warnings 1"), ("notes", "Notes 1")):
        assert reads(page, f"problems_{name}") == text


def test_arrows_unfold_and_fold_and_move_between_a_rule_and_its_findings(
    page: ProblemsPage,
) -> None:
    """Ours."""
    go(page, 0)
    press(page, Keys.Key_Right)
    assert rows(page)[:3] == [
        (ERROR, "2"),
        ("#2", "/result/structuredContent/total"),
        ("#4", "/result/structuredContent"),
    ]
    press(page, Keys.Key_Right)
    assert page.table.current_row() == 1
    press(page, Keys.Key_Left)
    assert page.table.current_row() == 0
    press(page, Keys.Key_Left)
    assert len(rows(page)) == 3


def test_enter_and_a_click_on_its_number_lead_to_the_frame_and_the_place(
    page: ProblemsPage, talk: Talk
) -> None:
    """Ours."""
    requested: list[tuple[int, object, str]] = []

    def keep(number: int, transcript: object, pointer: str) -> None:
        requested.append((number, transcript, pointer))

    page.frame_requested.connect(keep)
    page.model.set_open(0, is_open=True)

    go(page, 2)
    press(page, Keys.Key_Return)
    assert requested.pop() == (4, talk.transcript, "/result/structuredContent")

    top = page.table.rowViewportPosition(1) + 8
    left = page.table.columnViewportPosition(0) + 48
    QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(left, top))
    assert requested.pop() == (2, talk.transcript, "/result/structuredContent/total")


def test_new_findings_move_no_row_but_to_make_room(
    page: ProblemsPage, talk: Talk, qtbot: QtBot
) -> None:
    """Ours: a new rule joins the end of its severity, whatever its count; the order changes only on request."""
    go(page, 1)
    page.model.set_open(0, is_open=True)
    for _ in range(3):
        number = talk.log("x")
        find(talk, number, "L-TOOL-41")
    find(talk, 2, ERROR, "/result/x")
    qtbot.waitUntil(lambda: page.feed.is_complete)

    heads = [row for row in rows(page) if not row[0].startswith("#")]
    assert heads == [(ERROR, "3"), ("L-TOOL-41", "3"), (WARNING, "1"), (NOTE, "1")]
    assert rows(page)[3] == ("#2", "/result/x")
    assert page.model.row(page.table.current_row()).rule == WARNING

    for _ in range(2):
        find(talk, talk.log("y"), "L-TOOL-41")
    qtbot.waitUntil(lambda: page.feed.is_complete)
    page.bar.sort_requested.emit()

    heads = [row for row in rows(page) if not row[0].startswith("#")]
    assert heads[:2] == [("L-TOOL-41", "5"), (ERROR, "3")]
    assert page.model.row(page.table.current_row()).rule == WARNING


def test_a_rule_is_new_if_it_found_nothing_in_the_run_before(
    page: ProblemsPage, talk: Talk
) -> None:
    """Ours; new ones come first among those as grave."""
    before = Talk()
    find(before, before.log("x"), ERROR)
    find(talk, 1, "L-TOOL-41")

    page.source.show(talk.transcript, earlier=before.transcript)

    made = [page.model.row(row) for row in range(page.model.rowCount())]
    assert [(row.rule, row.is_new) for row in made] == [
        ("L-TOOL-41", True),
        (ERROR, False),
        (WARNING, True),
        (NOTE, True),
    ]


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("echo", [WARNING]),
        ("Expected", []),
        ("expected number", [ERROR]),
        ("#6", [WARNING, NOTE]),
        ("tool-19", [ERROR]),
        ("list_customers", [ERROR]),
        ("/result/tools", [WARNING]),
    ],
)
def test_the_filter_narrows_findings_by_all_that_is_displayed_of_them(
    page: ProblemsPage, text: str, rules: list[str]
) -> None:
    """Ours."""
    page.bar.filter.set_text(text)

    assert [row[0] for row in rows(page)] == rules
    if text == "list_customers":
        assert rows(page) == [(ERROR, "1")]
    if not rules:
        assert "No matches" in reads(page, "problems_empty")
    assert page.source.sums.problems == 2


def test_severities_are_switched_off_and_on(page: ProblemsPage) -> None:
    """Ours; their numbers stay."""
    click(page, "problems_errors")
    assert [row[0] for row in rows(page)] == [WARNING, NOTE]
    assert reads(page, "problems_errors") == "Errors 1"
    click(page, "problems_errors")
    assert [row[0] for row in rows(page)] == [ERROR, WARNING, NOTE]


def test_findings_are_grouped_by_tool_and_by_frame(page: ProblemsPage) -> None:
    """Ours."""
    page.group_by(Grouping.TOOL)
    titles = [page.model.row(row).title for row in range(page.model.rowCount())]
    assert titles == ["search_orders", "list_customers", "echo", "tools/list"]

    page.group_by(Grouping.FRAME)
    made = [page.model.row(row) for row in range(page.model.rowCount())]
    assert [(row.title, row.count, row.rule) for row in made] == [
        ("#2 tools/call", "1", ERROR),
        ("#4 tools/call", "1", ERROR),
        ("#6 tools/list", "2", "2 rules"),
    ]


def test_a_muted_rule_is_counted_and_not_listed(page: ProblemsPage, talk: Talk) -> None:
    """Ours."""
    muted = MutedRules()
    page.source.show(talk.transcript, muted=muted)
    assert not sees(page, "problems_muted")

    muted.mute(ERROR)

    assert [row[0] for row in rows(page)] == [WARNING, NOTE]
    assert reads(page, "problems_muted") == "1 muted"
    assert (page.source.sums.errors, page.source.sums.problems) == (0, 1)


def test_space_explains_the_rule_beside_the_table(page: ProblemsPage) -> None:
    """Ours."""
    page.model.set_open(0, is_open=True)
    go(page, 1)
    press(page, Keys.Key_Space)
    explanation = page.findChild(RuleExplanation)
    assert explanation is not None
    assert explanation.isVisible()
    assert explanation.excerpt.meant() == '"1204.50"'
    assert "Show frame 2" in reads(explanation)
    assert "`" not in reads(explanation)

    go(page, 3)
    assert "Duplicate tool name" in reads(explanation)
    explanation.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(f"### Warning: duplicate tool name (`{WARNING}`)")
    assert "Frame 6 at `/result/tools/2/name`" in copied

    explanation.mute.click()
    assert WARNING in page.source.muted.reasons
    press(page, Keys.Key_Space)
    assert not explanation.isVisible()


def test_the_occurrences_of_a_rule_are_stepped_through(page: ProblemsPage) -> None:
    """Ours."""
    go(page, 0)
    page.toggle_explanation()
    explanation = page.explanation
    assert explanation is not None
    asked: list[tuple[int, str]] = []

    def keep(number: int, pointer: str) -> None:
        asked.append((number, pointer))

    explanation.frame_requested.connect(keep)

    assert "1 of 2" in reads(explanation)
    explanation.next.click()
    assert "2 of 2" in reads(explanation)
    assert not explanation.next.isEnabled()
    explanation.frame.click()
    assert asked == [(4, "/result/structuredContent")]


def test_rows_are_spoken_as_sentences(page: ProblemsPage) -> None:
    """Ours: nothing is said by sign, weight or color alone."""
    page.model.set_open(0, is_open=True)
    spoken = [
        str(page.model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(4)
    ]

    assert spoken[0].startswith("Error: Structured content breaks")
    assert "2 occurrences" in spoken[0]
    assert spoken[0].endswith("unfolded")
    assert spoken[1].startswith("Error in frame 2 at /result/structuredContent/total")
    assert spoken[3].endswith("folded")


def test_without_problems_the_page_says_what_was_checked(page: ProblemsPage, talk: Talk) -> None:
    """Ours."""
    clean = Talk()
    for _ in range(3):
        clean.log("fine")
    page.source.show(clean.transcript)
    text = reads(page, "problems_empty")
    assert "No problems in 3 frames." in text
    assert "saw nothing to check" in text

    page.source.show(None)
    assert "No traffic" in reads(page, "problems_empty")

    muted = MutedRules({"rules": [ERROR, WARNING, NOTE]})
    page.source.show(talk.transcript, muted=muted)
    assert "3 muted rules found something" in reads(page, "problems_empty")


def test_a_hundred_thousand_findings_are_listed_without_a_gap(qtbot: QtBot, theme: Theme) -> None:
    """Ours: rows are made when they are painted, and read in slices."""
    talk = Talk()
    talk.flood(50_000)
    transcript = talk.transcript
    for number in range(1, 50_001):
        for rule in ("a", "b"):
            transcript.add_finding(number, Finding(rule, Severity.WARNING, f"wrong {rule}"))
    page = ProblemsPage(ProblemSource(), theme=theme)
    page.source.setParent(page)
    qtbot.addWidget(page)
    page.resize(1200, 300)
    page.source.show(transcript)
    page.show()
    assert not page.feed.is_complete  # it takes more than one slice
    qtbot.waitUntil(lambda: page.feed.is_complete, timeout=20_000)

    assert rows(page) == [("a", "50,000"), ("b", "50,000")]
    page.model.set_open(1, is_open=True)
    page.model.set_open(0, is_open=True)
    assert page.model.rowCount() == 100_002
    assert [page.model.item(row).number for row in (1, 2, 50_000)] == [1, 2, 50_000]
    assert page.model.item(100_001) == (50_000, Finding("b", Severity.WARNING, "wrong b"))


def test_findings_that_were_not_kept_are_counted(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: nothing hidden is uncounted."""
    monkeypatch.setattr(Findings.__init__, "__defaults__", (2,))  # the budget
    talk = Talk()
    for _ in range(4):
        find(talk, talk.log("x"), WARNING)
    page = ProblemsPage(ProblemSource(), theme=theme)
    page.source.setParent(page)
    qtbot.addWidget(page)
    page.resize(1400, 300)
    page.source.show(talk.transcript)
    page.show()
    qtbot.waitUntil(lambda: page.model.rowCount() > 0)

    assert rows(page) == [(WARNING, "4")]
    assert reads(page, "problems_muted") == "2 findings not listed"


async def test_rules_are_muted_in_a_dialog_with_a_reason_and_in_a_file(
    page: ProblemsPage, talk: Talk, theme: Theme, tmp_path: Path
) -> None:
    """Ours: a file is written only after the user selected it."""
    muted = MutedRules({"rules": {"L-JR-01": "known"}})
    dialog = MuteDialog(
        muted,
        talk.transcript.rule_findings,
        folder=str(tmp_path),
        server="server",
        theme=theme,
        parent=page,
    )
    dialog.show()
    ids = [row[1] for row in cells(dialog.table)]
    assert ids == [ERROR, WARNING, NOTE, "L-JR-01"]

    reason = dialog.table.item(1, 3)
    assert reason is not None
    reason.setText("by design")
    assert muted.reasons == {"L-JR-01": "known", WARNING: "by design"}
    box = dialog.table.item(3, 0)
    assert box is not None
    box.setCheckState(Qt.CheckState.Unchecked)
    assert muted.reasons == {WARNING: "by design"}
    assert muted.path is None
    path = tmp_path / ".spyglass.json"
    dialog.keep_in(str(path))
    await wait_until(lambda: muted.path == path)
    assert json.loads(path.read_text()) == {"mutedRules": {WARNING: "by design"}}
    assert str(path) in reads(dialog)
    await muted.aclose()
    dialog.reject()
