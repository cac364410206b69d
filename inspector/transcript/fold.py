"""The first pass over a transcript, in order: who answers whom.

Runs once for every frame, live or read from a file, and writes what it finds into the columns. It decides alone which request
a response belongs to; the peer acts on that decision and makes none of its own.

Source: basic, "Responses": a response carries the id of its request. Ids are compared with their JSON type.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from inspector.finding import Finding, Severity
from inspector.transcript.exchange import STATUS_NUMBER, Status
from inspector.transcript.index import Mark
from inspector.wire import jsontext
from inspector.wire.frame import Direction
from inspector.wire.jsontext import SpelledNumber
from inspector.wire.message import ABSENT, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from inspector.transcript.index import Columns
    from inspector.wire.message import MaybeJson, Message

CLOSED_LIMIT = 10_000
"""Requests that are over and remembered, to recognise late and second responses."""

LINKED = frozenset({Kind.REQUEST, Kind.RESPONSE, Kind.ERROR, Kind.NOTIFICATION})
"""Kinds of messages that may belong to a request."""

LABEL_MEMBER = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "resources/subscribe": "uri",
    "resources/unsubscribe": "uri",
}
"""Methods whose requests name something, and the member of `params` that does."""

_PENDING = STATUS_NUMBER[Status.PENDING]
_GIVEN_UP = {STATUS_NUMBER[s] for s in (Status.CANCELLED, Status.TIMED_OUT, Status.LOST)}

_Open: TypeAlias = "OrderedDict[Hashable, int]"
"""Requests by id, oldest first. A plain dict takes ever longer to find its first key when that is removed again and again."""


class _Meta(msgspec.Struct, gc=False):
    progress_token: int | str | msgspec.UnsetType = msgspec.field(
        name="progressToken", default=msgspec.UNSET
    )


class _Params(msgspec.Struct, gc=False):
    name: str = ""
    uri: str = ""
    meta: _Meta | msgspec.UnsetType = msgspec.field(name="_meta", default=msgspec.UNSET)


class _ToolOutcome(msgspec.Struct, gc=False):
    is_error: bool = msgspec.field(name="isError", default=False)


_read_params = msgspec.json.Decoder(_Params).decode
_read_outcome = msgspec.json.Decoder(_ToolOutcome).decode
_IS_ERROR = b'"isError"'
_IS_TRUE = re.compile(rb"\s*:\s*true")
_OTHER = (Direction.RECEIVED, Direction.SENT)
"""The other side, by side."""


class Fold:
    """Links messages to requests as they come."""

    def __init__(self, columns: Columns, report: Callable[[int, Finding], None]) -> None:
        """Write into `columns`; `report` takes the number of a frame and a finding about it."""
        self._columns = columns
        self._report = report
        self._takers: dict[Kind, Callable[[int, Direction, Message], int]] = {
            Kind.REQUEST: self._take_request,
            Kind.RESPONSE: self._take_response,
            Kind.ERROR: self._take_response,
            Kind.NOTIFICATION: self._take_notification,
        }
        self._open: tuple[_Open, _Open] = (OrderedDict(), OrderedDict())
        self._closed: tuple[_Open, _Open] = (OrderedDict(), OrderedDict())
        self._tokens: tuple[_Open, _Open] = (OrderedDict(), OrderedDict())

    @property
    def pending(self) -> int:
        """Requests of both sides without an outcome."""
        return len(self._open[0]) + len(self._open[1])

    def open_requests(self, direction: Direction) -> list[int]:
        """Frame numbers of the requests of that side without an outcome, oldest first."""
        return list(self._open[direction].values())

    def take(self, number: int, direction: Direction, message: Message) -> int:
        """Take in one message and give the number of the request it belongs to, 0 for none."""
        take = self._takers.get(message.kind)
        return take(number, direction, message) if take else 0

    def give_up(self, request: int, status: Status) -> None:
        """Note that `request` has ended without a response."""
        columns = self._columns
        if not 0 < request <= len(columns) or columns.status[request - 1] != _PENDING:
            return
        columns.status[request - 1] = STATUS_NUMBER[status]
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
                self.give_up(request, Status.LOST)

    def _take_request(self, number: int, direction: Direction, message: Message) -> int:
        columns = self._columns
        key = _key(message.id)
        opened = self._open[direction]
        if key in opened:
            words = "the id is that of another request that has no answer yet"
            self._find(number, "id-in-use", words, "/id")
            self.give_up(opened[key], Status.LOST)
        opened[key] = number
        columns.owner[number - 1] = number
        columns.status[number - 1] = _PENDING
        label, token = _named(message)
        if label:
            columns.label[number - 1] = columns.labels.number(label)
        if token is not None:
            _remember(self._tokens[direction], token, number)
        return number

    def _take_response(self, number: int, direction: Direction, message: Message) -> int:
        asked = _OTHER[direction]
        key = _key(message.id)
        request = self._open[asked].pop(key, 0)
        if request:
            self._close(asked, key, request)
            self._answer(number, request, message)
        else:
            request = self._take_unexpected(number, asked, message)
        return request

    def _take_unexpected(self, number: int, asked: Direction, message: Message) -> int:
        if message.kind is Kind.ERROR and (message.id is None or message.id is ABSENT):
            request = self._take_unassigned(number, asked, message)
            if request:
                return request
        closed = self._closed[asked].get(_key(message.id), 0)
        if closed:
            return self._take_second(number, closed)
        for key in _retyped(message.id):
            request = self._open[asked].pop(key, 0)
            if request:
                self._close(asked, key, request)
                words = f"the id is {_shown(message.id)}, the request's is {_shown(key)}: the types differ"
                self._find(number, "id-type", words, "/id")
                self._answer(number, request, message)
                return request
        self._columns.mark[number - 1] |= Mark.UNKNOWN
        self._find(number, *_unassigned(message, bool(self._open[asked])), "/id")
        return 0

    def _take_unassigned(self, number: int, asked: Direction, message: Message) -> int:
        """Take an error without an id: in the answer to an HTTP request it is about that request (C-HTTP-48)."""
        stream = self._columns.stream[number - 1]
        for key, request in self._open[asked].items() if stream else ():
            if request == stream:
                del self._open[asked][key]
                self._close(asked, key, request)
                self._answer(number, request, message)
                return request
        return 0

    def _take_second(self, number: int, request: int) -> int:
        columns = self._columns
        self._belong(number, request)
        if columns.answer[request - 1] == 0 and columns.status[request - 1] in _GIVEN_UP:
            columns.answer[request - 1] = number
            columns.mark[number - 1] |= Mark.LATE
            self._report(
                number,
                Finding("late-response", Severity.INFO, "the request was no longer waited for"),
            )
        else:
            columns.mark[number - 1] |= Mark.DUPLICATE
            self._find(number, "duplicate-response", "the request was answered before", "/id")
        return 0

    def _answer(self, number: int, request: int, message: Message) -> None:
        columns = self._columns
        self._belong(number, request)
        columns.answer[request - 1] = number
        columns.status[request - 1] = STATUS_NUMBER[self._outcome(request, message)]
        if isinstance(message.id, (SpelledNumber, bool)):
            self._find(number, "id-spelling", "the id is not spelled as an integer", "/id")

    def _outcome(self, request: int, message: Message) -> Status:
        if message.kind is Kind.ERROR:
            return Status.ERROR
        columns = self._columns
        is_call = columns.methods.texts[columns.method[request - 1]] == "tools/call"
        return Status.TOOL_ERROR if is_call and _says_error(message) else Status.OK

    def _belong(self, number: int, request: int) -> None:
        columns = self._columns
        columns.owner[number - 1] = request
        columns.label[number - 1] = columns.label[request - 1]
        if not columns.method[number - 1]:
            columns.method[number - 1] = columns.method[request - 1]

    def _take_notification(self, number: int, direction: Direction, message: Message) -> int:
        if message.method == "notifications/progress":
            return self._take_progress(number, _OTHER[direction], message)
        if message.method == "notifications/cancelled":
            return self._take_cancelled(number, direction, message)
        return 0

    def _take_progress(self, number: int, asked: Direction, message: Message) -> int:
        params = message.params
        token = params.get("progressToken", ABSENT) if isinstance(params, dict) else ABSENT
        request = self._tokens[asked].get(_key(token), 0)
        if not request:
            words = (
                "no progress token"
                if token is ABSENT
                else f"no request has the progress token {_shown(token)}"
            )
            self._find(number, "progress-token", words, "/params/progressToken")
            return 0
        self._belong(number, request)
        status = self._columns.status[request - 1]
        if status in _GIVEN_UP:  # the server could not know yet (C-CAN-04)
            words = "the request was no longer waited for"
            self._report(number, Finding("progress-after-end", Severity.INFO, words))
        elif status != _PENDING:
            self._find(number, "progress-after-end", "the request is over", "/params/progressToken")
        return request

    def _take_cancelled(self, number: int, direction: Direction, message: Message) -> int:
        params = message.params
        id_ = params.get("requestId", ABSENT) if isinstance(params, dict) else ABSENT
        request = self._open[direction].get(_key(id_), 0)
        if request:
            self._belong(number, request)
            self.give_up(request, Status.CANCELLED)
            return request
        self._take_late_cancel(number, self._closed[direction].get(_key(id_), 0), id_)
        return 0

    def _take_late_cancel(self, number: int, request: int, id_: MaybeJson) -> None:
        """Take a cancellation of what is over: our own remark may have given it up just before."""
        words = f"no open request has the id {_shown(id_)}"
        if request:
            self._belong(number, request)
            if self._columns.status[request - 1] in _GIVEN_UP:
                return
            words = "the request was answered before"
        self._report(number, Finding("cancel-unknown", Severity.INFO, words, "/params/requestId"))

    def _close(self, direction: Direction, key: Hashable, request: int) -> None:
        _remember(self._closed[direction], key, request)

    def _find(self, number: int, rule: str, words: str, place: str) -> None:
        self._report(number, Finding(rule, Severity.ERROR, words, place))


def _remember(known: _Open, key: Hashable, number: int) -> None:
    known[key] = number
    if len(known) > CLOSED_LIMIT:
        known.popitem(last=False)


def _key(id_: MaybeJson) -> Hashable:
    """`1` and `1.0` are one key (the same number), `true` and `1` are two (Python would say otherwise)."""
    kind = type(id_)
    if kind is int or kind is str or kind is SpelledNumber or id_ is None:
        return id_  # type: ignore[return-value] - the types checked above are hashable
    return (kind, "" if id_ is ABSENT else jsontext.write(id_))  # type: ignore[arg-type] - absent is excluded


def _retyped(id_: MaybeJson) -> tuple[Hashable, ...]:
    if isinstance(id_, str):
        is_number = id_.isascii() and id_.isdigit() and len(id_) < 20 and str(int(id_)) == id_
        return (int(id_),) if is_number else ()
    return (str(id_),) if type(id_) is int else ()


def _shown(id_: object) -> str:
    text = "absent" if id_ is ABSENT else jsontext.write(id_)  # type: ignore[arg-type] - absent is excluded
    return text if len(text) <= 60 else text[:57] + "…"


def _unassigned(message: Message, waiting: bool) -> tuple[str, str]:
    if message.kind is Kind.ERROR and (message.id is None or message.id is ABSENT):
        return (
            "unassigned-error",
            f"the server reported an error it could not assign to a request: {_said(message)}",
        )
    beside = "; other requests are waiting" if waiting else ""
    return "unknown-response", f"no request has the id {_shown(message.id)}{beside}"


def _said(message: Message) -> str:
    error = message.error
    if not isinstance(error, dict):
        return _shown(error)
    return f"{_shown(error.get('code'))} {error.get('message', '')}"


def _named(message: Message) -> tuple[str, Hashable | None]:
    """The label and the progress token of a request."""
    params = message.raw_params
    if params is None:
        return "", None
    member = LABEL_MEMBER.get(message.method)
    try:
        read = _read_params(params)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _named_oddly(message, member)
    token = None if read.meta is msgspec.UNSET else read.meta.progress_token
    label = getattr(read, member) if member else ""
    return label, None if token is msgspec.UNSET else token


def _named_oddly(message: Message, member: str | None) -> tuple[str, Hashable | None]:
    params = message.params
    if not isinstance(params, dict):
        return "", None
    label = params.get(member) if member else None
    meta = params.get("_meta")
    token = meta.get("progressToken") if isinstance(meta, dict) else None
    return (label if isinstance(label, str) else "" if label is None else _shown(label)), (
        None if token is None else _key(token)
    )


def _says_error(message: Message) -> bool:
    raw = message.raw_result if _may_say_error(message.raw) else None
    try:
        return raw is not None and _read_outcome(raw).is_error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False


def _may_say_error(raw: bytes) -> bool:
    """Whether `"isError": true` stands anywhere, so that large results need not be read again to know that it does not."""
    at = raw.find(_IS_ERROR)
    while at >= 0:
        at += len(_IS_ERROR)
        if _IS_TRUE.match(raw, at):
            return True
        at = raw.find(_IS_ERROR, at)
    return False
