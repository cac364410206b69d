"""URL, headers and files of an HTTP connection, validated before anything is sent; and who else can read or reach it."""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING, cast
from urllib.parse import SplitResult, urlsplit

from inspector.errors import ConnectFailed, Hint
from inspector.frozen import FrozenStruct
from inspector.spec.keys import HEADER_LAST_EVENT_ID, HEADER_PROTOCOL_VERSION, HEADER_SESSION_ID
from inspector.wire.redaction import mask_urls

if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT_PORTS = {"http": 80, "https": 443}

MAX_PORT = 65_535
MAX_PORT_DIGITS = 5

LOOPBACK = ("localhost", "127.0.0.1", "::1")

TRANSPORT_HEADERS = {
    name.lower()
    for name in (
        *("Accept", "Content-Type", "Content-Length", "Transfer-Encoding", "Connection"),
        *(HEADER_SESSION_ID, HEADER_PROTOCOL_VERSION, HEADER_LAST_EVENT_ID),
    )
}
"""Headers that the transport sets; other values would break it."""

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_UNSENDABLE = re.compile(r"[^\t\x20-\x7e]")


class HttpConfig(FrozenStruct, frozen=True):
    """How a server is reached over HTTP."""

    url: str
    """With scheme and host."""
    headers: tuple[tuple[str, str], ...] = ()
    """Headers that the user set, sent with every request."""
    verify: bool = True
    """True: the certificate of the server must be trusted."""
    ca_file: str = ""
    """CA file, in addition to the certificates of the system."""
    client_cert: str = ""
    """PEM file with the client certificate and its key."""
    proxy: str = ""
    """URL of the proxy; empty: as in the environment."""
    left_out: tuple[str, ...] = ()
    """Names of headers that the user set and that are not sent, because the transport sets them."""

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host and port."""
        return origin(self.url)


def is_loopback(host: str) -> bool:
    """Return whether a host is this computer, by its name or IP address; nothing is resolved."""
    host = host.lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def origin(url: str) -> tuple[str, str, int]:
    """Return scheme, host and port of a URL."""
    parts = urlsplit(url)
    port = parts.port or DEFAULT_PORTS.get(parts.scheme, 0)
    return parts.scheme.lower(), (parts.hostname or "").lower(), port


def origin_text(url: str) -> str:
    """Return scheme, host and port as in a URL; the scheme alone without a host."""
    scheme, host, port = origin(url)
    written = f"[{host}]" if ":" in host else host
    is_default = DEFAULT_PORTS.get(scheme) == port
    return f"{scheme}://{written}{'' if is_default or not port else f':{port}'}"


def mask_typed_url(url: str) -> str:
    """Return a URL that a user typed, perhaps without its scheme, with its secrets masked."""
    if "://" in url:
        return mask_urls(url)
    return mask_urls(f"http://{url}").removeprefix("http://")


def authority_of(url: str) -> str:
    """Return the part of a URL between `//` and the path."""
    return re.split(r"[/?#]", url.partition("://")[2], maxsplit=1)[0]


def defect(url: str) -> str:
    """Return why `urlsplit` rejects a URL; its own messages may quote a part of the password."""
    authority = authority_of(url)
    found = re.search(r":([^:\]]*)$", authority)
    port = found[1] if found is not None else ""
    is_number = re.fullmatch("[0-9]*", port) is not None
    is_valid = is_number and (len(port) <= MAX_PORT_DIGITS and int(port or 0) <= MAX_PORT)
    # A number is a port, also where an `@` follows in the path; anything else is the first part of a password then.
    may_be_password = (is_valid or not is_number) and not authority.startswith("[")
    if may_be_password and "@" in url and "@" not in authority:
        return "a `/`, `?` or `#` in a user name or password must be written as %2F, %3F or %23"
    if not is_valid:
        return f"the port is not a number from 1 to {MAX_PORT}"
    return "the host is not valid"


def with_credentials_of(url: str, configured: str) -> str:
    """Return `url`, which a server chose, with user name and password of `configured`: those in the URL of a server are never sent."""
    parts = urlsplit(url)
    user, host = urlsplit(configured).netloc.rpartition("@")[0], parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{user}@{host}" if user else host).geturl()


def check(url: str, headers: Iterable[tuple[str, str]]) -> HttpConfig:
    """Validate a URL and headers as the user typed them.

    Raises:
        ConnectFailed: the URL or a header is invalid.
    """
    pairs = tuple(headers)
    url = url.strip()
    _check_url(url)
    problems = [text for name, value in pairs if (text := _header_problem(name, value))]
    if problems:
        hint = Hint("Fix the headers of this server.", cli="Correct the value of --header.")
        raise ConnectFailed("; ".join(problems), hint=hint, is_of_settings=True)
    return HttpConfig(
        url,
        tuple((name, value) for name, value in pairs if name.lower() not in TRANSPORT_HEADERS),
        left_out=tuple(name for name, _ in pairs if name.lower() in TRANSPORT_HEADERS),
    )


def _check_url(url: str) -> None:
    if not url:
        raise ConnectFailed("no URL", hint="Enter the URL of the server.", is_of_settings=True)
    try:
        parts = urlsplit(url)
        has_port = parts.port != 0
    except ValueError:
        reason = f"invalid URL {mask_typed_url(url)}: {defect(url)}"
        raise ConnectFailed(reason, hint="Fix the URL.", is_of_settings=True) from None
    if not has_port:
        reason = f"invalid URL {mask_typed_url(url)}: port 0 cannot be connected to"
        raise ConnectFailed(reason, hint="Fix the URL.", is_of_settings=True)
    if parts.scheme.lower() not in DEFAULT_PORTS or not parts.hostname:
        reason = f"{mask_typed_url(url)} is not an HTTP URL"
        raise ConnectFailed(reason, hint=_url_hint(url, parts), is_of_settings=True)


def _url_hint(url: str, parts: SplitResult) -> str:
    if "//" not in url:
        local = url.startswith(LOOPBACK)
        return f"Write {'http' if local else 'https'}://{mask_typed_url(url)}"
    if parts.scheme.lower() in DEFAULT_PORTS:
        return "The host name is missing."
    return "A URL starts with http:// or https://."


def _header_problem(name: str, value: str) -> str:
    if not _TOKEN.fullmatch(name):
        return f"invalid header name {name!r}"
    found = _UNSENDABLE.search(value)
    if found is None:
        return ""
    character = {"\n": "a line break", "\r": "a line break"}.get(found[0], repr(found[0]))
    return f"header {name} contains {character}, which is not allowed"


def is_readable(config: HttpConfig) -> bool:
    """Return whether others can read the connection: there is no TLS, and the server is on another host."""
    scheme, host, _ = config.origin
    return scheme == "http" and not is_loopback(host)


def network_address(local: object, remote: object) -> str:
    """Return the network address at which a server on this computer was reached, from both addresses of a connection; else an empty string."""
    host = _host(remote)
    return host if host == _host(local) and host and not is_loopback(host) else ""


def _host(end: object) -> str:
    """Return the IP address of a socket address, which is a tuple for TCP; else an empty string."""
    host = next(iter(cast("tuple[object, ...]", end)), "") if isinstance(end, tuple) else ""
    try:
        address = ipaddress.ip_address(str(host).partition("%")[0])
    except ValueError:
        return ""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)
