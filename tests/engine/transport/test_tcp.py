"""Messages over TCP, one a line."""

from __future__ import annotations

import contextlib
import socket
import struct
from typing import TYPE_CHECKING

import pytest

from inspector.errors import ConnectFailed, ConnectionLost
from inspector.transport.line_reader import MAX_LINES_AT_ONCE
from inspector.transport.tcp import TcpTransport, host_and_port
from inspector.wire.frame import Channel, FrameDefect
from tests.support.http_session import at, connected
from tests.support.http_stub import Asked, well_behaved
from tests.support.line_server import line_server
from tests.support.programs import Batches, Ear
from tests.support.wait import wait_until

if TYPE_CHECKING:
    import asyncio


async def test_a_session_is_held_over_it() -> None:
    """C-CUS-01."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async for line in reader:
            for piece in well_behaved(Asked("POST", "/", (), line)).pieces:
                assert isinstance(piece, bytes)
                writer.write(piece.replace(b"{{id}}", line.partition(b'"id":')[2][:1]) + b"\n")

    async with (
        line_server(serve) as port,
        connected(at(f"tcp://127.0.0.1:{port}", "tcp")) as session,
    ):
        done = await session.request("tools/list")

        assert session.transcript.row(done.frame).channel is Channel.TCP
        assert session.transport_name == "tcp"


async def test_what_comes_before_the_end_is_kept() -> None:
    """C-STD-14, C-CUS-04."""

    async def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"one\nha")
        await writer.drain()

    async with line_server(serve) as port:
        transport, ear = TcpTransport("127.0.0.1", port), Ear()
        await transport.open(ear)
        await wait_until(lambda: ear.ends)
        await transport.aclose()

        assert ear.heard(Channel.TCP) == [b"one", b"ha"]
        assert ear.lines[1][1].flaw is FrameDefect.UNTERMINATED
        assert [error.reason for error in ear.ends] == ["the server closed the connection"]


async def test_a_line_without_end_ends_the_connection_in_words_that_name_it() -> None:
    """C-SEC-18."""

    async def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"one\n")
        with contextlib.suppress(ConnectionError):
            while True:
                writer.write(b"y" * 1000)
                await writer.drain()

    async with line_server(serve) as port:
        transport, ear = TcpTransport("127.0.0.1", port, line_budget=10_000), Ear()
        await transport.open(ear)
        await wait_until(lambda: ear.ends)
        await transport.aclose()

        assert "a line of more than 10,000 bytes" in ear.ends[0].reason
        assert ear.heard(Channel.TCP) == [b"one", b"y" * 10_000]


async def test_what_has_no_newline_yet_is_told() -> None:
    """Ours."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"one\n{")
        await reader.read()

    async with line_server(serve) as port:
        transport, ear = TcpTransport("127.0.0.1", port), Ear()
        await transport.open(ear)
        await wait_until(lambda: ear.rests)
        await transport.aclose()

        assert ear.heard(Channel.TCP) == [b"one", b"{"]
        assert ear.rests == {Channel.TCP: (0, b"", b"")}


async def test_a_port_where_nobody_listens_is_told() -> None:
    """Ours."""
    with pytest.raises(ConnectFailed, match=r"127\.0\.0\.1:1 refused the connection"):
        await TcpTransport("127.0.0.1", 1).open(Ear())


@pytest.mark.parametrize("url", ["", "tcp://", "tcp://host", "http://h:1", "tcp://h:99999"])
async def test_an_address_is_written_with_host_and_port(url: str) -> None:
    """Ours."""
    with pytest.raises(ConnectFailed, match="invalid TCP URL"):
        host_and_port(url)


async def test_what_waits_to_be_read_when_the_connection_ends_is_handed_on_a_part_at_a_time() -> (
    None
):
    """Ours: tens of thousands of tiny lines keep the loop from its other turns."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"{}\n" * 5_000)
        await reader.read()

    async with line_server(serve) as port:
        transport, ear = TcpTransport("127.0.0.1", port), Batches()
        ear.is_congested = True
        await transport.open(ear)
        await wait_until(lambda: ear.sizes)
        await transport.aclose()

        assert len(ear.sizes) > 1
        assert max(ear.sizes) <= MAX_LINES_AT_ONCE
        assert [error.reason for error in ear.ends] == ["disconnected"]


async def test_sending_fails_at_once_when_the_connection_is_cut(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Ours: nothing is handed to a socket that takes no more."""

    async def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reset = struct.pack("ii", 1, 0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
        writer.transport.abort()

    async with line_server(serve) as port:
        transport, ear = TcpTransport("127.0.0.1", port), Ear()
        await transport.open(ear)
        await wait_until(lambda: ear.ends)
        assert ear.ends[0].reason.startswith("connection lost: ")
        assert "Errno" not in ear.ends[0].reason
        for _ in range(10):
            with pytest.raises(ConnectionLost):
                await transport.send(b"{}")

    assert not caplog.records
