"""Messages that leave nothing to decide, read and linked in a third of the time: nearly all that a recording holds.

One decoding gives all that the index needs: kind, id, method, and what a request, its progress and its result say about themselves. All that is
unusual (an error, a cancellation, an id that is used twice or is no whole number, a member of another type) is left to `message.read` and the
correlator. Both give the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard, cast

import msgspec

from inspector.transcript.exchange import STATUS_NUMBER, Status
from inspector.transcript.quick_fields import TAG, RequestParams, RequestReader, ToolOutcome
from inspector.transcript.request_links import OPPOSITE, PENDING
from inspector.wire.message import MessageKind, is_utf8

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.transcript.index import Columns
    from inspector.transcript.request_links import RequestLinks

MAX_ID = 1 << 53
"""Larger ids are left to the reader that keeps every digit."""

_REQUEST, _RESPONSE, _NOTIFICATION = (
    int(MessageKind.REQUEST),
    int(MessageKind.RESPONSE),
    int(MessageKind.NOTIFICATION),
)
_OK, _TOOL_ERROR = STATUS_NUMBER[Status.OK], STATUS_NUMBER[Status.TOOL_ERROR]
_UNSET = msgspec.UNSET


class _Params(RequestParams, gc=False):
    progress: int | str | msgspec.UnsetType = msgspec.field(name="progressToken", default=_UNSET)


class _Message(msgspec.Struct, gc=False):
    id: int | str | float | msgspec.UnsetType = _UNSET
    """A number with a fraction or an exponent becomes a float, and no integer."""
    method: str | msgspec.UnsetType = _UNSET
    params: _Params | msgspec.UnsetType = _UNSET
    result: ToolOutcome | msgspec.UnsetType = _UNSET
    error: msgspec.Raw | msgspec.UnsetType = _UNSET


_reader = RequestReader(base=_Params)
_named_by = _reader.named_by
_decode = cast(
    "Callable[[bytes], _Message]",
    msgspec.json.Decoder(
        msgspec.defstruct(
            "_LabeledMessage",
            [("params", _reader.params | msgspec.UnsetType, _UNSET)],
            bases=(_Message,),
            gc=False,
        )
    ).decode,
)


class PlainMessages:
    """Takes such messages of one transcript, in the order of the frames."""

    def __init__(self, columns: Columns, links: RequestLinks) -> None:
        """Write into `columns`; requests are known by `links`."""
        self._columns = columns
        self._links = links

    def take(self, number: int, direction: int, raw: bytes) -> bool:
        """Read and link a message of frame `number`; False, with nothing done, where it is none of those."""
        try:
            message = _decode(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return False
        if not raw.isascii() and not is_utf8(raw):
            return False
        id_, method, result = message.id, message.method, message.result
        if method is msgspec.UNSET:
            if result is msgspec.UNSET or message.error is not msgspec.UNSET or not _is_plain(id_):
                return False
            return self._take_result(number, OPPOSITE[direction], id_, result.is_error)
        if id_ is msgspec.UNSET:
            return self._take_notification(number, direction, raw, method, message.params)
        return _is_plain(id_) and self._take_request(number, direction, id_, method, message.params)

    def _take_request(
        self,
        number: int,
        direction: int,
        key: int | str,
        method: str,
        params: _Params | msgspec.UnsetType,
    ) -> bool:
        if key in self._links.open[direction]:
            return False
        columns = self._columns
        columns.kind[number - 1] = _REQUEST
        columns.method[number - 1] = columns.methods.number(method)
        named = ("", None, False) if params is msgspec.UNSET else _named_by(params, method)
        self._links.begin(number, direction, key, named)
        return True

    def _take_result(self, number: int, side: int, key: int | str, is_error: bool) -> bool:
        links, columns = self._links, self._columns
        request = links.open[side].pop(key, 0)
        if not request:
            return False
        columns.kind[number - 1] = _RESPONSE
        links.close(side, key, request)
        is_failed = is_error and columns.methods.texts[columns.method[request - 1]] == "tools/call"
        links.answer(number, request, _TOOL_ERROR if is_failed else _OK)
        return True

    def _take_notification(
        self,
        number: int,
        direction: int,
        raw: bytes,
        method: str,
        params: _Params | msgspec.UnsetType,
    ) -> bool:
        columns = self._columns
        if method == "notifications/progress":
            request = (
                0
                if params is msgspec.UNSET
                else self._waiting(OPPOSITE[direction], params.progress)
            )
            if not request:
                return False
            columns.method[number - 1] = columns.methods.number(method)
            self._links.belong(number, request)
        elif method == "notifications/cancelled" or TAG in raw:
            return False
        else:
            columns.method[number - 1] = columns.methods.number(method)
        columns.kind[number - 1] = _NOTIFICATION
        return True

    def _waiting(self, side: int, token: int | str | msgspec.UnsetType) -> int:
        """The request with a progress token, as long as it waits; 0 for any other token."""
        request = self._links.tokens[side].get(token, 0)
        return request if request and self._columns.status[request - 1] == PENDING else 0


def _is_plain(id_: float | str | msgspec.UnsetType) -> TypeGuard[int | str]:
    return isinstance(id_, str) or (isinstance(id_, int) and 0 < id_ < MAX_ID)
