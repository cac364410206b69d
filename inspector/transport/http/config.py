"""Where an HTTP connection leads and what it carries, checked before anything is sent."""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING, cast
from urllib.parse import SplitResult, urlsplit

from inspector.errors import ConnectFailed, Hint
from inspector.fact import Fact
from inspector.spec.headers import LAST_EVENT_ID, PROTOCOL_VERSION, SESSION_ID
from inspector.wire.secrecy import mask_addresses

if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT_PORTS = {"http": 80, "https": 443}

LOOPBACK = ("localhost", "127.0.0.1", "::1")

TRANSPORT_HEADERS = {
    name.lower()
    for name in (
        *("Accept", "Content-Type", "Content-Length", "Transfer-Encoding", "Connection"),
        *(SESSION_ID, PROTOCOL_VERSION, LAST_EVENT_ID),
    )
}
"""Headers that the transport sets itself; those of a person would break it."""

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_UNSENDABLE = re.compile(r"[^\t\x20-\x7e]")


class HttpConfig(Fact, frozen=True):
    """Where to, and with what."""

    url: str
    """The address, with scheme and host."""
    headers: tuple[tuple[str, str], ...] = ()
    """Headers of the person, sent with every request."""
    verify: bool = True
    """Whether the certificate of the server is checked."""
    ca_file: str = ""
    """File of certificates to trust besides those of the system; empty for none."""
    client_cert: str = ""
    """File with our certificate and its key; empty for none."""
    proxy: str = ""
    """Address of the proxy; empty for what the environment says."""
    left_out: tuple[str, ...] = ()
    """Names of headers of the person that are not sent, because they are ours to set."""

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host and port."""
        return origin(self.url)


def is_loopback(host: str) -> bool:
    """Whether a host is this computer, by its name or address alone."""
    host = host.lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def origin(url: str) -> tuple[str, str, int]:
    """Scheme, host and port of an address."""
    parts = urlsplit(url)
    port = parts.port or DEFAULT_PORTS.get(parts.scheme, 0)
    return parts.scheme.lower(), (parts.hostname or "").lower(), port


def origin_text(url: str) -> str:
    """Scheme, host and port, as a person writes them; the scheme alone where there is no host."""
    scheme, host, port = origin(url)
    shown = f"[{host}]" if ":" in host else host
    usual = DEFAULT_PORTS.get(scheme) == port
    return f"{scheme}://{shown}{'' if usual or not port else f':{port}'}"


def with_credentials_of(url: str, ours: str) -> str:
    """`url`, which a server chose, with user name and password of `ours` alone: those of a server are never sent as ours."""
    parts = urlsplit(url)
    user, host = urlsplit(ours).netloc.rpartition("@")[0], parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{user}@{host}" if user else host).geturl()


def check(url: str, headers: Iterable[tuple[str, str]]) -> HttpConfig:
    """An address that can be used, of a URL and headers as typed.

    Raises:
        ConnectFailed: they cannot be used; the words say what is wrong with each.
    """
    pairs = tuple(headers)
    url = url.strip()
    _check_url(url)
    problems = [words for name, value in pairs if (words := _problem(name, value))]
    if problems:
        hint = Hint("Fix the headers of this server.", cli="Correct the value of --header.")
        raise ConnectFailed("; ".join(problems), remedy=hint)
    return HttpConfig(
        url,
        tuple((name, value) for name, value in pairs if name.lower() not in TRANSPORT_HEADERS),
        left_out=tuple(name for name, _ in pairs if name.lower() in TRANSPORT_HEADERS),
    )


def _check_url(url: str) -> None:
    if not url:
        raise ConnectFailed("no URL", remedy="Enter the URL of the server.")
    try:
        parts = urlsplit(url)
        if parts.port == 0:
            raise ValueError("port 0 cannot be connected to")
    except ValueError as error:
        words = f"invalid URL {mask_addresses(url)}: {mask_addresses(str(error))}"
        raise ConnectFailed(words, remedy="Fix the URL.") from None
    if parts.scheme.lower() not in DEFAULT_PORTS or not parts.hostname:
        words = f"{mask_addresses(url)} is not an HTTP URL"
        raise ConnectFailed(words, remedy=_url_remedy(url, parts))


def _url_remedy(url: str, parts: SplitResult) -> str:
    if "//" not in url:
        local = url.startswith(LOOPBACK)
        return f"Write {'http' if local else 'https'}://{mask_addresses(url)}"
    if parts.scheme.lower() in DEFAULT_PORTS:
        return "The host name is missing."
    return "A URL starts with http:// or https://."


def _problem(name: str, value: str) -> str:
    if not _TOKEN.fullmatch(name):
        return f"invalid header name {name!r}"
    found = _UNSENDABLE.search(value)
    if found is None:
        return ""
    character = {"\n": "a line break", "\r": "a line break"}.get(found[0], repr(found[0]))
    return f"header {name} contains {character}, which is not allowed"


def is_readable(address: HttpConfig) -> bool:
    """Whether others can read what is sent to an address."""
    scheme, host, _ = address.origin
    return scheme == "http" and not is_loopback(host)


def network_address(ours: object, theirs: object) -> str:
    """The address of the network by which a server on this computer was reached, of the two ends of a connection; empty for any other."""
    one, other = _host(ours), _host(theirs)
    return other if one == other and other and not is_loopback(other) else ""


def _host(end: object) -> str:
    """The address of one end, which is a tuple of address and port, or something else where there is no such."""
    host = next(iter(cast("tuple[object, ...]", end)), "") if isinstance(end, tuple) else ""
    try:
        address = ipaddress.ip_address(str(host).partition("%")[0])
    except ValueError:
        return ""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)
