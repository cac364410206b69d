"""Requests of Spyglass that only found out how to talk to the server, and what they provoked.

The session notes them once another opening has succeeded or was tried, so that a recording tells the same:

    {"event": "probe", "request": FRAME, "until": FRAME}

The request, its responses and its HTTP exchange, and from `request` to `until` the lines on stderr and the errors without a request get `Mark.PROBE`. They stay in the record as
they are; no finding about them counts as a problem.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.transcript.index import FrameFlags
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.json_value import JsonObject
    from inspector.transcript.counts import Counts
    from inspector.transcript.findings import Findings
    from inspector.transcript.index import Columns
    from inspector.wire.message import Message

PROBE = "probe"
"""The event of the note."""

SLOW_SECONDS = 10.0
"""A start that takes longer is worth a remark, although Spyglass waited."""

METHODS = frozenset({"server/discover", "initialize"})
"""Requests that may be probes."""


class Probes:
    """Marks what belongs to probes."""

    def __init__(self, columns: Columns, findings: Findings, counts: Counts) -> None:
        """Mark in `columns`, and take back what `findings` and `counts` hold against the server."""
        self._columns = columns
        self._findings = findings
        self._counts = counts
        self._looked_at = 0  # no frame is looked at twice, whatever a recording notes

    def take_note(self, message: Message) -> None:
        """Mark what the note names, if it is about a probe."""
        note = message.value
        if isinstance(note, dict) and note.get("event") == PROBE:
            request = note.get("request")
            if isinstance(request, int) and self._may_be_probe(request):
                self._mark(request, note)

    def _may_be_probe(self, request: int) -> bool:
        columns, at = self._columns, request - 1
        return (
            0 < request <= len(columns)
            and columns.kind[at] == MessageKind.REQUEST
            and columns.direction[at] == Direction.SENT
            and columns.methods.texts[columns.method[at]] in METHODS
            and not columns.flags[at] & FrameFlags.PROBE
        )

    def _mark(self, request: int, note: JsonObject) -> None:
        columns, until = self._columns, note.get("until")
        last = until if isinstance(until, int) else request
        self._findings.set_aside(request)
        for number in range(max(request, self._looked_at) + 1, len(columns) + 1):
            at = number - 1
            if columns.channel[at] == Channel.STDERR and number <= last:
                self._findings.set_aside(number)
                self._counts.probe_stderr += 1
            elif request in {columns.request[at], columns.stream[at]} or (
                number <= last and self._is_unassigned(at)
            ):
                self._findings.set_aside(number)
        self._looked_at = len(columns)

    def _is_unassigned(self, at: int) -> bool:
        """Whether it is an error that names no request of ours: nothing but the probe was sent until then."""
        columns = self._columns
        return columns.kind[at] == MessageKind.ERROR and bool(
            columns.flags[at] & FrameFlags.UNKNOWN
        )


def slow_words(seconds: float) -> str:
    """What is said of a start that took so long."""
    return f"the server took {seconds:.0f} s to start and respond; a client with a shorter time limit gives up"
