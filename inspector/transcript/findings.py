"""Findings by frame, the counts of a transcript, and the probes, whose findings do not count.

A probe is a request of Spyglass that only finds out how to talk to the server. The session notes it when another opening has succeeded or was
tried, so that a recording shows the same:

    {"event": "probe", "request": FRAME, "until": FRAME}

The request, its responses and its HTTP exchange get `FrameFlags.PROBE`, as do, from `request` to `until`, the lines on stderr and the errors
without a request. Their frames stay as they are; no finding about them counts as a problem.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.finding import Severity
from inspector.transcript.index import FrameFlags
from inspector.transcript.rule_findings import RuleFindings
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from inspector.finding import Finding
    from inspector.json_value import JsonObject
    from inspector.transcript.index import Columns

# Looked up once: that takes a fifth of a microsecond.
_SENT, _RECEIVED = Direction.SENT, Direction.RECEIVED
_STDERR, _HTTP, _AUTH = Channel.STDERR, Channel.HTTP, Channel.AUTH


@dataclass(slots=True)
class Counts:
    """Running totals of one transcript."""

    sent: int = 0
    """Frames sent."""
    received: int = 0
    """Frames received on a message channel, blank lines and events without a message excluded."""
    http: int = 0
    """Header blocks of HTTP requests and responses, and bodies that are no messages, of both sides."""
    events: int = 0
    """SSE comments, keep-alives and events without a message."""
    stderr: int = 0
    """Lines on standard error."""
    probe_stderr: int = 0
    """Those of them that were received while a probe had no response."""
    pending: int = 0
    """Requests of both sides without an outcome."""
    problems: int = 0
    """Frames that are malformed or have a finding above `INFO`."""
    errors: int = 0
    """Frames that are malformed or have a finding of severity `ERROR`."""
    bytes: int = 0
    """Bytes of all frames, dropped bytes included."""

    def add_messages(self, new: int, direction: Direction, channel: Channel) -> None:
        """Count so many frames; call `leave_out` for those received that are no messages."""
        if channel is _STDERR:
            self.stderr += new
        elif channel is _HTTP or channel is _AUTH:
            self.http += new
        elif direction is _SENT:
            self.sent += new
        elif direction is _RECEIVED:
            self.received += new

    def leave_out(self, blanks: int, events: int) -> None:
        """Correct the count of what was received by blank lines, and events without a message."""
        self.events += events
        self.received -= blanks + events


def totals(parts: Sequence[Counts]) -> Counts:
    """Return the sums of the counts of several transcripts."""
    names = [each.name for each in fields(Counts)]
    return Counts(**{name: sum(getattr(part, name) for part in parts) for name in names})


DEFAULT_BUDGET = 100_000
"""Findings kept; those beyond are counted in `dropped`, their frames stay marked."""


PAUSE_FRAMES = 200
"""Frames after which forgetting their findings may pause."""

CROWD = 32
"""Findings of one frame from which they are looked up in a set: each message of a batch may have some."""


class Findings:
    """The findings about each frame and of each rule, in the order of adding."""

    def __init__(self, columns: Columns, counts: Counts, budget: int = DEFAULT_BUDGET) -> None:
        """Keep at most `budget` findings; mark their frames in `columns`, and count these in `counts`."""
        self.dropped = 0
        self.by_rule: dict[str, RuleFindings] = {}
        """Those of each rule, by its id; always the same object."""
        self._columns = columns
        self._counts = counts
        self._budget = budget
        self._kept = 0
        self._by_frame: dict[int, list[Finding]] = {}
        self._crowd: tuple[int, set[Finding]] = (0, set())
        """The latest frame with very many findings, and these."""

    def add(self, number: int, finding: Finding) -> None:
        """Keep one finding, unless the frame has it already; for a frame of a probe as `INFO`."""
        mark = self._columns.flags[number - 1]
        if mark & FrameFlags.PROBE:
            finding = _lowered(finding)
        if finding.severity is not Severity.INFO and not mark & FrameFlags.PROBLEM:
            mark |= FrameFlags.PROBLEM
            self._counts.problems += 1
        if finding.severity is Severity.ERROR and not mark & FrameFlags.ERROR:
            mark |= FrameFlags.ERROR
            self._counts.errors += 1
        self._columns.flags[number - 1] = mark | FrameFlags.FINDING
        self._keep(number, finding)

    def set_aside(self, number: int) -> None:
        """Mark a frame as part of a probe: its findings become `INFO` and no longer count."""
        mark = self._columns.flags[number - 1]
        self._counts.problems -= mark & FrameFlags.PROBLEM > 0
        self._counts.errors -= mark & FrameFlags.ERROR > 0
        self._columns.flags[number - 1] = (
            mark & ~(FrameFlags.PROBLEM | FrameFlags.ERROR) | FrameFlags.PROBE
        )
        self._crowd = (0, set())
        known = self._by_frame.get(number, [])
        for at, finding in enumerate(known):
            known[at] = _lowered(finding)
            if (of_rule := self.by_rule.get(finding.rule)) is not None:  # otherwise being forgotten
                of_rule.replace(number, finding, known[at])

    def forget(self, rules: Collection[str]) -> Iterator[None]:
        """Forget the findings of these rules, which are about to be checked again, with pauses. Those that were dropped stay counted."""
        numbers: set[int] = set()
        for rule in rules:
            if (known := self.by_rule.pop(rule, None)) is not None:
                numbers.update(known.numbers)
                known.close()
        for count, number in enumerate(numbers):
            if not count % PAUSE_FRAMES:
                yield
            self._crowd = (0, set())
            before = self._by_frame.pop(number, [])
            kept = [finding for finding in before if finding.rule not in rules]
            self._kept -= len(before) - len(kept)
            if kept:
                self._by_frame[number] = kept
            if (
                not self.dropped
            ):  # otherwise a finding that is not kept may be why the frame is marked
                self._mark_again(number, kept)

    def _mark_again(self, number: int, kept: list[Finding]) -> None:
        mark = self._columns.flags[number - 1]
        gravest = max((finding.severity for finding in kept), default=Severity.INFO)
        if mark & FrameFlags.PROBLEM and gravest is Severity.INFO:
            mark &= ~FrameFlags.PROBLEM
            self._counts.problems -= 1
        if mark & FrameFlags.ERROR and gravest is not Severity.ERROR:
            mark &= ~FrameFlags.ERROR
            self._counts.errors -= 1
        self._columns.flags[number - 1] = mark if kept else mark & ~FrameFlags.FINDING

    def restore(self, by_frame: dict[int, list[Finding]], dropped: int) -> None:
        """Know the findings of `all`; the columns and the counts have them already."""
        self._by_frame, self.dropped = by_frame, dropped
        self._crowd = (0, set())
        self._kept = sum(map(len, by_frame.values()))
        self.by_rule.clear()
        known: dict[str, tuple[array[int], list[Finding]]] = {}
        for number, found in by_frame.items():
            for finding in found:
                kept = known.get(finding.rule)
                if kept is None:
                    kept = known[finding.rule] = (array("I"), [])
                kept[0].append(number)
                kept[1].append(finding)
        for rule, kept in known.items():
            self._of_rule(rule).restore(*kept)

    @property
    def all(self) -> dict[int, list[Finding]]:
        """The findings kept, by frame. May be called in a thread: the copy is made in one step."""
        return {number: list(found) for number, found in self._by_frame.copy().items()}

    def of(self, number: int) -> tuple[Finding, ...]:
        """Return the findings about a frame."""
        return tuple(self._by_frame.get(number, ()))

    def _keep(self, number: int, finding: Finding) -> None:
        if self._kept >= self._budget:
            self.dropped += 1
            self._of_rule(finding.rule).count_only(finding)
            return
        known = self._by_frame.setdefault(number, [])
        seen = known if len(known) < CROWD else self._seen(number, known)
        if finding not in seen:
            known.append(finding)
            if isinstance(seen, set):
                seen.add(finding)
            self._of_rule(finding.rule).add(number, finding)
            self._kept += 1

    def _seen(self, number: int, known: list[Finding]) -> set[Finding]:
        """Return the findings `known` of a frame as a set, which the caller keeps up to date."""
        if self._crowd[0] != number:
            self._crowd = (number, set(known))
        return self._crowd[1]

    def _of_rule(self, rule: str) -> RuleFindings:
        found = self.by_rule.get(rule)
        if found is None:
            found = self.by_rule[rule] = RuleFindings(rule)
        return found


def _lowered(finding: Finding) -> Finding:
    return replace(finding, severity=Severity.INFO)


PROBE = "probe"
"""The event of the note about a probe."""

PROBE_ID = "spyglass-probe-"
"""Beginning of the ids of requests with edited headers, which a server may refuse before it has read the id."""

SLOW_START_SECONDS = 10.0
"""A server that takes longer to start gets a finding, although Spyglass waited."""

PROBE_METHODS = frozenset({"server/discover", "initialize"})
"""Requests that may be probes."""


class Probes:
    """Marks the frames of probes."""

    def __init__(self, columns: Columns, findings: Findings, counts: Counts) -> None:
        """Mark frames in `columns`, and correct `findings` and `counts`."""
        self._columns = columns
        self._findings = findings
        self._counts = counts
        self._examined = 0  # no frame is examined twice, however many notes a recording has

    def process(self, note: JsonObject) -> None:
        """Mark the frames of the probe that a note is about, if it is about one."""
        request = note.get("request")
        if note.get("event") == PROBE and isinstance(request, int) and self._may_be_probe(request):
            self._mark(request, note)

    def _may_be_probe(self, request: int) -> bool:
        columns, at = self._columns, request - 1
        return (
            0 < request <= len(columns)
            and columns.kind[at] == MessageKind.REQUEST
            and columns.direction[at] == Direction.SENT
            and columns.methods.texts[columns.method[at]] in PROBE_METHODS
            and not columns.flags[at] & FrameFlags.PROBE
        )

    def _mark(self, request: int, note: JsonObject) -> None:
        columns, until = self._columns, note.get("until")
        last = until if isinstance(until, int) else request
        self._findings.set_aside(request)
        for number in range(max(request, self._examined) + 1, len(columns) + 1):
            at = number - 1
            if columns.channel[at] == Channel.STDERR and number <= last:
                self._findings.set_aside(number)
                self._counts.probe_stderr += 1
            elif request in {columns.request[at], columns.stream[at]} or (
                number <= last and self._is_unassigned(at)
            ):
                self._findings.set_aside(number)
        self._examined = len(columns)

    def _is_unassigned(self, at: int) -> bool:
        """Return whether it is an error without a known request: nothing but the probe was sent until then."""
        columns = self._columns
        return columns.kind[at] == MessageKind.ERROR and bool(
            columns.flags[at] & FrameFlags.UNKNOWN
        )


def slow_start_text(seconds: float) -> str:
    """Return the text about a start that took so long."""
    return f"the server took {seconds:.0f} s to start and respond; a client with a shorter time limit gives up"
