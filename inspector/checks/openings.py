"""What an opening of a session took that other clients may not give: time, a second start, a question left alone. Remarks, no faults.

Told from the record alone, so that a recording tells the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.findings import make_finding
from inspector.spec.revision import find
from inspector.transcript.event_effects import note_at
from inspector.transcript.exchange import Status
from inspector.transcript.findings import PROBE, PROBE_METHODS, SLOW_START_SECONDS, slow_start_text
from inspector.wire.frame import Channel
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.finding import Finding
    from inspector.json_value import Json, JsonObject
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript

_DISCOVER = "server/discover"
_GIVEN_UP = {Status.CANCELLED, Status.TIMED_OUT, Status.NO_RESPONSE}
RENEWED = "session-renewed"
"""The event of the note that the server knew its session no longer."""


class Openings:
    """Looks at the frames of one record, in order."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._is_open = False
        self._probe: JsonObject | None = None
        """The note of a probe that came before the session was open."""

    def check(self, number: int) -> Iterator[tuple[int, Finding]]:
        """Yield findings that frame `number` leads to, each with the frame that it is about."""
        kind = self._transcript.columns.kind[number - 1]
        if kind == MessageKind.NOTE:
            yield from self._of_note(number)
        elif kind == MessageKind.RESPONSE and not self._is_open:
            yield from self._of_response(number)

    def _of_response(self, number: int) -> Iterator[tuple[int, Finding]]:
        columns = self._transcript.columns
        owner = columns.request[number - 1]
        if not owner or columns.methods.texts[columns.method[owner - 1]] not in PROBE_METHODS:
            return
        if self._transcript.status(owner) in _GIVEN_UP:
            return
        self._is_open = True
        seconds = columns.monotonic_s[number - 1] - columns.monotonic_s[0]
        if seconds >= SLOW_START_SECONDS:
            is_stdio = columns.channel[owner - 1] == Channel.STDIN
            rule = "L-STD-13" if is_stdio else "slow-start"
            yield number, make_finding(rule, slow_start_text(seconds))
        if self._probe is not None:
            yield from self._of_probe(self._probe)

    def _of_note(self, number: int) -> Iterator[tuple[int, Finding]]:
        note = note_at(self._transcript, number)
        event = note.get("event")
        if event == RENEWED:
            text = "the server no longer knew its session: it ended the session, or was restarted"
            yield number, make_finding("session-gone", text)
        elif event == PROBE and self._is_open:
            yield from self._of_probe(note)
        elif event == PROBE:  # the process ended: another one may open the session
            self._probe = note

    def _of_probe(self, note: JsonObject) -> Iterator[tuple[int, Finding]]:
        """Only a server that responds to the handshake shows that its silence, or its end, was about the question."""
        columns, request = self._transcript.columns, note.get("request")
        if not isinstance(request, int) or not 0 < request <= len(columns):
            return
        if columns.methods.texts[columns.method[request - 1]] != _DISCOVER:
            return
        status = self._transcript.status(request)
        is_stdio = columns.channel[request - 1] == Channel.STDIN
        ought = "a server must respond to an unknown request with error -32601"
        if status is Status.NO_RESPONSE and is_stdio:
            text = f"the connection ended before a response to {_DISCOVER}; {ought}"
            yield request, make_finding("L-STD-14", text)
        elif status in {Status.PENDING, Status.CANCELLED, Status.TIMED_OUT}:
            text = f"no response to {_DISCOVER} in time; {ought}"
            yield request, make_finding("L-STD-13" if is_stdio else "probe-ignored", text)


def offered_revision(initialize: Json) -> Revision | None:
    """Return the revision that an `initialize` request offers: it follows that one, whichever is agreed on later."""
    params = initialize.get("params") if isinstance(initialize, dict) else None
    return find(params.get("protocolVersion")) if isinstance(params, dict) else None
