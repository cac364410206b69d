"""What belongs to one HTTP exchange: its requests and what came back, in the order of the wire.

There is one request as a rule; redirects, a proxy's tunnel and streams that are asked for again make more of them.
"""

from __future__ import annotations

import re
import sys
from itertools import islice
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.wire.frame import HTTP_CHANNELS, Channel, Direction
from inspector.wire.redaction import fingerprint_in, is_header_block

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.transcript.index import Columns
    from inspector.transcript.transcript import Transcript

MAX_HOPS = 100
"""Requests that are told one by one; a stream may be asked for again for days."""

MAX_FRAMES = 30
"""Frames at the beginning of an exchange in which the status of its response is searched: redirects and refused proxies come before it."""

MAX_FRAMES_BETWEEN = 10_000
"""Frames of other exchanges that are passed over in that search, which takes 17 ns for each, for every row that is painted."""

MIN_REFUSAL = 400
"""The lowest status of a request that was not carried out."""

_STATUS_LINE = re.compile(rb"HTTP/\S+ (\d{3})\b")

_CHANNELS = {*HTTP_CHANNELS, Channel.BODY, Channel.SSE}


class Hop(FrozenStruct, frozen=True):
    """One request and its response."""

    request: int
    """The frame with its header block."""
    response: int = 0
    """The frame with the header block of the response; 0 before it is received."""
    last: int = 0
    """The last frame of the response; 0 before it is received."""
    parts: int = 0
    """Bodies and SSE events of the response."""


class HttpExchange(FrozenStruct, frozen=True):
    """Everything that one message or one stream caused."""

    opener: int
    """The frame that opened it: the message that was posted, or the head of a GET or DELETE."""
    hops: tuple[Hop, ...]
    """The requests, in order."""
    left_out: int = 0
    """Requests beyond those."""

    def hop_of(self, number: int) -> Hop | None:
        """The request that a frame belongs to; for the message that was posted the first one that carried it."""
        before = [hop for hop in self.hops if hop.request <= number]
        return before[-1] if before else next(iter(self.hops), None)


def http_exchange(transcript: Transcript, number: int) -> HttpExchange | None:
    """The exchange of frame `number`; None for what did not come over HTTP.

    Raises:
        StorageError: its frames are in the file and cannot be read.
    """
    columns = transcript.columns
    if columns.channel[number - 1] not in _CHANNELS:
        return None
    opener = columns.stream[number - 1] or number
    hops: list[Hop] = []
    request = response = last = parts = 0
    for frame in _frames(transcript, opener):
        channel = columns.channel[frame - 1]
        if columns.direction[frame - 1] == Direction.SENT:
            if channel not in HTTP_CHANNELS or not is_header_block(transcript.raw(frame)):
                continue  # a message, or a form of an authorization
            if request:
                hops.append(Hop(request, response, last, parts))
            request, response, last, parts = frame, 0, 0, 0
        elif not response and channel in HTTP_CHANNELS and is_header_block(transcript.raw(frame)):
            response = last = frame
        else:
            last, parts = frame, parts + 1
    if request:
        hops.append(Hop(request, response, last, parts))
    return HttpExchange(opener, tuple(hops[:MAX_HOPS]), max(0, len(hops) - MAX_HOPS))


def refusal_status(transcript: Transcript, number: int) -> int:
    """Return the HTTP status, 400 or more, of the response to the message in frame `number`; 0 for any other, and for none.

    Raises:
        StorageError: its frames are in the file and cannot be read.
    """
    columns = transcript.columns
    status = 0
    if columns.channel[number - 1] not in _CHANNELS:
        return status
    opener = columns.stream[number - 1] or number
    frames = _frames(transcript, opener, opener + MAX_FRAMES_BETWEEN)
    for frame in islice(frames, MAX_FRAMES):
        is_received = columns.direction[frame - 1] == Direction.RECEIVED
        if is_received and columns.channel[frame - 1] in HTTP_CHANNELS:
            found = _STATUS_LINE.match(transcript.raw(frame))
            status = int(found[1]) if found is not None else status
    return status if status >= MIN_REFUSAL else 0


def _frames(transcript: Transcript, opener: int, stop: int = sys.maxsize) -> Iterator[int]:
    """The frames of an exchange up to `stop`; the column is searched by C code, because there may be a million."""
    yield opener
    stream, at = transcript.columns.stream, opener
    try:
        while True:
            at = stream.index(opener, at, stop) + 1
            yield at
    except ValueError:
        return


_NAME = b"authorization:"
_HEADER = re.compile(rb"^authorization:[ \t]*(?:[\w-]+[ \t]+)?(\S+)[ \t]*\r?$", re.I | re.M)


MAX_SETS = 65_535
"""Sets of fingerprints that are told apart; a recording may have made up any number, of which the others share the last."""


class CarriedTokens:
    """The fingerprints of one transcript."""

    def __init__(self, columns: Columns, fingerprint: Callable[[str], str]) -> None:
        """Start empty, for the frames of `columns`; `fingerprint` returns the fingerprint of a token."""
        self._columns = columns
        self._fingerprint = fingerprint
        self._names: dict[str, None] = {}
        self._latest = (b"", "")
        """The token seen last, and its fingerprint: nearly always it is that of the next request too."""
        self._block, self._found = b"", _HEADER.search(b"")
        """The header block seen last, and what it says of a token: many are alike."""
        self._sets: list[tuple[str, ...]] = [()]
        """Fingerprints that one exchange carried, each kept once: thousands of exchanges carry the same."""
        self._numbers: dict[tuple[str, ...], int] = {(): 0}

    @property
    def sets(self) -> list[tuple[str, ...]]:
        """The fingerprints that exchanges carried together, by number."""
        return self._sets

    def restore(self, sets: list[tuple[str, ...]]) -> None:
        """Know these `sets`; the column has their numbers already."""
        self._sets = sets
        self._numbers = {names: number for number, names in enumerate(sets)}
        self._names = dict.fromkeys(name for names in sets for name in names)

    @property
    def names(self) -> tuple[str, ...]:
        """Every fingerprint, in the order of first use."""
        return tuple(self._names)

    def take(self, number: int, raw: bytes) -> None:
        """Process the header block of a request."""
        if raw != self._block:
            at = raw.lower().find(_NAME)  # a tenth of the time of the search
            self._block, self._found = raw, _HEADER.search(raw, at) if at >= 0 else None
        if self._found is not None:
            self._add(self._columns.stream[number - 1] or number, self._found)

    def _add(self, opener: int, found: re.Match[bytes]) -> None:
        if found[1] != self._latest[0]:
            token = found[1].decode("utf-8", "surrogateescape")
            self._latest = (found[1], fingerprint_in(token) or self._fingerprint(token))
        name = self._latest[1]
        known = self._carried(opener)
        if name not in known:
            if len(self._names) <= MAX_SETS:
                self._names.setdefault(name)
            self._columns.tokens[opener - 1] = self._number((*known, name))

    def _number(self, names: tuple[str, ...]) -> int:
        number = self._numbers.get(names)
        if number is None and len(self._sets) > MAX_SETS:
            return MAX_SETS
        if number is None:
            number = self._numbers[names] = len(self._sets)
            self._sets.append(names)
        return number

    def _carried(self, opener: int) -> tuple[str, ...]:
        return self._sets[self._columns.tokens[opener - 1]]

    def of(self, number: int) -> tuple[str, ...]:
        """The tokens that the HTTP request of a frame carried: several where the first was rejected, empty for none."""
        return self._carried(self._columns.stream[number - 1] or number)
