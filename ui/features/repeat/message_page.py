"""What the pages have in common that send a message as it is edited: its text, the response, the list of sends, and how the results differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar
from weakref import WeakKeyDictionary

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from inspector.compare.exchange_parts import (
    ComparedFrame,
    ExchangePart,
    part_of,
    part_rows,
    redaction_of,
)
from inspector.errors import InspectorError, StorageError
from inspector.features import compose
from inspector.features.repeat import Send, result_difference
from inspector.session.session_state import SessionState
from inspector.session.transport_factory import transport_kind
from inspector.transcript.redaction import known_secrets
from ui.aio import spawn
from ui.bind import Bindings, bind_coalesced
from ui.features.repeat.consent import Consent
from ui.features.repeat.copying import Copying
from ui.features.repeat.editing import Editing
from ui.features.repeat.message_bar import MessageBar
from ui.features.repeat.repeat_panel import SendsAndRun
from ui.features.repeat.repeating import Repeating
from ui.features.repeat.request_panel import RequestPanel
from ui.features.repeat.send_bar import SendBar
from ui.features.repeat.templating import Templating
from ui.features.repeat.work import Work
from ui.navigator import navigator_of
from ui.page import Page
from ui.request.sent_response import SentResponse
from ui.widgets.buttons import submit_shortcut
from ui.widgets.difference_model import DifferenceModel
from ui.widgets.difference_view import DifferenceView
from ui.widgets.layout_parts import Hairline, MinHeightScroll, column_layout
from ui.widgets.splitter import Splitter

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from inspector.open_session import OpenSession
    from inspector.runs import Runs
    from ui.theme import Theme

MIN_HEIGHT = 430
"""Pixels at 100% of the page below which it scrolls."""

ANSWER_MS = 100
"""Shortest time between two looks for responses."""


class MessagePage(Page):
    """An editor, the response beside it, and the list of all sends."""

    ID_NAME: ClassVar[str]
    """How the ids of its messages begin."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.theme = theme
        self._bindings = Bindings()
        self.work = self.new_work(None)
        """What is on the page."""
        self._kept: WeakKeyDictionary[Runs[OpenSession], Work] = WeakKeyDictionary()
        """What was on the page for other servers."""
        self._build()
        self._wire()
        self.editing.set_work(self.work)
        self.refresh()

    def _build(self) -> None:
        # From outside to inside: Qt goes through the style sheet again for all that is in a part with another parent.
        theme, name = self.theme, self.info.key
        self.content = MinHeightScroll(
            name=f"{name}_scroll", label="Message and sends", parent=self.make_holder()
        )
        split = Splitter(Qt.Orientation.Vertical, theme=theme, parent=self.content.holder)
        split.setObjectName(f"{name}_sends_splitter")
        above = QWidget(split)
        beside = self._build_above(above)
        self.below = SendsAndRun(self.work.sends, theme=theme, name=name, parent=split)
        self.list, self.panel = self.below.sends, self.below.panel
        splitters = (
            (beside, (self.request, self.answer)),
            (split, (above, self.below)),
        )
        for splitter, parts in splitters:
            for part in parts:
                splitter.addWidget(part)
                splitter.setStretchFactor(splitter.count() - 1, 1)
        beside.setSizes([1000, 1000])
        split.setSizes([2000, 1000])
        self.templating = Templating(editing=self.editing, bar=self.message, page=self)
        self.copying = Copying(editing=self.editing, bar=self.message, note=self.bar, parent=self)
        self.consent = Consent(editing=self.editing, bar=self.bar, parent=self)
        self.repeating = Repeating(
            editing=self.editing, below=self.below, consent=self.consent, parent=self
        )
        self.content.hold(split)
        self.arrange(self.content)
        self._apply_theme()

    def _build_above(self, above: QWidget) -> Splitter:
        """Make the message and the response, and lay them out; return what is between them."""
        theme, name = self.theme, self.info.key
        self.message = MessageBar(theme=theme, name=name, parent=above)
        beside = Splitter(theme=theme, parent=above)
        beside.setObjectName(f"{name}_splitter")
        self.request = RequestPanel(theme=theme, name=name, parent=beside)
        self.edit = self.request.edit
        self.editing = Editing(
            request=self.request, bar=self.message, id_name=self.ID_NAME, parent=self
        )
        self.answer = SentResponse(theme=theme, name=f"{name}_answer", parent=beside)
        self.difference = DifferenceModel(self)
        view = DifferenceView(model=self.difference, theme=theme, parent=self.answer)
        view.setObjectName(f"{name}_difference")
        self.answer.add_view("difference", "Difference", view)
        self.bar = SendBar(theme=theme, name=name, parent=above)
        lines = [Hairline(theme=theme, parent=above) for _ in range(2)]
        parts = (self.message, lines[0], beside, lines[1], self.bar)
        column_layout(above, *parts, space=0).setStretch(2, 1)
        return beside

    def make_holder(self) -> QWidget:
        """Make what the content is made in; it is the parent of the content."""
        return self

    def arrange(self, content: QWidget) -> None:
        """Lay out what is on the page."""
        column_layout(self, content, space=0)

    def _apply_theme(self) -> None:
        self.content.set_min_height(self.theme.px(MIN_HEIGHT))

    def _wire(self) -> None:
        self.theme.changed.connect(self._apply_theme)
        self.editing.changed.connect(self.refresh)
        self.editing.drafted.connect(self._on_drafted)
        self.editing.started.connect(self._on_started)
        self.message.new_id_changed.connect(self.editing.renew_id)
        self.bar.send_requested.connect(self._on_send_requested)
        self.bar.join_toggled.connect(self._on_join_toggled)
        self.bar.repeat_requested.connect(self.repeating.toggle)
        self.bar.repeat_requested.connect(lambda: self.content.ensureWidgetVisible(self.below))
        self.list.selected.connect(self._on_row_selected)
        self.list.compare_requested.connect(self._on_compare_requested)
        submit_shortcut(self, self.bar.send.click)

    # What is repeated

    def set_session(self, session: OpenSession | None) -> None:
        """Keep everything for another run of the same server; for another server, show what was there before."""
        before, is_same = self.session, self.continues(session)
        self._bindings.replace()
        super().set_session(session)
        for part in (self.copying, self.consent, self.repeating, self.templating):
            part.session = session
        if not is_same:
            if before is not None:
                self._kept[before.runs] = self.work
            kept = self._kept.pop(session.runs, None) if session is not None else None
            self.restore(kept or self.new_work(session))
        if session is not None:
            appended = session.session.transcript.appended
            self._bindings.replace(
                bind_coalesced(self, session.session.changed, self._on_session_changed, ANSWER_MS),
                bind_coalesced(self, appended, self._poll, ANSWER_MS),
                *(
                    bind_coalesced(self, each.changed, self.templating.refresh, ANSWER_MS)
                    for each in (session.tools, session.prompts, session.resources)
                ),
            )
        self.show_revision()
        self.refresh()

    def new_work(self, session: OpenSession | None) -> Work:
        """Return what a page begins with for a server."""
        del session
        return Work()

    def clear(self) -> None:
        """Forget the messages and all sends, and stop sending."""
        for work in (self.work, *self._kept.values()):
            if work.run is not None:
                work.run.stop()
        self._kept.clear()
        self.restore(self.new_work(self.session))

    def restore(self, work: Work) -> None:
        """Show what was there for a server, or nothing."""
        self.work = work
        self.editing.set_work(work)
        self.answer.clear()
        self.list.show_compared("")
        if work.current is not None:
            self._show_row(work.current)
        self.list.set_sends(work.sends, work.current)
        self.repeating.show_run()

    def show_revision(self) -> None:
        """Show what the revision of the session prescribes, and offer its methods."""
        session = self.session.session if self.session is not None else None
        greeting = session.greeting if session is not None else None
        self.message.show_revision(greeting.revision if greeting is not None else None)
        if session is not None and greeting is not None:
            self.editing.meta = compose.meta_of(session)
            self.editing.refresh()
        self.templating.refresh()

    # The text

    @property
    def _is_ready(self) -> bool:
        session = self.session
        return session is not None and session.session.state is SessionState.READY

    def _on_started(self) -> None:
        """Nothing was sent of the message, and it is not in the list."""
        self.answer.clear()
        self.list.refresh_rows(None)
        self.list.show_compared("")

    def _on_drafted(self) -> None:
        """List what was typed."""
        self.list.refresh_rows(self.work.current)
        self.list.show_compared("")

    def refresh(self) -> None:
        """Show what there is to know of the text; called when it changes."""
        session = self.session
        in_lines = (
            session is not None
            and not transport_kind(session.session.profile.transport).has_headers
        )
        sending = self.editing.sending
        self.bar.show_text(sending, is_ready=self._is_ready, in_lines=in_lines)
        self.panel.set_ready(is_ready=self.bar.send.isEnabled())

    def _on_join_toggled(self, is_joined: bool) -> None:
        self.work.is_as_typed = not is_joined
        self.refresh()

    # Sending

    def _on_send_requested(self) -> None:
        if self.bar.send.isEnabled():
            self.consent.then(self._start_send)

    def _start_send(self) -> None:
        if self.session is not None:
            self.editing.renew_id()
            self.refresh()
            spawn(self, self._send(self.session), name="send a message")

    async def _send(self, session: OpenSession) -> None:
        work, before = self.work, self.work.current
        draft = before if before is not None and before.frame is None else None
        row = Send(work.text, work.original, self.editing.take_number())
        row.changed = self.editing.changed_text()
        if not row.changed and work.original is not None:
            row.changed = f"as #{work.original.number}"
        if draft is not None:
            draft.text = row.text
        try:
            number = await session.raw.send(self.editing.sending.text)
        except InspectorError as error:
            self.bar.show_problem(error.reason)
            return
        transcript = session.session.transcript
        row.frame, row.wall_s = ComparedFrame(transcript, number), transcript.row(number).wall_s
        is_untouched = work.current is before and (draft is None or draft.text == row.text)
        if is_untouched and draft is not None:
            work.sends.remove(draft)
        work.sends.add(row)
        if is_untouched:
            work.current = row
        if work is self.work:
            if is_untouched:
                self._show_row(row)
            self.list.refresh_rows(work.current)
            self._poll()

    # The sends

    def _on_row_selected(self, row: Send) -> None:
        """Bring both texts of a row back; a draft has no response yet."""
        self.work.set_original(row.original)
        self.work.current = row
        self.editing.load(row.text)
        self._show_row(row)
        self._poll()

    def _show_row(self, row: Send) -> None:
        before = self.work.sends.before(row)
        compared = f"{before[0]} → {row.number}" if before is not None and row.frame else ""
        self.list.show_compared(compared)
        if row.frame is None:
            self.answer.clear()
            return
        self.difference.set_difference(None)
        self.answer.rename_view(
            "difference", f"Difference to {before[0]}" if before else "Difference"
        )
        self.answer.show_frame(row.frame.number, row.frame.transcript)
        if row.against is not None:
            spawn(self, self._compare(row), name="compare results")

    def _on_compare_requested(self) -> None:
        row = self.work.current
        before = self.work.sends.before(row) if row is not None else None
        if row is not None and row.frame is not None and before is not None:
            navigator_of(self).compare_frames(before[1], row.frame)

    def _poll(self) -> None:
        """Look for responses."""
        self.answer.poll()
        for row in self.work.sends.rows:
            if row.frame is not None and row.against is None and row.frame.response:
                row.against = ""
                spawn(self, self._compare(row), name="compare results")
        self.list.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Offer what the server takes by now."""
        super().showEvent(event)
        self.templating.refresh()

    def _on_session_changed(self) -> None:
        """Requests may be lost now, and sending possible or not."""
        self._poll()
        self.show_revision()
        if self._is_ready != self.bar.is_ready:
            self.refresh()

    async def _compare(self, row: Send) -> None:
        """Find how the result of a send differs from the one before."""
        before, rows = self.work.sends.before(row), None
        if row.frame is None or before is None:
            return
        try:
            row.against = await result_difference(before[1], row.frame, before[0])
            redaction = redaction_of(known_secrets(before[1].transcript))
            both = (before[1], row.frame)
            old, new = (part_of(each, ExchangePart.RESULT, redaction) for each in both)
            if row is self.work.current and new:
                rows = await part_rows(old, new, ())
        except StorageError as error:
            row.against = error.reason
        if row is self.work.current:
            self.difference.set_difference(rows)
        self.list.refresh()
