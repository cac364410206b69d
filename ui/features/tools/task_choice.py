"""Whether the next call is to run as a task, and how long the server is asked to keep it.

What the tool and the server say is told and decides what is chosen at first; a person may choose otherwise, which is sent all the same.

Source: basic/utilities/tasks, "Tool-Level Negotiation"; C-TK4-01 to C-TK4-04.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QHBoxLayout, QWidget

from inspector.features.tool_call import AsTask
from ui.widgets.elided_label import ElidedLabel
from ui.widgets.labels import set_tone

if TYPE_CHECKING:
    from inspector.features.tasks import Tasks
    from inspector.spec.views.tool import ToolView
    from ui.theme import Theme

LONGEST_SECONDS = 86_400.0

WORDS = {
    "required": "tool must run as a task",
    "optional": "tool can run as a task",
    "forbidden": "tool cannot run as a task",
}
"""What a tool says of tasks."""


class TaskChoice(QWidget):
    """A tick and a time.

    Signals:
        changed: the choice is another one.
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
        self._ttl.setRange(0, LONGEST_SECONDS)
        self._ttl.setDecimals(1)
        self._ttl.setPrefix("TTL ")
        self._ttl.setSuffix(" s")
        self._ttl.setSpecialValueText("server default")
        self._words = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._words.setObjectName("task_words")
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.PADDING_PX, theme.PADDING_PX, theme.PADDING_PX, 0)
        row.setSpacing(theme.PADDING_PX)
        row.addWidget(self.box)
        row.addWidget(self._ttl)
        row.addWidget(self._words, 1)

    def _wire(self) -> None:
        self.box.toggled.connect(self._on_toggled)

    def show_tool(self, tool: ToolView | None, tasks: Tasks | None, *, again: bool) -> None:
        """Offer what there is for `tool`; of one that is shown `again`, the choice stays."""
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

    def wish(self) -> AsTask | None:
        """What the next call asks for; None for a call like any other."""
        if self.isHidden() or not self.box.isChecked():
            return None
        seconds = self._ttl.value()
        return AsTask(round(seconds * 1000) if seconds else None)

    def problem(self) -> str:
        """Why the choice goes against what was said; empty if it does not."""
        if self.isHidden():
            return ""
        if self.box.isChecked():
            if not self._can_call:
                return "server does not declare tasks.requests.tools.call"
            return WORDS["forbidden"] if self._support == "forbidden" else ""
        needs_one = self._support == "required" and self._can_call
        return WORDS["required"] if needs_one else ""

    def _on_toggled(self) -> None:
        self._refresh()
        self.changed.emit()

    def _refresh(self) -> None:
        problem = self.problem()
        self._ttl.setVisible(self.box.isChecked())
        set_tone(self._words, "warning" if problem else "muted")
        self._words.set_text(problem or WORDS[self._support])
