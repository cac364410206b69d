"""Headers that repeat the message: those that differ from it, those in base64, and those of arguments.

Source: basic/transports/streamable-http, "Server Validation", "Value Encoding" and "Custom Headers from Tool Parameters".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.checks.families.http_streams import exchange_of
from inspector.checks.families.stateless_http import is_code, meta_of, text_of
from inspector.checks.http_history import VERSION
from inspector.finding import Severity
from inspector.rules.rule import HTTP_ONLY, Kind, On, Rule, Subject
from inspector.spec.error_codes import (
    HEADER_MISMATCH,
)
from inspector.spec.findings import make_finding
from inspector.spec.keys import (
    HEADER_METHOD,
    HEADER_PARAM_PREFIX,
    META_PROTOCOL_VERSION,
)
from inspector.spec.mirrored_headers import annotated, decode, value_at
from inspector.spec.revision import find
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.http_exchanges import Exchange
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding

_PARAM = re.compile(r"mcp-param-([a-z0-9!#$%&'*+.^_`|~-]+)", re.IGNORECASE)


def check_headers(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a request whose headers and body differ got a result."""
    exchange = exchange_of(message, history)
    problem = _problem_of(message, exchange) if exchange is not None else ""
    if problem:
        text = f"{problem}; the request must be rejected with error {HEADER_MISMATCH}, but got a result"
        yield make_finding("L-MOD-06", text, "/result", message.revision)


def _has_wrong_headers(message: ReceivedMessage, history: History) -> bool:
    exchange = exchange_of(message, history)
    return exchange is not None and bool(_problem_of(message, exchange))


def _problem_of(message: ReceivedMessage, exchange: Exchange) -> str:
    """Return how the headers of a request differ from its body, as far as every server can tell; empty if they do not."""
    sent = exchange.sent
    if not sent or exchange.verb != "POST":
        return ""
    method = sent.get(HEADER_METHOD.lower())
    if method is None:
        return f"the request has no `{HEADER_METHOD}`"
    if method != message.method:
        return f"`{HEADER_METHOD}` is “{one_line(method, 60)}”, but the method in the body is “{one_line(message.method, 60)}”"
    version = sent.get(VERSION)
    if version is None:
        return ""  # L-MOD-22
    params = message.request_params() if version != message.revision.date else None
    agreed = meta_of(params).get(META_PROTOCOL_VERSION) if params is not None else version
    return (
        f"`{VERSION}` is “{one_line(version, 40)}”, but the revision in the body is another"
        if agreed != version
        else ""
    )


