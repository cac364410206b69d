"""Why a step failed: the sentence, what was expected and what came, what its author can do, and what the user can accept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QTextEdit,
    QWidget,
)

from inspector.auth.settings import Waiver
from inspector.auth.state import Stage
from inspector.visible_text import visible
from ui.widgets.buttons import link_button, push_button
from ui.widgets.code_text import CodeText
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import QuotingLabel, plain_label, set_background, set_icon, show_text
from ui.widgets.layout_parts import column_layout, row_layout

if TYPE_CHECKING:
    from inspector.auth.flow import FlowStep
    from ui.theme import Theme

ACCEPTS = {
    Waiver.ISSUER: "Accept this issuer",
    Waiver.RESOURCE: "Accept this resource",
    Waiver.PKCE: "Continue without PKCE metadata",
    Waiver.PLAIN_HTTP: "Allow http",
    Waiver.ADDRESS: "Allow private addresses",
}
"""What the button says that lets a server break each rule."""


DIFFERENCES = {
    Stage.RESOURCE: "`resource` differs from the URL of this server.",
    Stage.SERVER: "`issuer` differs from the authorization server that was requested.",
    Stage.CALL: "The server rejects the new token: its audience is another resource.",
}
"""What is said of a problem whose two values stand below."""


class StepNotice(QFrame):
    """The notice of a failed step; hidden for any other.

    Signals:
        accept_requested: allow this server to break the rule by which the step failed.
        report_requested: copy a report for the author of the server.
    """

    accept_requested = Signal()
    report_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("authorization_notice")
        set_background(self, "error")
        self._theme = theme
        self._step: FlowStep | None = None
        self._build()
        self._wire()
        self.dress()
        self.hide()

    def _build(self) -> None:
        self._sign = QLabel(self)
        self._title = QuotingLabel(name="authorization_problem", tone="title", parent=self)
        self._hint = QuotingLabel(name="authorization_hint", parent=self)
        for label in (self._title, self._hint):
            label.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse
                | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
        self._expected, self._received = (
            CodeText(theme=self._theme, name=f"authorization_{side}", is_framed=False)
            for side in ("expected", "received")
        )
        self._values = QWidget(self)
        grid = QGridLayout(self._values)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setColumnStretch(1, 1)
        grid.setVerticalSpacing(0)
        for row, (name, value) in enumerate(
            (("expected", self._expected), ("received", self._received))
        ):
            label = plain_label(name, tone="muted")
            grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, row, 1)
        self.accept_button = push_button("", name="authorization_accept", parent=self)
        self._scope = plain_label("for this server only", tone="muted", parent=self)
        self._report = link_button("Copy report", name="authorization_report", parent=self)
        self._arrange()

    def _arrange(self) -> None:
        theme = self._theme
        buttons = FlowLayout(theme.PADDING_PX)
        for part in (self.accept_button, self._scope):
            buttons.addWidget(part)
        buttons.to_the_end()
        buttons.addWidget(self._report)
        column = column_layout(
            None, self._title, self._values, self._hint, buttons, space=theme.SPACING_PX
        )
        row = self._row = row_layout(self, space=theme.px(6))
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)

    def _wire(self) -> None:
        self._theme.changed.connect(self.dress)
        self.accept_button.clicked.connect(self.accept_requested)
        self._report.clicked.connect(self.report_requested)

    def dress(self) -> None:
        """Set sizes and fonts, which Qt forgets when a part is put into a window with a style sheet."""
        set_icon(self._sign, self._theme, "mdi6.close-circle-outline", "error")
        px = self._theme.px
        self._row.setContentsMargins(px(12), px(8), px(12), px(8))
        self._mark()

    def show_step(self, step: FlowStep | None) -> None:
        """Show why `step` failed, or nothing."""
        self._step = step if step is not None and step.problem else None
        step = self._step
        self.setVisible(step is not None)
        if step is None:
            return
        title = DIFFERENCES.get(step.stage, "") if step.expected else ""
        if title:
            self._title.setText(title)
        else:
            self._title.set_plain(visible(sentence(step.problem)))
        show_text(self._hint, visible(step.hint))
        self._values.setVisible(bool(step.expected))
        self._expected.set_code(step.expected, accessible_name=f"expected: {step.expected}")
        self._received.set_code(
            step.received or "(missing)", accessible_name=f"received: {step.received}"
        )
        self.accept_button.setVisible(step.waiver is not None)
        self._scope.setVisible(step.waiver is not None)
        if step.waiver is not None:
            self.accept_button.setText(ACCEPTS[step.waiver])
            self.accept_button.setAccessibleName(f"{ACCEPTS[step.waiver]} for this server only")
        self.setAccessibleName(f"Failed: {self._title.text()}")
        self._mark()

    def _mark(self) -> None:
        """Mark what of the received value differs from the expected one."""
        step = self._step
        if step is None or not step.expected or not step.received:
            return
        start, end = difference(step.expected, step.received)
        look = QTextCharFormat()
        look.setForeground(self._theme.color("error"))
        look.setFontUnderline(True)
        selection = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self._received.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        selection.cursor = cursor
        selection.format = look
        self._received.setExtraSelections([selection])


def sentence(text: str) -> str:
    """Return an error text, which begins in lower case, as a sentence."""
    if not text:
        return ""
    end = "" if text.endswith((".", "…", "!", "?")) else "."
    is_url = "://" in text.partition(" ")[0]
    first = text[0] if is_url else text[0].upper()
    return f"{first}{text[1:]}{end}"


def difference(expected: str, received: str) -> tuple[int, int]:
    """Return where `received` begins and ends to differ from `expected`; a part of at least one character, unless it is empty."""
    start = 0
    while start < min(len(expected), len(received)) and expected[start] == received[start]:
        start += 1
    tail = 0
    limit = min(len(expected), len(received)) - start
    while tail < limit and expected[-1 - tail] == received[-1 - tail]:
        tail += 1
    end = len(received) - tail
    if (
        start == end and received
    ):  # something is missing: the character before the gap stands for it
        return max(start - 1, 0), max(end, 1)
    return start, end
