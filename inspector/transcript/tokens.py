"""Which request carried which token: a fingerprint for each HTTP exchange whose request had an `Authorization` header.

The fingerprint is that of the markers in recordings (`Redaction.fingerprint`), so that a live session and its recording show the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.wire.secrecy import fingerprint_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.transcript.index import Columns
    from inspector.wire.line_splitter import RawChunk

_HEADER = re.compile(rb"^authorization:[ \t]*(?:[\w-]+[ \t]+)?(\S+)[ \t]*\r?$", re.I | re.M)


class CarriedTokens:
    """The fingerprints of one transcript."""

    def __init__(self, columns: Columns, fingerprint: Callable[[str], str]) -> None:
        """Start empty, for the frames of `columns`; `fingerprint` gives that of a token."""
        self._columns = columns
        self._fingerprint = fingerprint
        self._names: dict[str, str] = {}
        self._by_exchange: dict[int, tuple[str, ...]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Every fingerprint, in the order of first use."""
        return tuple(self._names)

    def take(self, first: int, lines: Sequence[RawChunk]) -> None:
        """Process the header blocks of requests, which are the frames from `first` on."""
        for number, line in enumerate(lines, first):
            found = _HEADER.search(line.raw)
            if found is not None:
                self._add(self._columns.stream[number - 1] or number, found)

    def _add(self, opener: int, found: re.Match[bytes]) -> None:
        token = found[1].decode("utf-8", "surrogateescape")
        name = fingerprint_in(token) or self._fingerprint(token)
        name = self._names.setdefault(name, name)  # one string for thousands of requests
        known = self._by_exchange.get(opener, ())
        if name not in known:
            self._by_exchange[opener] = (*known, name)

    def of(self, number: int) -> tuple[str, ...]:
        """The tokens that the HTTP request of a frame carried: several where the first was rejected, empty for none."""
        return self._by_exchange.get(self._columns.stream[number - 1] or number, ())
