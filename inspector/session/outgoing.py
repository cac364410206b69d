"""Requests of the client: their limits, as a feature sends them, while a response is pending, and what the next one will carry.

One timer watches all limits, not one per request: under qasync a cancelled timer stays alive until its time, so thousands of calls would
leave thousands of timers behind. Progress may reset the idle timeout; the total timeout always holds (basic/lifecycle, "Timeouts").

Source: basic, "_meta"; basic/transports/streamable-http, "Standard Request Headers"; C-MET-04 to C-MET-06, C-HTTP-20 to C-HTTP-33.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from msgspec import Struct, field

from inspector.errors import ConnectionLost, HttpStatus
from inspector.frozen import FrozenStruct
from inspector.session import diagnostics
from inspector.spec.keys import META, OF_EVERY_REQUEST
from inspector.spec.mirrored_headers import MirroredHeaders, mirrored
from inspector.transcript.quick_fields import key_of
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonObject
from inspector.wire.message import Message, MessageKind

if TYPE_CHECKING:
    from collections.abc import Awaitable, Collection, Iterable

    from inspector.session.session import Session
    from inspector.transcript.frame_processor import RecordedMessage
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json

AMONG_TEXT_SECONDS = 3.0
"""How long a proper response is waited for after one among other text: a server may log what it is about to send."""

MAX_SECONDS = 3600.0
"""The longest run of a timer: those of Qt cannot run longer."""


class Timeouts(FrozenStruct, frozen=True):
    """Limits of one request, in seconds."""

    idle_seconds: float = 60.0
    """The idle timeout: the limit without a sign of life."""
    total_seconds: float = 600.0
    """The total timeout."""
    progress_resets: bool = True
    """Whether progress is a sign of life."""


ENDLESS = Timeouts(math.inf, math.inf)
"""The limits of a request whose response may come at any time, such as one that opens a stream."""


class Watched(Protocol):
    """Something with a deadline."""

    timeouts: Timeouts
    """Its limits."""

    @property
    def deadline(self) -> float:
        """Seconds on the loop's clock."""
        ...


