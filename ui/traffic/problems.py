"""What is wrong or odd about one frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from inspector.finding import Severity
from inspector.rules import RULES
from inspector.transcript.redaction import Masking
from inspector.visible_text import one_line, visible
from ui.models.error_detail_rows import TITLES
from ui.render.rule_text import SEVERITY_TEXTS, SEVERITY_TONES, rule_title
from ui.widgets.badge import Badge
from ui.widgets.buttons import link_button
from ui.widgets.comparison_table import ComparisonTable
from ui.widgets.labels import QuotingLabel, no_mnemonic, plain_label, tool_tip
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.finding import Finding
    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme
    from ui.widgets.comparison_table import ComparisonRow

LABEL = "Problems"
"""Name of the tab."""
MAX_FINDINGS = 100
"""Findings shown of one frame; more are counted."""
MAX_TEXT = 2000
"""Characters of one finding."""
MAX_POINTER = 80
"""Characters of a place."""


class FindingTexts:
    """Hides the secrets in texts of findings, of one transcript at a time."""

    def __init__(self) -> None:
        """For any transcript."""
        self._masking: tuple[Transcript, Masking] | None = None
        """Made for the first text: in a recording it searches the first frames."""

    def masked(self, transcript: Transcript, text: str) -> str:
        """Return a text about a frame of `transcript` without its secrets."""
        if self._masking is None or self._masking[0] is not transcript:
            self._masking = transcript, Masking(transcript)
        return self._masking[1].text(text)


class ProblemsTab(QScrollArea):
    """Findings, the worst first.

    Signals:
        pointer_requested: show the value at this JSON pointer; of the finding at this position in what was set.
    """

    pointer_requested = Signal(str, int)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("traffic_problems")
        self.setAccessibleName("Problems")
        self._theme = theme
        self._displayed: tuple[object, ...] = ()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.set_findings(())

    def set_findings(
        self,
        findings: Sequence[Finding],
        complaints: Sequence[ComparisonRow] = (),
        *,
        masked: Callable[[str], str] = str,
    ) -> None:
        """Show these instead; `complaints` are what was sent beside what the server complains about, and `masked` hides secrets."""
        order = sorted(range(len(findings)), key=lambda at: -findings[at].severity)[:MAX_FINDINGS]
        texts = [
            (masked(findings[at].summary[:MAX_TEXT]), masked(findings[at].pointer)) for at in order
        ]
        content = (tuple(findings), tuple(complaints), texts)
        if content == self._displayed and self.widget() is not None:
            return
        self._displayed = content
        page = QWidget(self)
        page.setProperty("surface", "panel")
        column = QVBoxLayout(page)
        column.setContentsMargins(*[self._theme.PADDING_PX] * 4)
        column.setSpacing(self._theme.px(12))
        if complaints:
            column.addWidget(self._table(complaints, page))
        for at, (summary, where) in zip(order, texts, strict=True):
            column.addWidget(self._row(findings[at], at, summary, where, page))
        if text := _rest_text(len(findings)):
            column.addWidget(_label(text, page, tone="muted"))
        column.addStretch(1)
        self.setWidget(page)

    def _table(self, complaints: Sequence[ComparisonRow], page: QWidget) -> QWidget:
        table = ComparisonTable(
            theme=self._theme, name="traffic_complaints", headers=TITLES, parent=page
        )
        table.set_rows(complaints)
        return table

    def _row(self, finding: Finding, at: int, summary: str, where: str, page: QWidget) -> QWidget:
        row = QWidget(page)
        column = QVBoxLayout(row)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.SPACING_PX)
        heading = QHBoxLayout()
        heading.setSpacing(self._theme.SPACING_PX)
        name, tone = SEVERITY_TEXTS[finding.severity], SEVERITY_TONES[finding.severity]
        heading.addWidget(Badge(name, theme=self._theme, tone=tone, parent=row))
        rule = _label(one_line(finding.rule, MAX_POINTER), row, tone="muted")
        rule.setFont(self._theme.mono())
        heading.addWidget(rule)
        title = rule_title(finding.rule) if finding.rule in RULES else ""
        heading.addWidget(_label(title, row, tone="muted"), 1)
        if finding.pointer:
            heading.addWidget(self._pointer_button(finding.pointer, where, at, row))
        column.addLayout(heading)
        column.addWidget(QuotingLabel(visible(summary), parent=row))
        if finding.link:
            column.addWidget(_link(finding.link, row))
        return row

    def _pointer_button(self, pointer: str, where: str, at: int, row: QWidget) -> QWidget:
        text = one_line(where, MAX_POINTER)
        button = link_button(no_mnemonic(text), name="traffic_problem_place", parent=row)
        button.setToolTip(tool_tip(f"Show {where} in the tree"))
        button.setAccessibleName(f"Show {text} in the tree")
        button.clicked.connect(lambda: self.pointer_requested.emit(pointer, at))
        return button


def _label(text: str, parent: QWidget, *, tone: str = "") -> QLabel:
    return plain_label(text, tone=tone, wrap=True, selectable=True, parent=parent)


def _link(link: str, parent: QWidget) -> QLabel:
    label = _label(visible(link), parent, tone="muted")
    label.setAccessibleName(f"Specification: {link}")
    return label


def _rest_text(count: int) -> str:
    if not count:
        return "No problems found."
    return f"and {count - MAX_FINDINGS:,} more" if count > MAX_FINDINGS else ""


def problems_label(findings: Sequence[Finding]) -> str:
    """How many problems there are, and what is only remarked, which is no problem."""
    infos = sum(finding.severity is Severity.INFO for finding in findings)
    problems = len(findings) - infos
    parts = (f"{LABEL} {problems:,}" if problems else LABEL,)
    return " · ".join((*parts, plural(infos, "note")) if infos else parts)
