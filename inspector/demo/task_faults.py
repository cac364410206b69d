"""How the tool `fault_task` breaks the rules of tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject

FAULT_TOOL = "fault_task"

FAULTS = {
    "plain_result": "Answer with a plain result although a task was asked for",
    "begins_input_required": "Begin in another status than working",
    "comes_back": "Work again after the end",
    "other_id": "Tell of another task than the one asked for",
    "missing_fields": "Leave out when it began and how long it is kept",
    "unknown_status": "Have a status that does not exist",
    "bad_times": "Write times that are none",
    "early_result": "Give a result before there is one",
    "no_relation": "Give a result that does not name its task",
}
"""What there is to choose from."""


def is_plain(fault: str) -> bool:
    """Whether no task is made at all."""
    return fault == "plain_result"


def broken_entry(entry: JsonObject, fault: str) -> JsonObject:
    """How a task is told with that fault."""
    if fault == "missing_fields":
        return {key: value for key, value in entry.items() if key not in {"createdAt", "ttl"}}
    if fault == "other_id" and entry["status"] != "working":
        return {**entry, "taskId": "another"}
    if entry.get("statusMessage") == "Started" and fault == "begins_input_required":
        return {**entry, "status": "input_required"}
    if entry["status"] == "working" and fault == "unknown_status":
        return {**entry, "status": "thinking"}
    return {**entry, "createdAt": "yesterday"} if fault == "bad_times" else entry


def broken_result(result: JsonObject, meta: JsonObject, fault: str) -> JsonObject:
    """The result of a task with that fault."""
    return result if fault == "no_relation" else {**result, "_meta": meta}
