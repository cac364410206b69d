"""Failures of connections and exchanges in words: what happened, and what to do about it. The only place where errors of httpx are read."""

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
from inspector.wire.secrecy import mask_addresses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.transport.http.header_recorder import ResponseStart
    from inspector.transport.http.proxies import Proxy

_NO_HTTP = re.compile("illegal (?:status|request) line|no request line")
"""What h11 says when something else than HTTP/1.1 comes back; it speaks of requests even where it reads an answer."""


_DISCONNECTED = re.compile("disconnected|closed connection")
"""What h11 and httpcore say of a connection that was closed too early."""

_IN_THE_BODY = re.compile("complete message body|unexpectedly closed")
_QUOTED = re.compile(r"bytearray\(b['\"](.*)['\"]\)")
"""How h11 quotes bytes."""

_TOO_LONG = "too long"
"""What h11 says of a head above its limit."""

MAX_HEADER_BYTES = 100 << 10
"""The limit of httpcore for a head."""

_CONNECT = "Check the host, the port and any firewall."
_CONNECT_TLS = "Check the host, the port, any firewall, and whether the server uses TLS."
_PERHAPS_TLS = "Check the log of the server; if it uses TLS, change the URL to https."


class Party(NamedTuple):
    """Who is at the other end of the connection that failed."""

    name: str
    """Its origin, or the proxy."""
    url: str
    """Where the request was to go."""
    proxy: Proxy | None
    """The proxy, if it is that."""

    def hint(self, of_server: str) -> str:
        """What to do: check the proxy where it is one, otherwise `of_server`."""
        return self.proxy.remedy if self.proxy is not None else of_server


HTTPX_ERRORS = (httpx.HTTPError, httpx.InvalidURL, OSError)
"""What an exchange may raise. An alert of TLS that comes after the handshake is passed on by httpx as it is, an `OSError`."""


def map_error(
    error: Exception, url: str, heard: ResponseStart, proxy: Proxy | None = None
) -> TransportError:
    """What `error` means for a request to `url`, by way of `proxy`; `heard` is what came in the place of a head."""
    is_of_proxy = proxy is not None and not heard.is_tunneled
    party = Party(
        proxy.text if proxy is not None and is_of_proxy else origin_text(url),
        url,
        proxy if is_of_proxy else None,
    )
    found = (
        tls.of_alert(_causes(error), party.name)
        or _of_connecting(error, party, proxy)
        or _of_bytes(error, party, heard)
        or _of_the_exchange(error, party, heard)
    )
    if found is not None:
        return found
    return ConnectionLost(f"HTTP request to {party.name} failed: {_reason(error)}")


def is_unreachable(error: TransportError) -> bool:
    """Whether nobody was there: no connection could be made, by way of a proxy or without."""
    return isinstance(error.__cause__, httpx.ConnectError | httpx.ConnectTimeout)


def _of_connecting(error: Exception, party: Party, proxy: Proxy | None) -> TransportError | None:
    if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
        return ConnectFailed(
            f"connection to {party.name} timed out",
            remedy=party.hint(_CONNECT_TLS if party.url.startswith("https:") else _CONNECT),
        )
    if isinstance(error, httpx.ProxyError):
        return _refused_by(proxy, _reason(error), party.url)
    if isinstance(error, httpx.ConnectError):
        return _unreachable(error, party)
    if isinstance(error, httpx.UnsupportedProtocol | httpx.LocalProtocolError | httpx.InvalidURL):
        return ConnectFailed(f"cannot send the request to {party.name}: {_reason(error)}")
    return None


def _refused_by(proxy: Proxy | None, said: str, url: str) -> ConnectFailed:
    name = proxy.text if proxy is not None and proxy.named_by else "the proxy"
    remedy, host = "Check the proxy." if proxy is None else proxy.remedy, origin(url)[1]
    if said.startswith("407"):
        where = proxy.named_by if proxy is not None and proxy.named_by else "the proxy"
        has_user = proxy is not None and "@" in proxy.url
        verb = "Fix user name and password in" if has_user else "Add user name and password to"
        remedy = f"{verb} the URL of {where}: http://USER:PASSWORD@HOST:PORT."
    elif said.startswith(("403", "405", "451")):
        remedy = f"Request access to {host} from the proxy, or reach the server without it."
    elif said.startswith("5"):
        remedy = f"Check the host name and port of the URL: the proxy cannot reach {host}."
    return ConnectFailed(f"rejected by {name}: {said}", remedy=remedy)


