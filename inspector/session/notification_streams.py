"""Subscribing to changes, by the way that the revision has.

With a handshake, lists announce their changes, and each resource is subscribed to by a request. Without a handshake, everything is
requested on notification streams: what the features follow shares one stream, the followed tasks share another, and the user may
open more. A shared stream is replaced when its filter changes.

Source: basic/patterns/subscriptions; server/resources, "Subscriptions"; the tasks extension, "Task Status Notifications"; C-SUB-01 to
C-SUB-06, C-STD-11, C-RES-05, C-RES-12, C-TKX-17.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inspector.errors import ConnectionLost, InspectorError, RequestAborted, TimedOut
from inspector.event import Event
from inspector.session.multi_round_trip import MAX_ROUNDS
from inspector.session.notification_stream import NotificationStream, StreamState
from inspector.spec import tasks
from inspector.spec.subscription_filter import KINDS, LISTEN, SubscriptionFilter

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from inspector.session.session import Session
    from inspector.wire.json_codec import Json

GATHER_SECONDS = 0.05
"""How long changes of a filter are gathered before a stream is opened for them."""

MAX_GATHER_SECONDS = 3.0
"""How long lists that are being read are waited for before a stream is opened."""

MAX_CLOSED_STREAMS = 50
"""Streams that are closed and still listed."""

MAX_TASKS = 100
"""Tasks on their stream, the latest."""


@dataclass(slots=True)
class DesiredSubscriptions:
    """What the user wants from one server until the user or the server ends it: the next session requests it again (C-STD-11).

    It is kept while Spyglass runs, and not saved.
    """

    uris: dict[str, None] = field(default_factory=dict[str, None])
    """Resources that are subscribed to."""
    streams: list[SubscriptionFilter] = field(default_factory=list["SubscriptionFilter"])
    """Filters of the streams that the user opened."""
    max_rounds: int = MAX_ROUNDS
    """How many times a request is sent again because its result requires input."""
    log_level: str = ""
    """The requested minimum log level; empty for the level that the server uses without a request."""


class SharedStream:
    """One stream for everything of one kind."""

    def __init__(self, open_stream: Callable[[SubscriptionFilter], NotificationStream]) -> None:
        """Start without a stream."""
        self.stream: NotificationStream | None = None
        self._open = open_stream

    async def replace(
        self, filter_: SubscriptionFilter, timeout_s: float | None = None
    ) -> NotificationStream | None:
        """Open a stream with this filter, and close the old stream after the new one is acknowledged, closed or `timeout_s` old."""
        before = self.stream
        stream = self.stream = None if filter_.is_empty else self._open(filter_)
        if stream is not None:
            await stream.settled(timeout_s)
        if before is not None:
            before.close()
        return stream


class NotificationStreams:
    """The notification streams and resource subscriptions of one session."""

    def __init__(self, session: Session) -> None:
        """Start without any."""
        self.changed: Event[()] = Event()
        self.streams: list[NotificationStream] = []
        """Oldest first; up to `MAX_CLOSED_STREAMS` of them are closed."""
        self.desired = DesiredSubscriptions()
        """What the user wants in every session with the server; may be shared with earlier sessions."""
        self._session = session
        self._kinds: set[str] = set()
        self._uris: dict[str, None] = {}
        self._shared = SharedStream(self.open)
        self._changing = asyncio.Lock()
        self._gathering = 0
        self._gathered = asyncio.Event()
        self._gathered.set()
        self._will_follow = False
        self._is_unsupported = False
        """True after the server did not know the method: nothing is requested automatically any more."""
        session.renewed.subscribe(self._on_renewed)
        session.interruptions.ended.subscribe(self._on_gap_ended)

    @property
    def has_streams(self) -> bool:
        """Whether the revision announces changes on notification streams."""
        return self._session.supports(LISTEN)

    def open(self, requested: SubscriptionFilter) -> NotificationStream:
        """Open a stream."""
        stream = NotificationStream(self._session, requested)
        ended = [each for each in self.streams if each.is_ended]
        for each in ended[: max(0, len(ended) - MAX_CLOSED_STREAMS)]:
            self.streams.remove(each)
        self.streams.append(stream)
        stream.changed.subscribe(self.changed.fire)
        stream.start()
        self.changed.fire()
        return stream

    def open_lasting(self, requested: SubscriptionFilter) -> NotificationStream:
        """Open a stream for the user; later sessions open it again, unless it ends before the connection."""
        if requested not in self.desired.streams:
            self.desired.streams.append(requested)
        stream = self.open(requested)
        stream.changed.subscribe(lambda: self._forget_stream(stream))
        return stream

    def follow(self, method: str) -> None:
        """Subscribe to the notification `method` of a list, if the revision requires that."""
        if self.has_streams and method in KINDS and method not in self._kinds:
            self._kinds.add(method)
            self._follow_soon()

    def interruption_text(self, method: str) -> str:
        """Return why the subscription to `method` of a list is interrupted; empty if it is not, and without a connection."""
        stream = self._shared.stream
        if (
            self._session.peer.ended_with is not None
            or method not in self._kinds
            or stream is None
            or not stream.is_silent
        ):
            return ""
        return f"{stream.state}: {stream.status_text}" if stream.status_text else str(stream.state)

    def open_again(self) -> None:
        """Open the stream for lists and resources now, for any reason it was closed."""
        stream = self._shared.stream
        if stream is not None and not stream.is_ended:
            stream.hurry()
        else:
            self._is_unsupported = False
            self._follow_soon()

    def cut(self, reason: str) -> None:
        """End all streams without a message to the server, which does not know them."""
        for stream in [*self.streams]:
            stream.cut(reason)

    @contextlib.asynccontextmanager
    async def gathering(self) -> AsyncGenerator[None]:
        """Subscribe once, at the end of this context or after `MAX_GATHER_SECONDS`, to everything that is followed in it."""
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

    async def subscribe(self, uri: str) -> None:
        """Subscribe to a resource.

        Raises:
            InspectorError: the server refuses, or cannot be asked.
        """
        self._uris[uri] = None
        try:
            await self._subscribe(uri)
        except InspectorError:
            self._uris.pop(uri, None)
            raise
        self.desired.uris[uri] = None

    def resume_streams(self) -> None:
        """Open the streams again that the user had open in an earlier session."""
        for requested in [*self.desired.streams] if self.has_streams else []:
            self.open_lasting(requested)

    async def subscribe_again(self) -> dict[str, InspectorError]:
        """Subscribe to the resources of an earlier session; return those that failed, each with the error.

        What the server rejects is not tried in later sessions.
        """
        failed: dict[str, InspectorError] = {}
        self._uris |= self.desired.uris
        await self._until_gathered()
        for uri in [*self.desired.uris]:
            try:
                await self._subscribe(uri)
            except InspectorError as error:
                self._uris.pop(uri, None)
                failed[uri] = error
                if not isinstance(error, ConnectionLost):
                    self.desired.uris.pop(uri, None)
                    self._note_unsubscribed(uri, error)
        return failed

    async def unsubscribe(self, uri: str) -> None:
        """Unsubscribe from a resource.

        Raises:
            InspectorError: the server refuses, or cannot be asked.
        """
        self.desired.uris.pop(uri, None)
        if self.has_streams:
            self._uris.pop(uri, None)
            await self._change_shared()
        else:
            await self._session.request("resources/unsubscribe", {"uri": uri})
            self._uris.pop(uri, None)

    @property
    def _timeout_s(self) -> float:
        """Seconds to wait for an acknowledgment; later the stream stays open."""
        return self._session.timeouts.idle_seconds

    async def _until_gathered(self) -> None:
        await asyncio.sleep(GATHER_SECONDS)
        await self._gathered.wait()

    def _follow_soon(self) -> None:
        """Subscribe once to everything that is followed after a moment."""
        if not self._will_follow:
            self._will_follow = True
            self._session.tasks.spawn(self._follow(), name="follow lists")

    async def _follow(self) -> None:
        await self._until_gathered()
        self._will_follow = False
        if not self._is_unsupported:
            await self._change_shared()

    def _on_gap_ended(self) -> None:
        """Request everything again: the server may be another process now."""
        self._is_unsupported = False
        for stream in [*self.streams]:
            stream.hurry()
        shared = self._shared.stream
        if shared is not None and shared.is_ended and self.has_streams:
            self._follow_soon()

    async def _subscribe(self, uri: str) -> None:
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
            text = f"no subscription acknowledgement within {self._timeout_s:g} s"
            raise TimedOut(text, frame=stream.request_frame)
        if stream.is_ended:
            raise RequestAborted(f"notification stream {stream.state}: {stream.status_text}")
        if uri in stream.refused:
            raise RequestAborted(
                f"the server declined updates for {uri}", frame=stream.acknowledged_frame
            )

    async def _change_shared(self) -> NotificationStream | None:
        """Let the shared stream have the filter that is needed now."""
        async with self._changing:
            requested = SubscriptionFilter(frozenset(self._kinds), tuple(self._uris))
            before = self._shared.stream
            if before is not None and before.requested == requested and not before.is_ended:
                return before
            stream = await self._shared.replace(requested, self._timeout_s)
            if stream is not None:
                self._is_unsupported = stream.is_unknown
            return stream

    def _on_renewed(self) -> None:
        """Subscribe again: a new session has no subscriptions (C-HTTP-15), and streams only if the session before had none."""
        if self.has_streams:
            self._is_unsupported = False
            self.resume_streams()
            self._follow_soon()
        for uri in self._uris:
            self._session.tasks.spawn(self._resubscribe(uri), name=f"subscribe to {uri}")

    async def _resubscribe(self, uri: str) -> None:
        try:
            await self._subscribe(uri)
        except InspectorError as error:
            self._note_unsubscribed(uri, error)

    def _note_unsubscribed(self, uri: str, error: InspectorError) -> None:
        text = f"no longer subscribed to {uri}: {error.reason}"
        self._session.transcript.note("not-subscribed", text)

    def _forget_stream(self, stream: NotificationStream) -> None:
        if stream.is_ended and not stream.is_cut and stream.requested in self.desired.streams:
            self.desired.streams.remove(stream.requested)


class TaskSubscription:
    """The stream with notifications of the followed tasks of one session, apart from the stream of the lists.

    A server that declines it is not asked again in this session: tasks are polled in any case.
    """

    def __init__(self, session: Session) -> None:
        """Start without tasks."""
        self._session = session
        self._ids: dict[str, None] = {}
        self._requested: set[str] = set()
        """The tasks that were followed when the stream was opened."""
        self._shared = SharedStream(session.listening.open)
        self._is_declined = False
        self._changing: asyncio.Task[None] | None = None

    def add(self, id_: str) -> None:
        """Subscribe to a task."""
        self._ids[id_] = None
        if self._is_supported and id_ not in self._requested and self._changing is None:
            self._changing = self._session.tasks.spawn(self._change(), name="subscribe to tasks")

    def remove(self, id_: str) -> None:
        """Unsubscribe from a task; without tasks, the stream is closed."""
        self._ids.pop(id_, None)
        if not self._ids and self._shared.stream is not None:
            self._close()

    @property
    def _is_supported(self) -> bool:
        design = tasks.dialect(self._session.revision)
        if design is None or not design.extension or self._is_declined:
            return False
        greeting = self._session.greeting
        is_declared = greeting is not None and design.extension in greeting.extensions
        return is_declared and self._session.listening.has_streams

    async def _change(self) -> None:
        try:
            await asyncio.sleep(GATHER_SECONDS)
            while self._is_supported and (set(self._ids) - self._requested):
                self._requested = set(self._ids)
                ids: list[Json] = [*[*self._ids][-MAX_TASKS:]]
                stream = await self._shared.replace(SubscriptionFilter(more={tasks.FILTER: ids}))
                if stream is not None and (
                    tasks.FILTER in stream.refused or stream.error is not None
                ):
                    self._is_declined = True
                    self._close()
        finally:
            self._changing = None

    def _close(self) -> None:
        if self._shared.stream is not None:
            self._shared.stream.close()
            self._shared.stream = None
        self._requested.clear()
