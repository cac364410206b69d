"""Streamable HTTP without sessions: statuses of errors, and what was removed.

Source: basic/transports/streamable-http; basic, "Error Codes".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.families.http import BAD_REQUEST, NOT_ALLOWED, NOT_FOUND, is_of_request
from inspector.checks.families.http_streams import exchange_of
from inspector.checks.http_exchanges import JSON, STREAM
from inspector.checks.http_history import SESSION, VERSION
from inspector.checks.seen import ReceivedMessage
from inspector.finding import Severity
from inspector.rules.rule import HTTP_ONLY, On, Rule, Subject
from inspector.spec.error_codes import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MISSING_CLIENT_CAPABILITY,
    UNSUPPORTED_VERSION,
)
from inspector.spec.findings import make_finding
from inspector.spec.keys import (
    META,
    META_PROTOCOL_VERSION,
)
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.checks.history import History
    from inspector.checks.http_exchanges import HttpFrame
    from inspector.finding import Finding
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json

_REMOVED = ("ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe")
"""Methods that the stateless revisions have no more."""

MAX_ERROR_LENGTH = 500
"""Characters of an error message that are searched."""


def _code(message: ReceivedMessage) -> int | None:
    code = message.error.get("code")
    return code if isinstance(code, int) and not isinstance(code, bool) else None


def text_of(message: ReceivedMessage) -> str:
    """Return the beginning of the text of an error."""
    text = message.error.get("message")
    return text[:MAX_ERROR_LENGTH] if isinstance(text, str) else ""


def is_code(code: int) -> Callable[[ReceivedMessage, History], bool]:
    """Return whether an error that came over HTTP has that code."""
    return lambda message, _: message.stream > 0 and _code(message) == code


def _check_status(
    rule: str, code: int, status: int
) -> Callable[[ReceivedMessage, History], Iterator[Finding]]:
    """Return a function that finds an error of that code with another status."""

    def check(message: ReceivedMessage, history: History) -> Iterator[Finding]:
        exchange = exchange_of(message, history)
        if exchange is not None and exchange.status not in {0, status}:
            text = f"error {code} must be sent with HTTP {status}, not {exchange.status}"
            yield make_finding(rule, text, "/error/code", message.revision)

    return check


def _lacks_meta(message: ReceivedMessage, history: History) -> bool:
    """Whether it refuses a request that did not say its revision in `_meta`."""
    if not is_code(INVALID_PARAMS)(message, history):
        return False
    return not isinstance(meta_of(message.request_params()).get(META_PROTOCOL_VERSION), str)


def meta_of(params: Json) -> dict[str, Json]:
    """Return `_meta` of params; an empty object for none."""
    meta = params.get(META) if isinstance(params, dict) else None
    return meta if isinstance(meta, dict) else {}


def check_other_verb(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that GET or DELETE is not answered by 405."""
    del history
    status = frame.exchange.status
    if status != NOT_ALLOWED:
        text = f"{frame.exchange.verb} should return HTTP 405 in this revision, not {status}"
        yield make_finding("L-MOD-11", text, "", frame.revision)


def _is_other_verb(frame: HttpFrame, history: History) -> bool:
    """Whether it is of this revision: a server that also serves earlier ones takes a request without a revision for one of those."""
    del history
    is_other = frame.exchange.verb in {"GET", "DELETE"} and frame.exchange.status not in {401, 403}
    sent = frame.exchange.sent
    return is_other and SESSION not in sent and sent.get(VERSION) == frame.revision.date


