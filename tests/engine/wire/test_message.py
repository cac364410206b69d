"""Frames read as JSON-RPC."""

from __future__ import annotations

import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.wire import batch, json_codec
from inspector.wire.frame import Channel
from inspector.wire.json_codec import RawNumber
from inspector.wire.message import (
    ABSENT,
    Absent,
    MaybeJson,
    MessageKind,
    decode_frame,
    or_null,
    read,
)
from tests.support.json_texts import FOREIGN, NEARLY_MESSAGES, quick

TABLE: list[tuple[bytes, MessageKind, MaybeJson, str]] = [
    (b'{"jsonrpc":"2.0","id":1,"method":"ping"}', MessageKind.REQUEST, 1, "ping"),
    (b'{"jsonrpc":"2.0","id":"1","method":"ping"}', MessageKind.REQUEST, "1", "ping"),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', MessageKind.REQUEST, None, "ping"),
    (b'{"id":[1],"method":"m"}', MessageKind.REQUEST, [1], "m"),
    (
        b'{"jsonrpc":"2.0","method":"notifications/x"}',
        MessageKind.NOTIFICATION,
        ABSENT,
        "notifications/x",
    ),
    (b'{"method":""}', MessageKind.NOTIFICATION, ABSENT, ""),
    (b'{"jsonrpc":"2.0","id":0,"result":{}}', MessageKind.RESPONSE, 0, ""),
    (b'{"id":1,"result":null}', MessageKind.RESPONSE, 1, ""),
    (b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}', MessageKind.ERROR, 1, ""),
    (b'{"jsonrpc":"2.0","error":{"code":1,"message":""}}', MessageKind.ERROR, ABSENT, ""),
    (b'{"id":1,"result":{},"error":{}}', MessageKind.ERROR, 1, ""),
    (b'{"id":1,"result":{},"error":null}', MessageKind.RESPONSE, 1, ""),
    (b'{"id":1,"error": null ,"result":null}', MessageKind.RESPONSE, 1, ""),
    (b'{"id":1,"error":false,"result":{}}', MessageKind.RESPONSE, 1, ""),
    (b'{"id":1,"error":"","result":{}}', MessageKind.RESPONSE, 1, ""),
    (b'{"id":1,"error":[],"result":{}}', MessageKind.RESPONSE, 1, ""),
    (b'{"id":1,"error":"down","result":{}}', MessageKind.ERROR, 1, ""),
    (b'{"id":1,"error":false}', MessageKind.ERROR, 1, ""),
    (b'{"id":1,"result":{},"error":null,"method":null}', MessageKind.RESPONSE, 1, ""),
    (b'{"id":1,"result":"\xff","error":null}', MessageKind.RESPONSE, 1, ""),
    (b'{"id":1,"method":null,"error":{"code":1,"message":""}}', MessageKind.ERROR, 1, ""),
    (b'{"id":1,"result":null,"error":{"code":1,"message":""}}', MessageKind.ERROR, 1, ""),
    (b'{"id":1,"error":null}', MessageKind.ERROR, 1, ""),
    (b'{"id":1,"method":null}', MessageKind.MALFORMED, 1, ""),
    (b'[{"jsonrpc":"2.0","method":"a"}]', MessageKind.BATCH, ABSENT, ""),
    (b"[]", MessageKind.BATCH, ABSENT, ""),
    (b"[" + b"{}," * batch.MAX_BATCH + b"{}]", MessageKind.MALFORMED, ABSENT, ""),
    (b'{"jsonrpc":"2.0","method":7}', MessageKind.MALFORMED, ABSENT, ""),
    (b'{"jsonrpc":"2.0","id":4}', MessageKind.MALFORMED, 4, ""),
    (b"{}", MessageKind.MALFORMED, ABSENT, ""),
    (b"7", MessageKind.MALFORMED, ABSENT, ""),
    (b'"text"', MessageKind.MALFORMED, ABSENT, ""),
    (b"Listening on port 3000", MessageKind.MALFORMED, ABSENT, ""),
    (b"\xff\xfe\x00", MessageKind.MALFORMED, ABSENT, ""),
    (b"", MessageKind.BLANK_LINE, ABSENT, ""),
    (b"  \t\r", MessageKind.BLANK_LINE, ABSENT, ""),
    (b'  {"id":1,"method":"m"}  \r', MessageKind.REQUEST, 1, "m"),
    (b'\xef\xbb\xbf{"id":1,"method":"m"}', MessageKind.REQUEST, 1, "m"),
    (b'{"id":1,"method":"\xff"}', MessageKind.REQUEST, 1, "\ufffd"),
    (b'{"id":NaN,"method":"m"}', MessageKind.REQUEST, RawNumber("NaN"), "m"),
]


