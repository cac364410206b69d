"""Failures of HTTP in words: what happened, and what to do about it. The only place where errors of httpx are read."""

from __future__ import annotations

import re
import socket
import ssl
from typing import TYPE_CHECKING, cast

import httpx

from inspector.errors import ConnectFailed, ConnectionLost, HttpStatus, TransportError
from inspector.transport.http.address import origin_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.transport.http.answer import Answer

EXCERPT = 400
"""Characters shown of a body."""

_REMEDIES = {
    401: "The server wants authorization: add the header it asks for.",
    403: "The server refuses: check the authorization, and whether it takes requests from here.",
    404: "Check the path of the URL.",
    405: "Nothing at this address takes such requests: check the path of the URL.",
    407: "The proxy wants authorization.",
    413: "The request is too large for this server.",
    429: "The server is asked too often; wait before the next try.",
    431: "The headers are too large for this server.",
}


def lost(error: httpx.HTTPError | httpx.InvalidURL, url: str) -> TransportError:
    """What `error` means for a request to `url`."""
    for make in (_of_connecting, _of_the_exchange):
        found = make(error, url)
        if found is not None:
            return found
    return ConnectionLost(f"the HTTP exchange with {origin_words(url)} failed: {_said(error)}")


def _of_connecting(error: Exception, url: str) -> TransportError | None:
    where = origin_words(url)
    if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
        return ConnectFailed(
            f"no connection to {where} in time",
            remedy="Check host and port, and whether a firewall is in between.",
        )
    if isinstance(error, httpx.ProxyError):
        return ConnectFailed(f"the proxy refused: {_said(error)}", remedy="Check the proxy.")
    if isinstance(error, httpx.ConnectError):
        return _unreachable(error, where)
    if isinstance(error, httpx.UnsupportedProtocol | httpx.LocalProtocolError | httpx.InvalidURL):
        return ConnectFailed(f"the request to {where} cannot be sent: {_said(error)}")
    return None


def _unreachable(error: Exception, where: str) -> ConnectFailed:
    for cause in _causes(error):
        if isinstance(cause, socket.gaierror):
            words = f"the host of {where} has no known address: {cause.strerror}"
            return ConnectFailed(words, remedy="Check the name of the host, and the network.")
        if isinstance(cause, ssl.SSLCertVerificationError):
            words = f"the certificate of {where} is not trusted: {cause.verify_message}"
            return ConnectFailed(
                words,
                remedy="Name the file of its certificate authority, or let this server go unchecked.",
            )
        if isinstance(cause, ssl.SSLError):
            words = f"no secure connection to {where}: {cause.reason or cause}"
            return ConnectFailed(
                words, remedy="If the server has no TLS, the URL begins with http."
            )
        if isinstance(cause, ConnectionRefusedError):
            words = f"{where} refused the connection"
            return ConnectFailed(words, remedy="Is the server running, and is the port right?")
    return ConnectFailed(
        f"{where} cannot be reached: {_said(error)}", remedy="Check host and port."
    )


def _of_the_exchange(error: Exception, url: str) -> TransportError | None:
    if isinstance(error, httpx.DecodingError):
        return ConnectionLost(f"the body is not compressed as its head says: {_said(error)}")
    if isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError):
        return ConnectionLost(f"{origin_words(url)} cut the connection: {_said(error)}")
    if isinstance(error, httpx.TimeoutException):
        return ConnectionLost(f"{origin_words(url)} took too long: {_said(error)}")
    return None


def _said(error: Exception) -> str:
    return str(error).strip().rstrip(".") or type(error).__name__


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


def of_status(answer: Answer, body: bytes, *, unwanted: str = "") -> HttpStatus:
    """An answer that carries no usable message; `unwanted` says what is wrong with one whose status is good."""
    parts = [f"HTTP {answer.status} {answer.reason}".strip()]
    if unwanted:
        parts.append(unwanted)
    for status, header, words in _TELLING:
        value = answer.headers.get(header)
        if value and (not status or answer.status in status):
            parts.append(words.format(value=value, seconds=" s" if value.isdigit() else ""))
    said = excerpt(body)
    if said:
        parts.append(f"{answer.media_type or 'a body of no type'}: {said}")
    remedy = _REMEDIES.get(answer.status, "")
    return HttpStatus("; ".join(parts), status=answer.status, remedy=remedy)


_TELLING = (
    ((401, 403), "www-authenticate", "it asks for {value}"),
    ((), "retry-after", "it wants to be asked again after {value}{seconds}"),
    ((405,), "allow", "it allows {value}"),
)
"""Headers that explain: with which statuses, all when none are named, and in which words."""


def excerpt(body: bytes) -> str:
    """The beginning of a body as text in one line."""
    text = re.sub(r"\s+", " ", body[: EXCERPT * 4].decode("utf-8", "replace")).strip()
    return text if len(text) <= EXCERPT else text[: EXCERPT - 1] + "…"
