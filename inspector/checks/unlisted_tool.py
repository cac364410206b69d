"""Calls of tools that are not in the list of the server, and what the server makes of them. Pure.

Source: server/tools, "Error Handling" (protocol errors are for "unknown tools"; its example has code -32602); L-TOOL-27.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.finding import Finding, Severity
from inspector.spec.capabilities import meant
from inspector.spec.error_codes import INVALID_PARAMS
from inspector.spec.json_types import format_value
from inspector.spec.spec_urls import link
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

UNLISTED, RULE = "unlisted-tool", "L-TOOL-27"

MAX_NAME = 60
"""Characters of a name in the words of a finding."""

MAX_MESSAGE = 500
"""Characters of the message of an error that are looked at."""

_UNKNOWN = re.compile(r"unknown|not found|no such|not exist|n't exist|unrecognized", re.IGNORECASE)


def of_call(name: str, revision: Revision) -> tuple[Finding, ...]:
    """Return the finding about a request that calls the tool `name`, which is not listed; empty for a listed tool."""
    if not name:
        return ()
    text = f"the latest tools/list has no tool {_quoted(name)}"
    return (Finding(UNLISTED, Severity.WARNING, text, "/params/name", _page(revision)),)


def of_result(name: str, result: JsonObject, revision: Revision) -> tuple[Finding, ...]:
    """Return the finding about a result with `isError` for the tool `name`, which is not listed."""
    if not name or not meant(result.get("isError")):
        return ()
    text = f"if there is no tool {_quoted(name)}, its call must be answered with error {INVALID_PARAMS}, not with `isError`"
    return (Finding(RULE, Severity.WARNING, text, "/result/isError", _page(revision)),)


def of_error(name: str, error: Json, revision: Revision) -> tuple[Finding, ...]:
    """Return the finding about an error that says in another code that the tool `name` is unknown."""
    if not name or not isinstance(error, dict) or error.get("code") == INVALID_PARAMS:
        return ()
    message = error.get("message")
    if not isinstance(message, str) or not _UNKNOWN.search(message[:MAX_MESSAGE]):
        return ()
    text = (
        f"that a tool is unknown is error {INVALID_PARAMS}, not {format_value(error.get('code'))}"
    )
    return (Finding(RULE, Severity.WARNING, text, "/error/code", _page(revision)),)


def _quoted(name: str) -> str:
    return f"“{one_line(name, MAX_NAME)}”"


def _page(revision: Revision) -> str:
    return link("tools", revision, "Error Handling")
