"""What can still be read of a line that is no JSON text."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given

from inspector.wire import json_codec
from inspector.wire.frame import Channel
from inspector.wire.message import (
    ABSENT,
    CUT,
    UNDECODED,
    MessageKind,
    decode_frame,
    read,
    read_cut,
)
from inspector.wire.misshapen import ATTEMPTS, embedded, first_members
from tests.support.json_texts import FOREIGN, quick

RESPONSE = b'{"jsonrpc":"2.0","id":3,"result":{"content":[]}}'


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"INFO sending " + RESPONSE, "before the message on its line (“INFO sending”)"),
        (RESPONSE + b"  <- sent", "after the message on its line (“<- sent”)"),
        (b"{x} -> " + RESPONSE + b" ok", "before the message on its line (“{x} ->”) and after"),
        (b"event: x\ndata:" + RESPONSE, "on its line (“event: x↵data:”)"),
        (RESPONSE + RESPONSE, "2 messages on one line"),
        (RESPONSE + b" then " + RESPONSE + b" and {}", "2 messages on one line"),
    ],
)
def test_a_message_among_other_text_is_found_and_told(raw: bytes, text: str) -> None:
    """C-STD-05."""
    message = read(raw)

    assert message.kind is MessageKind.MALFORMED
    assert text in message.problem
    assert {each.kind for each in message.within} == {MessageKind.RESPONSE}
    assert {each.raw for each in message.within} == {RESPONSE}


@pytest.mark.parametrize(
    "raw",
    [b"INFO ready", b"{broken", b'{"level":"info"} done', b'say "jsonrpc"', b'{"jsonrpc":"2.0"'],
)
def test_other_lines_hold_no_message(raw: bytes) -> None:
    """Ours."""
    message = read(raw)

    assert message.within == ()
    assert message.problem.startswith("not JSON")


@pytest.mark.parametrize(
    ("raw", "id_"),
    [
        (b'{"jsonrpc":"2.0","id":3,"result":{"content":[{"text":"xxxxx', 3),
        (b' { "jsonrpc" : "2.0" , "id" : "a" , "result" : "xxx', "a"),
        (b'{"jsonrpc":"2.0","id":3', ABSENT),
        (b'{"jsonrpc":"2.0","id":3,"method":"sampling/createMessage","params":{"x":"', ABSENT),
        (b'{"result":{"content":[', ABSENT),
        (b"yyyyyyy", ABSENT),
        (b"", ABSENT),
    ],
)
def test_a_response_that_was_cut_has_the_id_of_its_beginning(raw: bytes, id_: object) -> None:
    """C-SEC-18."""
    message = read_cut(raw)

    assert (message.kind, message.id, message.problem) == (MessageKind.MALFORMED, id_, CUT)


@quick
@given(FOREIGN)
def test_looking_into_a_line_never_raises(raw: bytes) -> None:
    """Ours."""
    assert embedded(raw + RESPONSE) is not None or b"{" in raw
    assert isinstance(first_members(raw), dict)
    assert (
        json.dumps(first_members(RESPONSE))
        == '{"jsonrpc": "2.0", "id": 3, "result": {"content": []}}'
    )


def test_a_line_full_of_brackets_takes_no_time() -> None:
    """C-SEC-18."""
    began = time.thread_time()
    embedded(b'"jsonrpc"' + b'{"a":' * 150_000)

    assert time.thread_time() - began < 1


def test_the_rest_of_a_long_line_is_not_decoded_again_for_every_object_in_it() -> None:
    """Ours: a result that was cut, read as often as it has levels, keeps the loop from its turns."""
    rest = b"[" + b"{}," * 200_000

    def seconds(levels: int) -> float:
        before = time.thread_time()
        embedded(b'{"jsonrpc":"2.0","result":' + b'{"a":' * levels + rest)
        return time.thread_time() - before

    once = min(seconds(0) for _ in range(3))
    assert min(seconds(ATTEMPTS) for _ in range(3)) < 5 * once


@pytest.mark.parametrize("value", [b"1" * 5_000, b"-" + b"9" * 5_000, b"[" * 5_000])
def test_what_python_refuses_to_read_is_no_message_and_no_error(value: bytes) -> None:
    """Ours: a number of more than 4,300 digits raised, and so did the message of the line."""
    line = b'log: {"jsonrpc":"2.0","id":1,"a":' + value + b"}"

    assert embedded(line) is None
    assert embedded(line + b" " + RESPONSE) is not None
    assert read(line).kind is MessageKind.MALFORMED


@pytest.mark.parametrize("channel", [Channel.STDOUT, Channel.SSE])
def test_what_is_too_large_to_be_read_with_a_tolerance_has_its_id(
    channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: it could take all memory, and its request has a response that is only not read."""
    raw = b'{"jsonrpc":"2.0","id":7,"result":[' + b"1," * json_codec.LONG + b"%b]}"
    monkeypatch.setattr(json_codec, "TOLERANT_LIMIT", len(raw) // 2)
    block = b"data: " + raw + b"\n\n" if channel is Channel.SSE else raw

    unread, whole = (decode_frame(channel, block % number) for number in (b"NaN", b"1"))

    assert (unread.kind, unread.id) == (MessageKind.MALFORMED, 7)
    assert unread.problem == UNDECODED
    assert whole.kind is MessageKind.RESPONSE
