"""The panel that calls a tool: its arguments as a form or as JSON, and the choice to run the call as a task."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from inspector.spec.mirrored_headers import annotated
from inspector.visible_text import one_line
from inspector.workspace import is_closed
from ui.bind import Bindings, bind
from ui.features.tools.task_choice import TaskChoice
from ui.features.tools.tool_list import HINT_TONES
from ui.filtered_list import Selection
from ui.navigator import navigator_of
from ui.request.panel import RequestPanel
from ui.request.row import RequestRow
from ui.widgets.badge_row import HeadingBadge
from ui.widgets.form import Form
from ui.widgets.heading import Heading
from ui.widgets.layout_parts import column_layout
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.features.tools import ToolCall
    from inspector.finding import Finding
    from inspector.open_session import OpenSession
    from inspector.session.outgoing import Timeouts
    from inspector.spec.mirrored_headers import MirroredHeaders
    from inspector.spec.views.tool import ToolView
    from ui.theme import Theme
    from ui.widgets.form import FieldProblem

UNTRUSTED = "Hint from the server; trust it only if you trust the server."


MAX_PROBLEMS = 6
"""Problems in the tooltip; each is beside its field, too."""

NOT_JSON = "Arguments are not valid JSON"


class CallPanel(RequestPanel[Selection, "str | None"]):
    """The selected tool and its arguments.

    Signals:
        call_requested: call with this JSON text, these limits, as a task if one is given, and with these members of `_meta`.
    """

    call_requested = Signal(str, object, object, object)

    name: ClassVar[str] = "call"
    request_name: ClassVar[str] = "call"
    json_name: ClassVar[str] = "tool_schema"
    headers_label: ClassVar[str] = "call"
    views: ClassVar[Sequence[tuple[str, str]]] = (
        ("form", "Form"),
        ("json", "JSON"),
        ("schema", "Schema"),
    )
    views_name: ClassVar[str] = "argument_views"
    not_selected: ClassVar[tuple[str, str]] = (
        "No tool selected",
        "Select a tool to fill in its arguments and call it.",
    )
    not_selected_recorded: ClassVar[tuple[str, str]] = (
        "No tool selected",
        "Select a tool to see its definition and its recorded calls.",
    )
    not_listed: ClassVar[tuple[str, str]] = ("No tools", "The list is empty.")

    tool: ToolView | None = None
    """The selected tool."""
    _key: Selection | None = None
    _start = ""
    _running: ToolCall | None = None

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a tool."""
        super().__init__(None, theme=theme, parent=parent)
        self.refresh()

    def _build(self) -> None:
        theme = self._theme
        self._bindings = Bindings()
        self.heading = Heading(theme=theme, name="tool", copy="Copy name", whole_in="Schema")
        self.form = Form(theme=theme)
        self._row = CallRow(theme=theme)
        self.call_button = self._row.request.button
        self.cancel_button = self._row.request.cancel_button
        self.assemble(self.heading, self.form, self._row.request, footer=self._row)

    def _wire(self) -> None:
        super()._wire()
        self.form.changed.connect(self._on_form_changed)
        self.form.view_changed.connect(self._on_form_view_changed)
        self.form.submitted.connect(self.row.press)
        self.row.send_requested.connect(self._on_call_requested)
        self.row.changed.connect(self.refresh)
        self.row.cancel_requested.connect(self._on_cancel_requested)
        self.row.action_requested.connect(self._on_action_requested)
        self._row.task.changed.connect(self.refresh)

    def set_session(self, session: OpenSession | None, *, again: bool = False) -> None:
        """Call over `session` from now on; `again` keeps everything for another run of the same server."""
        super().set_session(session, again=again)
        self.follow(None)

    def clear(self) -> None:
        """Forget the tool."""
        self.tool, self._key = None, None

    def show_tool(
        self, tool: ToolView | None, key: Selection | None, clashes: Sequence[Finding]
    ) -> None:
        """Offer to call `tool` with its draft; `key` is its selection in the list."""
        key = key if tool is not None else None
        before = self.tool
        self.keep_draft()
        self.tool = tool
        again = tool is not None and before is not None and before.raw == tool.raw
        if tool is not before:
            self._headers.start(
                opened=tool is not None and bool(annotated(tool.input_schema).valid)
            )
        tasks = self._session.tasks if self._session is not None else None
        self._row.task.show_tool(tool, tasks, again=again)
        if tool is not None:
            self._show_heading(tool, clashes)
            if before is None or key != self._key or before.raw != tool.raw:
                again = before is not None and key == self._key
                self._key = key
                self._fill_in(tool, again=again)
        self._key = key
        self.refresh()

    def _show_heading(self, tool: ToolView, clashes: Sequence[Finding]) -> None:
        self.heading.show_entry(
            tool.label,
            tool.id_label,
            copied=tool.name if tool.has_id else None,
            description=tool.description,
            problems=[finding.summary for finding in (*clashes, *tool.problems)],
            badges=_badges(tool),
        )

    def set_arguments(self, text: str) -> None:
        """Put arguments of an earlier call back."""
        self.form.set_text(text)
        self.refresh()

    def timeouts(self) -> Timeouts:
        """Return the timeouts of the next call."""
        return self.row.options.timeouts()

    def follow(self, call: ToolCall | None) -> None:
        """Offer to cancel `call` while it runs."""
        self._bindings.replace()
        self._running = call
        if call is not None and not call.is_finished:
            self._bindings.replace(bind(self, call.changed, self._on_call_changed))
        self.refresh()

    def focus_form(self) -> None:
        """Go to the first field."""
        if not self.form.focus_first():
            self.call_button.setFocus()

    def show_problem(self, text: str) -> None:
        """Show beside the button why it did nothing."""
        self.row.show_problem(text)
        self.refresh()

    def refresh(self) -> None:
        """Show the current state of panel and buttons."""
        self.show_entry(self.tool is not None)
        tools = self._session.tools if self._session is not None else None
        excluded = tools.excluded(self.tool) if tools is not None and self.tool is not None else ""
        self._row.show_state(
            connected=self._session is not None and not is_closed(self._session.session),
            problems=self.form.problems() if self.tool is not None else (),
            sendable=self.tool is None or self.form.can_send(),
            running=self._running is not None and not self._running.is_finished,
            excluded=excluded,
        )
        self.show_headers(is_ready=self.tool is not None)

    def preview(self, session: OpenSession) -> MirroredHeaders | None:
        """Return the headers of the call as it stands."""
        if self.tool is None:
            return None
        return session.tools.headers_of(self.tool, self.form.text(), self.row.options.meta())

    def draft_key(self) -> Selection | None:
        """Return the selection of the tool."""
        return self._key if self.tool is not None else None

    def draft(self) -> str | None:
        """Return the arguments as JSON text; None while nothing was changed."""
        text = self.form.text()
        return None if text == self._start else text

    def _fill_in(self, tool: ToolView, *, again: bool) -> None:
        schema = tool.input_schema
        self.row.show_problem("")
        draft = self.draft_of(self._key) if self._key is not None else None
        self.form.set_schema(schema if schema is not None else True, draft, again=again)
        self._start = self.form.start_text()
        self._json.set_value(tool.raw)

    def _on_call_changed(self) -> None:
        if self._running is None or self._running.is_finished:  # progress changes nothing here
            self.refresh()

    def _on_views_chosen(self, key: str) -> None:
        super()._on_views_chosen(key)
        if key != "schema":
            self.form.show_json(key == "json")

    def _on_form_view_changed(self) -> None:
        if self._body.currentWidget() is self.form:
            self._views.choose("json" if self.form.is_json() else "form")

    def _on_form_changed(self) -> None:
        self.row.show_problem("")
        self.refresh()

    def _on_call_requested(self) -> None:
        if self.tool is None:
            return
        options, as_task = self.row.options, self._row.task.task_params()
        self.call_requested.emit(self.form.text(), options.timeouts(), as_task, options.meta())

    def _on_action_requested(self) -> None:
        """Go to the first problem, or to the raw page where invalid JSON can be sent."""
        if self.form.can_send():
            if self._views.current() == "schema":
                self._views.choose("form")
                self._on_views_chosen("form")
            self.form.show_problems()
        elif self._session is not None and self.tool is not None:
            meta = self.row.options.meta()
            navigator_of(self).edit_and_send(
                self._session.tools.raw_text(self.tool, self.form.text(), meta)
            )

    def _on_cancel_requested(self) -> None:
        if self._running is not None:
            self._running.cancel()


