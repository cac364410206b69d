"""Log lines, progress, errors and tasks."""

from __future__ import annotations

import math

import pytest

from inspector.spec.error_details import ErrorView
from inspector.spec.revision import V2025_11_25, V2026_07_28
from inspector.spec.views.notifications import LogView, ProgressView
from inspector.spec.views.task import TaskView
from inspector.wire.json_codec import Json, RawNumber


def test_a_log_line_has_a_level_a_logger_and_any_data() -> None:
    """Source: server/utilities/logging."""
    view = LogView({"level": "warning", "logger": "db", "data": {"a": [1]}})

    assert (view.level, view.logger, view.data, view.rank) == ("warning", "db", {"a": [1]}, 3)
    assert view.notes == []


def test_an_unknown_level_is_kept_and_noted() -> None:
    """Corpus: jsonrpc-14-unknown-notifications."""
    view = LogView({"level": "loud", "data": {"a": [1]}})

    assert (view.level, view.rank) == ("loud", None)
    assert [note.rule for note in view.notes] == ["L-LOG-01"]


def test_data_that_is_null_is_data() -> None:
    """Corpus: jsonrpc-14-unknown-notifications."""
    null, absent = LogView({"level": "info", "data": None}), LogView({"level": "info"})

    assert null.has_data
    assert null.notes == []
    assert [note.summary for note in absent.notes] == ["`data` is missing"]


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"progress": 3, "total": 4, "message": "copying"}, "3 of 4 · copying"),
        ({"progress": 1234567, "total": 2.5e6}, "1234567 of 2500000"),
        ({"progress": "3", "total": "10"}, "'3' of '10' (`progress` and `total` are not numbers)"),
        ({"progress": "3", "total": 10}, "'3' of 10 (`progress` is not a number)"),
        ({"progress": [3]}, "an array (`progress` is not a number)"),
        ({"progress": 1, "total": None}, "1"),
        ({"message": "copying"}, "copying"),
        ({}, ""),
    ],
)
def test_progress_is_told_as_it_was_sent(params: dict[str, Json], text: str) -> None:
    """Ours: also where no bar can be drawn."""
    view = ProgressView({"progressToken": 1, **params})

    assert view.status_text == text


def test_progress_of_very_many_digits_is_told_without_them() -> None:
    """Ours."""
    assert len(ProgressView({"progressToken": 1, "progress": 10**400}).status_text) < 100


@pytest.mark.parametrize(
    ("params", "fraction", "places"),
    [
        ({"progressToken": 1, "progress": 1, "total": 4}, 0.25, []),
        ({"progressToken": "job-9", "progress": 0, "total": 1}, 0.0, []),
        ({"progressToken": 1, "progress": 5}, None, []),
        ({"progressToken": 1, "progress": 5, "total": 0}, None, ["/params/progress"]),
        ({"progressToken": 1, "progress": 5, "total": 2}, 1.0, ["/params/progress"]),
        ({"progressToken": 1, "progress": -5, "total": 2}, 0.0, ["/params/progress"]),
        ({"progress": 1}, None, ["/params/progressToken"]),
        ({"progressToken": True, "progress": 1}, None, ["/params/progressToken"]),
        ({"progressToken": 1, "progress": "1"}, None, ["/params/progress"]),
        ({"progressToken": 1, "progress": 10**400, "total": 10**401}, 0.1, []),
        ({"progressToken": 1, "progress": 10**400, "total": 3}, None, ["/params/progress"]),
        ({"progressToken": 1, "progress": math.nan, "total": 3}, None, []),
        ({"progressToken": 1, "progress": RawNumber("0.50"), "total": 1}, 0.5, []),
    ],
)
def test_progress_of_any_kind_has_a_fraction_or_none(
    params: Json, fraction: float | None, places: list[str]
) -> None:
    """Corpus: jsonrpc-08-unknown-progress-token; source: basic, "Progress"."""
    view = ProgressView(params)

    assert view.fraction == fraction
    assert [note.pointer for note in view.notes] == places


def test_an_error_is_explained_by_its_code() -> None:
    """Corpus: result-26-error-forms, variant 1."""
    view = ErrorView({"code": -32602, "message": "Unknown tool: x", "data": {"hint": ["y"]}})

    assert (view.code, view.summary, view.data) == (-32602, "Unknown tool: x", {"hint": ["y"]})
    assert view.meaning.name == "Invalid params"
    assert view.notes == []


def test_an_error_that_says_nothing_gets_the_words_of_its_code() -> None:
    """Corpus: lifecycle-07-initialize-error, variant 3."""
    view = ErrorView({"code": -32603, "message": "", "data": "trace"})

    assert view.summary == "Internal error"
    assert view.data == "trace"
    assert view.notes == []


def test_supported_versions_are_read_from_the_data_of_an_error() -> None:
    """Corpus: lifecycle-07-initialize-error, variant 1; lifecycle-10-discover-unsupported-version."""
    data: Json = {"supported": ["2024-11-05", 7], "requested": "2025-11-25"}

    view = ErrorView({"code": -32602, "message": "Unsupported protocol version", "data": data})

    assert view.supported_versions == ["2024-11-05"]
    assert (
        ErrorView({"code": 1, "message": "", "data": {"supported": "x"}}).supported_versions == []
    )


@pytest.mark.parametrize(
    ("raw", "places"),
    [
        ("boom", ["/error"]),
        (None, ["/error"]),
        ({}, ["/error/message", "/error/code"]),
        ({"code": "E", "message": None}, ["/error/message", "/error/code"]),
        ({"code": True, "message": ""}, ["/error/code"]),
    ],
)
def test_an_error_of_the_wrong_shape_is_noted(raw: Json, places: list[str]) -> None:
    """Source: JSON-RPC 2.0, section 5.1."""
    assert [note.pointer for note in ErrorView(raw).notes] == places


def test_tasks_are_read_in_both_shapes() -> None:
    """Source: basic/utilities/tasks; the tasks extension."""
    common: dict[str, Json] = {
        "taskId": "1",
        "status": "working",
        "createdAt": "2026-01-01T00:00:00Z",
        "lastUpdatedAt": "2026-01-01T00:00:00Z",
    }

    core = TaskView({**common, "ttl": None, "pollInterval": 500}, "", V2025_11_25)
    flat = TaskView({**common, "ttlMs": 1000, "pollIntervalMs": 500}, "", V2026_07_28)

    assert (core.ttl_ms, core.poll_ms) == (None, 500)
    assert (flat.ttl_ms, flat.poll_ms) == (1000, 500)
    assert core.notes == flat.notes == []
    assert [note.rule for note in TaskView(common, "", V2025_11_25).notes] == ["L-TK4-01"]
    assert [note.rule for note in TaskView({**common, "ttl": 1}, "", V2026_07_28).notes] == [
        "L-TKX-04"
    ]
    assert not core.is_final
