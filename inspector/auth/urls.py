"""URLs of an authorization: which may be used, the canonical URI of the server, and the URLs of metadata. Pure; never raises.

Source: RFC 8414, section 3; RFC 9728, section 3; RFC 8707, section 2; basic/authorization, "Canonical Server URI"; C-AUT-26, C-AUT-27, C-SEC-07
to C-SEC-12.
"""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from inspector.transport.http.config import is_loopback

if TYPE_CHECKING:
    from urllib.parse import SplitResult

DEFAULT_PORTS = {"http": 80, "https": 443}

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,30}):")

RESOURCE = "oauth-protected-resource"
OAUTH_SERVER = "oauth-authorization-server"
OPENID = "openid-configuration"
"""Names of well-known documents."""


def split(url: str) -> SplitResult | None:
    """Return the parts of a URL with a host; None for anything else."""
    if any(character.isspace() or not character.isprintable() for character in url):
        return None
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.scheme and parts.hostname else None


def is_inner(host: str) -> bool:
    """Whether a host is this machine or a private address; false for a name, which may be either."""
    if is_loopback(host):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_private or address.is_link_local


def is_link_local(host: str) -> bool:
    """Whether a host is an address of the link alone: there, clouds tell their machines secrets."""
    try:
        return ipaddress.ip_address(host).is_link_local
    except ValueError:
        return False


def tolerated(url: str) -> str:
    """Return a URL to be opened that a server wrote with blanks or a fragment, without them."""
    return url.partition("#")[0].strip().replace(" ", "%20")


def host(url: str) -> str:
    """Return the host of a URL, in lower case; empty for what is no URL."""
    parts = split(url)
    return (parts.hostname or "") if parts is not None else ""


def problem(url: str) -> str:
    """Return why nothing may be sent to a URL that a server named; empty if it may."""
    parts = split(url)
    scheme = _SCHEME.match(url)
    if scheme is not None and scheme[1].lower() not in DEFAULT_PORTS:
        return f"its scheme is {scheme[1]}, not https"
    if parts is None:
        return "it is no absolute URL"
    if parts.username is not None or parts.password is not None:
        return "it holds a user name"
    if parts.fragment:
        return "it has a fragment"
    if parts.scheme.lower() == "http" and not is_loopback(parts.hostname or ""):
        return "it is http, and its host is not this machine"
    return ""


def origin(url: str) -> tuple[str, str, int] | None:
    """Scheme, host and port; None for what is no URL."""
    parts = split(url)
    if parts is None:
        return None
    scheme = parts.scheme.lower()
    return scheme, (parts.hostname or "").lower(), parts.port or DEFAULT_PORTS.get(scheme, 0)


def base(url: str) -> str:
    """Return a URL without path, query and fragment; empty for what is no URL."""
    parts = split(url)
    return f"{parts.scheme}://{_host_and_port(parts)}" if parts is not None else ""


def canonical(url: str) -> str:
    """Return the URI of a server: scheme and host in lower case, no fragment, no user, no slash that stands for an empty path."""
    parts = split(url)
    if parts is None:
        return url
    path = "" if parts.path == "/" and not parts.query else parts.path
    return urlunsplit((parts.scheme.lower(), _host_and_port(parts), path, parts.query, ""))


def covers(resource: str, server_url: str) -> bool:
    """Whether a resource is the server, or a path above it on the same origin."""
    theirs, ours = split(canonical(resource)), split(canonical(server_url))
    if theirs is None or ours is None or origin(resource) != origin(server_url):
        return False
    if theirs.query and theirs.query != ours.query:
        return False
    path = theirs.path.rstrip("/")
    return not path or ours.path == path or ours.path.startswith(f"{path}/")


def resource_metadata_urls(server_url: str) -> tuple[str, ...]:
    """Return the default URLs of the metadata of a server, in the order of requests (C-AUT-04)."""
    parts = split(server_url)
    if parts is None:
        return ()
    root = f"{base(server_url)}/.well-known/{RESOURCE}"
    path = parts.path if parts.path != "/" else ""
    if not path:
        return (root,)
    query = f"?{parts.query}" if parts.query else ""
    return (f"{root}{path}{query}", root)


def server_metadata_urls(issuer: str) -> tuple[str, ...]:
    """Return the default URLs of the metadata of an authorization server, in the order of requests (C-AUT-06)."""
    parts, root = split(issuer), base(issuer)
    if parts is None:
        return ()
    path = parts.path.rstrip("/")
    inserted = (f"{root}/.well-known/{OAUTH_SERVER}{path}", f"{root}/.well-known/{OPENID}{path}")
    return (*inserted, f"{root}{path}/.well-known/{OPENID}") if path else inserted


def without_query(url: str) -> str:
    """Return a URL without query and fragment, for proofs and errors."""
    return url.partition("#")[0].partition("?")[0]


def difference(one: str, other: str) -> str:
    """Return where two URLs start to differ, as a clause; empty if they are equal."""
    if one == other:
        return ""
    if one.rstrip("/") == other.rstrip("/"):
        return "they differ only in a slash at the end"
    at = next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    return f"they differ from character {at + 1} on"


def repair(named: str, actual: str) -> str:
    """Return the hint for the author of a server whose document has the URL `named` instead of the `actual` one."""
    theirs, ours = split(named), split(actual)
    if theirs is None or ours is None:
        return f"The document must name {actual}."
    if theirs.hostname != ours.hostname:
        return "Set the public URL of the server, or let the proxy in front of it forward the host (X-Forwarded-Host)."
    if theirs.scheme != ours.scheme:
        return "Set the public URL of the server, or let the proxy in front of it forward the scheme (X-Forwarded-Proto)."
    if origin(named) != origin(actual):
        return "Set the public URL of the server, with its port."
    if theirs.path.rstrip("/") == ours.path.rstrip("/"):
        return "Write both URLs with the slash at the end, or both without it."
    return f"The document that is served for this path must name {actual}."


def _host_and_port(parts: SplitResult) -> str:
    host = (parts.hostname or "").lower()
    name = f"[{host}]" if ":" in host else host
    port = parts.port
    usual = DEFAULT_PORTS.get(parts.scheme.lower())
    return name if port is None or port == usual else f"{name}:{port}"
