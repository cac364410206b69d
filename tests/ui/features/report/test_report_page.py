"""The report of a run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtWidgets import QFileDialog

from inspector.checks.report import Outcome
from inspector.checks.report_formats.formats import FORMATS
from inspector.probes.runner import run_probes
from tests.support.answering import AnsweringServer, tool
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.conftest import on_screen
from tests.ui.qt_actions import cells, reads, sees
from ui.features.report.families import ERRORS, NOT_SEEN, SEEN
from ui.features.report.page import ReportPage
from ui.features.report.probes import PROBES_VIEW
from ui.navigator import navigator_of
from ui.widgets.badge import Badge

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json
    from ui.theme import Theme

DUPLICATE = "L-TOOL-04"


def server(*names: str) -> AnsweringServer:
    """A server that lists tools of these names."""
    tools: list[Json] = [tool(name) for name in names]
    return AnsweringServer({"tools/list": lambda _: {"tools": tools}})


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> ReportPage:
    page = on_screen(ReportPage(theme=theme), qtbot)
    page.resize(1300, 600)
    return page


async def checked(page: ReportPage, session: OpenSession) -> None:
    """Wait until everything is checked and displayed."""
    await wait_until(lambda: not session.sweep.pending)
    page.refresh()


def family(page: ReportPage, title: str) -> int:
    return [row.title for row in page.families.rows].index(title)


def rule_ids(page: ReportPage) -> list[str]:
    return [each.rule.id for each in page.rules.results]


async def test_families_are_summed_up_in_rules(page: ReportPage) -> None:
    """Ours: what was seen, what was found, what was never seen; and all of it together."""
    async with shown(page, server("a", "a", "b")) as (_, session):
        await checked(page, session)
        table = cells(page.family_table)
        tools, total = table[family(page, "Tools")], table[-1]

        assert tools[SEEN].endswith(f" of {page.families.rows[family(page, 'Tools')].sums.rules}")
        assert table[family(page, "HTTP")][SEEN] == "not seen"
        assert table[family(page, "HTTP")][ERRORS] == "·"
        assert page.report is not None
        assert total[SEEN] == f"{page.report.total.seen:,} of {page.report.total.rules:,}"
        assert total[NOT_SEEN] == f"{page.report.total.not_seen:,}"
        assert reads(page, "report_not_seen") == f"{page.report.total.not_seen:,} rules not seen"
        assert "answering" in reads(page, "report_facts")
        assert page.badge() == str(page.report.total.problems)
        assert not sees(page, "report_since")
        assert page.focus_first()
        assert page.family_table.hasFocus()


async def test_the_rules_of_a_family_and_what_the_selected_one_found_are_beside_each_other(
    page: ReportPage,
) -> None:
    """Ours: those that found something come first, those that saw nothing say so."""
    async with shown(page, server("a", "a", "b")) as (_, session):
        await checked(page, session)
        page.family_table.go_to(family(page, "Tools"))
        assert DUPLICATE in rule_ids(page)
        results = [row[0] for row in cells(page.rule_table)]
        assert "not seen" not in results[: results.index("not seen")]
        assert set(results[results.index("not seen") :]) == {"not seen"}
        assert "passed" not in " ".join(results)

        page.rule_table.go_to(rule_ids(page).index(DUPLICATE))
        assert page.explanation.excerpt.meant() == '"a"'
        requested: list[int] = []
        navigator_of(page).frame_requested.connect(
            lambda number, *_: requested.append(number)  # pyright: ignore
        )
        page.explanation.frame.click()
        assert requested == list(session.session.transcript.rule_findings[DUPLICATE].numbers[:1])


async def test_a_rule_is_muted_and_reported_again(page: ReportPage) -> None:
    """Ours: it stays in the list, and counts as muted."""
    async with shown(page, server("a", "a")) as (_, session):
        await checked(page, session)
        page.show_rule(DUPLICATE)
        before = page.badge()

        page.explanation.mute.click()
        page.refresh()
        assert DUPLICATE in session.client.muted.reasons
        assert reads(page, "report_muted") == "1 muted"
        assert int(page.badge() or 0) == int(before) - 1
        assert page.rules.results[page.rule_table.current_row()].rule.id == DUPLICATE

        page.explanation.mute.click()
        page.refresh()
        assert not sees(page, "report_muted")


@pytest.mark.parametrize("format_", FORMATS, ids=lambda each: each.key)
async def test_the_report_is_saved_in_each_format(
    page: ReportPage, tmp_path: Path, format_: object
) -> None:
    """Ours."""
    each = next(each for each in FORMATS if each is format_)
    async with shown(page, server("a", "a")) as (_, session):
        await checked(page, session)
        page.saver.save(each)
        await wait_until(lambda: page.findChild(QFileDialog, "save_dialog") is not None)
        dialog = cast("QFileDialog", page.findChild(QFileDialog, "save_dialog"))
        path = tmp_path / f"report{each.suffix}"
        dialog.fileSelected.emit(str(path))
        dialog.reject()

        text = path.read_text()
        assert DUPLICATE in text
        if each.key in {"json", "sarif"}:
            assert json.loads(text)
        assert str(path) in reads(page, "report_state")


async def test_what_probes_came_to_is_beside_the_rules(page: ReportPage) -> None:
    """Ours: with the rule that each decides; without probes there is nothing to switch."""
    async with shown(page, server("a")) as (_, session):
        await checked(page, session)
        assert not sees(page, "report_views")

        keys = {"unknown-method", "bad-cursor", "ping", "unknown-prompt"}
        done = [each async for each in run_probes(session.session, keys)]
        await checked(page, session)
        page.results.show_view(PROBES_VIEW)
        found = {row[1]: row for row in cells(page.results.probe_table)}
        assert found["Unknown method"][0] == "passed"
        assert "-32601" in found["Unknown method"][2]
        assert found["Invalid cursor"][0] == "failed"
        assert found["Unknown prompt"][0] == "not applicable"
        assert len(found) == len(done)

        titles = [each.title for each in page.results.probes.records]
        page.results.probe_table.go_to(titles.index("Invalid cursor"))
        assert "L-PAG-02" in reads(page, "report_rule_id")
        assert page.explanation.frame.isEnabled()
        page.results.probe_table.go_to(titles.index("Unknown method"))
        assert "L-CAP-10" in reads(page, "report_rule_id")

        page.show_rule("L-CAP-10")
        assert page.results.record is None
        assert page.rules.results[page.rule_table.current_row()].outcome is Outcome.CLEAN
        # Red would say that something is wrong.
        assert [badge.tone for badge in page.explanation.findChildren(Badge)] == ["muted"]
