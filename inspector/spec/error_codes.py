"""Every error code, in words: what it says, and what to do about it.

A code means different things in different revisions; `explain` finds the row in force. No decision may rest on a code
alone: `-32602` has nine uses, and -32000 to -32019 have no portable meaning.

Source: JSON-RPC 2.0, section 5.1; basic, "Error Codes"; the pages of the features.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import Hint
from inspector.frozen import FrozenStruct
from inspector.spec.revision import NEWEST, V2024_11_05, V2025_11_25, V2026_07_28, Revision

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
RESOURCE_NOT_FOUND = -32002
HEADER_MISMATCH = -32020
MISSING_CLIENT_CAPABILITY = -32021
UNSUPPORTED_VERSION = -32022
URL_ELICITATION_REQUIRED = -32042
USER_REJECTED = -1

STATELESS_ERA_CODES = frozenset({HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_VERSION})
"""Codes that only a server of the stateless era sends; they settle the question of the era."""


class ErrorCode(FrozenStruct, frozen=True, kw_only=True):
    """What a code, or a range of codes, stands for."""

    code: int
    """The code, or the lowest of the range."""
    highest: int | None = None
    """The highest of the range; None for a single code."""
    name: str
    """A short name."""
    summary: str
    """What it says."""
    hint: str = ""
    """What the person may try."""
    since: Revision = V2024_11_05
    """The first revision this holds for."""
    last: Revision = NEWEST
    """The last one."""
    allowed: bool = True
    """Whether a peer may send it in these revisions."""

    def covers(self, code: int, revision: Revision | None) -> bool:
        """Whether this is the row for `code`, in `revision` or in any."""
        in_force = revision is None or self.since <= revision <= self.last
        highest = self.code if self.highest is None else self.highest
        return in_force and self.code <= code <= highest


_CHECK_NAMES = Hint(
    "Check names and arguments against the list, then refresh the list and try again.",
    cli="Check names and arguments against the list.",
)
_CHECK_URI = Hint(
    "Check the address, or refresh the list of resources.",
    cli="Check the URI against the list of resources.",
)

ERROR_CODES: tuple[ErrorCode, ...] = (
    ErrorCode(
        code=PARSE_ERROR,
        name="Parse error",
        summary="The other side could not read the message as JSON.",
        hint="Look at the bytes that were sent; if they are JSON, the fault is on the other side.",
    ),
    ErrorCode(
        code=INVALID_REQUEST,
        name="Invalid request",
        summary="The message is JSON, but not a request the other side accepts.",
        hint="Compare the request with the specification. Some servers demand that the call be made as a task.",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    ErrorCode(
        code=INVALID_REQUEST,
        name="Invalid request",
        summary="The message is JSON, but not a request the other side accepts.",
        hint="Compare the request with the specification.",
    ),
    ErrorCode(
        code=METHOD_NOT_FOUND,
        name="Method not found",
        summary="The other side does not offer this method.",
        hint="Look at the declared capabilities: the feature is probably not among them.",
    ),
    ErrorCode(
        code=INVALID_PARAMS,
        name="Invalid params",
        summary=(
            "The other side does not accept the parameters: an unknown tool, prompt or resource, a stale cursor, "
            "missing arguments or missing request metadata."
        ),
        hint=_CHECK_NAMES,
        since=V2026_07_28,
    ),
    ErrorCode(
        code=INVALID_PARAMS,
        name="Invalid params",
        summary=(
            "The other side does not accept the parameters: an unknown tool or prompt, a stale cursor, missing "
            "arguments, or at the beginning a protocol revision it does not know."
        ),
        hint=_CHECK_NAMES,
    ),
    ErrorCode(
        code=INTERNAL_ERROR,
        name="Internal error",
        summary="Something failed inside the other side.",
        hint="Look at the server's log.",
    ),
    ErrorCode(
        code=RESOURCE_NOT_FOUND,
        name="Resource not found",
        summary="The server has no such resource.",
        hint=_CHECK_URI,
        last=V2025_11_25,
    ),
    ErrorCode(
        code=RESOURCE_NOT_FOUND,
        name="Resource not found (retired code)",
        summary="The server has no such resource; in this revision the code for that is -32602.",
        hint=_CHECK_URI,
        since=V2026_07_28,
        allowed=False,
    ),
    ErrorCode(
        code=HEADER_MISMATCH,
        name="Header mismatch",
        summary="The HTTP headers are missing, malformed or do not match the body.",
        hint=Hint(
            "Refresh the list of tools, so that the headers are built anew, and try again.",
            cli="Run this again; if it is refused again, check how the server compares headers with the body.",
        ),
        since=V2026_07_28,
    ),
    ErrorCode(
        code=MISSING_CLIENT_CAPABILITY,
        name="Missing client capability",
        summary="The server needs a capability that the request did not declare; `data.requiredCapabilities` names it.",
        hint=Hint(
            "Switch the capability on for this server, or use another feature.",
            cli="Use another feature: the command line does not declare that capability.",
        ),
        since=V2026_07_28,
    ),
    ErrorCode(
        code=UNSUPPORTED_VERSION,
        name="Unsupported protocol version",
        summary="The server does not speak the revision of the request; `data.supported` lists those it does.",
        hint=Hint(
            "Connect again with one of the revisions listed.",
            cli="Set --revision to one of those that `data.supported` lists.",
        ),
        since=V2026_07_28,
    ),
    ErrorCode(
        code=URL_ELICITATION_REQUIRED,
        name="URL elicitation required",
        summary="Something must first be done in the browser; `data.elicitations` has the addresses.",
        hint="Visit the address, then try the request again.",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    ErrorCode(
        code=URL_ELICITATION_REQUIRED,
        name="URL elicitation required (retired code)",
        summary="An earlier revision used this code to send the person to the browser; this one asks through the result.",
        hint="Report it to whoever makes the server.",
        since=V2026_07_28,
        allowed=False,
    ),
    ErrorCode(
        code=USER_REJECTED,
        name="Rejected by the person",
        summary="The person declined what the other side asked for.",
        last=V2025_11_25,
    ),
    ErrorCode(
        code=-32019,
        highest=-32000,
        name="Server-defined error",
        summary="The server chose this code itself; it has no meaning that holds elsewhere. The message says what happened.",
        hint="Read the message and the data; over HTTP the status says more than the code.",
    ),
    ErrorCode(
        code=-32099,
        highest=-32020,
        name="Reserved code",
        summary="The specification keeps this code for itself and has not given it a meaning.",
        hint="Report it to whoever makes the server.",
        since=V2026_07_28,
        allowed=False,
    ),
    ErrorCode(
        code=-32099,
        highest=-32020,
        name="Server-defined error",
        summary="The server chose this code itself; it has no meaning that holds elsewhere.",
    ),
    ErrorCode(
        code=-32768,
        highest=-32100,
        name="Reserved by JSON-RPC",
        summary="JSON-RPC keeps this code for itself and has not given it a meaning.",
        hint="Report it to whoever makes the server.",
    ),
)
"""Rows in order of precedence: the first that covers a code in a revision is the one in force."""

APPLICATION_ERROR = ErrorCode(
    code=0,
    name="Application error",
    summary="The other side's own code, outside the range that JSON-RPC reserves.",
)
"""For every integer that no row covers."""

NOT_A_CODE = ErrorCode(
    code=0,
    name="Not an error code",
    summary="The code is not an integer, so it says nothing.",
    hint="Report it to whoever makes the server.",
    allowed=False,
)
"""For a code that is not an integer."""


def explain(code: Json, revision: Revision | None = None) -> ErrorCode:
    """Return what `code` stands for in `revision`, or in the newest that has it."""
    if isinstance(code, bool) or not isinstance(code, int):
        return NOT_A_CODE
    return next((row for row in ERROR_CODES if row.covers(code, revision)), APPLICATION_ERROR)
