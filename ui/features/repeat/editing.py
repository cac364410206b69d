"""The editor and the line above it as one: the text changes what is above it, and the other way round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from inspector.features import compose
from inspector.features.compose import MAX_READ, MessageFacts
from inspector.features.repeat import (
    Send,
    changes_text,
    id_span,
    new_id,
    numbered,
    renewed_spans,
    request_changes,
)
from inspector.visible_text import one_line
from ui.features.repeat.work import Work
from ui.navigator import navigator_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from inspector.compare.compared_frame import ComparedFrame
    from inspector.compare.json_difference import Change
    from inspector.features.compose import Sending
    from inspector.json_value import JsonObject
    from ui.features.repeat.message_bar import MessageBar
    from ui.features.repeat.request_panel import RequestPanel


LONG = 20_000
"""Characters of a text that is compared only in a pause of typing."""

PAUSE_MS = 150
"""How long that is."""

MAX_TEXT = 60
"""Characters of a text without a method in the list of sends."""


class Editing(QObject):
    """The message that is edited.

    Signals:
        changed: the text, or what it is compared with, is another one.
        started: another message is edited, which was not sent yet.
        drafted: the user typed, and that is a row of the sends now.
    """

    changed = Signal()
    drafted = Signal()
    started = Signal()

    def __init__(
        self, *, request: RequestPanel, bar: MessageBar, id_name: str, parent: QWidget
    ) -> None:
        """Edit in `request`, with `bar` above it; ids begin with `id_name`."""
        super().__init__(parent)
        self._id_name = id_name
        self.next_number = 1
        """Of the next send to any server; ids are made from it."""
        self._request, self._bar = request, bar
        self._is_loading = False
        """Whether the text in the editor changes without the user."""
        self.work = Work()
        self.meta: JsonObject = {}
        """Members of `_meta` that every request carries."""
        self._facts = MessageFacts()
        """What is in the text."""
        self._sending: tuple[str, bool, Sending] | None = None
        """A text, whether it is sent as typed, and how it is sent: computed once for each text."""
        self._compared: tuple[str, str, list[Change] | None] = ("", "", [])
        """Two texts, and what differs."""
        self._pause = QTimer(self, interval=PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self._on_pause)
        request.edit.textChanged.connect(self._on_text_changed)
        bar.method.method_entered.connect(self._on_method_entered)
        bar.envelope_toggled.connect(self._on_envelope_toggled)
        bar.original_requested.connect(self._on_original_requested)

    def set_work(self, work: Work) -> None:
        """Edit another message."""
        self.work = work
        self.load(work.text)

    def start(self, text: str, original: ComparedFrame | None = None) -> None:
        """Begin another message, made from `original` or from the same message as before; what was typed stays in the list of sends."""
        self.work.current = None
        if original is not None:
            self.work.set_original(original)
        self.load(compose.editable(text))
        self.renew_id()
        self.started.emit()

    def load(self, text: str) -> None:
        """Put a text into the editor that the user did not type."""
        self._is_loading = True
        self._request.edit.setPlainText(text)
        self._is_loading = False
        self.work.text = self._request.edit.message()
        self.refresh()
        self.changed.emit()

    def renew_id(self) -> None:
        """Give the message the id of the next send, and its progress token too, if it is to have a new one."""
        text = self._request.edit.message()
        if not self._bar.is_id_new or len(text) > MAX_READ or id_span(text) is None:
            return
        renewed = new_id(self.next_number, self._id_name)
        self._is_loading = True
        for span in renewed_spans(text):
            if text[slice(*span)] != renewed:
                self._request.edit.replace(*span, renewed)
        self._is_loading = False
        self.work.text = self._request.edit.message()
        self._facts = self._read_facts()

    def take_number(self) -> int:
        """Return the number of a send that is about to be made."""
        self.next_number += 1
        return self.next_number - 1

    def take_texts(self, count: int) -> Callable[[int], str]:
        """Return what makes the texts of so many sends of the message of now, by numbers from 0."""
        text, start = self.sending.text, self.next_number
        if not self._bar.is_id_new or len(text) > MAX_READ:
            return lambda _: text
        self.next_number += count
        made = numbered(text, self._id_name)
        return lambda number: made(start + number)

    @property
    def sending(self) -> Sending:
        """How the text is sent."""
        text, as_typed, known = self.work.text, self.work.is_as_typed, self._sending
        if known is None or known[:2] != (text, as_typed):
            known = self._sending = text, as_typed, compose.sending(text, as_typed=as_typed)
        return known[2]

    def changes(self) -> list[Change] | None:
        """Return how the text differs from the original message; None for a text that is too long to compare."""
        texts = self.work.original_text, self.work.text
        if self._compared[:2] != texts:
            self._compared = *texts, request_changes(*texts)
        return self._compared[2]

    def refresh(self) -> None:
        """Show what there is in the text."""
        self._facts = self._read_facts()
        self._show_facts()
        self._show_changes()

    def _read_facts(self, *, is_typing: bool = False) -> MessageFacts:
        """Return what is in the text; of a long one that is no JSON while it is typed, what was in it before."""
        text = self.work.text
        if len(text) > MAX_READ:
            return MessageFacts()
        found = None if self.sending.problem else compose.message_facts(text, self.meta)
        if found is None and is_typing and len(text) > LONG:
            return self._facts
        if found is None:
            span = id_span(text)
            written = text[slice(*span)] if span is not None else ""
            has_envelope = compose.has_envelope(text, self.meta)
            return MessageFacts(compose.method_of(text), written, has_envelope)
        return found

    def _show_facts(self) -> None:
        facts, original = self._facts, self.work.original
        has_id = bool(facts.id) or len(self.work.text) > MAX_READ
        self._bar.show_message(facts.method, has_id=has_id, has_envelope=facts.has_envelope)
        self._bar.show_original(original.number if original is not None else 0)

    def _show_changes(self) -> None:
        original = self.work.original
        number = original.number if original is not None else 0
        self._request.show_changes(number, self.changes() if number else ())

    def _on_text_changed(self) -> None:
        """What the user typed is a draft until it is sent."""
        text, work = self._request.edit.message(), self.work
        if self._is_loading or text == work.text:
            return
        before, work.text = self._facts.id, text
        self._facts = self._read_facts(is_typing=True)
        if before and self._facts.id and self._facts.id != before:
            self._bar.keep_id()  # the user typed it
        is_new = work.current is None or work.current.frame is not None
        if work.current is None or is_new:
            work.current = Send(text, work.original)
            work.sends.add(work.current)
        work.current.text = text
        self._show_facts()
        if len(text) > LONG and not is_new:
            self._pause.start()
            self.drafted.emit()
        else:
            self._on_pause()
        self.changed.emit()

    def _on_pause(self) -> None:
        """Compare what was typed with the original message."""
        draft = self.work.current
        if draft is not None and draft.frame is None:
            draft.changed = self.changed_text()
            self._show_changes()
            self.drafted.emit()

    def changed_text(self) -> str:
        """Return what was changed, as the list of sends has it: from the original message; of a new one, its method."""
        if self.work.original is None:
            text = self.work.text
            is_read = len(text) <= MAX_READ
            method = self._facts.method if is_read else compose.method_of(text[:MAX_READ])
            return method or one_line(text, MAX_TEXT)
        return changes_text(self.changes())

    def _on_original_requested(self) -> None:
        original = self.work.original
        if original is not None:
            navigator_of(self._request).show_frame(original.number, original.transcript)

    def _on_method_entered(self, method: str) -> None:
        self._edit(compose.with_method(self.work.text, method))

    def _on_envelope_toggled(self, is_on: bool) -> None:
        text = self.work.text
        self._edit(
            compose.with_envelope(text, self.meta) if is_on else compose.without_envelope(text)
        )
        self.refresh()

    def _edit(self, text: str) -> None:
        """Change the text for the user, who can undo it."""
        if text != self.work.text:
            self._request.edit.replace(0, len(self.work.text), text)
