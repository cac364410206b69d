"""What a frame says, by the channel it travelled on."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.wire.frame import Channel
from inspector.wire.message import MessageKind
from inspector.wire.reading import decode_frame

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
