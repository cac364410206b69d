"""Being told of changes, whichever way the revision has for it.

With a handshake, lists announce themselves, and each resource is subscribed to by a request. Without, everything is asked for on streams:
what the features follow shares one stream, which is opened anew, and then closed, when what it asks for changes; a person may open others.

Source: basic/patterns/subscriptions; server/resources, "Subscriptions"; C-SUB-01 to C-SUB-06, C-RES-05, C-RES-12.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.errors import InspectorError, NotSent
from inspector.event import Event
from inspector.session.listen_stream import ListenStream
from inspector.spec.listen_filter import KINDS, LISTEN, ListenFilter

if TYPE_CHECKING:
    from inspector.session.session import Session

GATHER_SECONDS = 0.05
"""How long wishes of the lists are gathered before a stream is opened for them."""

STREAMS_KEPT = 50
"""Streams that are over and still listed."""


class Listening:
    """What we want to be told of in one session."""

    def __init__(self, session: Session) -> None:
        """Follow nothing yet."""
        self.changed: Event[()] = Event()
        self.streams: list[ListenStream] = []
        """Oldest first; those that are over stay for a while."""
        self._session = session
        self._kinds: set[str] = set()
        self._uris: dict[str, None] = {}
        self._shared: ListenStream | None = None
        self._changing = asyncio.Lock()
        session.renewed.subscribe(self._on_renewed)

    @property
    def has_streams(self) -> bool:
        """Whether this revision announces changes on streams that are asked for."""
        return self._session.supports(LISTEN)

    def open(self, wanted: ListenFilter) -> ListenStream:
        """Open a stream of its own."""
        stream = ListenStream(self._session, wanted)
        over = [each for each in self.streams if each.is_over]
        for each in over[: max(0, len(over) - STREAMS_KEPT)]:
            self.streams.remove(each)
        self.streams.append(stream)
        stream.changed.subscribe(self.changed.fire)
        stream.start()
        self.changed.fire()
        return stream

    def follow(self, method: str) -> None:
        """Have a list's changes announced under that method; nothing need be asked where they come of themselves."""
        if self.has_streams and method in KINDS and method not in self._kinds:
            self._kinds.add(method)
            self._session.tasks.spawn(self._follow(), name=f"follow {method}")

    async def watch(self, uri: str) -> None:
        """Have changes of a resource announced.

        Raises:
            InspectorError: the server refuses, or cannot be asked.
        """
        self._uris[uri] = None
        try:
            if self.has_streams:
                await self._share(uri)
            else:
                await self._session.request("resources/subscribe", {"uri": uri})
        except InspectorError:
            self._uris.pop(uri, None)
            raise

    async def unwatch(self, uri: str) -> None:
        """Have them announced no longer.

        Raises:
            InspectorError: the server refuses, or cannot be asked.
        """
        if self.has_streams:
            self._uris.pop(uri, None)
            await self._change_shared()
        else:
            await self._session.request("resources/unsubscribe", {"uri": uri})
            self._uris.pop(uri, None)

    async def _follow(self) -> None:
        await asyncio.sleep(GATHER_SECONDS)
        await self._change_shared()

    async def _share(self, uri: str) -> None:
        stream = await self._change_shared()
        if stream is None:
            return
        if stream.error is not None:
            raise stream.error
        if stream.is_over:
            raise NotSent(f"the stream of announcements is {stream.state}: {stream.words}")
        if uri in stream.refused:
            raise NotSent(
                f"the server does not announce changes of {uri}", frame=stream.acknowledged_frame
            )

    async def _change_shared(self) -> ListenStream | None:
        """Make the shared stream ask for what is wanted now: the new one opens before the old one closes."""
        async with self._changing:
            wanted, before = ListenFilter(frozenset(self._kinds), tuple(self._uris)), self._shared
            if before is not None and before.wanted == wanted and not before.is_over:
                return before
            self._shared = None if wanted.is_empty else self.open(wanted)
            if self._shared is not None:
                await self._shared.settled()
            if before is not None:
                before.close()
            return self._shared

    def _on_renewed(self) -> None:
        """A new session knows nothing of what the old one was asked (C-HTTP-15)."""
        for uri in self._uris:
            self._session.tasks.spawn(self._subscribe_again(uri), name=f"subscribe to {uri}")

    async def _subscribe_again(self, uri: str) -> None:
        try:
            await self._session.request("resources/subscribe", {"uri": uri})
        except InspectorError as error:
            words = f"{uri} is not subscribed to any more: {error.words}"
            self._session.transcript.note("not-subscribed", words)
