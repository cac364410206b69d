"""Failures of connecting whose cause is in the settings of the connection, so that the next attempt fails as well. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.session.diagnostics import known_mistakes
from inspector.session.diagnostics.exit_causes import EXIT_CAUSES
from inspector.session.error_responses import http_of

if TYPE_CHECKING:
    from inspector.errors import InspectorError

TABLES = (
    EXIT_CAUSES,
    known_mistakes.QUESTIONS,
    known_mistakes.STDERR_OBSTACLES,
    known_mistakes.RUNS_INPUT,
)

NAMES = frozenset(
    {
        # The command
        *("no-command", "no-file", "no-script", "no-executable", "no-package", "no-project"),
        *("no-repository", "no-main", "main-class", "foreign-path", "bash-script", "sudo", "conda"),
        *("no-image", "no-environment", "container-name", "mount", "shell", "inspector"),
        *("interpreter", "stdin-as-source", "debugger", "listens-on-http"),
        # Its arguments
        *("missing-arguments", "usage", "program-permission", "bridge", "no-terminal", "prompt"),
        *("npm-prompt", "npx-confirmation", "selection"),
        # Its environment
        *(
            "variable-missing",
            "variable-invalid",
            "credentials-rejected",
            "node-options",
            "no-display",
        ),
    }
)
"""Names of well-known mistakes."""

_HINTS = frozenset(cause.hint for table in TABLES for _, cause in table if cause.name in NAMES)

_STATUSES = frozenset({404, 405, 410, 418})
"""HTTP statuses of a URL at which there is no MCP server, unless the response names another cause."""


def is_of_settings(failure: InspectorError) -> bool:
    """Whether the settings of the connection have to change before it can succeed, as far as the cause is known."""
    http = http_of(failure)
    has_wrong_url = http is not None and http.status in _STATUSES and not http.is_named
    return failure.is_of_settings or has_wrong_url or failure.hint in _HINTS
