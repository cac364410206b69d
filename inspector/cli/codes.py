"""The exit codes, beside `options.USAGE` and 128 plus the number of a signal."""

from __future__ import annotations

FINE = 0

NOT_CONNECTED = 2
"""The server could not be reached, or there was no agreement with it."""

REFUSED = 3
"""The server answered with an error, or not at all."""

TOOL_ERROR = 4
"""The tool reported an error."""
