"""A message that was edited, in the formats that send its request again: as if it had been sent in place of a recorded one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.keys import (
    HEADER_METHOD,
    HEADER_NAME,
    HEADER_PARAM_PREFIX,
    HEADER_PROTOCOL_VERSION,
)
from inspector.spec.methods import opens_session
from inspector.transcript.http_exchange import http_exchange
from inspector.transcript.redaction import Masking
from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.background_tasks import Steps
    from inspector.transcript.transcript import Transcript

_MIRRORED = (HEADER_PROTOCOL_VERSION, HEADER_METHOD, HEADER_NAME, HEADER_PARAM_PREFIX)
"""Headers that repeat parts of the message, or the beginning of their names."""


def latest_request(transcript: Transcript) -> int:
    """Return the latest request of the client that can be sent at any time; 0 without one."""
    columns = transcript.columns
    for at in range(transcript.count - 1, -1, -1):
        is_request = columns.kind[at] == MessageKind.REQUEST
        if is_request and columns.direction[at] == Direction.SENT:
            method = columns.methods.texts[columns.method[at]]
            if not opens_session(method):
                return at + 1
    return 0


class EditedMasking(Masking):
    """The frames of a transcript without their secrets, one message of which has another text."""

    def __init__(
        self,
        transcript: Transcript,
        number: int,
        text: str,
        mirrored: Sequence[tuple[str, str]] = (),
    ) -> None:
        """`text` is in the frame `number`; `mirrored` are the HTTP headers that repeat parts of it."""
        super().__init__(transcript)
        self._number = number
        self._text = text.encode("utf-8", "surrogatepass")
        self._mirrored = mirrored
        exchange = http_exchange(transcript, number)
        hop = exchange.hop_of(number) if exchange is not None else None
        self._header = hop.request if hop is not None else 0

    def applying(self, number: int, raw: bytes) -> Steps[bytes]:
        """Return a frame without its secrets, `raw` unless it is the edited one or its header block."""
        if number == self._number:
            raw = self._text
        elif number == self._header and self._mirrored:
            raw = self._with_headers(raw)
        return (yield from super().applying(number, raw))

    def _with_headers(self, raw: bytes) -> bytes:
        names = tuple(name.lower().encode() for name in _MIRRORED)
        request_line, *lines = raw.rstrip(b"\r\n").split(b"\r\n")
        kept = [line for line in lines if not line.lower().startswith(names)]
        new = [f"{name}: {value}".encode("utf-8", "replace") for name, value in self._mirrored]
        return b"\r\n".join([request_line, *kept, *new, b"", b""])