class Deadlines:
    """Calls `expire` with each watched item whose deadline has passed."""

    def __init__(
        self, watched: Callable[[], Collection[Watched]], expire: Callable[[Watched], None]
    ) -> None:
        """`watched` returns the watched items; `expire` must end an item, so that it is not returned again."""
        self._watched = watched
        self._expire = expire
        self._timer: asyncio.Handle | None = None
        self._when = 0.0

    def watch(self, item: Watched) -> None:
        """Start the timer, or move it forward, so that it fires in time for `item`."""
        if self._timer is None or item.deadline < self._when:
            self._arm(item.deadline)

    def remove_limits(self) -> None:
        """Remove the limits of all watched items."""
        for item in self._watched():
            item.timeouts = ENDLESS

    def close(self) -> None:
        """Stop watching."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self, when: float) -> None:
        self.close()
        loop = asyncio.get_running_loop()
        self._when = min(when, loop.time() + MAX_SECONDS)
        self._timer = loop.call_at(self._when, self._on_time)

    def _on_time(self) -> None:
        self._timer = None
        now = asyncio.get_running_loop().time()
        for item in [item for item in self._watched() if item.deadline <= now]:
            self._expire(item)
        if rest := self._watched():
            self._arm(min(item.deadline for item in rest))


class ClientInfo(FrozenStruct, frozen=True):
    """Name and version that the client sends to the server."""

    name: str
    """For programs."""
    title: str
    """For users."""
    version: str
    """The version of Spyglass."""

    def to_json(self, *, with_title: bool = True) -> JsonObject:
        """Return the object `Implementation` of the specification; `title` exists since 2025-06-18."""
        info: JsonObject = {"name": self.name, "version": self.version}
        return {**info, "title": self.title} if with_title else info


class RequestMeta(FrozenStruct, frozen=True):
    """What a request carries besides its params; a protocol mode sends those parts that belong to its era."""

    token: str = ""
    """The progress token; empty for a request without progress."""
    log_level: str = ""
    """The minimum level of log messages; empty for no log messages."""
    identity: ClientInfo | None = None
    """The client; None to send no name."""
    capabilities: JsonObject = field(default_factory=dict[str, "Json"])
    """The declared capabilities."""
    meta_overrides: JsonObject = field(default_factory=dict[str, "Json"])
    """Members of `_meta` that the user set; they replace all others."""


class Reply(NamedTuple):
    """A result."""

    request_frame: int
    """Frame of the request."""
    frame: int
    """Frame of the response."""
    message: Message
    """The response; `message.result` is the result."""


class OutgoingRequest(FrozenStruct, frozen=True):
    """A logical request. It may take several JSON-RPC requests (rounds)."""

    method: str
    """Its method."""
    params: JsonObject
    """Its params, without what every request carries."""
    ask: Callable[[JsonObject, Callable[[int], None] | None], Awaitable[Reply]]
    """Sends a request with these params under a new id and waits; the other function takes its frame."""
    on_sent: Callable[[int], None] | None = None
    """Takes the frame of the first request."""
    capabilities: JsonObject = field(default_factory=dict[str, "Json"])
    """The capabilities that were declared with it."""


class Pending(Struct, eq=False):
    """A JSON-RPC request whose response is pending. Times are in seconds of the loop's clock.

    A struct because one is made for every request, at a third of the cost.
    """

    id: int
    """Its id."""
    method: str
    """Its method."""
    frame: int
    """Its frame."""
    timeouts: Timeouts
    """Its limits."""
    started: float
    """When it was sent."""
    alive: float
    """When the latest sign of life came: the idle timeout counts from here."""
    reply: asyncio.Future[Reply]
    """The result, or the error."""
    on_progress: Callable[[JsonObject], None] | None
    """Takes the params of progress notifications."""
    on_notice: Callable[[int, Message], None] | None = None
    """Takes frame and message of every other notification that belongs to the request."""
    writing: asyncio.Timeout | None = None
    """Ends the wait for the system to take the bytes."""
    written: bool = False
    """True after the system has taken all bytes."""
    among_text: int = 0
    """The frame that has the response among other text; 0 for no such frame."""
    among_text_until: float = math.inf
    """When the wait for a proper response ends after one among other text."""
    busy_before_s: float = 0.0
    """`InboundRequests.busy_seconds` when the request was sent."""
    paused_s: float = 0.0
    """How long since then the server waited for responses of the client: neither limit counts that time."""
    http: HttpStatus | None = None
    """The HTTP response that carries the response, for a status that is an error."""

    @property
    def deadline(self) -> float:
        """When the first limit passes."""
        total = self.started + self.paused_s + self.timeouts.total_seconds
        return min(self.alive + self.timeouts.idle_seconds, total, self.among_text_until)

    def prolong(self, transcript: Transcript, now: float) -> bool:
        """Take unfinished bytes that may become the response as a sign of life; return whether the deadline moved beyond `now`."""
        parts = diagnostics.unusable_responses.unfinished_parts(transcript, self.frame)
        received = now - transcript.unfinished.silent_seconds(parts)
        if self.among_text or not self.timeouts.progress_resets or received <= self.alive:
            return False
        self.alive = received
        return received + self.timeouts.idle_seconds > now


def mark_among_text(requests: Iterable[Pending], taken: RecordedMessage) -> list[Pending]:
    """Return the requests whose response is among other text in this frame: it may only have been logged, so they wait shortly for a proper one."""
    kinds = (MessageKind.RESPONSE, MessageKind.ERROR)
    ids = {key_of(message.id) for message in taken.message.within if message.kind in kinds}
    found = [request for request in requests if request.id in ids] if ids else []
    for request in found:
        request.among_text = taken.number
        request.among_text_until = asyncio.get_running_loop().time() + AMONG_TEXT_SECONDS
    return found


def note_sent(
    transcript: Transcript,
    frame: int,
    sent: JsonObject,
    meta: RequestMeta,
    on_sent: Callable[[int], None] | None,
) -> None:
    """Note in the transcript which members of `_meta` the user set in the request `frame`, then call `on_sent`."""
    own = sent.get(META)
    if own or meta.meta_overrides:  # a usual call has neither
        by_hand = {*meta.meta_overrides, *(own if isinstance(own, dict) else ())}
        if overrides := OF_EVERY_REQUEST & by_hand:
            text = f"overridden: {', '.join(sorted(overrides))}"
            transcript.note("meta-by-hand", text, request=frame)
    if on_sent is not None:
        on_sent(frame)


class OverriddenMeta(FrozenStruct, frozen=True):
    """A member of `_meta` that the user set instead of the one of Spyglass."""

    key: str
    """Its name."""
    default_value: Json
    """The value that Spyglass would send."""
    meta_overrides: Json
    """The value that is sent."""


def preview_headers(
    session: Session,
    method: str,
    params: JsonObject,
    meta: JsonObject | None = None,
    input_schema: Json = None,
) -> MirroredHeaders:
    """Return the headers that a request for `method` would have, with `meta` as members of `_meta`; empty for a transport without headers.

    `input_schema` is the schema of the tool that is called.
    """
    revision = session.revision
    if not session.mirrors_headers or revision is None:
        return MirroredHeaders(())
    by_hand: JsonObject = {**session.meta, **(meta or {})}
    return mirrored(method, {**params, META: by_hand}, revision, input_schema)


def preview_overrides(session: Session, meta: JsonObject | None) -> tuple[OverriddenMeta, ...]:
    """Return the members of `meta` that replace a different value of the next request."""
    if not meta:
        return ()
    try:
        stamped = session.stamped({}, with_token=True).get(META)
    except ConnectionLost:
        return ()
    defaults = stamped if isinstance(stamped, dict) else {}
    return tuple(
        OverriddenMeta(key, defaults[key], value)
        for key, value in meta.items()
        if key in defaults and json_codec.write(defaults[key]) != json_codec.write(value)
    )
