"""Failures of connections and exchanges in words: what happened, and what to do about it. The only place where errors of httpx are read."""

from __future__ import annotations

import re
import socket
import ssl
from typing import TYPE_CHECKING, cast

import httpx

from inspector.errors import ConnectFailed, ConnectionLost, Hint, TransportError
from inspector.transport.http.address import origin_words
from inspector.transport.http.statuses import excerpt
from inspector.wire.secrecy import mask_addresses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.transport.http.proxies import Proxy

_NO_HTTP = re.compile("illegal (?:status|request) line|no request line")
"""What h11 says when something else than HTTP/1.1 comes back; it speaks of requests even where it reads an answer."""


_TLS = re.compile(rb"[\x14-\x17]\x03[\x00-\x04]")
"""How a record of TLS begins."""

_TOO_LONG = "too long"
"""What h11 says of a head above its limit."""

HEAD_BYTES = 100 << 10
"""The limit of httpcore for a head."""

_ONLY_HTTP = "Check the port, and whether the server speaks HTTP/2 alone: Spyglass speaks HTTP/1.1."
_PERHAPS_TLS = "Check the log of the server; if it uses TLS, change the URL to https."

FOREIGN = (httpx.HTTPError, httpx.InvalidURL, OSError)
"""What an exchange may raise. An alert of TLS that comes after the handshake is passed on by httpx as it is, an `OSError`."""

NOT_TRUSTED = Hint(
    "Name the file of its certificate authority, or turn off “Verify certificates” for this server.",
    cli="Name the file of its certificate authority with --ca, or do not verify it with --insecure.",
)


def lost(
    error: Exception, url: str, *, proxy: Proxy | None = None, heard: bytes = b""
) -> TransportError:
    """What `error` means for a request to `url`, by way of `proxy`; `heard` is what came in the place of a head."""
    found = (
        _of_alert(error, url)
        or _of_connecting(error, url, proxy)
        or _of_bytes(error, url, heard)
        or _of_the_exchange(error, url)
    )
    if found is not None:
        return found
    return ConnectionLost(f"the HTTP exchange with {origin_words(url)} failed: {_said(error)}")


def is_unreachable(error: TransportError) -> bool:
    """Whether nobody was there: no connection could be made, by way of a proxy or without."""
    return isinstance(error.__cause__, httpx.ConnectError | httpx.ConnectTimeout)


def _of_connecting(error: Exception, url: str, proxy: Proxy | None) -> TransportError | None:
    where = origin_words(url)
    first = proxy.words if proxy is not None else where
    if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
        return ConnectFailed(
            f"no connection to {first} in time",
            remedy=proxy.remedy
            if proxy is not None
            else "Check host and port, and whether a firewall is in between.",
        )
    if isinstance(error, httpx.ProxyError):
        return _refused_by(proxy, _said(error))
    if isinstance(error, httpx.ConnectError):
        return _unreachable(error, where, first, proxy)
    if isinstance(error, httpx.UnsupportedProtocol | httpx.LocalProtocolError | httpx.InvalidURL):
        return ConnectFailed(f"the request to {where} cannot be sent: {_said(error)}")
    return None


def _refused_by(proxy: Proxy | None, said: str) -> ConnectFailed:
    name = proxy.words if proxy is not None and proxy.named_by else "the proxy"
    remedy = "Check the proxy." if proxy is None else proxy.remedy
    if said.startswith("407"):
        where = proxy.named_by if proxy is not None and proxy.named_by else "the proxy"
        remedy = f"Add user name and password to the URL of {where}."
    return ConnectFailed(f"{name} refused: {said}", remedy=remedy)


