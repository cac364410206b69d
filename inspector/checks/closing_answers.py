"""Errors by which a server ends open requests, because we close the connection: no fault of it.

Servers made with the Python SDK answer them with error -32000, "Connection closed", once their input ends. Only the end of the connection shows
that this was the reason, so what was found about such an error is held until something else follows, or the connection would have ended.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from inspector.transcript.event_effects import note_at
from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.finding import Finding
    from inspector.json_value import Json
    from inspector.transcript.transcript import Transcript

CLOSED_CODE, CLOSED_TEXT = -32000, "connection closed"

CLOSING_SECONDS = 10.0
"""How long we wait for a server to end on a busy machine before we send a signal, about."""

MAX_HELD = 1_000
"""Errors whose findings are held."""

_ERROR = MessageKind.ERROR  # looked up once: it is compared with for every message

_OURS = "disconnected"
"""What the note of a connection that we closed says."""


class _Held(NamedTuple):
    number: int
    """The frame of the error."""
    findings: list[Finding]


class ClosingAnswers:
    """The latest such errors of one transcript."""

    def __init__(self, transcript: Transcript) -> None:
        """Add to `transcript` what turns out to have another reason."""
        self._transcript = transcript
        self._held: list[_Held] = []

    def hold(self, number: int, findings: list[Finding]) -> None:
        """Keep what was found about the error in frame `number`."""
        if len(self._held) == MAX_HELD:
            self.release_all()
        self._held.append(_Held(number, findings))

    def release(self, number: int) -> bool:
        """Look at the next frame; return whether findings were added because of it."""
        if not self._held:
            return False
        columns = self._transcript.columns
        if columns.kind[number - 1] == MessageKind.NOTE:
            note = note_at(self._transcript, number)
            if note.get("event") == "closed" and note.get("words") == _OURS:
                self._held = []
                return False
        waited = columns.monotonic_s[number - 1] - columns.monotonic_s[self._held[-1].number - 1]
        is_sent = columns.direction[number - 1] == Direction.SENT
        return self.release_all() if is_sent or waited > CLOSING_SECONDS else False

    async def wait(self, more: asyncio.Event) -> None:
        """Wait for more frames; add what is held once we would have closed the connection meanwhile."""
        if self._held:
            try:
                async with asyncio.timeout(CLOSING_SECONDS):
                    await more.wait()
            except TimeoutError:
                if self.release_all():
                    self._transcript.findings_changed.fire()
        await more.wait()

    def release_all(self) -> bool:
        """Add what is held; return whether there was anything."""
        held, self._held = self._held, []
        for number, findings in held:
            for finding in findings:
                self._transcript.add_finding(number, finding)
        return any(each.findings for each in held)


def is_closing_answer(kind: MessageKind, value: Json) -> bool:
    """Whether a message says that its request has no result because the connection is closed."""
    error = value.get("error") if kind is _ERROR and isinstance(value, dict) else None
    if not isinstance(error, dict) or error.get("code") != CLOSED_CODE:
        return False
    message = error.get("message")
    return isinstance(message, str) and message.strip().lower() == CLOSED_TEXT
