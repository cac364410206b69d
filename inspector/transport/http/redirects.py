"""Redirects. They are followed only on the same origin, and only if method and body stay the same.

The headers of the user may hold secrets: nothing is sent to another origin, and user name and password in a `Location` are not used.

Source: RFC 9110, sections 15.4.2 to 15.4.9: a request that is redirected by 307 or 308 keeps its method and body.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from inspector.errors import HttpStatus
from inspector.transport.http.config import DEFAULT_PORTS, origin, origin_text, with_credentials_of
from inspector.wire.redaction import mask_target

if TYPE_CHECKING:
    import httpx

KEEPING = {307, 308}
"""Statuses that keep method and body."""

REDIRECTS = {301, 302, 303, *KEEPING}

_LOCATION = re.compile(r"^location:[ \t]*(.*?)[ \t]*$", re.IGNORECASE | re.MULTILINE)
_LOGIN = re.compile(r"log-?_?in|sign-?_?in|sso|oauth|authoriz|/auth(?:[/?]|$)|saml", re.IGNORECASE)


def target_of(response: httpx.Response, verb: str, url: str) -> str | None:
    """Return the URL that a response to a request for `url` redirects to; None for other responses.

    Raises:
        HttpStatus: the redirect is not followed.
    """
    location = response.headers.get("location", "").strip()
    if response.status_code not in REDIRECTS:
        return None
    line = f"HTTP {response.status_code} {response.reason_phrase[:80]}".rstrip()
    try:
        target = urljoin(url, location)
        is_same_origin = origin(target) == origin(url)
        is_valid = bool(location) and urlsplit(target).scheme in DEFAULT_PORTS
    except ValueError:
        target, is_same_origin, is_valid = location, False, False
    if not is_valid:
        raise _invalid(line, response.status_code, location, url)
    if not is_same_origin:
        raise HttpStatus(
            f"{origin_text(url)} redirects to another origin, {mask_target(target)}; not followed ({line})",
            status=response.status_code,
            hint=_other_origin_hint(url, target),
            line=line,
        )
    target = with_credentials_of(target, url)
    if verb != "GET" and response.status_code not in KEEPING:
        raise _dropping_body(line, response.status_code, verb, url, target)
    return target


def target_of_header(header: bytes, error: Exception, url: str) -> None:
    """Check whether httpx failed with `error` because the `Location` in this header block is not a URL.

    Raises:
        HttpStatus: it did.
    """
    if "location header" not in str(error):
        return
    status, _, rest = header.decode("latin-1").partition("\r\n")
    code = status.split(" ")[1] if status.count(" ") else ""
    found = _LOCATION.search(rest)
    line = f"HTTP {' '.join(status.split(' ')[1:])[:80]}"
    location = found[1].strip() if found else ""
    raise _invalid(line, int(code) if code.isdecimal() else 0, location, url) from error


def _invalid(line: str, status: int, location: str, url: str) -> HttpStatus:
    """Return the error of a redirect without a valid target."""
    reason = f"{origin_text(url)} redirects"
    reason += (
        f" to an invalid URL, {mask_target(location[:200])}; not followed"
        if location
        else " without a `Location` header"
    )
    return HttpStatus(
        f"{reason} ({line})",
        status=status,
        hint="Let the server send the header `Location` with a valid URL, and check the URL of the server.",
        line=line,
    )


def _other_origin_hint(url: str, target: str) -> str:
    masked = mask_target(target)
    old, new = origin(url), origin(target)
    if _differ_in_slash(url, target) and old[1] == new[1]:
        return "Add or remove the slash at the end of the URL: that is what the redirect is about."
    if _LOGIN.search(target):
        return "Check whether the server requires authorization: it redirects to what looks like a login page."
    if old[1] == new[1] and (old[0], new[0]) == ("http", "https"):
        return f"Change the URL to https: {masked}"
    return f"If that is the right server, use its URL, {masked}."


def _dropping_body(line: str, status: int, verb: str, url: str, target: str) -> HttpStatus:
    """Return the error of a redirect on the same origin that changes the request, with its likely cause."""
    masked, new = mask_target(target), urlsplit(target)
    why, hint = "the endpoint has moved", f"Use {masked} as the URL of this server."
    if _differ_in_slash(url, target):
        why = "the path differs only in a slash at the end"
    elif _LOGIN.search(new.path):
        why = "probably a login page"
        hint = "Check the URL and whether the server requires authorization."
    return HttpStatus(
        f"{line}: redirects to {masked} and would drop {verb} and its body; {why}",
        status=status,
        hint=hint,
        line=line,
    )


def _differ_in_slash(url: str, target: str) -> bool:
    """Return whether two paths differ only in a slash at the end."""
    old, new = urlsplit(url).path, urlsplit(target).path
    return old != new and old.rstrip("/") == new.rstrip("/")