def _unreachable(error: Exception, party: Party) -> ConnectFailed:
    host = origin(party.url)[1]
    for cause in _causes(error):
        if isinstance(cause, socket.gaierror):
            words = f"cannot resolve host of {party.name}: {cause.strerror}"
            return ConnectFailed(words, remedy=party.hint(_unknown_host(host)))
        if isinstance(cause, ssl.SSLCertVerificationError):
            return tls.of_verification(cause, party.name)
        if isinstance(cause, ssl.SSLError):
            is_proxy = party.proxy is not None
            return tls.of_handshake(cause, party.name, is_proxy=is_proxy)
        if isinstance(cause, ConnectionRefusedError):
            words = f"{party.name} refused the connection"
            return ConnectFailed(words, remedy=party.hint(_nobody_listens(host)))
    return ConnectFailed(
        f"cannot reach {party.name}: {_reason(error)}",
        remedy=party.hint("Check the host and port."),
    )


def _unknown_host(host: str) -> str:
    if host.endswith(".docker.internal"):
        return f"Use localhost in the URL: {host} resolves inside containers only."
    if "." not in host and host:
        return "Check the host name. Names of containers resolve inside their network only; from outside, use localhost and the published port."
    return "Check the host name and the network."


def _nobody_listens(host: str) -> str:
    if host in {"0.0.0.0", "::"}:
        return f"Use localhost in the URL: {host} is an address to listen at. Check that the server is running and the port is correct."
    running = "Check that the server is running and the port is correct"
    if host == "::1":
        return f"{running}; if it listens on IPv4 only, use 127.0.0.1."
    if host == "127.0.0.1":
        return f"{running}; if it listens on IPv6 only, use [::1]."
    return f"{running}."


def _of_bytes(error: Exception, party: Party, heard: ResponseStart) -> TransportError | None:
    """A response that is no HTTP/1.1, or a head that does not end."""
    if not isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError):
        return None
    if heard.is_reused and _NO_HTTP.search(str(error)):
        return ConnectionLost(
            f"{party.name} sent more than the `Content-Length` of its response before: the rest is in the place of a status line",
            remedy="Let the server send the right `Content-Length`.",
        )
    if not heard.data:
        return None
    name = protocols.name_of(heard.data)
    if name == protocols.TLS:
        return ConnectionLost(f"{party.name} responds in TLS", remedy=protocols.hint_for(name))
    if _TOO_LONG in str(error):
        return ConnectionLost(
            f"{party.name} sends more than {MAX_HEADER_BYTES >> 10} KB of headers",
            remedy="Let the server send fewer or shorter headers.",
        )
    if heard.data.startswith(b"HTTP/1"):
        return None
    spoken = f"responds in {name}, not in HTTP/1.1" if name else "does not respond in HTTP/1.1"
    return ConnectionLost(
        f"{party.name} {spoken}: {excerpt(heard.data)}",
        remedy=party.hint(protocols.hint_for(name)),
    )


def _of_the_exchange(error: Exception, party: Party, heard: ResponseStart) -> TransportError | None:
    said = _reason(error)
    if isinstance(error, httpx.RemoteProtocolError) and not _DISCONNECTED.search(said):
        return ConnectionLost(
            f"{party.name} sent an invalid HTTP response: {_h11_text(said, heard)}",
            remedy="Fix the HTTP response of the server, or of the proxy in front of it.",
        )
    if isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError):
        return ConnectionLost(
            f"{party.name} closed the connection: {said}", remedy=_cut_hint(said, party, heard)
        )
    if isinstance(error, httpx.TimeoutException):
        return ConnectionLost(f"{party.name} timed out: {said}")
    return None


def _cut_hint(said: str, party: Party, heard: ResponseStart) -> str:
    if _IN_THE_BODY.search(said):
        return "Check the log of the server: it ended the response early, or its `Content-Length` or chunks do not fit the body."
    if party.proxy is not None:
        return party.proxy.remedy
    if party.url.startswith("http:") and not heard.is_known:
        return _PERHAPS_TLS
    return "Check the log of the server: it may have crashed, or a proxy in between ended the connection."


def _h11_text(said: str, heard: ResponseStart) -> str:
    """What h11 says, without the notation of Python; the status line where that is what is wrong."""
    found = _QUOTED.search(said)
    if found:
        shown = found[1].encode().decode("unicode_escape", "replace").strip()
        return mask_addresses(f"{said[: found.start()]}{shown}")
    line = heard.data.split(b"\n", 1)[0]
    return f"{said} (“{excerpt(line)}”)" if line and _NO_HTTP.search(said) else said


def _reason(error: Exception) -> str:
    """What an error says, or else what led to it."""
    for cause in _causes(error):
        system = cause.strerror if isinstance(cause, OSError) else None
        if said := (system or str(cause)).strip().rstrip("."):
            return mask_addresses(said)
    return "closed without data"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and everything that led to it."""
    waiting: list[BaseException | None] = [error]
    seen: set[int] = set()
    while waiting:
        cause = waiting.pop(0)
        if cause is None or id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        waiting += [cause.__cause__, cause.__context__]
        if isinstance(cause, BaseExceptionGroup):
            waiting += cast("BaseExceptionGroup[BaseException]", cause).exceptions
