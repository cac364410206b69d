"""What a JSON Web Token says. Its signature is never checked here, so its claims are not verified. Pure; never raises.

Source: RFC 7515, section 7.1; RFC 7519, section 3.
"""

from __future__ import annotations

import binascii
from typing import TYPE_CHECKING

from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject

MAX_TOKEN = 100_000
"""Characters of a token that are read."""

_URL_SAFE = str.maketrans("-_", "+/")


def token_header(token: str) -> JsonObject | None:
    """Return the header of a token that is a signed JSON Web Token; None for any other."""
    return _part(token, 0)


def token_claims(token: str) -> JsonObject | None:
    """Return the claims of a token that is a signed JSON Web Token; None for any other."""
    return _part(token, 1)


def _part(token: str, number: int) -> JsonObject | None:
    parts = token[:MAX_TOKEN].split(".")
    if len(parts) != 3:
        return None
    try:
        raw = binascii.a2b_base64(f"{parts[number].translate(_URL_SAFE)}===")
        value = json_codec.read(raw).value
    except (binascii.Error, ValueError, JsonSyntaxError):
        return None
    return value if isinstance(value, dict) else None
