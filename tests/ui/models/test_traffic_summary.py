"""What a frame is about, in one line; ours, and the corpus where it says."""

from __future__ import annotations

from time import thread_time

import pytest

from inspector.wire.frame import Channel
from inspector.wire.message import Message, MessageKind, decode_frame, read
from ui.models.traffic_summary import MAX_TEXT, about

CASES: list[tuple[str, bytes, str]] = [
    (
        "tools/call",
        b'{"id":1,"method":"tools/call","params":{"name":"get_sum","arguments":{"a":1.50}}}',
        'get_sum {"a":1.50}',
    ),
    ("tools/call", b'{"id":1,"method":"tools/call","params":{"name":"echo"}}', "echo"),
    ("tools/list", b'{"id":1,"method":"tools/list"}', ""),
    ("tools/list", b'{"id":1,"method":"tools/list","params":{"_meta":{"progressToken":1}}}', ""),
    ("x/y", b'{"id":1,"method":"x/y","params":[1,2]}', "[1,2]"),
    ("resources/read", b'{"id":1,"method":"resources/read","params":{"uri":"a://b"}}', "a://b"),
    (
        "initialize",
        b'{"id":1,"result":{"protocolVersion":"r","serverInfo":{"name":"s","version":"2"}}}',
        "s 2 · r",
    ),
    ("tools/call", b'{"id":1,"result":{"content":[{"type":"text","text":"a\\nb"}]}}', "a↵b"),
    ("tools/call", b'{"id":1,"result":{"content":[],"structuredContent":{"n":1}}}', '{"n":1}'),
    (
        "tools/call",
        b'{"id":1,"result":{"content":[{"type":"image","mimeType":"image/png","data":"aGVsbG8gd29ybGQ="}]}}',
        "image/png, 11 B",
    ),
    (
        "tools/list",
        b'{"id":1,"result":{"tools":[{"name":"a"},{"name":"b"},3]}}',
        "3 tools: a, b",
    ),
    (
        "resources/templates/list",
        b'{"id":1,"result":{"resourceTemplates":[{"name":"a"}]}}',
        "1 resource template: a",
    ),
    ("ping", b'{"id":1,"result":{}}', ""),
    ("ping", b'{"id":1,"result":null}', "null"),
    ("ping", b'{"id":1,"error":{"code":-1,"message":"no","data":{"x":1}}}', 'code -1 no · {"x":1}'),
    ("ping", b'{"id":1,"error":"just text"}', '"just text"'),
    (
        "notifications/message",
        b'{"method":"notifications/message","params":{"level":"info","logger":"db","data":"up"}}',
        "info db: up",
    ),
    (
        "notifications/progress",
        b'{"method":"notifications/progress","params":{"progress":3,"total":10,"message":"m"}}',
        "3/10 m",
    ),
    (
        "notifications/cancelled",
        b'{"method":"notifications/cancelled","params":{"requestId":"7","reason":"r"}}',
        'request "7": r',
    ),
    (
        "notifications/tools/list_changed",
        b'{"method":"notifications/tools/list_changed","params":{"_meta":{"x/y":1}}}',
        "tools list",
    ),
    (
        "notifications/prompts/list_changed",
        b'{"method":"notifications/prompts/list_changed","params":{"why":"new"}}',
        '{"why":"new"}',
    ),
    ("", b'[{"id":1,"method":"ping"},{"id":2,"result":{}}]', "2 messages: ping, response"),
    ("tasks/get", b'{"id":1,"method":"tasks/get","params":{"taskId":"t-1"}}', "t-1"),
    (
        "tasks/get",
        b'{"id":1,"result":{"taskId":"t-1","status":"working","statusMessage":"at it"}}',
        "t-1 · working at it",
    ),
    (
        "tools/call",
        b'{"id":1,"result":{"task":{"taskId":"t-1","status":"working"}}}',
        "t-1 · working",
    ),
    (
        "notifications/tasks/status",
        b'{"method":"notifications/tasks/status","params":{"taskId":"t-1","status":"failed"}}',
        "t-1 · failed",
    ),
    ("tasks/get", b'{"id":1,"method":"tasks/get","params":{"odd":1}}', '{"odd":1}'),
    (
        "tools/list",
        b'{"id":1,"method":"tools/list","params":{"cursor":"p2"}}',
        "next page, cursor p2",
    ),
    (
        "tools/list",
        b'{"id":1,"result":{"tools":[{"name":"hi"}],"nextCursor":"p2"}}',
        "1 tool: hi · more pages",
    ),
    ("", b"[]", "empty batch"),
    ("", b"", "empty line"),
    ("", b"hello", "not JSON: Expecting value at character 1 · hello"),
]


@pytest.mark.parametrize(("method", "raw", "text"), CASES)
def test_a_frame_is_summed_up(method: str, raw: bytes, text: str) -> None:
    """Ours: ux "Traffic", the column *about*."""
    assert about(read(raw), method) == text


def test_a_line_on_standard_error_is_shown_without_escapes() -> None:
    """Ours."""
    assert about(Message(MessageKind.STDERR, b"\x1b[31mred\x1b[0m\ttab"), "") == "red⇥tab"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b": ping\n\n", ": ping"),
        (b"\n" * 9_000, "9,000 empty lines"),
        (b"\r\n\r\n", "2 empty lines"),
    ],
)
def test_an_event_without_a_message_is_summed_up_by_its_lines(raw: bytes, text: str) -> None:
    """Ours."""
    assert about(decode_frame(Channel.SSE, raw), "") == text


