"""The button that calls, the one that cancels, what stands in the way, and the options of the call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.features.tools.call_options import CallOptions
from ui.features.tools.task_choice import TaskChoice
from ui.widgets.buttons import push_button, tool_button
from ui.widgets.elided_label import ElidedLabel
from ui.widgets.units import amount

if TYPE_CHECKING:
    from ui.theme import Theme


class CallRow(QWidget):
    """The foot of the call panel.

    Signals:
        call_wanted: the person wants to call.
        cancel_wanted: the call that runs is to be given up.
    """

    call_wanted = Signal()
    cancel_wanted = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without anything to call."""
        super().__init__(parent)
        self.setObjectName("call_row")
        self._complaint = ""
        self._build(theme)
        self._wire()

    def _build(self, theme: Theme) -> None:
        self.call_button = push_button("Call", name="call_button", primary=True, parent=self)
        self.call_button.setToolTip("Ctrl+Enter")
        self.cancel_button = push_button("Cancel", name="cancel_button", parent=self)
        self._words = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._words.setObjectName("call_problem")
        self.options = CallOptions(theme=theme, parent=self)
        self.options.hide()
        self.task = TaskChoice(theme=theme, parent=self)
        self._options_button = tool_button(
            theme,
            "mdi6.tune-variant",
            "Options of the call: how long to wait, _meta",
            name="limits_button",
            checkable=True,
            parent=self,
        )
        pad = theme.PAD
        row = QHBoxLayout()
        row.setContentsMargins(pad, pad, pad, pad)
        row.setSpacing(pad)
        row.addWidget(self.call_button)
        row.addWidget(self.cancel_button)
        row.addWidget(self._words, 1)
        row.addWidget(self._options_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.task)
        layout.addWidget(self.options)
        layout.addLayout(row)

    def _wire(self) -> None:
        self.call_button.clicked.connect(self.call_wanted)
        self.cancel_button.clicked.connect(self.cancel_wanted)
        self._options_button.toggled.connect(self.options.setVisible)

    def complain(self, words: str) -> None:
        """Say why a click did nothing, until the arguments change."""
        self._complaint = words

    def show_state(
        self, *, connected: bool, problems: int, running: bool, excluded: str = ""
    ) -> None:
        """Say what can be done now; `excluded` is why the tool must not be called."""
        against = problems or excluded or self.task.problem()
        self.call_button.setText("Call anyway" if against else "Call")
        self.call_button.setAccessibleName(self.call_button.text())
        self.call_button.setEnabled(connected)
        self.cancel_button.setVisible(running)
        words, tone = self._words_of(connected, problems, excluded)
        self._words.setProperty("look", tone)
        self._words.style().unpolish(self._words)
        self._words.style().polish(self._words)
        self._words.set_text(words)

    def _words_of(self, connected: bool, problems: int, excluded: str) -> tuple[str, str]:
        """What stands in the way, and its tone."""
        if not connected:
            return "not connected", "muted"
        if self._complaint:
            return self._complaint, "error"
        if excluded:
            return f"excluded: {excluded}", "error"
        if problems:
            return f"{amount(problems, 'problem')} in the arguments", "warning"
        by_hand = self.options.meta()
        return (
            (f"with {amount(len(by_hand), 'member')} of _meta set", "muted")
            if by_hand
            else ("", "")
        )
