"""Which proxy a connection goes through, and who named it: the settings of the server, the environment, or the system.

Variables are read as curl and Go read them: `https_proxy` before `HTTPS_PROXY`, then `all_proxy`; never for this computer itself; `no_proxy`
lists hosts, domains and networks. Nothing is refused before a connection needs it.
"""

from __future__ import annotations

import ipaddress
import os
import sys
import urllib.request
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.errors import ConnectFailed, Hint, for_cli
from inspector.fact import Fact
from inspector.transport.http.config import is_loopback, origin_text
from inspector.wire.secrecy import mask_addresses

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.transport.http.config import HttpConfig

USABLE = ("http", "https")
SYSTEM = "the system settings"


class Proxy(Fact, frozen=True):
    """A proxy."""

    url: str
    """Its address, with a scheme."""
    named_by: str = ""
    """The environment variable, or `SYSTEM`; empty where it is set for this server."""

    @property
    def text(self) -> str:
        """What it is, and who named it."""
        shown = origin_text(self.url) if urlsplit(self.url).hostname else mask_addresses(self.url)
        return f"the proxy {shown}{f' ({self.named_by})' if self.named_by else ''}"

    @property
    def remedy(self) -> str:
        """What to do when it does not work."""
        if not self.named_by:
            return Hint("Check the proxy of this server.", cli="Check the URL of --proxy.")
        if self.named_by == SYSTEM:
            check = "Check the proxy in the system settings, or"
            return Hint(f"{check} set one for this server.", cli=f"{check} name one with --proxy.")
        return f"Check {self.named_by}, or add the host of the server to NO_PROXY."


def proxy_for(address: HttpConfig, environ: Mapping[str, str] = os.environ) -> Proxy | None:
    """The proxy for an address; None for a direct connection.

    Raises:
        ConnectFailed: it is needed and cannot be used.
    """
    chosen = Proxy(address.proxy) if address.proxy else _named(address.origin, environ)
    if chosen is None:
        return None
    scheme, _, rest = chosen.url.partition("://")
    if scheme.lower() in USABLE and rest:
        return chosen
    reason = "SOCKS is not supported" if scheme.lower().startswith("socks") else "not an HTTP URL"
    begins = "A proxy URL starts with http:// or https://."
    raise ConnectFailed(
        f"cannot set up the connection: {reason}: {chosen.text}",
        remedy=Hint(f"{chosen.remedy} {begins}", cli=f"{for_cli(chosen.remedy)} {begins}"),
    )


def _named(where: tuple[str, str, int], environ: Mapping[str, str]) -> Proxy | None:
    scheme, host, port = where
    if is_loopback(host):
        return None
    for kind in (scheme, "all"):
        for name in (f"{kind}_proxy", f"{kind.upper()}_PROXY"):
            is_header = name == "HTTP_PROXY" and "REQUEST_METHOD" in environ  # of a CGI request
            value = "" if is_header else environ.get(name, "").strip()
            if value:
                if is_excepted(host, port, environ.get("no_proxy") or environ.get("NO_PROXY", "")):
                    return None
                return Proxy(value if "://" in value else f"http://{value}", name)
    return _of_system(scheme, host) if sys.platform in {"win32", "darwin"} else None


def _of_system(scheme: str, host: str) -> Proxy | None:
    value = urllib.request.getproxies().get(scheme)
    if not value or urllib.request.proxy_bypass(host):
        return None
    return Proxy(value if "://" in value else f"http://{value}", SYSTEM)


def is_excepted(host: str, port: int, listed: str) -> bool:
    """Whether a list such as that of `NO_PROXY` names a host: itself, a domain, a network, with or without a port."""
    return any(_fits(host, port, each.strip().lower()) for each in listed.split(","))


def _fits(host: str, port: int, entry: str) -> bool:
    if entry == "*":
        return True
    if "/" in entry:
        return _is_within(host, entry)
    named, colon, number = entry.rpartition(":")
    if colon and number.isdigit() and (":" not in named or named.startswith("[")):
        if int(number) != port:
            return False
        entry = named
    entry = entry.strip("[]").removeprefix("*").lstrip(".")
    return bool(entry) and (host == entry or host.endswith(f".{entry}"))


def _is_within(host: str, network: str) -> bool:
    address = _address(host)
    try:
        return address is not None and address in ipaddress.ip_network(network, strict=False)
    except ValueError:
        return False


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
