"""Errors of reading resources: which code says what.

Source: server/resources, "Error Handling".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.checks.families.listing import quoted, text_of
from inspector.checks.families.resources import is_listed, uri_read
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.error_codes import INTERNAL_ERROR, INVALID_PARAMS, RESOURCE_NOT_FOUND
from inspector.spec.findings import make_finding
from inspector.spec.json_types import format_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding

_IS_MISSING = r"(?:not found|unknown(?! error)|no such|not exist|n't exist|ENOENT|missing)"
_MISSING = re.compile(
    rf"\bresource\b[^.;:]{{0,60}}:?\s*{_IS_MISSING}|{_IS_MISSING}[^.;]{{0,60}}\bresource\b",
    re.IGNORECASE,
)
"""That the resource is missing, and not a host or a table that the server needs to read it."""

_INTERNAL = re.compile(
    r"internal (?:server )?error|traceback|unexpected error|exception", re.IGNORECASE
)


def check_missing_code(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a missing resource that is answered by another code than the revision says; a code that it retired is L-JR-26."""
    del history
    code, expected = message.error.get("code"), message.revision.resource_not_found_code
    is_must = expected == INVALID_PARAMS
    if code != expected and not (is_must and code == RESOURCE_NOT_FOUND):
        rule, verb = ("L-RES-08", "must") if is_must else ("L-RES-09", "should")
        text = f"a missing resource {verb} return error {expected}, not {format_value(code)}"
        yield make_finding(rule, text, "/error/code", message.revision)


def _is_missing(message: ReceivedMessage, history: History) -> bool:
    del history
    text, uri = text_of(message.error.get("message"))[:500], uri_read(message)
    return _MISSING.search(text.replace(uri, "resource") if uri else text) is not None


def check_missing_data(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a missing resource whose error does not name it."""
    del history
    data = message.error.get("data")
    if message.error.get("code") == INVALID_PARAMS and not (
        isinstance(data, dict) and isinstance(data.get("uri"), str)
    ):
        yield make_finding(
            "L-RES-11",
            "the error should have the URI of the resource in `data.uri`",
            "/error",
            message.revision,
        )


def check_unreadable(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a listed resource that cannot be read."""
    del history
    text = f"{quoted(uri_read(message))} is listed, but reading it returns an error"
    yield make_finding("L-RES-13", text, "/error", message.revision)


def check_internal(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about an internal failure with another code."""
    del history
    if message.code not in {INTERNAL_ERROR, RESOURCE_NOT_FOUND}:
        code = format_value(message.error.get("code"))
        text = f"an internal failure should return error {INTERNAL_ERROR}, not {code}"
        yield make_finding("L-RES-20", text, "/error/code", message.revision)


def _is_internal(message: ReceivedMessage, history: History) -> bool:
    text = text_of(message.error.get("message"))[:500]
    return _INTERNAL.search(text) is not None and not _is_missing(message, history)


_ERROR = (On(Subject.ERROR, "resources/read"),)

RULES = (
    Rule(
        "L-RES-08",
        Severity.ERROR,
        "resources",
        "missing resource without error -32602",
        why="Clients that check the code mistake a missing resource for a failure of the server.",
        hint="Return error -32602 with the URI in `data.uri`.",
        section="Error Handling",
        level="MUST",
        since=5,
        on=_ERROR,
        check=check_missing_code,
        when=_is_missing,
    ),
    Rule(
        "L-RES-09",
        Severity.INFO,
        "resources",
        "missing resource without error -32002",
        why="Clients that check the code mistake a missing resource for a failure of the server.",
        hint="Return error -32002 with the URI in `data.uri`.",
        python="In version 1, raise `McpError(ErrorData(code=-32002, message=…))` in a handler of the low-level `Server`; `FastMCP` sends code 0 for every exception. `MCPServer` of version 2 sends -32602; raise `MCPError(-32002, …)` in the function.",
        typescript="In version 1, throw `new McpError(-32002, …)`, since `McpServer` itself throws -32602; version 2 sends -32602 in every revision.",
        section="Error Handling",
        level="SHOULD",
        until=4,
        on=_ERROR,
        check=check_missing_code,
        when=_is_missing,
    ),
    Rule(
        "L-RES-11",
        Severity.WARNING,
        "resources",
        "error for a missing resource without its URI",
        why="Clients cannot show which resource is missing.",
        hint="Put the URI into `data.uri` of the error.",
        section="Error Handling",
        level="SHOULD",
        since=5,
        on=_ERROR,
        check=check_missing_data,
        when=_is_missing,
    ),
    Rule(
        "L-RES-13",
        Severity.INFO,
        "resources",
        "listed resource that cannot be read",
        why="Users select it from the list, and get an error.",
        hint="List only resources that can be read, or explain in the error what is missing.",
        level="quality",
        on=_ERROR,
        check=check_unreadable,
        when=is_listed,
    ),
    Rule(
        "L-RES-20",
        Severity.WARNING,
        "resources",
        "internal failure without error -32603",
        why="Clients that check the code blame the request for a failure of the server.",
        hint="Return error -32603 for internal failures.",
        section="Error Handling",
        level="SHOULD",
        on=_ERROR,
        check=check_internal,
        when=_is_internal,
    ),
)
