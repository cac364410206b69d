"""Being told of changes, whichever way the revision has for it.

With a handshake, lists announce themselves, and each resource is subscribed to by a request. Without, everything is asked for on streams:
what the features follow shares one stream, which is opened anew, and then closed, when what it asks for changes; a person may open others.

A session in the place of one that ended asks for what the person wanted of that one (`wishes`).

Source: basic/patterns/subscriptions; server/resources, "Subscriptions"; C-SUB-01 to C-SUB-06, C-STD-11, C-RES-05, C-RES-12.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from inspector.errors import ConnectionLost, InspectorError, RequestAborted, TimedOut
from inspector.event import Event
from inspector.session.desired_subscriptions import DesiredSubscriptions
from inspector.session.notification_stream import NotificationStream, StreamState
from inspector.spec.subscription_filter import KINDS, LISTEN, SubscriptionFilter

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.session.session import Session

GATHER_SECONDS = 0.05
"""How long wishes of the lists are gathered before a stream is opened for them."""

MAX_GATHER_SECONDS = 3.0
"""How long those of lists that are still being read are waited for."""

STREAMS_KEPT = 50
"""Streams that are over and still listed."""


class NotificationStreams:
    """What we want to be told of in one session."""

    def __init__(self, session: Session) -> None:
        """Follow nothing yet."""
        self.changed: Event[()] = Event()
        self.streams: list[NotificationStream] = []
        """Oldest first; those that are over stay for a while."""
        self.wishes = DesiredSubscriptions()
        """What the person wants of the server, in whichever session; may be shared with earlier ones."""
        self._session = session
        self._kinds: set[str] = set()
        self._uris: dict[str, None] = {}
        self._shared: NotificationStream | None = None
        self._changing = asyncio.Lock()
        self._gathering = 0
        self._gathered = asyncio.Event()
        self._gathered.set()
        self._will_follow = False
        self._unknown = False
        """The server does not know such streams: nothing is asked by itself any more."""
        session.renewed.subscribe(self._on_renewed)
        session.interruptions.ended.subscribe(self._on_gap_ended)

    @property
    def has_streams(self) -> bool:
        """Whether this revision announces changes on streams that are asked for."""
        return self._session.supports(LISTEN)

    def open(self, wanted: SubscriptionFilter) -> NotificationStream:
        """Open a stream of its own."""
        stream = NotificationStream(self._session, wanted)
        over = [each for each in self.streams if each.is_over]
        for each in over[: max(0, len(over) - STREAMS_KEPT)]:
            self.streams.remove(each)
        self.streams.append(stream)
        stream.changed.subscribe(self.changed.fire)
        stream.start()
        self.changed.fire()
        return stream

    def open_lasting(self, wanted: SubscriptionFilter) -> NotificationStream:
        """Open a stream for a person; what it asks for stays wanted until it is ended other than by the end of the connection."""
        if wanted not in self.wishes.streams:
            self.wishes.streams.append(wanted)
        stream = self.open(wanted)
        stream.changed.subscribe(lambda: self._forget_stream(stream))
        return stream

    def follow(self, method: str) -> None:
        """Have a list's changes announced under that method; nothing need be asked where they come of themselves."""
        if self.has_streams and method in KINDS and method not in self._kinds:
            self._kinds.add(method)
            self._follow_soon()

    def quiet(self, method: str) -> str:
        """Why a list is not announced any more under `method`, although that was asked for; empty while it is, and without a connection."""
        stream = self._shared
        if (
            self._session.peer.ended_with is not None
            or method not in self._kinds
            or stream is None
            or not stream.is_quiet
        ):
            return ""
        return f"{stream.state}: {stream.status_text}" if stream.status_text else str(stream.state)

    def open_again(self) -> None:
        """Open the stream for the lists and resources now, whatever ended it."""
        stream = self._shared
        if stream is not None and not stream.is_over:
            stream.hurry()
        else:
            self._unknown = False
            self._follow_soon()

    @contextlib.asynccontextmanager
    async def gathering(self) -> AsyncGenerator[None]:
        """Ask once for all that is followed meanwhile, as soon as it is known; `MAX_GATHER_SECONDS` after the beginning in any case."""
        self._gathering += 1
        self._gathered.clear()
        timer = asyncio.get_running_loop().call_later(MAX_GATHER_SECONDS, self._gathered.set)
        try:
            yield
        finally:
            timer.cancel()
            self._gathering -= 1
            if not self._gathering:
                self._gathered.set()

    async def watch(self, uri: str) -> None:
        """Have changes of a resource announced.

        Raises:
            InspectorError: the server refuses, or cannot be asked.
        """
        self._uris[uri] = None
        try:
            await self._ask_for(uri)
        except InspectorError:
            self._uris.pop(uri, None)
            raise
        self.wishes.uris[uri] = None

    def resume_streams(self) -> None:
        """Open again what the person had open in an earlier session."""
        for wanted in [*self.wishes.streams] if self.has_streams else []:
            self.open_lasting(wanted)

    async def watch_again(self) -> dict[str, InspectorError]:
        """Have the resources announced that were watched in an earlier session; gives those that are not, each with why.

        What the server refuses is not wanted any more.
        """
        failed: dict[str, InspectorError] = {}
        self._uris |= self.wishes.uris
        await self._until_gathered()
        for uri in [*self.wishes.uris]:
            try:
                await self._ask_for(uri)
            except InspectorError as error:
                self._uris.pop(uri, None)
                failed[uri] = error
                if not isinstance(error, ConnectionLost):
                    self.wishes.uris.pop(uri, None)
                    self._note_unwatched(uri, error)
        return failed

    async def unwatch(self, uri: str) -> None:
        """Have them announced no longer.

        Raises:
            InspectorError: the server refuses, or cannot be asked.
        """
        self.wishes.uris.pop(uri, None)
        if self.has_streams:
            self._uris.pop(uri, None)
            await self._change_shared()
        else:
            await self._session.request("resources/unsubscribe", {"uri": uri})
            self._uris.pop(uri, None)

    @property
    def _patience(self) -> float:
        """Seconds in which a server is to agree; nobody waits longer for it, though the stream stays open."""
        return self._session.timeouts.idle_seconds

    async def _until_gathered(self) -> None:
        await asyncio.sleep(GATHER_SECONDS)
        await self._gathered.wait()

    def _follow_soon(self) -> None:
        """Ask once for all that is wanted by then."""
        if not self._will_follow:
            self._will_follow = True
            self._session.tasks.spawn(self._follow(), name="follow lists")

    async def _follow(self) -> None:
        await self._until_gathered()
        self._will_follow = False
        if not self._unknown:
            await self._change_shared()

    def _on_gap_ended(self) -> None:
        """The server may be another one by now, which knows nothing of what was asked."""
        self._unknown = False
        for stream in [*self.streams]:
            stream.hurry()
        if self._shared is not None and self._shared.is_over and self.has_streams:
            self._follow_soon()

    async def _ask_for(self, uri: str) -> None:
        if self.has_streams:
            await self._share(uri)
        else:
            await self._session.request("resources/subscribe", {"uri": uri})

    async def _share(self, uri: str) -> None:
        stream = await self._change_shared()
        if stream is None:
            return
        if stream.is_cut:
            raise ConnectionLost(stream.status_text)
        if stream.error is not None:
            raise stream.error
        if stream.state is StreamState.OPENING:
            text = f"no subscription acknowledgement within {self._patience:g} s"
            raise TimedOut(text, frame=stream.request_frame)
        if stream.is_over:
            raise RequestAborted(f"notification stream {stream.state}: {stream.status_text}")
        if uri in stream.refused:
            raise RequestAborted(
                f"the server declined updates for {uri}", frame=stream.acknowledged_frame
            )

    async def _change_shared(self) -> NotificationStream | None:
        """Make the shared stream ask for what is wanted now: the new one opens before the old one closes."""
        async with self._changing:
            wanted, before = (
                SubscriptionFilter(frozenset(self._kinds), tuple(self._uris)),
                self._shared,
            )
            if before is not None and before.wanted == wanted and not before.is_over:
                return before
            self._shared = None if wanted.is_empty else self.open(wanted)
            if self._shared is not None:
                await self._shared.settled(self._patience)
                self._unknown = self._shared.is_unknown
            if before is not None:
                before.close()
            return self._shared

    def _on_renewed(self) -> None:
        """A new session knows nothing of what the old one was asked (C-HTTP-15)."""
        for uri in self._uris:
            self._session.tasks.spawn(self._subscribe_again(uri), name=f"subscribe to {uri}")

    async def _subscribe_again(self, uri: str) -> None:
        try:
            await self._ask_for(uri)
        except InspectorError as error:
            self._note_unwatched(uri, error)

    def _note_unwatched(self, uri: str, error: InspectorError) -> None:
        text = f"no longer subscribed to {uri}: {error.reason}"
        self._session.transcript.note("not-subscribed", text)

    def _forget_stream(self, stream: NotificationStream) -> None:
        if stream.is_over and not stream.is_cut and stream.wanted in self.wishes.streams:
            self.wishes.streams.remove(stream.wanted)
