"""Responses that are not results, of JSON-RPC and of HTTP: the error that the request fails with, and what they mean for connecting.

What an HTTP response means follows from its status, never from the form of its body:

1. Some statuses mean nothing for era and transport: authorization (401, 403), proxies and gateways, limits, redirects, servers that are
   down. Connecting ends with them, and what an earlier connection found stays.
2. Any other 4xx, 501, and a 2xx without an MCP response may come from a server of the older transport: C-VER-15 requires GET after
   any 4xx, and old servers respond to the POST in many ways, even with 200. A JSON-RPC response with the id of the request comes from a
   server of this transport.

Source: basic/versioning, "Backward Compatibility"; basic/transports, "Backwards Compatibility"; C-VER-07, C-VER-13 to C-VER-17.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.errors import Hint, HttpStatus, InvalidResult, PeerError
from inspector.spec.error_codes import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    STATELESS_ERA_CODES,
    UNSUPPORTED_VERSION,
    explain,
)
from inspector.spec.refusal_texts import (
    ALREADY_INITIALIZED,
    NOT_INITIALIZED,
    OF_REVISION,
    SESSION_ERROR,
)
from inspector.spec.revision import REVISIONS
from inspector.transcript.index import newest_with
from inspector.wire import json_codec, lazy_json
from inspector.wire.batch import IN_BATCH
from inspector.wire.frame import Direction
from inspector.wire.json_codec import RawJson, is_text
from inspector.wire.message import CUT, UNDECODED, MessageKind, or_null

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.errors import InspectorError
    from inspector.session.protocol_mode import Agreement
    from inspector.spec.revision import Revision
    from inspector.transcript.frame_processor import RecordedMessage
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json

MAX_DATA = 1 << 20
"""Bytes up to which the data of an error is read."""

MAX_VALUE = 2_000
"""Characters of a value that stands in the place of a text."""

LESS_AT_ONCE = "Let the server return less at once, in pages for example."
_NO_OBJECT = (
    "Let the server send `error` as an object with an integer `code` and a string `message`."
)
_NO_CODE = "Let the server send `code` as an integer."

INITIALIZED = "notifications/initialized"

ROOTS = "roots"
"""The capability whose requests an option of the command line responds to."""

MAX_FRAMES = 5000
"""Frames after the handshake that are searched for the notification."""

_OF_OPENING = (
    (
        ALREADY_INITIALIZED,
        "Restart the server: it seems to keep one session, which is already open. Let it start a session for each client.",
    ),
    (
        NOT_INITIALIZED,
        "Let the server accept initialize as the first request: it opens the session.",
    ),
)
"""What an error of `initialize` may say, and what to do about it."""

_BY_MESSAGE = (
    (
        r"_meta\.(?:protocolVersion|clientInfo|clientCapabilities)\b",
        "Let the server read the keys of `_meta` with their prefix, such as `io.modelcontextprotocol/protocolVersion`.",
    ),
)
"""What an error of any method and code may say, and what to do about it."""

_LIST_REVISIONS = "Let the server list the revisions that it supports in `data.supported`."
_NO_MESSAGE = "Let the server say in `message` what failed."

_UNRELATED = {401, 402, 403, 407, 408, 425, 429, 431, 451, 502, 503, 504, 511}
_MIN_PROXY_STATUS = 520
"""Statuses from here on are sent by proxies."""

_OF_VERSIONS = r"(?i)\bprotocol|\b(?:versions?|revisions?)\b|\bsupport"
"""What an error says of the revisions that it names, where its code is about params or a revision; with other codes, `OF_REVISION`."""

_REFUSES_CONTENT = {400, 422, 426}
"""Statuses that servers send for a revision that they do not support."""

NOT_FOR_POST = {405, 501}
"""Statuses of a URL that exists, but takes no POST."""


def error_of(taken: RecordedMessage, http: HttpStatus | None = None) -> InspectorError | None:
    """Return the error that a request with this response fails with; None for a result.

    `http` is the HTTP response that carried it, for a status that is an error.
    """
    if taken.message.kind is MessageKind.ERROR:
        return _peer_error(taken, http)
    return _invalid_result(taken) if taken.message.kind is MessageKind.MALFORMED else None


def _peer_error(taken: RecordedMessage, http: HttpStatus | None) -> PeerError:
    body = or_null(taken.message.lazy_object("error"))
    if not isinstance(body, dict):
        text, hint = f"the error is not an object: {_beginning(body)}", _NO_OBJECT
        error = PeerError(None, text, frame=taken.number, http=http)
    else:
        code, message, data = (
            lazy_json.member(body, key, limit)
            for key, limit in (("code", MAX_VALUE), ("message", MAX_VALUE), ("data", MAX_DATA))
        )
        code = _beginning(code) if isinstance(code, RawJson) else code
        text = message if is_text(message) else _beginning(message) if "message" in body else ""
        error = PeerError(code, text, data, frame=taken.number, http=http)
        is_code = isinstance(code, int) and not isinstance(code, bool)
        hint = "" if is_code else _NO_CODE
    error.hint = error.hint or hint
    return error


def _beginning(value: Json) -> str:
    """Return the JSON of a value; a long one, which its frame shows whole, ends in an ellipsis."""
    text = json_codec.write_beginning(value, MAX_VALUE + 1)
    return text if len(text) <= MAX_VALUE else f"{text[:MAX_VALUE]}…"


def _invalid_result(taken: RecordedMessage) -> InvalidResult:
    if taken.message.problem == CUT:
        size = len(taken.message.raw)
        text = f"{size >> 20} MB" if size >> 20 else f"{size:,} bytes"
        return InvalidResult(
            f"the response is larger than {text} and was cut by Spyglass",
            hint=LESS_AT_ONCE,
            frame=taken.number,
        )
    if taken.message.problem == UNDECODED:
        return InvalidResult(f"the response is {UNDECODED}", hint=LESS_AT_ONCE, frame=taken.number)
    if taken.message.problem == IN_BATCH:
        return InvalidResult(
            f"the response is {IN_BATCH}; Spyglass does not read batches this large",
            hint="Let the server send fewer messages in one batch.",
            frame=taken.number,
        )
    return InvalidResult(
        "the response has neither `result` nor `error`",
        hint="Let the server put what it returns into the member `result`.",
        frame=taken.number,
    )


def hint_of(error: InspectorError, revision: Revision | None, usual: str = "") -> str:
    """Return the hint of an error, or else that of its message, `usual`, or that of its code; empty for no hint."""
    if error.hint or not isinstance(error, PeerError):
        return error.hint
    meaning = explain(error.code, revision)
    if meaning is explain(UNSUPPORTED_VERSION) and not _lists_revisions(error.data):
        return _LIST_REVISIONS
    return _hint_of_message(error) or usual or meaning.hint


def _lists_revisions(data: Json) -> bool:
    supported = data.get("supported") if isinstance(data, dict) else None
    return isinstance(supported, list) and bool(supported)


def _hint_of_message(error: PeerError) -> str:
    """Return what the message of an error says to do; empty where it says nothing that is known."""
    if not error.message.strip():
        return _NO_MESSAGE if error.data is None else ""
    text = error.message[:500]
    found = next((hint for pattern, hint in _BY_MESSAGE if re.search(pattern, text)), "")
    if found or error.code in {METHOD_NOT_FOUND, INVALID_PARAMS}:
        return found
    from inspector.session.diagnostics import exit_causes, known_mistakes  # only for a failure

    cause = known_mistakes.find_mistake(exit_causes.OF_SETTINGS, text)
    return cause.hint if cause is not None else ""


def opening_hint(error: PeerError) -> str:
    """Return what the message of an error of `initialize` says to do; empty where it says nothing that is known."""
    if error.code == INTERNAL_ERROR:
        return ""
    text = error.message[:500]
    return next((hint for pattern, hint in _OF_OPENING if re.search(pattern, text)), "")


def undeclared_hint(name: str) -> Hint:
    """Return what to do about a request of the server that needs the capability `name`, which the client did not declare."""
    declare = f"Declare the capability with --declare {name}, and respond with --answers FILE."
    if name == ROOTS:
        declare = "Declare the capability and name its roots with --root DIR."
    check = "Let the server check what the client declares before it sends such a request, and respond with an error where it is refused."
    return Hint(
        f"Enable the capability `{name}` on the Client page, and reconnect. {check}",
        cli=f"{declare} {check}",
    )


def is_not_initialized(error: PeerError) -> bool:
    """Whether the server says that the session is not initialized."""
    return re.search(NOT_INITIALIZED, error.message[:500]) is not None


def not_initialized_hint(agreed: Agreement, transcript: Transcript) -> str:
    """Return what a server seems to miss that calls itself not initialized; empty after a handshake that is not complete."""
    columns = transcript.columns
    last = min(transcript.count, agreed.frame + MAX_FRAMES)
    numbers = newest_with(columns.direction, Direction.SENT, agreed.frame, last)
    names = columns.methods.texts
    sent = next((each for each in numbers if names[columns.method[each - 1]] == INITIALIZED), 0)
    if not sent:
        return ""
    return (
        f"The handshake is complete: the server responded to initialize in frame {agreed.frame}, and {INITIALIZED} was sent in frame {sent}. "
        f"Check that the server handles {INITIALIZED} before the requests that follow."
    )


def http_of(error: BaseException) -> HttpStatus | None:
    """Return the HTTP response that `error` is about; None for no response, or one with a good status and a message."""
    if isinstance(error, PeerError):
        return error.http
    return error if isinstance(error, HttpStatus) else None


def is_unrelated(error: BaseException) -> bool:
    """Whether the HTTP response in `error` means nothing for era and transport; False for an error without one."""
    http = http_of(error)
    if http is None:
        return False
    status = http.status
    is_proxy_page = status >= 500 and http.media_type == "text/html"
    is_redirect = status < 200 or 300 <= status < 400
    return is_redirect or status in _UNRELATED or status >= _MIN_PROXY_STATUS or is_proxy_page


def may_be_older(error: BaseException) -> bool:
    """Whether a server that responded to `initialize` with `error` may know the older transport only."""
    http = http_of(error)
    if http is None or http.knows_request or is_unrelated(error):
        return False
    if isinstance(error, PeerError) and error.code in STATELESS_ERA_CODES:
        return False
    return http.status < 500 or http.status in NOT_FOR_POST


def misses_handshake(error: PeerError | HttpStatus) -> bool:
    """Whether a server that refused a stateless request by `error` says that a session, the handshake or an older revision is missing.

    A status alone says nothing: a gateway, a quota and a suspended account send the same one. With a good status, only the handshake counts: other
    sessions are missing in the errors of tools.
    """
    http = http_of(error)
    if http is None:
        return isinstance(error, PeerError) and is_not_initialized(error)
    if http.status not in _REFUSES_CONTENT or not may_be_older(error):
        return False
    text = error.message if isinstance(error, PeerError) else http.body
    return http.media_type != "text/html" and any(
        re.search(pattern, text[:500]) for pattern in (SESSION_ERROR, NOT_INITIALIZED, OF_REVISION)
    )


def initialize_hint(refusal: HttpStatus | PeerError, offered: Sequence[Revision]) -> str:
    """Return the hint for a refusal of `initialize`: select a revision if the server names others than those `offered` so far."""
    http = http_of(refusal)
    if isinstance(refusal, PeerError):
        text, is_of_params = refusal.message, refusal.code in {INVALID_PARAMS, UNSUPPORTED_VERSION}
        pattern = _OF_VERSIONS if is_of_params else OF_REVISION
        is_explained = bool(refusal.hint) and (http is None or refusal.hint != http.hint)
    else:
        text, pattern, is_explained = refusal.body, "", False
    is_of_content = http is None or (
        http.status in _REFUSES_CONTENT and http.media_type != "text/html"
    )
    named = [r.date for r in REVISIONS if _names(text[:500], r.date) and r not in offered]
    is_of_revision = is_of_content and re.search(pattern, text[:500]) is not None
    if is_explained or not named or not is_of_revision:
        return refusal.hint
    if http is not None:
        http.is_named = True
    listed = f"that the response of the server names: {', '.join(reversed(named))}."
    return Hint(f"Select a revision {listed}", cli=f"Set --revision to one {listed}")


def _names(text: str, date: str) -> bool:
    """Whether a text names the date of a revision, and not as a part of a path or of another name."""
    return re.search(rf"(?<![\w/-]){date}(?![\w/-])", text) is not None
