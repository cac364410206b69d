"""Hints from the body and the headers of an error response. Pure.

A status alone has several possible causes: 403 may be about credentials, a host, an origin or a firewall. When the text names one, the hint
names only that one.

Source: RFC 9110, sections 11 and 15.5; RFC 6750, section 3; RFC 9728; basic/transports, "Security Warning", "Session Management".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.errors import Hint
from inspector.frozen import FrozenStruct
from inspector.spec.error_codes import NO_SESSIONS, UNSUPPORTED_VERSION
from inspector.spec.keys import HEADER_PROTOCOL_VERSION, HEADER_SESSION_ID
from inspector.spec.revision import find
from inspector.transport.http.config import origin
from inspector.wire import challenge

if TYPE_CHECKING:
    from inspector.transport.http.response import HttpResponse
    from inspector.wire.challenge import Challenges

MAX_VALUE = 300
"""Characters of a challenge parameter that a hint quotes."""

_CHALLENGE = "www-authenticate"
_KEY_HEADER = re.compile(
    r"(?<=`)api-?key(?=` (?:request )?header\b)|\bX-[A-Za-z-]{0,30}(?:Key|Token|Auth|Secret)[A-Za-z-]{0,20}\b",
    re.IGNORECASE,
)
_CREDENTIALS = re.compile(
    r"\bauthorization header\b|api[ _-]?key|\btoken\b|credential|unauthori[sz]ed|authenticat|not logged in|log ?in|password|permission",
    re.IGNORECASE,
)


class _Rule(FrozenStruct, frozen=True):
    pattern: re.Pattern[str]
    statuses: frozenset[int]
    hint: str
    is_of_page: bool
    """True where a server may say the same of something else, in JSON: then only the headers count."""


def _rule(pattern: str, statuses: set[int], hint: str, *, is_of_page: bool = False) -> _Rule:
    return _Rule(re.compile(pattern, re.IGNORECASE), frozenset(statuses), hint, is_of_page)


_PLATFORM_HEADERS = ("server", "x-vercel-error", "ngrok-error-code", "x-railway-fallback")
"""Headers by which what stands before a server names itself, or its error."""

_NOT_DEPLOYED = "Check the host name of the URL, and whether the server is deployed: nothing is there under this name."

_WEBSOCKET = "Check the path of the URL: a WebSocket endpoint responds there, not an MCP endpoint."
_VERCEL = "_vercel_sso_nonce="
_PROTECTED = "Turn off Deployment Protection in Vercel for this deployment, or send the header x-vercel-protection-bypass: Vercel responds in place of the server."
_NO_RESOURCE = "Check the path of the URL, with the stage in it: the gateway of AWS responds like this where nothing is."

_RULES = (
    _rule(
        r"plain http request was sent to https|http request to an https server|\b(?:tls|https|ssl) (?:is )?required|(?:requires|use|only over) (?:tls|https)\b",
        {400, 403, 426, 497},
        "Change the URL to https.",
    ),
    _rule(
        r"\bno required ssl certificate was sent|\bclient certificate (?:is )?(?:required|missing)\b",
        {400, 401, 403, 495, 496},
        Hint(
            "Add a client certificate for this server.",
            cli="Pass a client certificate with --client-cert.",
        ),
    ),
    _rule(
        r"\bnot using the websocket protocol\b|\bexpected (?:a )?websocket\b|\bwebsocket (?:upgrade|handshake)\b|"
        r"\bfailed to open a websocket connection: [^\n]{0,80}\bheader\b",
        {400, 426},
        _WEBSOCKET,
        is_of_page=True,
    ),
    _rule(
        r'\A\{"message": ?"missing authentication token"\}',
        {403},
        Hint(
            f"{_NO_RESOURCE} Otherwise, add credentials to the headers of this server.",
            cli=f"{_NO_RESOURCE} Otherwise, pass credentials with --header.",
        ),
    ),
    _rule(
        r"\bstream is not readable\b",
        {400, 500},
        "Let the server pass the body that it has already parsed to its MCP transport, or remove the middleware that reads the body before (such as express.json()).",
    ),
    _rule(
        r"\btask group is not initialized\b",
        {500},
        "Let the application run the session manager of the MCP server when it starts: the lifespan of a mounted application does not run by itself.",
    ),
    _rule(
        r"\b(?:accept header|client must accept)\b[^\n]{0,120}\btext/event-stream\b",
        {400, 406},
        "Let the server accept requests with `Accept: application/json, text/event-stream`.",
    ),
    _rule(
        r"\brequested webhook [^\n]{0,200}\bis not registered\b",
        {404},
        "Activate the workflow of this webhook, and use its production URL: its test URL is there for a test only.",
    ),
    _rule(
        r"\bweb ?(?:page|site)\b[^\n]{0,160}\bcompany policy\b|\bweb page blocked\b|\nserver: zscaler\b|"
        r"\A\s*<[\s\S]*\b(?:zscaler|fortiguard|company policy|blocked by your (?:administrator|organi[sz]ation))\b",
        {403, 503},
        "Ask for access to this host in your network: a filter in between responds in place of the server.",
        is_of_page=True,
    ),
    _rule(
        r"\bcsrf\b|\bno valid crumb\b|cross.site request forgery|invalidauthenticitytoken",
        {400, 403, 419, 422},
        "Exempt the MCP endpoint from the CSRF check of the web framework.",
    ),
    _rule(
        r"\borigin\b|\bcors\b",
        {400, 403},
        Hint(
            "Let the server accept requests without an `Origin` header, or add one that it allows to the headers of this server.",
            cli="Let the server accept requests without an `Origin` header, or pass one that it allows with --header 'Origin: URL'.",
        ),
    ),
    _rule(
        r"cloudflare|attention required|captcha|incapsula|akamai|web application firewall|request blocked",
        {403, 429, 503},
        "Let the firewall in front of the server admit this client, or connect to the server without it.",
    ),
    _rule(
        r"err_ngrok_(?:3200|8012|725)|\bendpoint \S+\.ngrok\S* is offline|\btunnel \S+\.\S+ (?:is )?(?:not found|offline)\b|"
        r"(?:\A|>|\b[45]\d\d\b)[ -]*(?:no )?tunnel (?:is )?(?:not found|offline|unavailable)\b|\berror(?: code:)? 1033\b|>cloudflare tunnel error\b",
        {404, 410, 502, 503, 504, 530},
        "Start the tunnel and the server behind it, and check the host name of the URL: a tunnel may get another one with each start.",
        is_of_page=True,
    ),
    _rule(
        r"deployment_not_found|\Athe deployment could not be found on vercel|>(?:heroku [|] )?no such app<|\Ano such app\b|there.s nothing here, yet",
        {404, 410, 502, 503},
        _NOT_DEPLOYED,
        is_of_page=True,
    ),
    _rule(
        r"\"message\": ?\"application not found\"[\s\S]*\nx-railway-fallback: true",
        {404},
        _NOT_DEPLOYED,
    ),
    _rule(
        r"\bip\b.{0,60}?\b(?:not allowed|denied|blocked|not permitted|forbidden)|\b(?:allow|white)list",
        {403},
        "Add the IP address of this computer to those that the server allows.",
    ),
)
"""Texts that name one cause, with which statuses, and the hint."""

_HOST = re.compile(
    r"\binvalid host|\bblocked hosts?:|\bhost header|http_host|allowed_hosts|(?:untrusted|unknown|disallowed) host|(?<!on )(?<!from )(?<!at )\bhost\b[^\n]{0,60}?not allowed(?! to (?:connect|log ?in)\b)|dns.?rebinding|misdirected",
    re.IGNORECASE,
)
_SESSION = re.compile(r"session", re.IGNORECASE)
_IN_QUERY = re.compile(
    r"\bsession_id\b|\b(?:missing|no transport found for) sessionid\b|\bsessionid field is required\b",
    re.IGNORECASE,
)
"""How servers for HTTP+SSE miss the session in the URL for messages."""
_PARAMETER = re.compile(r'"query"\s*,\s*"session_?id"', re.IGNORECASE)
"""How a validation names that parameter of the URL; an argument may have its name."""
_VERSION = re.compile(r"unsupported protocol version|mcp-protocol-version", re.IGNORECASE)


def named(response: HttpResponse, text: str) -> str:
    """Return what to do about an error response that names its cause in `text`, the start of its body, or in its headers; else an empty string."""
    challenges = challenge.read([response.headers.get(_CHALLENGE, "")])
    if response.status == 401 and _VERCEL in response.headers.get("set-cookie", ""):
        return _PROTECTED
    if response.status == 401 or (response.status == 403 and challenges.items):
        return _credentials(response, challenges, text)
    if response.status == 426 and "websocket" in response.headers.get("upgrade", "").lower():
        return _WEBSOCKET
    if response.status in {400, 403, 404, 421} and _HOST.search(text):
        return _host_hint(response)
    headers = "".join(
        f"\n{name}: {response.headers[name]}"
        for name in _PLATFORM_HEADERS
        if name in response.headers
    )
    is_json = response.media_type.endswith("json") or text.lstrip().startswith(("{", "["))
    for rule in _RULES:
        searched = headers if is_json and rule.is_of_page else f"{text}{headers}"
        if response.status in rule.statuses and rule.pattern.search(searched):
            return rule.hint
    return _of_headers(response, text)


def names_credentials(text: str) -> bool:
    """Return whether the body of an error response is about credentials."""
    return _CREDENTIALS.search(text) is not None


def names_session(text: str) -> bool:
    """Return whether the body of an error response is about a session."""
    return _SESSION.search(text) is not None


def misses_session(response: HttpResponse, text: str) -> bool:
    """Return whether an error response may be about a session that is missing or unknown."""
    return response.status in {400, 404, 410} and names_session(text)


def _misses_parameter(response: HttpResponse, text: str) -> bool:
    """Whether the first request of a session misses it in the URL."""
    is_first = not {HEADER_SESSION_ID, HEADER_PROTOCOL_VERSION} & response.request_headers.keys()
    return is_first and response.status == 422 and _PARAMETER.search(text) is not None


def forbidden(response: HttpResponse) -> str:
    """Return what to do about a 403 that names no cause."""
    if response.via:
        return (
            "Check whether the proxy forbids this host: its response looks like one of the server."
        )
    if "authorization" in response.request_headers:
        return "Check what the credentials that were sent are allowed to do, and which clients the server admits."
    return Hint(
        "Add credentials to the headers of this server if it needs any, and check which clients (Host, Origin, IP address) it admits.",
        cli="Pass credentials with --header if the server needs any, and check which clients (Host, Origin, IP address) it admits.",
    )


def _of_headers(response: HttpResponse, text: str) -> str:
    """Return a hint about a header of MCP, or about credentials, that the text mentions."""
    is_negotiated = f"{UNSUPPORTED_VERSION}" in text  # an error that names other revisions
    is_about_version = response.status == 400 and _VERSION.search(text) and not is_negotiated
    if is_about_version and HEADER_PROTOCOL_VERSION in response.request_headers:
        date = response.request_headers[HEADER_PROTOCOL_VERSION]
        revision = find(date)
        is_agreed = revision is None or revision.stateful  # a stateless one comes with each request
        agreed = ", the revision that was agreed on" if is_agreed else ""
        sent = f"The server refuses the header {HEADER_PROTOCOL_VERSION}: {date}{agreed}."
        return Hint(
            f"{sent} Correct the server, or select a revision that it names.",
            cli=f"{sent} Correct the server, or set --revision to one that it names.",
        )
    if misses_session(response, text) or _misses_parameter(response, text):
        return _session_hint(response, text)
    if response.status in {400, 403} and names_credentials(text):
        return _credentials(response, challenge.NONE, text)
    return ""


def _session_hint(response: HttpResponse, text: str) -> str:
    if HEADER_SESSION_ID in response.request_headers:
        why = "The server does not know the session that it opened: it was restarted, or runs as several processes that share no sessions."
        return Hint(f"{why} Connect again.", cli=f"{why} Run this again.")
    if HEADER_PROTOCOL_VERSION in response.request_headers:
        revision = find(response.request_headers[HEADER_PROTOCOL_VERSION])
        if revision is not None and not revision.stateful:
            return NO_SESSIONS.format(date=revision.date)
        return f"Let the server send the header {HEADER_SESSION_ID} with its response to initialize, and check whether a proxy removes it: it is missing."
    accept = f"et the server accept initialize without the header {HEADER_SESSION_ID}: it starts the session."
    if _IN_QUERY.search(text):
        return f"If this is the URL for the messages of HTTP+SSE, use that of its event stream (often /sse). Otherwise, l{accept}"
    return f"L{accept}"


def _host_hint(response: HttpResponse) -> str:
    try:
        host = origin(response.url)[1]
    except ValueError:
        host = ""
    return f"Use a host name in the URL that the server accepts, or add {host or 'the host of the URL'} to the hosts that it allows."


def _credentials(response: HttpResponse, challenges: Challenges, text: str) -> str:
    """Return which header needs another value, with the scope and the metadata of the challenges."""
    challenge_ = next(iter(challenges.oauth or challenges.items), None)
    scheme = challenge_.scheme[:MAX_VALUE] if challenge_ is not None else ""
    named = _KEY_HEADER.search(text)
    key = None if scheme else named
    name = key[0] if key else "Authorization"
    about = _about(challenges)
    if scheme and named:
        about = f" The response also names the header {named[0]}.{about}"
    if name in response.request_headers:
        full_text = " ".join((*challenges.all("error"), *challenges.all("error_description"), text))
        rejected = "has expired" if "expired" in full_text.lower() else "is rejected"
        if "insufficient_scope" in challenges.all("error"):
            rejected = "does not suffice"
        return f"Replace the value of the header {name}: the one that was sent {rejected}.{about}"
    kind = f"{scheme} " if scheme else ""
    value = f"{kind}{'CREDENTIALS' if scheme and scheme.lower() != 'bearer' else 'TOKEN'}"
    if not scheme and not key:
        value = "Bearer TOKEN"
        about = " If the server documents another header for its keys, use that."
    return Hint(
        f"Add the header {name} with valid {kind}credentials to this server.{about}",
        cli=f"Pass credentials with --header '{name}: {value}'.{about}",
    )


def _about(challenges: Challenges) -> str:
    """Return the required scope, and where tokens are issued."""
    scope, metadata = " ".join(challenges.scopes), challenges.get("resource_metadata")
    required = f" The server requires the scope {scope[:MAX_VALUE]}." if scope else ""
    return required + (
        f" Where tokens are issued is described at {metadata[:MAX_VALUE]}" if metadata else ""
    )
