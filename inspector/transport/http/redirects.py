"""Where a redirect leads, and whether it is followed: only on the same origin, and only if method and body stay the same.

The headers of the user may hold secrets: nothing is sent to another origin, and user name and password in a `Location` are not used.

Source: RFC 9110, sections 15.4.2 to 15.4.9: a request that is redirected by 307 or 308 keeps its method and body.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from inspector.errors import HttpStatus
from inspector.transport.http.address import origin, origin_words, with_credentials_of
from inspector.wire.secrecy import mask_addresses

if TYPE_CHECKING:
    import httpx

KEEPING = {307, 308}
"""Redirects that keep method and body."""

REDIRECTS = {301, 302, 303, *KEEPING}

_LOGIN = re.compile(r"log-?_?in|sign-?_?in|sso|oauth|authoriz|/auth(?:/|$)|saml", re.IGNORECASE)


def target_of(response: httpx.Response, verb: str, url: str) -> str | None:
    """Where a response to a request for `url` redirects; None where it does not.

    Raises:
        HttpStatus: it leads where the request is not sent.
    """
    location = response.headers.get("location", "")
    if response.status_code not in REDIRECTS or not location:
        return None
    try:
        target = urljoin(url, location)
        is_same = origin(target) == origin(url)
    except ValueError:
        target, is_same = location, False
    line = f"HTTP {response.status_code} {response.reason_phrase[:80]}".rstrip()
    if not is_same:
        raise HttpStatus(
            f"{origin_words(url)} redirects to {mask_addresses(target)}, another origin; nothing was sent there ({line})",
            status=response.status_code,
            remedy=_elsewhere(url, target),
            line=line,
        )
    target = with_credentials_of(target, url)
    if verb != "GET" and response.status_code not in KEEPING:
        raise _losing(line, response.status_code, verb, url, target)
    return target


def _elsewhere(url: str, target: str) -> str:
    shown = mask_addresses(target)
    try:
        old, new = origin(url), origin(target)
    except ValueError:
        return "Check the URL, and the redirects of the server."
    if old[1] == new[1] and (old[0], new[0]) == ("http", "https"):
        return f"Change the URL to https: use its address, {shown}."
    return f"If that is the server you mean, use its address, {shown}."


def _losing(line: str, status: int, verb: str, url: str, target: str) -> HttpStatus:
    """A redirect on the same origin that makes another request of it: the likely causes first."""
    shown, old, new = mask_addresses(target), urlsplit(url), urlsplit(target)
    why, remedy = "the endpoint has moved", f"Use {shown} as the URL of this server."
    if old.path.rstrip("/") == new.path.rstrip("/"):
        why = "the path differs only in a slash at the end"
    elif _LOGIN.search(new.path):
        why = "probably a login page"
        remedy = "Check the URL, and whether the server requires authorization."
    return HttpStatus(
        f"{line}: redirects to {shown} and would drop {verb} and its body; {why}",
        status=status,
        remedy=remedy,
        line=line,
    )