def check_encoded(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a header in base64 is refused."""
    exchange = exchange_of(message, history)
    for name, value in (exchange.sent if exchange is not None else {}).items():
        is_encoded = name.startswith("mcp-") and decode(value) != value
        if is_encoded and (
            name in text_of(message).lower() or "mcp-" not in text_of(message).lower()
        ):
            text = f"the correct base64 value of `{one_line(name, 60)}` was rejected"
            yield make_finding("L-MOD-07", text, "/error", message.revision)
            return


def _has_encoded(message: ReceivedMessage, history: History) -> bool:
    exchange = exchange_of(message, history)
    sent = exchange.sent if exchange is not None else {}
    is_encoded = any(name.startswith("mcp-") and decode(v) != v for name, v in sent.items())
    return is_code(HEADER_MISMATCH)(message, history) and is_encoded


def check_omitted(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that the server misses the header of an argument that was not given."""
    named = _PARAM.search(text_of(message))
    params = message.request_params()
    whole = history.lists.get("tools/list")
    if named is None or whole is None or not isinstance(params, dict):
        return
    tools = (item.value for item in whole.items if isinstance(item.value, dict))
    tool = next((each for each in tools if each.get("name") == params.get("name")), None)
    for each in annotated(tool.get("inputSchema") if tool is not None else None).valid:
        is_it = each.header.lower() == named[1].lower().rstrip(".'`")
        if is_it and value_at(params.get("arguments"), each) is None:
            text = f"`{HEADER_PARAM_PREFIX}{one_line(each.header, 60)}` is required, although the argument was not given"
            yield make_finding("L-MOD-08", text, "/error", message.revision)


def _names_parameter(message: ReceivedMessage, history: History) -> bool:
    is_mismatch = is_code(HEADER_MISMATCH)(message, history)
    return is_mismatch and _PARAM.search(text_of(message)) is not None


def check_missing_version(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a request without the version header got a result."""
    del history
    text = f"a request without `{VERSION}` got a result, although the server supports no revision without that header"
    yield make_finding("L-MOD-22", text, "/result", message.revision)


def _lacks_version(message: ReceivedMessage, history: History) -> bool:
    exchange = exchange_of(message, history)
    known = [each for each in map(find, history.supported_versions) if each is not None]
    is_sent = exchange is None or not exchange.sent or VERSION in exchange.sent
    return not is_sent and bool(known) and all(each.has_version_header for each in known)


_VALIDATION, _CUSTOM = "Server Validation", "Custom Headers from Tool Parameters"
_ON_ERROR, _ON_RESULT = On(Subject.ERROR), On(Subject.RESULT)

RULES = (
    Rule(
        "L-MOD-06",
        Severity.ERROR,
        "http",
        "headers that differ from the body accepted",
        why="Proxies route and limit by headers, and a request with other headers bypasses them.",
        hint="Reject a request with missing or different headers with error -32020.",
        section=_VALIDATION,
        level="MUST",
        since=5,
        transports=HTTP_ONLY,
        kind=Kind.ACTIVE,
        on=(_ON_RESULT,),
        check=check_headers,
        when=_has_wrong_headers,
    ),
    Rule(
        "L-MOD-07",
        Severity.ERROR,
        "http",
        "base64 header value rejected",
        why="Calls with names or arguments outside plain ASCII always fail.",
        hint="Decode values of the form `=?base64?…?=` before you compare them.",
        section="Value Encoding",
        level="MUST",
        since=5,
        transports=HTTP_ONLY,
        on=(_ON_ERROR,),
        check=check_encoded,
        when=_has_encoded,
    ),
    Rule(
        "L-MOD-08",
        Severity.ERROR,
        "http",
        "header required for an absent argument",
        why="Calls without an optional argument always fail.",
        hint="Require a parameter header only if the argument is given and not null.",
        section=_CUSTOM,
        level="MUST NOT",
        since=5,
        transports=HTTP_ONLY,
        on=(On(Subject.ERROR, "tools/call"),),
        check=check_omitted,
        when=_names_parameter,
    ),
    Rule(
        "L-MOD-10",
        Severity.WARNING,
        "http",
        "numeric header compared as a string",
        why="Calls fail if a client writes the same number differently.",
        hint="Compare numeric parameter headers with the body as numbers.",
        section=_VALIDATION,
        level="SHOULD",
        since=5,
        transports=HTTP_ONLY,
        kind=Kind.ACTIVE,
        on=(On(Subject.ERROR, "tools/call"),),
    ),
    Rule(
        "L-MOD-17",
        Severity.ERROR,
        "http",
        "header names compared case-sensitively",
        why="Clients and proxies send header names in lower case, as HTTP/2 requires, and are rejected.",
        hint="Ignore case when you compare header names.",
        section="Case Sensitivity",
        level="MUST",
        since=5,
        transports=HTTP_ONLY,
        kind=Kind.ACTIVE,
        on=(_ON_ERROR,),
    ),
    Rule(
        "L-MOD-20",
        Severity.ERROR,
        "http",
        "parameter header with illegal characters accepted",
        why="A proxy and the server may read different values.",
        hint="Reject a parameter header with invalid characters with error -32020.",
        section="Server Behavior for Custom Headers",
        level="MUST",
        since=5,
        transports=HTTP_ONLY,
        kind=Kind.ACTIVE,
        on=(On(Subject.RESULT, "tools/call"),),
    ),
    Rule(
        "L-MOD-22",
        Severity.WARNING,
        "http",
        "request without the version header accepted",
        why="Client and server may use different revisions without notice.",
        hint="Reject a POST without `MCP-Protocol-Version`, unless the server supports revisions without it.",
        section="Protocol Version Header",
        level="quality",
        since=5,
        transports=HTTP_ONLY,
        kind=Kind.ACTIVE,
        on=(_ON_RESULT,),
        check=check_missing_version,
        when=_lacks_version,
    ),
)
