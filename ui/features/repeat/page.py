"""The repeat page: a message of the traffic, sent again as it was or edited, and how the results differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple
from weakref import WeakKeyDictionary

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QWidget

from inspector.compare.exchange_parts import (
    ComparedFrame,
    ExchangePart,
    part_of,
    part_rows,
    redaction_of,
)
from inspector.errors import InspectorError, StorageError
from inspector.features.repeat import (
    MAX_COMPARED,
    MAX_EDITED,
    Send,
    Sends,
    called_tool,
    changes_text,
    id_span,
    new_id,
    request_changes,
    result_difference,
)
from inspector.session.session import SessionState
from inspector.transcript.redaction import known_secrets
from ui.aio import spawn
from ui.bind import Bindings, bind_coalesced
from ui.features.repeat.request_panel import RequestPanel
from ui.features.repeat.send_bar import SendBar
from ui.features.repeat.sends_table import SendsPanel
from ui.navigator import navigator_of
from ui.page import Page
from ui.pages import REPEAT, PageSpec
from ui.request.sent_response import SentResponse
from ui.widgets.buttons import submit_shortcut
from ui.widgets.difference_model import DifferenceModel
from ui.widgets.difference_view import DifferenceView
from ui.widgets.empty_state import EmptyState
from ui.widgets.layout_parts import Hairline, column_layout
from ui.widgets.splitter import Splitter
from ui.widgets.units import size

if TYPE_CHECKING:
    from inspector.runs import Runs
    from inspector.spec.views.tool import ToolAnnotations
    from inspector.workspace import OpenSession
    from ui.theme import Theme

EMPTY = (
    "Nothing to repeat",
    "Select a request in the traffic and use Repeat… in its menu (Ctrl+E).",
)

ANSWER_MS = 100
"""Shortest time between two looks for responses."""


class _Kept(NamedTuple):
    """What is on the page for one server."""

    sends: Sends
    original: ComparedFrame | None
    current: Send | None
    text: str
    confirmed: set[str]


class RepeatPage(Page):
    """An editor, the response beside it, and the list of all sends."""

    info: ClassVar[PageSpec] = REPEAT

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self._theme = theme
        self._bindings = Bindings()
        self.sends = Sends()
        self.next_number = 1
        """Of the next send to any server; ids are made from it."""
        self._kept: WeakKeyDictionary[Runs[OpenSession], _Kept] = WeakKeyDictionary()
        """What was on the page for other servers."""
        self._original: ComparedFrame | None = None
        self._original_text = ""
        self._current: Send | None = None
        """The row that the text in the editor belongs to; None for a message that was not edited yet."""
        self._is_loading = False
        """Whether the text in the editor changes without the user."""
        self._text = ""
        """The text in the editor; Qt reports changes of its fonts as changes of the text."""
        self._confirmed: set[str] = set()
        """Destructive tools that the user agreed to call."""
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self.request = RequestPanel(theme=theme, parent=self)
        self.edit = self.request.edit
        self.answer = SentResponse(theme=theme, name="repeat_answer", parent=self)
        self.difference = DifferenceModel(self)
        view = DifferenceView(model=self.difference, theme=theme)
        view.setObjectName("repeat_difference")
        self.answer.add_view("difference", "Difference", view)
        self.bar = SendBar(theme=theme, parent=self)
        self.list = SendsPanel(self.sends, theme=theme, parent=self)
        beside = Splitter(theme=theme)
        beside.setObjectName("repeat_splitter")
        above = QWidget()
        column_layout(above, beside, Hairline(theme=theme), self.bar, space=0).setStretch(0, 1)
        split = Splitter(Qt.Orientation.Vertical, theme=theme)
        split.setObjectName("repeat_sends_splitter")
        for splitter, parts in ((beside, (self.request, self.answer)), (split, (above, self.list))):
            for part in parts:
                splitter.addWidget(part)
                splitter.setStretchFactor(splitter.count() - 1, 1)
        beside.setSizes([1000, 1000])
        split.setSizes([2000, 1000])
        self._empty = EmptyState(*EMPTY, theme=theme, icon=REPEAT.icon_name, name="repeat_empty")
        self._whole = QStackedWidget(self)
        self._whole.addWidget(self._empty)
        self._whole.addWidget(split)
        column_layout(self, self._whole, space=0)

    def _wire(self) -> None:
        self.edit.textChanged.connect(self._on_text_changed)
        self.request.new_id_changed.connect(self._renew_id)
        self.bar.send_requested.connect(self._on_send_requested)
        self.bar.confirmed.connect(self._on_confirmed)
        self.list.selected.connect(self._on_row_selected)
        self.list.compare_requested.connect(self._on_compare_requested)
        submit_shortcut(self, self.bar.send.click)

    # What is repeated

    def set_session(self, session: OpenSession | None) -> None:
        """Keep everything for another run of the same server; for another server, show what was there before."""
        before, is_same = self.session, self.continues(session)
        self._bindings.replace()
        super().set_session(session)
        if not is_same:
            if before is not None:
                self._kept[before.runs] = _Kept(
                    self.sends, self._original, self._current, self._text, self._confirmed
                )
            self._restore(self._kept.pop(session.runs, None) if session is not None else None)
        if session is not None:
            appended = session.session.transcript.appended
            self._bindings.replace(
                bind_coalesced(self, session.session.changed, self._on_session_changed, ANSWER_MS),
                bind_coalesced(self, appended, self._poll, ANSWER_MS),
            )
        self._refresh()

    def clear(self) -> None:
        """Forget the messages and all sends."""
        self._kept.clear()
        self._restore(None)

    def _restore(self, kept: _Kept | None) -> None:
        """Show what was there for a server, or nothing."""
        state = kept or _Kept(Sends(), None, None, "", set())
        self.sends, self._current, self._confirmed = state.sends, state.current, state.confirmed
        self._original, self._original_text = None, ""
        if state.original is not None:
            self._set_original(state.original)
        self._empty.set_text(*EMPTY)
        self._load(state.text)
        self.answer.clear()
        self.list.show_compared("")
        if state.current is not None:
            self._show_row(state.current)
        self.list.set_sends(self.sends, self._current)

    def repeat(self, frame: ComparedFrame) -> None:
        """Put a message into the editor, to be sent again."""
        length = frame.transcript.columns.size[frame.number - 1]
        if length > MAX_EDITED:
            problem = (
                f"#{frame.number} has {size(length)}; at most {size(MAX_EDITED)} can be edited"
            )
            self._empty.set_text("Cannot repeat", problem)
            self.bar.show_problem(problem)
            return
        self._current = None
        self.list.show_compared("")
        self._set_original(frame)
        self._load(self._original_text)
        self._renew_id()
        self.answer.clear()
        self.list.refresh_rows(None)
        self.edit.setFocus()

    def _set_original(self, frame: ComparedFrame) -> None:
        if frame != self._original:
            self._original = frame
            self._original_text = frame.transcript.raw(frame.number).decode(errors="replace")

    def _load(self, text: str) -> None:
        """Put a text into the editor that the user did not type."""
        self._is_loading = True
        self.edit.setPlainText(text)
        self._is_loading = False
        self._text = self.edit.message()
        self.bar.stop_asking()
        self._refresh()

    def _renew_id(self) -> None:
        """Give the message the id of the next send, if it has an id and is to have a new one."""
        text = self.edit.message()
        span = id_span(text) if self.request.is_id_new and len(text) <= MAX_EDITED else None
        renewed = new_id(self.next_number)
        if span is not None and text[slice(*span)] != renewed:
            self._is_loading = True
            self.edit.replace(*span, renewed)
            self._is_loading = False
            self._text = self.edit.message()

    # The editor

    def _on_text_changed(self) -> None:
        """What the user typed is a draft until it is sent."""
        text, original = self.edit.message(), self._original
        if self._is_loading or text == self._text:
            return
        self._text = text
        if original is not None:
            if self._current is None or self._current.frame is not None:
                self._current = Send(text, original)
                self.sends.add(self._current)
                self.list.refresh_rows(self._current)
                self.list.show_compared("")
            self._current.text = text
            self._current.changed = changes_text(request_changes(self._original_text, text))
            self.list.refresh()
        self.bar.stop_asking()
        self._refresh()

    @property
    def _is_ready(self) -> bool:
        session = self.session
        return session is not None and session.session.state is SessionState.READY

    def _refresh(self) -> None:
        """Show what is to be said of the text; called when it changes."""
        self._whole.setCurrentIndex(self._original is not None)
        if self._original is None:
            return
        text = self._text
        changes = request_changes(self._original_text, text)
        has_id = len(text) > MAX_COMPARED or id_span(text) is not None
        self.request.show_changes(self._original, changes, has_id=has_id)
        self.bar.show_text(text, is_ready=self._is_ready)
        if len(text) <= MAX_COMPARED:
            self._show_tool(text)

    def _show_tool(self, text: str) -> None:
        name = called_tool(text)
        self.bar.show_tool(name, self._annotations(name), is_confirmed=name in self._confirmed)

    def _annotations(self, name: str) -> ToolAnnotations | None:
        tools = self.session.tools.items if self.session is not None and name else ()
        return next((tool.annotations for tool in tools if tool.name == name), None)

    # Sending

    def _on_send_requested(self) -> None:
        if self.session is None or not self.bar.send.isEnabled():
            return
        self._show_tool(self._text)
        if self.bar.needs_consent:
            self.bar.ask()
            return
        self._renew_id()
        self._refresh()
        spawn(self, self._send(self.session, self._text), name="repeat a message")

    def _on_confirmed(self) -> None:
        self._confirmed.add(called_tool(self._text))
        self._on_send_requested()

    async def _send(self, session: OpenSession, text: str) -> None:
        original, before = self._original, self._current
        assert original is not None
        draft = before if before is not None and before.frame is None else None
        if draft is not None:
            draft.text = text
        row = Send(text, original, self.next_number)
        row.changed = changes_text(request_changes(self._original_text, text))
        row.changed = row.changed or f"as #{original.number}"
        self.next_number += 1
        try:
            number = await session.raw.send(text)
        except InspectorError as error:
            self.bar.show_problem(error.reason)
            return
        if session is not self.session or self._original is None:
            return
        transcript = session.session.transcript
        row.frame, row.wall_s = ComparedFrame(transcript, number), transcript.row(number).wall_s
        is_untouched = self._current is before and (draft is None or draft.text == text)
        if is_untouched and draft is not None:
            self.sends.remove(draft)
        self.sends.add(row)
        if is_untouched:
            self._show_row(row)
        self.list.refresh_rows(self._current)
        self._poll()

    # The sends

    def _on_row_selected(self, row: Send) -> None:
        """Bring both texts of a row back; a draft has no response yet."""
        self._set_original(row.original)
        self._load(row.text)
        self._show_row(row)
        self._poll()

    def _show_row(self, row: Send) -> None:
        self._current = row
        name, _ = self.sends.before(row)
        self.list.show_compared(f"{name} → {row.number}" if row.frame is not None else "")
        if row.frame is None:
            self.answer.clear()
            return
        self.difference.set_difference(None)
        self.answer.rename_view("difference", f"Difference to {name}")
        self.answer.show_frame(row.frame.number, row.frame.transcript)
        if row.against is not None:
            spawn(self, self._compare(row), name="compare results")

    def _on_compare_requested(self) -> None:
        row = self._current
        if row is not None and row.frame is not None:
            navigator_of(self).compare_frames(self.sends.before(row)[1], row.frame)

    def _poll(self) -> None:
        """Look for responses."""
        self.answer.poll()
        for row in self.sends.rows:
            if row.frame is not None and row.against is None and row.frame.response:
                row.against = ""
                spawn(self, self._compare(row), name="compare results")
        self.list.refresh()

    def _on_session_changed(self) -> None:
        """Requests may be lost now, and sending possible or not."""
        self._poll()
        if self._is_ready != self.bar.is_ready:
            self._refresh()

    async def _compare(self, row: Send) -> None:
        """Find how the result of a send differs from the one before."""
        assert row.frame is not None
        name, before = self.sends.before(row)
        try:
            row.against = await result_difference(before, row.frame, name)
            redaction = redaction_of(known_secrets(before.transcript))
            old, new = (
                part_of(each, ExchangePart.RESULT, redaction) for each in (before, row.frame)
            )
            rows = await part_rows(old, new, ()) if row is self._current and new else None
        except StorageError as error:
            row.against = error.reason
            rows = None
        if row is self._current:
            self.difference.set_difference(rows)
        self.list.refresh()
