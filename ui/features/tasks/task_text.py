"""The texts about a task. Pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.session.task_record import DEFAULT_POLL_SECONDS
from inspector.spec.views.task import STATUSES
from inspector.visible_text import one_line
from ui.widgets.key_values import KeyValue
from ui.widgets.units import clock_exact, clock_time, duration

if TYPE_CHECKING:
    from inspector.session.task_record import TaskRecord

TONES = {
    "working": "pending",
    "input_required": "person",
    "completed": "ok",
    "failed": "error",
    "cancelled": "warning",
}
"""The tone of each status; its text says the same."""

MAX_INPUTS = 8
"""Input requests that are listed, the latest."""

_CLIENT_SIDE = {
    "working": "working: waiting for your response",
    "completed": "completed: response ready for the server",
    "failed": "failed: rejected or timed out",
}
_SERVER_SIDE = {
    "working": "working",
    "input_required": "input required (see Requests)",
    "completed": "completed",
    "failed": "failed",
}
"""The meaning of each status, for client-side tasks and for tasks of the server."""


class Outcome(NamedTuple):
    """The status of a task in one line."""

    text: str
    """The status and what it means."""
    tone: str
    """The name of its color."""


def outcome(record: TaskRecord) -> Outcome:
    """Return the status of a task and what it means."""
    status = record.status
    if record.is_deleted and not record.is_final:
        return Outcome(f"expired (last status: {status})", "warning")
    if status not in STATUSES:
        return Outcome(f"{one_line(status, 60) or 'no status'}: invalid task status", "warning")
    text = (_CLIENT_SIDE if record.hosted else _SERVER_SIDE).get(status, status)
    return Outcome(text, TONES[status])


def origin(record: TaskRecord) -> str:
    """Return what created the task, short enough for a list."""
    _, _, name = record.origin.partition(" ")
    return name or record.origin or "listed by server"


def badges(record: TaskRecord) -> list[tuple[str, str]]:
    """Return the badges of a row, as (text, tone)."""
    status = one_line(record.status, 24) or "no status"
    found = [("earlier", "muted")] if record.is_earlier else []
    if record.is_deleted:
        found.append(("expired", "muted"))
    if record.hosted:
        found.append(("client-side", "received"))
    return [*found, (status, TONES.get(record.status, "warning"))]


def facts(record: TaskRecord) -> list[KeyValue]:
    """Return the rows of the table about a task, without those that have no value."""
    view = record.view
    rows = [
        KeyValue("Message", view.status_message, mono=False),
        KeyValue("Origin", _origin_text(record)),
        KeyValue("Input requests", _input_text(record), "inputRequests", mono=False),
        KeyValue("Message for the model", record.immediate, "model-immediate-response", mono=False),
        _time("Created", view.created_at, view.created),
        _time("Updated", view.updated_at, view.updated),
        KeyValue(
            "TTL",
            _ttl_text(record),
            f"{_name(record, 'ttl')}, counted from creation",
            mono=False,
        ),
    ]
    if not record.hosted:
        tip = _name(record, "pollInterval")
        rows.append(KeyValue("Poll interval", _poll_text(record), tip, mono=False))
    return [fact for fact in rows if fact.value]


def times(record: TaskRecord, *, wall_s: float, monotonic: float) -> str:
    """Return what the task waits for, its next poll and its expiry, in one line."""
    found: list[str] = []
    if record.is_fetching and not record.is_final:
        found.append("waiting for result")
    if record.is_cancel_sent and not (record.is_final or record.is_deleted):
        found.append("cancellation requested")
    if record.next_poll_at is not None and not record.is_final:
        rest = record.next_poll_at - monotonic
        found.append(f"next poll in {duration(rest)}" if rest > 0 else "polling")
    elif not (record.hosted or record.is_watched or record.is_final or record.is_deleted):
        found.append("not polled")
    until = record.expires_at
    if until is not None and not record.is_deleted:
        rest = until - wall_s
        found.append(f"expires in {duration(rest)}" if rest > 0 else "may have expired")
    return " · ".join(found)


def updates(record: TaskRecord) -> str:
    """Return one line per update, after the number of those that were evicted."""
    lines = [f"{record.dropped_updates:,} older updates in traffic"]
    lines = lines if record.dropped_updates else []
    for each in record.updates:
        frame = f"  #{each.frame}" if each.frame else ""
        message = f"  {one_line(each.status_text, 500)}" if each.status_text else ""
        lines.append(f"{clock_time(each.wall_s)}  {one_line(each.status, 40)}{message}{frame}")
    return "\n".join(lines)


def poll_hint(record: TaskRecord) -> str:
    """Return the interval that applies unless the user sets one."""
    return f"server default ({duration(record.suggested_poll_seconds)})"


def _name(record: TaskRecord, name: str) -> str:
    """Return the name of a member in milliseconds: extensions add the unit."""
    return name if record.view.is_core else f"{name}Ms"


def _input_text(record: TaskRecord) -> str:
    """Return one line per input request."""
    lines: list[str] = []
    for key, each in [*record.inputs.items()][-MAX_INPUTS:]:
        method = f": {each.request.method}" if each.request.method else ""
        why = f" ({one_line(each.status_text, 120)})" if each.status_text else ""
        lines.append(f"{one_line(key, 40)}{one_line(method, 60)} – {each.state}{why}")
    more = len(record.inputs) - len(lines)
    return "\n".join([f"{more:,} earlier requests", *lines] if more else lines)


def _origin_text(record: TaskRecord) -> str:
    if record.is_earlier:
        return f"{record.origin or 'a call'}, from an earlier session"
    frame = f" (#{record.origin_frame})" if record.origin_frame else ""
    return f"{record.origin}{frame}" if record.origin else "tasks/list"


def _time(name: str, text: str, wall_s: float | None) -> KeyValue:
    return KeyValue(name, text if wall_s is None else clock_exact(wall_s)[:19], text)


def _ttl_text(record: TaskRecord) -> str:
    view = record.view
    if view.ttl_ms is not None:
        return duration(view.ttl_ms / 1000)
    return "unlimited (null)" if view.has("ttl") or view.has("ttlMs") else "not specified"


def _poll_text(record: TaskRecord) -> str:
    interval_ms = record.view.poll_ms
    if record.chosen_poll_seconds is not None:
        server = f" (server: {duration(interval_ms / 1000)})" if interval_ms is not None else ""
        return f"{duration(record.poll_seconds)} (custom){server}"
    if interval_ms is None:
        return f"{duration(DEFAULT_POLL_SECONDS)} (not specified by server)"
    server = duration(interval_ms / 1000)
    is_same = record.poll_seconds == interval_ms / 1000
    return server if is_same else f"{duration(record.poll_seconds)} (server: {server})"
