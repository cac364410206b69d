"""Reading pauses while the sink is congested, over every transport with a wire."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from inspector.errors import ConnectionLost
from inspector.session.transport_factory import make_transport
from inspector.transport.base import SendContext
from inspector.transport.stdio import StdioTransport
from inspector.transport.tcp import TcpTransport
from inspector.wire.frame import Channel
from inspector.wire.message import MessageKind
from tests.support.http_session import at
from tests.support.http_stub import HttpStub, stream
from tests.support.line_server import line_server
from tests.support.programs import Ear, python
from tests.support.started import GRACE
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from contextlib import AbstractAsyncContextManager

    from inspector.transport.base import Transport

COUNT = 20_000
"""Messages: more than any buffer on the way holds as one batch."""

EVENTS = b"data: {}\n\n" * COUNT


@asynccontextmanager
async def stdio() -> AsyncGenerator[tuple[Transport, Channel]]:
    code = (
        f"import sys; sys.stdout.write('{{}}\\n' * {COUNT}); sys.stdout.flush(); sys.stdin.read()"
    )
    yield StdioTransport(python(code), grace_seconds=GRACE), Channel.STDOUT


@asynccontextmanager
async def tcp() -> AsyncGenerator[tuple[Transport, Channel]]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"{}\n" * COUNT)
        await reader.read()

    async with line_server(serve) as port:
        yield TcpTransport("127.0.0.1", port), Channel.TCP


@asynccontextmanager
async def streamable_http() -> AsyncGenerator[tuple[Transport, Channel]]:
    async with HttpStub({"POST tools/call": stream(EVENTS, end="hang")}) as stub:
        yield make_transport(at(stub.url)), Channel.SSE


@asynccontextmanager
async def legacy_sse() -> AsyncGenerator[tuple[Transport, Channel]]:
    events = b"event: endpoint\ndata: /post\n\n" + EVENTS
    async with HttpStub({"GET": stream(events, end="hang")}) as stub:
        yield make_transport(at(stub.url, "sse")), Channel.SSE


every_transport = pytest.mark.parametrize("server", [stdio, tcp, streamable_http, legacy_sse])


async def start(transport: Transport, ear: Ear) -> None:
    """Open a connection to a congested sink and let the server send everything."""
    ear.is_congested = True
    await transport.open(ear)
    if transport.name == "http":
        raw = b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}'
        await transport.send(raw, SendContext(1, MessageKind.REQUEST, "tools/call"))
    await wait_until(lambda: ear.waits)


@every_transport
async def test_a_congested_sink_gets_nothing_more_until_it_is_ready(
    server: Callable[[], AbstractAsyncContextManager[tuple[Transport, Channel]]],
) -> None:
    """C-SEC-18: what is not stored yet may not grow without a limit."""
    ear = Ear()
    async with server() as (transport, channel):
        await start(transport, ear)
        received = len(ear.heard(channel))
        assert received < COUNT

        late = asyncio.ensure_future(wait_until(lambda: len(ear.heard(channel)) > received))
        done, _ = await asyncio.wait([late], timeout=0.05)
        assert not done
        assert ear.waits == 1  # waiting is not polling

        ear.is_congested = False
        await late
        await wait_until(lambda: len(ear.heard(channel)) >= COUNT)
        await transport.aclose()


@every_transport
async def test_a_connection_is_closed_while_it_waits_for_its_sink(
    server: Callable[[], AbstractAsyncContextManager[tuple[Transport, Channel]]],
) -> None:
    """Ours: the sink may never be ready again, as when a transcript is full."""
    ear = Ear()
    async with server() as (transport, _):
        await start(transport, ear)
        async with asyncio.timeout(5):
            await transport.aclose()

        assert [type(end) for end in ear.ends] == [ConnectionLost]
        with pytest.raises(ConnectionLost):
            await transport.send(b"{}")
