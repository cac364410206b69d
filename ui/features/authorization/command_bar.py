"""What can be done with the flow, and where it stands. Selecting a step runs nothing; these do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from inspector.auth.state import Stage
from inspector.visible_text import visible
from ui.features.authorization.ladder_rows import RowStatus
from ui.features.authorization.step_notice import sentence
from ui.theme.signs import Sign
from ui.widgets.buttons import link_button, push_button, tool_button
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import plain_label, set_tone, show_text
from ui.widgets.layout_parts import row_layout
from ui.widgets.segmented_control import SegmentedControl
from ui.widgets.units import plural

if TYPE_CHECKING:
    from PySide6.QtWidgets import QPushButton

    from ui.features.authorization.flow_runner import FlowRunner
    from ui.features.authorization.ladder_rows import LadderRow
    from ui.theme import Theme


HEIGHT = 40
"""Of a bar with one line, at 100%."""

PANES = (("steps", "Steps"), ("details", "Details"), ("tokens", "Tokens"))
"""The parts of the page, where there is room for one only."""


class CommandBar(QWidget):
    """A row of buttons that goes on in the next line where there is no room; a low page has the rarer ones in a menu.

    Signals:
        run_requested: go on to the end, or begin.
        step_requested: do one step.
        run_to_requested: go on until before a step of this kind.
        again_requested: take the steps from this number on back.
        stop_requested: let the step that is under way fail.
        settings_requested: edit how the server is reached.
        pane_requested: show this part of the page (a key of `PANES`).
    """

    run_requested = Signal()
    step_requested = Signal()
    run_to_requested = Signal(object)
    again_requested = Signal(int)
    stop_requested = Signal()
    settings_requested = Signal()
    pane_requested = Signal(str)

    def __init__(self, *, runner: FlowRunner, theme: Theme, parent: QWidget | None = None) -> None:
        """Act on `runner`."""
        super().__init__(parent)
        self.setObjectName("authorization_bar")
        self._runner = runner
        self._theme = theme
        self._stage: Stage | None = None
        self._number = 0
        self._has_panes = self._has_target = self._can_repeat = False
        self._build()
        self._wire()
        self.show_state(None, (), 0, "")

    def _build(self) -> None:
        self.run_button = push_button("Run", name="authorization_run", primary=True)
        self.stop_button = push_button("Stop", name="authorization_stop")
        self.step_button = push_button("Step", name="authorization_step")
        self.step_button.setToolTip("Do the next step only")
        self.run_to_button = push_button("Run to step", name="authorization_run_to")
        self.run_to_button.setToolTip("Stop before this step, so that its request can be edited")
        self.again_button = push_button("Again from step…", name="authorization_again")
        self.again_button.setToolTip("Go back to this step and edit its request before it is sent")
        self.run_button.set_sign(self._theme, Sign.RUN_NOW)
        self.step_button.set_sign(self._theme, Sign.STEP)
        self.again_button.set_sign(self._theme, Sign.RUN)
        self._status = plain_label(name="authorization_status")
        self._rules = plain_label(tone="muted", name="authorization_rules")
        self._settings = link_button("Settings…", name="authorization_settings")
        self.menu_button = tool_button(
            self._theme, Sign.MORE, "More commands", name="authorization_more"
        )
        self.panes = SegmentedControl(PANES, name="authorization_panes")
        left = QWidget()
        buttons = FlowLayout(self._theme.px(6), left)
        for part in (*self.buttons, self.menu_button, self._status):
            buttons.addWidget(part)
        self._row = row_layout(self, space=self._theme.px(8))
        self._row.addWidget(left, 1)
        for part in (self._rules, self._settings, self.panes):
            self._row.addWidget(part)
        self._dress()

    def _wire(self) -> None:
        self.run_button.clicked.connect(self.run_requested)
        self.stop_button.clicked.connect(self.stop_requested)
        self.step_button.clicked.connect(self.step_requested)
        self.run_to_button.clicked.connect(lambda: self.run_to_requested.emit(self._stage))
        self.again_button.clicked.connect(lambda: self.again_requested.emit(self._number))
        self._settings.clicked.connect(self.settings_requested)
        self.menu_button.clicked.connect(self._open_menu)
        self.panes.chosen.connect(self.pane_requested)
        self._theme.changed.connect(self._dress)

    def _dress(self) -> None:
        px = self._theme.px
        self._status.setFont(self._theme.font(bold=True))
        self.setMinimumHeight(px(HEIGHT))
        self._row.setContentsMargins(px(12), px(6), px(12), px(6))

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """The commands, in order."""
        return (
            self.run_button,
            self.stop_button,
            self.step_button,
            self.run_to_button,
            self.again_button,
        )

    def show_state(
        self,
        selected: LadderRow | None,
        rows: tuple[LadderRow, ...],
        changes: int,
        edit_error: str,
        rules: str = "",
        rejection: str = "",
    ) -> None:
        """Show what can be done now; `changes` lines were edited of the next request, `rejection` is said before the first step."""
        runner = self._runner
        can_run = runner.can_run and not edit_error
        self.run_button.setVisible(not runner.is_running)
        self.stop_button.setVisible(runner.is_running)
        self.run_button.setEnabled(can_run)
        self._name(self.run_button, self._run_text(changes))
        self.step_button.setEnabled(can_run)
        target = _target(selected, rows)
        self._stage = target.stage if target is not None else None
        self._has_target = target is not None
        self.run_to_button.setEnabled(can_run)
        if target is not None:
            self._name(self.run_to_button, f"Run to step {target.number}")
        step = selected.step if selected is not None else None
        can_repeat = step is not None and step.stage is not Stage.CALL
        self._number = step.number if step is not None else 0
        self._can_repeat = can_repeat
        self.again_button.setEnabled(runner.can_run)
        self._name(self.again_button, f"Again from step {self._number}…")
        self._show_rare()
        self._show_status(rows, rejection)
        self._rules.setText(rules)

    def set_compact(self, *, is_compact: bool, has_panes: bool = False) -> None:
        """Leave out what is only good to know; with `has_panes`, offer the parts of the page and have the rarer commands in a menu."""
        self._has_panes = has_panes
        self._rules.setHidden(is_compact)
        self._settings.setHidden(has_panes)
        self.menu_button.setVisible(has_panes)
        self.panes.setVisible(has_panes)
        self._show_rare()

    def _show_rare(self) -> None:
        self.run_to_button.setVisible(self._has_target and not self._has_panes)
        self.again_button.setVisible(self._can_repeat and not self._has_panes)

    def _open_menu(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        offered = ((self.run_to_button, self._has_target), (self.again_button, self._can_repeat))
        for button, is_offered in (*offered, (self._settings, True)):
            if is_offered:
                action = menu.addAction(button.text(), button.click)
                action.setEnabled(button.isEnabled())
        menu.popup(self.menu_button.mapToGlobal(QPoint(0, self.menu_button.height())))

    def _name(self, button: QPushButton, text: str) -> None:
        if button.text() != text:
            button.setText(text)
            button.setAccessibleName(text)

    def _run_text(self, changes: int) -> str:
        runner = self._runner
        if runner.has_tokens:
            return "Run again"
        if not runner.steps and runner.planned is None:
            return "Run"
        return f"Run from here with {plural(changes, 'change')}" if changes else "Run from here"

    def _show_status(self, rows: tuple[LadderRow, ...], rejection: str) -> None:
        text, tone = self._status_text(rows)
        if not text and rejection:
            text, tone = rejection, "warning"
        show_text(self._status, text)
        set_tone(self._status, tone)

    def _status_text(self, rows: tuple[LadderRow, ...]) -> tuple[str, str]:
        runner = self._runner
        if runner.error is not None and runner.failed_step is None:
            return visible(sentence(runner.error.reason)), "error"
        if runner.failed_step is not None:
            return f"Stopped at step {runner.failed_step.number} of {len(rows)}", "error"
        if runner.is_running:
            needs_user = bool(runner.steps) and runner.steps[-1].waits_for_user
            return ("Waiting for you", "person") if needs_user else ("Running…", "pending")
        if runner.has_tokens:
            return "Authorized", "ok"
        return ("Paused", "muted") if runner.steps else ("", "muted")


def _target(selected: LadderRow | None, rows: tuple[LadderRow, ...]) -> LadderRow | None:
    """Return the row to run to: the selected one, or the one that requests tokens."""
    coming = [row for row in rows if row.status is RowStatus.COMING and row.stage is not Stage.CALL]
    if selected is not None and selected in coming:
        return selected
    return coming[-1] if coming else None
