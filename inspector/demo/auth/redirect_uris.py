"""Which redirect URIs a client may register, and which of them it may use.

Source: RFC 8252, 7 and 8.4; OpenID Connect Registration, `application_type`.
"""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from inspector.demo.http_wire import LOOPBACK


def complaint(uri: str, *, is_native: bool) -> str:
    """Why a client must not register this; empty where it may."""
    parts = _parts(uri)
    if parts is None or not parts.scheme or parts.fragment:
        return f"{uri!r} is no absolute URI without a fragment"
    if parts.scheme == "https":
        return "" if parts.hostname else f"{uri!r} names no host"
    if parts.scheme == "http":
        return "" if parts.hostname in LOOPBACK else "http is for loopback addresses only"
    if not is_native:
        return "application_type web takes https URIs and loopback addresses only"
    return "" if "." in parts.scheme else "A private-use scheme is a reversed domain name"


def is_loopback(uri: str) -> bool:
    """Whether it leads to this machine."""
    parts = _parts(uri)
    return parts is not None and parts.scheme == "http" and parts.hostname in LOOPBACK


def matches(uri: str, registered: str, *, any_port: bool) -> bool:
    """Whether `uri` is the registered one; RFC 8252, 7.3: a native client may take any port of the loopback interface."""
    if uri == registered:
        return True
    if not any_port or not (is_loopback(uri) and is_loopback(registered)):
        return False
    first, other = urlsplit(uri), urlsplit(registered)
    return (first.hostname, first.path, first.query) == (other.hostname, other.path, other.query)


def _parts(uri: str) -> SplitResult | None:
    if not uri.isascii() or not uri.isprintable() or " " in uri:
        return None
    try:
        parts = urlsplit(uri)
        _ = parts.port
    except ValueError:
        return None
    return parts
