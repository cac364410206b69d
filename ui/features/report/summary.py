"""The top of the report: which run of which server it is about, and the numbers of rules. No score, no grade."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from ui.features.report.rules import NOT_FOUND
from ui.theme import tokens
from ui.theme.signs import Sign
from ui.widgets.buttons import push_button
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import ElidedLabel, plain_label, set_icon, set_tone, tool_tip
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.units import plural

if TYPE_CHECKING:
    from inspector.checks.report import Report
    from ui.theme import Theme

HEIGHT = 42
"""Pixels at 100% of the line with the title."""
SUMS_HEIGHT, LINE_HEIGHT = 30, 20
"""Pixels at 100% of the line with the numbers, where it does not wrap, and of its text."""

_PARTS = (
    ("errors", Sign.ERROR, "error"),
    ("warnings", Sign.WARNING, "warning"),
    ("notes", Sign.NOTE, ""),
    ("not_seen", Sign.NOT_SEEN, ""),
    ("muted", Sign.MUTED, ""),
    ("since", Sign.RUN, ""),
)
"""Key, sign, and the color where the number is not zero."""


class ReportHeading(QWidget):
    """Title and facts at the left, probes and export at the right."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without facts."""
        super().__init__(parent)
        self.setObjectName("report_heading")
        self._theme = theme
        self._title = plain_label("Report", name="report_title", parent=self)
        self._facts = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._facts.setObjectName("report_facts")
        set_tone(self._facts, "muted")
        self._row = row_layout(self, self._title, space=0)
        self._row.addWidget(self._facts, 1)
        self._state = plain_label(tone="muted", name="report_state", parent=self)
        self.probe = push_button("Probe…", name="report_probe", parent=self)
        self.export = push_button("Export…", name="report_export", parent=self)
        for part in (self._state, self.probe, self.export):
            self._row.addWidget(part)
        theme.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        theme, px = self._theme, self._theme.px
        self.setFixedHeight(px(HEIGHT))
        edge = px(tokens.READING_PADDING_PX)
        self._row.setContentsMargins(edge, 0, px(8), 0)
        self._row.setSpacing(px(8))
        self._title.setFont(theme.font(tokens.TITLE, bold=True))
        for part in (self._facts, self._state):
            part.setFont(theme.font(tokens.SMALL))
        for button, sign in ((self.probe, Sign.PROBE), (self.export, Sign.EXPORT)):
            button.setIcon(theme.icon(sign, "muted"))

    def offer_probes(self, reason: str) -> None:
        """Offer probes, or give the reason why the server cannot be probed now."""
        self.probe.setEnabled(not reason)
        self.probe.setToolTip(tool_tip(reason))
        self.probe.setAccessibleDescription(reason)

    def show_state(self, text: str) -> None:
        """Show what an export does, or did."""
        self._state.setText(text)

    def show_facts(self, text: str) -> None:
        """Show what the report is about."""
        self._facts.set_text(text)


class SumsLine(QWidget):
    """How many rules found something, saw nothing to check, are muted, and have changed; each a sign and a text."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("report_sums")
        self._theme = theme
        self._tones = {key: "muted" for key, _, _ in _PARTS}
        self._parts = {key: self._part(key) for key, _, _ in _PARTS}
        self._flow = FlowLayout(0)
        self._around = column_layout(self, self._flow, space=0)
        for part, _, _ in self._parts.values():
            self._flow.addWidget(part)
        theme.changed.connect(self._refresh)
        self._refresh()

    def _part(self, key: str) -> tuple[QWidget, QLabel, QLabel]:
        part = QWidget(self)
        icon = QLabel(part)
        text = plain_label(name=f"report_{key}", parent=part)
        row_layout(part, icon, text, space=self._theme.SPACING_PX)
        return part, icon, text

    def _refresh(self) -> None:
        px = self._theme.px
        edge = px(tokens.READING_PADDING_PX)
        self._flow.setSpacing(px(24))
        self._around.setContentsMargins(edge, 0, edge, px(SUMS_HEIGHT) - px(LINE_HEIGHT))
        for key, sign, _ in _PARTS:
            _, icon, text = self._parts[key]
            tone = self._tones[key]
            set_icon(icon, self._theme, sign, tone)
            set_tone(text, tone)
            text.setFont(self._theme.font(bold=tone in {"error", "warning"}))

    def show_report(self, report: Report) -> None:
        """Show the numbers of a report."""
        total = report.total
        changes = f"{total.new:,} new, {total.fixed:,} {NOT_FOUND}"
        texts = {
            "errors": plural(total.errors, "error"),
            "warnings": plural(total.warnings, "warning"),
            "notes": plural(total.notes, "note"),
            "not_seen": f"{plural(total.not_seen, 'rule')} not seen",
            "muted": f"{total.muted:,} muted" if total.muted else "",
            "since": f"Since run {report.compared}: {changes}" if report.compared else "",
        }
        counts = {"errors": total.errors, "warnings": total.warnings}
        for key, _, tone in _PARTS:
            part, _, label = self._parts[key]
            label.setText(texts[key])
            part.setVisible(bool(texts[key]))
            self._tones[key] = tone if tone and counts.get(key) else "muted"
        self._refresh()
