"""One step of connecting in one row, with up to three lines under it: what is done, how long it takes, what was learnt; under it why it failed, or details on demand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from inspector.session.steps import Step, StepState
from inspector.visible_text import visible, without_ansi
from ui.connect.state_styles import LOGIN, STEPS
from ui.theme import tokens
from ui.widgets.buttons import link_button
from ui.widgets.error_panel import ErrorPanel
from ui.widgets.evidence_box import EvidenceBox
from ui.widgets.heading_parts import Excerpt
from ui.widgets.labels import ElidedLabel, plain_label, set_icon, set_tone, tool_tip, unquoted
from ui.widgets.layout_parts import column_layout, keep_space, row_layout
from ui.widgets.links import set_link_height
from ui.widgets.units import duration, duration_exact, running_time

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Theme
    from ui.widgets.comparison_table import ComparisonRow

MAX_DETAIL = 100_000
"""Characters of the details on screen."""

TEXT_LINES = 3
"""Lines of what was learnt, under the name; the tooltip has the rest."""

TIME_CHARACTERS = 16
"""Width of the time: that of `1 min 1 s · 39 s left`, so that nothing beside it moves while it runs."""

_PATH = re.compile(r"; PATH was (.*)", re.DOTALL)


def searched_folders(text: str) -> tuple[str, str]:
    """Split “… is not on PATH; PATH was a:b” into the cause and the folders, one on each line."""
    found = _PATH.search(text)
    if not found or found[1].startswith("("):
        return text, ""
    folders = found[1].split(";" if ";" in found[1] else ":")
    lines = "\n".join(folders)
    return text[: found.start()], f"Searched PATH in this order:\n{lines}"


class StepRow(QWidget):
    """A step as one row of 22 pixels, with a second line where there is something to tell, and evidence below.

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
        self._is_open = False
        self._needs_login = False
        # Most steps have neither.
        self._failure: ErrorPanel | None = None
        self._details: EvidenceBox | None = None
        self._build()
        self._wire()

    def _build(self) -> None:
        self._icon = QLabel(self)
        self._name = ElidedLabel(parent=self)
        self._name.setObjectName("step_name")
        self._took = plain_label(name="step_took", tone="muted", parent=self)
        self._took.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._text = Excerpt(
            theme=self._theme, name="step_text", lines=TEXT_LINES, tone="muted", parent=self
        )
        self._more = link_button("Details", name="step_more", parent=self)
        self._frame = link_button("Show in traffic", name="step_frame", parent=self)
        keep_space(self._frame)  # when it comes, the link before it stays
        self._arrange()

    def _arrange(self) -> None:
        self._line = QWidget(self)
        self._parts = row_layout(self._line, self._icon, space=0)
        self._parts.addWidget(self._name, 1)
        for part in (self._more, self._frame, self._took):
            self._parts.addWidget(part)
        self._below = QVBoxLayout()
        self._below.addWidget(self._text)
        column_layout(self, self._line, self._below, space=0)

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
        is_running = step.state is StepState.RUNNING
        text = running_time(max(0.0, took)) if is_running else duration(max(0.0, took))
        self._took.setText(text + rest)
        self._took.setToolTip(tool_tip(duration_exact(took)))

    def _refresh(self) -> None:
        step = self._step
        if step is None:
            return
        theme = self._theme
        failed = step.state is StepState.FAILED and not self._needs_login
        look = LOGIN if self._needs_login else STEPS[step.state]
        self._line.setFixedHeight(theme.ROW_HEIGHT_PX)
        self._parts.setSpacing(theme.px(8))
        for link in (self._more, self._frame):
            set_link_height(link, theme.ROW_HEIGHT_PX)
        self._took.setMinimumWidth(theme.character_width() * TIME_CHARACTERS)
        self._below.setContentsMargins(theme.ICON + theme.px(8), 0, 0, 0)
        self._below.setSpacing(theme.px(6))
        set_icon(self._icon, theme, look.icon, look.tone)
        self._icon.setAccessibleName(look.text)
        set_tone(self._took, "pending" if step.state is StepState.RUNNING else "muted")
        name = visible(step.name)
        self._name.setFont(theme.font(bold=failed))
        self._name.set_text(f"{name}: failed" if failed else name)
        text, folders = searched_folders(step.status_text)
        self._text.setFont(theme.font(tokens.SMALL))
        self._text.set_text("" if failed else unquoted(text))
        self._text.setToolTip(tool_tip(unquoted(text)))
        self._text.setVisible(bool(text) and not failed)
        detail = without_ansi(step.detail[:MAX_DETAIL]).strip()
        evidence = (folders, detail)
        if step.state is StepState.UNSUCCESSFUL:  # the line has no room for a long cause
            evidence = (visible(text), *evidence)
        detail = "\n\n".join(part for part in evidence if part)
        self._show_failure((text or look.text) if failed else "", step.hint, detail)
        self._show_details("" if failed else detail)
        self._frame.setVisible(step.frame is not None)
        self.setAccessibleName(f"{step.name}, {look.text}: {step.status_text}")

    def _show_failure(self, text: str, hint: str, detail: str) -> None:
        """Show why the step failed; an empty text for one that did not."""
        if not text:
            if self._failure is not None:
                self._failure.hide()
            return
        if self._failure is None:
            self._failure = ErrorPanel(theme=self._theme, name="step_failure", parent=self)
            self._below.addWidget(self._failure)
        self._failure.show_text(
            text, hint=hint, detail=detail, beside=self._complaints, is_quoting=True
        )

    def _show_details(self, text: str) -> None:
        """Offer the details of a step that did not fail."""
        self._more.setVisible(bool(text))
        self._more.setText("Hide details" if self._is_open else "Details")
        if self._details is None and text:
            self._details = EvidenceBox(
                theme=self._theme, name="step_detail", label="Step details", parent=self
            )
            self._below.addWidget(self._details)
        if self._details is not None:
            self._details.set_text(text)
            self._details.setVisible(bool(text) and self._is_open)

    def _on_more_clicked(self) -> None:
        self._is_open = not self._is_open
        self._refresh()

    def _on_frame_clicked(self) -> None:
        if self._step is not None and self._step.frame is not None:
            self.frame_requested.emit(self._step.frame)
