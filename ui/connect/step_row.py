"""One step of connecting: what is done, how long it takes, what was learnt, and more on demand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from inspector.session.steps import Step, StepState
from inspector.visible_text import visible, without_ansi
from ui.connect.state_styles import LOGIN, STEPS
from ui.models.error_detail_rows import TITLES
from ui.widgets.buttons import link_button
from ui.widgets.comparison_table import ComparisonTable
from ui.widgets.labels import (
    QuotingLabel,
    plain_label,
    set_background,
    set_icon,
    set_tone,
    show_text,
    tool_tip,
)
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.units import duration, duration_exact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Theme
    from ui.widgets.comparison_table import ComparisonRow

MAX_TEXT = 2000
MAX_DETAIL = 100_000
MAX_LINES = 14
"""Lines of the detail before it scrolls."""

_PATH = re.compile(r"; PATH was (.*)", re.DOTALL)


def searched_folders(text: str) -> tuple[str, str]:
    """Split “… is not on PATH; PATH was a:b” into the cause and the folders, one on each line."""
    found = _PATH.search(text)
    if not found or found[1].startswith("("):
        return text, ""
    folders = found[1].split(";" if ";" in found[1] else ":")
    lines = "\n".join(folders)
    return text[: found.start()], f"Searched PATH in this order:\n{lines}"


class StepRow(QFrame):
    """One line, with a text and details below it.

    Signals:
        frame_requested: show the frame of this number in the traffic.
    """

    frame_requested = Signal(int)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("step_row")
        self._theme = theme
        self._step: Step | None = None
        self._complaints: Sequence[ComparisonRow] = ()
        self._content: tuple[object, ...] = ()
        self._detail_text = ""
        self._toggled: bool | None = None
        self._needs_login = False
        # Most steps have neither.
        self._beside: ComparisonTable | None = None
        self._detail: QPlainTextEdit | None = None
        self._build()
        self._wire()

    def _build(self) -> None:
        self._icon = QLabel(self)
        self._name = self._label("step_name")
        self._name.setWordWrap(True)  # else large text makes the row wider than the window
        self._took = self._label("step_took")
        set_tone(self._took, "muted")
        self._text = self._label("step_text", selectable=True)
        self._hint = self._label("step_hint", selectable=True)
        self._more = link_button("Details", name="step_more", parent=self)
        self._frame = link_button("Show in traffic", name="step_frame", parent=self)
        self._arrange()

    def _label(self, name: str, *, selectable: bool = False) -> QLabel:
        if selectable:
            return QuotingLabel(name=name, parent=self)
        return plain_label(name=name, parent=self)

    def _arrange(self) -> None:
        theme = self._theme
        header = row_layout(None, self._icon, space=theme.PADDING_PX)
        header.addWidget(self._name, 1)
        header.addWidget(self._more)
        header.addWidget(self._frame)
        header.addWidget(self._took)
        self._below = QVBoxLayout()
        self._below.addWidget(self._text)
        self._below.addWidget(self._hint)
        column_layout(
            self,
            header,
            self._below,
            space=theme.SPACING_PX // 2,
            margins=(theme.PADDING_PX, theme.SPACING_PX, theme.PADDING_PX, theme.SPACING_PX),
        )

    def _wire(self) -> None:
        self._more.clicked.connect(self._on_more_clicked)
        self._frame.clicked.connect(self._on_frame_clicked)
        self._theme.changed.connect(self._refresh)

    def set_step(
        self,
        step: Step,
        now: float,
        complaints: Sequence[ComparisonRow] = (),
        *,
        needs_login: bool = False,
    ) -> None:
        """Show a step as it stands at `now` (monotonic seconds); `complaints` belong to the error that made it fail.

        One that ended because the user has to log in (`needs_login`) does not look like a failure.
        """
        self._step = step
        self._complaints = complaints
        self._needs_login = needs_login
        content = (
            step.state,
            step.name,
            step.status_text,
            step.hint,
            step.detail,
            step.frame,
            complaints,
            needs_login,
        )
        if content != self._content:
            self._content = content
            self._refresh()
        self.tick(now)

    def tick(self, now: float, *, is_held: bool = False) -> None:
        """Move the running clock; while the time of the server `is_held`, none is left or lost."""
        step = self._step
        if step is None:
            return
        took = step.took_seconds if step.took_seconds is not None else now - step.started_at
        left = step.times_out_at - now if step.times_out_at is not None else 0.0
        waits = step.state is StepState.RUNNING and left >= 0.5 and not is_held
        rest = f" · {left:.0f} s left" if waits else ""
        self._took.setText(duration(max(0.0, took)) + rest)
        self._took.setToolTip(tool_tip(duration_exact(took)))

    def _refresh(self) -> None:
        step = self._step
        if step is None:
            return
        self._below.setSpacing(self._theme.SPACING_PX)
        self._below.setContentsMargins(self._theme.ICON + self._theme.PADDING_PX, 0, 0, 0)
        failed = step.state is StepState.FAILED and not self._needs_login
        look = LOGIN if self._needs_login else STEPS[step.state]
        set_icon(self._icon, self._theme, look.icon, look.tone)
        self._icon.setAccessibleName(look.text)
        self._name.setText(visible(step.name) if not failed else f"{visible(step.name)}: failed")
        text, folders = searched_folders(step.status_text)
        show_text(self._text, visible(text[:MAX_TEXT]))
        set_tone(self._text, "" if failed else "muted")
        show_text(self._hint, "" if self._needs_login else visible(step.hint))
        self._refresh_complaints()
        self._refresh_detail(folders, step.detail, opened=failed)
        self._frame.setVisible(step.frame is not None)
        self.setAccessibleName(f"{step.name}, {look.text}: {step.status_text}")
        self._dress(failed=failed)

    def _refresh_complaints(self) -> None:
        if self._beside is None and self._complaints:
            self._beside = ComparisonTable(
                theme=self._theme, name="step_complaints", headers=TITLES, parent=self
            )
            self._below.insertWidget(self._below.indexOf(self._hint) + 1, self._beside)
        if self._beside is not None:
            self._beside.set_rows(self._complaints)

    def _refresh_detail(self, folders: str, detail: str, *, opened: bool) -> None:
        text = "\n\n".join(part for part in (folders, detail.strip()) if part)
        text = visible(without_ansi(text[:MAX_DETAIL]))
        is_open = bool(text) and (self._toggled if self._toggled is not None else opened)
        self._more.setVisible(bool(text))
        self._more.setText("Hide details" if is_open else "Details")
        if self._detail is None and text:
            self._detail = self._make_detail()
            self._below.addWidget(self._detail)
        if self._detail is not None:
            self._fill_detail(self._detail, text)
            self._detail.setVisible(is_open)

    def _make_detail(self) -> QPlainTextEdit:
        box = QPlainTextEdit(self)
        box.setObjectName("step_detail")
        box.setAccessibleName("Step details")
        box.setReadOnly(True)
        box.setTabChangesFocus(True)
        box.setStyleSheet("background: transparent")
        box.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        box.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        box.document().setDocumentMargin(0)
        return box

    def _fill_detail(self, box: QPlainTextEdit, text: str) -> None:
        if text != self._detail_text:
            self._detail_text = text
            box.setPlainText(text)
        box.setFont(self._theme.mono())
        lines = min(MAX_LINES, box.blockCount())
        box.setFixedHeight(box.fontMetrics().lineSpacing() * lines + 2)

    def _dress(self, *, failed: bool) -> None:
        self._name.setFont(self._theme.font(bold=failed))
        self._hint.setFont(self._theme.font(bold=True))
        set_background(self, "error" if failed else "")

    def _on_more_clicked(self) -> None:
        self._toggled = self._detail is not None and self._detail.isHidden()
        self._refresh()

    def _on_frame_clicked(self) -> None:
        if self._step is not None and self._step.frame is not None:
            self.frame_requested.emit(self._step.frame)
