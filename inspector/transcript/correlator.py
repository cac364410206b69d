"""The first pass over a transcript, in order: who answers whom.

Runs once for every frame, live or read from a file, and writes what it finds into the columns. It decides alone which request
a response belongs to; the peer acts on that decision and makes none of its own.

Source: basic, "Responses": a response carries the id of its request. Ids are compared with their JSON type.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, TypeAlias

from inspector.finding import Finding, Severity
from inspector.transcript.exchange import STATUS_NUMBER, RequestRounds, Status
from inspector.transcript.index import FrameFlags
from inspector.transcript.quick_fields import (
    TAG,
    is_tool_error,
    key_of,
    named,
    retyped,
    shown,
    tag_of,
)
from inspector.wire.frame import Direction
from inspector.wire.json_codec import RawNumber
from inspector.wire.message import ABSENT, CUT, NEITHER, MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from inspector.transcript.index import Columns
    from inspector.wire.message import MaybeJson, Message

_AGREED = "notifications/subscriptions/acknowledged"

CLOSED_LIMIT = 10_000
"""Requests that are over and remembered, to recognise late and second responses."""

_PENDING = STATUS_NUMBER[Status.PENDING]
_UNDER_WAY = {STATUS_NUMBER[s] for s in (Status.PENDING, Status.INPUT_REQUIRED, Status.OPEN)}
_GIVEN_UP = {STATUS_NUMBER[s] for s in (Status.CANCELLED, Status.TIMED_OUT, Status.NO_RESPONSE)}

_Open: TypeAlias = "OrderedDict[Hashable, int]"
"""Requests by id, oldest first. A plain dict takes ever longer to find its first key when that is removed again and again."""

_OTHER = (Direction.RECEIVED, Direction.SENT)
"""The other side, by side."""


class Correlator:
    """Links messages to requests as they come."""

    def __init__(self, columns: Columns, report: Callable[[int, Finding], None]) -> None:
        """Write into `columns`; `report` takes the number of a frame and a finding about it."""
        self.rounds = RequestRounds()
        self._columns = columns
        self._report = report
        self._takers: dict[MessageKind, Callable[[int, Direction, Message], int]] = {
            MessageKind.REQUEST: self._take_request,
            MessageKind.RESPONSE: self._take_response,
            MessageKind.ERROR: self._take_response,
            MessageKind.NOTIFICATION: self._take_notification,
        }
        self._open: tuple[_Open, _Open] = (OrderedDict(), OrderedDict())
        self._closed: tuple[_Open, _Open] = (OrderedDict(), OrderedDict())
        self._tokens: tuple[_Open, _Open] = (OrderedDict(), OrderedDict())
        self.given_up: dict[int, int] = {}
        """Requests that ended without a response, and the frame that ended them or was the latest of that moment."""
        self._streams: set[int] = set()
        """Subscriptions that the server agreed to."""
        self.has_gaps = False
        """Frames are missing, so what belongs to nothing need not be a fault of the server."""
        self._lasting: _Open = OrderedDict()
        """Requests that ask for a task: progress goes on after their answer (C-PRG-07)."""

    @property
    def pending(self) -> int:
        """Requests of both sides that wait for an outcome; a subscription that was agreed to does not."""
        return len(self._open[0]) + len(self._open[1]) - len(self._streams)

    @property
    def latest_at(self) -> float:
        """When the latest frame came: monotonic seconds."""
        return self._columns.monotonic_s[-1] if len(self._columns) else 0.0

    def open_requests(self, direction: Direction) -> list[int]:
        """Frame numbers of the requests of that side without an outcome, oldest first."""
        return list(self._open[direction].values())

    def process(self, number: int, direction: Direction, message: Message) -> int:
        """Take in one message and give the number of the request it belongs to, 0 for none."""
        take = self._takers.get(message.kind)
        return take(number, direction, message) if take else 0

    def take_malformed(self, number: int, direction: Direction, message: Message) -> int:
        """Take in what is no message and give the number of the request that it answers all the same, 0 for none.

        A response without result and error, or one that was cut, has the id of its request: nothing better will come.
        """
        is_response = message.problem == CUT or (
            message.problem == NEITHER and b'"jsonrpc"' in message.raw
        )
        if not is_response or message.id is ABSENT or message.id is None:
            return 0
        for key in (key_of(message.id), *retyped(message.id)):
            request = self._open[_OTHER[direction]].pop(key, 0)
            if request:
                self._close(_OTHER[direction], key, request)
                self._answer(number, request, message)
                return request
        return 0

    def give_up(self, request: int, status: Status, at: int = 0) -> None:
        """Note that `request` has ended without a response, by frame `at`; 0 for the latest of the transcript.

        A frame tells its own number: those that arrived together with it are in the columns already.
        """
        columns = self._columns
        if not 0 < request <= len(columns) or columns.status[request - 1] not in _UNDER_WAY:
            return
        for each in self.rounds.all_of(request):
            self.given_up[each] = at or len(columns)
        self._stand(request, status)
        latest = self.rounds.rounds(self.rounds.first(request))[-1]
        if columns.status[latest - 1] in _UNDER_WAY:  # it asked for input, which is not given
            self._stand(latest, status)
        opened = self._open[columns.direction[request - 1]]
        for key, owner in opened.items():
            if owner == request:
                del opened[key]
                self._close(Direction(columns.direction[request - 1]), key, request)
                return

    def give_up_all(self) -> None:
        """Note that the connection ended: nothing that is open can be answered any more."""
        for opened in self._open:
            for request in list(opened.values()):
                self.give_up(request, Status.NO_RESPONSE)

    def set_status(self, request: int, status: Status) -> None:
        """Note what the answer to `request` turned out to be."""
        if 0 < request <= len(self._columns):
            self._stand(request, status)

    def add_round(self, request: int, retry: int) -> None:
        """Note that `retry` is `request` sent again, with what its answer asked for."""
        if not 0 < request < retry <= len(self._columns):
            return
        first = self.rounds.first(request)
        columns = self._columns
        latest = self.rounds.rounds(first)[-1]
        if latest != first:  # a round in between: it was answered, and what it asked for is given
            columns.status[latest - 1] = STATUS_NUMBER[Status.OK]
        self.rounds.join(first, retry, columns.response[first - 1])
        columns.request[retry - 1] = first
        columns.response[first - 1] = columns.response[retry - 1]
        columns.status[first - 1] = columns.status[retry - 1]

    def _stand(self, request: int, status: Status) -> None:
        """Note how a request stands, and with it the exchange whose latest round it is."""
        for each in self.rounds.all_of(request):
            self._columns.status[each - 1] = STATUS_NUMBER[status]

    def _take_request(self, number: int, direction: Direction, message: Message) -> int:
        columns = self._columns
        key = key_of(message.id)
        opened = self._open[direction]
        if key in opened:
            text = "the id is that of another request that has no answer yet"
            self._find(number, "id-in-use", text, "/id")
            self.give_up(opened[key], Status.NO_RESPONSE, number)
        opened[key] = number
        columns.request[number - 1] = number
        columns.status[number - 1] = _PENDING
        label, token, is_task = named(message)
        if label:
            columns.label[number - 1] = columns.labels.number(label)
        if token is not None:
            _remember(self._tokens[direction], token, number)
            if is_task:
                _remember(self._lasting, number, number)
        return number

    def _take_response(self, number: int, direction: Direction, message: Message) -> int:
        asked = _OTHER[direction]
        key = key_of(message.id)
        request = self._open[asked].pop(key, 0)
        if request:
            self._close(asked, key, request)
            self._answer(number, request, message)
        else:
            request = self._take_unexpected(number, asked, message)
        return request

    def _take_unexpected(self, number: int, asked: Direction, message: Message) -> int:
        closed = self._closed[asked].get(key_of(message.id), 0)
        if closed and message.id is not None and message.id is not ABSENT:
            return self._take_second(number, closed)
        for key in retyped(message.id):
            request = self._open[asked].pop(key, 0)
            if request:
                self._close(asked, key, request)
                text = f"the id is {shown(message.id)}, the request's is {shown(key)}: the types differ"
                self._answer(number, request, message)
                self._find(number, "id-type", text, "/id")
                return request
        request = self._take_unassigned(number, asked, message)
        if request:
            return request
        self._columns.flags[number - 1] |= FrameFlags.UNKNOWN
        rule, text = _unassigned(message, bool(self._open[asked]))
        self._find(number, rule, text, "/id", is_unlinked=True)
        return 0

    def _take_unassigned(self, number: int, asked: Direction, message: Message) -> int:
        """Take an error whose id is that of no request: in the answer to an HTTP request it is about that request (C-HTTP-48)."""
        stream = self._columns.stream[number - 1] if message.kind is MessageKind.ERROR else 0
        for key, request in self._open[asked].items() if stream else ():
            if request == stream:
                del self._open[asked][key]
                self._close(asked, key, request)
                self._answer(number, request, message)
                if message.id is not None and message.id is not ABSENT:
                    text = f"the id is {shown(message.id)}, the request's is {shown(key)}"
                    self._report(number, Finding("wrong-id", Severity.WARNING, text, "/id"))
                return request
        return 0

    def _take_second(self, number: int, request: int) -> int:
        columns = self._columns
        self._belong(number, request)
        if columns.response[request - 1] == 0 and columns.status[request - 1] in _GIVEN_UP:
            for each in self.rounds.all_of(request):
                columns.response[each - 1] = number
            columns.flags[number - 1] |= FrameFlags.LATE
            if not columns.flags[request - 1] & FrameFlags.PROBE:
                text = "the request was no longer waited for"
                self._report(number, Finding("late-response", Severity.INFO, text))
        else:
            columns.flags[number - 1] |= FrameFlags.DUPLICATE
            self._find(number, "duplicate-response", "the request was answered before", "/id")
        return 0

    def _answer(self, number: int, request: int, message: Message) -> None:
        columns = self._columns
        self._belong(number, request)
        for each in self.rounds.all_of(request):
            columns.response[each - 1] = number
        self._stand(request, _outcome(columns, request, message))
        if isinstance(message.id, (RawNumber, bool)):
            self._find(number, "id-spelling", "the id is not spelled as an integer", "/id")

    def _belong(self, number: int, request: int) -> None:
        columns = self._columns
        columns.request[number - 1] = self.rounds.first(request)
        columns.label[number - 1] = columns.label[request - 1]
        columns.flags[number - 1] |= columns.flags[request - 1] & FrameFlags.PROBE
        if not columns.method[number - 1]:
            columns.method[number - 1] = columns.method[request - 1]

    def _take_notification(self, number: int, direction: Direction, message: Message) -> int:
        if message.method == "notifications/progress":
            return self._take_progress(number, _OTHER[direction], message)
        if message.method == "notifications/cancelled":
            return self._take_cancelled(number, direction, message)
        return self._take_tagged(number, direction, message) if TAG in message.raw else 0

    def _take_tagged(self, number: int, direction: Direction, message: Message) -> int:
        """Take what names the subscription it belongs to: the request that opened it (C-STD-12)."""
        tag, asked = tag_of(message), _OTHER[direction]
        if tag is ABSENT:
            return 0
        for key in (key_of(tag), *retyped(tag)):
            request = self._open[asked].get(key, 0)
            if not request:
                continue
            if key != key_of(tag):
                text = f"the tag is {shown(tag)}, the subscription {shown(key)}: the types differ"
                self._find(number, "L-SUB-02", text, "/params/_meta")
            self._belong(number, request)
            if message.method == _AGREED and self._is_endless(request):
                self._streams.add(request)
                self._stand(request, Status.OPEN)
            return request
        return self._take_late_tag(number, self._closed[asked].get(key_of(tag), 0), tag)

    def _take_late_tag(self, number: int, request: int, tag: MaybeJson) -> int:
        """Take what names a subscription that is not open; it may have crossed our cancellation on the way."""
        if request and self._columns.status[request - 1] in _GIVEN_UP:
            self._belong(number, request)
            text = "the subscription was ended on our side"
            self._report(number, Finding("announced-after-end", Severity.INFO, text))
            return 0
        text = f"there is no subscription {shown(tag)}"
        self._find(number, "L-SUB-02", text, "/params/_meta", is_unlinked=True)
        return 0

    def _take_progress(self, number: int, asked: Direction, message: Message) -> int:
        params = message.params
        token = params.get("progressToken", ABSENT) if isinstance(params, dict) else ABSENT
        request = self._tokens[asked].get(key_of(token), 0)
        if not request:
            text = (
                "no progress token"
                if token is ABSENT
                else f"no request has the progress token {shown(token)}"
            )
            self._find(number, "progress-token", text, "/params/progressToken", is_unlinked=True)
            return 0
        self._belong(number, request)
        status = self._columns.status[request - 1]
        if status in _GIVEN_UP:  # the server could not know yet (C-CAN-04)
            text = "the request was no longer waited for"
            self._report(number, Finding("progress-after-end", Severity.INFO, text))
        elif status != _PENDING and request not in self._lasting:
            self._find(number, "progress-after-end", "the request is over", "/params/progressToken")
        return request

    def _take_cancelled(self, number: int, direction: Direction, message: Message) -> int:
        params = message.params
        id_ = params.get("requestId", ABSENT) if isinstance(params, dict) else ABSENT
        for side in (direction, _OTHER[direction]):
            request = self._open[side].get(key_of(id_), 0)
            if request and (side is direction or self._is_endless(request)):
                self._belong(number, request)
                self.give_up(request, Status.CANCELLED, number)
                return request
        theirs = self._open[_OTHER[direction]].get(key_of(id_), 0)
        closed = self._closed[direction].get(key_of(id_), 0)
        if theirs and not closed:
            self._belong(number, theirs)
            text = f"{shown(id_)} is a request of the other side: only who asked may cancel, so it goes on"
            self._find(number, "L-CAN-01", text, "/params/requestId")
        else:
            self._take_late_cancel(number, closed, id_)
        return 0

    def _is_endless(self, request: int) -> bool:
        """Whether a request has no end of its own, so that the server may call it off (C-SUB-06)."""
        method = self._columns.methods.texts[self._columns.method[request - 1]]
        return method == "subscriptions/listen"

    def _take_late_cancel(self, number: int, request: int, id_: MaybeJson) -> None:
        """Take a cancellation of what is over: our own remark may have given it up just before."""
        text = f"no open request has the id {shown(id_)}"
        if request:
            self._belong(number, request)
            if self._columns.status[request - 1] in _GIVEN_UP:
                return
            text = "the request was answered before"
        self._report(number, Finding("cancel-unknown", Severity.INFO, text, "/params/requestId"))

    def _close(self, direction: Direction, key: Hashable, request: int) -> None:
        self._streams.discard(request)
        _remember(self._closed[direction], key, request)

    def _find(
        self, number: int, rule: str, text: str, place: str, *, is_unlinked: bool = False
    ) -> None:
        """Report a fault; what belongs to no request is none where the request may be among missing frames of a recording."""
        severity = Severity.ERROR
        if is_unlinked and self.has_gaps:
            severity = Severity.INFO
            text = f"{text}; it may be among the frames that are missing from the recording"
        self._report(number, Finding(rule, severity, text, place))


def _remember(known: _Open, key: Hashable, number: int) -> None:
    known[key] = number
    if len(known) > CLOSED_LIMIT:
        known.popitem(last=False)


def _outcome(columns: Columns, request: int, message: Message) -> Status:
    if message.kind is MessageKind.ERROR:
        return Status.ERROR
    if message.kind is MessageKind.MALFORMED:
        return Status.INVALID_RESULT
    is_call = columns.methods.texts[columns.method[request - 1]] == "tools/call"
    return Status.TOOL_ERROR if is_call and is_tool_error(message) else Status.OK


def _unassigned(message: Message, waiting: bool) -> tuple[str, str]:
    if message.kind is MessageKind.ERROR and (message.id is None or message.id is ABSENT):
        return (
            "unassigned-error",
            f"the server reported an error it could not assign to a request: {_said(message)}",
        )
    beside = "; other requests are waiting" if waiting else ""
    return "unknown-response", f"no request has the id {shown(message.id)}{beside}"


def _said(message: Message) -> str:
    error = message.error
    if not isinstance(error, dict):
        return shown(error)
    return f"{shown(error.get('code'))} {error.get('message', '')}"
