"""The foot of the call panel: whether to call as a task, and what every request has to be sent with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.features.tools.task_choice import TaskChoice
from ui.request.row import RequestRow
from ui.widgets.units import amount

if TYPE_CHECKING:
    from ui.theme import Theme


class CallRow(QWidget):
    """A row that sends, and the choice above it."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without anything to call."""
        super().__init__(parent)
        self.task = TaskChoice(theme=theme, parent=self)
        self.request = RequestRow(
            "Call", theme=theme, name="call", cancel="cancel_button", parent=self
        )
        self.options = self.request.options
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.task)
        layout.addWidget(self.request)

    def show_state(
        self, *, connected: bool, problems: int, running: bool, excluded: str = ""
    ) -> None:
        """Say what can be done now; `excluded` is why the tool must not be called."""
        words, tone = "", "warning"
        if excluded:
            words, tone = f"excluded: {excluded}", "error"
        elif problems:
            words = f"{amount(problems, 'problem')} in the arguments"
        self.request.show_state(
            connected=connected,
            running=running,
            anyway=bool(problems or excluded or self.task.problem()),
            words=words,
            tone=tone,
        )
