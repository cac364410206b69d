"""Connections side by side; ours throughout."""

from __future__ import annotations

import asyncio
import gc
import ssl
import sys

import httpx
import pytest

from inspector.errors import ConnectionLost
from inspector.transport.http.connection_pool import ExclusivePool
from tests.support.http_session import call, talking
from tests.support.http_stub import RESET, HttpStub, stream
from tests.support.wait import wait_until


async def test_calls_in_turn_go_over_one_connection() -> None:
    async with talking() as (stub, session):
        await wait_until(lambda: stub.said("GET"))
        before = stub.connections
        for _ in range(5):
            await call(session)

        assert stub.connections - before <= 1
        assert stub.open_connections <= 2


async def test_calls_at_the_same_time_have_a_connection_each_and_share_them_afterwards() -> None:
    async with talking() as (stub, session):
        await wait_until(lambda: stub.said("GET"))
        await asyncio.gather(*(call(session) for _ in range(8)))
        before = stub.connections
        await asyncio.gather(*(call(session) for _ in range(8)))

        assert stub.connections == before
        assert stub.open_connections <= 9


async def test_a_stream_that_stays_open_takes_no_connection_from_others() -> None:
    async with talking({"GET": stream(": hello\n\n", end="hang")}) as (stub, session):
        await wait_until(lambda: stub.said("GET"))
        await asyncio.gather(*(call(session) for _ in range(3)))

        assert len(stub.said("POST tools/call")) == 3


async def test_a_connection_that_failed_is_not_used_again() -> None:
    async with talking({"POST tools/call": [RESET, None]}) as (stub, session):
        with pytest.raises(ConnectionLost):
            await call(session)
        await call(session)

        assert len(stub.said("POST tools/call")) == 2


async def test_a_body_that_was_not_read_to_its_end_leaves_nothing_to_the_garbage_collector() -> (
    None
):
    """Not every event loop closes generators that are collected half read; Qt's does not."""
    hooks = sys.get_asyncgen_hooks()
    async with HttpStub({"GET": stream(": hello\n\n", end="hang")}) as stub:
        pool = ExclusivePool(ssl.create_default_context())
        sys.set_asyncgen_hooks(None, None)
        try:
            response = await pool.handle_async_request(httpx.Request("GET", stub.url))
            assert isinstance(response.stream, httpx.AsyncByteStream)
            parts = aiter(response.stream)
            assert await anext(parts) == b": hello\n\n"
            await response.aclose()
            with pytest.raises(StopAsyncIteration):
                await anext(parts)
            del parts, response
            gc.collect()  # an error in it fails the test
        finally:
            sys.set_asyncgen_hooks(*hooks)
            await pool.aclose()
