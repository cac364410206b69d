"""What a finding is about, in two lines: which message, and the part of it that is meant. Secrets are hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.spec.pointer import member
from inspector.transcript.masking import Masking
from inspector.wire import jsontext
from inspector.wire.frame import MESSAGE_CHANNELS, Channel, Direction
from inspector.wire.jsontext import JsonTextError
from inspector.wire.message import Absent

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript

MAX_EXCERPT_LENGTH = 160
"""Characters of a message that are printed."""

MAX_BYTES = 1 << 20
"""Larger messages are not read for a part of them; their beginning is printed."""

ARROWS = {Direction.SENT: "→", Direction.RECEIVED: "←", Direction.NOTE: "·"}


class Evidence:
    """Names and quotes the frames of one record."""

    def __init__(self, transcript: Transcript) -> None:
        """Quote `transcript` without its secrets."""
        self._transcript = transcript
        self._masking = Masking(transcript)

    def label(self, number: int) -> str:
        """Return number, direction, method, id and channel of a frame: `#12 ← tools/call id 3 (stdout)`."""
        columns = self._transcript.columns
        message = self._transcript.message(number)
        method = columns.methods.texts[columns.method[number - 1]]
        id_ = "" if isinstance(message.id, Absent) else f"id {jsontext.write(message.id)[:40]}"
        channel = Channel(columns.channel[number - 1]).name.lower()
        arrow = ARROWS[Direction(columns.direction[number - 1])]
        words = (f"#{number}", arrow, method or message.kind.name.lower(), id_, f"({channel})")
        return " ".join(word for word in words if word)

    def excerpt(self, number: int, pointer: str) -> str:
        """Return the part of a frame at a JSON pointer, or its beginning, shortened to `EXCERPT` characters."""
        try:
            raw = self._masking.raw(number)
        except StorageError:
            return ""
        text = self._part(number, raw, pointer) or raw[: 4 * MAX_EXCERPT_LENGTH].decode(
            "utf-8", "replace"
        )
        line = " ".join(text.split())
        return line if len(line) <= MAX_EXCERPT_LENGTH else f"{line[: MAX_EXCERPT_LENGTH - 1]}…"

    def _part(self, number: int, raw: bytes, pointer: str) -> str:
        is_message = self._transcript.columns.channel[number - 1] in MESSAGE_CHANNELS
        if not pointer or not is_message or len(raw) > MAX_BYTES:
            return ""
        try:
            value = member(jsontext.read(raw).value, pointer)
        except JsonTextError:
            return ""
        return "" if isinstance(value, Absent) else jsontext.write(value)
