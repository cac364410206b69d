"""What came while a request waited, and may be why it was not answered: nobody is told to wait longer for what is there already.

Source: basic/transports, "stdio": a newline ends a message, and nothing but messages travels on stdout; basic, "Responses": a response has
the id of its request.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol, TypeVar

from inspector.errors import TimedOut
from inspector.session import advice, evidence, shapes, story
from inspector.session.amiss import (
    NOT_ON_STDOUT,
    ONE_A_LINE,
    Reason,
    in_pieces,
    malformed,
    misaddressed,
    no_headers,
    odd_event,
    text_of,
)
from inspector.transcript.index import FrameFlags
from inspector.transcript.quick_fields import key_of
from inspector.wire.frame import MESSAGE_CHANNELS, Channel, Direction
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.errors import ConnectionLost
    from inspector.session.shapes import Shape
    from inspector.session.timeouts import Timeouts
    from inspector.transcript.transcript import RecordedMessage, Transcript
    from inspector.transcript.unfinished import Rest

DOUBT_SECONDS = 3.0
"""How long the proper response is waited for after one among other text: a server may log what it is about to send."""

SHAPE_LINES = 20
"""Lines in which a well-known mistake is looked for."""

_RESPONSES = (MessageKind.RESPONSE, MessageKind.ERROR)
_UNASSIGNED = FrameFlags.UNKNOWN | FrameFlags.DUPLICATE
_LOOK_BACK = 5000


def reason(transcript: Transcript, request: int) -> Reason | None:
    """What came since the frame `request` and may be why it has no response; nothing where nothing did."""
    rests = _rests(transcript, request)
    strange = list(_strange(transcript, request))
    if rests:
        stream = rests[0].stream
        if rests[0].channel is Channel.HTTP and not evidence.http_status(transcript, stream):
            return no_headers(rests[0], is_proxy=evidence.is_at_proxy(transcript, stream))
        return in_pieces(rests[0], _shape(transcript, strange) or _earlier_shape(transcript)[1])
    if not strange:
        return odd_event(transcript, request)
    mark = transcript.columns.flags
    unassigned = [number for number in strange if mark[number - 1] & _UNASSIGNED]
    first = (unassigned or strange)[0]
    more = f" (and {len(strange) - 1:,} more frames that answer no request)" if strange[1:] else ""
    if unassigned:
        return misaddressed(transcript, first, request, more)
    shape = _shape(transcript, strange)
    if shape is not None:
        text = f"{shape.text}: {story.line_of(transcript, first).strip()}"
        return Reason(text, shape.hint, first)
    return malformed(transcript, first, more)


class Waiting(Protocol):
    """A request that is waited for."""

    @property
    def id(self) -> int:
        """Its id."""
        ...

    @property
    def frame(self) -> int:
        """Its frame."""
        ...

    @property
    def timeouts(self) -> Timeouts:
        """Its limits."""
        ...

    @property
    def started(self) -> float:
        """Seconds on the loop's clock."""
        ...

    paused_s: float
    """How long the server waited for responses of the client since then."""
    alive: float
    """When it last gave a sign of life."""
    among_text: int
    """The frame in which its response stands among other text; 0 for none."""
    hopeless: float
    """When the proper one is waited for no longer, since then."""


W = TypeVar("W", bound=Waiting)


def prolong(transcript: Transcript, waiting: Waiting, now: float) -> bool:
    """Whether bytes came since its last sign of life that may become its response; they are one."""
    heard = now - transcript.unfinished.quiet_seconds(_rests(transcript, waiting.frame))
    if waiting.among_text or not waiting.timeouts.progress_resets or heard <= waiting.alive:
        return False
    waiting.alive = heard
    return heard + waiting.timeouts.idle_seconds > now


