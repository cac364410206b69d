"""An HTTP exchange in words: facts about one of its requests, and all its heads as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.widgets.key_values import KeyValue
from ui.widgets.units import clock_exact, duration, duration_exact, plural

if TYPE_CHECKING:
    from inspector.transcript.http_exchange import Hop, HttpExchange
    from inspector.transcript.masking import Masking
    from inspector.transcript.transcript import Transcript

_TONES = {"2": "ok", "3": "pending", "4": "error", "5": "error"}


def unsent_facts() -> list[KeyValue]:
    """Of a message for which no connection was made."""
    return [KeyValue("Request", "no request sent", mono=False, tone="warning")]


def facts(transcript: Transcript, exchange: HttpExchange, hop: Hop, asked: str) -> list[KeyValue]:
    """What was `asked`, how it was answered and when."""
    found = [KeyValue("Request", asked), _status(transcript, hop)]
    if hop.last:
        found.append(_times(transcript, hop))
    count = len(exchange.hops) + exchange.left_out
    if count > 1:
        place = exchange.hops.index(hop) + 1
        found.append(KeyValue("Requests", f"{place} of {count:,} for this message", mono=False))
    return found


def _status(transcript: Transcript, hop: Hop) -> KeyValue:
    if not hop.response:
        return KeyValue("Status", "no response", mono=False, tone="warning")
    line = transcript.raw(hop.response).split(b"\r\n", 1)[0].decode("utf-8", "replace")
    status = line.partition(" ")[2]
    return KeyValue("Status", status, line, tone=_TONES.get(status[:1], "warning"))


def _times(transcript: Transcript, hop: Hop) -> KeyValue:
    """From the head of the request to that of the response, and to the last of what followed."""
    began = transcript.row(hop.request).monotonic_s
    parts = [("head", hop.response)] if hop.response else []
    if hop.parts:
        parts.append((f"last of {plural(hop.parts, 'part')}", hop.last))
    took = [(text, transcript.row(frame).monotonic_s - began) for text, frame in parts]
    shown = ", ".join(f"{message} after {duration(seconds)}" for message, seconds in took)
    exact = ", ".join(
        f"{status_text} after {duration_exact(seconds)}" for status_text, seconds in took
    )
    written = clock_exact(transcript.row(hop.request).wall_s)
    return KeyValue("Responded", shown, f"sent {written}; {exact}", mono=False)


def head_frames(exchange: HttpExchange) -> list[int]:
    """The frames that are heads."""
    return [frame for hop in exchange.hops for frame in (hop.request, hop.response) if frame]


def heads(transcript: Transcript, exchange: HttpExchange, masking: Masking) -> str:
    """All heads in order, an empty line between them, as they were written on the wire."""
    texts = [
        masking.raw(frame).decode("utf-8", "replace").replace("\r\n", "\n")
        for frame in head_frames(exchange)
    ]
    if exchange.left_out:
        texts.append(f"(and {plural(exchange.left_out, 'more request')})")
    return "\n\n".join(texts)
