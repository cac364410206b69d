"""Who else can reach a server over HTTP, or read what is sent to it.

Source: basic/transports, "Security Warning"; basic/security_best_practices.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.checks.http_exchanges import HttpFrame
from inspector.finding import Severity
from inspector.rules.rule import HTTP_ONLY, Kind, On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.spec.revision import V2025_11_25
from inspector.transport.base import NOT_ENCRYPTED, OWN_ADDRESS
from inspector.transport.http.config import is_loopback
from inspector.visible_text import one_line
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import Note
    from inspector.finding import Finding

FORBIDDEN, UNAUTHORIZED = 403, 401
LARGEST_REASON = 4096
"""Bytes of a refusal that are searched for its reason."""

_ORIGIN = re.compile(rb"\borigin\b", re.IGNORECASE)


def host_of(url: str) -> str:
    """Return the host of a URL in lower case; empty without one."""
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""


def check_origin(frame: HttpFrame, history: History, *, rule: str) -> Iterator[Finding]:
    """Yield that a local server lets a page of somewhere else in, or refuses it by another status; each once."""
    exchange, revision = frame.exchange, frame.revision
    status, origin = exchange.status, exchange.sent.get("origin", "")
    if frame.headers is None:
        is_other = 400 <= status < 500 and status not in {FORBIDDEN, UNAUTHORIZED}
        is_reason = is_other and revision >= V2025_11_25
        if is_reason and _ORIGIN.search(frame.raw[:LARGEST_REASON]) and history.is_first(rule):
            text = f"an unexpected `Origin` must be rejected with HTTP 403, not {status}"
            yield make_finding(rule, text, "", revision)
        return
    is_foreign = host_of(origin) != "" and not is_loopback(host_of(origin))
    is_local = is_loopback(host_of(f"//{exchange.sent.get('host', '')}"))
    if exchange.is_good and is_foreign and is_local and history.is_first(rule):
        text = f"a request from the origin `{one_line(origin, 200)}` was accepted: unless it is allowed on purpose, any web page can use this local server"
        yield make_finding(rule, text, "", revision)


def _has_origin(frame: HttpFrame, history: History) -> bool:
    del history
    return "origin" in frame.exchange.sent


def check_encryption(seen: HttpFrame | Note, history: History) -> Iterator[Finding]:
    """Yield that the way to another host is without TLS, once."""
    if not isinstance(seen, HttpFrame) and history.is_first("L-HTTP-10"):
        text = "the server is on another host, and the connection has no TLS"
        yield make_finding("L-HTTP-10", text, "", seen.revision)


def check_address(seen: HttpFrame | Note, history: History) -> Iterator[Finding]:
    """Yield that a server of this computer can be reached from the network, once."""
    rule, revision = "L-HTTP-11", seen.revision
    if not isinstance(seen, HttpFrame):
        if history.is_first(rule):
            text = "the server runs on this computer but is reachable from the network; it should listen on 127.0.0.1 only"
            yield make_finding(rule, text, "", revision)
        return
    host = host_of(f"//{seen.exchange.sent.get('host', '')}")
    if host in {"0.0.0.0", "::"} and history.is_first(rule):
        text = f"the URL has the address `{host}`: a local server that listens on all addresses is reachable from the network; it should listen on 127.0.0.1 only"
        yield make_finding(rule, text, "", revision, severity=Severity.INFO)


def check_openness(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that anyone on the network can use the server, once."""
    if history.http.is_authorized or not history.is_first("L-AUT-25"):
        return
    host = host_of(f"//{frame.exchange.sent.get('host', '')}")
    text = f"`{host[:200]}` accepts requests without authorization"
    yield make_finding("L-AUT-25", text, "", frame.revision)


def _is_remote(frame: HttpFrame, history: History) -> bool:
    """Whether a request without credentials of any kind was answered by another host that is no tunnel's end on this computer."""
    del history
    exchange = frame.exchange
    host = host_of(f"//{exchange.sent.get('host', '')}")
    is_answer = frame.asked is MessageKind.REQUEST and exchange.is_good
    is_asked = "cookie" not in exchange.sent and not any("key" in name for name in exchange.sent)
    is_network = "." in host and not is_loopback(host) and host not in {"0.0.0.0", "::"}
    return is_answer and is_asked and is_network and not host.endswith((".internal", ".local"))


_ORIGINS = (On(Subject.HTTP), On(Subject.BODY))
_WARNING = "Security Warning"
_ORIGIN_WHY = (
    "Any web page that the user visits can call the tools of a local server (DNS rebinding)."
)
_ORIGIN_HINT = "Reject requests with an unexpected `Origin` with HTTP 403."

RULES = (
    Rule(
        "L-HTTP-09",
        Severity.WARNING,
        "http",
        "Origin not validated, or rejected without 403",
        why=_ORIGIN_WHY,
        hint=_ORIGIN_HINT,
        python="Pass `transport_security=TransportSecuritySettings(allowed_hosts=[…], allowed_origins=[…])` to `FastMCP` (version 1) or `run()` (version 2); with a localhost `host`, both do so by default.",
        typescript="Use `originValidation([…])` of `@modelcontextprotocol/node` in version 2; in version 1, pass `allowedOrigins` and `enableDnsRebindingProtection: true` to the transport.",
        section=_WARNING,
        level="MUST",
        since=2,
        transports=HTTP_ONLY,
        kind=Kind.ACTIVE,
        on=_ORIGINS,
        check=partial(check_origin, rule="L-HTTP-09"),
        when=_has_origin,
    ),
    Rule(
        "L-HTTP-10",
        Severity.INFO,
        "",
        "connection to another host without TLS",
        why="Others on the network can read and change messages, and steal the token.",
        hint="Serve the endpoint over https.",
        level="quality",
        transports=HTTP_ONLY | {"sse"},
        on=(On(Subject.NOTE, NOT_ENCRYPTED), On(Subject.HTTP)),
        check=check_encryption,
    ),
    Rule(
        "L-HTTP-11",
        Severity.WARNING,
        "http",
        "local server reachable from the network",
        why="Everyone on the same network can call the tools of the server.",
        hint="Bind a local server to 127.0.0.1.",
        python='Pass `host="127.0.0.1"`, which is the default, to `FastMCP` (version 1) or `run()` (version 2).',
        typescript='Pass `"127.0.0.1"` as the second argument to `app.listen(port, …)`.',
        section=_WARNING,
        level="SHOULD",
        transports=HTTP_ONLY | {"sse"},
        on=(On(Subject.NOTE, OWN_ADDRESS), On(Subject.HTTP)),
        check=check_address,
    ),
    Rule(
        "L-OLD-05",
        Severity.WARNING,
        "http",
        "Origin not validated over HTTP+SSE",
        why=_ORIGIN_WHY,
        hint=_ORIGIN_HINT,
        section=_WARNING,
        level="MUST",
        until=4,
        transports=frozenset({"sse"}),
        kind=Kind.ACTIVE,
        on=_ORIGINS,
        check=partial(check_origin, rule="L-OLD-05"),
        when=_has_origin,
    ),
    Rule(
        "L-AUT-25",
        Severity.INFO,
        "http",
        "server open to the network without authorization",
        why="Anyone who finds the address can use the server, its data and its budget.",
        hint="Require authorization on a server that others can reach, unless it is intended to be public.",
        section=_WARNING,
        level="SHOULD",
        transports=HTTP_ONLY | {"sse"},
        on=(On(Subject.HTTP),),
        check=check_openness,
        when=_is_remote,
    ),
)
