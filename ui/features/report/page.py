"""The report of a run: its rules by family, those of the selected family, and the selected rule at the right."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Qt, QTimer

from inspector.checks.problem_sums import problem_sums
from inspector.checks.report import (
    Earlier,
    Outcome,
    Report,
    RuleResult,
    make_report,
    occurrences,
)
from ui.bind import Bindings, bind, bind_coalesced
from ui.features.report.export import facts_text, masked_probes, why_not_probed
from ui.features.report.families import COLUMNS as FAMILY_COLUMNS
from ui.features.report.families import SINCE, FamiliesModel, FamilyPainter
from ui.features.report.probes import RULES_VIEW, ResultsPane, results_of
from ui.features.report.rules import COLUMNS as RULE_COLUMNS
from ui.features.report.rules import NOT_FOUND, RulesModel, result_text
from ui.features.report.saver import ReportSaver
from ui.features.report.summary import ReportHeading, SumsLine
from ui.navigator import navigator_of
from ui.page import Page
from ui.pages import REPORT, PageSpec
from ui.render.rule_explanation import ExplainedRule, RuleExplanation
from ui.widgets.following_table import StillTable
from ui.widgets.layout_parts import Hairline, MinHeightScroll, column_layout
from ui.widgets.splitter import Splitter

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent
    from PySide6.QtWidgets import QWidget

    from inspector.checks.problem_sums import Sums
    from inspector.open_session import OpenSession
    from ui.theme import Theme

COUNT_MS = 100
"""The rules with problems are counted at most once in this time, as in the bottom dock: both counts are in sight at once."""

REFRESH_MS = 300
"""The report follows new findings at most once in this time."""
LEFT_SHARE, RIGHT_SHARE = 752, 480
"""How the width is divided, in pixels of a wide page."""
FAMILIES_SHARE, RULES_SHARE = 58, 42
"""How the height of the left part is divided."""
MIN_HEIGHT, MIN_NARROW_HEIGHT = 200, 480
"""Pixels at 100% that the tables need, and with the rule below them; in less height, they scroll."""
NARROW = 800
"""Pixels at 100% of the page below which the rule is below the tables."""


class FamiliesTable(StillTable):
    """The families."""

    painter_type = FamilyPainter


class ReportPage(Page):
    """What all rules came to in the displayed run."""

    info: ClassVar[PageSpec] = REPORT

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Without a report, until `set_session`."""
        super().__init__(parent)
        self._theme = theme
        self._bindings = Bindings()
        self._sums: Sums | None = None
        self.report: Report | None = None
        """What is displayed."""
        self._family: str | None = None
        """The key of the selected family; None for all."""
        self._is_own_family = True
        """Whether the family was selected by the page: the next run may have another one that is worse."""
        self._revealing = QTimer(self, interval=0, singleShot=True)
        self._revealing.timeout.connect(self._reveal_family)
        self._is_new = True
        """Whether the order of the families is that of another run."""
        self.saver = ReportSaver(self, self._exported)
        self._build()
        self._wire()

    def _build(self) -> None:
        theme = self._theme
        self.heading = ReportHeading(theme=theme, parent=self)
        self.sums = SumsLine(theme=theme, parent=self)
        self.families = FamiliesModel(self)
        self.family_table = FamiliesTable(
            model=self.families,
            rows=self.families,
            columns=FAMILY_COLUMNS,
            flexible="family",
            theme=theme,
            name="report_families",
            parent=self,
        )
        self.family_table.setAccessibleName("Families of rules")
        self.rules = RulesModel(self)
        self.rule_table = StillTable(
            model=self.rules,
            rows=self.rules,
            columns=RULE_COLUMNS,
            flexible="title",
            theme=theme,
            name="report_rules",
            parent=self,
        )
        self.rule_table.setAccessibleName("Rules of the family")
        for table in (self.family_table, self.rule_table):
            table.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.explanation = RuleExplanation(theme=theme, name="report_rule", parent=self)
        self._tables = Splitter(Qt.Orientation.Vertical, theme=theme)
        self._tables.setObjectName("report_tables_splitter")
        self.results = ResultsPane(self.rule_table, theme=theme, parent=self)
        for part in (self.family_table, self.results):
            self._tables.addWidget(part)
        self._tables.setSizes([FAMILIES_SHARE * 10, RULES_SHARE * 10])
        self._split = Splitter(theme=theme)
        self._split.setObjectName("report_splitter")
        for part, share in ((self._tables, LEFT_SHARE), (self.explanation, RIGHT_SHARE)):
            self._split.addWidget(part)
            self._split.setStretchFactor(self._split.count() - 1, share)
        self._split.setSizes([LEFT_SHARE, RIGHT_SHARE])
        self._content = MinHeightScroll(self._split, name="report_scroll", label="Rules")
        column = column_layout(
            self, self.heading, self.sums, Hairline(theme=theme), self._content, space=0
        )
        column.setStretch(column.count() - 1, 1)

    def _wire(self) -> None:
        self.heading.export.clicked.connect(partial(self.saver.open_menu, self.heading.export))
        self.saver.changed.connect(self.heading.show_state)
        self.heading.probe.clicked.connect(self.probe)
        self.family_table.selectionModel().currentRowChanged.connect(self._on_family_changed)
        self.rule_table.selectionModel().currentRowChanged.connect(self._explain)
        self.results.selected.connect(self._explain)
        for table in (self.rule_table, self.results.probe_table):
            table.opened.connect(lambda: self.explanation.frame.click())
        self.explanation.frame_requested.connect(self._show_frame)
        self.explanation.mute_requested.connect(self._on_mute_requested)

    def set_session(self, session: OpenSession | None) -> None:
        """Report on `session`; what is selected stays in another run of the same server."""
        is_other = not self.continues(session)
        super().set_session(session)
        bindings = []
        if session is not None:
            transcript = session.session.transcript
            events = (transcript.findings_changed, transcript.appended, session.session.changed)
            ways = ((self._count, COUNT_MS), (self._follow, REFRESH_MS))
            bindings = [bind_coalesced(self, each, *way) for each in events for way in ways]
            bindings.append(bind(self, session.client.muted.changed, self._follow))
        self._bindings.replace(*bindings)
        self._is_new |= (
            is_other  # at the start of another run, when no rule has seen anything, nothing moves
        )
        if is_other:
            self._family, self._is_own_family = None, True
            self.explanation.show_rule(None)
        self._follow()

    def badge(self) -> str:
        """How many rules found errors or warnings."""
        return self.count_text(self._sums.problems) if self._sums is not None else ""

    def badge_tone(self) -> str:
        """The color of the gravest of them."""
        return self._sums.tone if self._sums is not None else ""

    def focus_first(self) -> bool:
        """Go to the families: the button above them would look as if Enter pressed it."""
        self.family_table.setFocus(Qt.FocusReason.OtherFocusReason)
        return bool(self.families.rows)

    def _follow(self) -> None:
        """Count, and make the report again while it can be seen."""
        if self.isVisible():
            self.refresh()
        else:
            self._count()

    def _count(self) -> None:
        session = self.session
        sums = None
        if session is not None:
            muted = session.client.muted.reasons
            sums = problem_sums(session.session.transcript.rule_findings, muted)
        if sums != self._sums:
            self._sums = sums
            self.changed.emit()

    def refresh(self) -> None:
        """Make the report of now."""
        self._count()
        session = self.session
        if session is None:
            return
        report = make_report(
            session.session.transcript.rule_findings,
            session.sweep.rules.seen_rules,
            earlier=_earlier(session),
            muted=session.client.muted.reasons,
            probes=masked_probes(session),
        )
        self.heading.show_facts(facts_text(session))
        self.heading.offer_probes(why_not_probed(session))
        if report == self.report and not self._is_new:
            return
        self.report = report
        self.sums.show_report(report)
        self.results.show_probes(report.probes, report)
        self.families.show_report(report, keeps_order=not self._is_new)
        # In the first run, too: columns that came with the second one would move the others.
        has_runs = report.compared > 0 or not session.session.is_recorded
        self.family_table.columns.set_offered(FAMILY_COLUMNS[SINCE].key, has_runs)
        self.rule_table.columns.set_offered("since", has_runs)
        if self._is_new:
            self._is_new = False
            self._select_family()
        else:
            self.rules.refresh(self._results())
        self._explain()

    def _select_family(self) -> None:
        """Select the family that the user selected before, or the first one of those in which the gravest was found."""
        rows, is_own = self.families.rows, self._is_own_family
        known = [at for at, row in enumerate(rows) if row.key == self._family and not row.is_total]
        gravest = max(range(len(rows)), key=lambda at: _ranks(rows[at].sums), default=0)
        self.family_table.go_to(gravest if is_own or not known else known[0])
        self._revealing.start()  # once the table has its height
        self._is_own_family = is_own
        self._show_rules()

    def _reveal_family(self) -> None:
        self.family_table.scrollTo(self.family_table.currentIndex())

    def _on_family_changed(self) -> None:
        row = self.family_table.current_row()
        if row < 0:
            return
        family = self.families.rows[row]
        self._is_own_family = False
        self._family = None if family.is_total else family.key
        self._show_rules()

    def _results(self) -> list[RuleResult]:
        if self.report is None:
            return []
        family = self._family
        return [
            each
            for group in self.report.families
            if family is None or group.family.key == family
            for each in group.rules
        ]

    def _show_rules(self) -> None:
        before = self._current()
        self.rules.show_rules(self._results())
        row = self.rules.row_of(before.rule.id) if before is not None else -1
        self.rule_table.go_to(max(row, 0))
        self._explain()

    def _current(self) -> RuleResult | None:
        """Return the selected rule; of a selected probe, the rule that found something, or else the first of its rules."""
        record = self.results.record
        if record is not None and self.report is not None:
            return next(iter(results_of(record, self.report)), None)
        row = self.rule_table.current_row()
        return self.rules.results[row] if row >= 0 else None

    def show_rule(self, rule: str) -> None:
        """Select the rule of that id in its family."""
        self.refresh()
        self.results.show_view(RULES_VIEW)
        for at, group in enumerate(self.report.families if self.report is not None else ()):
            if any(each.rule.id == rule for each in group.rules):
                key = group.family.key
                at = next(at for at, row in enumerate(self.families.rows) if row.key == key)
                self.family_table.go_to(at)
                self.rule_table.go_to(self.rules.row_of(rule))

    def _explain(self) -> None:
        session, result = self.session, self._current()
        if session is None or result is None:
            self.explanation.show_rule(None)
            return
        transcript = session.session.transcript
        known = transcript.rule_findings.get(result.rule.id)
        found = tuple(occurrences(known)) if known is not None else ()
        record = self.results.record
        outcome = result_text(result) if record is None else record.sentence
        if result.change and self.report is not None and result.outcome is Outcome.CLEAN:
            outcome = f"{outcome}; {NOT_FOUND} since run {self.report.compared}"
        server = "server" if transcript.live else "recording"
        explained = ExplainedRule(
            *(result.rule, result.severity, transcript, found, result.count),
            outcome=outcome[:1].upper() + outcome[1:],
            server=server,
            is_muted=result.is_muted,
        )
        self.explanation.show_rule(explained)

    def probe(self) -> None:
        """Show the probes of the server, to run them."""
        from ui.features.report.probe_dialog import ProbeDialog

        session = self.session
        if session is None or why_not_probed(session):
            return
        opened = self.findChildren(ProbeDialog)
        dialog = next((each for each in opened if each.session is session), None)
        dialog = dialog or ProbeDialog(session, theme=self._theme, parent=self)
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def _show_frame(self, number: int, pointer: str) -> None:
        if self.session is not None:
            transcript = self.session.session.transcript
            navigator_of(self).show_pointer(number, pointer, transcript)

    def _on_mute_requested(self, rule: str, mute: bool) -> None:
        if self.session is not None:
            muted = self.session.client.muted
            (muted.mute if mute else muted.unmute)(rule)

    def _exported(self) -> tuple[OpenSession, Report] | None:
        """Return what is exported."""
        if self.session is None or self.report is None:
            return None
        return self.session, self.report

    def _arrange(self) -> None:
        sides = Qt.Orientation
        is_narrow = self.width() < self._theme.px(NARROW)
        self._split.setOrientation(sides.Vertical if is_narrow else sides.Horizontal)
        height = MIN_NARROW_HEIGHT if is_narrow else MIN_HEIGHT
        self._content.set_min_height(self._theme.px(height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The rule is beside the tables where there is room."""
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        """Report on what came meanwhile."""
        super().showEvent(event)
        self.refresh()


def _ranks(sums: Sums) -> tuple[bool, bool, bool]:
    return bool(sums.errors), bool(sums.warnings), bool(sums.notes)


def _earlier(session: OpenSession) -> Earlier | None:
    """Return the run with which `session` is compared."""
    before = session.runs.compared(session)
    if before is None:
        return None
    number, transcript = before.session.run.number, before.session.transcript
    return Earlier(transcript.rule_findings, before.sweep.rules.seen_rules, number)
