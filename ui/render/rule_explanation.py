"""What a rule is about, why it matters, what it found and what to change: beside a list of rules or findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from inspector.checks.excerpts import Excerpt, Excerpts
from inspector.checks.rule_markdown import advice, rule_markdown, specification
from inspector.frozen import FrozenStruct
from inspector.visible_text import one_line
from ui.navigator import navigator_of
from ui.render.excerpt_box import ExcerptBox
from ui.render.rule_text import (
    SEVERITY_SIGNS,
    SEVERITY_TEXTS,
    SEVERITY_TONES,
    applies_text,
    heading,
)
from ui.theme import tokens
from ui.theme.signs import Sign
from ui.widgets.badge import Badge
from ui.widgets.buttons import link_button, push_button, tool_button
from ui.widgets.clipboard import copy_text
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.key_values import KeyValue, KeyValues
from ui.widgets.labels import plain_label, set_icon, unquoted
from ui.widgets.layout_parts import ScrollColumn, column_layout, row_layout
from ui.widgets.steady_label import SteadyLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.checks.report import Occurrence
    from inspector.finding import Severity
    from inspector.rules import Rule
    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme

MAX_POINTER = 200
"""Characters of a pointer."""


class ExplainedRule(FrozenStruct, frozen=True):
    """A rule in one session."""

    rule: Rule
    """The rule."""
    severity: Severity
    """Of its gravest finding, or its own."""
    transcript: Transcript
    """Where its findings are from."""
    found: tuple[Occurrence, ...] = ()
    """Findings that can be stepped through."""
    count: int = 0
    """All of its findings."""
    outcome: str = ""
    """What it came to where it found nothing."""
    server: str = "server"
    """What its findings can be muted for."""
    is_muted: bool = False
    """Whether they are."""


class RuleExplanation(ScrollColumn):
    """One rule, and one of its findings.

    Signals:
        frame_requested: show this frame, with the value at this JSON pointer.
        mute_requested: mute the rule of this id (True), or report it again.
    """

    frame_requested = Signal(int, str)
    mute_requested = Signal(str, bool)

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(name=name, parent=parent)
        self.setAccessibleName("Rule")
        self.setProperty("surface", "panel")
        self._theme = theme
        self._explained: ExplainedRule | None = None
        self._at = 0
        self._excerpts: Excerpts | None = None
        self._build(name)
        self._wire()
        self._refresh()
        self.show_rule(None)

    def _build(self, name: str) -> None:
        theme = self._theme
        self._body = QWidget(self)
        self._sign = QLabel(self._body)
        self._title = plain_label(
            name=f"{name}_title", wrap=True, selectable=True, parent=self._body
        )
        self._heading = row_layout(None, self._sign, space=0)
        self._heading.setAlignment(self._sign, Qt.AlignmentFlag.AlignTop)
        self._heading.addWidget(self._title, 1)
        self._id = plain_label(name=f"{name}_id", tone="muted", selectable=True, parent=self._body)
        self._badge = Badge(theme=theme, parent=self._body)
        self._applies = plain_label(name=f"{name}_applies", tone="muted", parent=self._body)
        self.link = link_button("Specification", name=f"{name}_link", parent=self._body)
        self._facts_line = FlowLayout(0)
        for part in (self._id, self._badge, self._applies, self.link):
            self._facts_line.addWidget(part)
        self._facts = KeyValues(theme=theme, name=f"{name}_facts", parent=self._body)
        self._steps = self._build_steps(name)
        self.excerpt = ExcerptBox(theme=theme, name=f"{name}_excerpt", parent=self._body)
        self._advice = KeyValues(theme=theme, name=f"{name}_advice", parent=self._body)
        self.frame = push_button("Show frame", name=f"{name}_frame", parent=self._body)
        self.mute = push_button("Mute for this server", name=f"{name}_mute", parent=self._body)
        self.copy = link_button("Copy as Markdown", name=f"{name}_copy", parent=self._body)
        self._buttons = FlowLayout(0)
        for part in (self.frame, self.mute, self.copy):
            self._buttons.addWidget(part)
        self._empty = plain_label("No rule selected", tone="muted", parent=self)
        self._column = column_layout(
            self._body,
            *(self._heading, self._facts_line, self._facts, self._advice),
            *(self._steps, self.excerpt, self._buttons),
            space=0,
        )
        for part in (self._empty, self._body):
            self.column.addWidget(part)
        self.column.addStretch(1)

    def _build_steps(self, name: str) -> QWidget:
        steps = QWidget(self._body)
        theme = self._theme
        self.previous = tool_button(
            theme, Sign.LEFT, "Previous occurrence", name=f"{name}_previous", parent=steps
        )
        self._position = SteadyLabel(digits=2, name=f"{name}_position", parent=steps)
        self.next = tool_button(
            theme, Sign.RIGHT, "Next occurrence", name=f"{name}_next", parent=steps
        )
        row = row_layout(steps, self.previous, self._position, self.next, space=0)
        row.addStretch(1)
        return steps

    def _wire(self) -> None:
        self.previous.clicked.connect(lambda: self._step(-1))
        self.next.clicked.connect(lambda: self._step(1))
        self.link.clicked.connect(self._on_link_clicked)
        self.frame.clicked.connect(self._on_frame_clicked)
        self.mute.clicked.connect(self._on_mute_clicked)
        self.copy.clicked.connect(self._on_copy_clicked)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        theme, px = self._theme, self._theme.px
        edge = px(tokens.READING_PADDING_PX)
        self.column.setContentsMargins(edge, px(12), edge, px(12))
        self._column.setSpacing(px(8))
        self._heading.setSpacing(px(6))
        self._facts_line.setSpacing(px(8))
        self._buttons.setSpacing(px(6))
        self._title.setFont(theme.font(tokens.NAME, bold=True))
        self._id.setFont(theme.mono(tokens.SMALL))
        for part in (self._applies, self.link):
            part.setFont(theme.font(tokens.SMALL))
        if self._explained is not None:
            self._show_severity(self._explained)

    def _show_severity(self, explained: ExplainedRule) -> None:
        """Show how grave a finding is; of a rule that found nothing without the color, which would say that something is wrong."""
        severity = explained.severity
        tone = SEVERITY_TONES[severity] if explained.count else "muted"
        set_icon(self._sign, self._theme, SEVERITY_SIGNS[severity], tone)
        self._badge.set_text(SEVERITY_TEXTS[severity], tone)

    def show_rule(self, explained: ExplainedRule | None, at: int = 0) -> None:
        """Show a rule with the finding at a position among its `found`; None for no rule."""
        if explained is not None and (
            self._explained is None or self._explained.transcript is not explained.transcript
        ):
            self._excerpts = None
        self._explained = explained
        self._body.setVisible(explained is not None)
        self._empty.setVisible(explained is None)
        if explained is None:
            return
        rule = explained.rule
        self._show_severity(explained)
        self._title.setText(heading(rule.title))
        self._id.setText(one_line(rule.id, MAX_POINTER))
        self._applies.setText(applies_text(rule))
        self.link.setVisible(bool(specification(rule, explained.found)))
        about = f"Specification: {rule.subject}" if rule.subject else "Specification"
        self.link.setText(about)
        self.link.setAccessibleName(about)
        self._advice.set_facts(_facts(rule, after=True))
        self._advice.setVisible(bool(self._advice.facts()))
        self.mute.setText("Unmute" if explained.is_muted else f"Mute for this {explained.server}")
        self.mute.setAccessibleName(self.mute.text())
        self._show_finding(min(at, max(len(explained.found) - 1, 0)))

    def _show_finding(self, at: int) -> None:
        explained = self._explained
        assert explained is not None
        self._at = at
        found = explained.found[at] if explained.found else None
        facts: list[KeyValue] = []
        if found is not None:
            masked = self._excerpts_of().masked
            where = f"frame {found.number}"
            if found.finding.pointer:
                where = f"{where} → {one_line(masked(found.finding.pointer), MAX_POINTER)}"
            facts = [
                KeyValue("What", unquoted(masked(found.finding.summary)), mono=False),
                KeyValue("Place", where, mono=False),
            ]
        elif explained.outcome:
            facts = [KeyValue("Result", explained.outcome, mono=False)]
        self._facts.set_facts((*facts[:1], *_facts(explained.rule, after=False), *facts[1:]))
        self._show_excerpt(found)
        self._steps.setVisible(len(explained.found) > 1)
        self.previous.setEnabled(at > 0)
        self.next.setEnabled(at < len(explained.found) - 1)
        of = (
            f"{len(explained.found):,}"
            if len(explained.found) == explained.count
            else f"{explained.count:,}"
        )
        self._position.show_text(f"{at + 1:,} of {of}")
        self.frame.setVisible(found is not None)
        self.frame.setText(f"Show frame {found.number}" if found is not None else "")
        self.frame.setAccessibleName(self.frame.text())

    def _show_excerpt(self, found: Occurrence | None) -> None:
        excerpt = Excerpt()
        if found is not None:
            excerpt = self._excerpts_of().around(found.number, found.finding.pointer)
        tone = SEVERITY_TONES[found.finding.severity] if found is not None else "muted"
        self.excerpt.show_excerpt(excerpt, tone)

    def _excerpts_of(self) -> Excerpts:
        assert self._explained is not None
        if self._excerpts is None:
            self._excerpts = Excerpts(self._explained.transcript)
        return self._excerpts

    def _step(self, by: int) -> None:
        self._show_finding(self._at + by)

    def _on_link_clicked(self) -> None:
        if self._explained is not None:
            navigator_of(self).open_link(specification(self._explained.rule, self._explained.found))

    def _on_frame_clicked(self) -> None:
        if self._explained is not None and self._explained.found:
            found = self._explained.found[self._at]
            self.frame_requested.emit(found.number, found.finding.pointer)

    def _on_mute_clicked(self) -> None:
        if self._explained is not None:
            self.mute_requested.emit(self._explained.rule.id, not self._explained.is_muted)

    def _on_copy_clicked(self) -> None:
        if self._explained is None:
            return
        explained = self._explained
        found = (*explained.found[self._at :], *explained.found[: self._at])
        lines = rule_markdown(
            explained.rule, explained.severity, found, explained.count, self._excerpts_of()
        )
        copy_text("\n".join(lines) + "\n")


def _facts(rule: Rule, *, after: bool) -> Sequence[KeyValue]:
    """Why a rule matters, or, `after` what it found, what to change."""
    return [
        KeyValue(name, unquoted(text), mono=False)
        for name, text in advice(rule)
        if (name != "Why") == after
    ]
