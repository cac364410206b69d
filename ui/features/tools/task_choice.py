"""Whether the next call runs as a task, and the TTL that it requests.

What tool and server declare decides the initial state; the user can override it.

Source: basic/utilities/tasks, "Tool-Level Negotiation"; C-TK4-01 to C-TK4-04.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QWidget

from inspector.features.tools import AsTask
from ui.theme import tokens
from ui.widgets.labels import ElidedLabel, set_tone
from ui.widgets.layout_parts import row_layout

if TYPE_CHECKING:
    from inspector.features.tasks import Tasks
    from inspector.spec.views.tool import ToolView
    from ui.theme import Theme

MAX_TTL_SECONDS = 86_400.0

SUPPORT_TEXTS = {
    "required": "tool must run as a task",
    "optional": "tool can run as a task",
    "forbidden": "tool cannot run as a task",
}
"""The text for each kind of task support."""


class TaskChoice(QWidget):
    """A check box and a TTL.

    Signals:
        changed: the check box was toggled.
    """

    changed = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start hidden."""
        super().__init__(parent)
        self.setObjectName("task_choice")
        self._support = "forbidden"
        self._can_call = False
        self._build(theme)
        self._wire()
        self.hide()

    def _build(self, theme: Theme) -> None:
        self.box = QCheckBox("Run as task", self)
        self.box.setObjectName("as_task")
        self._ttl = QDoubleSpinBox(self)
        self._ttl.setObjectName("task_ttl")
        self._ttl.setAccessibleName("Requested task TTL (seconds)")
        self._ttl.setToolTip("Requested task TTL")
        self._ttl.setRange(0, MAX_TTL_SECONDS)
        self._ttl.setDecimals(1)
        self._ttl.setPrefix("TTL ")
        self._ttl.setSuffix(" s")
        self._ttl.setSpecialValueText("server default")
        self._text = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._text.setObjectName("task_words")
        self._row = row_layout(self, self.box, self._ttl, space=0)
        self._row.addWidget(self._text, 1)
        self._theme = theme
        self._apply_theme()

    def _apply_theme(self) -> None:
        pad, edge = self._theme.PADDING_PX, self._theme.px(tokens.READING_PADDING_PX)
        self._row.setContentsMargins(edge, pad, edge, 0)
        self._row.setSpacing(pad)

    def _wire(self) -> None:
        self.box.toggled.connect(self._on_toggled)
        self._theme.changed.connect(self._apply_theme)

    def show_tool(self, tool: ToolView | None, tasks: Tasks | None, *, again: bool) -> None:
        """Show the choice for `tool`; the user's choice stays for a tool that is shown `again`."""
        known = tool is not None and tasks is not None and tasks.asked_for
        supports = tool is not None and tool.task_support != "forbidden"
        self.setVisible(known and (supports or (tasks is not None and tasks.offered)))
        if tool is None or tasks is None:
            return
        self._support = tool.task_support
        self._can_call = tasks.can_call
        self.box.setEnabled(self._support != "forbidden")
        if not again or self._support == "forbidden":
            self.box.setChecked(self._support == "required" and self._can_call)
        self._refresh()

    def task_params(self) -> AsTask | None:
        """Return the task parameters of the next call; None for a call that is no task."""
        if self.isHidden() or not self.box.isChecked():
            return None
        seconds = self._ttl.value()
        return AsTask(round(seconds * 1000) if seconds else None)

    def problem(self) -> str:
        """Return why the choice contradicts what tool and server declare; empty if it does not."""
        if self.isHidden():
            return ""
        if self.box.isChecked():
            if not self._can_call:
                return "server does not declare tasks.requests.tools.call"
            return SUPPORT_TEXTS["forbidden"] if self._support == "forbidden" else ""
        needs_one = self._support == "required" and self._can_call
        return SUPPORT_TEXTS["required"] if needs_one else ""

    def _on_toggled(self) -> None:
        self._refresh()
        self.changed.emit()

    def _refresh(self) -> None:
        problem = self.problem()
        self._ttl.setVisible(self.box.isChecked())
        set_tone(self._text, "warning" if problem else "muted")
        self._text.set_text(problem or SUPPORT_TEXTS[self._support])
