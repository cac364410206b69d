"""The bottom row of the call panel: call as a task, and the row that every request has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.visible_text import one_line
from ui.features.tools.task_choice import TaskChoice
from ui.request.row import RequestRow
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Theme
    from ui.widgets.form import FieldProblem

MAX_PROBLEMS = 6
"""Problems in the tooltip; each is beside its field, too."""

NOT_JSON = "Arguments are not valid JSON"


class CallRow(QWidget):
    """The row that sends, and the choice of a task above it."""

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
        self,
        *,
        connected: bool,
        problems: Sequence[FieldProblem],
        running: bool,
        sendable: bool = True,
        excluded: str = "",
    ) -> None:
        """Enable the buttons; `excluded` is why the tool must not be called, and only valid JSON is `sendable`."""
        text, tone, detail, action = "", "warning", "", ""
        if not sendable:
            text, tone, action = NOT_JSON, "error", "Use Raw"
            detail = "\n".join(problem.text for problem in problems[:MAX_PROBLEMS])
        elif excluded:
            text, tone = f"Excluded: {excluded}", "error"
        elif problems:
            text, action = plural(len(problems), "problem"), "Show"
            detail = _detail(problems)
        self.request.show_state(
            connected=connected,
            running=running,
            sendable=sendable,
            anyway=sendable and bool(problems or excluded or self.task.problem()),
            text=text,
            tone=tone,
            detail=detail,
            action=action,
        )


def _detail(problems: Sequence[FieldProblem]) -> str:
    lines = [
        f"{one_line(each.pointer or '/', 80)}: {each.text}" for each in problems[:MAX_PROBLEMS]
    ]
    if len(problems) > MAX_PROBLEMS:
        lines.append(f"and {len(problems) - MAX_PROBLEMS:,} more")
    return "\n".join(lines)
