"""What can go wrong, as a small tree.

    InspectorError
      TransportError      ConnectFailed · ConnectionLost (ProcessExited, SessionGone, AnswerLost) · HttpStatus · TimedOut
      PeerError           the server answered with a JSON-RPC error
      CalledOff           the server ended a request that has no end of its own
      NotSent             we did not send it, or did not go on with it
      InvalidAnswer       a result that the revision does not know
      NegotiationFailed   no common revision
      AuthError           Denied · Expired · DiscoveryFailed
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


class InspectorError(Exception):
    """An expected failure, in words for the person who sees it."""

    def __init__(self, words: str, *, remedy: str = "", frame: int | None = None) -> None:
        """Keep the `words` to show, the `remedy` to try next and the number of the `frame` at fault."""
        super().__init__(words)
        self.words = words
        self.remedy = remedy
        self.frame = frame


class TransportError(InspectorError):
    """Bytes could not be moved."""


class ConnectFailed(TransportError):
    """The server could not be reached or started."""


class ConnectionLost(TransportError):
    """The connection ended while something was still expected from it."""


class ProcessExited(ConnectionLost):
    """The server's process ended while something was still expected from it."""


class SessionGone(ConnectionLost):
    """The server no longer knows the session that it opened."""

    was_in_use = False
    """Whether something had come in the session before."""


class AnswerLost(ConnectionLost):
    """The exchange of one request ended without its answer; the connection goes on."""


class HttpStatus(TransportError):
    """The server answered with an HTTP status that carries no usable message."""

    def __init__(self, words: str, *, status: int, remedy: str = "") -> None:
        """Keep the `status` beside the words."""
        super().__init__(words, remedy=remedy)
        self.status = status

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
        self, code: Json, message: str, data: Json = None, *, frame: int | None = None
    ) -> None:
        """Keep `code` (an integer when the server obeys), `message` and `data` as they came."""
        words = code_words(code)
        super().__init__(f"{words}: {message}" if message else words, frame=frame)
        self.code = code
        self.message = message
        self.data = data


def code_words(code: Json) -> str:
    """What kind of error a code stands for, e.g. `error -32601`, in the notation of JSON."""
    if code is None:
        return "error without a code"
    return f"error {code}" if isinstance(code, int | float) else f"error {json.dumps(code)}"


class CalledOff(InspectorError):
    """The server ended a request of ours that has no end of its own."""


class NotSent(InspectorError):
    """We did not send what was asked for, or did not go on with it."""


class InvalidAnswer(InspectorError):
    """The server answered with a result that the revision does not know."""


class NegotiationFailed(InspectorError):
    """The two sides have no protocol revision in common."""


class AuthError(InspectorError):
    """Authorization did not succeed."""


class Denied(AuthError):
    """The authorization server or the person said no."""


class Expired(AuthError):
    """The token is no longer valid and could not be renewed."""


class DiscoveryFailed(AuthError):
    """No authorization server could be found."""


class StorageError(InspectorError):
    """A file that belongs to us cannot be read or written."""
