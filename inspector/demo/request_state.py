"""State that the client keeps for us and cannot change: sealed with a key that only this process has.

Source: basic/patterns/mrtr, "Security": servers must not trust `requestState` without checking that it is theirs.
"""

from __future__ import annotations

import base64
import hmac
import json
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

LIFETIME_SECONDS = 3600


def sealed(value: JsonObject, secret: bytes) -> str:
    """`value` as text that only `opened` reads, for an hour."""
    until = time.time() + LIFETIME_SECONDS
    body = base64.urlsafe_b64encode(json.dumps({"value": value, "until": until}).encode()).decode()
    return f"{body}.{_mark(body, secret)}"


def opened(text: str, secret: bytes) -> JsonObject | None:
    """What was sealed; None when it was changed on the way, or is too old."""
    body, _, mark = text.rpartition(".")
    if not hmac.compare_digest(mark.encode(), _mark(body, secret).encode()):
        return None
    kept: Json = json.loads(base64.urlsafe_b64decode(body))
    if not isinstance(kept, dict):
        return None
    value, until = kept.get("value"), kept.get("until")
    is_fresh = isinstance(until, float) and time.time() < until
    return value if is_fresh and isinstance(value, dict) else None


def digest(value: Json) -> str:
    """The same for equal values, and different for others."""
    return _mark(json.dumps(value, sort_keys=True), b"digest")


def _mark(text: str, secret: bytes) -> str:
    return hmac.digest(secret, text.encode(), "sha256").hex()
