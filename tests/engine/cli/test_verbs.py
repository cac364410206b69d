"""What every verb prints, with one server for many of them; ours."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest

from inspector.cli.answers import read_answers
from inspector.cli.command import ERROR_RESPONSE, SUCCESS, TOOL_ERROR, USAGE
from inspector.cli.command_line import read
from inspector.cli.console import Console, Keyboard
from inspector.cli.default_content import default_content
from inspector.cli.runner import run
from inspector.errors import StorageError
from tests.support.command_line import cli
from tests.support.demo_server import demo

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.json_value import Json, JsonObject

DEMO = ("--", sys.executable, "-m", "inspector.demo")


async def test_a_stateful_server_completes_and_is_pinged_and_has_tasks() -> None:
    """Ours."""
    async with demo("--http", "0", "--era", "stateful") as url:
        listed = await cli("--quiet", "templates", "--json", "--", url)
        (template, *_) = [
            each["uriTemplate"] for each in json.loads(listed.out)["resourceTemplates"]
        ]
        completed = await cli("--quiet", "complete", template, "language=", "--", url)
        pings = await cli("ping", "--count", "3", "--interval", "0.01", "--json", "--", url)
        called = await cli("--quiet", "call", "task_quick", "--task", "--ttl", "60000", "--", url)
        tasks = await cli("--quiet", "tasks", "--json", "--", url)

    assert template == "demo://greeting/{language}/{name}"
    assert "english" in completed.out.splitlines()
    lines = [json.loads(line) for line in pings.out.splitlines()]
    assert [line["ping"] for line in lines] == [1, 2, 3]
    assert all(line["seconds"] > 0 for line in lines)
    assert (called.code, bool(called.out)) == (SUCCESS, True)
    assert (tasks.code, json.loads(tasks.out)["tasks"]) == (SUCCESS, [])


async def test_a_load_is_counted_and_timed() -> None:
    """Ours: its end is a number or a time, and a call that fails has its code."""
    async with demo("--http", "0") as url:
        target = ("--quiet", "--json", "--", url)
        done = await cli(
            "load", "echo", "message=x", "--count", "20", "--concurrency", "4", *target
        )
        slow = await cli("load", "echo", "message=x", "--rate", "20", "--for", "0.2", *target)
        failed = await cli("load", "fail_as_error", "--count", "3", *target)
        broken = await cli("load", "fail_as_result", "--count", "3", *target)

    figures = json.loads(done.out)
    assert (done.code, figures["calls"], figures["errors"]) == (SUCCESS, 20, {})
    assert 0 < figures["p50_s"] <= figures["p99_s"] <= figures["max_s"]
    assert 1 <= json.loads(slow.out)["calls"] <= 4
    assert (failed.code, sum(json.loads(failed.out)["errors"].values())) == (ERROR_RESPONSE, 3)
    assert (broken.code, json.loads(broken.out)["tool_errors"]) == (TOOL_ERROR, 3)


async def test_a_revision_without_ping_and_list_of_tasks_says_so() -> None:
    """Ours: nothing is sent then."""
    async with demo("--http", "0", "--era", "stateless") as url:
        ping = await cli("ping", "--", url)
        tasks = await cli("tasks", "--", url)
        unknown = await cli("--quiet", "tasks", "get", "none", "--", url)

    assert (ping.code, "no ping" in ping.err) == (ERROR_RESPONSE, True)
    assert (tasks.code, "no list of tasks" in tasks.err) == (ERROR_RESPONSE, True)
    assert (unknown.code, "-32602" in unknown.err) == (ERROR_RESPONSE, True)


@pytest.mark.parametrize("era", ["stateful", "stateless"])
async def test_requests_of_the_server_are_responded_to_by_rules(era: str, tmp_path: Path) -> None:
    """Ours: each response is printed, and a request without a rule is declined."""
    file = tmp_path / "answers.json"
    file.write_text(
        '{"elicitation": [{"match": "no such text", "cancel": true}, '
        '{"accept": {"name": "Ada", "days": 1.0}, "times": 1}], '
        '"sampling": [{"text": "A tube.", "model": "m"}], "roots": ["file:///srv"]}'
    )
    answers = ("--quiet", "--answers", str(file))
    async with demo("--http", "0", "--era", era) as url:
        form = await cli(*answers, "call", "ask_elicitation", "--", url)
        prompt = await cli(*answers, "call", "ask_sampling", "--", url)
        roots = await cli(*answers, "--root", str(tmp_path), "call", "ask_roots", "--", url)
        accepted = await cli("--accept-all", "call", "ask_elicitation", "--", url)
        declined = await cli("--declare", "elicitation", "call", "ask_elicitation", "--", url)
        undeclared = await cli("--declare", "none", *answers, "call", "ask_sampling", "--", url)

    assert '"name": "Ada"' in form.out
    assert '"days": 1.0' in form.out
    assert "accept by /elicitation/1" in form.err
    assert '"text": "A tube."' in prompt.out
    assert [each["uri"] for each in _json_of(roots.out)["roots"]] == [
        "file:///srv",
        f"file://{tmp_path}",
    ]
    assert '"action": "accept"' in accepted.out
    assert '"action": "decline"' in declined.out
    assert "no rule is for it" in declined.err
    assert "A tube." not in undeclared.out


def _json_of(text: str) -> dict[str, list[dict[str, str]]]:
    return json.loads(text[text.index("{") :])


async def test_progress_and_log_messages_are_printed_beside_a_call() -> None:
    """Ours: they go to stderr, and the result alone to stdout."""
    async with demo("--http", "0") as url:
        logs = await cli("--log-level", "warning", "call", "log_messages", "--", url)
        done = await cli("call", "countdown", "steps:=2", "seconds:=0.1", "--", url)

    assert [line.split()[1] for line in logs.err.splitlines() if line.startswith("log ")] == [
        "warning",
        "error",
        "critical",
        "alert",
        "emergency",
    ]
    assert [line for line in done.err.splitlines() if line.startswith("progress ")][-1:] == [
        "progress 2 of 2 · Lift-off"
    ]


async def test_the_bytes_of_a_content_block_are_written_unchanged() -> None:
    """Ours."""
    written = io.BytesIO()
    out = io.TextIOWrapper(written, encoding="utf-8")
    async with demo("--http", "0") as url:
        line = read(["--quiet", "call", "show_image", "--raw", "--", url])
        code = await run(line, Console(out, io.StringIO()), Keyboard(None))
        several = await cli("--quiet", "call", "show_everything", "--raw", "--", url)
        text = await cli("--quiet", "call", "show_everything", "--block", "1", "--", url)

    assert (code, written.getvalue()[:8]) == (SUCCESS, b"\x89PNG\r\n\x1a\n")
    assert (several.code, "--block" in several.err) == (ERROR_RESPONSE, True)
    assert (text.code, text.out[-1:] != "\n") == (SUCCESS, True)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[", "cannot read"),
        ("[]", "JSON object"),
        ('{"prompts": []}', "unknown member 'prompts'"),
        ('{"sampling": {}}', "/sampling must be an array"),
        ('{"elicitation": [{"accept": {}, "decline": true}]}', "/elicitation/0 must be"),
        ('{"sampling": [{"text": "x", "when": 1}]}', "unknown member 'when'"),
        ('{"sampling": [{"text": "x", "match": "("}]}', "/sampling/0/match"),
        ('{"sampling": [{"text": "x", "times": "1"}]}', "/sampling/0/times"),
        ('{"roots": [1]}', "/roots/0"),
    ],
)
def test_a_file_of_answers_that_cannot_be_used_says_where(
    tmp_path: Path, text: str, reason: str
) -> None:
    """Ours."""
    file = tmp_path / "answers.json"
    file.write_text(text)

    with pytest.raises(StorageError) as raised:
        read_answers(file)
    assert reason in raised.value.reason


def test_the_default_content_is_valid_for_what_a_form_requires() -> None:
    """Ours: fields that may be left out are, unless they have a default."""
    properties: JsonObject = {
        "name": {"type": "string", "minLength": 6, "maxLength": 8},
        "mail": {"type": "string", "format": "email"},
        "age": {"type": "integer", "minimum": 18},
        "agree": {"type": "boolean"},
        "size": {"type": "string", "oneOf": [{"const": "s", "title": "S"}]},
        "days": {"type": "array", "minItems": 1, "items": {"enum": ["mo", "tu"]}},
        "note": {"type": "string"},
        "unit": {"type": "string", "default": "cm"},
    }
    required: list[Json] = ["name", "mail", "age", "agree", "size", "days"]

    content = {
        "name": "textxx",
        "mail": "user@example.com",
        "age": 18,
        "agree": True,
        "size": "s",
        "days": ["mo"],
        "unit": "cm",
    }
    assert default_content({"properties": properties, "required": required}) == content


def test_a_form_of_a_revision_without_arrays_gets_none() -> None:
    """Ours: the responses of 2025-06-18 have none; one that is required cannot be given."""
    days: JsonObject = {"type": "array", "items": {"enum": ["mo"]}, "default": ["mo"]}
    schema: JsonObject = {"properties": {"days": days, "ok": {"type": "boolean"}}}

    assert default_content({**schema, "required": ["ok"]}, has_arrays=False) == {"ok": True}
    assert default_content({**schema, "required": ["days"]}, has_arrays=False) is None


def test_arguments_come_from_options_and_files(tmp_path: Path) -> None:
    """Ours: a file is text for `=`, and JSON for `:=` or alone."""
    text, value = tmp_path / "a.txt", tmp_path / "a.json"
    text.write_text("two\nlines", newline="\n")
    value.write_text('{"n": 1.50}')

    line = ("call", "t", f"a=@{text}", "--arg", f"b:=@{value}", "--arg", "c=x", *DEMO)
    assert read(line).arguments == '{"a": "two\\nlines", "b": {"n": 1.50}, "c": "x"}'
    assert read(("request", "m", f"@{value}", *DEMO)).arguments == '{"n": 1.50}'


@pytest.mark.parametrize(
    "line",
    [
        ("call", "t", "a=@/no/such/file"),
        ("call", "t", "--json", "--raw"),
        ("call", "t", "--accept-all", "--decline-all"),
        ("complete", "prompt"),
        ("tasks", "stop", "1"),
        ("tasks", "get"),
        ("tasks", "update", "1", "{"),
        ("ping", "--count", "0"),
    ],
)
def test_a_line_that_means_nothing_starts_no_server(line: tuple[str, ...]) -> None:
    """Ours."""
    with pytest.raises(SystemExit) as ended:
        read((*line, *DEMO))
    assert ended.value.code == USAGE