def _badges(tool: ToolView) -> list[HeadingBadge]:
    """Return the hints that the server states, never their defaults, and whether calls can or must run as tasks."""
    badges = [
        HeadingBadge(text, HINT_TONES[text], UNTRUSTED)
        if holds
        else HeadingBadge(f"not {text}", "muted", UNTRUSTED)
        for text, holds, stated in tool.annotations.hints()
        if stated
    ]
    if tool.task_support != "forbidden":
        tooltip = "Whether calls can or must run as tasks"
        badges.append(HeadingBadge(f"task {tool.task_support}", "muted", tooltip))
    return badges


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
        column_layout(self, self.task, self.request, space=0)

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
        text, short, tone, detail, action = "", "", "warning", "", ""
        if not sendable:
            text, short, tone, action = NOT_JSON, "not JSON", "error", "Use Raw"
            detail = "\n".join(problem.text for problem in problems[:MAX_PROBLEMS])
        elif excluded:
            text, tone = f"Excluded: {excluded}", "error"
        elif problems:
            text, short, action = plural(len(problems), "problem"), f"{len(problems):,}", "Show"
            detail = _detail(problems)
        self.request.show_state(
            connected=connected,
            running=running,
            sendable=sendable,
            anyway=sendable and bool(problems or excluded or self.task.problem()),
            text=text,
            tone=tone,
            short=short,
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
