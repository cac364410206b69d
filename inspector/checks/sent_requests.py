"""Our requests as rules read them beside what answers them: the latest are kept, others are read again."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from inspector.checks.seen import SentRequest
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript

MAX_SENT, MAX_SENT_BYTES = 200, 1 << 12
"""Requests that are kept as they were read, and the size of the largest: most answers follow soon."""


class SentRequests:
    """The requests of one transcript."""

    def __init__(self, transcript: Transcript) -> None:
        """Begin without any."""
        self._transcript = transcript
        self._latest: OrderedDict[int, SentRequest] = OrderedDict()
        self._read: tuple[int, SentRequest | None] = 0, None
        """The frame whose request was read last, and that: several rules need it."""

    def add(self, request: SentRequest) -> None:
        """Keep a request, unless it is large."""
        if self._transcript.columns.size[request.number - 1] <= MAX_SENT_BYTES:
            self._latest[request.number] = request
            if len(self._latest) > MAX_SENT:
                self._latest.popitem(last=False)

    def of(self, number: int) -> SentRequest | None:
        """Return the request that frame `number` answers or belongs to; None for none."""
        if self._read[0] != number:
            self._read = number, self._find(number)
        return self._read[1]

    def _find(self, number: int) -> SentRequest | None:
        columns = self._transcript.columns
        request = columns.request[number - 1]
        if not request:
            return None
        method = columns.methods.texts[columns.method[request - 1]]
        known = self._latest.get(request)
        if known is not None and known.method == method:
            return known
        message = self._transcript.message(request)
        at_s = columns.monotonic_s[request - 1]
        return SentRequest(request, or_null(message.id), method, or_null(message.params), at_s)
