"""Exit codes. A signal ends with 128 plus its number."""

from __future__ import annotations

SUCCESS = 0

USAGE = 1
"""The command line, or a file that it names, cannot be used."""

NOT_CONNECTED = 2
"""The server could not be reached, or no revision was agreed on."""

ERROR_RESPONSE = 3
"""The server responded with an error, or not at all; with `auth`, it breaks a rule with MUST."""

TOOL_ERROR = 4
"""The tool reported an error."""

UNAUTHORIZED = 5
"""The server requires authorization (HTTP 401, or 403 for a missing scope), or logging in failed."""

NOT_CONFIRMED = 6
"""The revision of `--revision` was used, and the server did not confirm it."""

PROBLEMS = 7
"""Everything worked, and with `--strict` a problem was found."""

NO_OUTPUT = 8
"""Standard output could not be written."""
