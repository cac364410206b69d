"""Tasks of the extension, read with what belongs to their status."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.spec import task_rules
from inspector.spec.revision import NEWEST, V2025_11_25
from inspector.spec.views.task import CreatedTaskView, DetailedTaskView

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

NOW = "2030-01-01T00:00:00Z"
ASKED: JsonObject = {"k": {"method": "roots/list"}}


def task(status: str, **more: Json) -> JsonObject:
    base: JsonObject = {"taskId": "t", "status": status, "createdAt": NOW, "lastUpdatedAt": NOW}
    return {**base, "ttlMs": None, **more}


@pytest.mark.parametrize(
    ("raw", "detailed", "rules"),
    [
        (task("working"), True, []),
        (task("cancelled"), True, []),
        (task("completed", result={}), True, []),
        (task("completed"), False, ["L-TKX-07"]),
        (task("failed", error={"code": 1, "message": "m"}), True, []),
        (task("failed"), False, ["L-TKX-07"]),
        (task("failed", result={}), True, ["L-TKX-08"]),
        (task("failed", error="e"), True, ["L-TKX-04"]),
        (task("input_required", inputRequests=ASKED), True, []),
        (task("input_required"), True, ["L-TKX-07"]),
        (task("input_required", inputRequests=[]), True, ["L-TKX-04"]),
        ({**task("working"), "resultType": "task"}, True, ["L-TKX-06"]),
    ],
)
def test_a_task_says_all_that_belongs_to_its_status(
    raw: JsonObject, detailed: bool, rules: list[str]
) -> None:
    """C-TKX-06."""
    view = DetailedTaskView(raw, revision=NEWEST)
    assert view.is_detailed is detailed
    assert [note.rule for note in view.notes] == rules


def test_news_must_say_as_much() -> None:
    """C-TKX-17."""
    view = DetailedTaskView(task("completed"), "/params", NEWEST, is_notification=True)
    assert [note.rule for note in view.notes] == ["L-TKX-17"]


def test_a_new_task_is_the_result_itself() -> None:
    """C-TKX-01: in the core it is a member, here that is told and followed all the same."""
    flat: JsonObject = {**task("working"), "resultType": "task"}
    found = CreatedTaskView(flat, revision=NEWEST)
    assert found.task is not None
    assert (found.task.id, found.notes) == ("t", [])
    old = CreatedTaskView({"resultType": "task", "task": task("working")}, revision=NEWEST)
    assert old.task is not None
    assert (old.task.id, [note.rule for note in old.notes]) == ("t", ["L-TKX-04"])
    assert CreatedTaskView({"task": task("working")}, revision=NEWEST).task is None
    assert CreatedTaskView({"task": task("working")}, revision=V2025_11_25).task is not None


@pytest.mark.parametrize(
    ("method", "result", "rules"),
    [
        ("tasks/update", {"resultType": "complete"}, []),
        ("tasks/update", {"resultType": "task"}, ["L-TKX-06"]),
        ("tasks/cancel", {"resultType": "complete", "status": "cancelled"}, ["L-TKX-12"]),
        ("prompts/get", {**task("working"), "resultType": "task"}, ["L-TKX-03"]),
        ("tools/call", {**task("working"), "resultType": "complete"}, ["L-TKX-02"]),
        ("tools/call", {"resultType": "complete", "content": []}, None),
    ],
)
def test_what_one_message_shows_is_found(
    method: str, result: JsonObject, rules: list[str] | None
) -> None:
    """C-TKX-01, C-TKX-02, C-TKX-11."""
    found = task_rules.check_result(method, result, NEWEST)
    assert (found if found is None else [each.rule for each in found]) == rules
