"""What can be compared: exchanges, and runs or recordings of a server. Knows no widget."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeAlias

from inspector.background_tasks import in_steps
from inspector.compare.exchange_parts import (
    ComparedFrame,
    ExchangePart,
    part_of,
    part_rows,
    redaction_of,
    timing_of,
)
from inspector.compare.json_difference import ChangeKind, compare_json
from inspector.compare.json_rows import json_rows
from inspector.compare.rows import Counts, DifferenceRows, Line, Row
from inspector.compare.server_snapshot import recorded_snapshot
from inspector.compare.text_difference import compare_text, text_rows
from inspector.errors import StorageError
from inspector.frozen import FrozenStruct
from inspector.run_comparison import snapshot_of
from inspector.transcript.redaction import known_secrets
from inspector.wire import json_codec
from inspector.wire.frame import Channel
from ui.widgets.units import clock_time, duration, plural, size

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from inspector.compare.exchange_parts import TimingRow
    from inspector.compare.paths import PathPattern
    from inspector.compare.server_snapshot import ServerSnapshot
    from inspector.open_session import OpenSession

Parts: TypeAlias = "tuple[tuple[str, str], ...]"
"""Keys and titles of what is compared of a subject."""


ONE = frozenset({"result", "frame", "timing"})
"""Parts that are one thing."""

NEVER_IDENTICAL = frozenset({"frame", "timing"})
"""Parts in which two exchanges always differ: ids and times."""


class ExchangeSubject(FrozenStruct, frozen=True):
    """An exchange, or a frame that belongs to none."""

    PARTS: ClassVar[Parts] = tuple((part.value, part.value.capitalize()) for part in ExchangePart)

    frame: ComparedFrame
    run: str = ""
    """The run it was made in, where there are several."""

    @property
    def title(self) -> str:
        """`run 1 · #19 tools/call search_orders · OK 1.21 s`."""
        transcript, request = self.frame.transcript, self.frame.request
        at = (request or self.frame.number) - 1
        columns = transcript.columns
        method = columns.methods.texts[columns.method[at]]
        label = columns.labels.texts[columns.label[at]]
        name = f"#{self.frame.number} {method} {label}".rstrip()
        took = transcript.took_seconds(request) if request else None
        status = transcript.status(request).value if request else ""
        outcome = status.upper() if status == "ok" else status.capitalize()
        outcome = f"{outcome} {duration(took)}" if took is not None else outcome
        return " · ".join(part for part in (self.run, name, outcome) if part)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What is not displayed."""
        return known_secrets(self.frame.transcript)

    async def rows(
        self, other: ExchangeSubject, part: str, ignored: Sequence[PathPattern]
    ) -> DifferenceRows | None:
        """Return how a part of `other` differs from the same part of this exchange; None if neither has it."""
        which = ExchangePart(part)
        if which is ExchangePart.TIMING:
            return timing_rows(timing_of(self.frame), timing_of(other.frame))
        redaction = redaction_of((*self.secrets, *other.secrets))
        old, new = (part_of(each, which, redaction) for each in (self.frame, other.frame))
        if old is None and new is None:
            return None
        return await part_rows(old, new, ignored)


