"""Answers to tools/call, and the blocks in them."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from inspector.finding import Severity
from inspector.spec.revision import V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28
from inspector.spec.views.call_result import CallToolResultView
from inspector.spec.views.content import (
    ContentView,
    EmbeddedResource,
    MediaContent,
    ResourceLink,
    TextContent,
    ToolResult,
    ToolUse,
    content,
)
from inspector.spec.views.resource import ReadResult

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json


def rules(view: CallToolResultView) -> list[str]:
    """Rules of all findings."""
    return [finding.rule for finding in view.findings]


def test_a_result_of_structured_content_only_is_not_empty() -> None:
    """Corpus: result-01-structured-only."""
    raw: Json = {"content": [], "structuredContent": {"rows": [{"k": 1}], "count": 12}}

    view = CallToolResultView(raw, revision=V2025_11_25)

    assert view.has_structured
    assert view.structured == {"rows": [{"k": 1}], "count": 12}
    assert not view.is_empty
    assert rules(view) == ["L-TOOL-21"]


def test_an_old_wrapper_without_content_is_noted_and_kept() -> None:
    """Corpus: result-04-content-missing-old-shape."""
    raw: Json = {"toolResult": {"content": [{"type": "text", "text": "hi"}]}}

    view = CallToolResultView(raw, revision=V2025_11_25)

    assert rules(view) == ["L-TOOL-23"]
    assert view.unknown == raw


def test_text_blocks_without_text_are_malformed_and_the_last_one_is_read() -> None:
    """Corpus: result-05-text-without-text."""
    blocks: Json = [
        {"type": "text"},
        {"type": "text", "text": None},
        {"type": "text", "text": "last"},
    ]

    view = CallToolResultView({"content": blocks}, revision=V2025_11_25)

    assert [block.is_malformed for block in view.content] == [True, True, False]
    assert [note.pointer for note in view.findings] == [
        "/result/content/0/text",
        "/result/content/1/text",
    ]
    assert isinstance(view.content[2], TextContent)
    assert view.content[2].body == "last"


def test_empty_text_is_text() -> None:
    """Corpus: result-23-whitespace-exact."""
    block = content({"type": "text", "text": ""})

    assert isinstance(block, TextContent)
    assert not block.is_malformed
    assert block.notes == []


def test_sparse_resource_links_are_read_with_their_scheme() -> None:
    """Corpus: result-07-resource-link."""
    links = [
        content({"type": "resource_link", "uri": uri, "name": "x"}, "", V2025_11_25)
        for uri in ("demo://doc/1", "https://files.test/a.png", "javascript:alert(1)", "none")
    ]

    found = [link for link in links if isinstance(link, ResourceLink)]
    assert [link.scheme for link in found] == ["demo", "https", "javascript", ""]
    assert [link.label for link in found] == ["x"] * 4


def test_sparse_embedded_resources_are_read_as_far_as_they_go() -> None:
    """Corpus: result-08-embedded-sparse."""
    raws: list[Json] = [
        {"type": "resource", "resource": {"text": "plain"}},
        {"type": "resource", "resource": {"uri": "demo://b", "blob": "aGVsbG8="}},
        {"type": "resource", "resource": {"uri": "urn:x:1", "mimeType": "a/b", "blob": "AAECAw=="}},
        {"type": "resource"},
    ]
    blocks = [content(raw, "", V2025_11_25) for raw in raws]

    found = [block for block in blocks if isinstance(block, EmbeddedResource)]
    assert [block.is_malformed for block in found] == [False, False, False, True]
    assert [block.resource.size for block in found[:3]] == [5, 5, 4]
    assert found[1].resource.decode().data == b"hello"
    assert [note.summary for note in found[0].notes] == ["`uri` is missing"]
    assert [note.summary for note in found[3].notes] == ["`resource` is missing"]


@pytest.mark.parametrize(
    ("data", "decoded", "problem"),
    [
        ("aGVsbG8=", b"hello", ""),
        ("data:image/png;base64,aGVsbG8=", b"hello", "`data:` prefix"),
        ("https://img.test/a.png", None, "a URL, not base64"),
        ("aGVs bG8", b"hello", "not standard base64"),
        ("_-_-", b"\xff\xef\xfe", "not standard base64"),
        ("???", None, "not valid base64"),
        ("é", None, "not valid base64"),
        ("", b"", ""),
    ],
)
def test_base64_is_decoded_with_words_about_what_is_wrong(
    data: str, decoded: bytes | None, problem: str
) -> None:
    """Corpus: result-11-image-data-url; nothing is fetched."""
    block = content({"type": "image", "mimeType": "image/png", "data": data})

    assert isinstance(block, MediaContent)
    found = block.decode()
    assert found.data == decoded
    assert problem in found.problem
    assert bool(found.problem) == bool(problem)


PNG = b"\x89PNG\r\n\x1a\n" + bytes(3) + b"\x01IDATx\x76\xe6\x84\xe6" + bytes(4)
END_OF_PNG = b"IEND\xaeB`\x82"
WHOLE_PNG = PNG + END_OF_PNG
JPEG = b"\xff\xd8\xff\xe1\0\x04\xff\xd9\xff\xc2\0\x02\xff\xda\0\x02ab\xff\0%b\xff\xd9"
"""An image with an end of another one in it: %b is among its pixels."""
WAVE = b"RIFF\x1c\0\0\0WAVE" + bytes(24)


def media_rules(media_type: str, raw: bytes) -> list[str]:
    """The rules that an image, and the blob of a resource, of these bytes break."""
    data = base64.b64encode(raw).decode()
    image = content({"type": "image", "mimeType": media_type, "data": data}, "", V2025_11_25)
    blob = ReadResult({"contents": [{"uri": "x:1", "mimeType": media_type, "blob": data}]})
    found = [
        {note.rule for note in notes} & {"L-TOOL-43", "media-ends-early", "media-damaged"}
        for notes in (image.notes, blob.findings)
    ]
    assert found[0] == found[1]
    return sorted(found[0])


@pytest.mark.parametrize(
    ("media_type", "raw", "rules"),
    [
        ("image/jpeg", WHOLE_PNG, ["L-TOOL-43"]),
        ("image/png", b"\xff\xd8\xff\xe0" + bytes(9) + b"\xff\xd9", ["L-TOOL-43"]),
        ("text/plain", b"%PDF-1.4\n%%EOF", ["L-TOOL-43"]),
        ("image/png", PNG, ["media-ends-early"]),
        ("image/png", WHOLE_PNG.replace(b"x", b"y"), ["media-damaged"]),
        ("image/png", WHOLE_PNG.replace(b"IDAT", b"iDAT"), []),
        ("image/png", WHOLE_PNG + b"x", []),
        ("image/png", WHOLE_PNG.replace(b"x", b""), ["media-damaged"]),
        ("image/jpeg", JPEG % b"c\xff\xd0d\xff\xd1", []),
        ("image/jpeg", JPEG % b"c\xff\xd0d\xff\xff\xd3", ["media-damaged"]),
        ("image/jpeg", JPEG % b"c\xff\x41", ["media-damaged"]),
        ("image/jpeg", (JPEG % b"c\xff\x41").replace(b"\xc2", b"\xf7"), []),
        ("image/jpeg", (JPEG % b"c")[:-2], ["media-damaged"]),
        ("audio/wav", WAVE[:-1], ["media-ends-early"]),
        ("image/png", WHOLE_PNG, []),
        ("IMAGE/X-PNG; q=1", WHOLE_PNG, []),
        ("audio/vnd.wave", WAVE, []),
        ("application/octet-stream", WHOLE_PNG, []),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", b"PK\x03\x04", []),
        ("audio/mp4", b"\0\0\0\x18ftypM4A ", []),
        ("image/png", b"\0\0\0", []),
        ("image/png", b"<html>Not found</html>", ["L-TOOL-43"]),
        ("image/bmp", b"<html>Not found</html>", []),
        ("", WHOLE_PNG, []),
    ],
)  # fmt: skip
def test_bytes_are_what_they_are_called_and_whole(
    media_type: str, raw: bytes, rules: list[str]
) -> None:
    """L-TOOL-43: known by the first bytes; containers hold many other types."""
    assert media_rules(media_type, raw) == rules


def test_large_media_are_judged_by_their_two_ends() -> None:
    """L-TOOL-43."""
    body = bytes(3_000_000)
    assert media_rules("image/png", PNG + body + END_OF_PNG) == []
    assert media_rules("image/png", PNG + body) == ["media-ends-early"]


def test_audio_of_odd_types_keeps_its_data_and_size() -> None:
    """Corpus: result-13-audio."""
    wave, unknown, bare = (
        content({"type": "audio", "data": "AAAA", **more}, "", V2025_11_25)
        for more in ({"mimeType": "audio/wav"}, {"mimeType": "audio/unknown"}, {})
    )

    assert all(
        isinstance(block, MediaContent) and block.size == 3 for block in (wave, unknown, bare)
    )
    assert [note.summary for note in bare.notes] == ["`mimeType` is missing"]
    assert wave.notes == unknown.notes == []


@pytest.mark.parametrize(
    ("value", "expected", "noted"),
    [
        (True, True, 0),
        (False, False, 0),
        ("true", True, 1),
        (1, True, 1),
        (None, False, 1),
        ("", False, 1),
    ],
)
def test_is_error_of_any_type_is_read_for_what_was_meant(
    value: Json, expected: bool, noted: int
) -> None:
    """Corpus: result-26-error-forms, variant 3."""
    view = CallToolResultView({"content": [{"type": "text", "text": "?"}], "isError": value})

    assert view.is_error is expected
    assert len(view.notes) == noted


def test_an_error_with_structured_content_of_another_shape_keeps_both() -> None:
    """Corpus: result-14-error-with-structured-mismatch."""
    raw: Json = {
        "isError": True,
        "content": [{"type": "text", "text": "needs the keeper role"}],
        "structuredContent": {"error": {"code": "E_ROLE"}},
    }

    view = CallToolResultView(raw, revision=V2025_11_25)

    assert view.is_error
    assert view.structured == {"error": {"code": "E_ROLE"}}
    assert view.findings == ()


def test_structured_null_is_not_absent_and_any_value_is_allowed_in_the_stateless_era() -> None:
    """Corpus: result-29-structured-non-object."""
    raws: list[Json] = [["a"], None, "x"]
    views = [
        CallToolResultView(
            {"resultType": "complete", "content": [], "structuredContent": each},
            revision=V2026_07_28,
        )
        for each in raws
    ]

    assert [view.structured for view in views] == raws
    assert all(view.has_structured for view in views)
    assert [rules(view) for view in views] == [["L-TOOL-22"]] * 3
    assert not CallToolResultView({"content": []}).has_structured


def test_structured_content_must_be_an_object_before() -> None:
    """C-TOOL-20; source: schema of 2025-06-18, CallToolResult."""
    assert rules(
        CallToolResultView({"content": [], "structuredContent": [1]}, revision=V2025_06_18)
    ) == [
        "L-TOOL-20",
        "L-TOOL-21",
    ]
    assert rules(
        CallToolResultView({"content": [], "structuredContent": {}}, revision=V2025_03_26)
    ) == ["L-JR-34"]


def test_blocks_of_any_shape_stay_in_their_place() -> None:
    """Ours: views never lose an item."""
    items: list[Json] = [7, None, {"type": 3}, {"type": "video", "x": 1}, {}, ["text"]]

    view = CallToolResultView({"content": items}, revision=V2025_11_25)

    assert [block.raw for block in view.content] == items
    assert [block.is_malformed for block in view.content] == [True, True, True, False, True, True]
    assert view.content[3].unknown == {"x": 1}
    assert "L-TOOL-44" in rules(view)


def test_content_that_is_no_list_is_noted_and_kept() -> None:
    """Ours."""
    view = CallToolResultView({"content": {"type": "text", "text": "hi"}}, revision=V2025_11_25)

    assert view.content == ()
    assert view.value("content") == {"type": "text", "text": "hi"}
    assert view.notes[0].summary == "`content` must be an array, not an object"


def test_a_type_of_a_later_revision_is_read_and_noted() -> None:
    """Source: the table of content types."""
    block = content({"type": "audio", "data": "AAAA", "mimeType": "audio/x"}, "", V2025_06_18)
    early = content({"type": "resource_link", "uri": "a:b", "name": "x"}, "", V2025_03_26)

    assert isinstance(early, ResourceLink)
    assert block.notes == []
    assert early.notes[0].summary == "content type 'resource_link' was added in 2025-06-18"


def test_sampling_blocks_do_not_belong_into_tool_results() -> None:
    """Source: client/sampling; server/tools."""
    use: Json = {"type": "tool_use", "id": "1", "name": "t", "input": {}}

    assert isinstance(content(use), ToolUse)
    assert rules(CallToolResultView({"content": [use]}, revision=V2025_11_25)) == ["L-TOOL-44"]


def test_a_tool_result_holds_blocks_but_no_tool_results() -> None:
    """Source: client/sampling, "Tool Result Messages"; ours: nesting ends."""
    inner: Json = {"type": "tool_result", "toolUseId": "1", "content": []}
    text: Json = {"type": "text", "text": "x"}

    block = content({"type": "tool_result", "toolUseId": "2", "content": [text, inner]})

    assert isinstance(block, ToolResult)
    assert isinstance(block.content[0], TextContent)
    assert type(block.content[1]) is ContentView


def test_questions_and_tasks_are_no_answers() -> None:
    """Source: basic/patterns/mrtr; basic/utilities/tasks; the tasks extension."""
    asks = CallToolResultView(
        {"resultType": "input_required", "requestState": "s"}, revision=V2026_07_28
    )
    core = CallToolResultView({"task": {"taskId": "1", "status": "working"}}, revision=V2025_11_25)
    flat = CallToolResultView({"resultType": "task", "taskId": "2"}, revision=V2026_07_28)

    assert asks.is_input_required
    assert not asks.findings
    assert core.task is not None
    assert (core.task.id, core.task.status) == ("1", "working")
    assert flat.task is not None
    assert flat.task.id == "2"
    assert not any(each.is_complete for each in (asks, core, flat))


def test_an_entirely_empty_result_is_mentioned() -> None:
    """Ours, L-TOOL-24."""
    view = CallToolResultView({"content": []}, revision=V2025_11_25)

    assert view.is_empty
    assert [note.severity for note in view.notes] == [Severity.INFO]


@pytest.mark.parametrize("content", ["hello", {"type": "text"}, 0, None])
def test_content_that_is_no_list_is_unusable_and_not_empty(content: Json) -> None:
    """Ours: two statements that contradict each other help nobody."""
    view = CallToolResultView({"content": content}, revision=V2025_11_25)

    assert not view.is_empty
    assert "L-TOOL-24" not in {note.rule for note in view.notes}


@pytest.mark.parametrize("contents", ["hello", {"uri": "a:1"}, 0, None])
def test_contents_that_are_no_list_are_unusable_and_not_empty(contents: Json) -> None:
    """Ours, beside C-RES-10: contents that came are never called none."""
    rules = {note.rule for note in ReadResult({"contents": contents}, revision=V2025_11_25).notes}

    assert rules
    assert "L-RES-10" not in rules
    assert {note.rule for note in ReadResult({"contents": []}).notes} == {"L-RES-10"}


def test_annotations_inside_an_embedded_resource_count_unless_the_block_has_its_own() -> None:
    """Source: server/tools, the example beside the schema."""
    inner: Json = {"uri": "a:b", "text": "", "annotations": {"priority": 1}}

    one = content({"type": "resource", "resource": inner})
    both = content({"type": "resource", "resource": inner, "annotations": {"priority": 0.5}})

    assert (one.annotations.priority, both.annotations.priority) == (1, 0.5)
