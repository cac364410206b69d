"""Filling in the arguments of one tool and calling it.

What was typed for a tool stays with it while others are looked at. Problems are shown and never keep anybody from calling: testing how
a server answers bad input is a normal day's work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from inspector.spec.annotated import annotated
from inspector.spec.mirroring import Mirroring
from inspector.workspace import is_over
from ui.bind import bind
from ui.features.tools.call_row import CallRow
from ui.features.tools.drafts import DraftKey, Drafts
from ui.features.tools.tool_heading import ToolHeading
from ui.request.column import RequestColumn
from ui.request.headers import RequestHeaders
from ui.widgets.empty_state import EmptyState
from ui.widgets.form import Form
from ui.widgets.json_view import JsonView
from ui.widgets.segmented_control import SegmentedControl
from ui.widgets.submit_keys import take_submit_key

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QKeyEvent

    from inspector.features.tool_call import ToolCall
    from inspector.finding import Finding
    from inspector.session.timeouts import Timeouts
    from inspector.spec.views.tool import ToolView
    from inspector.workspace import OpenSession
    from ui.filtered_list import Selection
    from ui.theme import Theme

VIEWS = (("form", "Form"), ("json", "JSON"), ("schema", "Schema"))

CHOOSE = ("No tool selected", "Select a tool to fill in its arguments and call it.")
"""Title and words while nothing is chosen."""
NOTHING = ("No tools", "The list is empty.")
"""The same, where nothing is listed."""


class CallPanel(QWidget):
    """The chosen tool and its arguments.

    Signals:
        call_wanted: call with this JSON text, these limits, as a task if one is given, and with these members of `_meta`.
        raw_wanted: edit this text of a request, which need not be JSON, and send it as it stands.
    """

    call_wanted = Signal(str, object, object, object)
    raw_wanted = Signal(str)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a tool."""
        super().__init__(parent)
        self.setObjectName("call_panel")
        self.tool: ToolView | None = None
        self._theme = theme
        self._session: OpenSession | None = None
        self._drafts = Drafts()
        self._key: DraftKey | None = None
        self._start = ""
        self._running: ToolCall | None = None
        self._unbind: Callable[[], None] | None = None
        self._build()
        self._wire()
        self.refresh()

    def _build(self) -> None:
        theme = self._theme
        self._empty = EmptyState(
            *CHOOSE,
            theme=theme,
            icon="mdi6.form-select",
            name="call_empty",
        )
        self._heading = ToolHeading(theme=theme)
        self._views = SegmentedControl(VIEWS, name="argument_views")
        self.form = Form(theme=theme)
        self._schema = JsonView(theme=theme, name="tool_schema")
        self._body = QStackedWidget()
        self._body.addWidget(self.form)
        self._body.addWidget(self._schema)
        self._headers = RequestHeaders(theme=theme, name="call", words="call")
        self._row = CallRow(theme=theme)
        self.call_button = self._row.request.button
        self.cancel_button = self._row.request.cancel_button
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._filled())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def _filled(self) -> QWidget:
        return RequestColumn(
            (self._heading, self._views),
            self._body,
            (self._headers, self._row.options),
            row=self._row,
            theme=self._theme,
        )

    def _wire(self) -> None:
        self._views.chosen.connect(self._on_view_chosen)
        self.form.changed.connect(self._on_form_changed)
        self.form.view_changed.connect(self._on_form_view_changed)
        self.form.submitted.connect(self._row.request.press)
        self._row.request.wanted.connect(self._on_call_wanted)
        self._row.request.changed.connect(self.refresh)
        self._row.request.cancel_wanted.connect(self._on_cancel_wanted)
        self._row.request.action_wanted.connect(self._on_action_wanted)
        self._row.task.changed.connect(self.refresh)

    def set_session(self, session: OpenSession | None, *, again: bool = False) -> None:
        """Call over `session` from now on; another run of the server (`again`) finds all as it is."""
        self._keep_draft()
        self._session = session
        if not again:
            self.tool, self._key = None, None
        self.follow(None)
        if session is None:
            self._row.options.set_session(None)
        else:
            self._row.options.set_session(session.session, session.profile.id)
        self.refresh()

    def set_listed(self, is_anything: bool) -> None:
        """Say what to do, or that there is nothing to choose from."""
        self._empty.set_words(*(CHOOSE if is_anything else NOTHING))

    def show_tool(
        self, tool: ToolView | None, choice: Selection | None, clashes: Sequence[Finding]
    ) -> None:
        """Offer to call `tool`, with what was typed for it before."""
        key = self._key_of(choice) if tool is not None and choice is not None else None
        before = self.tool
        self._keep_draft()
        self.tool = tool
        again = tool is not None and before is not None and before.raw == tool.raw
        if tool is not before:
            self._headers.begin(
                opened=tool is not None and bool(annotated(tool.input_schema).valid)
            )
        tasks = self._session.tasks if self._session is not None else None
        self._row.task.show_tool(tool, tasks, again=again)
        if tool is not None:
            self._heading.show_tool(tool, clashes)
            if before is None or key != self._key or before.raw != tool.raw:
                again = before is not None and key == self._key
                self._key = key
                self._fill_in(tool, again=again)
        self._key = key
        self.refresh()

    def set_arguments(self, text: str) -> None:
        """Put arguments of an earlier call back."""
        self.form.set_text(text)
        self.refresh()

    def timeouts(self) -> Timeouts:
        """How long the next call is waited for."""
        return self._row.options.timeouts()

    def follow(self, call: ToolCall | None) -> None:
        """Offer to cancel `call` while it runs."""
        if self._unbind is not None:
            self._unbind()
            self._unbind = None
        self._running = call
        if call is not None and not call.is_over:
            self._unbind = bind(self, call.changed, self.refresh)
        self.refresh()

    def focus_form(self) -> None:
        """Go to the first field."""
        if not self.form.focus_first():
            self.call_button.setFocus()

    def show_problem(self, words: str) -> None:
        """Say beside the button why it did nothing."""
        self._row.request.complain(words)
        self.refresh()

    def refresh(self) -> None:
        """Show what can be done now."""
        self._stack.setCurrentIndex(0 if self.tool is None else 1)
        tools = self._session.tools if self._session is not None else None
        excluded = tools.excluded(self.tool) if tools is not None and self.tool is not None else ""
        self._row.show_state(
            connected=self._session is not None and not is_over(self._session.session),
            problems=self.form.problems() if self.tool is not None else (),
            sendable=self.tool is None or self.form.can_send(),
            running=self._running is not None and not self._running.is_over,
            excluded=excluded,
        )
        self._headers.show_request(self._preview if self.tool is not None else None)

    def _preview(self) -> Mirroring:
        """The headers of the call as it stands."""
        if self._session is None or self.tool is None:
            return Mirroring(())
        return self._session.tools.headers_of(self.tool, self.form.text(), self._row.options.meta())

    def _key_of(self, choice: Selection) -> DraftKey:
        server = self._session.profile.id if self._session is not None else ""
        return DraftKey(server, choice.key, choice.nth)

    def _fill_in(self, tool: ToolView, *, again: bool) -> None:
        schema = tool.input_schema
        self._row.request.complain("")
        draft = self._drafts.get(self._key) if self._key is not None else None
        self.form.set_schema(schema if schema is not None else True, draft, again=again)
        self._start = self.form.start_text()
        self._schema.set_value(tool.raw)

    def _keep_draft(self) -> None:
        if self.tool is None or self._key is None:
            return
        text = self.form.text()
        if text == self._start:
            self._drafts.forget(self._key)
        else:
            self._drafts.keep(self._key, text)

    def _on_view_chosen(self, key: str) -> None:
        self._body.setCurrentWidget(self._schema if key == "schema" else self.form)
        if key != "schema":
            self.form.show_json(key == "json")

    def _on_form_view_changed(self) -> None:
        if self._body.currentWidget() is self.form:
            self._views.choose("json" if self.form.is_json() else "form")

    def _on_form_changed(self) -> None:
        self._row.request.complain("")
        self.refresh()

    def _on_call_wanted(self) -> None:
        if self.tool is None:
            return
        options, wish = self._row.options, self._row.task.wish()
        self.call_wanted.emit(self.form.text(), options.timeouts(), wish, options.meta())

    def _on_action_wanted(self) -> None:
        """Go to what is wrong, or where it can be sent all the same."""
        if self.form.can_send():
            if self._views.current() == "schema":
                self._views.choose("form")
                self._on_view_chosen("form")
            self.form.show_problems()
        elif self._session is not None and self.tool is not None:
            meta = self._row.options.meta()
            self.raw_wanted.emit(self._session.tools.raw_text(self.tool, self.form.text(), meta))

    def _on_cancel_wanted(self) -> None:
        if self._running is not None:
            self._running.cancel()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter calls from outside the form, which has that key itself."""
        if not take_submit_key(event, self._row.request.press):
            super().keyPressEvent(event)