def check_session(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that the server names a session in a revision without any, once."""
    is_named = SESSION in frame.exchange.received
    if is_named and frame.method != "initialize" and history.is_first("L-MOD-12"):
        text = "the response has `Mcp-Session-Id`, but this revision has no sessions"
        yield make_finding("L-MOD-12", text, "", frame.revision)


def is_removed(method: str, revision: Revision) -> bool:
    """Whether a revision no longer has a method that earlier ones have."""
    return not revision.stateful and method in _REMOVED


def check_removed(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a method that was removed is served, or refused with another code."""
    del history
    code = _code(message)
    if message.kind is MessageKind.RESPONSE:
        text = f"`{message.method}` was removed in this revision, but got a result"
        yield make_finding("L-MOD-19", text, "/result", message.revision)
    elif code not in {METHOD_NOT_FOUND, HEADER_MISMATCH, UNSUPPORTED_VERSION}:
        text = f"`{message.method}` was removed in this revision and must be rejected with error {METHOD_NOT_FOUND}, not {code}"
        yield make_finding("L-MOD-19", text, "/error/code", message.revision)


def check_unmapped_page(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that 404 comes without the JSON-RPC error that tells what is not found."""
    if frame.exchange.status == NOT_FOUND and history.http.has_responded:
        text = f"HTTP 404 must have the JSON-RPC error {METHOD_NOT_FOUND} in its body"
        yield make_finding("L-MOD-04", text, "", frame.revision)


def _is_without_json(frame: HttpFrame, history: History) -> bool:
    is_refused = is_of_request(frame, history) and frame.exchange.status == NOT_FOUND
    return is_refused and frame.exchange.media_type not in {JSON, STREAM}


def check_not_found(seen: ReceivedMessage | HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that an unknown method and HTTP 404 do not go together."""
    if isinstance(seen, ReceivedMessage):
        yield from _check_status("L-MOD-04", METHOD_NOT_FOUND, NOT_FOUND)(seen, history)
    else:
        yield from check_unmapped_page(seen, history)


def _is_not_found(seen: ReceivedMessage | HttpFrame, history: History) -> bool:
    if isinstance(seen, ReceivedMessage):
        return is_code(METHOD_NOT_FOUND)(seen, history)
    return _is_without_json(seen, history)


_VALIDATION, _VERSIONS = "Server Validation", "Protocol Version Header"
_EARLIER = "Earlier Streamable HTTP Revisions"
_ON_ERROR, _ON_HEADERS = On(Subject.ERROR), On(Subject.HTTP)

RULES = (
    Rule(
        "L-MOD-01",
        Severity.ERROR,
        "http",
        "error -32022 without HTTP 400",
        why="Clients that check the status do not try another revision.",
        hint="Send error -32022 with HTTP 400.",
        section=_VERSIONS,
        level="MUST",
        since=5,
        transports=HTTP_ONLY,
        on=(_ON_ERROR,),
        check=_check_status("L-MOD-01", UNSUPPORTED_VERSION, BAD_REQUEST),
        when=is_code(UNSUPPORTED_VERSION),
    ),
    Rule(
        "L-MOD-02",
        Severity.ERROR,
        "meta",
        "error -32021 without HTTP 400",
        why="Clients and proxies that check the status treat the rejection as a result.",
        hint="Send error -32021 with HTTP 400.",
        section="_meta",
        level="MUST",
        since=5,
        transports=HTTP_ONLY,
        on=(_ON_ERROR,),
        check=_check_status("L-MOD-02", MISSING_CLIENT_CAPABILITY, BAD_REQUEST),
        when=is_code(MISSING_CLIENT_CAPABILITY),
    ),
    Rule(
        "L-MOD-03",
        Severity.ERROR,
        "http",
        "error -32020 without HTTP 400",
        why="Clients that check the status do not rebuild their headers.",
        hint="Send error -32020 with HTTP 400.",
        section=_VALIDATION,
        level="MUST",
        since=5,
        transports=HTTP_ONLY,
        on=(_ON_ERROR,),
        check=_check_status("L-MOD-03", HEADER_MISMATCH, BAD_REQUEST),
        when=is_code(HEADER_MISMATCH),
    ),
    Rule(
        "L-MOD-04",
        Severity.ERROR,
        "http",
        "error -32601 without HTTP 404, or the reverse",
        why="Clients distinguish an unknown method from a wrong URL by status and body.",
        hint="Send error -32601 with HTTP 404, and HTTP 404 with a JSON-RPC error.",
        section=_VERSIONS,
        level="MUST",
        since=5,
        transports=HTTP_ONLY,
        on=(_ON_ERROR, _ON_HEADERS),
        check=check_not_found,
        when=_is_not_found,
    ),
    Rule(
        "L-MOD-05",
        Severity.ERROR,
        "meta",
        "missing _meta rejected without HTTP 400",
        why="Clients and proxies that check the status treat the rejection as a result.",
        hint="Send error -32602 for missing `_meta` with HTTP 400.",
        section="_meta",
        level="MUST",
        since=5,
        transports=HTTP_ONLY,
        on=(_ON_ERROR,),
        check=_check_status("L-MOD-05", INVALID_PARAMS, BAD_REQUEST),
        when=_lacks_meta,
    ),
    Rule(
        "L-MOD-11",
        Severity.WARNING,
        "http",
        "GET or DELETE not rejected with 405",
        why="Clients of earlier revisions assume that the server has sessions.",
        hint="Respond to GET and DELETE with HTTP 405 if the server supports only this revision.",
        section=_EARLIER,
        level="SHOULD",
        since=5,
        transports=HTTP_ONLY,
        on=(_ON_HEADERS,),
        check=check_other_verb,
        when=_is_other_verb,
    ),
    Rule(
        "L-MOD-12",
        Severity.WARNING,
        "http",
        "session id in a revision without sessions",
        why="Clients of this revision do not send it back, and a server that relies on it mixes them up.",
        hint="Leave out `Mcp-Session-Id` in responses to requests of this revision.",
        section=_EARLIER,
        level="SHOULD",
        since=5,
        transports=HTTP_ONLY,
        on=(_ON_HEADERS,),
        check=check_session,
        when=is_of_request,
    ),
    Rule(
        "L-MOD-19",
        Severity.WARNING,
        "changelog",
        "removed method not rejected with -32601",
        why="Clients mistake the server for one of an earlier revision.",
        hint="Reject methods that this revision does not define with error -32601.",
        section="Major changes",
        level="MUST",
        since=5,
        on=tuple(
            On(subject, method)
            for method in _REMOVED
            for subject in (Subject.RESULT, Subject.ERROR)
        ),
        check=check_removed,
    ),
)
