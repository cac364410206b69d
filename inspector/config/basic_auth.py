"""HTTP basic authentication: a user name and a password, as a user enters them and as a header has them. Pure.

Source: RFC 7617, section 2.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.config.profile import Pairs

SCHEME = "basic"


def is_entered(name: str, value: str) -> bool:
    """Whether a header has a user name and a password in clear: a colon is not a character of Base64."""
    scheme, _, rest = value.partition(" ")
    return name.lower() == "authorization" and scheme.lower() == SCHEME and ":" in rest


def encoded(pairs: Pairs) -> Pairs:
    """Return the headers with entered credentials encoded, and all others unchanged."""
    return tuple(
        (name, _encoded(value) if is_entered(name, value) else value) for name, value in pairs
    )


def _encoded(value: str) -> str:
    scheme, _, rest = value.partition(" ")
    text = rest.strip().encode("utf-8", "surrogateescape")
    return f"{scheme} {base64.b64encode(text).decode()}"
