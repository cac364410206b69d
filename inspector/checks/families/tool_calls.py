"""Results and errors of calls: how a tool fails, and what its result holds.

Source: server/tools, "Error Handling", "Resource Links" and "Security Considerations"; schema, `CallToolResult`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.checks.families.key_formats import KEYS, keys_in
from inspector.checks.families.listing import quoted, text_of
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.error_codes import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    STATELESS_ERA_CODES,
    URL_ELICITATION_REQUIRED,
    USER_REJECTED,
)
from inspector.spec.findings import make_finding
from inspector.spec.json_types import format_value
from inspector.spec.pointer import join
from inspector.spec.refusal_texts import NOT_INITIALIZED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding
    from inspector.json_value import Json

LARGE_RESULT = 500_000
"""Characters of text and data of one result above which it is called very large."""

MAX_TEXT = 200_000
"""Characters of one text that are searched for secrets."""

_UNKNOWN_TOOL = re.compile(
    r"\btool\b.{0,80}(?:unknown|not found|no such|not exist|n't exist|unrecognized)"
    r"|(?:unknown|no such|unrecognized|not found).{0,20}\btool\b",
    re.IGNORECASE | re.DOTALL,
)
_OWN_CODES = {METHOD_NOT_FOUND, URL_ELICITATION_REQUIRED, USER_REJECTED, *STATELESS_ERA_CODES}
"""Codes that say something about the request and not about the tool."""

_EMPTY_TEXTS = frozenset(
    [
        "error",
        "failed",
        "failure",
        "internal error",
        "unknown error",
        "an error occurred",
        "false",
        "null",
        "none",
        "undefined",
        "exception",
    ]
)
"""Texts of errors that say nothing."""


def tool_of(message: ReceivedMessage) -> str:
    """Return the name of the tool that was called; empty if it is not known."""
    params = message.request_params()
    return text_of(params.get("name")) if isinstance(params, dict) else ""


def _is_listed_error(message: ReceivedMessage, history: History) -> bool:
    return tool_of(message) in history.tools


def check_argument_error(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about arguments that are refused by an error of the protocol."""
    del history
    error = message.error
    if error.get("code") == INVALID_PARAMS and not _UNKNOWN_TOOL.search(
        text_of(error.get("message"))[:500]
    ):
        text = f"invalid arguments of {quoted(tool_of(message))} should return a result with `isError`, not error {INVALID_PARAMS}"
        yield make_finding("L-TOOL-25", text, "/error/code", message.revision)


