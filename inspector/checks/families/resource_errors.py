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
    """Yield a finding about a missing resource that is answered by another code than the revision says."""
    del history
    code, expected = message.error.get("code"), message.revision.resource_not_found_code
    if code != expected:
        rule = "L-RES-08" if expected == INVALID_PARAMS else "L-RES-09"
        text = f"that a resource is missing is error {expected}, not {format_value(code)}"
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
            "L-RES-11", "the error does not name the URI in `data.uri`", "/error", message.revision
        )


def check_unreadable(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a listed resource that cannot be read."""
    del history
    text = f"{quoted(uri_read(message))} is listed, and cannot be read"
    yield make_finding("L-RES-13", text, "/error", message.revision)


def check_internal(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about an internal failure with another code."""
    del history
    if message.code not in {INTERNAL_ERROR, RESOURCE_NOT_FOUND}:
        code = format_value(message.error.get("code"))
        text = f"an internal failure is error {INTERNAL_ERROR}, not {code}"
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
        "missing resource answered by another code",
        why="Clients that go by the code take a missing resource for a failure of the server.",
        hint="Answer with error -32602 and the URI in `data.uri`.",
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
        "missing resource answered by another code",
        why="Clients that go by the code take a missing resource for a failure of the server.",
        hint="Answer with error -32002 and the URI in `data.uri`.",
        python="Raise `McpError(ErrorData(code=-32002, message=…))`, in version 2 `MCPError(-32002, …)`; in version 1 other exceptions get code 0.",
        typescript="Throw `new McpError(-32002, …)`; the SDK itself throws -32602.",
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
        "error of a missing resource does not name it",
        why="Clients with several reads under way cannot tell users which resource is missing.",
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
        why="Users choose it from the list, and get an error.",
        hint="List what can be read, or say in the error what is missing.",
        level="quality",
        on=_ERROR,
        check=check_unreadable,
        when=is_listed,
    ),
    Rule(
        "L-RES-20",
        Severity.WARNING,
        "resources",
        "internal failure with another code",
        why="Clients that go by the code blame the request for what failed in the server.",
        hint="Answer internal failures with error -32603.",
        section="Error Handling",
        level="SHOULD",
        on=_ERROR,
        check=check_internal,
        when=_is_internal,
    ),
)