def timed_out(transcript: Transcript, waiting: Waiting, now: float) -> TimedOut:
    """The error of a request that is waited for no longer."""
    limit, waited = waiting.timeouts.total_seconds, now - waiting.started
    is_total = waited - waiting.paused_s >= limit
    seen = (
        among_text(transcript, waiting.among_text)
        if waiting.among_text
        else reason(transcript, waiting.frame) or earlier(transcript)
    )
    if seen is None:
        facts = evidence.silence(transcript, waiting.frame, waited)
        why = advice.silence_words(facts)
        if is_total:
            why = f"the total limit of {limit:g} s" + (f": {why}" if why != advice.SILENT else "")
        text = f"timed out after {waited:.1f} s: {why}"
        return TimedOut(text, hint=advice.silence_hint(facts), frame=waiting.frame)
    text = f"timed out after {waited:.1f} s: {seen.text}"
    error = TimedOut(text, hint=seen.hint, frame=seen.frame or waiting.frame)
    error.is_explained = True
    return error


def explain_lost(transcript: Transcript, request: int, error: ConnectionLost) -> None:
    """Complete the error of a request whose response was expected in something that ended."""
    seen = reason(transcript, request)
    if seen is not None:
        error.reason = f"{error.reason}; {seen.text}"
        error.hint = seen.hint
        error.frame = seen.frame or error.frame


def doubt(requests: Iterable[W], taken: RecordedMessage) -> list[W]:
    """Those whose response stands among other text in this frame: it may only have been logged, so they wait a little for the proper one."""
    said = [message for message in taken.message.within if message.kind in _RESPONSES]
    ids = {key_of(message.id) for message in said}
    doubtful = [request for request in requests if request.id in ids] if ids else []
    for request in doubtful:
        request.among_text = taken.number
        request.hopeless = asyncio.get_running_loop().time() + DOUBT_SECONDS
    return doubtful


def among_text(transcript: Transcript, number: int) -> Reason:
    """That the response is in frame `number`, on a line that is no message."""
    shape = shapes.framing(story.line_of(transcript, number))
    if shape is not None:
        return Reason(f"{shape.text}: {story.line_of(transcript, number)}", shape.hint, number)
    message = transcript.message(number)
    hint = ONE_A_LINE if len(message.within) > 1 else NOT_ON_STDOUT
    return Reason(f"the response is in frame {number}, which has {message.problem}", hint, number)


def _shape(transcript: Transcript, strange: list[int]) -> Shape | None:
    """The well-known mistake that the first of these frames show together."""
    if not strange:
        return None
    text = "\n".join(text_of(transcript, number) for number in strange[:SHAPE_LINES])
    if transcript.columns.channel[strange[0] - 1] not in story.LINE_CHANNELS:
        return shapes.misencoded(text)
    is_unreadable = transcript.message(strange[0]).problem.startswith("not JSON")
    broken = shapes.broken(text) if is_unreadable else None
    return shapes.framing(text) or broken or shapes.obstacle(text) or shapes.end(text)


def _rests(transcript: Transcript, request: int) -> list[Rest]:
    """What may become the response to `request`, the longest waiting first: not what comes in the HTTP exchange of another request."""
    owner = transcript.columns.request
    headers = [rest for rest in transcript.unfinished if rest.channel is Channel.HTTP]
    return [
        rest
        for rest in [*transcript.unfinished.messages(), *headers]
        if rest.stream in {0, request} or not owner[rest.stream - 1]
    ]


def earlier(transcript: Transcript) -> Reason | None:
    """A well-known mistake in what came before the request; nothing where there is none."""
    first, shape = _earlier_shape(transcript)
    if shape is None:
        return None
    text = f"{shape.text}: {story.line_of(transcript, first).strip()}"
    return Reason(text, shape.hint, first)


def _earlier_shape(transcript: Transcript) -> tuple[int, Shape | None]:
    """The first frame that is no message, and what it and those after it show together."""
    first = story.first_stdout_noise(transcript)
    numbers = range(first, min(transcript.count, first + _LOOK_BACK) + 1) if first else ()
    return first, _shape(transcript, [n for n in numbers if story.is_stdout_noise(transcript, n)])


def _strange(transcript: Transcript, request: int) -> Iterator[int]:
    """Frames after `request` that are no message, or answer no request."""
    columns = transcript.columns
    for number in range(request + 1, min(transcript.count, request + _LOOK_BACK) + 1):
        at = number - 1
        is_malformed = columns.kind[at] == MessageKind.MALFORMED and not columns.request[at]
        if (is_malformed or columns.flags[at] & _UNASSIGNED) and (
            columns.channel[at] in MESSAGE_CHANNELS and columns.direction[at] == Direction.RECEIVED
        ):
            yield number
