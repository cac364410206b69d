"""What rules know of results that may be kept: lists and contents, by method and by who asked."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from inspector.checks.latest import Latest
from inspector.wire import json_codec

if TYPE_CHECKING:
    from inspector.checks.http_history import HttpHistory
    from inspector.checks.seen import ReceivedMessage

ANNOUNCED = {
    "notifications/tools/list_changed": ("tools/list",),
    "notifications/prompts/list_changed": ("prompts/list",),
    "notifications/resources/list_changed": ("resources/list", "resources/templates/list"),
}
"""By a notification, the lists that it is about."""


class KeptList(NamedTuple):
    """The first page of a list that may be kept."""

    digest: bytes
    received_s: float
    ttl_ms: float


class CachedResults:
    """The results of one connection."""

    def __init__(self) -> None:
        """Begin without any."""
        self.scopes: dict[str, str] = {}
        """The scope of the latest page of each list."""
        self.lists: dict[str, KeptList] = {}
        """The latest first page of each list that may still be kept."""
        self.results = self.zeros = 0
        """Results with a time to live, and those of them for which it is 0."""
        self._public: Latest[str, tuple[str, bytes]] = Latest(1_000)
        self._latest: tuple[int, bytes] = (0, b"")

    def digest_of(self, message: ReceivedMessage) -> bytes:
        """Return a digest of what a result holds, without what it says about itself."""
        if self._latest[0] != message.number:
            named = {"ttlMs", "cacheScope", "_meta"}
            parts = {key: value for key, value in message.result.items() if key not in named}
            digest = blake2b(json_codec.write_bytes(parts), digest_size=16).digest()
            self._latest = (message.number, digest)
        return self._latest[1]

    def of_others(self, message: ReceivedMessage, http: HttpHistory) -> bytes | None:
        """Return the digest of the public result of the same request with another token; None if that is not known."""
        known = self._public.get(_key(message))
        token = _token(message, http)
        return known[1] if known is not None and token not in {"", known[0]} else None

    def add(self, message: ReceivedMessage) -> None:
        """Count a result, before the rules look at it."""
        if "ttlMs" in message.result:
            self.results += 1
            self.zeros += message.result["ttlMs"] == 0

    def add_checked(self, message: ReceivedMessage, http: HttpHistory) -> None:
        """Take note of a message, after the rules have looked at it."""
        for method in ANNOUNCED.get(message.method, ()):
            self.lists.pop(method, None)
        scope, ttl = message.result.get("cacheScope"), message.result.get("ttlMs")
        if not isinstance(scope, str):
            return
        self.scopes[message.method] = scope
        if scope == "public" and _token(message, http):
            self._public[_key(message)] = (_token(message, http), self.digest_of(message))
        is_list = message.method.endswith("/list")
        if is_list and isinstance(ttl, int | float) and ttl > 0 and not _has_cursor(message):
            self.lists[message.method] = KeptList(
                self.digest_of(message), message.monotonic_s, float(ttl)
            )


def _has_cursor(message: ReceivedMessage) -> bool:
    params = message.request_params()
    return isinstance(params, dict) and params.get("cursor") is not None


def _token(message: ReceivedMessage, http: HttpHistory) -> str:
    exchange = http.exchange(message.stream)
    return exchange.sent.get("authorization", "") if exchange is not None else ""


def _key(message: ReceivedMessage) -> str:
    params = message.request_params()
    named = {k: params.get(k) for k in ("cursor", "uri")} if isinstance(params, dict) else {}
    return f"{message.method} {json_codec.write(named)}"
