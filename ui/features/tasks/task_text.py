"""What is told of a task in words. Pure functions."""

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
"""Colour of each status; the words say the same."""

MOST_INPUTS = 8
"""Things that a task asks for and that are listed, the latest."""

_HERE = {
    "working": "working: waiting for your response",
    "completed": "completed: response ready for the server",
    "failed": "failed: rejected or timed out",
}
_THERE = {
    "working": "working",
    "input_required": "input required (see Requests)",
    "completed": "completed",
    "failed": "failed",
}
"""What the statuses of tasks on our side, and of those of the server, mean."""


class Outcome(NamedTuple):
    """A line to show."""

    words: str
    """How it stands."""
    tone: str
    """The colour's name."""


def outcome(record: TaskRecord) -> Outcome:
    """How a task stands."""
    status = record.status
    if record.is_gone and not record.is_final:
        return Outcome(f"expired (last status: {status})", "warning")
    if status not in STATUSES:
        return Outcome(f"{one_line(status, 60) or 'no status'}: invalid task status", "warning")
    words = (_HERE if record.hosted else _THERE).get(status, status)
    return Outcome(words, TONES[status])


def origin(record: TaskRecord) -> str:
    """What it came from, short enough for a list."""
    _, _, name = record.origin.partition(" ")
    return name or record.origin or "listed by server"


def badges(record: TaskRecord) -> list[tuple[str, str]]:
    """What is to be seen at once."""
    status = one_line(record.status, 24) or "no status"
    found = [("earlier", "muted")] if record.is_earlier else []
    if record.is_gone:
        found.append(("expired", "muted"))
    if record.hosted:
        found.append(("client-side", "received"))
    return [*found, (status, TONES.get(record.status, "warning"))]


def facts(record: TaskRecord) -> list[KeyValue]:
    """What it says of itself."""
    view = record.view
    seen = [
        KeyValue("Message", view.status_message, mono=False),
        KeyValue("Origin", _origin_words(record)),
        KeyValue("Input requests", _input_words(record), "inputRequests", mono=False),
        KeyValue("Message for the model", record.immediate, "model-immediate-response", mono=False),
        _time("Created", view.created_at, view.created),
        _time("Updated", view.updated_at, view.updated),
        KeyValue(
            "TTL",
            _ttl_words(record),
            f"{_name(record, 'ttl')}, counted from creation",
            mono=False,
        ),
    ]
    if not record.hosted:
        tip = _name(record, "pollInterval")
        seen.append(KeyValue("Poll interval", _poll_words(record), tip, mono=False))
    return [fact for fact in seen if fact.value]


def times(record: TaskRecord, *, wall: float, monotonic: float) -> str:
    """What runs out, and when."""
    found: list[str] = []
    if record.is_fetching and not record.is_final:
        found.append("waiting for result")
    if record.is_cancel_sent and not (record.is_final or record.is_gone):
        found.append("cancellation requested")
    if record.next_poll_at is not None and not record.is_final:
        rest = record.next_poll_at - monotonic
        found.append(f"next poll in {duration(rest)}" if rest > 0 else "polling")
    elif not (record.hosted or record.is_watched or record.is_final or record.is_gone):
        found.append("not polled")
    until = record.expires_at
    if until is not None and not record.is_gone:
        rest = until - wall
        found.append(f"expires in {duration(rest)}" if rest > 0 else "may have expired")
    return " · ".join(found)


def updates(record: TaskRecord) -> str:
    """What it said, one line a change."""
    lines = [f"{record.dropped_updates:,} older updates in traffic"]
    lines = lines if record.dropped_updates else []
    for each in record.updates:
        frame = f"  #{each.frame}" if each.frame else ""
        said = f"  {one_line(each.words, 500)}" if each.words else ""
        lines.append(f"{clock_time(each.wall)}  {one_line(each.status, 40)}{said}{frame}")
    return "\n".join(lines)


def poll_hint(record: TaskRecord) -> str:
    """How often is asked where the person does not say."""
    return f"server default ({duration(record.wanted_poll_seconds)})"


def _name(record: TaskRecord, name: str) -> str:
    """What a member that counts milliseconds is called."""
    return name if record.view.is_core else f"{name}Ms"


def _input_words(record: TaskRecord) -> str:
    """What it asks for, one line each."""
    lines: list[str] = []
    for key, each in [*record.inputs.items()][-MOST_INPUTS:]:
        method = f": {each.request.method}" if each.request.method else ""
        why = f" ({one_line(each.words, 120)})" if each.words else ""
        lines.append(f"{one_line(key, 40)}{one_line(method, 60)} – {each.state}{why}")
    more = len(record.inputs) - len(lines)
    return "\n".join([f"{more:,} earlier requests", *lines] if more else lines)


def _origin_words(record: TaskRecord) -> str:
    if record.is_earlier:
        return f"{record.origin or 'a call'}, from an earlier session"
    frame = f" (#{record.origin_frame})" if record.origin_frame else ""
    return f"{record.origin}{frame}" if record.origin else "tasks/list"


def _time(name: str, text: str, wall: float | None) -> KeyValue:
    return KeyValue(name, text if wall is None else clock_exact(wall)[:19], text)


def _ttl_words(record: TaskRecord) -> str:
    view = record.view
    if view.ttl_ms is not None:
        return duration(view.ttl_ms / 1000)
    return "unlimited (null)" if view.has("ttl") or view.has("ttlMs") else "not specified"


def _poll_words(record: TaskRecord) -> str:
    asked = record.view.poll_ms
    if record.chosen_poll_seconds is not None:
        wish = f" (server: {duration(asked / 1000)})" if asked is not None else ""
        return f"{duration(record.poll_seconds)} (custom){wish}"
    if asked is None:
        return f"{duration(DEFAULT_POLL_SECONDS)} (not specified by server)"
    done = record.poll_seconds
    said = duration(asked / 1000)
    return said if done == asked / 1000 else f"{duration(done)} (server: {said})"
