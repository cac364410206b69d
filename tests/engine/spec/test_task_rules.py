"""Answers about tasks of the extension, each beside its request."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest

from inspector.spec.keys import META, META_CLIENT_CAPABILITIES, TASKS_EXTENSION
from inspector.spec.revision import NEWEST, V2025_11_25
from inspector.spec.task_rules import check_response, check_task_id, created_task_id

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

TAKES: JsonObject = {META: {META_CLIENT_CAPABILITIES: {"extensions": {TASKS_EXTENSION: {}}}}}
NOT: JsonObject = {META: {META_CLIENT_CAPABILITIES: {}}}
NAMED: JsonObject = {"requiredCapabilities": {"extensions": {TASKS_EXTENSION: {}}}}


def error(code: int, message: str = "no", data: Json = None) -> JsonObject:
    return {"error": {"code": code, "message": message, "data": data}}


def rules(
    method: str, params: Json, answer: JsonObject, revision: Revision = NEWEST
) -> list[tuple[str, str]]:
    return [(each.rule, each.pointer) for each in check_response(method, params, answer, revision)]


@pytest.mark.parametrize(
    ("method", "params", "answer", "rule", "place"),
    [
        ("tasks/get", TAKES, error(-32001, "Task not found"), "L-TKX-10", "/error/code"),
        ("tasks/cancel", TAKES, error(-32603, "no such task"), "L-TKX-10", "/error/code"),
        ("tasks/get", NOT, {"result": {}}, "L-TKX-11", "/result"),
        ("tasks/update", None, error(-32602, "Unknown task"), "L-TKX-11", "/error/code"),
        ("tasks/cancel", NOT, error(-32600), "L-TKX-11", "/error/code"),
        ("tasks/list", TAKES, {"result": {"tasks": []}}, "L-TKX-15", "/result"),
        ("tasks/result", TAKES, {"result": {}}, "L-TKX-15", "/result"),
        ("tools/call", {"task": {}}, {"result": {"task": {}}}, "L-TKX-19", "/result"),
        ("tools/call", {"task": {}}, {"result": {"resultType": "task"}}, "L-TKX-19", "/result"),
        ("tools/call", {"task": {}} | TAKES, {"result": {"task": {}}}, "L-TKX-19", "/result"),
        ("tools/call", NOT, error(-32601, "Task support required"), "L-TKX-20", "/error/code"),
        ("tools/call", NOT, error(-32021, "requires tasks"), "L-TKX-20", "/error/data"),
        (
            "tools/call",
            NOT,
            error(-32021, "no", {"requiredCapabilities": {"tasks": {}}}),
            "L-TKX-20",
            "/error/data",
        ),
    ],
)
def test_an_answer_that_breaks_a_rule_is_found(
    method: str, params: Json, answer: JsonObject, rule: str, place: str
) -> None:
    """L-TKX-10, L-TKX-11, L-TKX-15, L-TKX-19, L-TKX-20."""
    assert rules(method, params, answer) == [(rule, place)]


@pytest.mark.parametrize(
    ("method", "params", "answer"),
    [
        ("tasks/get", TAKES, error(-32602, "Task not found")),
        ("tasks/get", TAKES, error(-32603, "The database is gone")),
        ("tasks/get", NOT, error(-32021, "no", NAMED)),
        ("tasks/get", NOT, error(-32601, "Method not found")),
        ("tasks/get", NOT, error(-32602, "_meta lacks something")),
        ("tasks/get", TAKES, {"result": {}}),
        ("tasks/list", TAKES, error(-32601)),
        ("tools/call", {"task": {}} | TAKES, {"result": {"resultType": "task"}}),
        ("tools/call", {"task": {}}, {"result": {"content": []}}),
        ("tools/call", NOT, error(-32021, "requires tasks", NAMED)),
        ("tools/call", NOT, error(-32021, "no", {"requiredCapabilities": {"roots": {}}})),
        ("tools/call", NOT, error(-32603, "The task failed: no rows")),
        ("tools/call", NOT, error(-32602, "Unknown tool: require tasks")),
        ("tools/call", TAKES, error(-32000, "tasks are required")),
        ("prompts/get", NOT, error(-32000, "tasks are required")),
    ],
)
def test_a_proper_answer_is_none(method: str, params: Json, answer: JsonObject) -> None:
    """Ours: what the two do not show is not judged."""
    assert rules(method, params, answer) == []


def test_the_older_design_is_left_alone() -> None:
    """L-TKX-15."""
    assert rules("tasks/list", TAKES, {"result": {"tasks": []}}, V2025_11_25) == []


@pytest.mark.parametrize(
    ("id_", "before", "text"),
    [
        ("17", "", "7 bits"),
        ("task-1", "", "bits"),
        ("2030010100000001", "", "53 bits"),
        ("f3a9" * 3, "", "48 bits"),
        (
            str(uuid.UUID("c232ab00-9414-11ec-b3c8-9f6bdeced846")),
            "",
            "time-based UUID (version 1)",
        ),
        ("job-7c1f0e2ab4d94a53-000018", "job-7c1f0e2ab4d94a53-000017", "a few characters"),
    ],
)
def test_an_id_that_can_be_guessed_is_found(id_: str, before: str, text: str) -> None:
    """L-TKX-16; C-SEC-14: the words do not tell it."""
    (found,) = check_task_id(id_, before, NEWEST)

    assert (found.rule, found.pointer) == ("L-TKX-16", "/result/taskId")
    assert text in found.summary
    assert id_ not in found.summary


@pytest.mark.parametrize(
    ("id_", "before"),
    [
        (str(uuid.UUID(int=0xB6D4F4F2_4A6B_4C0E_9D2F_8E3A5B7C9D10)), ""),
        ("qY1K8v2aOZgc9tSsVvW1mQ", "2YyrASHKjNrxG7qg1-WWyA"),
        ("same-id-twice-same-id-twice", "same-id-twice-same-id-twice"),
    ],
)
def test_an_id_that_was_drawn_is_not(id_: str, before: str) -> None:
    """L-TKX-16."""
    assert list(check_task_id(id_, before, NEWEST)) == []


@pytest.mark.parametrize(
    "message", [{}, {"result": 5}, {"result": {"taskId": "x"}}, {"result": {"resultType": "task"}}]
)
def test_what_makes_no_task_has_no_id(message: JsonObject) -> None:
    """Ours."""
    assert created_task_id("tools/call", message) == ""


@pytest.mark.parametrize(
    "params", [None, 5, [], {}, {META: 5}, {META: {META_CLIENT_CAPABILITIES: 5}}]
)
@pytest.mark.parametrize(
    "answer",
    [{}, {"error": 5}, {"error": {}}, {"error": {"code": [], "message": 5}}, {"result": 5}],
)
def test_nothing_raises(params: Json, answer: JsonObject) -> None:
    """Ours."""
    for method in ("tools/call", "tasks/get", "tasks/list", "subscriptions/listen"):
        rules(method, params, answer)
