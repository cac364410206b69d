"""Errors from HTTP statuses, and the table of hints by status.

Source: RFC 9110, section 15; RFC 6585; the codes above 519 are those of widespread proxies.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.errors import HttpStatus
from inspector.spec.methods import opens_session
from inspector.transport.http import refusals
from inspector.transport.http.response import JSON_TYPE
from inspector.visible_text import without_nuls
from inspector.wire.redaction import mask_target, mask_urls

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.transport.http.body import Body
    from inspector.transport.http.response import HttpResponse

MAX_EXCERPT_CHARS = 400
"""Characters quoted of a body or a header."""

MAX_REASON_CHARS = 80
"""Characters quoted of the reason phrase."""

_CLASS_HINTS = {
    1: "Check whether a proxy in between ends the response too early.",
    2: "Check that the URL is that of the MCP endpoint.",
    3: "Use the URL that the server redirects to.",
    4: "Read the body of the response: the server rejects the request.",
    5: "Check the log of the server: it failed to handle the request.",
}

HINTS = {
    300: "Use one of the URLs that the server offers.",
    304: "Turn off the cache between Spyglass and the server.",
    305: "Set the proxy that the server names as the proxy of this server.",
    400: "Correct what the body of the response names, and check that the URL is that of an MCP endpoint: the server rejects the content or a header of the request.",
    402: "Check the plan or the payment of the account at this server.",
    404: "Check the path of the URL; MCP endpoints are often at /mcp or /sse.",
    405: "Check the path of the URL: this resource does not support the method.",
    406: "Let the server accept requests with `Accept: application/json, text/event-stream`.",
    407: "Add user name and password to the URL of the proxy.",
    408: "Retry, and check whether the server or a proxy in between is overloaded.",
    409: "Read the body of the response: the request conflicts with the state of the server.",
    410: "Check the path of the URL: the server has removed this resource.",
    411: "Let the server, or the proxy in front of it, accept bodies as they are sent.",
    413: "Send less, or raise the limit of the server: the request is too large for it.",
    414: "Shorten the URL, or raise the limit of the server for its length.",
    415: "Let the server accept requests with `Content-Type: application/json`.",
    418: "Check the path of the URL.",
    421: "Check the host name of the URL, or add it to the hosts that the server allows.",
    422: "Correct what the body of the response names, and check that the URL is that of an MCP endpoint: the server rejects the content of the request.",
    425: "Retry in a moment.",
    426: "Enable HTTP/1.1 on the server or its proxy.",
    429: "Wait before you retry: the server limits the rate of requests.",
    431: "Remove headers, or raise the limit of the server: the headers are too large for it.",
    451: "Check whether the server is available from your country or network.",
    500: "Check the log of the server: it failed to handle the request.",
    501: "Check the path of the URL: the server does not support the method.",
    502: "Check that the server behind the proxy is running, and at which port the proxy expects it.",
    503: "Check that the server is running and not overloaded, then retry.",
    504: "Check that the server behind the proxy responds, and raise the timeout of the proxy.",
    505: "Enable HTTP/1.1 on the server or its proxy.",
    507: "Check the disk space of the server.",
    508: "Check the redirects and rewrite rules of the server: it loops.",
    511: "Log in to the network with a browser: its access page responds in place of the server.",
    520: "Check the log of the server behind the proxy: it sent no valid response.",
    521: "Check that the server behind the proxy is running.",
    522: "Check that the server behind the proxy is running, and any firewall.",
    523: "Check the host name or route that the proxy uses for the server.",
    524: "Check that the server behind the proxy responds, and raise the timeout of the proxy.",
    525: "Check the TLS configuration between the proxy and the server.",
    526: "Check the certificate of the server behind the proxy.",
    529: "Wait before you retry: the server is overloaded.",
    530: "Check the configuration of the proxy for this host name.",
}
"""Status → what to do; other statuses have the hint of their class (4xx, 5xx)."""

_QUOTED_HEADERS = (
    ((401, 403), "www-authenticate", "WWW-Authenticate: {}"),
    ((407,), "proxy-authenticate", "Proxy-Authenticate: {}"),
    ((), "retry-after", "Retry-After: {}"),
    ((405,), "allow", "Allow: {}"),
    ((426,), "upgrade", "Upgrade: {}"),
    ((300, 301, 302, 303, 305, 307, 308), "location", "Location: {}"),
)
"""Headers that explain a status: with which statuses (empty: all), and how they are quoted."""

_ENDPOINT = "Check the URL in the `endpoint` event of the server, and whether a proxy changes its path or leads it to another process."
_RESPONSE_ONLY = (
    "Let the body be the JSON-RPC response to this request, without anything around it."
)
_RESPOND = "Let the server respond to each request with `application/json` or `text/event-stream`; only notifications get 202 (L-HTTP-01)."
_SEND = (
    "Check that the URL is that of the MCP endpoint, and that the server responds to a request with "
    "`application/json` or `text/event-stream` (L-HTTP-01)."
)


def from_status(
    response: HttpResponse,
    body: bytes,
    *,
    unwanted: str = "",
    hint: str = "",
    knows_request: bool = False,
    endpoint: str = "",
) -> HttpStatus:
    """Return the error of a response without a usable message.

    `unwanted` is what is wrong with a 2xx response; `hint` replaces the hint of the status; `knows_request` is as in `HttpStatus`;
    `endpoint` is the URL from the `endpoint` event of HTTP+SSE when the request was sent there.
    """
    line, explained, text = status_line(response), tuple(_quoted_headers(response)), excerpt(body)
    named = "" if response.is_success else refusals.named(response, text)
    if response.via and not response.is_success:
        explained = (*explained, f"the request went through {response.via}")
    if endpoint:
        line = f"{line} from the endpoint {mask_urls(endpoint)}"
        is_lost = response.status in {404, 405, 410} or refusals.names_session(text)
        named = _ENDPOINT if is_lost else named
    parts = [line, *filter(None, (unwanted, response.credentials_text)), *explained]
    if text:
        parts.append(f"{response.media_type or 'body without Content-Type'}: {text}")
    return HttpStatus(
        "; ".join(parts),
        status=response.status,
        hint=hint or response.credentials_hint or named or status_hint(response, text),
        line=line,
        explained=explained,
        media_type=response.media_type,
        body=text,
        knows_request=knows_request,
        is_named=bool(named),
        needs_user=response.needs_user,
    )


_WEB_PAGE = "Check the path of the URL: a web page responds there, not an MCP endpoint."
_LATER_PAGE = "Check the server and the proxy in front of it: other requests had JSON-RPC responses, this one a web page, as after the end of a login."
_SIGN_IN = "Check whether the server requires authorization: a page to sign in responds there, not an MCP endpoint."
_SIGN_IN_PAGE = re.compile(
    rb"<title>[^<]{0,100}\b(?:sign[ -]?in|log[ -]?in|authenticat)", re.IGNORECASE
)

_REFRESH = re.compile(rb"<meta\b[^>]{0,80}\bhttp-equiv=[\"']?refresh\b", re.IGNORECASE)
_LEADS_ON = "Check the path of the URL, and whether the network requires a login in a browser: a web page that leads to another one responds there."

_UNWRAP = "Let the gateway, or the function behind it, send what is in `body` as the body of the response."
_GATEWAY = re.compile(rb'\s*\{(?=.*"statusCode"\s*:).*"body"\s*:\s*"', re.DOTALL)
"""What functions return to the gateway of a cloud."""

MAX_PAGE_BYTES = 4096
"""Bytes of a web page that are searched for its title."""


def without_message(response: HttpResponse, body: Body) -> HttpStatus:
    """Return the error of a 2xx response whose body is not the response to its request."""
    is_opening = opens_session(body.request.method)
    unwanted = "the body is not a response to this request"
    hint = _SEND if is_opening else _RESPOND
    knows_request = body.knows_request
    if not body.raw:
        unwanted = "the server accepted the request but sent no response"
        unwanted = "the body is empty" if response.status == 200 else unwanted
    elif what := body.mislabeled(response.media_type):
        unwanted = _mislabeled_text(what.text, response.media_type)
        hint = f"Let the server send `Content-Type: {what.media_type}`, which a response to a request must have (L-HTTP-01)."
        knows_request = True
    elif response.media_type == "text/html":
        unwanted = "a web page, neither JSON nor an event stream"
        hint = _page_hint(body.raw[:MAX_PAGE_BYTES], is_opening=is_opening)
    elif found := body.mismatch():
        unwanted, hint = found.summary, found.hint
    elif _GATEWAY.match(body.raw[:MAX_PAGE_BYTES]) is not None:
        unwanted, hint = "the response is wrapped in the envelope of a gateway", _UNWRAP
    elif response.media_type != JSON_TYPE:
        unwanted = "neither JSON nor an event stream"
    elif not is_opening:
        hint = _RESPONSE_ONLY
    return from_status(
        response, body.raw, unwanted=unwanted, hint=hint, knows_request=knows_request
    )


def _page_hint(page: bytes, *, is_opening: bool) -> str:
    if _SIGN_IN_PAGE.search(page) is not None:
        return _SIGN_IN
    if not is_opening:
        return _LATER_PAGE
    return _LEADS_ON if _REFRESH.search(page) is not None else _WEB_PAGE


def _mislabeled_text(what: str, media_type: str) -> str:
    if media_type == JSON_TYPE:
        return f"the body is not a response to this request, but {what}"
    if not media_type:
        return f"the body is {what}, but its Content-Type is missing"
    return f"the body is {what}, but its Content-Type is {media_type}, neither JSON nor an event stream"


def status_line(response: HttpResponse) -> str:
    """Return status and reason phrase."""
    return f"HTTP {response.status} {_one_line(response.reason, MAX_REASON_CHARS)}".strip()


def status_hint(response: HttpResponse, text: str = "") -> str:
    """Return what to do about an error response whose body starts with `text` and names no known reason."""
    found = HINTS.get(response.status) or _CLASS_HINTS.get(response.status // 100, _CLASS_HINTS[5])
    after = _retry_after(response)
    if after and response.status in {429, 503, 529}:
        return f"Retry after {after}."
    if response.status == 403:
        return refusals.forbidden(response)
    if response.status in {400, 422} and not text:
        return "Check the log of the server: it rejects the request without a reason."
    return found


def excerpt(body: bytes) -> str:
    """Return the start of a body as one line of text."""
    text = without_nuls(body[: MAX_EXCERPT_CHARS * 4])
    return _one_line(text.decode("utf-8", "replace"), MAX_EXCERPT_CHARS)


def _quoted_headers(response: HttpResponse) -> Iterator[str]:
    for statuses, header, template in _QUOTED_HEADERS:
        value = (
            _retry_after(response) if header == "retry-after" else response.headers.get(header, "")
        )
        if header == "location":
            value = mask_target(value)
        if value and (not statuses or response.status in statuses):
            yield template.format(_one_line(value, MAX_EXCERPT_CHARS))
    if response.status == 401 and "www-authenticate" not in response.headers:
        yield "without WWW-Authenticate"


def _retry_after(response: HttpResponse) -> str:
    """Return seconds with their unit, or a date."""
    value = _one_line(response.headers.get("retry-after", ""), MAX_REASON_CHARS)
    return f"{value} s" if value.isdecimal() else value


def _one_line(text: str, max_chars: int) -> str:
    text = mask_urls(re.sub(r"\s+", " ", text).strip())
    return text if len(text) <= max_chars else text[: max_chars - 1] + "…"
