"""How the tool `fault_lasting_task` breaks the rules of tasks as an extension."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject

FAULT_TOOL = "fault_lasting_task"

FAULTS = {
    "nested": "Tell of the new task in a member of its own",
    "old_names": "Call the times `ttl` and `pollInterval`",
    "vanishes": "Do not know the task that was made just now",
    "no_outcome": "Be completed without a result",
    "failed_with_result": "Fail with a result in the place of an error",
    "unknown_status": "Have a status that does not exist",
    "other_id": "Tell of another task than the one asked for",
    "comes_back": "Work again after the end",
    "asks_too_much": "Ask for something that cannot be asked for so",
    "reuses_key": "Ask for something else under the same key",
    "loud": "Tell the whole task where an acknowledgement is enough",
    "stubborn": "Go on although it was cancelled",
    "guessable_id": "Count the tasks instead of drawing their ids",
    "other_code": "Tell with a code of our own that the task is unknown",
    "progress": "Report progress to those that follow the task",
}
"""What there is to choose from."""

OTHER_CODE = -32001
"""Has no meaning outside this module."""

_OLD_NAMES = {"ttlMs": "ttl", "pollIntervalMs": "pollInterval"}


def broken_creation(created: JsonObject, fault: str) -> JsonObject:
    """How a new task is told with that fault."""
    if fault == "nested":
        kind = created["resultType"]
        return {"resultType": kind, "task": {k: v for k, v in created.items() if k != "resultType"}}
    return _renamed(created) if fault == "old_names" else created


def broken_detail(detail: JsonObject, fault: str) -> JsonObject:
    """How a task is told with that fault."""
    status = detail["status"]
    if fault == "no_outcome" and status == "completed":
        return {key: value for key, value in detail.items() if key != "result"}
    if fault == "failed_with_result" and status == "completed":
        return {**detail, "status": "failed"}
    if fault == "unknown_status" and status == "working":
        return {**detail, "status": "thinking"}
    if fault == "other_id" and status == "completed":
        return {**detail, "taskId": "another"}
    return _renamed(detail) if fault == "old_names" else detail


def _renamed(entry: JsonObject) -> JsonObject:
    return {_OLD_NAMES.get(key, key): value for key, value in entry.items()}
