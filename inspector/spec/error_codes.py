"""Every error code: what it means, and what to do about it.

A code means different things in different revisions; `explain` returns the applicable row. No decision may rest on a code
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
"""Codes that only a server of the stateless era sends; they prove the era."""

NO_SESSIONS = "Let the server handle requests without a session: {date} has none."
"""What to do about an error that misses a session in a stateless revision, which has this date."""


class ErrorCode(FrozenStruct, frozen=True):
    """What a code, or a range of codes, means."""

    code: int
    """The code, or the lowest of the range."""
    name: str
    """A short name."""
    summary: str
    """What it means."""
    hint: str = ""
    """What the user may try."""
    highest: int | None = None
    """The highest of the range; None for a single code."""
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

_REPORT = "Report it to the server's developer."

ERROR_CODES: tuple[ErrorCode, ...] = (
    ErrorCode(
        PARSE_ERROR,
        "Parse error",
        "The receiver could not parse the message as JSON.",
        "Check the sent bytes; if they are valid JSON, the receiver is at fault.",
    ),
    ErrorCode(
        INVALID_REQUEST,
        "Invalid request",
        "The JSON is not a valid request.",
        "Compare the request with the specification. Some servers require the call to run as a task.",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    ErrorCode(
        INVALID_REQUEST,
        "Invalid request",
        "The JSON is not a valid request.",
        "Compare the request with the specification.",
    ),
    ErrorCode(
        METHOD_NOT_FOUND,
        "Method not found",
        "The receiver does not support this method.",
        "Check the declared capabilities; the feature is probably missing.",
    ),
    ErrorCode(
        INVALID_PARAMS,
        "Invalid params",
        "Invalid parameters: unknown tool, prompt or resource, expired cursor, missing arguments or missing request metadata.",
        _CHECK_NAMES,
        since=V2026_07_28,
    ),
    ErrorCode(
        INVALID_PARAMS,
        "Invalid params",
        "Invalid parameters: unknown tool or prompt, expired cursor, missing arguments or, in initialize, an unsupported protocol revision.",
        _CHECK_NAMES,
    ),
    ErrorCode(
        INTERNAL_ERROR, "Internal error", "The receiver failed internally.", "Check the server log."
    ),
    ErrorCode(
        RESOURCE_NOT_FOUND,
        "Resource not found",
        "The resource does not exist.",
        _CHECK_URI,
        last=V2025_11_25,
    ),
    ErrorCode(
        RESOURCE_NOT_FOUND,
        "Resource not found (retired code)",
        "The resource does not exist; in this revision the code is -32602.",
        _CHECK_URI,
        since=V2026_07_28,
        allowed=False,
    ),
    ErrorCode(
        HEADER_MISMATCH,
        "Header mismatch",
        "HTTP headers are missing, malformed or inconsistent with the body.",
        Hint(
            "Refresh the tools list to rebuild the headers, then retry.",
            cli="Check how the server compares headers with the body. If its list of tools has changed, run this again.",
        ),
        since=V2026_07_28,
    ),
    ErrorCode(
        MISSING_CLIENT_CAPABILITY,
        "Missing client capability",
        "The request did not declare a required capability; see `data.requiredCapabilities`.",
        Hint(
            "Enable the capability on the Client page.",
            cli="Declare the capabilities that the error names with --declare NAMES, and answer the requests that follow with --answers.",
        ),
        since=V2026_07_28,
    ),
    ErrorCode(
        UNSUPPORTED_VERSION,
        "Unsupported protocol version",
        "The server does not support this protocol revision; see `data.supported`.",
        Hint(
            "Reconnect with a supported revision.",
            cli="Set --revision to one of those that `data.supported` lists.",
        ),
        since=V2026_07_28,
    ),
    ErrorCode(
        URL_ELICITATION_REQUIRED,
        "URL elicitation required",
        "A browser step is required first; see `data.elicitations`.",
        "Visit the URL, then retry.",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    ErrorCode(
        URL_ELICITATION_REQUIRED,
        "URL elicitation required (retired code)",
        "Retired code: this revision requests URL elicitation in the result.",
        _REPORT,
        since=V2026_07_28,
        allowed=False,
    ),
    ErrorCode(
        USER_REJECTED, "Rejected by the user", "The user rejected the request.", last=V2025_11_25
    ),
    ErrorCode(
        -32019,
        "Server-defined error",
        "Server-specific code; see the message.",
        "See the message and data of the error.",
        highest=-32000,
    ),
    ErrorCode(
        -32099,
        "Reserved code",
        "Reserved by the specification, without a defined meaning.",
        _REPORT,
        highest=-32020,
        since=V2026_07_28,
        allowed=False,
    ),
    ErrorCode(-32099, "Server-defined error", "Server-specific code.", highest=-32020),
    ErrorCode(
        -32768,
        "Reserved by JSON-RPC",
        "Reserved by JSON-RPC, without a defined meaning.",
        _REPORT,
        highest=-32100,
    ),
)
"""Rows in order of precedence: the first that covers a code in a revision applies."""

APPLICATION_ERROR = ErrorCode(0, "Application error", "Application-specific code.")
"""For every integer that no row covers."""

NOT_A_CODE = ErrorCode(
    0, "Not an error code", "The code is not an integer.", _REPORT, allowed=False
)
"""For a code that is not an integer."""


def explain(code: Json, revision: Revision | None = None) -> ErrorCode:
    """Return what `code` means in `revision`, or in the newest revision that has it."""
    if isinstance(code, bool) or not isinstance(code, int):
        return NOT_A_CODE
    return next((row for row in ERROR_CODES if row.covers(code, revision)), APPLICATION_ERROR)
