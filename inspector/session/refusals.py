"""A response that is no result, as the error that the waiting request fails with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import InvalidResult, PeerError
from inspector.spec.error_codes import explain
from inspector.wire import json_codec
from inspector.wire.message import CUT, MessageKind, or_null

if TYPE_CHECKING:
    from inspector.errors import HttpStatus, InspectorError
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import RecordedMessage

LESS_AT_ONCE = "Let the server return less at once, in pages for example."


_NO_OBJECT = (
    "Let the server send `error` as an object with an integer `code` and a string `message`."
)
_NO_CODE = "Let the server send `code` as an integer."


def error_of(taken: RecordedMessage, http: HttpStatus | None = None) -> InspectorError | None:
    """What a response says instead of a result; nothing when it is one.

    `http` is the HTTP response that carried it, where its status is a bad one.
    """
    if taken.message.kind is MessageKind.ERROR:
        return _told(taken, http)
    return _malformed(taken) if taken.message.kind is MessageKind.MALFORMED else None


def _told(taken: RecordedMessage, http: HttpStatus | None) -> PeerError:
    error = or_null(taken.message.error)
    if not isinstance(error, dict):
        text = f"the error is not an object: {json_codec.write(error)}"
        return _with_hint(PeerError(None, text, frame=taken.number, http=http), _NO_OBJECT)
    message = error.get("message", "")
    text = message if isinstance(message, str) else json_codec.write(message)
    code, data = error.get("code"), error.get("data")
    told = PeerError(code, text, data, frame=taken.number, http=http)
    is_code = isinstance(code, int) and not isinstance(code, bool)
    return told if is_code else _with_hint(told, _NO_CODE)


def _with_hint(error: PeerError, hint: str) -> PeerError:
    error.hint = error.hint or hint
    return error


def hint_of(error: InspectorError, revision: Revision | None) -> str:
    """What to do about an error: what is known of it, or else of the code that the server sent; empty for nothing."""
    if error.hint or not isinstance(error, PeerError):
        return error.hint
    return explain(error.code, revision).hint


def _malformed(taken: RecordedMessage) -> InvalidResult:
    if taken.message.problem == CUT:
        size = _size(len(taken.message.raw))
        return InvalidResult(
            f"the response is larger than {size} and was cut by Spyglass",
            hint=LESS_AT_ONCE,
            frame=taken.number,
        )
    return InvalidResult(
        "the response has neither `result` nor `error`",
        hint="Let the server put what it returns into the member `result`.",
        frame=taken.number,
    )


def _size(count: int) -> str:
    return f"{count >> 20} MB" if count >> 20 else f"{count:,} bytes"
