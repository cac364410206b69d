"""One step of an authorization in full: notice, request and response, and its checks, each with the section that defines the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from inspector.auth.check import CheckResult
from inspector.auth.state import Stage
from inspector.visible_text import visible
from ui.features.authorization import message_text
from ui.features.authorization.exchange_view import ExchangeView
from ui.features.authorization.step_notice import StepNotice, sentence
from ui.navigator import navigator_of
from ui.theme import tokens
from ui.widgets.browser_notice import BrowserNotice
from ui.widgets.buttons import link_button
from ui.widgets.clipboard import copy_text
from ui.widgets.labels import QuotingLabel, plain_label, set_icon, tool_tip
from ui.widgets.links import set_link_height

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.auth.check import Check
    from inspector.auth.flow import FlowStep
    from ui.features.authorization.ladder_rows import LadderRow
    from ui.theme import Theme

PURPOSES = {
    Stage.CHALLENGE: "What the server asks for in its `WWW-Authenticate` header.",
    Stage.RESOURCE: "The server's own document: which authorization servers issue tokens for it.",
    Stage.SERVER: "The authorization server's document: where clients register, users log in and tokens are issued.",
    Stage.CLIENT: "Who Spyglass is to the authorization server.",
    Stage.AUTHORIZATION: "You log in and allow access; the browser is redirected back with a code.",
    Stage.ASSERTION: "What is exchanged for a token.",
    Stage.TOKEN: "The code is exchanged for an access token.",
    Stage.CALL: "The first request that carries the token.",
}
"""What each kind of step is for."""

SORTED_FROM = 8
"""More checks than this stand with the broken rules first."""

SIGNS = {
    CheckResult.PASSED: ("mdi6.check", "ok", "passed"),
    CheckResult.INFO: ("mdi6.information-outline", "muted", "note"),
    CheckResult.WARNING: ("mdi6.alert-outline", "warning", "warning"),
    CheckResult.FAILED: ("mdi6.close-circle-outline", "error", "failed"),
}
"""Icon, tone and word of each."""

_WORST_FIRST = (CheckResult.FAILED, CheckResult.WARNING, CheckResult.INFO, CheckResult.PASSED)

_PLURALS = {"warning": "warnings", "note": "notes"}


class StepDetail(QScrollArea):
    """The step of the selected row.

    Signals:
        traffic_requested: show the frames of this step in the traffic.
        accept_requested: allow this server to break the rule by which the step failed.
    """

    traffic_requested = Signal(object)
    accept_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("authorization_detail")
        self.setAccessibleName("Step")
        self._theme = theme
        self._row: LadderRow | None = None
        self.hide_secrets: Callable[[str], str] = str
        """Takes the secrets of the session out of a text: a server may repeat them in a message."""
        self._build()
        self._wire()
        self.dress()

    def _build(self) -> None:
        theme = self._theme
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._title = plain_label(name="authorization_step_title", wrap=True)
        self._outcome = plain_label(tone="muted", name="authorization_outcome", wrap=True)
        self.traffic_link = link_button("Show in traffic", name="authorization_traffic")
        self.browser = BrowserNotice(theme=theme)
        self.notice = StepNotice(theme=theme)
        self.exchange = ExchangeView(theme=theme)
        self.checks = CheckList(theme=theme)
        header = QHBoxLayout()
        header.addWidget(self._title, 1)
        header.addWidget(self.traffic_link, 0, Qt.AlignmentFlag.AlignTop)
        inner = QWidget()
        inner.setProperty("surface", "panel")
        inner.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._column = QVBoxLayout(inner)
        self._column.addLayout(header)
        for part in (self._outcome, self.browser, self.notice, self.exchange, self.checks):
            self._column.addWidget(part)
        self._column.addStretch(1)
        self.setWidget(inner)

    def _wire(self) -> None:
        self._theme.changed.connect(self.dress)
        self.traffic_link.clicked.connect(self._on_traffic_clicked)
        self.notice.accept_requested.connect(self.accept_requested)
        self.notice.report_requested.connect(self.copy_report)

    def dress(self) -> None:
        """Set sizes and fonts, which Qt forgets when a part is put into a window with a style sheet."""
        theme = self._theme
        pad = theme.px(16)
        self._column.setContentsMargins(pad, theme.px(12), pad, theme.px(12))
        self._column.setSpacing(theme.PADDING_PX)
        self._title.setFont(theme.font(1.1, bold=True))

    def show_row(self, row: LadderRow | None) -> None:
        """Show the step of `row`, done or to come."""
        self._row = row
        step = row.step if row is not None else None
        self._title.setText(f"{row.number}  {visible(row.title)}" if row is not None else "")
        self._outcome.setText(visible(_outcome_text(row)) if row is not None else "")
        self.traffic_link.setVisible(step is not None and step.frame > 0)
        waits = step is not None and step.waits_for_user
        self.browser.show_url(
            step.visit if step is not None and waits else "", step.began_wall if step else 0.0
        )
        self.notice.show_step(step)
        if step is not None:
            self.exchange.show_step(step)
        elif row is not None and row.planned is not None:
            self.exchange.show_planned(row.planned)
        else:
            self.exchange.hide()
        self.checks.show_checks(step.checks if step is not None else ())

    def copy_report(self) -> None:
        """Put the step on the clipboard as Markdown, secrets masked."""
        if self._row is not None and self._row.step is not None:
            copy_text(self.hide_secrets(step_report(self._row.step)))

    def _on_traffic_clicked(self) -> None:
        if self._row is not None and self._row.step is not None:
            self.traffic_requested.emit(self._row.step)


def _outcome_text(row: LadderRow) -> str:
    """Return the purpose of the step and its outcome."""
    step, purpose = row.step, PURPOSES[row.stage]
    if step is None or step.problem or not step.reason:
        return purpose
    return f"{purpose} {sentence(step.reason)}"


def step_report(step: FlowStep) -> str:
    """Return a step as Markdown for the author of the server: what failed, what was expected, the hint, the broken rules, and the exchange."""
    parts = [f"### {step.title}", step.problem or step.reason]
    if step.expected:
        parts.append(f"- expected: `{step.expected}`\n- received: `{step.received or 'missing'}`")
    parts.append(step.hint)
    broken = [each for each in step.checks if each.result is not CheckResult.PASSED]
    parts.append(
        "\n".join(
            f"- {SIGNS[each.result][2]}: {each.summary} ({source_text(each.source)})"
            for each in broken
        )
    )
    request = message_text.request_text(step.request) if step.request is not None else ""
    visit = message_text.visit_text(step.visit) if step.visit else ""
    callback = message_text.callback_text(step.callback) if step.callback else ""
    response = message_text.response_text(step.response)
    parts += [_fenced(text) for text in (request, visit, callback, response) if text]
    return "\n\n".join(part for part in parts if part) + "\n"


def _fenced(text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}http\n{text}\n{fence}"


class CheckList(QWidget):
    """The checks of a step under their sum."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
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
        self._grid.setHorizontalSpacing(self._theme.px(6))
        self._grid.setVerticalSpacing(0)
        self._grid.addWidget(self._title, 0, 0, 1, 3)
        for row, check in enumerate(in_order(self._checks), start=1):
            self._add(row, check)

    def _add(self, row: int, check: Check) -> None:
        icon, tone, word = SIGNS[check.result]
        height = self._theme.ROW_HEIGHT_PX
        sign = QLabel(self)
        set_icon(sign, self._theme, icon, tone)
        sign.setFixedHeight(height)
        sign.setAccessibleName(word)
        text = QuotingLabel(visible(check.summary), parent=self)
        text.setAccessibleName(f"{word}: {text.text()}")
        text.setFont(self._theme.font(bold=check.result is CheckResult.FAILED))
        edge = max((height - text.fontMetrics().height()) // 2, 0)
        text.setContentsMargins(0, edge, 0, edge)  # its first line stands in the middle of a row
        top = Qt.AlignmentFlag.AlignTop
        self._grid.addWidget(sign, row, 0, top)
        self._grid.addWidget(text, row, 1, top)
        self._rows += [sign, text]
        self._rows.append(self._source(row, check))

    def _source(self, row: int, check: Check) -> QWidget:
        name = source_text(check.source)
        if check.link:
            link = link_button(name, name=f"authorization_rule_{row}", parent=self)
            link.setAccessibleName(f"Open {name}")
            url = check.link
            link.clicked.connect(lambda: navigator_of(self).open_link(url))
            set_link_height(link, self._theme.ROW_HEIGHT_PX)
            source: QWidget = link
        else:
            source = plain_label(name, tone="muted", parent=self)
            source.setFixedHeight(self._theme.ROW_HEIGHT_PX)
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
    return sorted(checks, key=lambda check: _WORST_FIRST.index(check.result))


def sum_text(checks: Sequence[Check]) -> str:
    """Return how many there are of each kind, such as `3 passed, 1 failed, 2 notes`."""
    found: list[str] = []
    for result in (CheckResult.PASSED, CheckResult.FAILED, CheckResult.WARNING, CheckResult.INFO):
        count = sum(check.result is result for check in checks)
        word = SIGNS[result][2]
        if count:
            found.append(f"{count} {_PLURALS.get(word, word) if count > 1 else word}")
    return ", ".join(found)


def source_text(source: str) -> str:
    """Return a source as it is cited: `RFC 8414 §3.3`."""
    return source.replace(", section ", " §")
