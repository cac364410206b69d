"""What the slowest requests of one kind have in common, and the others do not: values of arguments, the run, what happened meanwhile.

Of both sides only so many requests are read, spread over the whole session; the counts say how many. Nothing is guessed: a trait is a fact about a
request, and its shares among the slow requests and among the others are given beside it.
"""

from __future__ import annotations

from array import array
from collections import Counter
from itertools import islice
from math import ceil
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import StorageError
from inspector.spec.keys import META
from inspector.transcript.exchange import Status, meanwhile
from inspector.transcript.filter.json_paths import join_path, path_term
from inspector.wire import json_codec
from inspector.wire.message import MessageKind
from inspector.wire.redaction import is_secret_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inspector.transcript.latency import LatencyKey
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json

SLOW_SHARE = 0.01
"""Share of the requests that counts as the slowest."""
MAX_READ = 200
"""Slow requests that are read, and as many of the others."""
MAX_VALUES = 40
"""Values of the arguments of one request that are compared."""
MAX_DEPTH = 4
"""Levels of the arguments in which values are looked for."""
MAX_VALUE = 60
"""Characters of a value; longer ones are not compared."""
MAX_MESSAGE = 100_000
"""Bytes of a request; of longer ones no arguments are compared."""
LARGE_RESPONSE = 100_000
"""Bytes from which on a response counts as large."""
MIN_SHARE = 0.5
"""Of the slow requests that have a trait that counts."""
MIN_DIFFERENCE = 0.25
"""By which its share among the others is lower."""
MAX_TRAITS = 6
"""Traits that are named."""
CHUNK = 4_096
"""Frames that are searched for requests between two looks at the clock."""


class Trait(NamedTuple):
    """A fact about requests."""

    text: str
    """What it is."""
    term: str = ""
    """The filter term that selects requests with it; empty without one."""


class SharedTrait(NamedTuple):
    """A trait, and how many requests have it."""

    trait: Trait
    """What they share."""
    slow: int
    """Slow requests with it, of those that were read."""
    others: int
    """Other requests with it, of those that were read."""


