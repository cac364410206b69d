"""`server/discover`: sent as the first message to detect the era, or because the user pinned a stateless revision.

Source: server/discover; basic/versioning; basic/transports, "Backward Compatibility"; C-VER-01 to C-VER-07.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.errors import InspectorError, NegotiationFailed, PeerError
from inspector.session import negotiation
from inspector.session.negotiation import RetryDiscover, UseInitialize
from inspector.session.outgoing import ENDLESS
from inspector.session.protocol_mode import Agreement
from inspector.spec.error_codes import METHOD_NOT_FOUND
from inspector.spec.revision import STATELESS
from inspector.spec.views.handshake import DiscoverResultView
from inspector.transcript.findings import PROBE
from inspector.wire.frame import Channel
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.session.negotiation import Decision
    from inspector.session.outgoing import RequestMeta, Timeouts
    from inspector.session.peer import Peer, Reply
    from inspector.session.stateless import StatelessMode
    from inspector.session.steps import Steps
    from inspector.transcript.transcript import Transcript

DISCOVER = "server/discover"


def view_of(reply: Reply) -> DiscoverResultView:
    """Return the result of `server/discover`."""
    return DiscoverResultView(or_null(reply.message.lazy_result))


class DiscoverProbe:
    """One `server/discover`, whose response may come soon, late or never."""

    def __init__(self, era: StatelessMode, peer: Peer, stamp: RequestMeta) -> None:
        """Send it at once."""
        self.frame = 0
        self.until = 0
        """The last frame that may be about it, after a decision without its response; 0 before."""
        self._peer = peer
        self._is_settled = False
        self._late: asyncio.Task[Reply | None] | None = None
        self._reply = asyncio.ensure_future(
            peer.request(DISCOVER, era.add_meta({}, stamp), timeouts=ENDLESS, on_sent=self._on_sent)
        )
        self._reply.add_done_callback(_retrieve)

    async def answer(self, seconds: float) -> Reply | None:
        """Return the result; None if it does not come in `seconds`, without those in which the server waited for the client.

        Raises:
            InspectorError: the response is an error, or will not come.
        """
        time, busy = asyncio.get_running_loop().time, self._peer.serving.busy_seconds
        until = time() - busy() + seconds
        await asyncio.wait({self._reply}, timeout=seconds)
        while not self._reply.done() and (left := until - time() + busy()) > 0:
            await asyncio.wait({self._reply}, timeout=left)
        return self._reply.result() if self._reply.done() else None

    async def late_answer(self) -> Reply | None:
        """Wait for the result that decides the era; None for any other response."""
        await asyncio.wait({self._reply})
        failed = self._reply.cancelled() or self._reply.exception() is not None
        if failed or view_of(self._reply.result()).best(STATELESS) is None:
            return None
        return self._reply.result()

    async def outlast(
        self, greeting: asyncio.Task[Agreement], patience: Callable[[BaseException], float]
    ) -> Reply | None:
        """Return the late result that replaces `greeting`; None if `greeting`, which is done then, counts.

        A handshake that succeeded counts. After one that failed, `patience` returns the seconds that a late result may still take: both
        requests are in the input of the server, and which response is read first is chance (C-VER-06).
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
    def is_done(self) -> bool:
        """Whether it has a response, or will not get one."""
        return self._reply.done()

    @property
    def has_result(self) -> bool:
        """Whether a result came, valid or not."""
        reply = self._reply
        return reply.done() and not reply.cancelled() and reply.exception() is None

    def forget(self) -> None:
        """Stop waiting. No `notifications/cancelled` is sent: a server of the older era knows no such request."""
        if not self._reply.done():
            self._reply.cancel("client stopped waiting for server/discover")
            if self._peer.transport is not None:
                self._peer.transport.cancel_exchange(self.frame)

    def set_aside(self, transcript: Transcript) -> None:
        """Note that a handshake replaced it, unless its late result decided: what it caused is not a problem of the server."""
        if self.frame and not self._is_settled:
            set_aside(transcript, self.frame, self.until)
            self._is_settled = True

    def _on_sent(self, frame: int) -> None:
        self.frame = frame


def _retrieve(reply: asyncio.Future[Reply]) -> None:
    """Retrieve the exception, so that asyncio does not report it."""
    if not reply.cancelled():
        reply.exception()


