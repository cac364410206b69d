"""HTTP responses: whether status, headers and body agree.

Source: basic/transports, "Sending Messages to the Server" and "Listening for Messages from the Server".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.checks.http_exchanges import JSON, STREAM
from inspector.checks.http_history import SESSION
from inspector.finding import Severity
from inspector.rules.rule import HTTP_ONLY, On, Rule, Subject
from inspector.spec.error_codes import INVALID_REQUEST, PARSE_ERROR
from inspector.spec.findings import make_finding
from inspector.wire import json_codec
from inspector.wire.frame import Channel, FrameDefect
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.http_exchanges import HttpFrame
    from inspector.finding import Finding

ACCEPTED, NO_CONTENT, BAD_REQUEST, NOT_FOUND, NOT_ALLOWED = 202, 204, 400, 404, 405
SERVER_ERROR, NOT_IMPLEMENTED = 500, 501
REDIRECTS = frozenset({301, 302, 303, 307, 308})
LARGEST_BODY = 1 << 20
"""Bytes of a body that is read to see whether it is JSON."""

RESPONSES = frozenset({MessageKind.RESPONSE, MessageKind.ERROR})
"""Kinds of messages that answer a request."""
OF_THE_SERVER = frozenset(
    {BAD_REQUEST, NOT_FOUND, 406, 409, 415, 422, SERVER_ERROR, NOT_IMPLEMENTED}
)
"""Error statuses of a server that looked at the message; others are those of proxies, or of authorization."""

_UTF8 = frozenset({"", "utf-8", "utf8", "us-ascii"})
_CHARSET = re.compile(r";\s*charset\s*=\s*\"?([^\s\";]*)", re.IGNORECASE)


def is_of_request(frame: HttpFrame, history: History) -> bool:
    """Whether it answers the POST of a request, and is no redirect."""
    del history
    is_request = frame.asked is MessageKind.REQUEST and frame.exchange.verb == "POST"
    return is_request and frame.exchange.status not in REDIRECTS


def _is_good(frame: HttpFrame, history: History) -> bool:
    return is_of_request(frame, history) and frame.exchange.is_good


def check_content_type(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a response has neither of the two types."""
    del history
    media_type = frame.exchange.media_type
    if media_type not in {JSON, STREAM} and frame.exchange.status not in {ACCEPTED, NO_CONTENT}:
        given = f"`{media_type[:80]}`" if media_type else "missing"
        text = f"the `Content-Type` of a response must be `{JSON}` or `{STREAM}`, but is {given}"
        yield make_finding("L-HTTP-01", text, "", frame.revision)


