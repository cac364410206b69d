"""What a session does when its server was away: a new MCP session instead of an expired one, and discovery after an interruption.

`SessionRenewal` starts a new session on its own, up to `MAX_RENEWALS` times a minute, and notes it. What was pending is lost; only
requests without side effects are sent again (`Session.request`). A stateless server may have been replaced by one with a handshake: that
is found out when it refuses a request in a way that may mean this, and `server/discover` as well.

An interruption ends when a server that could not be reached responds, or when a stream that broke off is open again. The server may have
been restarted meanwhile: lists are read again, streams are opened again, and in the stateless era `server/discover` is sent again. That a
result names another server is shown, and nothing follows from it (C-MET-07).

Source: basic/transports, "Session Management"; basic, "_meta"; server/discover; C-HTTP-15, C-STD-11, C-SUB-05.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.errors import HttpStatus, InspectorError, PeerError, SessionExpired
from inspector.event import Event
from inspector.session.discovery import DISCOVER, view_of
from inspector.session.error_responses import may_need_handshake
from inspector.session.outgoing import Timeouts
from inspector.spec.keys import META, META_SERVER_INFO
from inspector.spec.revision import STATELESS
from inspector.spec.views.handshake import ServerInfo
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.session.peer import Reply
    from inspector.session.session import Session

MAX_RENEWALS = 10
"""New sessions within `RENEWAL_SECONDS`: a server may be restarted whenever one of its files is saved."""

RENEWAL_SECONDS = 60.0

EXAMINE_SECONDS = 5.0
"""How long the error of a request waits for what `server/discover` says about it."""

NEW_SESSION = "A new session was started. Send the request again if it may run twice."
"""The hint for a request that was lost with the old session."""

UNKNOWN_SESSION = (
    "the server does not know the session that it has just opened (HTTP 404)",
    "Let the server keep its sessions: several processes behind one address must share them, or each get the requests of its own.",
)
"""Reason and hint for a request to a server whose new sessions serve no request."""

STREAM_BACK = "server-stream-back"
"""The event of the note that a stream that broke off is open again."""

MAX_RESULT_BYTES = 1 << 20
"""Larger results are not searched for the name of the server: the next result has it too."""

_KEY = META_SERVER_INFO.encode()


class SessionRenewal:
    """Starts new sessions."""

    def __init__(
        self,
        session: Session,
        *,
        greet: Callable[[], Awaitable[None]],
        fail: Callable[[InspectorError], None],
    ) -> None:
        """`greet` opens a new session; `fail` takes the error when that is not possible."""
        self._session, self._steps = session, session.steps
        self._greet = greet
        self._fail = fail
        self._times: list[float] = []
        self._is_confirmed = True
        self._is_examining = False
        self._running: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        """Whether a new session is being started."""
        return self._running is not None and not self._running.done()

    def explain(self, expired: SessionExpired) -> None:
        """Complete the error of a request that was lost with a session: a new one is being started, or the latest one served no request."""
        if self.is_running:
            expired.hint = NEW_SESSION
        elif self._times and not self._is_confirmed:
            expired.reason, expired.hint = UNKNOWN_SESSION

    async def examine(self, error: PeerError | HttpStatus) -> None:
        """Start a new session if a stateless server refuses `server/discover` as it did a request: another server took its place."""
        session = self._session
        agreed = session.greeting
        if agreed is None or agreed.revision.stateful or session.profile.revision:
            return
        if self._is_examining or self.is_running or not may_need_handshake(error):
            return
        self._is_examining = True
        try:
            await session.request(DISCOVER, timeouts=Timeouts(EXAMINE_SECONDS, EXAMINE_SECONDS))
        except (PeerError, HttpStatus) as refusal:
            if may_need_handshake(refusal) and self.start(refusal):
                error.hint = NEW_SESSION
        except InspectorError:
            return
        finally:
            self._is_examining = False

    def start(self, expired: InspectorError) -> bool:
        """Start a new session; False after too many lately, or if the latest one served no request."""
        now = self._steps.clock.monotonic()
        self._times = [each for each in self._times if now - each < RENEWAL_SECONDS]
        is_good = self._is_confirmed or (isinstance(expired, SessionExpired) and expired.was_in_use)
        if self.is_running or len(self._times) >= MAX_RENEWALS or not is_good:
            return False
        self._times.append(now)
        self._is_confirmed = False
        self._running = self._session.tasks.spawn(self._renew(expired), name="start a new session")
        return True

    def confirm(self) -> None:
        """Note that the session has responded to a request."""
        self._is_confirmed = True

    async def settled(self) -> None:
        """Return when no new session is being started."""
        if self._running is not None and self._running is not asyncio.current_task():
            await asyncio.wait([self._running])

    async def _renew(self, expired: InspectorError) -> None:
        text = f"{expired.reason}; starting a new session"
        self._session.transcript.note("session-renewed", text)
        try:
            with self._steps.run("Start new session") as step:
                self._steps.set_text(step, text, frame=expired.frame)
                await self._greet()
        except InspectorError as error:
            self._fail(error)


class Interruptions:
    """Notices when a server that was away is back, and which server it is then."""

    def __init__(self, session: Session) -> None:
        """Watch `session`."""
        self.ended: Event[()] = Event()
        """Fired when an interruption has ended; the same one may be noticed in more than one way."""
        self.rediscovered: Event[()] = Event()
        """Fired when the server has responded to `server/discover` again."""
        self.other_server = ""
        """Name and version in the latest result, if `server/discover` named another server; empty otherwise."""
        self._session = session
        self._was_away = False
        self._is_discovering = False
        session.transcript.reach_changed.subscribe(self._on_reach_changed)
        session.peer.noted.subscribe(self._on_noted)

    def end(self) -> None:
        """Note that the server is back."""
        self.ended.fire()
        agreed = self._session.greeting
        if agreed is not None and not agreed.revision.stateful and not self._is_discovering:
            self._is_discovering = True
            self._session.tasks.spawn(self._discover(), name=f"{DISCOVER} again")

    def check_server(self, reply: Reply) -> None:
        """Compare the server that a result names with the one that was discovered."""
        agreed, raw = self._session.greeting, reply.message.raw
        if (
            agreed is None
            or not agreed.is_declared
            or len(raw) > MAX_RESULT_BYTES
            or _KEY not in raw
        ):
            return
        result = or_null(reply.message.lazy_result)
        meta = result.get(META) if isinstance(result, dict) else None
        info = meta.get(META_SERVER_INFO) if isinstance(meta, dict) else None
        if info is None:
            return
        named, known = _label(ServerInfo(info)), _label(agreed.server.server)
        other = named if named != known else ""
        if other != self.other_server:
            self.other_server = other
            if other:
                text = f"the result names {other}, but {DISCOVER} named {known}"
                self._session.transcript.note("other-server", text, request=reply.request_frame)
            self._session.changed.fire()

    def _on_noted(self, event: str) -> None:
        if event == STREAM_BACK:
            self.end()

    def _on_reach_changed(self) -> None:
        is_away = self._session.transcript.unreachable is not None
        if self._was_away and not is_away:
            self.end()
        self._was_away = is_away

    async def _discover(self) -> None:
        try:
            self._process(await self._session.request(DISCOVER))
        except InspectorError as error:
            text = f"no result of the repeated {DISCOVER}: {error.reason}"
            self._session.transcript.note("not-discovered", text)
        finally:
            self._is_discovering = False

    def _process(self, reply: Reply) -> None:
        session, server = self._session, view_of(reply)
        before = session.greeting
        if before is None or before.revision.stateful or server.best(STATELESS) is None:
            return
        session.greeting = replace(before, server=server, frame=reply.frame, is_declared=True)
        self.other_server = ""
        now, known = _label(server.server), _label(before.server.server)
        if now != known:
            text = f"another server responds at this address: {now}; before, it was {known}"
            session.transcript.note("server-replaced", text)
        session.changed.fire()
        self.rediscovered.fire()


def _label(server: ServerInfo) -> str:
    parts = " ".join(part for part in (server.name, server.version) if part)
    return parts or "a server without a name"
