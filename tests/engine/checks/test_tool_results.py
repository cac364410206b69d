"""Results of tools are validated by what the server listed before the call, for every front end alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.checks.background_validator import BackgroundValidator
from inspector.checks.opened_recording import OpenedRecording
from inspector.checks.output_schema import OutputState
from inspector.checks.tool_results import AT_ONCE, MAX_WEIGHT
from inspector.checks.transcript_validator import SIZE_LIMIT
from inspector.spec.revision import NEWEST, V2025_11_25
from inspector.transcript.transcript import Transcript
from tests.support.findings import validate_all
from tests.support.records import Written, error, notification, request, result

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.wire.json_codec import Json, JsonObject

NUMBER: Json = {"type": "object", "properties": {"n": {"type": "integer"}}}
WORDS: Json = {"type": "object", "properties": {"n": {"type": "string"}}}
OURS = {"L-TOOL-18", "L-TOOL-19"}


class Conversation(Written):
    """A session that lists and calls tools."""

    def __init__(self, transcript: Transcript | None = None) -> None:
        super().__init__(transcript)
        self.sweep = BackgroundValidator(self.transcript, V2025_11_25)
        self._id = 0

    def exchange(self, method: str, params: JsonObject, answer: JsonObject) -> int:
        self._id += 1
        self.sent(request(self._id, method, params))
        return self.received(result(self._id, answer))

    def list(self, schemas: dict[str, Json], cursor: str = "", following: str = "") -> int:
        tools: list[Json] = [tool(name, schema) for name, schema in schemas.items()]
        more: JsonObject = {"nextCursor": following} if following else {}
        return self.exchange(
            "tools/list", {"cursor": cursor} if cursor else {}, {"tools": tools, **more}
        )

    def call(self, structured: Json, name: str = "a", **more: Json) -> int:
        answer = {"content": text(), "structuredContent": structured, **more}
        return self.exchange("tools/call", {"name": name}, answer)

    def broken(self, number: int) -> list[str]:
        self.judge()
        return [rule for rule in self.rules(number) if rule in OURS]

    def state(self, number: int) -> OutputState | None:
        self.judge()
        outcome = self.sweep.results.of(number)
        return outcome.state if outcome is not None else None

    def judge(self) -> None:
        validate_all(self.sweep)


def tool(name: str, schema: Json) -> JsonObject:
    listed: JsonObject = {"name": name, "inputSchema": {"type": "object"}}
    return listed if schema is None else {**listed, "outputSchema": schema}


def text() -> Json:
    return [{"type": "text", "text": "x"}]


def test_a_result_that_breaks_the_listed_schema_is_found_about_its_frame() -> None:
    """L-TOOL-19, C-TOOL-10."""
    talk = Conversation()
    talk.list({"a": NUMBER})
    wrong, right = talk.call({"n": "x"}), talk.call({"n": 1})

    assert talk.broken(wrong) == ["L-TOOL-19"]
    assert talk.broken(right) == []
    assert talk.state(right) is OutputState.VALID


def test_a_result_without_the_structured_content_of_its_schema_is_found() -> None:
    """L-TOOL-18."""
    talk = Conversation()
    talk.list({"a": NUMBER})
    number = talk.exchange("tools/call", {"name": "a"}, {"content": text()})

    assert talk.broken(number) == ["L-TOOL-18"]


def test_without_a_list_before_the_call_there_is_no_verdict() -> None:
    """Ours: what is listed later is no promise about what was called before."""
    talk = Conversation()
    before = talk.call({"n": "x"})
    talk.list({"a": NUMBER})
    other = talk.call({"n": "x"}, "b")

    assert talk.broken(before) == talk.broken(other) == []
    assert talk.state(before) is talk.state(other) is OutputState.UNKNOWN


def test_the_list_that_counts_is_the_latest_before_the_call() -> None:
    """Ours: a list that came while the call ran is not meant."""
    talk = Conversation()
    talk.list({"a": NUMBER})
    talk.sent(request("c", "tools/call", {"name": "a"}))
    talk.list({"a": WORDS})
    number = talk.received(result("c", {"content": text(), "structuredContent": {"n": "x"}}))

    assert talk.broken(number) == ["L-TOOL-19"]
    assert talk.broken(talk.call({"n": "x"})) == []


def test_a_tool_of_any_page_is_known_and_the_old_list_counts_until_the_last_page() -> None:
    """Ours."""
    talk = Conversation()
    talk.list({"a": NUMBER}, following="2")
    talk.list({"b": NUMBER}, cursor="2")
    assert talk.broken(talk.call({"n": "x"})) == ["L-TOOL-19"]
    assert talk.broken(talk.call({"n": "x"}, "b")) == ["L-TOOL-19"]

    talk.list({"a": WORDS}, following="2")
    assert talk.broken(talk.call({"n": "x"})) == []
    assert talk.broken(talk.call({"n": "x"}, "b")) == ["L-TOOL-19"]

    talk.list({"c": NUMBER}, cursor="2")
    assert talk.state(talk.call({"n": "x"}, "b")) is OutputState.UNKNOWN


def test_two_tools_of_one_name_with_different_schemas_give_no_verdict() -> None:
    """Ours: the server decides which one is called."""
    talk = Conversation()
    both: list[Json] = [tool("a", NUMBER), tool("a", WORDS)]
    talk.exchange("tools/list", {}, {"tools": both})

    assert talk.state(talk.call({"n": "x"})) is OutputState.UNKNOWN


def test_the_result_of_a_task_is_validated_as_that_of_its_call() -> None:
    """L-TOOL-19: it comes as the response to another request."""
    talk = Conversation()
    talk.list({"a": NUMBER})
    task: Json = {"taskId": "t1", "status": "working", "ttl": None}
    talk.exchange("tools/call", {"name": "a", "task": {}}, {"task": task})
    answer: JsonObject = {"content": text(), "structuredContent": {"n": "x"}}

    number = talk.exchange("tasks/result", {"taskId": "t1"}, answer)
    other = talk.exchange("tasks/result", {"taskId": "t2"}, answer)

    assert talk.broken(number) == ["L-TOOL-19"]
    assert talk.broken(other) == []


@pytest.mark.parametrize("is_announced", [True, False])
def test_the_result_inside_a_task_is_validated_at_its_place(is_announced: bool) -> None:
    """L-TOOL-19: the extension has it inside the task."""
    talk = Conversation()
    talk.sweep.settings.revision = NEWEST
    talk.list({"a": NUMBER})
    task: JsonObject = {"resultType": "task", "taskId": "t1", "status": "working"}
    talk.exchange("tools/call", {"name": "a"}, task)
    done: JsonObject = {
        "taskId": "t1",
        "status": "completed",
        "result": {"content": text(), "structuredContent": {"n": "x"}},
    }

    if is_announced:
        number = talk.received(notification("notifications/tasks", done))
    else:
        number = talk.exchange("tasks/get", {"taskId": "t1"}, {"resultType": "complete", **done})

    assert talk.broken(number) == ["L-TOOL-19"]
    places = [finding.pointer for finding in talk.transcript.findings(number)]
    outer = "/params" if is_announced else "/result"
    assert f"{outer}/result/structuredContent/n" in places


def test_a_question_before_the_result_is_not_taken_for_it() -> None:
    """Ours."""
    talk = Conversation()
    talk.sweep.settings.revision = NEWEST
    talk.list({"a": NUMBER})
    number = talk.exchange("tools/call", {"name": "a"}, {"resultType": "input_required"})

    assert talk.broken(number) == []


async def test_large_content_is_validated_in_a_thread_and_counts_as_waiting_until_then() -> None:
    """Ours: nothing else waits for it, and what is shown says so."""
    talk = Conversation()
    talk.list({"a": {"properties": {"days": {"items": {"type": "integer"}}}}})
    number = talk.call({"days": [*range(AT_ONCE), "Monday"]})
    seen: list[int] = []
    talk.sweep.results.validated.subscribe(seen.append)

    await talk.sweep.finish()

    assert seen == [number]
    assert talk.broken(number) == ["L-TOOL-19"]


def test_structured_content_beside_a_large_image_is_validated() -> None:
    """Ours: the message as a whole is too large for the other rules."""
    talk = Conversation()
    talk.list({"a": NUMBER})
    image: Json = {"type": "image", "mimeType": "image/png", "data": "A" * (SIZE_LIMIT + 4)}
    number = talk.exchange(
        "tools/call", {"name": "a"}, {"content": [image], "structuredContent": {"n": "x"}}
    )

    assert talk.broken(number) == ["L-TOOL-19"]


def test_too_much_of_it_is_not_validated_and_that_is_told() -> None:
    """Ours: the validator lets nothing else run."""
    talk = Conversation()
    talk.list({"a": NUMBER})
    number = talk.call({"n": "x" * (MAX_WEIGHT + 1)})

    assert talk.state(number) is OutputState.NOT_VALIDATED
    assert "not-judged" in talk.rules(number)
    assert talk.transcript.counts.problems == 0


async def test_a_recording_tells_the_same(tmp_path: Path) -> None:
    """L-TOOL-19: the verdict is made of the frames alone."""
    path = tmp_path / "a.spyglass"
    talk = Conversation(Transcript.create(path))
    talk.list({"a": NUMBER})
    number = talk.call({"n": "x"})
    await talk.transcript.aclose()

    recording = await OpenedRecording.open(path)
    await recording.load()
    recording.sweep.settings.revision = V2025_11_25
    await recording.sweep.finish()

    found = [finding.rule for finding in recording.transcript.findings(number)]
    assert "L-TOOL-19" in found
    await recording.aclose()


def test_a_call_of_a_tool_that_is_not_listed_is_found_once_the_list_is_whole() -> None:
    """Ours: the first thing to look at when a call is refused."""
    talk = Conversation()
    talk.list({"a": None}, following="2")
    early = talk.call({}, "b") - 1
    talk.list({"c": None}, cursor="2")
    late, listed = talk.call({}, "b") - 1, talk.call({}, "c") - 1
    talk.judge()

    assert "unlisted-tool" not in talk.rules(early)
    assert "unlisted-tool" in talk.rules(late)
    assert "unlisted-tool" not in talk.rules(listed)


def test_an_unknown_tool_must_be_answered_by_an_error_of_its_own_code() -> None:
    """L-TOOL-27."""
    talk = Conversation()
    talk.list({"a": None})
    as_result = talk.call({}, "b", isError=True)
    talk.sent(request("x", "tools/call", {"name": "b"}))
    other_code = talk.received(error("x", -32603, "Unknown tool: b"))
    talk.sent(request("y", "tools/call", {"name": "b"}))
    right = talk.received(error("y", -32602, "Unknown tool: b"))
    talk.sent(request("z", "tools/call", {"name": "b"}))
    another = talk.received(error("z", -32603, "the disk is full"))
    listed = talk.call({}, "a", isError=True)
    talk.judge()

    assert "L-TOOL-27" in talk.rules(as_result)
    assert "L-TOOL-27" in talk.rules(other_code)
    assert not any("L-TOOL-27" in talk.rules(number) for number in (right, another, listed))
