"""*Copy as…*: the edited message as a command line or program that sends it, without secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inspector.errors import StorageError
from inspector.export.edited import EditedMasking, latest_request
from inspector.export.formats import CLI, CURL, PYTHON, TYPESCRIPT
from inspector.export.offered import uses_http
from inspector.features import compose
from inspector.features.compose import MAX_READ
from inspector.features.repeat import id_span
from inspector.session.outgoing import preview_headers
from inspector.spec.keys import META
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.redaction import MASK
from ui.widgets.clipboard import copy_text

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.export.formats import Format
    from inspector.json_value import JsonObject
    from inspector.open_session import OpenSession
    from inspector.transcript.transcript import Transcript
    from ui.features.repeat.editing import Editing
    from ui.features.repeat.message_bar import MessageBar
    from ui.features.repeat.send_bar import SendBar


class Copying(QObject):
    """Copies the message of the editor; how the server is reached is taken from a request that was sent."""

    def __init__(
        self, *, editing: Editing, bar: MessageBar, note: SendBar, parent: QWidget
    ) -> None:
        """Copy what is edited in `editing` when `bar` requests it; what was done is in `note`."""
        super().__init__(parent)
        self._editing, self._bar, self._note = editing, bar, note
        self.session: OpenSession | None = None
        """The session that is shown."""
        bar.copies_requested.connect(self._on_copies_requested)
        bar.copy_requested.connect(self.copy)

    def _on_copies_requested(self) -> None:
        self._bar.offer_copies(self.formats())

    def formats(self) -> list[Format]:
        """Return the formats that there are of the message."""
        base, text = self._base(), self._editing.sending.text
        if base is None or not text:
            return []
        found = [CURL] if uses_http(*base) else []
        if len(text) <= MAX_READ and compose.method_of(text) and id_span(text) is not None:
            found += [CLI, PYTHON, TYPESCRIPT]
        return found

    def copy(self, format_: Format) -> None:
        """Copy the message in a format."""
        base = self._base()
        if base is None:
            return
        transcript, number = base
        text = self._editing.sending.text
        masking = EditedMasking(transcript, number, text, self._headers(text))
        try:
            copied = "\n".join(format_.texts(transcript, [number], masking))
        except StorageError as error:
            self._note.show_problem(error.reason)
            return
        copy_text(copied)
        hidden = ", secrets hidden" if MASK in copied else ""
        self._note.show_note(f"Copied as {format_.title}{hidden}")

    def _base(self) -> tuple[Transcript, int] | None:
        """Return a request that was sent to the server: the original message, or the latest one."""
        original = self._editing.work.original
        if original is not None and original.request:
            return original.transcript, original.request
        transcript = self.session.session.transcript if self.session is not None else None
        number = latest_request(transcript) if transcript is not None else 0
        return (transcript, number) if transcript is not None and number else None

    def _headers(self, text: str) -> tuple[tuple[str, str], ...]:
        """Return the HTTP headers that repeat parts of the message."""
        try:
            value = json_codec.read(text.encode("utf-8", "surrogatepass")).value
        except JsonSyntaxError:
            return ()
        params = value.get("params") if isinstance(value, dict) else None
        if self.session is None or not isinstance(params, dict):
            return ()
        given = params.get(META)
        meta: JsonObject = given if isinstance(given, dict) else {}
        name, tools = params.get("name"), self.session.tools.items
        schema = next((tool.input_schema for tool in tools if tool.name == name), None)
        method = compose.method_of(text)
        return preview_headers(self.session.session, method, params, meta, schema).pairs
