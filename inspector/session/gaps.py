"""Times in which the server was not heard, and whether the one that is heard now is the one that was discovered.

A gap ends when a server that could not be reached answers, or when a stream that broke off is open again. It may have been restarted
meanwhile: lists are read again, streams are opened again, and in the stateless era it is asked anew what it can do. That a result names
another server is shown, and nothing follows from it (C-MET-07).

Source: basic, "_meta"; server/discover; C-STD-11, C-SUB-05.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.errors import InspectorError
from inspector.event import Event
from inspector.session.discovery import DISCOVER, view_of
from inspector.spec.keys import META, META_SERVER_INFO
from inspector.spec.revision import STATELESS
from inspector.spec.views.handshake import ServerInfo
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from inspector.session.peer import Reply
    from inspector.session.session import Session

STREAM_BACK = "server-stream-back"
"""The event of the remark that a transport makes when a stream that broke off is open again."""

LARGE = 1 << 20
"""Bytes from which a result is not looked at: the next one names the server too."""

_KEY = META_SERVER_INFO.encode()


class Gaps:
    """The gaps of one session."""

    def __init__(self, session: Session) -> None:
        """Watch `session`."""
        self.ended: Event[()] = Event()
        """Fired when a gap has ended; a gap may be noticed in more than one way."""
        self.discovered: Event[()] = Event()
        """Fired when the server said anew what it can do."""
        self.other = ""
        """Name and version in the latest result, where they are not those that were discovered."""
        self._session = session
        self._was_away = False
        self._asking = False
        session.transcript.reach_changed.subscribe(self._on_reach_changed)
        session.peer.remarked.subscribe(self._on_remark)

    def end(self) -> None:
        """Take note that the server is heard again."""
        self.ended.fire()
        greeting = self._session.greeting
        if greeting is not None and not greeting.revision.stateful and not self._asking:
            self._asking = True
            self._session.tasks.spawn(self._ask(), name=f"{DISCOVER} again")

    def look_at(self, reply: Reply) -> None:
        """See which server a result names."""
        greeting = self._session.greeting
        raw = reply.message.raw
        if greeting is None or not greeting.is_told or len(raw) > LARGE or _KEY not in raw:
            return
        result = or_null(reply.message.lazy_result)
        meta = result.get(META) if isinstance(result, dict) else None
        info = meta.get(META_SERVER_INFO) if isinstance(meta, dict) else None
        if info is None:
            return
        named = _named(ServerInfo(info))
        known = _named(greeting.server.server)
        other = named if named != known else ""
        if other != self.other:
            self.other = other
            if other:
                text = f"the result is of {other}, and what was discovered of {known}"
                self._session.transcript.note("other-server", text, request=reply.request_frame)
            self._session.changed.fire()

    def _on_remark(self, event: str) -> None:
        if event == STREAM_BACK:
            self.end()

    def _on_reach_changed(self) -> None:
        is_away = self._session.transcript.unreachable is not None
        if self._was_away and not is_away:
            self.end()
        self._was_away = is_away

    async def _ask(self) -> None:
        try:
            reply = await self._session.request(DISCOVER)
            self._take(reply)
        except InspectorError as error:
            text = f"{DISCOVER} was asked again and not answered: {error.reason}"
            self._session.transcript.note("not-discovered", text)
        finally:
            self._asking = False

    def _take(self, reply: Reply) -> None:
        session, server = self._session, view_of(reply)
        before = session.greeting
        if before is None or before.revision.stateful or server.best(STATELESS) is None:
            return
        session.greeting = replace(before, server=server, frame=reply.frame, is_told=True)
        self.other = ""
        now, known = _named(server.server), _named(before.server.server)
        if now != known:
            text = f"another server answers at this address: {now}; before, it was {known}"
            session.transcript.note("server-replaced", text)
        session.changed.fire()
        self.discovered.fire()


def _named(server: ServerInfo) -> str:
    return (
        " ".join(part for part in (server.name, server.version) if part)
        or "a server without a name"
    )
