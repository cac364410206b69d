"""The answer in its views: content blocks, structured content, the message as a tree, its exact text, and problems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from inspector.checks.output_schema import OutputState
from inspector.rules import rule_label
from inspector.visible_text import visible
from ui.render.block_column import BlockColumn, add_blocks, result_label
from ui.widgets.json_view import JsonView
from ui.widgets.labels import QuotingLabel, set_tone
from ui.widgets.segmented_control import SegmentedControl
from ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.features.tools import ToolCall
    from inspector.finding import Finding
    from inspector.spec.views.call_result import CallToolResultView
    from ui.features.tools.output_schema_check import OutputSchemaCheck
    from ui.theme import Theme

MIN_PIXELS = 40
"""Height that is left where an error above takes the room."""


class ResultBody(QWidget):
    """Views of one answer."""

    def __init__(
        self, checks: OutputSchemaCheck, *, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Start empty; `checks` knows what validating structured content gave."""
        super().__init__(parent)
        self.setObjectName("result_body")
        self._theme = theme
        self._checks = checks
        self._call: ToolCall | None = None
        self._result: CallToolResultView | None = None
        self._options: list[tuple[str, str]] = []
        self._filled: set[str] = set()
        self._wanted = "content"
        self._at_once = True
        self._build()
        self._wire()
        self.clear()

    def _build(self) -> None:
        theme = self._theme
        self._views = SegmentedControl((), name="result_views", parent=self)
        self._content = BlockColumn(
            add_blocks(theme), theme=theme, name="result", label="Result content"
        )
        self._structured = JsonView(theme=theme, name="result_structured")
        self._tree = JsonView(theme=theme, name="result_tree")
        self._raw = TextView(theme=theme, name="result_raw", file_name="result.json")
        self._problems = QuotingLabel(name="result_problems")
        self._problems.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._comparison = TextView(theme=theme, name="result_comparison")
        self._verdict = result_label("structured_check")
        self._stack = QStackedWidget()
        self._stack.setMinimumHeight(MIN_PIXELS)
        self._pages: dict[str, QWidget] = {
            "content": self._content,
            "structured": self._structured_page(),
            "json": self._tree,
            "raw": self._raw,
            "problems": _scrolled(self._problems, "Result problems"),
            "compare": self._comparison,
        }
        for page in self._pages.values():
            self._stack.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.SPACING_PX)
        layout.addWidget(self._views)
        layout.addWidget(self._stack, 1)

    def _structured_page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.SPACING_PX)
        column.addWidget(self._verdict)
        column.addWidget(self._structured, 1)
        return page

    def _wire(self) -> None:
        self._views.chosen.connect(self._on_view_chosen)

    def clear(self) -> None:
        """Show nothing."""
        self._call = None
        self._filled.clear()
        self._views.hide()
        self._stack.hide()
        self._content.clear()

    @property
    def is_drawing(self) -> bool:
        """Whether the content is still to come into sight."""
        return self._content.is_drawing

    def show_call(self, call: ToolCall, *, at_once: bool = True) -> None:
        """Show the answer of `call`, if it has one by now; not `at_once`, its content follows turn by turn."""
        self.clear()
        if not call.is_over or not call.response:
            return
        self._call = call
        self._result = call.result
        self._options = _options(self._result, self._broken(call))
        self._offer()
        self._at_once = at_once
        self._show_view(self._first_view(self._result))
        self._at_once = True
        self._result = None  # it may be large; the other views read it anew if they are wanted

    def show_checked(self, call: ToolCall) -> None:
        """Tell what validating the structured content of `call` gave, if that call is shown."""
        if call is not self._call or not (result := call.result):
            return
        compared = [option for option in self._options if option[0] == "compare"]
        options = [*_options(result, self._broken(call)), *compared]
        current = self._views.current()
        if options != self._options:
            self._options = options
            self._offer()
        if "structured" in self._filled:
            self._show_check(call, result)
        if "content" in self._filled:
            self._content.add_warnings(self._missing(call))
        self._filled.discard("problems")
        self._show_view(current)

    def _broken(self, call: ToolCall) -> Sequence[Finding]:
        """What breaks the output schema, so far as it is known."""
        outcome = self._checks.of(call)
        return outcome.findings if outcome is not None else ()

    def _missing(self, call: ToolCall) -> list[str]:
        """What to say where the schema is broken because there is nothing to validate."""
        outcome = self._checks.of(call)
        is_missing = outcome is not None and outcome.state is OutputState.MISSING
        return [finding.summary for finding in outcome.findings] if outcome and is_missing else []

    def show_comparison(self, text: str) -> None:
        """Show how the call differs from another."""
        self._comparison.set_text(text)
        self._options = [option for option in self._options if option[0] != "compare"]
        self._options.append(("compare", "Compare"))
        self._offer()
        self._filled.add("compare")
        self._show_view("compare")

    def _offer(self) -> None:
        self._views.set_options(self._options)
        self._views.show()
        self._stack.show()

    def _first_view(self, result: CallToolResultView | None) -> str:
        """What the person looked at last, or else what has something to show."""
        keys = [key for key, _ in self._options]
        only_structured = result is not None and result.has_structured and not result.content
        if self._wanted == "content" and only_structured:
            return "structured"
        return self._wanted if self._wanted in keys else keys[0]

    def _show_view(self, key: str) -> None:
        self._views.choose(key)
        if key not in self._filled and self._call is not None:
            self._filled.add(key)
            _FILLERS[key](self, self._call)
        self._stack.setCurrentWidget(self._pages[key])

    def fill_content(self, call: ToolCall) -> None:
        """Draw the blocks."""
        if (result := self._result or call.result) is not None:
            self._content.show_result(
                result, result.content, remarks=_remarks(result), at_once=self._at_once
            )
            self._content.add_warnings(self._missing(call))

    def fill_structured(self, call: ToolCall) -> None:
        """Show the structured content and whether it is what was promised."""
        if (result := self._result or call.result) is not None:
            self._structured.set_value(result.structured)
            self._show_check(call, result)

    def _show_check(self, call: ToolCall, result: CallToolResultView) -> None:
        text, tone = self._checks.text(call, result)
        self._verdict.setText(visible(text))
        set_tone(self._verdict, tone)

    def fill_json(self, call: ToolCall) -> None:
        """Show the message as a tree."""
        self._tree.set_raw(call.message)

    def fill_raw(self, call: ToolCall) -> None:
        """Show the message as it came."""
        self._raw.set_raw(call.response)

    def fill_problems(self, call: ToolCall) -> None:
        """List what is wrong."""
        if (result := call.result) is not None:
            found = (*self._broken(call), *result.findings)
            self._problems.setText("\n\n".join(_finding_words(each) for each in found))

    def _on_view_chosen(self, key: str) -> None:
        if key != "compare":
            self._wanted = key
        self._show_view(key)


