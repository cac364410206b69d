"""Our requests as rules remember them: which are open, and how the others ended."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from inspector.checks.latest import Latest, json_key
from inspector.spec.keys import (
    META,
    META_CLIENT_CAPABILITIES,
    META_CLIENT_INFO,
    META_LOG_LEVEL,
    META_PROTOCOL_VERSION,
    PROGRESS_TOKEN,
)
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.checks.seen import ReceivedMessage, SentRequest
    from inspector.wire.json_codec import Json, JsonObject

RACE_SECONDS = 2.0
"""How long after our own cancellation or close something may still come without being wrong: the server could not know yet."""

AFTER_CANCEL = frozenset({"L-CAN-02", "L-STD-11", "L-SUB-12"})
"""Rules about what follows a cancellation of ours. The others say nothing of an error that tells that the request was cancelled."""

MAX_INTERRUPTED = 1_000
"""Open requests that are remembered as interrupted."""

# Looked up once: each is compared with for every message.
_REQUEST, _ANSWERS = MessageKind.REQUEST, frozenset({MessageKind.RESPONSE, MessageKind.ERROR})

_GIVEN_UP = frozenset({"cancelled", "timed-out"})
"""Events of the notes that Spyglass stopped waiting, and told the server so."""


class RequestMeta(NamedTuple):
    """What a request of the stateless era tells of itself."""

    version: str
    """The revision; empty without one."""
    log_level: str
    """The level of log messages that it requests; empty for none."""
    capabilities: frozenset[str] | None
    """The capabilities of the client, by their names; None without any object."""
    has_client_info: bool


class Call(NamedTuple):
    """A request of ours, without what may be large."""

    number: int
    """Its frame."""
    method: str
    sent_s: float
    """Monotonic seconds."""
    token: str = ""
    """Its progress token, as JSON; empty without one."""
    meta: RequestMeta | None = None
    """What a request of the stateless era tells of itself."""


class Notice(NamedTuple):
    """A notification of ours."""

    number: int
    """Its frame."""
    method: str
    sent_s: float
    """Monotonic seconds."""


_NO_NOTICE = Notice(0, "", 0.0)


class Calls:
    """The requests of one connection."""

    def __init__(self) -> None:
        """Begin without any."""
        self.open: Latest[int, Call] = Latest()
        """Those that were not answered yet, by frame."""
        self.known: Latest[int, Call] = Latest()
        """All of them, by frame."""
        self.given_up: Latest[int, float] = Latest()
        """Those that we cancelled or that timed out: when, by frame."""
        self.timed_out: Latest[int, float] = Latest()
        """Those of them that timed out."""
        self.answered: Latest[int, float] = Latest()
        """When the answer came, by frame."""
        self.by_token: Latest[str, int] = Latest()
        """The frame of the latest one with a progress token, by the token as JSON."""
        self.frames: Latest[str, int] = Latest()
        """The frame of the latest one with an id, by the id as JSON."""
        self.last_notice = _NO_NOTICE
        """The latest notification of ours."""
        self.last_batch = 0
        """The frame of the latest batch of ours, unless something else was sent after it."""
        self.with_progress: Latest[str, int] = Latest()
        """Progress tokens, as JSON, for which progress came: how often."""
        self.bare_progress = 0
        """The frame of the first progress without a text for users."""
        self.has_progress_text = False
        """Whether any progress had one."""
        self.interrupted: set[int] = set()
        """Open ones during which the server sent a request: their answers take as long as users do."""

    def add_sent(self, request: SentRequest) -> None:
        """Take note of a request or a notification."""
        self.last_batch = 0
        params = request.params if isinstance(request.params, dict) else {}
        if request.id is None:
            self.last_notice = Notice(request.number, request.method, request.monotonic_s)
            if request.method == "notifications/cancelled":
                self._add_cancelled(params.get("requestId"), request.monotonic_s)
            return
        meta = params.get(META)
        read: JsonObject = meta if isinstance(meta, dict) else {}
        token = read.get(PROGRESS_TOKEN)
        text = "" if token is None else json_key(token)
        call = Call(request.number, request.method, request.monotonic_s, text, _read_meta(read))
        self.open[request.number] = self.known[request.number] = call
        id_ = request.id
        self.frames[str(id_) if type(id_) is int else json_key(id_)] = request.number
        if text:
            self.by_token[text] = request.number

    def _add_cancelled(self, id_: Json, sent_s: float) -> None:
        """Take note of a cancellation of ours, which users can also send by themselves."""
        frame = self.frames.get(json_key(id_))
        if frame is not None and self.open.pop(frame) is not None:
            self.given_up[frame] = sent_s

    def add_batch(self, number: int) -> None:
        """Take note of a batch of ours."""
        self.last_batch = number

    def add_received(self, message: ReceivedMessage) -> None:
        """Take note of an answer, of progress, or of a request of the server."""
        if message.kind is _REQUEST:
            self.interrupted.update(islice(self.open, MAX_INTERRUPTED))
        elif message.method == "notifications/progress":
            token = json_key(message.params.get(PROGRESS_TOKEN))
            text = message.params.get("message")
            is_text = isinstance(text, str) and bool(text.strip()) and text.lstrip()[0] not in "{["
            self.has_progress_text |= is_text
            if not is_text and not self.bare_progress:
                self.bare_progress = message.number
            if token in self.by_token:
                self.with_progress[token] = (self.with_progress.get(token) or 0) + 1
        if message.request and message.kind in _ANSWERS:
            self.close(message.request, message.monotonic_s)

    def close(self, request: int, monotonic_s: float) -> None:
        """Take note that a request was answered."""
        self.open.pop(request)
        self.interrupted.discard(request)
        if request not in self.answered:
            self.answered[request] = monotonic_s

    def add_note(self, event: str, note: JsonObject, monotonic_s: float) -> None:
        """Take note of a remark of Spyglass about a request."""
        request = note.get("request")
        if event in _GIVEN_UP and isinstance(request, int):
            self.open.pop(request)
            self.given_up[request] = monotonic_s
            if event == "timed-out":
                self.timed_out[request] = monotonic_s

    def seconds_since_given_up(self, request: int, now_s: float) -> float:
        """Return how long ago we stopped waiting for a request, beyond what a race explains; 0 if not that long ago, or not at all."""
        at = self.given_up.get(request) if request else None
        since = now_s - at if at is not None else 0.0
        return since if since > RACE_SECONDS else 0.0

    def seconds_of(self, request: int, now_s: float) -> float | None:
        """Return how long an answer took that came at `now_s`; None if the request is not remembered."""
        call = self.known.get(request) if request else None
        return now_s - call.sent_s if call is not None else None


def _read_meta(meta: JsonObject) -> RequestMeta:
    version, level = meta.get(META_PROTOCOL_VERSION), meta.get(META_LOG_LEVEL)
    declared = meta.get(META_CLIENT_CAPABILITIES)
    return RequestMeta(
        version if isinstance(version, str) else "",
        level if isinstance(level, str) else "",
        frozenset(declared) if isinstance(declared, dict) else None,
        META_CLIENT_INFO in meta,
    )
