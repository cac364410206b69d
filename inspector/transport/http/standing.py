"""The stream for what the server sends of itself. A server need not have one, and nothing else waits for it.

Source: basic/transports, "Listening for Messages from the Server"; C-HTTP-06, C-HTTP-07.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.errors import HttpStatus, TransportError
from inspector.transport.http import words
from inspector.transport.http.answer import STREAM_TYPE
from inspector.transport.http.place import StreamPlace
from inspector.wire.frame import Channel

if TYPE_CHECKING:
    from inspector.transport.http.answer import Answer
    from inspector.transport.http.link import Link

BODY_BUDGET = 1 << 20
"""Bytes kept of a refusal."""


class StandingStream:
    """Keeps the stream open for as long as the connection lasts."""

    def __init__(self, link: Link) -> None:
        """Prepare to open it over `link`."""
        self._link = link
        self._place = StreamPlace(link.sink)
        self._told: set[str] = set()

    async def run(self) -> None:
        """Open it, and open it again whenever it ends; give up when the server has none."""
        while True:
            try:
                await self._read()
                lost = "the server closed its stream"
            except HttpStatus as error:
                self._link.sink.noted("no-server-stream", error.words)
                return
            except TransportError as error:
                self._place.note_failure()
                if words.is_unreachable(error):
                    await self._wait_for_the_server(error.words)
                    continue
                lost = f"the server stream was lost: {error.words}"
            delay = self._place.delay_seconds()
            self._tell("server-stream-lost", f"{lost}; it is opened again in {delay:g} s")
            await asyncio.sleep(delay)

    async def _wait_for_the_server(self, lost: str) -> None:
        """Say it of every attempt: someone may be waiting to see when the next one is."""
        self._told.clear()
        delay = self._place.delay_seconds()
        said = f"{lost}; the server stream is opened again in {delay:g} s"
        self._link.sink.noted("unreachable", said, retry_seconds=delay)
        await asyncio.sleep(delay)

    async def _read(self) -> None:
        headers = self._link.headers(STREAM_TYPE, last_event=self._place.last_event)
        async with self._link.wire.exchange("GET", headers=headers) as answer:
            if not answer.is_stream:
                raise await self._refused(answer)
            self._tell("server-stream", "the server stream is open")
            await self._place.read(answer)

    async def _refused(self, answer: Answer) -> HttpStatus:
        body = await answer.read(BODY_BUDGET)
        if body.raw:
            self._link.sink.received(Channel.HTTP, [body], answer.stream)
        said = words.of_status(answer, b"" if answer.status == 405 else body.raw)
        return HttpStatus(
            f"no server stream (status {answer.status}): {said.words}", status=answer.status
        )

    def _tell(self, event: str, said: str) -> None:
        """Say it once: a server may close the stream every few seconds."""
        if said not in self._told:
            self._told.add(said)
            self._link.sink.noted(event, said)
