"""What a row of the operations shows. Nothing is said by color alone."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import StorageError
from inspector.transcript.exchange import Status, response_in
from inspector.transcript.operation_folds import LIST_MEMBERS, USER_METHODS, Fold, fold_of
from inspector.transcript.operation_time import outcome_of, time_split
from inspector.visible_text import one_line
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import MessageKind
from ui.models.fold_texts import FOLD_TEXTS
from ui.models.problem_note import problem_note
from ui.models.traffic_cells import (
    DIRECTION_SIGNS,
    NAME_LIMIT,
    WAITING_FOR_YOU,
    FrameMark,
    FrameRow,
    TimeFormat,
    status_text,
    status_tone,
    time_text,
)
from ui.theme.signs import Sign
from ui.traffic.operations.columns import COLUMNS
from ui.widgets.row_painter import SIGNS
from ui.widgets.units import duration, running_time, size

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from inspector.transcript.operation_rows import OperationRows
    from inspector.transcript.operation_time import Outcome, TimeSplit
    from inspector.transcript.transcript import Transcript
    from ui.traffic.operations.visible_rows import Node
    from ui.widgets.row_painter import RowNote

MAX_LISTS_NAMED = 12
"""Lists of one row whose lengths are read."""
NO_RESPONSE = status_text(Status.NO_RESPONSE.value)
"""The status of a request whose connection ended before its response; in a recording also of one that was pending at its end."""
BY_YOU = "By you"
"""The status of a request that the user responded to."""
PART_NAMES = ("Queue", "Network", "Server", "Waiting for you")
"""The parts of the time, in their order."""


class NamePart(NamedTuple):
    """A part of the name of a row."""

    text: str
    tone: str = "text"
    is_mono: bool = True
    is_bold: bool = False


class OperationCells(NamedTuple):
    """One row, as displayed."""

    texts: tuple[str, ...]
    """By column."""
    tones: tuple[str, ...]
    """Names of colors, by column."""
    name: tuple[NamePart, ...]
    """The name, in its parts."""
    background: str = ""
    sign: str = ""
    """Name of the icon before the status; empty for none."""
    arrow: str = ""
    """Arrow of the direction before the name, or the name of an icon; empty for none."""
    arrow_tone: str = "muted"
    split: TimeSplit | None = None
    """How the time divides, for a bar."""
    is_running: bool = False
    """Whether the row has a clock."""
    marks: tuple[FrameMark, ...] = ()
    """Annotations of its frames, and the filter that colors it."""
    note: RowNote | None = None
    """The problems beside the status; None for none."""


class CellMaker:
    """Makes the cells of the rows of one transcript."""

    def __init__(
        self,
        rows: OperationRows,
        time_format: TimeFormat,
        now: float,
        muted: Collection[str] = (),
    ) -> None:
        """Read from `rows`; `now` is in monotonic seconds of its clock, problems of the rules in `muted` do not count."""
        self._rows, self._now, self._muted = rows, now, muted
        self._transcript = rows.transcript
        self._time_format = time_format

    def make(self, node: Node, local: int) -> OperationCells:
        """Return the cells of a row; `local` is its frame in the transcript."""
        tree, columns, at = self._rows.tree, self._transcript.columns, local - 1
        if node.is_fold or (not node.depth and tree.member_count(local) > 1):
            return self._fold(local, is_at_top=not node.depth)
        is_request = columns.request[at] == local
        if is_request and (not node.depth or columns.direction[at] == Direction.SENT):
            return self._operation(local, is_at_top=not node.depth)
        return self._frame(local, is_at_top=not node.depth)

    # --- operations -------------------------------------------------------------------------------

    def _operation(self, local: int, *, is_at_top: bool) -> OperationCells:
        transcript, tree = self._transcript, self._rows.tree
        row = FrameRow(transcript, local, 0, self._time_format, self._muted)
        outcome = outcome_of(self._rows, local)
        # What came first may ask for input, or create the task whose outcome came last.
        first = transcript.columns.response[local - 1]
        end, ends = row, {local, first or local, outcome.response or local}
        if outcome.response:
            end = FrameRow(transcript, outcome.response, 0, self._time_format, self._muted)
        split = time_split(self._rows, local, self._now)
        status, tone = _status_of(row, outcome, split)
        label = one_line(self._label(local), NAME_LIMIT)
        name = (NamePart(f"{row.method} " if label else row.method), NamePart(label, is_bold=True))
        if row.is_probe:
            name = tuple(part._replace(tone="muted") for part in name)
        is_failed = not row.is_probe and bool(end.background or row.background)
        is_running = split is not None and split.is_running
        own_tone = "muted" if row.is_probe else "text"
        return _cells(
            number=f"{local}",
            time=time_text(row),
            name=name,
            status=status,
            total=_total_text(split),
            size=size(tree.totals(local)[1]),
            summary=end.summary.removeprefix(label).lstrip() if end is row else end.summary,
            tones={
                "status": "muted" if row.is_probe else tone,
                "total": tone if is_running else own_tone,
                "summary": end.summary_tone if not row.is_probe else "muted",
            },
            background="error_ground" if is_failed else "",
            sign="" if row.is_probe else _sign(row, tone),
            arrow="" if is_at_top else DIRECTION_SIGNS[row.direction],
            arrow_tone=row.direction_tone,
            split=split,
            is_running=is_running,
            note=None if row.is_probe else problem_note(transcript, *ends, muted=self._muted),
        )

    def _label(self, local: int) -> str:
        columns = self._transcript.columns
        return columns.labels.texts[columns.label[local - 1]]

    # --- single frames ----------------------------------------------------------------------------

    def _frame(self, local: int, *, is_at_top: bool) -> OperationCells:
        row = FrameRow(self._transcript, local, 0, self._time_format, self._muted)
        status, tone, sign = row.status, row.status_tone, row.sign
        total, is_running = self._frame_total(row)
        is_for_user = row.kind is MessageKind.REQUEST and row.method in USER_METHODS
        if is_for_user and tone in _RESPONDED_TONES:
            status, tone, sign = BY_YOU, "person", Sign.USER
        if self._is_unanswered(row):
            status, tone, sign = row.refusal or NO_RESPONSE, "warning", Sign.WARNING
        arrow = DIRECTION_SIGNS[row.direction]
        if row.kind is MessageKind.STDERR:
            arrow = Sign.STDERR
        return _cells(
            number=f"{local}" if is_at_top else "",
            time=time_text(row),
            name=_frame_name(row),
            status=status,
            total=total,
            size=size(self._rows.tree.totals(local)[1]),
            summary=row.summary,
            tones={
                "status": tone,
                "summary": row.summary_tone if row.summary_tone == "error" else "muted",
                "total": row.duration_tone if is_running else "muted",
            },
            background=row.background if is_at_top else "",
            sign=sign,
            arrow=arrow,
            arrow_tone=row.direction_tone,
            is_running=is_running,
            note=row.note,
        )

    def _is_unanswered(self, row: FrameRow) -> bool:
        if row.kind is not MessageKind.REQUEST:
            return False
        status = self._transcript.status(row.number)
        is_over = not self._transcript.live and status is Status.PENDING
        return is_over or status is Status.NO_RESPONSE

    def _frame_total(self, row: FrameRow) -> tuple[str, bool]:
        """Return how long a request took, and whether it goes on."""
        if row.kind is not MessageKind.REQUEST:
            return "", False
        seconds = self._transcript.took_seconds(row.number)
        if seconds is not None:
            return duration(seconds), False
        if self._transcript.live and self._transcript.status(row.number) is Status.PENDING:
            start = self._transcript.columns.left_at(row.number)
            return running_time(max(self._now - start, 0.0)), True
        return "", False

    # --- folds ------------------------------------------------------------------------------------

    def _fold(self, local: int, *, is_at_top: bool) -> OperationCells:
        tree, transcript = self._rows.tree, self._transcript
        row = FrameRow(transcript, local, 0, self._time_format, self._muted)
        fold, count = fold_of(tree.key(local)), tree.member_count(local)
        frames, total_bytes = tree.fold_totals(local)
        text = FOLD_TEXTS[fold](count, frames)
        is_wire_name = fold in {Fold.NOTIFICATION, Fold.POLL}
        name = (NamePart(text, "muted", is_mono=False),)
        if is_wire_name:
            name = (NamePart(row.method), NamePart(f" · {count:,}", "muted", is_mono=False))
        elif fold is Fold.LISTS and (lengths := self._lengths(local)):
            name = (*name, NamePart(f"  {lengths}", "muted", is_mono=False))
        status, total, is_running = self._fold_outcome(local, fold)
        arrow = Sign.STDERR if fold is Fold.STDERR else ""
        arrow = DIRECTION_SIGNS[row.direction] if is_wire_name else arrow
        return _cells(
            time=time_text(row),
            name=name,
            status=status,
            total=total,
            size=size(total_bytes),
            summary=self._fold_summary(local, fold, row.summary),
            tones={"status": "muted", "total": "pending" if is_running else "muted"},
            background="sunken" if is_at_top else "",
            arrow=arrow,
            arrow_tone=row.direction_tone,
            is_running=is_running,
        )

    def _fold_summary(self, local: int, fold: Fold, summary: str) -> str:
        if fold in {Fold.LISTS, Fold.PINGS}:
            return ""
        last = self._rows.tree.last_member(local)
        row = FrameRow(self._transcript, last, 0, self._time_format, self._muted)
        return f"{summary} … {row.summary}" if row.summary != summary else summary

    def _fold_outcome(self, local: int, fold: Fold) -> tuple[str, str, bool]:
        """Return the status of the requests of a fold, their time from the start to the end, and whether one goes on."""
        if fold not in {Fold.LISTS, Fold.PINGS}:
            return "", "", False
        columns, rows = self._transcript.columns, self._rows
        start = columns.monotonic_s[local - 1]
        members = islice(rows.tree.members(local), MAX_LISTS_NAMED)
        outcomes = [outcome_of(rows, each) for each in (*members, rows.tree.last_member(local))]
        failed = next((o.status for o in outcomes if o.status not in _FINE), Status.OK)
        if any(o.status is Status.PENDING for o in outcomes) and self._transcript.live:
            return "Pending", running_time(max(self._now - start, 0.0)), True
        ends = [columns.monotonic_s[o.end - 1] for o in outcomes if o.end]
        status = NO_RESPONSE if failed is Status.NO_RESPONSE else status_text(failed.value)
        if fold is Fold.PINGS or not ends:  # the time from one to the next says nothing
            return status, "", False
        return status, duration(max(ends) - start), False

    def _lengths(self, local: int) -> str:
        """`tools 80 · resources 36`, of the lists that were received."""
        columns, found = self._transcript.columns, dict[str, int]()
        for request in islice(self._rows.tree.members(local), MAX_LISTS_NAMED):
            response = columns.response[request - 1]
            member = LIST_MEMBERS[columns.methods.texts[columns.method[request - 1]]]
            count = _length(self._transcript, response, member) if response else None
            if count is not None:
                found[member] = found.get(member, 0) + count
        return " · ".join(f"{_spaced(member)} {count:,}" for member, count in found.items())


_RESPONDED_TONES = frozenset({"muted", "pending"})
"""Tones of requests that the user responded to."""
_FINE = frozenset({Status.OK, Status.PENDING, Status.OPEN})


def _spaced(member: str) -> str:
    return "templates" if member == "resourceTemplates" else member


def _length(transcript: Transcript, response: int, member: str) -> int | None:
    try:
        result = response_in(transcript, response).lazy_result
    except StorageError:
        return None
    items = result.get(member) if isinstance(result, dict) else None
    return len(items) if isinstance(items, list) else None


def _status_of(row: FrameRow, outcome: Outcome, split: TimeSplit | None) -> tuple[str, str]:
    if outcome.status is Status.NO_RESPONSE:
        return row.refusal or NO_RESPONSE, "warning"
    if split is not None and split.waits_for_user:
        return WAITING_FOR_YOU, "person"
    if outcome.status is Status.NONE:
        return row.status, row.status_tone
    return status_text(outcome.status.value), status_tone(outcome.status)


def _sign(row: FrameRow, tone: str) -> str:
    return row.sign if row.status_tone == tone else SIGNS.get(tone, Sign.NONE)


def _frame_name(row: FrameRow) -> tuple[NamePart, ...]:
    tone = row.tone
    if row.kind in {MessageKind.RESPONSE, MessageKind.ERROR}:
        parts = (NamePart("error" if row.kind is MessageKind.ERROR else "response", tone),)
    elif row.method:
        parts = (NamePart(one_line(row.method, NAME_LIMIT), tone),)
    else:
        channel = row.transcript.columns.channel[row.number - 1]
        kind = "authorization" if channel == Channel.AUTH else _KIND_NAMES.get(row.kind, "")
        return (NamePart(kind or row.kind.name.lower(), "muted", is_mono=False),)
    return (*parts, NamePart(f"  id {row.id}", "muted")) if row.id else parts


_KIND_NAMES = {
    MessageKind.STDERR: "stderr",
    MessageKind.HTTP: "HTTP",
    MessageKind.SSE_OTHER: "SSE event",
    MessageKind.NOTE: "Note",
    MessageKind.BLANK_LINE: "Empty line",
    MessageKind.MALFORMED: "Invalid message",
    MessageKind.BATCH: "Batch",
}


def _total_text(split: TimeSplit | None) -> str:
    if split is None:
        return ""
    return running_time(split.total) if split.is_running else duration(split.total)


def split_text(split: TimeSplit) -> str:
    """Return the parts of a time in one line, for tool tips and assistive technology; what is not measured is left out."""
    measured = (split.queue is not None, split.network is not None, True, split.user > 0)
    parts = zip(PART_NAMES, split.parts, measured, strict=True)
    return ", ".join(f"{name} {duration(part)}" for name, part, known in parts if known)


def _cells(
    *,
    name: Iterable[NamePart],
    tones: dict[str, str],
    background: str = "",
    sign: str = "",
    arrow: str = "",
    arrow_tone: str = "muted",
    split: TimeSplit | None = None,
    is_running: bool = False,
    note: RowNote | None = None,
    **texts: str,
) -> OperationCells:
    parts = tuple(part for part in name if part.text)
    texts["operation"] = "".join(part.text for part in parts)
    return OperationCells(
        tuple(texts.get(spec.key, "") for spec in COLUMNS),
        tuple(tones.get(spec.key, "muted") for spec in COLUMNS),
        parts,
        background,
        sign,
        arrow,
        arrow_tone,
        split,
        is_running,
        note=note,
    )