@pytest.mark.parametrize(("raw", "kind", "id_", "method"), TABLE)
def test_a_frame_is_one_kind_of_message(
    raw: bytes, kind: MessageKind, id_: MaybeJson, method: str
) -> None:
    """C-JR-01, C-JR-15; stdio-06, jsonrpc-04, jsonrpc-14."""
    message = read(raw)

    assert (message.kind, repr(message.id), message.method) == (kind, repr(id_), method)
    assert bool(message.problem) == (kind is MessageKind.MALFORMED)
    assert message.raw == raw


@quick
@given(FOREIGN)
def test_reading_never_raises_whatever_is_looked_at(raw: bytes) -> None:
    """Ours: what cannot be read is a message too."""
    message = read(raw)

    looked_at = (message.params, message.result, message.error, message.value, message.raw_params)

    assert repr(message.lazy_value) == repr(looked_at[3])
    assert all(member.raw for member in message.members)
    assert message.raw == raw


@quick
@given(NEARLY_MESSAGES)
def test_the_quick_look_and_the_whole_value_agree(raw: bytes) -> None:
    """Ours."""
    message = read(raw)

    value = message.value
    assert isinstance(value, dict)
    for name, member in (
        ("params", message.params),
        ("result", message.result),
        ("error", message.error),
    ):
        assert repr(member) == repr(value.get(name, ABSENT))


def test_a_message_that_needed_a_tolerance_is_not_read_again() -> None:
    """Ours: that may take half a minute."""
    message = read(b'{"jsonrpc":"2.0","id":1,"result":[NaN]}')

    value = message.lazy_value
    assert isinstance(value, dict)
    assert value["result"] is message.result


@pytest.mark.parametrize(
    ("spelled", "id_"),
    [
        ("1", 1),
        ('"1"', "1"),
        ("9007199254740993", 9007199254740993),
        ('"' + "x" * 5000 + '"', "x" * 5000),
    ],
)
def test_an_id_keeps_its_type_and_its_digits(spelled: str, id_: int | str) -> None:
    """C-JR-02; jsonrpc-01, jsonrpc-16."""
    message = read(b'{"jsonrpc":"2.0","id":%b,"method":"ping"}' % spelled.encode())

    assert message.id == id_
    assert type(message.id) is type(id_)
    assert json_codec.write(or_null(message.id)) == spelled


@pytest.mark.parametrize("spelled", ["1.0", "1e0", "-0"])
def test_an_id_that_is_no_plain_integer_keeps_its_spelling(spelled: str) -> None:
    """C-JR-02."""
    message = read(b'{"id":%b,"method":"ping"}' % spelled.encode())

    assert json_codec.write(or_null(message.id)) == spelled


def test_absent_null_and_empty_are_three_things() -> None:
    """Ours."""
    assert read(b'{"method":"m"}').params is ABSENT
    assert read(b'{"method":"m","params":null}').params is None
    assert read(b'{"method":"m","params":{}}').params == {}
    assert or_null(ABSENT) is None
    assert not Absent()


