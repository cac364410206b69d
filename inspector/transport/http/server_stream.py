"""The stream for messages that respond to no request. A server need not have one.

A status that may be temporary, such as 502 of a proxy whose server restarts, does not end it, and neither does a lost connection. 404 means that
the server has no such stream, unless it had one in this session before: then the session has expired (C-HTTP-15).

Source: basic/transports, "Listening for Messages from the Server"; C-HTTP-06, C-HTTP-07.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from inspector.errors import ConnectionLost, HttpStatus, SessionExpired, TransportError
from inspector.transport.http import errors, statuses
from inspector.transport.http.connection import session_expired
from inspector.transport.http.event_stream import ResumableEventStream
from inspector.transport.http.response import STREAM_TYPE

if TYPE_CHECKING:
    from inspector.transport.http.connection import HttpConnection
    from inspector.transport.http.response import HttpResponse

VERIFY_SECONDS = 1.0
"""How long a request waits until a lost stream was tried again."""


class ServerStream:
    """Keeps the stream open for as long as the connection lasts."""

    def __init__(self, connection: HttpConnection) -> None:
        self._connection = connection
        self._note = connection.sink.on_event
        self._events = ResumableEventStream(connection.sink)
        self._noted: set[str] = set()
        self._is_in_doubt = False
        self._was_cut = False
        self._retry_now = asyncio.Event()
        self._was_tried = asyncio.Event()

    async def run(self) -> None:
        """Open the stream, and reopen it whenever it ends; return when the server has none."""
        try:
            while await self._read_once():
                pass
        except SessionExpired as error:
            self._connection.end(error)
        finally:
            self._is_in_doubt = False
            self._was_tried.set()

    async def verify(self) -> None:
        """Reopen a lost stream at once and return when the result is known: the server may have restarted.

        A delay that the server set is kept (C-HTTP-12); the caller waits for `VERIFY_SECONDS` at most.
        """
        if self._is_in_doubt:
            self._was_tried.clear()
            self._retry_now.set()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(VERIFY_SECONDS):
                    await self._was_tried.wait()

    async def _read_once(self) -> bool:
        """Read the stream to its end and wait for the next attempt; returns False when the server has none."""
        is_cut = True
        try:
            await self._read()
            lost, is_cut = "server stream closed by the server", False
        except SessionExpired:
            raise
        except HttpStatus as error:
            self._note("no-server-stream", error.reason)
            return False
        except TransportError as error:
            self._was_cut = True
            self._events.record_failure()
            if errors.is_unreachable(error):
                await self._wait_for_server(error.reason)
                return True
            lost = f"server stream lost: {error.reason}"
        delay = self._events.delay_seconds()
        self._note_once("server-stream-lost", f"{lost}; reopening in {delay:g} s")
        is_fixed = self._events.has_server_delay
        await self._pause(delay, is_in_doubt=is_cut or not is_fixed, is_fixed=is_fixed)
        return True

    async def _wait_for_server(self, lost: str) -> None:
        """Report every attempt: the window counts down to the next one."""
        self._noted.clear()
        delay = self._events.delay_seconds()
        text = f"{lost}; reopening the server stream in {delay:g} s"
        self._note("unreachable", text, retry_seconds=delay)
        await self._pause(delay, is_in_doubt=True, is_fixed=False)

    async def _pause(self, delay: float, *, is_in_doubt: bool, is_fixed: bool) -> None:
        """Wait before the next attempt; unless the server set the delay, `verify` ends it."""
        self._was_tried.set()
        self._is_in_doubt = is_in_doubt and self._connection.had_stream
        self._retry_now.clear()
        if is_fixed:
            await asyncio.sleep(delay)
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(delay):
                await self._retry_now.wait()

    async def _read(self) -> None:
        headers = self._connection.headers(STREAM_TYPE, last_event=self._events.last_event_id)
        async with self._connection.client.exchange("GET", headers=headers) as response:
            if not response.is_stream:
                raise await self._no_stream(response)
            self._note_once("server-stream", "server stream open")
            if self._was_cut and self._connection.had_stream:
                self._note("server-stream-back", "server stream open again")
            self._was_cut = False
            self._connection.had_stream = True
            self._is_in_doubt = False
            self._was_tried.set()
            await self._events.read(response)

    async def _no_stream(self, response: HttpResponse) -> TransportError:
        body = await self._connection.read_error(response)
        if self._connection.is_session_expired(response):
            return session_expired(was_in_use=True)
        error = statuses.from_status(response, b"" if response.status == 405 else body)
        reason = f"no server stream (status {response.status}): {error.reason}"
        if response.is_temporary:
            return ConnectionLost(reason)
        return HttpStatus(reason, status=response.status)

    def _note_once(self, event: str, text: str) -> None:
        """Report each text once: a server may close the stream every few seconds."""
        if text not in self._noted:
            self._noted.add(text)
            self._note(event, text)
