"""Who else can read what a connection carries, or reach its server. It is told in notes, so that a recording shows it too."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, cast

from inspector.transport.http.address import is_loopback

if TYPE_CHECKING:
    from inspector.transport.http.address import HttpConfig


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
