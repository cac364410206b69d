"""Links messages to requests: the first pass over a transcript, in order.

It processes every message once, live or from a recording, and writes into the columns. Only here is decided which request a response
belongs to; the peer acts on that.

Source: basic, "Responses": a response carries the id of its request. Ids are compared with their JSON type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Finding, Severity
from inspector.transcript.exchange import STATUS_NUMBER, CorrelatorState, Status
from inspector.transcript.findings import PROBE_ID, PROBE_METHODS
from inspector.transcript.index import FrameFlags
from inspector.transcript.quick_fields import (
    TAG,
    format_id,
    is_tool_error,
    key_of,
    named,
    progress_token_of,
    retyped,
    tag_of,
    unassigned,
)
from inspector.transcript.request_links import OPPOSITE, PENDING, RequestLinks
from inspector.wire.batch import IN_BATCH
from inspector.wire.frame import Channel, Direction
from inspector.wire.json_codec import RawNumber
from inspector.wire.message import ABSENT, CUT, NEITHER, UNDECODED, MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from inspector.transcript.index import Columns
    from inspector.wire.message import MaybeJson, Message

_ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
_PROGRESS_TOKEN = "/params/progressToken"

NEAR_FRAMES = 4
"""Frames before an error without an id in which a notification may be its reason."""

# Looked up once: that takes a fifth of a microsecond, and there are several for every message.
_ERROR, _MALFORMED = MessageKind.ERROR, MessageKind.MALFORMED
_OK, _BODY = Status.OK, Channel.BODY
_NOT_READ = {CUT, UNDECODED, IN_BATCH}
_NOTIFIED = {STATUS_NUMBER[Status.CANCELLED], STATUS_NUMBER[Status.TIMED_OUT]}
"""Of both the server is told by the same notification."""

_NOT_ENDED = {STATUS_NUMBER[s] for s in (Status.PENDING, Status.INPUT_REQUIRED, Status.OPEN)}
_WITHOUT_RESPONSE = {
    STATUS_NUMBER[s] for s in (Status.CANCELLED, Status.TIMED_OUT, Status.NO_RESPONSE)
}


class Correlator:
    """Links messages to requests in the order of the frames."""

    def __init__(self, columns: Columns, report: Callable[[int, Finding], None]) -> None:
        """Write into `columns`; `report` takes the number of a frame and a finding about it."""
        self.links = RequestLinks(columns)
        """The requests, and what the index has of them."""
        self.rounds = self.links.rounds
        self._columns = columns
        self._report = report
        self._takers: dict[MessageKind, Callable[[int, Direction, Message], int]] = {
            MessageKind.REQUEST: self._take_request,
            MessageKind.RESPONSE: self._take_response,
            MessageKind.ERROR: self._take_response,
            MessageKind.NOTIFICATION: self._take_notification,
        }
        self._open, self._closed = self.links.open, self.links.closed
        self.given_up: dict[int, int] = {}
        """Request that ended without a response → the frame that ended it, or the latest frame at that moment."""
        self.has_gaps = False
        """Frames are missing from the recording: a message that belongs to no request may be no fault of the server."""

    def state(self) -> CorrelatorState:
        """Return what is known of the requests, for `restore`."""
        pending = [list(opened.values()) for opened in self._open]
        return CorrelatorState(
            self.rounds.state(), pending, self.given_up, list(self.links.streams)
        )

    def restore(self, state: CorrelatorState) -> None:
        """Know what `state` returned. No message can be linked after it: the ids are not known."""
        self.rounds.restore(state.rounds)
        for opened, requests in zip(self._open, state.pending, strict=False):
            opened.update({number: number for number in requests})
        self.given_up = state.given_up
        self.links.streams.update(state.streams)

    @property
    def latest_at(self) -> float:
        """Monotonic seconds of the latest frame."""
        return self._columns.monotonic_s[-1] if len(self._columns) else 0.0

    def open_requests(self, direction: Direction) -> list[int]:
        """Return the frames of the pending requests of that side, oldest first."""
        return list(self._open[direction].values())

    def process(self, number: int, direction: Direction, message: Message) -> int:
        """Link one message; returns the frame of the request it belongs to, or 0."""
        take = self._takers.get(message.kind)
        return take(number, direction, message) if take else 0

    def take_malformed(self, number: int, direction: Direction, message: Message) -> int:
        """Link a malformed frame; returns the frame of the request that it responds to, or 0.

        A response without result and error, or one that was truncated or not read, has the id of its request, which will get no other response.
        """
        is_response = message.problem in _NOT_READ or (
            message.problem == NEITHER and b'"jsonrpc"' in message.raw
        )
        if not is_response or message.id is ABSENT or message.id is None:
            return 0
        for key in (key_of(message.id), *retyped(message.id)):
            request = self._open[OPPOSITE[direction]].pop(key, 0)
            if request:
                self.links.close(OPPOSITE[direction], key, request)
                self._answer(number, request, message)
                return request
        return 0

    def give_up(self, request: int, status: Status, at: int = 0, id_: Hashable = None) -> None:
        """End `request`, which has the key `id_` if that is known, without a response, because of frame `at`; 0: the latest frame.

        A frame passes its own number: later ones of the same batch are in the columns already.
        """
        columns = self._columns
        if not 0 < request <= len(columns) or columns.status[request - 1] not in _NOT_ENDED:
            return
        for each in self.rounds.all_of(request):
            self.given_up[each] = at or len(columns)
        self.set_status(request, status)
        latest = self.rounds.rounds(self.rounds.first(request))[-1]
        if columns.status[latest - 1] in _NOT_ENDED:  # it asked for input
            self.set_status(latest, status)
        opened = self._open[columns.direction[request - 1]]
        known = opened.items() if opened.get(id_) != request else ((id_, request),)
        for key, owner in known:
            if owner == request:
                del opened[key]
                self.links.close(Direction(columns.direction[request - 1]), key, request)
                return

    def give_up_all(self) -> None:
        """End all pending requests: the connection has ended."""
        for opened in self._open:
            for request in list(opened.values()):
                self.give_up(request, Status.NO_RESPONSE)

    def set_status(self, request: int, status: Status) -> None:
        """Set the state of `request`, and of the exchange whose latest round it is."""
        if 0 < request <= len(self._columns):
            for each in self.rounds.all_of(request):
                self._columns.status[each - 1] = STATUS_NUMBER[status]

    def add_round(self, request: int, retry: int) -> None:
        """Add `retry` as the next round of `request`, sent with the input that its response asked for."""
        if not 0 < request < retry <= len(self._columns):
            return
        first = self.rounds.first(request)
        columns = self._columns
        latest = self.rounds.rounds(first)[-1]
        if latest != first:  # a round in between, which has its response
            columns.status[latest - 1] = STATUS_NUMBER[Status.OK]
        self.rounds.join(first, retry, columns.response[first - 1])
        columns.request[retry - 1] = first
        columns.response[first - 1] = columns.response[retry - 1]
        columns.status[first - 1] = columns.status[retry - 1]

    def _take_request(self, number: int, direction: Direction, message: Message) -> int:
        key = key_of(message.id)
        opened = self._open[direction]
        if key in opened:
            text = "the id is that of another request that has no response yet"
            self._find(number, "id-in-use", text, "/id")
            self.give_up(opened[key], Status.NO_RESPONSE, number, key)
        self.links.begin(number, direction, key, named(message))
        return number

    def _take_response(self, number: int, direction: Direction, message: Message) -> int:
        side = OPPOSITE[direction]
        key = key_of(message.id)
        request = self._open[side].pop(key, 0)
        if not request:
            return self._take_unexpected(number, side, message)
        self.links.close(side, key, request)
        self._answer(number, request, message)
        return request

    def _take_unexpected(self, number: int, side: Direction, message: Message) -> int:
        closed = self._closed[side].get(key_of(message.id), 0)
        if closed and message.id is not None and message.id is not ABSENT:
            return self._take_duplicate(number, closed)
        for key in retyped(message.id):
            request = self._open[side].pop(key, 0)
            if request:
                self.links.close(side, key, request)
                text = (
                    f"id {format_id(message.id)} does not match {format_id(key)}: different types"
                )
                self._answer(number, request, message)
                self._find(number, "L-JR-06", text, "/id")
                return request
        request = self._take_unassigned(number, side, message)
        if request:
            return request
        self._columns.flags[number - 1] |= FrameFlags.UNKNOWN
        has_no_id = message.id is None or message.id is ABSENT
        if message.kind is _ERROR and has_no_id and self._columns.channel[number - 1] == _BODY:
            return 0  # about the notification that was posted, or the stream that was requested (C-HTTP-48)
        rule, text = unassigned(message, bool(self._open[side]))
        if message.kind is _ERROR and has_no_id:
            text = f"{text}{_notified_before(self._columns, number, side)}"
        self._find(number, rule, text, "/id", is_unlinked=True)
        return 0

    def _take_unassigned(self, number: int, side: Direction, message: Message) -> int:
        """Link an error with the id of no request: in the response to a POST it is about the request of that POST (C-HTTP-48)."""
        stream = self._columns.stream[number - 1] if message.kind is _ERROR else 0
        for key, request in self._open[side].items() if stream else ():
            if request == stream:
                del self._open[side][key]
                self.links.close(side, key, request)
                self._answer(number, request, message)
                is_edited = isinstance(key, str) and key.startswith(PROBE_ID)
                if message.id is not None and message.id is not ABSENT and not is_edited:
                    text = f"id {format_id(message.id)} does not match {format_id(key)}"
                    self._report(number, Finding("wrong-id", Severity.WARNING, text, "/id"))
                return request
        return self._take_late_body(number, stream, side, message) if stream else 0

    def _take_late_body(self, number: int, request: int, side: Direction, message: Message) -> int:
        """Link an error in the body of an HTTP error whose headers have ended the request of that POST before."""
        columns, at = self._columns, request - 1
        is_ours = columns.request[at] == request and columns.direction[at] == side
        is_body = columns.channel[number - 1] == _BODY
        if not (is_ours and is_body) or columns.status[at] not in _WITHOUT_RESPONSE:
            return 0
        self.links.belong(number, request)
        if columns.response[at] == 0:
            self._take_late(number, request)
        if message.id is not None and message.id is not ABSENT:
            text = f"id {format_id(message.id)} is that of no request"
            self._report(number, Finding("wrong-id", Severity.INFO, text, "/id"))
        return request

    def _take_duplicate(self, number: int, request: int) -> int:
        columns = self._columns
        self.links.belong(number, request)
        if columns.response[request - 1] == 0 and columns.status[request - 1] in _WITHOUT_RESPONSE:
            self._take_late(number, request)
            method = columns.methods.texts[columns.method[request - 1]]
            if not columns.flags[request - 1] & FrameFlags.PROBE and method not in PROBE_METHODS:
                text = "request already cancelled or timed out"
                self._report(number, Finding("late-response", Severity.INFO, text))
        else:
            columns.flags[number - 1] |= FrameFlags.DUPLICATE
            # The Python SDK answers a cancellation by an error, also if it has just responded.
            is_crossed = (
                columns.kind[number - 1] == _ERROR and columns.status[request - 1] in _NOTIFIED
            )
            severity = Severity.INFO if is_crossed else Severity.ERROR
            text = "request already has a response"
            self._report(number, Finding("L-JR-05", severity, text, "/id"))
        return 0

    def _take_late(self, number: int, request: int) -> None:
        """Make a late response the one of its request."""
        for each in self.rounds.all_of(request):
            self._columns.response[each - 1] = number
        self._columns.flags[number - 1] |= FrameFlags.LATE

    def _answer(self, number: int, request: int, message: Message) -> None:
        status = STATUS_NUMBER[_outcome(self._columns, request, message)]
        self.links.answer(number, request, status)
        if isinstance(message.id, (RawNumber, bool)):
            self._find(number, "id-spelling", "id is not written as an integer", "/id")

    def _take_notification(self, number: int, direction: Direction, message: Message) -> int:
        if message.method == "notifications/progress":
            return self._take_progress(number, OPPOSITE[direction], message)
        if message.method == "notifications/cancelled":
            return self._take_cancelled(number, direction, message)
        return self._take_tagged(number, direction, message) if TAG in message.raw else 0

    def _take_tagged(self, number: int, direction: Direction, message: Message) -> int:
        """Link a notification that names its subscription: the request that opened it (C-STD-12)."""
        tag, side = tag_of(message), OPPOSITE[direction]
        if tag is ABSENT:
            return 0
        for key in (key_of(tag), *retyped(tag)):
            request = self._open[side].get(key, 0)
            if not request:
                continue
            if key != key_of(tag):
                text = f"subscription id {format_id(tag)} does not match {format_id(key)}: different types"
                self._find(number, "L-SUB-02", text, "/params/_meta")
            self.links.belong(number, request)
            if message.method == _ACKNOWLEDGED and _is_endless(self._columns, request):
                self.links.streams.add(request)
                self.set_status(request, Status.OPEN)
            return request
        return self._take_late_tag(number, self._closed[side].get(key_of(tag), 0), tag)

    def _take_late_tag(self, number: int, request: int, tag: MaybeJson) -> int:
        """Link a notification that names a subscription that is not open; the server may have sent it before it received the cancellation."""
        if request and self._columns.status[request - 1] in _WITHOUT_RESPONSE:
            self.links.belong(number, request)
            text = "subscription already closed by the client"
            self._report(number, Finding("announced-after-end", Severity.INFO, text))
            return 0
        text = f"unknown subscription {format_id(tag)}"
        self._find(number, "L-SUB-02", text, "/params/_meta", is_unlinked=True)
        return 0

    def _take_progress(self, number: int, side: Direction, message: Message) -> int:
        token = progress_token_of(message)
        request = self.links.tokens[side].get(key_of(token), 0)
        if not request:
            text = f"unknown progress token {format_id(token)}"
            if token is ABSENT:
                text = "no progress token"
            self._find(number, "L-PRG-01", text, _PROGRESS_TOKEN, is_unlinked=True)
            return 0
        self.links.belong(number, request)
        status = self._columns.status[request - 1]
        if status in _WITHOUT_RESPONSE:  # the server could not know yet (C-CAN-04)
            text = "request already cancelled or timed out"
            self._report(number, Finding("progress-after-end", Severity.INFO, text))
        elif status != PENDING and request not in self.links.lasting:
            self._find(number, "L-PRG-02", "request already finished", _PROGRESS_TOKEN)
        return request

    def _take_cancelled(self, number: int, direction: Direction, message: Message) -> int:
        params = message.params
        id_ = params.get("requestId", ABSENT) if isinstance(params, dict) else ABSENT
        for side in (direction, OPPOSITE[direction]):
            request = self._open[side].get(key_of(id_), 0)
            if request and (side is direction or _is_endless(self._columns, request)):
                self.links.belong(number, request)
                self.give_up(request, Status.CANCELLED, number, key_of(id_))
                return request
        theirs = self._open[OPPOSITE[direction]].get(key_of(id_), 0)
        closed = self._closed[direction].get(key_of(id_), 0)
        if theirs and not closed:  # ignored, because only the sender may cancel
            self.links.belong(number, theirs)
        else:
            self._take_late_cancel(number, closed, id_)
        return 0

    def _take_late_cancel(self, number: int, request: int, id_: MaybeJson) -> None:
        """Link the cancellation of an ended request; a note may have ended it just before."""
        text = f"no pending request with id {format_id(id_)}"
        if request:
            self.links.belong(number, request)
            if self._columns.status[request - 1] in _WITHOUT_RESPONSE:
                return
            text = "request already has a response"
        self._report(number, Finding("cancel-unknown", Severity.INFO, text, "/params/requestId"))

    def _find(
        self, number: int, rule: str, text: str, pointer: str, *, is_unlinked: bool = False
    ) -> None:
        """Report an error; an unlinked message is only an `INFO` when its request may be among missing frames of a recording."""
        severity = Severity.ERROR
        if is_unlinked and self.has_gaps:
            severity = Severity.INFO
            text = f"{text}; it may be among the frames that are missing from the recording"
        self._report(number, Finding(rule, severity, text, pointer))


def _is_endless(columns: Columns, request: int) -> bool:
    """Return whether a request has no end of its own, so that the server may cancel it (C-SUB-06)."""
    return columns.methods.texts[columns.method[request - 1]] == "subscriptions/listen"


def _outcome(columns: Columns, request: int, message: Message) -> Status:
    if message.kind is _ERROR:
        return Status.ERROR
    if message.kind is _MALFORMED:
        return Status.INVALID_RESULT
    is_call = columns.methods.texts[columns.method[request - 1]] == "tools/call"
    return Status.TOOL_ERROR if is_call and is_tool_error(message) else _OK


def _notified_before(columns: Columns, number: int, side: Direction) -> str:
    """Return that an error may be about a notification, as a clause, if `side` sent one in the few frames before; otherwise empty."""
    for at in range(number - 2, max(-1, number - 2 - NEAR_FRAMES), -1):
        if columns.kind[at] == MessageKind.NOTIFICATION and columns.direction[at] == side:
            method = columns.methods.texts[columns.method[at]]
            return f"; it may respond to `{method}` in #{at + 1}, but notifications must not get a response"
    return ""