_FILLERS: dict[str, Callable[[ResultBody, ToolCall], None]] = {
    "content": ResultBody.fill_content,
    "structured": ResultBody.fill_structured,
    "json": ResultBody.fill_json,
    "raw": ResultBody.fill_raw,
    "problems": ResultBody.fill_problems,
}
"""View → what fills it when it is first wanted."""


def _options(result: CallToolResultView | None, broken: Sequence[Finding]) -> list[tuple[str, str]]:
    options = [("content", "Content")] if result is not None else []
    if result is not None and result.has_structured:
        mark = f" ⚠ {len(broken):,}" if broken else ""
        options.append(("structured", f"Structured{mark}"))
    options += [("json", "JSON"), ("raw", "Raw")]
    count = len(broken) + (len(result.findings) if result is not None else 0)
    return [*options, ("problems", f"Problems {count:,}")] if count else options


def _remarks(result: CallToolResultView) -> list[str]:
    if not result.has_no_items("content"):
        return []
    empty = "No content (0 blocks)"
    return [f"{empty}; see Structured" if result.has_structured else empty]


def _scrolled(inner: QWidget, text: str) -> QScrollArea:
    area = QScrollArea()
    area.setAccessibleName(text)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setWidget(inner)
    return area


def _finding_words(finding: Finding) -> str:
    place = f"\n    at {finding.pointer}" if finding.pointer else ""
    link = f"\n    {finding.link}" if finding.link else ""
    return visible(
        f"{finding.severity.name.lower()}: {finding.summary} ({rule_label(finding.rule)}){place}{link}"
    )
