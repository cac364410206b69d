"""Being told when a resource changes: subscribe, unsubscribe, and the updates that came.

An update says only which address changed, maybe one below what was subscribed to; what it holds now must be read again (C-RES-06). What
is watched when a session ends is watched again in the next one with that server, e.g. when it was restarted (C-STD-11).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import InspectorError
from inspector.event import Event
from inspector.frozen import FrozenStruct
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from inspector.session.notification_stream import NotificationStream
    from inspector.session.session import Session
    from inspector.wire.message import Message

UPDATED = "notifications/resources/updated"

ADDRESSES = 10_000
"""Addresses whose updates are remembered."""


class Update(FrozenStruct, frozen=True):
    """What is known of the updates of one address."""

    count: int
    """How many came."""
    frame: int
    """The frame of the latest."""
    wall_s: float
    """When that came, unix seconds."""
    monotonic_s: float
    """The same on the clock of the record."""


class Subscriptions:
    """Which addresses we watch, and what was told of them."""

    def __init__(self, session: Session) -> None:
        """Offer to watch over `session`."""
        self.changed: Event[()] = Event()
        self.updated: Event[str] = Event()
        self.subscribed: set[str] = set()
        self.busy: set[str] = set()
        self.updates: dict[str, Update] = {}
        self.failures: dict[str, InspectorError] = {}
        self._session = session
        session.peer.listener(UPDATED).subscribe(self._on_updated)

    @property
    def is_possible(self) -> bool:
        """Whether the revision has a way to ask; before one is agreed on, that is not known to be otherwise."""
        session = self._session
        has_way = session.supports("resources/subscribe") or session.listening.has_streams
        return session.revision is None or has_way

    @property
    def offered(self) -> bool:
        """Whether the server declared it (C-RES-02)."""
        return self._session.declares("resources", "subscribe")

    async def subscribe(self, uri: str) -> None:
        """Ask to be told of changes; a refusal is kept in `failures`."""
        if await self._done(self._session.listening.subscribe(uri), uri):
            self.subscribed.add(uri)
        self.changed.fire()

    async def unsubscribe(self, uri: str) -> None:
        """Ask not to be told any more (C-RES-12); a refusal is kept in `failures`."""
        if await self._done(self._session.listening.unsubscribe(uri), uri):
            self.subscribed.discard(uri)
        self.changed.fire()

    def resume(self) -> None:
        """Watch again what an earlier session watched, and open its streams; call it once the session is ready."""
        listening = self._session.listening
        listening.resume_streams()
        if listening.desired.uris and self.is_possible:
            self._session.tasks.spawn(self._resume(), name="resubscribe resources")

    async def _resume(self) -> None:
        uris = {*self._session.listening.desired.uris}
        self.busy |= uris
        self.changed.fire()
        try:
            failed = await self._session.listening.subscribe_again()
        finally:
            self.busy -= uris
        self.failures.update(failed)
        self.subscribed |= uris - failed.keys()
        self.changed.fire()

    def stream_of(self, uri: str) -> NotificationStream | None:
        """The latest stream on which changes of `uri` are announced, where the revision has streams; it may be over."""
        streams = reversed(self._session.listening.streams)
        return next((stream for stream in streams if uri in stream.requested.uris), None)

    def update_of(self, uri: str) -> Update | None:
        """What was told of `uri`; of one that is subscribed to, also what was told of addresses below it."""
        exact = self.updates.get(uri)
        if exact is not None or uri not in self.subscribed:
            return exact
        below = [update for at, update in self.updates.items() if _is_below(at, uri)]
        return max(below, key=lambda update: update.frame, default=None)

    def marks(self) -> dict[str, Update]:
        """Each address that has something to tell of, with it."""
        found = {uri: self.update_of(uri) for uri in (*self.updates, *self.subscribed)}
        return {uri: update for uri, update in found.items() if update is not None}

    def forget_update(self, uri: str) -> None:
        """Forget the updates of a URI that the user has read."""
        below = uri in self.subscribed
        removed = [at for at in self.updates if at == uri or (below and _is_below(at, uri))]
        for at in removed:
            del self.updates[at]
        if removed:
            self.changed.fire()

    async def _done(self, asked: Awaitable[None], uri: str) -> bool:
        self.failures.pop(uri, None)
        self.busy.add(uri)
        self.changed.fire()
        try:
            await asked
        except InspectorError as error:
            self.failures[uri] = error
            return False
        finally:
            self.busy.discard(uri)
        return True

    def _on_updated(self, frame: int, message: Message) -> None:
        params = or_null(message.params)
        uri = params.get("uri") if isinstance(params, dict) else None
        if not isinstance(uri, str):
            return
        before = self.updates.pop(uri, None)
        row = self._session.transcript.row(frame)
        count = before.count + 1 if before is not None else 1
        self.updates[uri] = Update(count, frame, row.wall_s, row.monotonic_s)
        if len(self.updates) > ADDRESSES:
            del self.updates[next(iter(self.updates))]
        self.updated.fire(uri)
        self.changed.fire()


def _is_below(uri: str, above: str) -> bool:
    return uri.startswith(above if above.endswith("/") else f"{above}/")
