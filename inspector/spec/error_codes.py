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
    "Refresh the list, check names and arguments, and retry.",
    cli="Check names and arguments against the list.",
)
_CHECK_URI = Hint(
    "Check the URI or refresh the resources list.",
    cli="Check the URI against the list of resources.",
)

ERROR_CODES: tuple[ErrorCode, ...] = (
    ErrorCode(
        code=PARSE_ERROR,
        name="Parse error",
        summary="The receiver could not parse the message as JSON.",
        hint="Check the sent bytes; if they are valid JSON, the receiver is at fault.",
    ),
    ErrorCode(
        code=INVALID_REQUEST,
        name="Invalid request",
        summary="The JSON is not a valid request.",
        hint="Compare the request with the specification. Some servers require the call to run as a task.",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    ErrorCode(
        code=INVALID_REQUEST,
        name="Invalid request",
        summary="The JSON is not a valid request.",
        hint="Compare the request with the specification.",
    ),
    ErrorCode(
        code=METHOD_NOT_FOUND,
        name="Method not found",
        summary="The receiver does not support this method.",
        hint="Check the declared capabilities; the feature is probably missing.",
    ),
    ErrorCode(
        code=INVALID_PARAMS,
        name="Invalid params",
        summary=(
            "Invalid parameters: unknown tool, prompt or resource, expired cursor, missing arguments or missing request metadata."
        ),
        hint=_CHECK_NAMES,
        since=V2026_07_28,
    ),
    ErrorCode(
        code=INVALID_PARAMS,
        name="Invalid params",
        summary=(
            "Invalid parameters: unknown tool or prompt, expired cursor, missing arguments or, in initialize, an unsupported protocol revision."
        ),
        hint=_CHECK_NAMES,
    ),
    ErrorCode(
        code=INTERNAL_ERROR,
        name="Internal error",
        summary="The receiver failed internally.",
        hint="Check the server log.",
    ),
    ErrorCode(
        code=RESOURCE_NOT_FOUND,
        name="Resource not found",
        summary="The resource does not exist.",
        hint=_CHECK_URI,
        last=V2025_11_25,
    ),
    ErrorCode(
        code=RESOURCE_NOT_FOUND,
        name="Resource not found (retired code)",
        summary="The resource does not exist; in this revision the code is -32602.",
        hint=_CHECK_URI,
        since=V2026_07_28,
        allowed=False,
    ),
    ErrorCode(
        code=HEADER_MISMATCH,
        name="Header mismatch",
        summary="HTTP headers are missing, malformed or inconsistent with the body.",
        hint=Hint(
            "Refresh the tools list to rebuild the headers, then retry.",
            cli="Run this again; if it is refused again, check how the server compares headers with the body.",
        ),
        since=V2026_07_28,
    ),
    ErrorCode(
        code=MISSING_CLIENT_CAPABILITY,
        name="Missing client capability",
        summary="The request did not declare a required capability; see `data.requiredCapabilities`.",
        hint=Hint(
            "Enable the capability on the Client page.",
            cli="Use another feature: the command line does not declare that capability.",
        ),
        since=V2026_07_28,
    ),
    ErrorCode(
        code=UNSUPPORTED_VERSION,
        name="Unsupported protocol version",
        summary="The server does not support this protocol revision; see `data.supported`.",
        hint=Hint(
            "Reconnect with a supported revision.",
            cli="Set --revision to one of those that `data.supported` lists.",
        ),
        since=V2026_07_28,
    ),
    ErrorCode(
        code=URL_ELICITATION_REQUIRED,
        name="URL elicitation required",
        summary="A browser step is required first; see `data.elicitations`.",
        hint="Visit the URL, then retry.",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    ErrorCode(
        code=URL_ELICITATION_REQUIRED,
        name="URL elicitation required (retired code)",
        summary="Retired code: this revision requests URL elicitation in the result.",
        hint="Report it to the server's developer.",
        since=V2026_07_28,
        allowed=False,
    ),
    ErrorCode(
        code=USER_REJECTED,
        name="Rejected by the user",
        summary="The user rejected the request.",
        last=V2025_11_25,
    ),
    ErrorCode(
        code=-32019,
        highest=-32000,
        name="Server-defined error",
        summary="Server-specific code; see the message.",
        hint="See the message and data; over HTTP, also the status.",
    ),
    ErrorCode(
        code=-32099,
        highest=-32020,
        name="Reserved code",
        summary="Reserved by the specification, without a defined meaning.",
        hint="Report it to the server's developer.",
        since=V2026_07_28,
        allowed=False,
    ),
    ErrorCode(
        code=-32099,
        highest=-32020,
        name="Server-defined error",
        summary="Server-specific code.",
    ),
    ErrorCode(
        code=-32768,
        highest=-32100,
        name="Reserved by JSON-RPC",
        summary="Reserved by JSON-RPC, without a defined meaning.",
        hint="Report it to the server's developer.",
    ),
)
"""Rows in order of precedence: the first that covers a code in a revision is the one in force."""

APPLICATION_ERROR = ErrorCode(
    code=0,
    name="Application error",
    summary="Application-specific code.",
)
"""For every integer that no row covers."""

NOT_A_CODE = ErrorCode(
    code=0,
    name="Not an error code",
    summary="The code is not an integer.",
    hint="Report it to the server's developer.",
    allowed=False,
)
"""For a code that is not an integer."""


def explain(code: Json, revision: Revision | None = None) -> ErrorCode:
    """Return what `code` stands for in `revision`, or in the newest that has it."""
    if isinstance(code, bool) or not isinstance(code, int):
        return NOT_A_CODE
    return next((row for row in ERROR_CODES if row.covers(code, revision)), APPLICATION_ERROR)
