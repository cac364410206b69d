"""The page of the problems: a bar, the table, and the explanation of the current rule at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QStackedWidget, QVBoxLayout, QWidget

from inspector.checks.report import MAX_OCCURRENCES, Occurrence, occurrences
from inspector.rules import RULES, Rule
from ui.problems.bar import ProblemsBar
from ui.problems.feed import ProblemsFeed
from ui.problems.model import ProblemsModel
from ui.problems.selection import Grouping
from ui.problems.table import ProblemsTable
from ui.render.rule_text import rule_title
from ui.widgets.clipboard import copy_text
from ui.widgets.empty_state import EmptyState
from ui.widgets.labels import no_mnemonic
from ui.widgets.layout_parts import Hairline
from ui.widgets.splitter import Splitter
from ui.widgets.units import plural

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent

    from inspector.checks.clients import Targets
    from ui.problems.source import ProblemSource
    from ui.render.rule_explanation import RuleExplanation
    from ui.theme import Theme

EXPLANATION_WIDTH = 400
"""Pixels at 100%."""
EXPLANATION_SHARE = 0.5
"""The largest part of the width that it takes until the user drags its edge."""
NARROW = 800
"""Pixels at 100% of the page below which the explanation hides the rows."""
NOTHING = ("No traffic", "Problems of what is sent and received are listed here.")
"""Title and text without frames."""


class ProblemsPage(QWidget):
    """What the rules found in the latest run.

    Signals:
        frame_requested: show the value at this JSON pointer in the frame of this number and transcript.
        mute_requested: show which rules are muted.
    """

    frame_requested = Signal(int, object, str)
    mute_requested = Signal()

    def __init__(
        self, source: ProblemSource, *, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """List what was found in `source`."""
        super().__init__(parent)
        self.setObjectName("problems_page")
        self.setAccessibleName("Problems")
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self.source = source
        """What is displayed."""
        self._build()
        self._wire()
        self._take_source()

    def _build(self) -> None:
        theme = self._theme
        self.bar = ProblemsBar(theme=theme, parent=self)
        self.model = ProblemsModel(self)
        self.feed = ProblemsFeed(self.model)
        self.table = ProblemsTable(model=self.model, theme=theme, parent=self)
        self.explanation: RuleExplanation | None = None
        """What explains the current rule; None until it is first shown."""
        self._empty = EmptyState(*NOTHING, theme=theme, name="problems_empty", parent=self)
        self._empty.setMinimumHeight(1)  # the dock may be lower than this text
        self._split = Splitter(theme=theme, parent=self)
        self._split.addWidget(self.table)
        self._split.setStretchFactor(0, 1)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._split)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.bar, Hairline(theme=theme)):
            column.addWidget(part)
        column.addWidget(self._stack, 1)

    def _wire(self) -> None:
        bar, table = self.bar, self.table
        bar.selection_changed.connect(self._on_bar_selection_changed)
        bar.rows_requested.connect(self._on_bar_rows_requested)
        bar.sort_requested.connect(self.model.sort)
        bar.copy_requested.connect(self.copy_markdown)
        bar.explain_toggled.connect(self.toggle_explanation)
        bar.mute_requested.connect(self.mute_requested)
        bar.targets_chosen.connect(self._on_bar_targets_chosen)
        table.current_changed.connect(self._explain)
        table.frame_requested.connect(self._on_table_frame_requested)
        table.explain_requested.connect(self.toggle_explanation)
        table.customContextMenuRequested.connect(self._on_menu_requested)
        table.copy_requested.connect(self._on_table_copy_requested)
        self.feed.changed.connect(self._show_state)
        self.source.changed.connect(self._take_source)
        self.source.looked.connect(self._on_source_looked)
        self.source.counted.connect(self._show_sums)

    def _take_source(self) -> None:
        source = self.source
        self.feed.set_source(source.transcript, source.earlier, source.muted.reasons)
        self._show_sums()
        self._show_state()
        self._explain()

    def _on_bar_targets_chosen(self, names: Targets) -> None:
        self.source.targets.replace(names)

    def _show_sums(self) -> None:
        self.bar.show_targets(self.source.targets.names)
        self.bar.show_sums(self.source.sums, self.source.dropped)

    def _on_source_looked(self) -> None:
        if not self.model.groups.visible:
            self._show_state()

    def _show_state(self) -> None:
        has_rows = bool(self.model.groups.visible)
        if not has_rows:
            self._empty.set_text(*self._nothing_text())
        self._stack.setCurrentIndex(int(has_rows))

    def _nothing_text(self) -> tuple[str, str]:
        """Return title and text where there is no row: what was checked, or what is not displayed."""
        transcript, sums = self.source.transcript, self.source.sums
        if transcript is None or not transcript.count:
            return NOTHING
        hidden = sums.problems + sums.notes
        if hidden:
            return "No matches", f"{plural(hidden, 'rule')} found something. Change the filter."
        muted = f" {plural(sums.muted, 'muted rule')} found something." if sums.muted else ""
        sweep = self.source.sweep()
        if sweep is not None and sweep.pending:
            return f"Checking {plural(transcript.count, 'frame')}", muted.strip()
        seen = len(sweep.rules.seen_rules) if sweep is not None else 0
        unseen = max(len(RULES) - seen, 0)
        which = " that are not muted" if sums.muted else ""
        title = f"No problems{which} in {plural(transcript.count, 'frame')}."
        return title, f"{plural(unseen, 'rule')} saw nothing to check.{muted}"

    def _on_bar_selection_changed(self) -> None:
        self.feed.set_selection(self.bar.selection())

    def _on_bar_rows_requested(self) -> None:
        if not self.model.groups.visible:
            return
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        if self.table.current_row() < 0 and self.model.rowCount():
            self.table.setCurrentIndex(self.model.index(0, 0))

    def group_by(self, grouping: Grouping) -> None:
        """Have other groups."""
        self.bar.set_grouping(grouping)

    def focus_front(self) -> None:
        """Put the focus into the rows, or into the filter where there are none: it would not be seen in hidden rows."""
        if self.model.groups.visible:
            self.table.setFocus()
        else:
            self.focus_filter()

    def focus_filter(self) -> None:
        """Put the cursor into the filter."""
        self.bar.filter.focus()

    def toggle_explanation(self) -> None:
        """Explain the rule of the current row, or no longer."""
        explanation = self.explanation or self._make_explanation()
        is_open = explanation.isHidden()
        self.bar.show_explaining(is_open)
        explanation.setVisible(is_open)
        self._arrange()
        (explanation if self.table.isHidden() else self.table).setFocus()
        if is_open:
            width = self._split.width()
            share = min(self._theme.px(EXPLANATION_WIDTH), round(width * EXPLANATION_SHARE))
            self._split.setSizes([width - share, share])
            self._explain()

    def _make_explanation(self) -> RuleExplanation:
        from ui.render.rule_explanation import RuleExplanation  # for those who look at it

        explanation = RuleExplanation(theme=self._theme, name="problems_rule", parent=self)
        explanation.hide()
        explanation.frame_requested.connect(self._request_frame)
        explanation.mute_requested.connect(self._on_mute_requested)
        self._split.addWidget(explanation)
        self.explanation = explanation
        return explanation

    def _explain(self) -> None:
        if self.explanation is None or self.explanation.isHidden():
            return
        from ui.render.rule_explanation import ExplainedRule

        row = self.table.current_row()
        if row < 0 or self.source.transcript is None:
            self.explanation.show_rule(None)
            return
        finding = self.model.item(row).finding
        found = self.source.transcript.rule_findings.get(finding.rule)
        if found is None:  # just now it was forgotten, and is checked again
            self.explanation.show_rule(None)
            return
        rule = RULES.get(finding.rule) or Rule(finding.rule, found.severity, "", finding.rule)
        is_group = self.model.fold_state(row) is not None
        is_of_rule = is_group and self.feed.selection.grouping is Grouping.RULE
        places = occurrences(found) if is_of_rule else [Occurrence(*self.model.item(row))]
        self.explanation.show_rule(
            ExplainedRule(
                rule,
                found.severity,
                self.source.transcript,
                tuple(places),
                found.count if is_of_rule else 1,
                server=self.source.server,
                is_muted=finding.rule in self.source.muted.reasons,
            )
        )

    def _on_table_frame_requested(self, row: int) -> None:
        number, finding = self.model.item(row)
        self._request_frame(number, finding.pointer)

    def _request_frame(self, number: int, pointer: str) -> None:
        self.frame_requested.emit(number, self.source.transcript, pointer)

    def _on_mute_requested(self, rule: str, mute: bool) -> None:
        if mute:
            self.source.muted.mute(rule)
        else:
            self.source.muted.unmute(rule)

    def make_menu(self, row: int) -> QMenu:
        """Return the menu of a row."""
        menu = QMenu(self)
        menu.setObjectName("problems_row_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        number, finding = self.model.item(row)
        menu.addAction(f"Show frame {number}", lambda: self._request_frame(number, finding.pointer))
        menu.addAction("Explain rule", self.toggle_explanation)
        menu.addSeparator()
        title = no_mnemonic(rule_title(finding.rule))
        menu.addAction(f"Mute “{title}”", lambda: self.source.muted.mute(finding.rule))
        menu.addSeparator()
        menu.addAction("Copy", self._on_table_copy_requested)
        return menu

    def _on_menu_requested(self, position: QPoint) -> None:
        row = self.table.current_row()
        if row >= 0:
            self.make_menu(row).popup(self.table.viewport().mapToGlobal(position))

    def _on_table_copy_requested(self) -> None:
        """Copy the current row as text, as it is displayed."""
        row = self.table.current_row()
        if row >= 0:
            made = self.model.row(row)
            parts = (made.text, made.count, made.where, made.rule)
            copy_text("\t".join(part for part in parts if part))

    def copy_markdown(self) -> None:
        """Copy the displayed groups of rules as Markdown, without secrets."""
        if self.source.transcript is None:
            return
        from inspector.checks.excerpts import Excerpts
        from inspector.checks.rule_markdown import rule_markdown

        excerpts = Excerpts(self.source.transcript)
        parts: list[str] = []
        for id_, (items, count) in self.model.groups.by_rule(MAX_OCCURRENCES).items():
            known = self.source.transcript.rule_findings.get(id_)
            if known is None:
                continue  # its target client was deselected, and the groups follow in a moment
            rule = RULES.get(id_) or Rule(id_, known.severity, "", id_)
            some = [Occurrence(*each) for each in items]
            parts.append("\n".join(rule_markdown(rule, known.severity, some, count, excerpts)))
        copy_text("\n\n".join(parts) + "\n")

    def _arrange(self) -> None:
        """Explain in place of the rows where there is no room for both."""
        is_narrow = self.width() < self._theme.px(NARROW)
        self.table.setVisible(not (is_narrow and self.bar.is_explaining))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is room for both, or not."""
        super().resizeEvent(event)
        self._arrange()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc and Space go back from the explanation to the rows that it hides."""
        if self.table.isHidden() and event.key() in {Qt.Key.Key_Escape, Qt.Key.Key_Space}:
            self.toggle_explanation()
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Go on with what came meanwhile."""
        super().showEvent(event)
        self.feed.set_active(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Build nothing that cannot be seen."""
        super().hideEvent(event)
        self.feed.set_active(False)
