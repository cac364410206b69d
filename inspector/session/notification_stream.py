"""One notification stream: a request whose response ends it, and the notifications tagged with its id.

A stream that broke off is opened again after growing pauses, without end while the server cannot be reached; a stream that the server ended
stays closed. When the server is back, the pause is cut short (`hurry`).

Source: basic/patterns/subscriptions; C-SUB-01 to C-SUB-06, C-STD-12.
"""

from __future__ import annotations

import asyncio
import contextlib
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import (
    CancelledByServer,
    ConnectFailed,
    ConnectionLost,
    HttpStatus,
    InspectorError,
    PeerError,
    ResponseLost,
)
from inspector.event import Event
from inspector.session.outgoing import ENDLESS
from inspector.spec.error_codes import METHOD_NOT_FOUND
from inspector.spec.subscription_filter import (
    ACKNOWLEDGED,
    LISTEN,
    check_acknowledgment,
    check_notification,
    check_stream_end,
)
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.finding import Finding
    from inspector.session.peer import Reply
    from inspector.session.session import Session
    from inspector.spec.subscription_filter import SubscriptionFilter
    from inspector.wire.json_codec import Json
    from inspector.wire.message import Message

FIRST_PAUSE_SECONDS = 1.0
MAX_PAUSE_SECONDS = 60.0
"""Before it is opened again; doubled each time."""

LASTING_SECONDS = 30.0
"""A stream that lived so long did not fail at once: the pauses start at the first one again."""

MAX_TRIES = 10
"""How often in a row it is opened again where there is a server that lets it break off."""


class StreamState(StrEnum):
    """Where a stream stands."""

    OPENING = "opening"
    """Asked for; the server has not agreed yet."""
    OPEN = "open"
    LOST = "lost"
    """It broke off, and will be opened again."""
    ENDED = "ended"
    """The server ended it, or the connection is over."""
    CLOSED = "closed"
    """We closed it."""
    FAILED = "failed"
    """The server refuses it, or it broke off too often."""


class Break(NamedTuple):
    """Why a stream is not open, although it may be soon."""

    reason: str
    is_away: bool
    """The server could not be reached, or is temporarily unavailable."""


ENDED_STATES = frozenset({StreamState.ENDED, StreamState.CLOSED, StreamState.FAILED})


