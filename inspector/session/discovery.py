"""Asking `server/discover`: as the first message ever, to find out about the era, or because the person insists on the stateless one.

Source: server/discover; basic/versioning; basic/transports, "Backward Compatibility"; C-VER-01 to C-VER-07.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.errors import InspectorError, NegotiationFailed, PeerError
from inspector.session import negotiation
from inspector.session.negotiation import RetryDiscover, UseInitialize
from inspector.session.protocol_mode import Agreement
from inspector.session.timeouts import ENDLESS
from inspector.spec.error_codes import METHOD_NOT_FOUND
from inspector.spec.revision import STATELESS
from inspector.spec.views.handshake import DiscoverResultView
from inspector.transcript.findings import PROBE
from inspector.wire.frame import Channel
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.session.negotiation import Decision
    from inspector.session.outgoing import RequestMeta
    from inspector.session.peer import Peer, Reply
    from inspector.session.stateless import StatelessMode
    from inspector.session.steps import Steps
    from inspector.session.timeouts import Timeouts
    from inspector.transcript.transcript import Transcript

DISCOVER = "server/discover"


def view_of(reply: Reply) -> DiscoverResultView:
    """What a server says about itself."""
    return DiscoverResultView(or_null(reply.message.result))


class DiscoverProbe:
    """One question, answered soon, late or never."""

    def __init__(self, era: StatelessMode, peer: Peer, stamp: RequestMeta) -> None:
        """Ask at once."""
        self.frame = 0
        self.until = 0
        """The last frame that may be about the question, once something was decided without its answer."""
        self._peer = peer
        self._is_settled = False
        self._late: asyncio.Task[Reply | None] | None = None
        self._asked = asyncio.ensure_future(
            peer.request(DISCOVER, era.add_meta({}, stamp), timeouts=ENDLESS, on_sent=self._on_sent)
        )
        self._asked.add_done_callback(_heard)

    async def answer(self, seconds: float) -> Reply | None:
        """The answer; None when there is none in time, and the question stays open. What the server waits for us is not counted.

        Raises:
            InspectorError: there will be none, or it is an error.
        """
        time, ours = asyncio.get_running_loop().time, self._peer.serving.busy_seconds
        until = time() - ours() + seconds
        await asyncio.wait({self._asked}, timeout=seconds)
        while not self._asked.done() and (left := until - time() + ours()) > 0:
            await asyncio.wait({self._asked}, timeout=left)
        return self._asked.result() if self._asked.done() else None

    async def late_answer(self) -> Reply | None:
        """The result that settles the era, whenever it comes; None when the response is anything else."""
        await asyncio.wait({self._asked})
        failed = self._asked.cancelled() or self._asked.exception() is not None
        if failed or view_of(self._asked.result()).best(STATELESS) is None:
            return None
        return self._asked.result()

    async def outlast(
        self, greeting: asyncio.Task[Agreement], patience: Callable[[BaseException], float]
    ) -> Reply | None:
        """The late result that replaces `greeting`; None when `greeting`, which is done then, stands.

        A handshake that succeeded stands. After one that failed, `patience` gives the seconds that a late result may still take: both
        requests lie in the input of the server, and which response is read first is chance (C-VER-06).
        """
        self._late = late = asyncio.ensure_future(self.late_answer())
        try:
            await asyncio.wait({greeting, late}, return_when=asyncio.FIRST_COMPLETED)
            if late.done() and late.result() is None:
                await asyncio.wait({greeting})
            if greeting.done():
                failure = None if greeting.cancelled() else greeting.exception()
                if failure is None:
                    return None
                await asyncio.wait({late}, timeout=patience(failure))
            self._is_settled = late.done() and late.result() is not None
            return late.result() if late.done() else None
        finally:
            late.cancel()

    @property
    def is_over(self) -> bool:
        """Whether nothing will come any more."""
        return self._asked.done()

    @property
    def has_result(self) -> bool:
        """Whether a result came, be it a useful one."""
        asked = self._asked
        return asked.done() and not asked.cancelled() and asked.exception() is None

    def forget(self) -> None:
        """Wait no longer. Nothing is said of it: to a server of the older era the question was none."""
        if not self._asked.done():
            self._asked.cancel("the question is not waited for any more")
            if self._peer.transport is not None:
                self._peer.transport.cancel_exchange(self.frame)

    def set_aside(self, transcript: Transcript) -> None:
        """Record that a handshake takes its place, unless its late answer decided: what it provoked is no fault of the server."""
        if self.frame and not self._is_settled:
            set_aside(transcript, self.frame, self.until)
            self._is_settled = True

    def _on_sent(self, frame: int) -> None:
        self.frame = frame


def _heard(asked: asyncio.Future[Reply]) -> None:
    """Nobody need look at the outcome."""
    if not asked.cancelled():
        asked.exception()


def set_aside(transcript: Transcript, request: int, until: int = 0) -> None:
    """Record that `request` was a probe, and lines on stderr from it to frame `until` are about it; see `transcript.findings`."""
    method = transcript.row(request).method
    text = f"Spyglass sent {method} to find out how to talk to the server; what it caused is no problem of the server"
    transcript.note(PROBE, text, request=request, until=until)
    transcript.findings_changed.fire()


def set_aside_latest(transcript: Transcript, method: str) -> None:
    """Record that the latest request of `method` was a probe, if there was one."""
    columns, wanted = transcript.columns, transcript.columns.methods.number(method)
    for number in range(transcript.count, 0, -1):
        if columns.method[number - 1] == wanted and columns.request[number - 1] == number:
            set_aside(transcript, number)
            return


def stderr_words(probe: DiscoverProbe, transcript: Transcript) -> str:
    """What a step says about the lines on stderr since the question, which end here; empty where there are none."""
    probe.until = transcript.count
    lines = transcript.columns.channel[probe.frame : probe.until].count(Channel.STDERR)
    if not lines:
        return ""
    return f". {lines:,} stderr {'line' if lines == 1 else 'lines'} received meanwhile may be about {DISCOVER}"


def greeting(reply: Reply, offered: StatelessMode) -> Agreement:
    """What an answer agrees on."""
    return Agreement(offered.revision, offered.revision, view_of(reply), reply.frame)


async def discover_or_fail(
    era: StatelessMode, peer: Peer, steps: Steps, *, stamp: RequestMeta, timeouts: Timeouts
) -> Agreement:
    """Ask by the revision of `era`; try no other.

    Raises:
        NegotiationFailed: the server does not speak it.
        InspectorError: there is no answer, or it is an error.
    """
    with steps.run(f"Negotiate: {DISCOVER} with {era.revision}") as step:
        steps.await_response(step, timeouts.idle_seconds)
        try:
            reply = await _ask_twice(era, peer, stamp, timeouts)
        except PeerError as error:
            if error.code != METHOD_NOT_FOUND:
                raise
            text = f"{error.reason}: what the server can do must be tried"
            steps.set_text(step, text, frame=error.frame)
            view = DiscoverResultView({})
            return Agreement(era.revision, era.revision, view, error.frame or 0, is_told=False)
        _demand(era, view_of(reply), reply.frame)
        steps.set_text(step, f"agreed on {era.revision}", frame=reply.frame)
    return greeting(reply, era)


async def _ask_twice(
    era: StatelessMode, peer: Peer, stamp: RequestMeta, timeouts: Timeouts
) -> Reply:
    """Once more where the server says what it misses, and we have it (C-VER-01)."""
    try:
        return await peer.request(DISCOVER, era.add_meta({}, stamp), timeouts=timeouts)
    except PeerError as error:
        decision = negotiation.after_failure(error)
        if not isinstance(decision, RetryDiscover):
            raise
        if decision.revision != era.revision:
            text = f"the server does not speak {era.revision}; it names {decision.revision}"
            raise NegotiationFailed(text, frame=error.frame) from error
        stamp = replace(stamp, capabilities={**stamp.capabilities, **decision.declare})
        return await peer.request(DISCOVER, era.add_meta({}, stamp), timeouts=timeouts)


def _demand(era: StatelessMode, server: DiscoverResultView, frame: int) -> None:
    if not server.is_answer:
        text = f"the answer to {DISCOVER} names no revisions, so it is none"
        raise NegotiationFailed(text, hint="Choose an older revision.", frame=frame)
    if era.revision.date not in server.supported_versions:
        raise negotiation.nothing_in_common(server.value("supportedVersions"), frame)


def decide(outcome: Reply | InspectorError | None, seconds: float) -> Decision:
    """What follows from how the question was answered.

    Raises:
        InspectorError: nothing follows.
    """
    if outcome is None:
        text = f"no answer to {DISCOVER} within {seconds:g} s"
        return UseInitialize(negotiation.NEWEST_STATEFUL, text)
    if isinstance(outcome, InspectorError):
        return negotiation.after_failure(outcome)
    return negotiation.after_answer(view_of(outcome), outcome.frame)