def set_aside(transcript: Transcript, request: int, until: int = 0) -> None:
    """Record that `request` was a probe, and lines on stderr from it to frame `until` are about it; see `transcript.findings`."""
    method = transcript.row(request).method
    text = f"Spyglass sent {method} to detect the protocol; what it caused is not a problem of the server"
    transcript.note(PROBE, text, request=request, until=until)
    transcript.findings_changed.fire()


def set_aside_latest(transcript: Transcript, method: str) -> None:
    """Note that the latest request of `method` was a probe, if there is such a request."""
    number = next(_requests(transcript, method, 0), 0)
    if number:
        set_aside(transcript, number)


def set_aside_after(transcript: Transcript, method: str, after: int) -> None:
    """Note that the requests of `method` after frame `after` were probes."""
    for number in _requests(transcript, method, after):
        set_aside(transcript, number)


def _requests(transcript: Transcript, method: str, after: int) -> Iterator[int]:
    """Yield the frames after `after` that are requests of `method`, newest first."""
    columns = transcript.columns
    method_number = columns.methods.number(method)
    for number in range(transcript.count, after, -1):
        if columns.method[number - 1] == method_number and columns.request[number - 1] == number:
            yield number


def stderr_text(probe: DiscoverProbe, transcript: Transcript) -> str:
    """Return the text of a step about the lines on stderr since the probe; empty without lines."""
    probe.until = transcript.count
    lines = transcript.columns.channel[probe.frame : probe.until].count(Channel.STDERR)
    if not lines:
        return ""
    return f". {lines:,} stderr {'line' if lines == 1 else 'lines'} received meanwhile may be about {DISCOVER}"


def greeting(reply: Reply, offered: StatelessMode) -> Agreement:
    """Return the agreement that follows from a result."""
    return Agreement(offered.revision, offered.revision, view_of(reply), reply.frame)


async def discover_or_fail(
    era: StatelessMode, peer: Peer, steps: Steps, *, stamp: RequestMeta, timeouts: Timeouts
) -> Agreement:
    """Send `server/discover` with the revision of `era`; try no other.

    Raises:
        NegotiationFailed: the server does not support the revision.
        InspectorError: there is no response, or it is an error.
    """
    with steps.run(f"Negotiate: {DISCOVER} with {era.revision}") as step:
        steps.await_response(step, timeouts.idle_seconds)
        try:
            reply = await _request_twice(era, peer, stamp, timeouts)
        except PeerError as error:
            if error.code != METHOD_NOT_FOUND:
                raise
            text = f"{error.reason}; capabilities unknown"
            steps.set_text(step, text, frame=error.frame)
            view = DiscoverResultView({})
            return Agreement(era.revision, era.revision, view, error.frame or 0, is_declared=False)
        _require_support(era, view_of(reply), reply.frame)
        steps.set_text(step, f"using {era.revision}", frame=reply.frame)
    return greeting(reply, era)


async def _request_twice(
    era: StatelessMode, peer: Peer, stamp: RequestMeta, timeouts: Timeouts
) -> Reply:
    """Send it once more if the server names a missing capability that the client has (C-VER-01)."""
    try:
        return await peer.request(DISCOVER, era.add_meta({}, stamp), timeouts=timeouts)
    except PeerError as error:
        decision = negotiation.after_failure(error)
        if not isinstance(decision, RetryDiscover):
            raise
        if decision.revision != era.revision:
            text = f"{era.revision} not supported; the server supports {decision.revision}"
            raise NegotiationFailed(text, frame=error.frame) from error
        stamp = replace(stamp, capabilities={**stamp.capabilities, **decision.declare})
        return await peer.request(DISCOVER, era.add_meta({}, stamp), timeouts=timeouts)


def _require_support(era: StatelessMode, server: DiscoverResultView, frame: int) -> None:
    if not server.is_answer:
        text = f"invalid {DISCOVER} result: no list of `supportedVersions`"
        raise NegotiationFailed(text, hint="Select an older revision.", frame=frame)
    if era.revision.date not in server.supported_versions:
        raise negotiation.no_shared_revision(server.value("supportedVersions"), frame)


def decide(outcome: Reply | InspectorError | None, seconds: float) -> Decision:
    """Return what follows from the outcome of `server/discover`; None stands for no response.

    Raises:
        InspectorError: nothing follows.
    """
    if outcome is None:
        text = f"no response to {DISCOVER} within {seconds:g} s"
        return UseInitialize(negotiation.NEWEST_STATEFUL, text)
    if isinstance(outcome, InspectorError):
        return negotiation.after_failure(outcome)
    return negotiation.after_answer(view_of(outcome), outcome.frame)