class SlowRequests:
    """Finds the slowest requests of one kind and what they share, in slices of time."""

    def __init__(self, transcripts: Sequence[Transcript], key: LatencyKey, min_s: float) -> None:
        """Compare the requests of `key` that took `min_s` seconds or longer with the others."""
        self.min_s = min_s
        self.slow_count = self.other_count = 0
        """Requests on each side."""
        self.slow_read = self.others_read = 0
        """Those of them that were read."""
        self.is_done = False
        self._transcripts, self._key = tuple(transcripts), key
        self._found = tuple((array("I"), array("I")) for _ in self._transcripts)
        """Slow requests and others, by transcript."""
        self._counts: tuple[Counter[Trait], Counter[Trait]] = (Counter(), Counter())
        self._work = self._steps()

    def advance(self, until: float) -> bool:
        """Go on until `time.perf_counter()` is past `until`; return whether everything is found."""
        for _ in self._work:
            if perf_counter() >= until:
                return False
        self.is_done = True
        return True

    def traits(self) -> list[SharedTrait]:
        """Return what the slow requests have in common, what tells them from the others best first."""
        slow, others = self._counts
        if not self.slow_read or not self.others_read:
            return []
        found: list[tuple[float, SharedTrait]] = []
        for trait, count in slow.items():
            share, other_share = count / self.slow_read, others[trait] / self.others_read
            if share >= MIN_SHARE and share - other_share >= MIN_DIFFERENCE:
                found.append((share - other_share, SharedTrait(trait, count, others[trait])))
        found.sort(key=lambda pair: (-pair[0], pair[1].trait.text))
        return [each for _, each in found[:MAX_TRAITS]]

    def _steps(self) -> Iterator[None]:
        for transcript, found in zip(self._transcripts, self._found, strict=True):
            yield from self._find(transcript, *found)
        self.slow_count, self.other_count = (
            sum(len(found[side]) for found in self._found) for side in (0, 1)
        )
        for side, count in enumerate((self.slow_count, self.other_count)):
            step = max(count / MAX_READ, 1.0)
            for transcript, found in zip(self._transcripts, self._found, strict=True):
                for at in range(ceil(len(found[side]) / step)):
                    request = found[side][int(at * step)]
                    self._counts[side].update(self._traits_of(transcript, request))
                    self.slow_read += side == 0
                    self.others_read += side == 1
                    yield

    def _find(self, transcript: Transcript, slow: array[int], others: array[int]) -> Iterator[None]:
        columns, key = transcript.columns, self._key
        methods = [at for at, text in enumerate(columns.methods.texts) if text == key.method]
        labels = [at for at, text in enumerate(columns.labels.texts) if text == key.name]
        if not methods or (key.name and not labels):
            return
        for first in range(0, transcript.count, CHUNK):
            kinds = columns.kind[first : first + CHUNK].tobytes()
            at = -1
            while (at := kinds.find(MessageKind.REQUEST, at + 1)) >= 0:
                index = first + at
                if (
                    columns.method[index] == methods[0]
                    and columns.direction[index] == key.direction
                    and (not key.name or columns.label[index] == labels[0])
                ):
                    took = transcript.took_seconds(index + 1)
                    if took is not None and columns.request[index] == index + 1:
                        (slow if took >= self.min_s else others).append(index + 1)
            yield

    def _traits_of(self, transcript: Transcript, request: int) -> set[Trait]:
        columns = transcript.columns
        found = set(_arguments(transcript, request))
        if len(self._transcripts) > 1:
            number = transcript.metadata.get("run", "1")
            found.add(Trait(f"in run {number}", f"run:{number}"))
        response = columns.response[request - 1]
        if response and columns.size[response - 1] >= LARGE_RESPONSE:
            found.add(Trait("response of 100 kB or more"))
        if response and transcript.status(request) is not Status.OK:
            found.add(Trait("ended with an error", "status:error"))
        if response and meanwhile(transcript, request, response).stderr:
            found.add(Trait("lines on standard error meanwhile"))
        if _is_overlapped(transcript, request):
            found.add(Trait("sent before the response to the request before"))
        return found


def _is_overlapped(transcript: Transcript, request: int) -> bool:
    """Return whether the request of the same side before it had no response yet."""
    columns = transcript.columns
    for at in range(request - 2, max(request - 2 - CHUNK, -1), -1):
        is_request = columns.kind[at] == MessageKind.REQUEST
        if is_request and columns.direction[at] == columns.direction[request - 1]:
            return not 0 < columns.response[at] < request
    return False


def _arguments(transcript: Transcript, request: int) -> Iterator[Trait]:
    """Yield a trait for each value in the arguments, or other params, of a request."""
    if transcript.columns.size[request - 1] > MAX_MESSAGE:
        return
    try:
        params = transcript.message(request).params
    except StorageError:
        return
    if not isinstance(params, dict):
        return
    inside = params.get("arguments")
    has_arguments = isinstance(inside, dict)
    path = "params.arguments" if has_arguments else "params"
    for at, value in islice(_values(inside if has_arguments else params, path), MAX_VALUES):
        text = json_codec.write(value)
        if len(text) <= MAX_VALUE:
            yield Trait(f"{at.removeprefix('params.')} = {text}", path_term(at, value))


def _values(value: Json, path: str, depth: int = 0) -> Iterator[tuple[str, Json]]:
    """Yield the single values inside of `value` with their paths; secrets are left out."""
    if isinstance(value, dict):
        for name, each in value.items() if depth < MAX_DEPTH else ():
            if name != META and not is_secret_name(name):
                yield from _values(each, join_path(path, name), depth + 1)
    elif not isinstance(value, list):
        yield path, value
