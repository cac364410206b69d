"""Which values nobody should see, told by their names, and how text is shown without them. Pure; never raises.

What is hidden here is hidden in copies and on the screen alone: a frame is never edited.
"""

from __future__ import annotations

import re

DOTS = "••••••••"
"""What is shown for a secret: always as long, so that its length stays secret too."""

_SECRET_NAME = re.compile(r"TOKEN|KEY|SECRET|PASSWORD|PASSWD|AUTH|COOKIE|CREDENTIAL", re.IGNORECASE)
_SECRET_HEADER = re.compile(
    r"token|key|secret|passw|authorization|cookie|credential|session|signature", re.IGNORECASE
)
"""Challenges such as `WWW-Authenticate` are no secrets."""

_FIRST_LINE = re.compile(rb"(?:HTTP/\d|[!-~]+ \S+ HTTP/\d)")
_PARAMETER = re.compile(r"([?&]([\w.\-\[\]]+)=)([^&#\s\"'<>]+)")
_USERINFO = re.compile(r"(://)[^/@\s\"'<>]+@")
_SCHEME = re.compile(r"(?:Bearer|Basic|Digest|Negotiate|Token|ApiKey)(?= )", re.IGNORECASE)


def is_secret(name: str) -> bool:
    """Whether the value of a variable of this name should not be seen."""
    return bool(_SECRET_NAME.search(name))


def is_secret_header(name: str) -> bool:
    """Whether the value of an HTTP header of this name should not be seen."""
    return bool(_SECRET_HEADER.search(name))


def mask_addresses(text: str) -> str:
    """`text` without passwords in addresses, and without the values of secret parameters."""

    def mask_parameter(found: re.Match[str]) -> str:
        return found[1] + (DOTS if is_secret_header(found[2]) else found[3])

    if "://" in text:
        text = _USERINFO.sub(rf"\1{DOTS}@", text)
    return _PARAMETER.sub(mask_parameter, text) if "=" in text else text


def mask_value(name: str, value: str) -> str:
    """The value of an HTTP header as it may be shown; what kind of authorization it is stays."""
    if not is_secret_header(name):
        return mask_addresses(value)
    scheme = _SCHEME.match(value)
    return f"{scheme[0]} {DOTS}" if scheme else DOTS


def is_head(raw: bytes) -> bool:
    """Whether these bytes look like the head of an HTTP message."""
    return _FIRST_LINE.match(raw) is not None


def mask_head(raw: bytes) -> bytes:
    """The head of an HTTP message, secrets hidden; order, names and everything else stay as they are."""
    first, *lines = raw.decode("utf-8", "surrogateescape").split("\r\n")
    masked = [mask_addresses(first), *map(_mask_line, lines)]
    return "\r\n".join(masked).encode("utf-8", "surrogateescape")


def _mask_line(line: str) -> str:
    name, colon, value = line.partition(":")
    bare = value.strip()
    if not bare:
        return line
    return f"{name}{colon}{value.replace(bare, mask_value(name, bare), 1)}"
