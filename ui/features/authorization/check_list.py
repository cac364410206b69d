"""What the rules say of one step: a line a check, with the section where the rule is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from inspector.auth.check import Verdict
from inspector.visible_text import visible
from ui.navigator import navigator_of
from ui.theme import tokens
from ui.widgets.buttons import link_button
from ui.widgets.labels import plain_label, tool_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.auth.check import Check
    from ui.theme import Theme

SORTED_FROM = 8
"""More checks than this stand with the broken rules first."""

SIGNS = {
    Verdict.PASSED: ("mdi6.check", "ok", "passed"),
    Verdict.INFO: ("mdi6.information-outline", "muted", "note"),
    Verdict.WARNING: ("mdi6.alert-outline", "warning", "warning"),
    Verdict.FAILED: ("mdi6.close-circle-outline", "error", "failed"),
}
"""Icon, tone and word of each."""

_WORST_FIRST = (Verdict.FAILED, Verdict.WARNING, Verdict.INFO, Verdict.PASSED)

_PLURALS = {"warning": "warnings", "note": "notes"}


class CheckList(QWidget):
    """The checks of a step under their sum."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("authorization_checks")
        self._theme = theme
        self._checks: tuple[Check, ...] = ()
        self._title = plain_label(name="authorization_checks_title", parent=self)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 1)
        self._rows: list[QWidget] = []
        theme.changed.connect(self._refresh)
        self._refresh()

    def show_checks(self, checks: Sequence[Check]) -> None:
        """Show `checks`."""
        if tuple(checks) != self._checks:
            self._checks = tuple(checks)
            self._refresh()

    def _refresh(self) -> None:
        for widget in self._rows:
            widget.hide()
            widget.deleteLater()
        self._rows = []
        self.setVisible(bool(self._checks))
        self._title.setText(f"Checks · {sum_text(self._checks)}")
        self._title.setFont(self._theme.font(tokens.SMALL, bold=True))
        self._grid.setHorizontalSpacing(self._theme.PADDING_PX)
        self._grid.setVerticalSpacing(self._theme.SPACING_PX)
        self._grid.addWidget(self._title, 0, 0, 1, 3)
        for row, check in enumerate(in_order(self._checks), start=1):
            self._add(row, check)

    def _add(self, row: int, check: Check) -> None:
        icon, tone, word = SIGNS[check.verdict]
        edge = self._theme.ICON
        sign = QLabel(self)
        sign.setPixmap(self._theme.icon(icon, tone).pixmap(edge, edge))
        sign.setAccessibleName(word)
        text = plain_label(visible(check.summary), wrap=True, parent=self)
        text.setAccessibleName(f"{word}: {text.text()}")
        text.setFont(self._theme.font(bold=check.verdict is Verdict.FAILED))
        top = Qt.AlignmentFlag.AlignTop
        self._grid.addWidget(sign, row, 0, top)
        self._grid.addWidget(text, row, 1)
        self._rows += [sign, text]
        self._rows.append(self._source(row, check))

    def _source(self, row: int, check: Check) -> QWidget:
        name = source_text(check.source)
        if check.link:
            source: QWidget = link_button(name, name=f"authorization_rule_{row}", parent=self)
            source.setAccessibleName(f"Open {name}")
            url = check.link
            source.clicked.connect(lambda: navigator_of(self).open_link(url))
        else:
            source = plain_label(name, tone="muted", parent=self)
        source.setFont(self._theme.font(tokens.SMALL))
        source.setToolTip(tool_tip(f"{check.rule}: {check.source}"))
        self._grid.addWidget(
            source, row, 2, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight
        )
        return source


def in_order(checks: Sequence[Check]) -> list[Check]:
    """Return the checks as they are shown: many of them with broken rules first."""
    if len(checks) <= SORTED_FROM:
        return list(checks)
    return sorted(checks, key=lambda check: _WORST_FIRST.index(check.verdict))


def sum_text(checks: Sequence[Check]) -> str:
    """Return how many there are of each kind, such as `3 passed, 1 failed, 2 notes`."""
    found: list[str] = []
    for verdict in (Verdict.PASSED, Verdict.FAILED, Verdict.WARNING, Verdict.INFO):
        count = sum(check.verdict is verdict for check in checks)
        word = SIGNS[verdict][2]
        if count:
            found.append(f"{count} {_PLURALS.get(word, word) if count > 1 else word}")
    return ", ".join(found)


def source_text(source: str) -> str:
    """Return a source as it is cited: `RFC 8414 §3.3`."""
    return source.replace(", section ", " §")
