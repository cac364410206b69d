"""What can go wrong, as a small tree.

    InspectorError
      TransportError      ConnectFailed · ConnectionLost (ProcessExited, SessionExpired, ResponseLost) · HttpStatus · TimedOut
      PeerError           the server answered with a JSON-RPC error
      CancelledByServer           the server ended a request that has no end of its own
      RequestAborted             we did not send it, or did not go on with it
      InvalidResult       a result that the revision does not know
      NegotiationFailed   no common revision
      AuthError           authorization did not succeed
      StorageError        a file we own cannot be read or written

Faults of the server that leave the session usable are findings, not exceptions. Misuse by our own code is
`ValueError` or `RuntimeError`. Foreign exceptions are mapped once, at the edge where they enter.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.json_value import Json


TEMPORARY_STATUSES = frozenset({408, 429, 502, 503, 504})
"""HTTP statuses that pass, such as that of a proxy whose server is being restarted."""


class Hint(str):
    """What to try next, for the window; `cli` is the same for the command line, which has other controls."""

    cli: str

    def __new__(cls, window: str, *, cli: str) -> Hint:
        """Keep both texts; the string itself is that of the window."""
        hint = super().__new__(cls, window)
        hint.cli = cli
        return hint


def for_cli(hint: str) -> str:
    """Return the text of a hint for the command line."""
    return hint.cli if isinstance(hint, Hint) else hint


class InspectorError(Exception):
    """An expected failure, in words for the person who sees it."""

    def __init__(self, text: str, *, hint: str = "", frame: int | None = None) -> None:
        """Keep the `words` to show, the `remedy` to try next and the number of the `frame` at fault."""
        super().__init__(text)
        self.reason = text
        self.hint = hint
        self.frame = frame


class TransportError(InspectorError):
    """Bytes could not be moved."""


class ConnectFailed(TransportError):
    """The server could not be reached or started."""


class ConnectionLost(TransportError):
    """The connection ended while something was still expected from it."""

    is_unexplained = False
    """Whether a response was expected in something that ended, and what came may tell why it was not there."""


class ProcessExited(ConnectionLost):
    """The server's process ended while something was still expected from it."""


class SessionExpired(ConnectionLost):
    """The server no longer knows the session that it opened."""

    was_in_use = False
    """Whether something had come in the session before."""


class ResponseLost(ConnectionLost):
    """The exchange of one request ended without its answer; the connection goes on."""


class HttpStatus(TransportError):
    """An HTTP response that says by its status, or by what it carries, that the request failed."""

    def __init__(
        self,
        text: str,
        *,
        status: int,
        hint: str = "",
        line: str = "",
        explained: tuple[str, ...] = (),
        media_type: str = "",
        body: str = "",
        knows_request: bool = False,
        is_named: bool = False,
        needs_user: bool = False,
    ) -> None:
        """Keep the `status` beside the words, and what they were made of.

        `line` is the status line in words, `explained` the headers that explain it, `media_type` and `body` (its beginning, as text)
        what came with it; `knows_request` says whether the body is JSON-RPC with the id of the request, and `is_named` whether the
        response itself names the reason that the remedy is about. `needs_user` says whether the user has to log in, who was not asked yet.
        """
        super().__init__(text, hint=hint)
        self.status = status
        self.line = line or f"HTTP {status}"
        self.explained = explained
        self.media_type = media_type
        self.body = body
        self.knows_request = knows_request
        self.is_named = is_named
        self.needs_user = needs_user

    @property
    def prevails(self) -> bool:
        """Whether the status says more than a JSON-RPC error in the body: 400 and 404 only accompany protocol errors.

        Source: basic/transports, "Protocol Version Header"; C-HTTP-43.
        """
        return self.status not in {400, 404}

    @property
    def is_temporary(self) -> bool:
        """Whether asking again later may lead to something else."""
        return self.status in TEMPORARY_STATUSES


class TimedOut(TransportError):
    """We stopped waiting; the server never said no."""

    is_explained = False
    """Whether the words name what came instead of a response."""


class PeerError(InspectorError):
    """The server answered with a JSON-RPC error.

    Source: JSON-RPC 2.0, section 5.1; basic, "Responses".
    """

    def __init__(
        self,
        code: Json,
        message: str,
        data: Json = None,
        *,
        frame: int | None = None,
        http: HttpStatus | None = None,
    ) -> None:
        """Keep `code` (an integer when the server obeys), `message` and `data` as they came.

        `http` is the HTTP response that carried the error, where its status is a bad one.
        """
        tells = http is not None and (http.prevails or http.is_named)
        hint = http.hint if http is not None and tells else ""
        super().__init__(_error_words(code, message, http), hint=hint, frame=frame)
        self.code = code
        self.message = message
        self.data = data
        self.http = http


def code_words(code: Json) -> str:
    """What kind of error a code stands for, e.g. `error -32601`, in the notation of JSON."""
    if code is None:
        return "error without a code"
    is_number = isinstance(code, int | float) and not isinstance(code, bool)
    return f"error {code}" if is_number else f"error {json.dumps(code)}"


class CancelledByServer(InspectorError):
    """The server ended a request of ours that has no end of its own."""


class RequestAborted(InspectorError):
    """We did not send what was asked for, or did not go on with it."""


class InvalidResult(InspectorError):
    """The server answered with a result that the revision does not know."""


class NegotiationFailed(InspectorError):
    """The two sides have no protocol revision in common."""


class AuthError(InspectorError):
    """Authorization did not succeed."""


class StorageError(InspectorError):
    """A file that belongs to us cannot be read or written."""


def _error_words(code: Json, message: str, http: HttpStatus | None) -> str:
    """A JSON-RPC error; where an HTTP status says more, that comes first."""
    text = code_words(code)
    if http is None or not http.prevails:
        status = "" if http is None else f" ({'; '.join((http.line, *http.explained))})"
        return f"{text}: {message}{status}" if message else f"{text}{status}"
    said = f"{message} ({text})" if message else text
    return "; ".join((f"{http.line}: {said}", *http.explained))
