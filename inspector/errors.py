"""The expected errors, as a small tree.

    InspectorError
      TransportError      ConnectFailed · ConnectionLost (ProcessExited, SessionExpired, ResponseLost) · HttpStatus · TimedOut
      PeerError           the response is a JSON-RPC error
      CancelledByServer   the server ended a request that has no end of its own
      RequestAborted      the request was not sent, or not continued
      InvalidResult       a result of a type that the revision does not have
      NegotiationFailed   no common revision
      AuthError           authorization did not succeed
      StorageError        a file of Spyglass cannot be read or written

Faults of the server that leave the session usable are findings, not exceptions. Misuse by our own code is
`ValueError` or `RuntimeError`. Foreign exceptions are mapped once, at the edge where they enter.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.json_value import Json


TEMPORARY_STATUSES = frozenset({408, 429, 502, 503, 504})
"""HTTP statuses that pass, such as those of a proxy whose server is being restarted."""


class Hint(str):
    """What to try next, as text for the window; `cli` is the text for the command line, which has other controls."""

    cli: str

    def __new__(cls, window: str, *, cli: str) -> Hint:
        """Keep both texts; the string itself is the one for the window."""
        hint = super().__new__(cls, window)
        hint.cli = cli
        return hint


def for_cli(hint: str) -> str:
    """Return the text of a hint for the command line."""
    return hint.cli if isinstance(hint, Hint) else hint


class InspectorError(Exception):
    """An expected failure, described for the user."""

    is_of_settings = False
    """Whether it will fail again with the same settings of the connection."""

    def __init__(self, text: str, *, hint: str = "", frame: int | None = None) -> None:
        """Keep the reason, the `hint` what to try next, and the number of the `frame` at fault."""
        super().__init__(text)
        self.reason = text
        self.hint = hint
        self.frame = frame


class TransportError(InspectorError):
    """Bytes could not be sent or received."""


class ConnectFailed(TransportError):
    """The server could not be reached or started."""

    def __init__(
        self, text: str, *, hint: str = "", frame: int | None = None, is_of_settings: bool = False
    ) -> None:
        """Keep what every error has, and whether settings name what cannot be reached or started."""
        super().__init__(text, hint=hint, frame=frame)
        self.is_of_settings = is_of_settings


class ConnectionLost(TransportError):
    """The connection ended while a response was expected."""

    is_unexplained = False
    """Whether what ended (a stream, a body) may contain the reason for the missing response."""


class ProcessExited(ConnectionLost):
    """The process of the server ended while a response was expected."""


class SessionExpired(ConnectionLost):
    """The server no longer knows the session that it opened."""

    was_in_use = False
    """Whether the session had received anything before."""


class ResponseLost(ConnectionLost):
    """The HTTP exchange of one request ended without its response; the connection stays."""


class HttpStatus(TransportError):
    """An HTTP response whose status or content says that the request failed."""

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
        """Keep the `status`, and what the reason was made of.

        `line` is the status line as text, `explained` the headers that explain it, `media_type` and `body` (its beginning, as text) the content;
        `knows_request`: the body is JSON-RPC with the id of the request; `is_named`: the response itself names the reason that the hint is about;
        `needs_user`: the user has to log in, and has not been prompted yet.
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
        """Whether the same request may succeed later."""
        return self.status in TEMPORARY_STATUSES


class TimedOut(TransportError):
    """No response within the time limit."""

    is_explained = False
    """Whether the reason names what arrived instead of a response."""


class PeerError(InspectorError):
    """The response is a JSON-RPC error.

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
        """Keep `code` (an integer if the server obeys), `message` and `data` as received.

        `http` is the HTTP response that carried the error, if its status says that the request failed.
        """
        hint = http.hint if http is not None and (http.prevails or http.is_named) else ""
        super().__init__(_error_text(code, message, http), hint=hint, frame=frame)
        self.code = code
        self.message = message
        self.data = data
        self.http = http


def code_text(code: Json) -> str:
    """Return a name for an error with this code, as in `error -32601`; the code in the notation of JSON."""
    if code is None:
        return "error without a code"
    is_number = isinstance(code, int | float) and not isinstance(code, bool)
    return f"error {code}" if is_number else f"error {json.dumps(code)}"


class CancelledByServer(InspectorError):
    """The server ended a request that has no end of its own."""


class RequestAborted(InspectorError):
    """The request was not sent, or not continued."""


class InvalidResult(InspectorError):
    """The result has a type that the revision does not have."""


class NegotiationFailed(InspectorError):
    """Client and server have no protocol revision in common."""


class AuthError(InspectorError):
    """Authorization did not succeed."""


class StorageError(InspectorError):
    """A file of Spyglass cannot be read or written."""


def _error_text(code: Json, message: str, http: HttpStatus | None) -> str:
    """Return a JSON-RPC error as text, after the HTTP status if that says more."""
    text = code_text(code)
    if http is None or not http.prevails:
        status = "" if http is None else f" ({'; '.join((http.line, *http.explained))})"
        return f"{text}: {message}{status}" if message else f"{text}{status}"
    error = f"{message} ({text})" if message else text
    return "; ".join((f"{http.line}: {error}", *http.explained))