def _unreachable(error: Exception, where: str, first: str, proxy: Proxy | None) -> ConnectFailed:
    for cause in _causes(error):
        if isinstance(cause, socket.gaierror):
            words = f"the host of {first} has no known address: {cause.strerror}"
            remedy = "Check the name of the host, and the network."
            return ConnectFailed(words, remedy=proxy.remedy if proxy is not None else remedy)
        if isinstance(cause, ssl.SSLCertVerificationError):
            words = f"the certificate of {where} is not trusted: {cause.verify_message}"
            return ConnectFailed(
                words,
                remedy=NOT_TRUSTED,
            )
        if isinstance(cause, ssl.SSLError):
            words = f"no secure connection to {where}: {cause.reason or cause}"
            return ConnectFailed(
                words, remedy="If the server has no TLS, the URL begins with http."
            )
        if isinstance(cause, ConnectionRefusedError):
            words = f"{first} refused the connection"
            remedy = "Check that the server is running, and that the port is right."
            return ConnectFailed(words, remedy=proxy.remedy if proxy is not None else remedy)
    return ConnectFailed(
        f"{first} cannot be reached: {_said(error)}",
        remedy=proxy.remedy if proxy is not None else "Check host and port.",
    )


_ALERTS = (
    (
        ("CERTIFICATE_REQUIRED",),
        "wants a certificate of ours",
        "Name the file of your client certificate.",
    ),
    (
        ("NO_APPLICATION_PROTOCOL",),
        "speaks no HTTP/1.1 (HTTP/2 alone, perhaps), which is all that Spyglass speaks",
        "Let the server, or the proxy in front of it, speak HTTP/1.1 too.",
    ),
    (
        (
            "ALERT_UNKNOWN_CA",
            "ALERT_BAD_CERTIFICATE",
            "ALERT_CERTIFICATE",
            "ALERT_UNSUPPORTED_CERT",
        ),
        "does not take our client certificate",
        "Check which client certificate it wants.",
    ),
)
"""What a server says while the secure connection is made: parts of the alert, in words, and what to do."""


def _of_alert(error: Exception, url: str) -> TransportError | None:
    """An alert of TLS; a server may send it after the connection is made, when we have begun to talk."""
    for cause in _causes(error):
        reason = (cause.reason or "") if isinstance(cause, ssl.SSLError) else ""
        for parts, said, remedy in _ALERTS:
            if any(part in reason for part in parts):
                return ConnectFailed(f"{origin_words(url)} {said} ({reason})", remedy=remedy)
    return None


def _of_bytes(error: Exception, url: str, heard: bytes) -> TransportError | None:
    """A response that is no HTTP/1.1, or a head that does not end."""
    if not heard or not isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError):
        return None
    where = origin_words(url)
    if _TLS.match(heard):
        return ConnectionLost(f"{where} responds in TLS", remedy="Change the URL to https.")
    if _TOO_LONG in str(error):
        return ConnectionLost(
            f"{where} sends more than {HEAD_BYTES >> 10} KB of headers",
            remedy="Let the server send fewer or shorter headers.",
        )
    if heard.startswith(b"HTTP/1"):
        return None
    return ConnectionLost(
        f"{where} answers in something that is no HTTP/1.1: {excerpt(heard)}", remedy=_ONLY_HTTP
    )


def _of_the_exchange(error: Exception, url: str) -> TransportError | None:
    if isinstance(error, httpx.RemoteProtocolError) and _NO_HTTP.search(str(error)):
        return ConnectionLost(
            f"{origin_words(url)} answers in something that is no HTTP/1.1",
            remedy=_ONLY_HTTP,
        )
    if isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError):
        words = f"{origin_words(url)} cut the connection: {_said(error)}"
        return ConnectionLost(words, remedy=_PERHAPS_TLS if url.startswith("http:") else "")
    if isinstance(error, httpx.TimeoutException):
        return ConnectionLost(f"{origin_words(url)} took too long: {_said(error)}")
    return None


def _said(error: Exception) -> str:
    """What an error says, or else what led to it."""
    for cause in _causes(error):
        system = cause.strerror if isinstance(cause, OSError) else None
        if said := (system or str(cause)).strip().rstrip("."):
            return mask_addresses(said)
    return "it ended without a word"


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