class NotificationStream:
    """One stream."""

    def __init__(self, session: Session, requested: SubscriptionFilter) -> None:
        """Prepare to ask for `requested`."""
        self.changed: Event[()] = Event()
        self.requested = requested
        self.state = StreamState.OPENING
        self.status_text = ""
        """Why it stands so, where there is something to say."""
        self.error: InspectorError | None = None
        self.request_frame = 0
        """Frame of the latest request that opened it."""
        self.acknowledged: Json = None
        """What the server agreed to, as it came; none before."""
        self.acknowledged_frame = 0
        self.count = 0
        """Announcements so far."""
        self.is_cut = False
        """Whether it ended because the connection did."""
        self._session = session
        self._settled = asyncio.Event()
        self._hurry = asyncio.Event()
        self._broke = False
        self._task: asyncio.Task[None] | None = None

    @property
    def is_ended(self) -> bool:
        """Nothing more will come."""
        return self.state in ENDED_STATES

    @property
    def is_silent(self) -> bool:
        """Nothing is announced on it, although that was asked for."""
        return self.state not in {StreamState.OPENING, StreamState.OPEN, StreamState.CLOSED}

    @property
    def is_unknown(self) -> bool:
        """Whether the server knows no such request."""
        return isinstance(self.error, PeerError) and self.error.code == METHOD_NOT_FOUND

    @property
    def refused(self) -> tuple[str, ...]:
        """What was asked for and not agreed to; nothing before the server answered."""
        return self.requested.refused(self.acknowledged) if self.acknowledged_frame else ()

    def start(self) -> None:
        """Ask for it."""
        self._task = self._session.tasks.spawn(self._run(), name=LISTEN)

    def close(self) -> None:
        """End it, on the wire as well."""
        if self._task is not None and not self.is_ended:
            self._task.cancel("subscription ended")
            self._set_state(StreamState.CLOSED)

    def cut(self, reason: str) -> None:
        """End it as the end of the connection does."""
        if self.is_ended:
            return
        self.is_cut = True
        peer = self._session.peer
        if peer.is_pending(self.request_frame):
            if peer.transport is not None:
                peer.transport.cancel_exchange(self.request_frame)
            peer.failed(self.request_frame, ConnectionLost(reason), event="cancelled")
        elif self._task is not None:
            self._task.cancel()
        self._set_state(StreamState.ENDED, reason)

    async def settled(self, seconds: float | None = None) -> None:
        """Return when the server has acknowledged it, it is closed, or `seconds` have passed."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._settled.wait()

    def hurry(self) -> None:
        """The server can be reached: do not wait to open it again, and do so too where it broke off too often."""
        if self.state is StreamState.LOST:
            self._hurry.set()
        elif self.state is StreamState.FAILED and self.error is None:
            self.state = StreamState.LOST
            self.start()

    async def _run(self) -> None:
        pause, tries = FIRST_PAUSE_SECONDS, 0
        while True:
            began = self._session.steps.clock.monotonic()
            lost = await self._once()
            if lost is None:
                return
            self._broke = True
            if self._session.steps.clock.monotonic() - began > LASTING_SECONDS:
                pause, tries = FIRST_PAUSE_SECONDS, 0
            tries += not lost.is_away
            if tries > MAX_TRIES:
                self._set_state(StreamState.FAILED, f"{lost.reason}; failed {tries} times in a row")
                return
            self._set_state(StreamState.LOST, f"{lost.reason}; reopening in {pause:g} s")
            waited = await self._waited_out(pause)
            pause = min(2 * pause, MAX_PAUSE_SECONDS) if waited else FIRST_PAUSE_SECONDS

    async def _waited_out(self, seconds: float) -> bool:
        """Wait before the next try; false when that was cut short."""
        self._hurry.clear()
        try:
            async with asyncio.timeout(seconds):
                await self._hurry.wait()
        except TimeoutError:
            return True
        return False

    async def _once(self) -> Break | None:
        """Open it once; gives why it broke off, or nothing when it is over for good."""
        self.acknowledged, self.acknowledged_frame = None, 0
        self._set_state(StreamState.OPENING)
        try:
            reply = await self._session.request(
                LISTEN,
                {"notifications": self.requested.as_json()},
                timeouts=ENDLESS,
                on_sent=self._on_sent,
                on_notice=self._on_notice,
            )
        except ResponseLost as error:
            return Break(error.reason, is_away=False)
        except ConnectFailed as error:
            return Break(error.reason, is_away=True)
        except CancelledByServer as error:
            self._set_state(StreamState.ENDED, error.reason)
        except ConnectionLost as error:
            self.is_cut = True
            self._set_state(StreamState.ENDED, error.reason)
        except InspectorError as error:
            if isinstance(error, HttpStatus) and error.is_temporary:
                return Break(error.reason, is_away=True)
            self.error = error
            self._set_state(StreamState.FAILED, error.reason)
        else:
            self._check_end(reply)
            self._set_state(StreamState.ENDED, "ended by the server")
        return None

    def _check_end(self, reply: Reply) -> None:
        id_ = self._session.transcript.message(self.request_frame).id
        result = or_null(reply.message.lazy_result)
        self._find(reply.frame, check_stream_end(id_, result, self._session.revision))

    def _on_sent(self, frame: int) -> None:
        self.request_frame = frame
        self.changed.fire()

    def _on_notice(self, frame: int, message: Message) -> None:
        params = message.params if isinstance(message.params, dict) else {}
        if message.method == ACKNOWLEDGED:
            self._acknowledge(frame, params.get("notifications"))
            return
        self.count += 1
        found = check_notification(
            self.requested,
            message.method,
            params,
            self._session.revision,
            is_acknowledged=bool(self.acknowledged_frame),
        )
        self._find(frame, found)
        self.changed.fire()

    def _acknowledge(self, frame: int, agreed: Json) -> None:
        self.acknowledged, self.acknowledged_frame = agreed, frame
        self._find(frame, check_acknowledgment(self.requested, agreed, self._session.revision))
        refused = self.refused
        if self._broke:
            self._broke = False
            self._session.interruptions.end()
        self._set_state(StreamState.OPEN, f"declined: {', '.join(refused)}" if refused else "")

    def _find(self, frame: int, findings: Iterable[Finding]) -> None:
        found = [*findings]
        for finding in found:
            self._session.transcript.add_finding(frame, finding)
        if found:
            self._session.transcript.findings_changed.fire()

    def _set_state(self, state: StreamState, text: str = "") -> None:
        if self.is_ended:  # closed by us in the meantime
            return
        self.state, self.status_text = state, text
        if state is StreamState.OPEN or self.is_ended:
            self._settled.set()
        self.changed.fire()
