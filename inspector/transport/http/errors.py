"""Errors of connections and exchanges, with hints. The only module that examines exceptions of httpx."""

from __future__ import annotations

import re
import socket
import ssl
from typing import TYPE_CHECKING, NamedTuple, cast

import httpx

from inspector.errors import ConnectFailed, ConnectionLost, TransportError
from inspector.transport.http import tls
from inspector.transport.http.config import origin, origin_text
from inspector.transport.http.statuses import excerpt
from inspector.wire import protocols
from inspector.wire.redaction import mask_urls

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.transport.http.header_recorder import ResponseStart
    from inspector.transport.http.proxies import Proxy

_NO_HTTP = re.compile("illegal (?:status|request) line|no request line")
"""Message of h11 about a response that is not HTTP/1.1; it mentions requests also when it parses a response."""


_DISCONNECTED = re.compile("disconnected|closed connection")
"""Messages of h11 and httpcore about a connection that was closed early."""

_IN_BODY = re.compile("complete message body|unexpectedly closed")
_IN_CHUNK = re.compile("incomplete chunked read")
_NO_RESPONSE = re.compile("without sending a response")
_QUOTED = re.compile(r"bytearray\(b['\"](.*)['\"]\)")
"""How h11 quotes bytes."""

_TOO_LONG = "too long"
"""Message of h11 about a header block above its limit."""

MAX_HEADER_BYTES = 100 << 10
"""The limit of httpcore for a header block."""

_CONNECT = "Check the host, the port and any firewall."
_CONNECT_TLS = "Check the host, the port, any firewall, and whether the server uses TLS."
_PERHAPS_TLS = (
    "Change the URL to https if the server uses TLS; otherwise check its log: it may have crashed."
)


_AFTER_RESPONSE = (
    "Check the log of the server for a crash. If it closes connections after a response, let it send `Connection: close` with that response: "
    "this connection had carried one before."
)


class FailedPeer(NamedTuple):
    """The server or the proxy of the connection that failed."""

    name: str
    """The origin of the server, or the proxy."""
    url: str
    """URL of the request."""
    proxy: Proxy | None
    """The proxy, when the connection to it failed."""

    def hint(self, of_server: str) -> str:
        """Return the hint about the proxy, or `of_server` for a server."""
        return self.proxy.hint if self.proxy is not None else of_server


HTTPX_ERRORS = (httpx.HTTPError, httpx.InvalidURL, OSError)
"""What an exchange may raise. httpx does not convert a TLS alert that arrives after the handshake: it is an `OSError`."""


def map_error(
    error: Exception, url: str, start: ResponseStart, proxy: Proxy | None = None
) -> TransportError:
    """Return the error of a request to `url` through `proxy`; `start` is what was received instead of a header block."""
    is_proxy = proxy is not None and not start.is_tunneled
    peer = FailedPeer(
        proxy.text if proxy is not None and is_proxy else origin_text(url),
        url,
        proxy if is_proxy else None,
    )
    found = (
        tls.alert_error(_causes(error), peer.name)
        or _connect_error(error, peer, proxy)
        or _protocol_error(error, peer, start)
        or _exchange_error(error, peer, start)
    )
    if found is not None:
        return found
    return ConnectionLost(f"HTTP request to {peer.name} failed: {_reason(error)}")


def is_unreachable(error: TransportError) -> bool:
    """Return whether no connection could be made, to the server or to the proxy."""
    return isinstance(error.__cause__, httpx.ConnectError | httpx.ConnectTimeout)


def _connect_error(
    error: Exception, peer: FailedPeer, proxy: Proxy | None
) -> TransportError | None:
    if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
        return ConnectFailed(
            f"connection to {peer.name} timed out",
            hint=peer.hint(_CONNECT_TLS if peer.url.startswith("https:") else _CONNECT),
        )
    if isinstance(error, httpx.ProxyError):
        return _proxy_error(proxy, _reason(error), peer.url)
    if isinstance(error, httpx.ConnectError):
        return _unreachable(error, peer)
    if isinstance(error, httpx.UnsupportedProtocol | httpx.LocalProtocolError | httpx.InvalidURL):
        reason = f"cannot send the request to {peer.name}: {_reason(error)}"
        return ConnectFailed(reason, is_of_settings=True)
    return None


def _proxy_error(proxy: Proxy | None, reason: str, url: str) -> ConnectFailed:
    name = proxy.text if proxy is not None and proxy.named_by else "the proxy"
    hint, host = "Check the proxy." if proxy is None else proxy.hint, origin(url)[1]
    where = proxy.named_by if proxy is not None and proxy.named_by else "the proxy"
    if reason.startswith("407"):
        has_user = proxy is not None and "@" in proxy.url
        verb = "Fix user name and password in" if has_user else "Add user name and password to"
        hint = f"{verb} the URL of {where}: http://USER:PASSWORD@HOST:PORT."
    elif reason.startswith(("403", "451")):
        hint = f"Request access to {host} from the proxy, or reach the server without it."
    elif reason.startswith(("400", "404", "405", "501")):
        hint = f"Check the URL of {where}: what responds there makes no tunnels, so it is no proxy for https."
    elif reason.startswith("5"):
        hint = f"Check the host name and port of the URL: the proxy cannot reach {host}."
    return ConnectFailed(f"rejected by {name}: {reason}", hint=hint)