def check_encoding(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a body is not what its headers say."""
    del history
    if frame.headers is None:
        is_meant = frame.exchange.is_good or frame.exchange.status in OF_THE_SERVER
        if is_meant and frame.exchange.media_type == JSON and not _is_json(frame):
            text = f"`Content-Type` is `{JSON}`, but the body is not JSON"
            yield make_finding("L-HTTP-02", text, "", frame.revision)
        return
    found = _CHARSET.search(frame.headers.fields.get("content-type", ""))
    if found is not None and found[1].lower() not in _UTF8:
        text = f"messages must be in UTF-8, but `Content-Type` has `charset={found[1][:40]}`"
        yield make_finding("L-HTTP-02", text, "", frame.revision)


def _has_type(frame: HttpFrame, history: History) -> bool:
    return is_of_request(frame, history) and frame.exchange.media_type in {JSON, STREAM}


def _is_json(frame: HttpFrame) -> bool:
    """Whether a body is JSON, as far as that can be told."""
    is_message = frame.channel is Channel.BODY and frame.kind is not MessageKind.MALFORMED
    is_cut = frame.flaw is not FrameDefect.NONE
    if is_cut or is_message or len(frame.raw) > LARGEST_BODY or not frame.raw.strip():
        return True
    try:
        json_codec.read(frame.raw)
    except json_codec.JsonSyntaxError:
        return False
    return True


def check_response(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a request is answered without a response."""
    del history
    if frame.exchange.status in {ACCEPTED, NO_CONTENT}:
        text = f"a request must get a JSON-RPC response, which HTTP {frame.exchange.status} cannot have"
        yield make_finding("L-HTTP-06", text, "", frame.revision)


def check_get(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a GET has another answer than a stream or 405."""
    del history
    exchange = frame.exchange
    is_other = exchange.is_good and exchange.media_type != STREAM
    is_unknown = exchange.status == NOT_FOUND and SESSION not in exchange.sent
    if is_other or is_unknown or exchange.status in {SERVER_ERROR, NOT_IMPLEMENTED}:
        given = f" and `{exchange.media_type[:80]}`" if is_other and exchange.media_type else ""
        text = f"GET must return `{STREAM}`, or HTTP 405 if there is no stream, not HTTP {exchange.status}{given}"
        yield make_finding("L-HTTP-07", text, "", frame.revision)


def _is_of_get(frame: HttpFrame, history: History) -> bool:
    """Only for a server that responds to requests at this URL; a session that it does not know is a good reason for 404."""
    return frame.exchange.verb == "GET" and history.http.has_responded


def check_allow(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that 405 does not name the methods there are."""
    del history
    if "allow" not in frame.exchange.received:
        text = "HTTP 405 must have an `Allow` header that lists the supported methods"
        yield make_finding("L-HTTP-08", text, "", frame.revision)


def _is_not_allowed(frame: HttpFrame, history: History) -> bool:
    del history
    return frame.exchange.status == NOT_ALLOWED


def check_redirect(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a POST is redirected, once."""
    status = frame.exchange.status
    if status in REDIRECTS and history.is_first("L-HTTP-12"):
        text = f"POST is redirected with HTTP {status}"
        yield make_finding("L-HTTP-12", text, "", frame.revision)


def _is_post(frame: HttpFrame, history: History) -> bool:
    del history
    return frame.exchange.verb == "POST"


def check_error_body(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that an error has no JSON-RPC body; a 404 page is what any URL returns that is not the server's."""
    exchange = frame.exchange
    if exchange.status == NOT_FOUND and not frame.revision.stateful:
        return  # L-MOD-04
    is_page = exchange.media_type.startswith("text/") and exchange.media_type != STREAM
    is_empty = exchange.received.get("content-length") == "0"
    if is_page and not is_empty and (history.http.has_responded or exchange.status != NOT_FOUND):
        text = f"HTTP {exchange.status} has a body of type `{exchange.media_type[:80]}` instead of a JSON-RPC error"
        yield make_finding("L-HTTP-13", text, "", frame.revision)


def _is_refusal(frame: HttpFrame, history: History) -> bool:
    return is_of_request(frame, history) and frame.exchange.status in OF_THE_SERVER


def check_status_of_error(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that what is no request is refused with a status of success."""
    del history
    error, status = frame.read().error, frame.exchange.status
    code = error.get("code") if isinstance(error, dict) else None
    if frame.exchange.is_good and isinstance(code, int) and code in {PARSE_ERROR, INVALID_REQUEST}:
        text = f"error {code} should be sent with HTTP {BAD_REQUEST}, not {status}"
        yield make_finding("L-HTTP-14", text, "/error/code", frame.revision)


def _is_error(frame: HttpFrame, history: History) -> bool:
    return is_of_request(frame, history) and frame.kind is MessageKind.ERROR


def check_exposed_headers(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a page in a browser is let in and cannot read the session id, once."""
    exposed = frame.exchange.received.get("access-control-expose-headers", "").lower()
    names = {name.strip() for name in exposed.split(",")}
    if not names & {SESSION, "*"} and history.is_first("L-HTTP-16"):
        text = "`Access-Control-Allow-Origin` is set, but `Access-Control-Expose-Headers` does not list `Mcp-Session-Id`"
        yield make_finding("L-HTTP-16", text, "", frame.revision)


def _is_shared_session(frame: HttpFrame, history: History) -> bool:
    del history
    received = frame.exchange.received
    return bool(received.get(SESSION)) and "access-control-allow-origin" in received


def check_result_status(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a result comes with a status of failure."""
    del history
    if not frame.exchange.is_good:
        text = f"a result should be sent with HTTP 200, not {frame.exchange.status}"
        yield make_finding("result-with-error-status", text, "", frame.revision)


def _is_result(frame: HttpFrame, history: History) -> bool:
    return is_of_request(frame, history) and frame.kind is MessageKind.RESPONSE


_SENDING = "Sending Messages to the Server"
_ON_HEADERS, _ON_BODY = On(Subject.HTTP), On(Subject.BODY)

RULES = (
    Rule(
        "L-HTTP-01",
        Severity.ERROR,
        "http",
        "response with another content type",
        why="Clients select a parser by content type, and reject any other.",
        hint="Send `Content-Type: application/json` for one response, or `text/event-stream` for a stream.",
        section=_SENDING,
        level="MUST",
        since=2,
        transports=HTTP_ONLY,
        on=(_ON_HEADERS,),
        check=check_content_type,
        when=_is_good,
    ),
    Rule(
        "L-HTTP-02",
        Severity.WARNING,
        "http",
        "body is not JSON or not UTF-8",
        why="Clients that rely on the header cannot read the body.",
        hint="Send JSON in UTF-8 if `Content-Type` is `application/json`.",
        section=_SENDING,
        level="quality",
        since=2,
        transports=HTTP_ONLY,
        on=(_ON_HEADERS, _ON_BODY),
        check=check_encoding,
        when=_has_type,
    ),
    Rule(
        "L-HTTP-06",
        Severity.WARNING,
        "http",
        "request without a JSON-RPC response",
        why="Clients wait for a response until a timeout.",
        hint="Return the response to a request as JSON or on an event stream.",
        section=_SENDING,
        level="quality",
        since=2,
        transports=HTTP_ONLY,
        on=(_ON_HEADERS,),
        check=check_response,
        when=_is_good,
    ),
    Rule(
        "L-HTTP-07",
        Severity.WARNING,
        "http",
        "GET returns neither a stream nor 405",
        why="Clients that open the notification stream report an error, or retry without end.",
        hint="Respond to GET with an event stream, or with HTTP 405 if the server has none.",
        section="Listening for Messages from the Server",
        level="MUST",
        since=2,
        until=4,
        transports=HTTP_ONLY,
        on=(_ON_HEADERS,),
        check=check_get,
        when=_is_of_get,
    ),
    Rule(
        "L-HTTP-08",
        Severity.INFO,
        "",
        "405 without an Allow header",
        why="Clients cannot determine the supported HTTP methods, which RFC 9110 requires in `Allow`.",
        hint="Add `Allow` to HTTP 405, such as `Allow: POST`.",
        level="quality",
        since=2,
        transports=HTTP_ONLY,
        on=(_ON_HEADERS,),
        check=check_allow,
        when=_is_not_allowed,
    ),
    Rule(
        "L-HTTP-12",
        Severity.INFO,
        "",
        "POST redirected",
        why="Many clients do not follow a redirected POST, repeat it as GET, or drop the token.",
        hint="Serve the URL that users enter, with and without a trailing slash.",
        python="Starlette redirects `/mcp` to `/mcp/` for a mounted app: mount it at the URL that users enter.",
        level="quality",
        since=2,
        transports=HTTP_ONLY,
        on=(_ON_HEADERS,),
        check=check_redirect,
        when=_is_post,
    ),
    Rule(
        "L-HTTP-13",
        Severity.INFO,
        "",
        "error without a JSON-RPC body",
        why="Users see a status code or an HTML page instead of the reason.",
        hint="Send a JSON-RPC error as the body of a 4xx or 5xx response.",
        level="quality",
        since=2,
        transports=HTTP_ONLY,
        on=(_ON_HEADERS,),
        check=check_error_body,
        when=_is_refusal,
    ),
    Rule(
        "L-HTTP-14",
        Severity.INFO,
        "http",
        "error with an HTTP status of success",
        why="Proxies and monitoring count a rejected request as a success.",
        hint="Send errors -32700 and -32600 with HTTP 400.",
        section=_SENDING,
        level="quality",
        since=2,
        transports=HTTP_ONLY,
        on=(_ON_BODY,),
        check=check_status_of_error,
        when=_is_error,
    ),
    Rule(
        "L-HTTP-16",
        Severity.INFO,
        "http",
        "session id not exposed to browsers",
        why="Clients in a browser cannot read the session id, and fail at the second request.",
        hint="Add `Access-Control-Expose-Headers: Mcp-Session-Id` to responses.",
        python='Pass `expose_headers=["Mcp-Session-Id"]` to `CORSMiddleware`.',
        typescript='Pass `exposedHeaders: ["Mcp-Session-Id"]` to `cors()`.',
        section="Session Management",
        level="quality",
        since=2,
        until=4,
        transports=HTTP_ONLY,
        on=(On(Subject.HTTP, "initialize"),),
        check=check_exposed_headers,
        when=_is_shared_session,
    ),
    Rule(
        "result-with-error-status",
        Severity.WARNING,
        "http",
        "result with an HTTP error status",
        why="Many clients treat the response as a failure, and never read the result.",
        hint="Send a result with HTTP 200.",
        level="quality",
        transports=HTTP_ONLY,
        on=(_ON_BODY,),
        check=check_result_status,
        when=_is_result,
    ),
)
