"""The views of one answer: a first one that the owner fills, the message as a tree, its exact text, and problems.

Each is filled when it is first wanted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from inspector.rules import rule_label
from inspector.visible_text import visible
from ui.widgets.json_view import JsonView
from ui.widgets.labels import QuotingLabel
from ui.widgets.segmented_control import SegmentedControl
from ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.finding import Finding
    from ui.theme import Theme

PROBLEMS = 200
"""Problems that are listed; more are counted."""


class AnswerViews(QWidget):
    """Views of one answer.

    Signals:
        lead_requested: the first view is to be filled now.
    """

    lead_requested = Signal()

    def __init__(
        self,
        lead: QWidget,
        text: str,
        *,
        theme: Theme,
        name: str,
        wanted_name: str,
        parent: QWidget | None = None,
    ) -> None:
        """Show `lead` under `words` first; `wanted_name` is what the raw text would be saved as."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._lead_words = text
        self._response = b""
        self._message = b""
        self._findings: Sequence[Finding] = ()
        self._filled: set[str] = set()
        self._wanted = "lead"
        self._build(lead, wanted_name)
        self._views.chosen.connect(self._on_view_chosen)
        self.clear()

    def _build(self, lead: QWidget, wanted_name: str) -> None:
        theme, name = self._theme, self.objectName()
        self._views = SegmentedControl((), name=f"{name}_views", parent=self)
        self._tree = JsonView(theme=theme, name=f"{name}_tree")
        self._raw = TextView(theme=theme, name=f"{name}_raw", file_name=wanted_name)
        self._problems = QuotingLabel(name=f"{name}_problems")
        self._problems.setAlignment(Qt.AlignmentFlag.AlignTop)
        area = QScrollArea()
        area.setAccessibleName("Response problems")
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(self._problems)
        self._pages = {"lead": lead, "json": self._tree, "raw": self._raw, "problems": area}
        self._stack = QStackedWidget(self)
        for page in self._pages.values():
            self._stack.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.SPACING_PX)
        layout.addWidget(self._views)
        layout.addWidget(self._stack, 1)

    def clear(self) -> None:
        """Show nothing."""
        self._filled.clear()
        self._response = self._message = b""
        self._views.hide()
        self._stack.hide()

    def show_answer(
        self, response: bytes, message: bytes, findings: Sequence[Finding], *, has_lead: bool
    ) -> None:
        """Show `response`, which came with `message` as its JSON text; the first view is offered if it `has_lead`."""
        self.clear()
        if not response:
            return
        self._response, self._message, self._findings = response, message, findings
        options = [("lead", self._lead_words)] if has_lead else []
        options += [("json", "JSON"), ("raw", "Raw")]
        if findings:
            options.append(("problems", f"Problems {len(findings):,}"))
        self._views.set_options(options)
        self._views.show()
        self._stack.show()
        keys = [key for key, _ in options]
        self._show_view(self._wanted if self._wanted in keys else keys[0])

    def current(self) -> str:
        """The key of the view that shows."""
        return self._views.current()

    def _show_view(self, key: str) -> None:
        self._views.choose(key)
        if key not in self._filled:
            self._filled.add(key)
            _FILLERS[key](self)
        self._stack.setCurrentWidget(self._pages[key])

    def fill_lead(self) -> None:
        """Have the owner fill it."""
        self.lead_requested.emit()

    def fill_json(self) -> None:
        """Show the message as a tree."""
        self._tree.set_raw(self._message)

    def fill_raw(self) -> None:
        """Show the message as it came."""
        self._raw.set_raw(self._response)

    def fill_problems(self) -> None:
        """List what is wrong."""
        lines = [_finding_words(finding) for finding in self._findings[:PROBLEMS]]
        if len(self._findings) > PROBLEMS:
            lines.append(f"and {len(self._findings) - PROBLEMS:,} more")
        self._problems.setText("\n\n".join(lines))

    def _on_view_chosen(self, key: str) -> None:
        self._wanted = key
        self._show_view(key)


_FILLERS: dict[str, Callable[[AnswerViews], None]] = {
    "lead": AnswerViews.fill_lead,
    "json": AnswerViews.fill_json,
    "raw": AnswerViews.fill_raw,
    "problems": AnswerViews.fill_problems,
}
"""View → what fills it when it is first wanted."""


def _finding_words(finding: Finding) -> str:
    place = f"\n    at {finding.pointer}" if finding.pointer else ""
    link = f"\n    {finding.link}" if finding.link else ""
    severity = finding.severity.name.lower()
    return visible(f"{severity}: {finding.summary} ({rule_label(finding.rule)}){place}{link}")
