"""What servers say when they refuse a request because a session, the handshake or a revision is missing. Patterns, compiled when they are needed."""

from __future__ import annotations

_CLAUSE = r"(?:\A|[:.;]\s+|\"(?:message|error|detail|title)\":\s*\")(?:the |this |an? |mcp )*"
_SUBJECT = r"(?:server|session|client|connection|protocol)(?: is| was| has)?"
_BARE = r"\A(?:(?:bad|invalid) request: |(?:mcp )?error(?: -?\d+)?: )*"

NOT_INITIALIZED = (
    rf"(?i)(?:{_CLAUSE}{_SUBJECT} |{_BARE})(?:not (?:yet )?(?:been )?initiali[sz]ed|uninitiali[sz]ed)\b"
    rf"|(?:{_CLAUSE}(?:{_SUBJECT} )?|{_BARE})initiali[sz]ation (?:was |is )?(?:not |in)-?complete"
    r"|\brequests?\b[^\n]{0,30}\bbefore (?:the )?(?:server |session )?initiali[sz]"
    r"|\bunexpected message, expect(?:ed)? (?:an )?initiali[sz]e request\b"  # the Rust SDK, with HTTP 422
    r"|\bis invalid during session initiali[sz]ation\b"  # the Go SDK, with HTTP 200
)
"""What a server says of itself; a database that is not initialized is something else."""

ALREADY_INITIALIZED = rf"(?i)(?:{_CLAUSE}{_SUBJECT} |{_BARE})already (?:been )?initiali[sz]ed\b"

SESSION_ERROR = (
    rf"(?i)\bmcp-session-id\b|{_CLAUSE}(?:(?:missing|no|invalid|unknown)(?:,? (?:or|valid|active|such|missing|invalid|unknown|expired)){{0,3}} session\b"
    r"|session\b[^\n]{0,40}\b(?:required|missing|provided|not found|unknown|invalid)\b)"
)
"""What a server says that misses a session; a browser session that a tool misses is something else."""

OF_REVISION = r"(?i)\bprotocol[ -_]?version\b"
"""What a server of the other era says about the header of the revision."""