class RunSubject(FrozenStruct, frozen=True):
    """A run of a server."""

    PARTS: ClassVar[Parts] = (
        ("tools", "Tools"),
        ("resources", "Resources"),
        ("prompts", "Prompts"),
        ("capabilities", "Capabilities"),
        ("instructions", "Instructions"),
    )

    opened: OpenSession

    @property
    def title(self) -> str:
        """`Run 2 · 14:03:20 · 2025-11-25 · version 1.0.1`."""
        start = self.opened.comparison.start
        when = clock_time(start.wall_s) if start.wall_s is not None else ""
        version = f"version {start.version}" if start.version else ""
        parts = (f"Run {start.number}", when, start.revision, version)
        return " · ".join(part for part in parts if part)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What is not displayed."""
        return known_secrets(self.opened.session.transcript)

    async def snapshot(self) -> ServerSnapshot:
        """Return what the server declared and lists in the run."""
        return await snapshot_of(self.opened)

    async def rows(
        self, other: RunSubject | RecordingSubject, part: str, ignored: Sequence[PathPattern]
    ) -> DifferenceRows | None:
        """Return how a part of what the server was in `other` differs from what it is here."""
        del ignored
        return await _snapshot_rows(self, other, part)


class RecordingSubject(FrozenStruct, frozen=True):
    """A run that was recorded."""

    PARTS: ClassVar[Parts] = RunSubject.PARTS

    title: str
    """`demo.spyglass · 14:03:20 · 93 frames`."""
    known: ServerSnapshot
    began_wall_s: float = 0.0
    """When it began, in seconds since 1970-01-01 UTC."""
    secrets: tuple[str, ...] = ()
    """What is not displayed."""

    async def snapshot(self) -> ServerSnapshot:
        """Return what the server declared and listed."""
        return self.known

    async def rows(
        self, other: RunSubject | RecordingSubject, part: str, ignored: Sequence[PathPattern]
    ) -> DifferenceRows | None:
        """Return how a part of what the server was in `other` differs from what it is here."""
        del ignored
        return await _snapshot_rows(self, other, part)


async def read_recording(path: Path) -> RecordingSubject:
    """Read what a server declared and listed in a recording.

    Raises:
        StorageError: it is missing, no recording, or of a form that cannot be read.
    """
    from inspector.checks.opened_recording import OpenedRecording  # brings all rules

    recording = await OpenedRecording.open(path)
    try:
        await recording.load()
        transcript, revision = recording.transcript, recording.sweep.settings.revision
        date = str(revision.date) if revision is not None else ""
        snapshot = await in_steps(recorded_snapshot(transcript, date))
        secrets = known_secrets(transcript)
    finally:
        await recording.aclose()
    columns = transcript.columns
    began = columns.wall_s[0] if len(columns) else 0.0
    title = " · ".join((path.name, clock_time(began), plural(transcript.count, "frame")))
    return RecordingSubject(title, snapshot, began, secrets)


Subject: TypeAlias = "ExchangeSubject | RunSubject | RecordingSubject"


async def _snapshot_rows(
    before: RunSubject | RecordingSubject, after: RunSubject | RecordingSubject, part: str
) -> DifferenceRows | None:
    old, new = await before.snapshot(), await after.snapshot()
    redaction = redaction_of((*before.secrets, *after.secrets))
    if part == "instructions":
        if not (old.instructions or new.instructions):
            return None
        texts = [
            redaction.redacted(Channel.BODY, each.instructions.encode("utf-8", "surrogateescape"))
            for each in (old, new)
        ]
        difference = compare_text(*(each.decode("utf-8", "surrogateescape") for each in texts))
        return await in_steps(text_rows(await in_steps(difference)))
    raws = [redaction.redacted(Channel.BODY, _snapshot_part(each, part)) for each in (old, new)]
    if not any(raws):
        return None
    return await in_steps(json_rows(await in_steps(compare_json(*raws))))


def _snapshot_part(snapshot: ServerSnapshot, part: str) -> bytes:
    """Return a part as JSON; empty where it is not known."""
    if part == "capabilities":
        value = {"capabilities": snapshot.capabilities, "serverInfo": snapshot.info}
        return json_codec.write_bytes(value) if snapshot.is_known else b""
    if part != "resources":
        return _array(snapshot.lists.get(part))
    resources, templates = (snapshot.lists.get(key) for key in ("resources", "templates"))
    if resources is None and templates is None:
        return b""
    both = (_array(resources) or b"null", _array(templates) or b"null")
    return b'{"resources":%b,"resourceTemplates":%b}' % both


def _array(items: Sequence[bytes] | None) -> bytes:
    return b"" if items is None else b"[%b]" % b",".join(items)


def identical_text(part: str, rows: DifferenceRows) -> str:
    """Return that a part is identical on both sides; empty if it is not."""
    if not any(row.kind for row in rows.rows):
        return f"{_subject(part)} identical."
    if not rows.counts.total and rows.counts.ignored:
        return f"{_subject(part)} identical except for ignored paths."
    return ""


def _subject(part: str) -> str:
    """Return how a sentence about a part begins."""
    return f"{part.capitalize()} {'is' if part in ONE else 'are'}"


async def other_parts_text(
    before: Subject, after: Subject, part: str, ignored: Sequence[PathPattern]
) -> str:
    """Return which parts but `part` differ, or that they are identical; of two frames those that can be the same twice."""
    different: list[str] = []
    same: list[str] = []
    for key, title in before.PARTS:
        if key == part or key in NEVER_IDENTICAL:
            continue
        try:
            rows = await rows_of_part(before, after, key, ignored)
        except StorageError:
            continue
        if rows is not None:
            (different if rows.counts.total else same).append(title.lower())
    if different:
        return f"Different: {', '.join(different)}"
    return f"Also identical: {', '.join(same)}" if same else ""


async def rows_of_part(
    before: Subject, after: Subject, part: str, ignored: Sequence[PathPattern]
) -> DifferenceRows | None:
    """Return how a part differs; None if neither side has it, or if one is an exchange and the other is not.

    Raises:
        StorageError: a frame cannot be read.
    """
    if isinstance(before, ExchangeSubject) and isinstance(after, ExchangeSubject):
        return await before.rows(after, part, ignored)
    if isinstance(before, ExchangeSubject) or isinstance(after, ExchangeSubject):
        return None
    return await before.rows(after, part, ())


def timing_rows(old: Sequence[TimingRow], new: Sequence[TimingRow]) -> DifferenceRows:
    """Return measures side by side."""
    after = {row.name: row for row in new}
    rows: list[Row] = []
    for before in old:
        other = after.get(before.name)
        sides = [_measure(each) for each in (before, other)]
        kind = ChangeKind.CHANGED if sides[0] != sides[1] else None
        lines = [Line(0, f"{before.name}: {text}", is_json=False) for text in sides]
        rows.append(Row(kind, lines[0], lines[1]))
    return DifferenceRows(rows, [], Counts(), {}, [])


def _measure(row: TimingRow | None) -> str:
    if row is None or row.value is None:
        return "–"
    if row.unit == "s":
        return duration(row.value)
    return size(int(row.value)) if row.unit == "bytes" else f"{int(row.value):,}"
