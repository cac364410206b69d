"""What every transport keeps to, the one without a wire included."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeAlias

import pytest

from inspector.errors import ConnectionLost
from inspector.transport.base import SendContext
from inspector.transport.http.config import check
from inspector.transport.legacy_sse import LegacySseTransport
from inspector.transport.stdio import StdioTransport
from inspector.transport.streamable_http import StreamableHttpTransport
from inspector.transport.tcp import TcpTransport
from inspector.wire.message import MessageKind, decode_frame
from tests.support.http_stub import JSON_TYPE, HttpStub, reply
from tests.support.line_server import line_server
from tests.support.memory_transport import MemoryTransport
from tests.support.old_server import OldServer
from tests.support.programs import ECHO, Ear, python
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from contextlib import AbstractAsyncContextManager

    from inspector.transport.base import Transport
    from tests.support.http_stub import Asked, Reply

QUITTER = """
import sys
line = sys.stdin.readline()
print("one")
print("two", flush=True)
"""


@asynccontextmanager
async def memory_echo() -> AsyncGenerator[Transport]:
    yield MemoryTransport(lambda raw, transport: transport.deliver(raw))


@asynccontextmanager
async def memory_quitter() -> AsyncGenerator[Transport]:
    def quit_(_raw: bytes, transport: MemoryTransport) -> None:
        transport.deliver(b"one", b"two")
        transport.end()

    yield MemoryTransport(quit_)


@asynccontextmanager
async def stdio_echo() -> AsyncGenerator[Transport]:
    yield StdioTransport(python(ECHO))


@asynccontextmanager
async def stdio_quitter() -> AsyncGenerator[Transport]:
    yield StdioTransport(python(QUITTER))


@asynccontextmanager
async def tcp_echo() -> AsyncGenerator[Transport]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async for line in reader:
            writer.write(line)

    async with line_server(serve) as port:
        yield TcpTransport("127.0.0.1", port)


@asynccontextmanager
async def tcp_quitter() -> AsyncGenerator[Transport]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"one\ntwo\n")

    async with line_server(serve) as port:
        yield TcpTransport("127.0.0.1", port)


@asynccontextmanager
async def sse_echo() -> AsyncGenerator[Transport]:
    async with OldServer() as server:
        server.stub.play("POST", lambda asked: _say(server, asked.body))
        yield LegacySseTransport(check(server.url, ()))


@asynccontextmanager
async def sse_quitter() -> AsyncGenerator[Transport]:
    def quit_(_asked: Asked) -> Reply:
        server.say(b"one")
        server.say(b"two")
        server.close_stream()
        return reply(202)

    async with OldServer() as server:
        server.stub.play("POST", quit_)
        yield LegacySseTransport(check(server.url, ()))


def _say(server: OldServer, body: bytes) -> Reply:
    server.say(body)
    return reply(202)


@asynccontextmanager
async def http_echo() -> AsyncGenerator[Transport]:
    async with HttpStub({"POST": lambda asked: reply(200, asked.body, JSON_TYPE)}) as stub:
        yield StreamableHttpTransport(check(stub.url, ()))


Make: TypeAlias = "Callable[[], AbstractAsyncContextManager[Transport]]"

ECHOES: dict[str, Make] = {
    "memory": memory_echo,
    "stdio": stdio_echo,
    "tcp": tcp_echo,
    "sse": sse_echo,
    "http": http_echo,
}
QUITTERS: dict[str, Make] = {
    "memory": memory_quitter,
    "stdio": stdio_quitter,
    "tcp": tcp_quitter,
    "sse": sse_quitter,
}
"""Over streamable HTTP each message has its own end, and none is that of the connection."""

TAKEN = SendContext(1, MessageKind.NOTIFICATION)
"""Sent one after the other also where every message has a connection of its own."""

echoes = pytest.mark.parametrize("make", ECHOES.values(), ids=ECHOES)
quitters = pytest.mark.parametrize("make", QUITTERS.values(), ids=QUITTERS)


@asynccontextmanager
async def opened(make: Make) -> AsyncGenerator[tuple[Transport, Ear]]:
    async with make() as transport:
        ear = Ear()
        await transport.open(ear)
        try:
            yield transport, ear
        finally:
            await transport.aclose()
            assert len(ear.ends) == 1


def heard(ear: Ear) -> list[bytes]:
    """The messages, wherever they came."""
    messages = [decode_frame(channel, line.raw) for channel, line in ear.lines]
    return [
        message.raw
        for message in messages
        if message.kind not in {MessageKind.SSE_OTHER, MessageKind.HTTP}
    ]


@echoes
async def test_frames_arrive_in_the_order_of_the_wire(make: Make) -> None:
    """Ours."""
    frames = [b'{"jsonrpc":"2.0","method":"m","params":[%d]}' % number for number in range(200)]
    async with opened(make) as (transport, ear):
        for frame in frames:
            await transport.send(frame, TAKEN)
        await wait_until(lambda: len(heard(ear)) == 200)

        assert heard(ear) == frames
        assert ear.ends == []


@echoes
async def test_hanging_up_on_a_request_that_nobody_made_does_nothing(make: Make) -> None:
    """C-CAN-13; ours."""
    async with opened(make) as (transport, ear):
        assert transport.cancel_exchange(7) is transport.cancel_exchange(0)
        await transport.send(b'{"method":"m","params":[1]}')
        await wait_until(lambda: ear.lines)


@echoes
async def test_closing_tells_the_end_once_however_often_it_is_asked_for(
    make: Make,
) -> None:
    """C-STD-07."""
    async with opened(make) as (transport, ear):
        await asyncio.gather(transport.aclose(), transport.aclose())
        await transport.aclose()

        assert [error.reason for error in ear.ends] == ["disconnected"]


@echoes
async def test_after_the_end_nothing_can_be_sent(make: Make) -> None:
    """C-STD-14."""
    async with opened(make) as (transport, _):
        await transport.aclose()

        with pytest.raises(ConnectionLost):
            await transport.send(b"x")


@echoes
async def test_what_was_never_opened_can_be_closed_and_not_sent_to(
    make: Make,
) -> None:
    """Ours."""
    async with make() as transport:
        with pytest.raises(ConnectionLost):
            await transport.send(b"x")
        await transport.aclose()
        assert transport.name in ECHOES


@quitters
async def test_an_end_of_the_servers_own_comes_after_everything_it_said(
    make: Make,
) -> None:
    """C-STD-14."""
    async with opened(make) as (transport, ear):
        await transport.send(b"go")
        await wait_until(lambda: ear.ends)

        assert heard(ear) == [b"one", b"two"]
        assert ear.ends[0].reason
        assert ear.ends[0].reason != "disconnected"
        with pytest.raises(ConnectionLost):
            await transport.send(b"x")
