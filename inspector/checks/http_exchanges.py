"""What the HTTP frames of a record say about each exchange so far: its latest request, and the status and type of the answer to that."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

MAX_EXCHANGES = 1_000
"""Exchanges that are remembered, the latest; of an older one more may come, and is not judged."""


class Headers(NamedTuple):
    """A header block."""

    first: str
    """The request line or status line."""
    fields: dict[str, str]
    """Values by name in lower case; of a repeated name the last."""

    @property
    def verb(self) -> str:
        """`GET`, `POST` and so on; empty for a response."""
        verb, _, rest = self.first.partition(" ")
        return verb if " HTTP/" in rest else ""

    @property
    def status(self) -> int:
        """The status; 0 for a request, or where there is none."""
        parts = self.first.split(" ", 2)
        is_status = len(parts) > 1 and parts[0].startswith("HTTP/") and parts[1].isdigit()
        return int(parts[1]) if is_status else 0

    @property
    def media_type(self) -> str:
        """The type of the body, without parameters."""
        return self.fields.get("content-type", "").partition(";")[0].strip().lower()


def read_headers(raw: bytes) -> Headers:
    """Return what a header block says."""
    first, *lines = raw.decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines)
    return Headers(first, {name.strip().lower(): value.strip() for name, _, value in pairs})


@dataclass(slots=True)
class Exchange:
    """An HTTP exchange as far as it came."""

    verb: str = ""
    """Of the latest request."""
    sent: dict[str, str] = field(default_factory=dict[str, str])
    """The headers of that, by name in lower case."""
    status: int = 0
    """Of the latest response; 0 while there is none."""
    media_type: str = ""
    """Of the body of that."""

    @property
    def is_good(self) -> bool:
        """Whether the latest response is one of success."""
        return 200 <= self.status < 300


class Exchanges:
    """The latest exchanges, by the frame that opened them."""

    def __init__(self) -> None:
        """Start empty."""
        self._known: dict[int, Exchange] = {}

    def of(self, opener: int) -> Exchange:
        """The exchange that a frame opened, new or known."""
        known = self._known.get(opener)
        if known is None:
            known = self._known[opener] = Exchange()
            if len(self._known) > MAX_EXCHANGES:
                del self._known[next(iter(self._known))]
        return known

    def take_request(self, opener: int, headers: Headers) -> Exchange:
        """Take note of a request, the first or one more of the exchange; return the exchange."""
        exchange = self.of(opener)
        exchange.verb, exchange.sent = headers.verb, headers.fields
        exchange.status, exchange.media_type = 0, ""
        return exchange

    def take_response(self, opener: int, headers: Headers) -> Exchange:
        """Take note of the headers of a response; return the exchange."""
        exchange = self.of(opener)
        exchange.status, exchange.media_type = headers.status, headers.media_type
        return exchange