def check_tool_error(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a failure of a tool that is told by an error of the protocol."""
    del history
    code = message.error.get("code")
    if code == INVALID_PARAMS or not isinstance(code, int) or code in _OWN_CODES:
        return
    if re.search(NOT_INITIALIZED, text_of(message.error.get("message"))[:500]):
        return  # that is about the session
    text = f"a failure of {quoted(tool_of(message))} should return a result with `isError`, not error {format_value(code)}"
    yield make_finding("L-TOOL-26", text, "/error/code", message.revision)


def _is_error(message: ReceivedMessage, history: History) -> bool:
    del history
    return message.result.get("isError") is True


def check_error_text(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a tool error that says nothing."""
    del history
    found = message.blocks
    if any(block.get("type") != "text" for block in found):
        return
    texts = [text_of(block.get("text")).strip() for block in found]
    whole = " ".join(texts).strip(" .!:\n").lower()
    if not whole or whole in _EMPTY_TEXTS:
        saying = f"text is {quoted(whole)}" if whole else "has no text"
        text = f"the error {saying}, which does not explain what failed"
        yield make_finding("L-TOOL-28", text, "/result/content", message.revision)


def check_secrets(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding for each kind of key in a text of the result; the key itself is not quoted."""
    del history
    content = message.result.get("content")
    for index, block in enumerate(content if isinstance(content, list) else ()):
        text = _text_in(block)[:MAX_TEXT]
        for kind, size in keys_in(text, KEYS):
            summary = f"the text contains what looks like a key: {kind}, {size} characters"
            pointer = join("/result/content", index)
            yield make_finding("L-TOOL-45", summary, pointer, message.revision)


def _text_in(block: Json) -> str:
    if not isinstance(block, dict):
        return ""
    resource = block.get("resource")
    inner = resource.get("text") if isinstance(resource, dict) else None
    return text_of(block.get("text")) or text_of(inner)


def _has_content(message: ReceivedMessage, history: History) -> bool:
    del history
    return bool(message.blocks)


def check_large_result(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a result that no model can take."""
    del history
    size = sum(len(_text_in(block)) + len(text_of(block.get("data"))) for block in message.blocks)
    if size > LARGE_RESULT:
        text = f"the content has {size:,} characters"
        yield make_finding("L-TOOL-46", text, "/result/content", message.revision)


def check_link(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a resource that a tool linked to and that cannot be read."""
    params = message.request_params()
    uri = text_of(params.get("uri")) if isinstance(params, dict) else ""
    frame = history.linked_resources.get(uri)
    assert frame is not None
    text = f"the result in #{frame} links to {quoted(uri)}, but reading it returns an error"
    yield make_finding("L-TOOL-47", text, "/error", message.revision)


def _is_linked(message: ReceivedMessage, history: History) -> bool:
    params = message.request_params()
    uri = params.get("uri") if isinstance(params, dict) else None
    return isinstance(uri, str) and uri in history.linked_resources


_RESULT, _ERROR = (On(Subject.RESULT, "tools/call"),), (On(Subject.ERROR, "tools/call"),)

RULES = (
    Rule(
        "L-TOOL-25",
        Severity.WARNING,
        "tools",
        "invalid arguments as a protocol error",
        why="Many clients do not pass protocol errors to the model, which then cannot correct its arguments.",
        hint="Return a result with `isError: true` and a text that names the argument and what is allowed.",
        section="Error Handling",
        level="RULE",
        since=4,
        on=_ERROR,
        check=check_argument_error,
        when=_is_listed_error,
    ),
    Rule(
        "L-TOOL-26",
        Severity.WARNING,
        "tools",
        "tool failure as a protocol error",
        why="Many clients do not pass protocol errors to the model, which then cannot try another way.",
        hint="Return a result with `isError: true` and a text that describes what failed.",
        section="Error Handling",
        level="SHOULD",
        on=_ERROR,
        check=check_tool_error,
        when=_is_listed_error,
    ),
    Rule(
        "L-TOOL-28",
        Severity.INFO,
        "tools",
        "tool error without a reason",
        why="The model repeats the call, because it does not learn what was wrong.",
        hint="Describe in the text what failed and what to do instead.",
        section="Error Handling",
        level="quality",
        on=_RESULT,
        check=check_error_text,
        members=("isError",),
        when=_is_error,
    ),
    Rule(
        "L-TOOL-45",
        Severity.WARNING,
        "tools",
        "secret key in a result",
        why="Tool results go to the model and its provider, and into logs.",
        hint="Remove keys and tokens from what the tool returns.",
        section="Security Considerations",
        level="MUST",
        on=_RESULT,
        check=check_secrets,
        when=_has_content,
    ),
    Rule(
        "L-TOOL-46",
        Severity.INFO,
        "tools",
        "very large result",
        why="Clients truncate it or write it to a file, and the model sees only a part.",
        hint="Return a page and a cursor, or a link to a resource.",
        level="quality",
        on=_RESULT,
        check=check_large_result,
        when=_has_content,
    ),
    Rule(
        "L-TOOL-47",
        Severity.INFO,
        "tools",
        "linked resource that cannot be read",
        why="The model cannot get the linked content.",
        hint="Serve linked resources through `resources/read`, or embed them.",
        section="Resource Links",
        level="quality",
        since=3,
        on=(On(Subject.ERROR, "resources/read"),),
        check=check_link,
        when=_is_linked,
    ),
)
