"""What a frame says, by the channel it travelled on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.wire.frame import Channel
from inspector.wire.message import Kind
from inspector.wire.reading import read_on

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


@pytest.mark.parametrize(
    ("channel", "kind"),
    [
        (Channel.STDIN, Kind.REQUEST),
        (Channel.STDOUT, Kind.REQUEST),
        (Channel.BODY, Kind.REQUEST),
        (Channel.TCP, Kind.REQUEST),
        (Channel.STDERR, Kind.STDERR),
        (Channel.NOTE, Kind.NOTE),
        (Channel.HTTP, Kind.HTTP),
        (Channel.SSE, Kind.EVENT),
    ],
)
def test_the_channel_decides_how_a_frame_is_read(channel: Channel, kind: Kind) -> None:
    """Ours."""
    assert read_on(channel, PING).kind is kind


@pytest.mark.parametrize(
    ("block", "kind"),
    [
        (b"data: %b\n\n", Kind.REQUEST),
        (b"event: message\r\ndata: %b\r\n\r\n", Kind.REQUEST),
        (b"id: 7\ndata: %b\r\r", Kind.REQUEST),
        (b"data: %b", Kind.EVENT),
        (b"data: %b\n", Kind.EVENT),
        (b"event: endpoint\ndata: %b\n\n", Kind.EVENT),
    ],
)
def test_an_event_holds_its_message_in_its_data(block: bytes, kind: Kind) -> None:
    """WHATWG HTML: a block without its blank line is no event."""
    message = read_on(Channel.SSE, block % PING)

    assert message.kind is kind
    assert message.raw == (PING if kind is Kind.REQUEST else block % PING)


@pytest.mark.parametrize("block", [b": alive\n\n", b"id: 7\nretry: 100\ndata:\n\n", b"\n\n", b""])
def test_events_without_data_are_no_messages(block: bytes) -> None:
    """C-HTTP-37, sse-05."""
    assert read_on(Channel.SSE, block).kind is Kind.EVENT


@given(st.sampled_from(Channel), st.binary())
def test_reading_never_raises(channel: Channel, raw: bytes) -> None:
    """Ours."""
    read_on(channel, raw)