def test_hostile_text_stays_one_visible_line() -> None:
    """text-01-bidi-and-invisible."""
    raw = b'{"id":1,"method":"tools/call","params":{"name":"a\\u202eb\\u0000\\n\\u200b"}}'

    assert about(read(raw), "tools/call") == "a⟨U+202E⟩b⟨NUL⟩↵⟨U+200B⟩"


def test_a_family_of_emoji_is_not_cut_apart() -> None:
    """text-02-rtl-and-emoji."""
    family = "👨\u200d👩\u200d👧\u200d👦"
    raw = ("x" * (MAX_TEXT - 2) + family).encode()

    assert about(Message(MessageKind.STDERR, raw), "").rstrip("…x") == ""


def _tools(count: int) -> bytes:
    tools = b",".join(b'{"name":"t%d","description":"%b"}' % (i, b"x" * 400) for i in range(count))
    return b'{"jsonrpc":"2.0","id":1,"result":{"tools":[%b],"nextCursor":"p"}}' % tools


LARGE_CASES: list[tuple[str, bytes, str]] = [
    ("tools/list", _tools(400), "400 tools: t0, t1, t2, t3, t4, t5, t6, t7 · more pages"),
    ("tools/list", _tools(4000), "4,000 tools: t0, t1, t2, t3, t4, t5, t6, t7 · more pages"),
    (
        "tools/call",
        b'{"id":1,"method":"tools/call","params":{"name":"put","arguments":{"n":1,"x":"%b"}}}'
        % (b"y" * 100_000),
        'put {"n":1,"x":"yyy',
    ),
    (
        "tools/call",
        b'{"id":1,"result":{"content":[{"type":"image","mimeType":"image/png","data":"%b"}]}}'
        % (b"A" * 400_000),
        "image/png, 300.0 kB",
    ),
    ("ping", b'{"id":1,"error":{"code":-1,"message":"%b"}}' % (b"no " * 50_000), "code -1 no no"),
    (
        "notifications/message",
        b'{"method":"notifications/message","params":{"level":"info","data":"%b"}}'
        % (b"line " * 50_000),
        "info: line line",
    ),
    ("x/y", b'{"id":1,"result":{"a":1,"b":{"c":"%b"}}}' % (b"z" * 100_000), '{"a":1,"b":{"c":"zz'),
    ("", b"[" + b'{"id":1,"method":"ping"},' * 4_000 + b"1]", "4,001 messages: ping, ping"),
]


@pytest.mark.parametrize(("method", "raw", "text"), LARGE_CASES, ids=lambda case: str(case)[:30])
def test_a_large_body_is_summed_up_as_a_small_one(method: str, raw: bytes, text: str) -> None:
    """Ours: what is large is read where it is looked at."""
    assert about(read(raw), method).startswith(text)


HUGE_CASES: list[tuple[str, bytes, str]] = [
    ("tools/list", _tools(30_000), "tools: t0, t1, t2, t3, t4, t5, t6, t7, …"),
    (
        "tools/call",
        b'{"id":1,"result":{"content":[{"type":"text","text":"%b"}]}}' % (b"word " * 2_000_000),
        "word word",
    ),
    (
        "resources/read",
        b'{"id":1,"result":{"contents":[{"mimeType":"a/b","blob":"%b"}]}}' % (b"A" * 9_000_000),
        "a/b",
    ),
    ("tools/call", b'{"id":1,"result":{"content":[' + b"1," * 5_000_000 + b"1]}}", "1"),
    (
        "tools/list",
        b'{"id":1,"result":{"tools":[%b1]}}' % (b"1," * 3_000_000),
        "tools",
    ),
    (
        "x/y",
        b'{"id":"%b","result":{"late":1}}' % (b"i" * 9_000_000),
        '{"id":"iiii',
    ),
]


@pytest.mark.parametrize(("method", "raw", "text"), HUGE_CASES, ids=lambda case: str(case)[:30])
def test_of_a_huge_body_the_beginning_is_summed_up(method: str, raw: bytes, text: str) -> None:
    """Ours: a row costs the same whatever the frame holds, so nothing is counted that is not seen."""
    message = read(raw)
    begin = thread_time()

    shown = about(message, method)

    assert shown.startswith(text)
    assert thread_time() - begin < 0.5


@pytest.mark.parametrize(
    "value", ["null", "1", '"x"', "[]", "{}", "[[[]]]", '{"content":7}', '{"text":{}}']
)
@pytest.mark.parametrize(
    "method",
    ["tools/call", "prompts/get", "resources/read", "initialize", "completion/complete"],
)
def test_whatever_the_shape_something_is_said(method: str, value: str) -> None:
    """Ours: tolerant, for params and results alike."""
    about(read(f'{{"id":1,"method":"{method}","params":{value}}}'.encode()), method)
    about(read(f'{{"id":1,"result":{value}}}'.encode()), method)
    about(read(f'{{"id":1,"error":{value}}}'.encode()), method)


@pytest.mark.parametrize(
    "method",
    ["notifications/message", "notifications/progress", "notifications/cancelled", "x"],
)
@pytest.mark.parametrize("value", ["null", "1", "[]", "{}", '{"data":[[]],"progress":{}}'])
def test_notifications_of_any_shape_are_summed_up(method: str, value: str) -> None:
    """Ours."""
    about(read(f'{{"method":"{method}","params":{value}}}'.encode()), method)


def test_what_is_nested_beyond_all_measure_is_summed_up() -> None:
    """Ours."""
    deep = "[" * 3000 + "]" * 3000

    assert about(read(f'{{"id":1,"result":{deep}}}'.encode()), "x") != ""