def _unreachable(error: Exception, peer: FailedPeer) -> ConnectFailed:
    host = origin(peer.url)[1]
    for cause in _causes(error):
        if isinstance(cause, socket.gaierror):
            reason = f"cannot resolve host of {peer.name}: {cause.strerror}"
            return ConnectFailed(reason, hint=peer.hint(_unresolved_hint(host)))
        if isinstance(cause, ssl.SSLCertVerificationError):
            return tls.verification_error(cause, peer.name)
        if isinstance(cause, ssl.SSLError):
            is_proxy = peer.proxy is not None
            return tls.handshake_error(cause, peer.name, is_proxy=is_proxy)
        if isinstance(cause, ConnectionRefusedError):
            reason = f"{peer.name} refused the connection"
            return ConnectFailed(reason, hint=peer.hint(_refused_hint(host)))
    return ConnectFailed(
        f"cannot reach {peer.name}: {_reason(error)}", hint=peer.hint("Check the host and port.")
    )


def _unresolved_hint(host: str) -> str:
    if host.endswith(".docker.internal"):
        return f"Use localhost in the URL: {host} resolves inside containers only."
    if "." not in host and host:
        return "Check the host name. Names of containers resolve inside their network only; from outside, use localhost and the published port."
    return "Check the host name and the network."


def _refused_hint(host: str) -> str:
    if host in {"0.0.0.0", "::"}:
        return f"Use localhost in the URL: {host} is for listening only. Check that the server is running and the port is correct."
    running = "Check that the server is running and the port is correct"
    if host == "::1":
        return f"{running}; if it listens on IPv4 only, use 127.0.0.1."
    if host == "127.0.0.1":
        return f"{running}; if it listens on IPv6 only, use [::1]."
    return f"{running}."


def _protocol_error(
    error: Exception, peer: FailedPeer, start: ResponseStart
) -> TransportError | None:
    """Return the error of a response that is not HTTP/1.1, or of a header block that is too long."""
    if not isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError):
        return None
    if start.is_reused and _NO_HTTP.search(str(error)):
        return ConnectionLost(
            f"{peer.name} sent more than the `Content-Length` of its response before: the rest is in the place of a status line",
            hint="Let the server send the right `Content-Length`.",
        )
    if not start.data:
        return None
    name = protocols.name_of(start.data)
    if name == protocols.TLS:
        return ConnectionLost(f"{peer.name} responds in TLS", hint=protocols.hint_for(name))
    if _TOO_LONG in str(error):
        return ConnectionLost(
            f"{peer.name} sends more than {MAX_HEADER_BYTES >> 10} KB of headers",
            hint="Let the server send fewer or shorter headers.",
        )
    if start.data.startswith(b"HTTP/1"):
        return None
    protocol = f"responds in {name}, not in HTTP/1.1" if name else "does not respond in HTTP/1.1"
    return ConnectionLost(
        f"{peer.name} {protocol}: {excerpt(start.data)}", hint=peer.hint(protocols.hint_for(name))
    )


def _exchange_error(
    error: Exception, peer: FailedPeer, start: ResponseStart
) -> TransportError | None:
    reason = _reason(error)
    if isinstance(error, httpx.RemoteProtocolError) and not _DISCONNECTED.search(reason):
        return ConnectionLost(
            f"{peer.name} sent an invalid HTTP response: {_h11_text(reason, start)}",
            hint="Fix the HTTP response of the server, or of the proxy in front of it.",
        )
    if isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError):
        text = f"{peer.name} closed the connection{_closed_text(reason, start)}"
        return ConnectionLost(text, hint=_closed_hint(reason, peer, start))
    if isinstance(error, httpx.TimeoutException):
        return ConnectionLost(f"{peer.name} timed out: {reason}")
    return None


def _closed_text(reason: str, start: ResponseStart) -> str:
    """Return where in the response the connection was closed, or the reason of the system."""
    if _NO_RESPONSE.search(reason):
        return " in the middle of the headers" if start.data else " without a response"
    if _IN_CHUNK.search(reason):
        return " in the middle of the body: the last chunk is missing"
    return " before the end of the body" if _IN_BODY.search(reason) else f": {reason}"


def _closed_hint(reason: str, peer: FailedPeer, start: ResponseStart) -> str:
    if _IN_BODY.search(reason):
        return "Check the log of the server: it ended the response early, or its `Content-Length` or chunks do not fit the body."
    if peer.proxy is not None:
        return peer.proxy.hint
    if start.is_reused and not start.data:
        return _AFTER_RESPONSE
    if peer.url.startswith("http:") and not start.is_known:
        return _PERHAPS_TLS
    return "Check the log of the server: it may have crashed, or a proxy in between ended the connection."


def _h11_text(message: str, start: ResponseStart) -> str:
    """Return a message of h11 without Python notation, with the status line when that is invalid."""
    found = _QUOTED.search(message)
    if found:
        quoted = found[1].encode().decode("unicode_escape", "replace").strip()
        return mask_urls(f"{message[: found.start()]}{quoted}")
    line = start.data.split(b"\n", 1)[0]
    return f"{message} (“{excerpt(line)}”)" if line and _NO_HTTP.search(message) else message


def _reason(error: Exception) -> str:
    """Return the message of an error, or of what caused it."""
    for cause in _causes(error):
        system = cause.strerror if isinstance(cause, OSError) else None
        if message := (system or str(cause)).strip().rstrip("."):
            return mask_urls(message)
    return "closed without data"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and everything that caused it."""
    pending: list[BaseException | None] = [error]
    seen: set[int] = set()
    while pending:
        cause = pending.pop(0)
        if cause is None or id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        pending += [cause.__cause__, cause.__context__]
        if isinstance(cause, BaseExceptionGroup):
            pending += cast("BaseExceptionGroup[BaseException]", cause).exceptions
