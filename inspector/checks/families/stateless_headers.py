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
        text = (
            f"{problem}; the request must be refused with error {HEADER_MISMATCH}, and got a result"
        )
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
        return f"`{HEADER_METHOD}` says {one_line(method, 60)!r}, the body {one_line(message.method, 60)!r}"
    version = sent.get(VERSION)
    if version is None:
        return ""  # L-MOD-22
    params = message.request_params() if version != message.revision.date else None
    agreed = meta_of(params).get(META_PROTOCOL_VERSION) if params is not None else version
    return (
        f"the revision of the header is {version[:40]!r}, that of the body is another"
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
            text = f"`{name}` says its value in base64, as it must, and is refused"
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
            text = f"`{HEADER_PARAM_PREFIX}{each.header}` is missed, and the argument was not given"
            yield make_finding("L-MOD-08", text, "/error", message.revision)


def _names_parameter(message: ReceivedMessage, history: History) -> bool:
    is_mismatch = is_code(HEADER_MISMATCH)(message, history)
    return is_mismatch and _PARAM.search(text_of(message)) is not None


def check_missing_version(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a request without the version header got a result."""
    del history
    text = f"a request without `{VERSION}` got a result; only a server for revisions without that header may accept it"
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
        why="Proxies route and limit by headers; whoever sends others gets past them.",
        hint="Refuse a request whose headers are missing or differ from the body with error -32020.",
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
        "header value in base64 refused",
        why="Calls whose names or arguments are not plain ASCII always fail.",
        hint="Decode values of the form `=?base64?…?=` before they are compared.",
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
        "header of an absent argument expected",
        why="Calls without an optional argument always fail.",
        hint="Expect a parameter header only for an argument that is given and not null.",
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
        "numeric header compared as text",
        why="Calls fail where a client writes the same number in another way.",
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
        "header names compared by case",
        why="Clients and proxies write header names in lower case, as HTTP/2 requires, and are refused.",
        hint="Compare header names without regard to case.",
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
        why="What a proxy reads and what the server does are not the same.",
        hint="Refuse a parameter header with characters that are not allowed with error -32020.",
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
        why="Server and client may go by different revisions, unnoticed.",
        hint="Refuse a POST without `MCP-Protocol-Version` unless revisions without it are served.",
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
