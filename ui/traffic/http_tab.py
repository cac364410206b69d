"""The HTTP tab: the exchange of one frame with every header as it was sent. Secrets are masked until the user shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inspector.export.curl import curl_command, request_of, schemes
from inspector.spec import mirrored_headers
from inspector.transcript.http_exchange import http_exchange
from inspector.transcript.redaction import Masking
from inspector.wire.frame import Channel
from inspector.wire.redaction import mask_value
from ui.traffic.row_actions import is_about_authorization
from ui.widgets.buttons import link_button
from ui.widgets.clipboard import copy_text
from ui.widgets.key_values import KeyValue, KeyValues
from ui.widgets.labels import ElidedLabel, set_tone
from ui.widgets.text_view import TextView
from ui.widgets.units import clock_exact, duration, duration_exact, plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.transcript.http_exchange import Hop, HttpExchange
    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme

SHOW, HIDE = "Show secrets", "Hide secrets"

EVENT_FIELDS = {"event": "Event", "id": "Event ID", "retry": "Retry", "": "Comment"}
"""The fields of a stream event that the standard defines, but for its data, and what a line without a name is."""

MAX_FIELDS = 20
"""Fields of a stream event, and decoded values of headers, that are displayed."""

MAX_EVENT = 4 << 20
"""Bytes of a stream event that is examined for them."""


class HttpTab(QWidget):
    """Facts about an exchange, and its headers.

    Signals:
        authorization_requested: show how the server is authorized.
    """

    authorization_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("traffic_http")
        self._theme = theme
        self._transcript: Transcript | None = None
        self._number = 0
        self._exchange: HttpExchange | None = None
        self.revealed = False
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        self.facts = KeyValues(theme=self._theme, name="traffic_http_facts", parent=self)
        self.header_text = TextView(
            theme=self._theme, name="traffic_heads", file_name="heads.txt", parent=self
        )
        self.header_text.edit.setAccessibleName("Raw HTTP headers")
        self._summary = ElidedLabel(parent=self)
        self._summary.setObjectName("traffic_http_said")
        set_tone(self._summary, "muted")
        self._reveal = link_button(SHOW, name="traffic_reveal", parent=self)
        self._authorization = link_button(
            "Show authorization", name="traffic_authorization", parent=self
        )
        self._curl = link_button("Copy as cURL", name="traffic_copy_curl", parent=self)
        self._row = QHBoxLayout()
        self._row.addWidget(self._summary, 1)
        self._row.addWidget(self._authorization)
        self._row.addWidget(self._reveal)
        self._row.addWidget(self._curl)
        self._top = QVBoxLayout()
        self._top.addWidget(self.facts)
        self._top.addLayout(self._row)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._top)
        column.addWidget(self.header_text, 1)

    def _wire(self) -> None:
        self._authorization.clicked.connect(self.authorization_requested)
        self._reveal.clicked.connect(self._on_reveal_clicked)
        self._curl.clicked.connect(self._on_curl_clicked)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        theme = self._theme
        self._top.setContentsMargins(theme.PADDING_PX, theme.SPACING_PX, theme.SPACING_PX, 0)
        self._top.setSpacing(theme.SPACING_PX)

    def show_frame(self, transcript: Transcript, number: int) -> None:
        """Show the exchange of frame `number`.

        Raises:
            StorageError: it cannot be read.
        """
        self._transcript, self._number = transcript, number
        self._exchange = http_exchange(transcript, number)
        self._show()

    def _show(self) -> None:
        transcript, exchange = self._transcript, self._exchange
        if transcript is None or exchange is None:
            return
        masking = Masking(transcript, with_secrets=self.revealed)
        hop = exchange.hop_of(self._number)
        if hop is None:
            self.facts.set_facts(unsent_facts())
        else:
            verb, url, _ = request_of(schemes(transcript), hop, masking)
            found = exchange_facts(transcript, exchange, hop, f"{verb} {url}")
            hide = str if self.revealed else transcript.redaction.hide
            decoded = header_facts(masking.raw(hop.request), hide)
            self.facts.set_facts([*found, *decoded, *self._event_facts(transcript)])
        text = header_text(transcript, exchange, masking)
        if (
            text != self.header_text.text()
        ):  # while a stream is open this runs often; it would scroll the text
            self.header_text.set_text(text)
        self._authorization.setVisible(is_about_authorization(transcript, self._number))
        self._curl.setEnabled(hop is not None)
        hides = Masking(transcript).hides(header_frames(exchange))
        self._reveal.setVisible(hides)
        self._reveal.setText(HIDE if self.revealed else SHOW)
        self._summary.set_text("secrets visible" if self.revealed and hides else "")

    def _event_facts(self, transcript: Transcript) -> list[KeyValue]:
        """The fields of an event of a stream but for its data, which are the message."""
        if transcript.row(self._number).channel is not Channel.SSE:
            return []
        raw = transcript.raw(self._number)
        return event_facts(raw) if len(raw) <= MAX_EVENT else []

    def _on_reveal_clicked(self) -> None:
        self.revealed = not self.revealed
        self._show()

    def _on_curl_clicked(self) -> None:
        transcript, exchange = self._transcript, self._exchange
        hop = exchange.hop_of(self._number) if exchange is not None else None
        if transcript is None or exchange is None or hop is None:
            return
        masking = Masking(transcript, with_secrets=self.revealed)
        line = curl_command(transcript, exchange, hop, masking)
        copy_text(line)
        whole = Masking(transcript, with_secrets=True)
        hidden = line != curl_command(transcript, exchange, hop, whole)
        self._summary.set_text("copied, secrets hidden" if hidden else "copied")


_TONES = {"2": "ok", "3": "pending", "4": "error", "5": "error"}


def unsent_facts() -> list[KeyValue]:
    """Of a message for which no connection was made."""
    return [KeyValue("Request", "no request sent", mono=False, tone="warning")]


def exchange_facts(
    transcript: Transcript, exchange: HttpExchange, hop: Hop, asked: str
) -> list[KeyValue]:
    """What was `asked`, how it was answered and when."""
    found = [KeyValue("Request", asked), _status(transcript, hop)]
    if hop.last:
        found.append(_times(transcript, hop))
    count = len(exchange.hops) + exchange.left_out
    if count > 1:
        position = exchange.hops.index(hop) + 1
        found.append(KeyValue("Requests", f"{position} of {count:,} for this message", mono=False))
    return found


def header_facts(header: bytes, hide: Callable[[str], str]) -> list[KeyValue]:
    """What the header values say that are sent in base64; `header` is a block without its secrets, `hide` masks those in what it says."""
    found: list[KeyValue] = []
    for line in header.decode("utf-8", "replace").split("\r\n")[1:]:
        name, _, value = line.partition(":")
        decoded = mirrored_headers.decode(value.strip())
        if decoded != value.strip():
            found.append(
                KeyValue(f"{name} decoded", hide(mask_value(name, decoded)), value.strip())
            )
    return found[:MAX_FIELDS] + _left_out(len(found) - MAX_FIELDS)


def event_facts(raw: bytes) -> list[KeyValue]:
    """The fields of a stream event as they were sent, comments included; in their order, and of several with one name each."""
    text = raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")  # no other character ends a line
    fields = (line.partition(":") for line in lines if line not in {"", "\ufeff"})
    found = [
        KeyValue(EVENT_FIELDS.get(name, f"Field {name}"), value.removeprefix(" ") or "(empty)")
        for name, _, value in fields
        if name != "data"
    ]
    return found[:MAX_FIELDS] + _left_out(len(found) - MAX_FIELDS)


def _left_out(count: int) -> list[KeyValue]:
    return [KeyValue("Fields", f"and {count:,} more", mono=False)] if count > 0 else []


def _status(transcript: Transcript, hop: Hop) -> KeyValue:
    if not hop.response:
        return KeyValue("Status", "no response", mono=False, tone="warning")
    line = transcript.raw(hop.response).split(b"\r\n", 1)[0].decode("utf-8", "replace")
    status = line.partition(" ")[2]
    return KeyValue("Status", status, line, tone=_TONES.get(status[:1], "warning"))


def _times(transcript: Transcript, hop: Hop) -> KeyValue:
    """From the headers of the request to those of the response and to the last part of the body."""
    began = transcript.row(hop.request).monotonic_s
    parts = [("head", hop.response)] if hop.response else []
    if hop.parts:
        parts.append((f"last of {plural(hop.parts, 'part')}", hop.last))
    took = [(text, transcript.row(frame).monotonic_s - began) for text, frame in parts]
    rounded = ", ".join(f"{message} after {duration(seconds)}" for message, seconds in took)
    exact = ", ".join(
        f"{status_text} after {duration_exact(seconds)}" for status_text, seconds in took
    )
    written = clock_exact(transcript.row(hop.request).wall_s)
    return KeyValue("Responded", rounded, f"sent {written}; {exact}", mono=False)


def header_frames(exchange: HttpExchange) -> list[int]:
    """Return the frames of headers."""
    return [frame for hop in exchange.hops for frame in (hop.request, hop.response) if frame]


def header_text(transcript: Transcript, exchange: HttpExchange, masking: Masking) -> str:
    """Return all headers in order, an empty line between blocks, as they were on the wire."""
    texts = [
        masking.raw(frame).decode("utf-8", "replace").replace("\r\n", "\n")
        for frame in header_frames(exchange)
    ]
    if exchange.left_out:
        texts.append(f"(and {plural(exchange.left_out, 'more request')})")
    return "\n\n".join(texts)
