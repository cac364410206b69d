"""The stream for what the server sends of itself. A server need not have one, and nothing else waits for it.

A status that may pass, such as that of a proxy whose server is being restarted, ends it no more than a cut does. 404 means that the server
has none, unless it had one in this session before: then the session is gone (C-HTTP-15).

Source: basic/transports, "Listening for Messages from the Server"; C-HTTP-06, C-HTTP-07.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from inspector.errors import ConnectionLost, HttpStatus, SessionGone, TransportError
from inspector.transport.http import errors, statuses
from inspector.transport.http.connection import session_expired
from inspector.transport.http.event_stream import ResumableEventStream
from inspector.transport.http.response import STREAM_TYPE
from inspector.wire.frame import Channel

if TYPE_CHECKING:
    from inspector.transport.http.connection import HttpConnection
    from inspector.transport.http.response import HttpResponse

MAX_BODY_BYTES = 1 << 20
"""Bytes kept of a refusal."""

VERIFY_SECONDS = 1.0
"""How long a request waits for the stream to be tried again before it is sent."""


class ServerStream:
    """Keeps the stream open for as long as the connection lasts."""

    def __init__(self, connection: HttpConnection) -> None:
        """Prepare to open it over `connection`."""
        self._connection = connection
        self._events = ResumableEventStream(connection.sink)
        self._told: set[str] = set()
        self._is_in_doubt = False
        self._was_cut = False
        self._hurry = asyncio.Event()
        self._tried = asyncio.Event()

    async def run(self) -> None:
        """Open it, and open it again whenever it ends; give up when the server has none."""
        try:
            while await self._try():
                pass
        except SessionGone as error:
            self._connection.end(error)
        finally:
            self._is_in_doubt = False
            self._tried.set()

    async def verify(self) -> None:
        """Try at once to open a stream that broke off, and return when that led to something: the server may be another one by now.

        A delay that the server asked for is kept (C-HTTP-12); whoever waits does so for `VERIFY_SECONDS` at most.
        """
        if self._is_in_doubt:
            self._tried.clear()
            self._hurry.set()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(VERIFY_SECONDS):
                    await self._tried.wait()

    async def _try(self) -> bool:
        """Read the stream to its end and wait until it may be asked for again; false when the server has none."""
        is_cut = True
        try:
            await self._read()
            lost, is_cut = "server stream closed by the server", False
        except SessionGone:
            raise
        except HttpStatus as error:
            self._connection.sink.on_event("no-server-stream", error.words)
            return False
        except TransportError as error:
            self._was_cut = True
            self._events.record_failure()
            if errors.is_unreachable(error):
                await self._wait_for_the_server(error.words)
                return True
            lost = f"server stream lost: {error.words}"
        delay = self._events.delay_seconds()
        self._tell("server-stream-lost", f"{lost}; reopening in {delay:g} s")
        asked = self._events.has_server_delay
        await self._pause(delay, is_in_doubt=is_cut or not asked, may_hurry=not asked)
        return True

    async def _wait_for_the_server(self, lost: str) -> None:
        """Say it of every attempt: someone may be waiting to see when the next one is."""
        self._told.clear()
        delay = self._events.delay_seconds()
        said = f"{lost}; reopening the server stream in {delay:g} s"
        self._connection.sink.on_event("unreachable", said, retry_seconds=delay)
        await self._pause(delay, is_in_doubt=True, may_hurry=True)

    async def _pause(self, delay: float, *, is_in_doubt: bool, may_hurry: bool) -> None:
        """Wait before the next attempt; a delay of ours ends as soon as somebody wants to know how it stands."""
        self._tried.set()
        self._is_in_doubt = is_in_doubt and self._connection.had_stream
        self._hurry.clear()
        if not may_hurry:
            await asyncio.sleep(delay)
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(delay):
                await self._hurry.wait()

    async def _read(self) -> None:
        headers = self._connection.headers(STREAM_TYPE, last_event=self._events.last_event_id)
        async with self._connection.client.exchange("GET", headers=headers) as response:
            if not response.is_stream:
                raise await self._refused(response)
            self._tell("server-stream", "server stream open")
            if self._was_cut and self._connection.had_stream:
                self._connection.sink.on_event(
                    "server-stream-back", "the server stream is open again"
                )
            self._was_cut = False
            self._connection.had_stream = True
            self._is_in_doubt = False
            self._tried.set()
            await self._events.read(response)

    async def _refused(self, response: HttpResponse) -> TransportError:
        body = await response.read(MAX_BODY_BYTES)
        if body.raw:
            self._connection.sink.received(Channel.HTTP, [body], response.frame)
        if self._connection.is_session_expired(response):
            return session_expired(was_in_use=True)
        said = statuses.from_status(response, b"" if response.status == 405 else body.raw)
        refused = f"no server stream (status {response.status}): {said.words}"
        if response.is_temporary:
            return ConnectionLost(refused)
        return HttpStatus(refused, status=response.status)

    def _tell(self, event: str, said: str) -> None:
        """Say it once: a server may close the stream every few seconds."""
        if said not in self._told:
            self._told.add(said)
            self._connection.sink.on_event(event, said)
