"""The proxy of a connection, from the settings of the server, the environment or the system.

Variables are used as curl and Go use them: `https_proxy` before `HTTPS_PROXY`, then `all_proxy`; never for loopback hosts; `no_proxy`
lists hosts, domains and networks. An invalid value is reported when a connection needs it.
"""

from __future__ import annotations

import ipaddress
import os
import sys
import urllib.request
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.errors import ConnectFailed, Hint, for_cli
from inspector.frozen import FrozenStruct
from inspector.transport.http.config import (
    authority_of,
    defect,
    is_loopback,
    mask_typed_url,
    origin_text,
)
from inspector.wire.redaction import MASK, mask_urls

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.transport.http.config import HttpConfig

USABLE = ("http", "https")
SYSTEM = "the system settings"


class Proxy(FrozenStruct, frozen=True):
    """A proxy."""

    url: str
    """With a scheme."""
    named_by: str = ""
    """The environment variable, or `SYSTEM`; empty when it is set for this server."""

    @property
    def text(self) -> str:
        """Its URL, and where that was set."""
        name = _masked(self.url) if _problem(self.url) else origin_text(self.url)
        return f"the proxy {name}{f' ({self.named_by})' if self.named_by else ''}"

    @property
    def hint(self) -> str:
        """What to do when it does not work."""
        if not self.named_by:
            return Hint("Check the proxy of this server.", cli="Check the URL of --proxy.")
        if self.named_by == SYSTEM:
            check = "Check the proxy in the system settings, or"
            return Hint(f"{check} set one for this server.", cli=f"{check} name one with --proxy.")
        return f"Check {self.named_by}, or add the host of the server to NO_PROXY."


def proxy_for(config: HttpConfig, environ: Mapping[str, str] = os.environ) -> Proxy | None:
    """Return the proxy for a connection; None for a direct one.

    Raises:
        ConnectFailed: the proxy is not usable.
    """
    proxy = Proxy(config.proxy) if config.proxy else _named(config.origin, environ)
    if proxy is None:
        return None
    scheme, _, rest = proxy.url.partition("://")
    if scheme.lower() in USABLE and rest:
        reason = _problem(proxy.url)
        if not reason:
            return proxy
    else:
        is_socks = scheme.lower().startswith("socks")
        reason = "SOCKS is not supported" if is_socks else "not an HTTP URL"
    begins = "A proxy URL starts with http:// or https://."
    raise ConnectFailed(
        f"cannot set up the connection: {reason}: {proxy.text}",
        hint=Hint(f"{proxy.hint} {begins}", cli=f"{for_cli(proxy.hint)} {begins}"),
    )


def _masked(url: str) -> str:
    """Return a URL that is not valid without what may be its password: all of it up to the last `@`."""
    user, at, host = url.rpartition("@")
    if not at:
        return mask_typed_url(url)
    scheme = f"{user.partition('://')[0]}://" if "://" in user else ""
    return f"{scheme}{MASK}@{mask_urls(host)}"


def _problem(url: str) -> str:
    """Return why a URL names no host and port; empty for one that does."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return f"invalid URL ({defect(url)})"
    if "@" in url and "@" not in authority_of(url):
        return f"invalid URL ({defect(url)})"
    return "" if parts.hostname else "invalid URL (it has no host)"


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
    """Return whether a list in the format of `NO_PROXY` includes a host: by name, domain or network, with or without a port."""
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