@pytest.mark.parametrize("many", [0, batch.MANY_COMMAS])
@pytest.mark.parametrize("last", [b'[{"id":2,"result":{}}]', b"NaN"])
def test_the_members_of_a_batch_are_messages_of_their_own(
    many: int, last: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-JR-10."""
    monkeypatch.setattr(batch, "MANY_COMMAS", many)
    message = read(b'[{"id":1,"result":{}}, {"method":"n","params":{"x":1.50}}, 7, %b]' % last)

    assert message.kind is MessageKind.BATCH
    assert [member.kind for member in message.members] == [
        MessageKind.RESPONSE,
        MessageKind.NOTIFICATION,
        MessageKind.MALFORMED,
        MessageKind.MALFORMED,
    ]
    assert message.members[1].raw == b'{"method":"n","params":{"x":1.50}}'


@pytest.mark.parametrize("many", [0, batch.MANY_COMMAS])
@pytest.mark.parametrize("last", [b'"x"', b"NaN"])
def test_of_a_batch_that_is_too_long_the_responses_are_known(
    many: int, last: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """JSON-RPC 2.0, section 6: the server did respond."""
    monkeypatch.setattr(batch, "MANY_COMMAS", many)
    message = read(b'[{"id":"a","result":{}},' + b"[[],1]," * batch.MAX_BATCH + last + b"]")

    assert message.kind is MessageKind.MALFORMED
    assert [each.id for each in message.within] == ["a"]


def test_unknown_members_stay_in_the_bytes_and_in_the_value() -> None:
    """C-JR-26; jsonrpc-12."""
    raw = b'{"jsonrpc":"2.0","id":1,"trace":"x","meta":{"a":1},"result":{"tools":[]}}'

    message = read(raw)

    assert message.kind is MessageKind.RESPONSE
    assert isinstance(message.value, dict)
    assert message.value["trace"] == "x"
    assert message.raw_result == b'{"tools":[]}'


@pytest.mark.parametrize("size", [100, 2_000_000])
def test_numbers_keep_their_spelling_in_small_and_in_large_messages(size: int) -> None:
    """Ours."""
    raw = b'{"id":1,"result":{"n":[1.50,1e3,12345678901234567890123,-0],"s":"%b"}}' % (b"x" * size)

    result = read(raw).result

    assert isinstance(result, dict)
    assert json_codec.write(result["n"]) == "[1.50,1e3,12345678901234567890123,-0]"


def test_a_deeply_nested_message_is_a_message_without_harm() -> None:
    """C-SEC-18."""
    for depth in (500, 800, 100_000):
        raw = b'[{"id":1,"result":%b"\\ud800"%b}]' % (b"[" * depth, b"]" * depth)

        assert read(raw).kind in {MessageKind.BATCH, MessageKind.MALFORMED}
        assert [member.id for member in read(raw).members] in ([1], [])


@pytest.mark.parametrize("depth", [990, 2000, 100_000])
def test_the_envelope_of_what_is_too_deep_to_read_is_read(depth: int) -> None:
    """C-SEC-18."""
    deep = b"[" * depth + b"]" * depth
    request = read(b'{"id":1,"method":"m","params":{"a":%b}}' % deep)
    notification = read(b'{"method":"m","params":%b}' % deep)
    response = read(b'{"id":"x","result":{"b":2,"a":%b}}' % deep)
    error = read(b'{"id":7,"error":{"code":1,"data":%b}}' % deep)
    array = read(b'[{"id":1,"result":%b}]' % deep)

    kinds = [each.kind for each in (request, notification, response, error, array)]
    assert kinds == [
        MessageKind.REQUEST,
        MessageKind.NOTIFICATION,
        MessageKind.RESPONSE,
        MessageKind.ERROR,
        MessageKind.BATCH,
    ]
    assert (request.id, request.method, response.id, error.id) == (1, "m", "x", 7)
    assert isinstance(response.result, dict)
    assert response.result["b"] == 2
    assert response.raw_result == b'{"b":2,"a":%b}' % deep
    assert [member.id for member in array.members] == [1]


def test_a_message_of_a_hundred_megabytes_is_read_in_time() -> None:
    """C-SEC-18; stdio-11."""
    raw = b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"%b"}]}}' % (
        b"0123456789" * (10 << 20)
    )
    began = time.thread_time()

    message = read(raw)
    assert (message.kind, message.id) == (MessageKind.RESPONSE, 1)
    took = time.thread_time() - began
    result = message.result

    assert took < 1.5
    assert isinstance(result, dict)
    assert time.thread_time() - began < 4


PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


@pytest.mark.parametrize(
    ("channel", "kind"),
    [
        (Channel.STDIN, MessageKind.REQUEST),
        (Channel.STDOUT, MessageKind.REQUEST),
        (Channel.BODY, MessageKind.REQUEST),
        (Channel.TCP, MessageKind.REQUEST),
        (Channel.STDERR, MessageKind.STDERR),
        (Channel.NOTE, MessageKind.NOTE),
        (Channel.HTTP, MessageKind.HTTP),
        (Channel.SSE, MessageKind.SSE_OTHER),
    ],
)
def test_the_channel_decides_how_a_frame_is_read(channel: Channel, kind: MessageKind) -> None:
    """Ours."""
    assert decode_frame(channel, PING).kind is kind


@pytest.mark.parametrize(
    ("block", "kind"),
    [
        (b"data: %b\n\n", MessageKind.REQUEST),
        (b"event: message\r\ndata: %b\r\n\r\n", MessageKind.REQUEST),
        (b"id: 7\ndata: %b\r\r", MessageKind.REQUEST),
        (b"data: %b", MessageKind.SSE_OTHER),
        (b"data: %b\n", MessageKind.SSE_OTHER),
        (b"event: endpoint\ndata: %b\n\n", MessageKind.SSE_OTHER),
    ],
)
def test_an_event_holds_its_message_in_its_data(block: bytes, kind: MessageKind) -> None:
    """WHATWG HTML: a block without its blank line is no event."""
    message = decode_frame(Channel.SSE, block % PING)

    assert message.kind is kind
    assert message.raw == (PING if kind is MessageKind.REQUEST else block % PING)


@pytest.mark.parametrize("block", [b": alive\n\n", b"id: 7\nretry: 100\ndata:\n\n", b"\n\n", b""])
def test_events_without_data_are_no_messages(block: bytes) -> None:
    """C-HTTP-37, sse-05."""
    assert decode_frame(Channel.SSE, block).kind is MessageKind.SSE_OTHER


@given(st.sampled_from(Channel), st.binary())
def test_reading_never_raises(channel: Channel, raw: bytes) -> None:
    """Ours."""
    decode_frame(channel, raw)


def test_a_long_block_that_was_not_ended_is_not_copied_to_tell_that_it_is_no_event() -> None:
    """Ours; WHATWG HTML, "Server-sent events": an incomplete event at the end of a stream is discarded."""
    block = b"data:" + b" " * 3_000_000
    tracemalloc.start()
    message = decode_frame(Channel.SSE, block)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert message.kind is MessageKind.SSE_OTHER
    assert peak < 400_000
