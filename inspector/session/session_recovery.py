"""What a session does when its server was away: a new MCP session instead of an expired one, and discovery after an interruption.

`SessionRenewal` starts a new session on its own, up to `MAX_RENEWALS` times a minute, and notes it. What was pending is lost; only
requests without side effects are sent again (`Session.request`). A stateless server may have been replaced by one with a handshake: when
it refuses a request because of a missing session, and `server/discover` as well, a handshake is tried on the same connection. The
session goes on as it is unless that succeeds.

An interruption ends when a server that could not be reached responds, or when a stream that broke off is open again. The server may have
been restarted meanwhile: lists are read again, streams are opened again, and in the stateless era `server/discover` is sent again. That a
result names another server is shown, and nothing follows from it (C-MET-07).

Source: basic/transports, "Session Management"; basic, "_meta"; server/discover; C-HTTP-15, C-STD-11, C-SUB-05.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.errors import HttpStatus, InspectorError, PeerError, SessionExpired
from inspector.event import Event
from inspector.session import discovery, negotiation
from inspector.session.discovery import DISCOVER, view_of
from inspector.session.error_responses import misses_handshake
from inspector.session.outgoing import Timeouts
from inspector.session.session_state import SessionState
from inspector.session.stateful import StatefulMode
from inspector.spec.error_codes import METHOD_NOT_FOUND
from inspector.spec.keys import META, META_SERVER_INFO
from inspector.spec.revision import NEWEST_STATEFUL, STATELESS
from inspector.spec.views.handshake import ServerInfo
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from inspector.session.connector import Connector
    from inspector.session.peer import Reply
    from inspector.session.protocol_mode import Agreement
    from inspector.session.session import Session
    from inspector.spec.revision import Revision

MAX_RENEWALS = 10
"""New sessions within `RENEWAL_SECONDS`: a server may be restarted whenever one of its files is saved."""

RENEWAL_SECONDS = 60.0

EXAMINE_SECONDS = 5.0
"""How long the error of a request waits for what `server/discover` says about it, and for `initialize` after that; and for a new session."""

NEW_SESSION = "A new session was started. Send the request again if it may run twice."
"""The hint for a request that was lost with the old session."""

STARTING = "A new session is being started. Send the request again in it if it may run twice."
"""The same, as long as the server has not opened it."""

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
        self, session: Session, connector: Connector, *, fail: Callable[[InspectorError], None]
    ) -> None:
        """Open them for `session` by `connector`; `fail` takes the error when the session cannot go on."""
        self._session, self._steps = session, session.steps
        self._connector = connector
        self._fail = fail
        self._times: list[float] = []
        self._is_confirmed = True
        self._running: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        """Whether a new session is being started."""
        return self._running is not None and not self._running.done()

    async def explain(self, expired: SessionExpired, limit_seconds: float | None) -> None:
        """Complete the error of a request that was lost with a session: a new one was started, or the latest one served no request.

        Waits for a new session that is being started: up to a limit, or for as long as that takes.
        """
        if self.is_running:
            await self.settled(limit_seconds)
            if self.is_running:
                expired.hint = STARTING
            elif self._session.state is SessionState.READY:
                expired.hint = NEW_SESSION
        elif self._times and not self._is_confirmed:
            expired.reason, expired.hint = UNKNOWN_SESSION

    async def examine(self, error: PeerError | HttpStatus, agreed: Agreement | None) -> None:
        """Find out whether a server with a handshake took the place of the stateless one of which `agreed` is true; complete `error` then.

        That is so if it refuses `server/discover` as it refused the request or does not know it, and accepts `initialize`.
        """
        session = self._session
        if agreed is None or agreed.revision.stateful or session.profile.revision:
            return
        if not misses_handshake(error):
            return
        if session.greeting is agreed:
            self._run(partial(self._look_for_handshake, error))
            await self.settled()
        if session.revision is not None and session.revision.stateful:
            error.hint = NEW_SESSION

    def start(self, expired: InspectorError) -> bool:
        """Start a new session; False after too many lately, or if the latest one served no request."""
        is_good = self._is_confirmed or (isinstance(expired, SessionExpired) and expired.was_in_use)
        if not is_good or not self._run(partial(self._renew, expired)):
            return False
        self._is_confirmed = False
        return True

    def _run(self, work: Callable[[], Coroutine[object, object, None]]) -> bool:
        """Do `work`, which may start a new session; False after too many lately, or while such work is done."""
        now = self._steps.clock.monotonic()
        self._times = [each for each in self._times if now - each < RENEWAL_SECONDS]
        if self.is_running or len(self._times) >= MAX_RENEWALS:
            return False
        self._times.append(now)
        self._running = self._session.tasks.spawn(work(), name="start a new session")
        return True

    def confirm(self) -> None:
        """Note that the session has responded to a request."""
        self._is_confirmed = True

    async def settled(self, limit_seconds: float | None = None) -> None:
        """Return when no new session is being started, or after a limit; at once in the task that starts one."""
        if self._running is not None and self._running is not asyncio.current_task():
            await asyncio.wait([self._running], timeout=limit_seconds)

    async def _renew(self, expired: InspectorError) -> None:
        text = f"{expired.reason}; starting a new session"
        self._session.transcript.note("session-renewed", text)
        try:
            with self._steps.run("Start new session") as step:
                self._steps.set_text(step, text, frame=expired.frame)
                assert self._session.greeting is not None
                self._use(await self._connector.again(self._session.greeting.revision))
        except InspectorError as error:
            self._fail(error)

    async def _look_for_handshake(self, error: PeerError | HttpStatus) -> None:
        session, limits = self._session, Timeouts(EXAMINE_SECONDS, EXAMINE_SECONDS)
        try:
            await session.request(DISCOVER, timeouts=limits)
        except (PeerError, HttpStatus) as refusal:
            is_unknown = isinstance(refusal, PeerError) and refusal.code == METHOD_NOT_FOUND
            if is_unknown or misses_handshake(refusal):
                await self._replace_session(error, limits)
        except InspectorError:
            pass  # it says nothing about the era
        if session.peer.ended_with is not None:  # which was not noticed while this was running
            self._fail(session.peer.ended_with)

    async def _replace_session(self, error: PeerError | HttpStatus, limits: Timeouts) -> None:
        steps, before = self._steps, len(self._steps)
        try:
            with steps.run("Start new session") as step:
                steps.set_text(step, error.reason, frame=error.frame)
                greeting = await self._try_handshake(limits)
        except InspectorError as failure:
            text = f"{failure.reason}; the session goes on without a handshake"
            for at in range(before, len(steps)):
                steps.skip(steps[at], text)
        else:
            text = f"another server responds at this address: {error.reason}; a new session was started with initialize"
            self._session.transcript.note("server-replaced", text)
            self._session.listening.cut("another server took the place of the one that opened it")
            self._use(greeting)

    async def _try_handshake(self, limits: Timeouts) -> Agreement:
        """Send `initialize` on the connection of a session without a handshake; leave the session as it is where that fails.

        Raises:
            InspectorError: the handshake failed.
        """
        session, connector = self._session, self._connector
        before, agreed, since = connector.era, session.greeting, session.transcript.count
        try:
            try:
                return await self._handshake(NEWEST_STATEFUL, limits)
            except PeerError as error:
                better = negotiation.counter_offer(error, NEWEST_STATEFUL)
                if better is None or not better.stateful:
                    raise
            return await self._handshake(better, limits)
        except BaseException:
            connector.era = before
            if agreed is not None:
                session.declare_for(agreed.revision)
            discovery.set_aside_after(session.transcript, "initialize", since)
            raise

    async def _handshake(self, offer: Revision, limits: Timeouts) -> Agreement:
        peer, steps = self._session.peer, self._steps
        stamp = self._session.declare_for(offer)
        self._connector.era = era = StatefulMode(offer)
        greeting = await era.handshake(peer, steps, stamp=stamp, timeouts=limits)
        await era.open_server_stream(peer)
        return greeting

    def _use(self, greeting: Agreement) -> None:
        self._session.greeting = greeting
        self._session.changed.fire()
        self._session.renewed.fire()


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
