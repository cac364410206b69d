"""The packed index of all frames.

About 55 bytes a frame, so that a million frames stay affordable; everything else is read back from the frames. Columns are indexed by
frame number less one. Texts (methods, labels) are kept once and referred to by their position.
"""

from __future__ import annotations

from array import array
from functools import cache
from itertools import compress
from typing import TYPE_CHECKING, Final, NamedTuple

from inspector.wire.frame import Channel, Direction, FrameDefect
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inspector.transcript.plain_pages import PlainPage


class FrameFlags:
    """What is remarkable about a frame: bits of a plain integer.

    An enumeration of flags would make an object of each `&`, which takes fifty times as long, several times a frame.
    """

    NONE: Final = 0
    FINDING: Final = 1
    """A finding of any severity stands beside it."""
    LATE: Final = 2
    """A response to a request that was no longer waited for."""
    UNKNOWN: Final = 4
    """A response to nothing we know."""
    DUPLICATE: Final = 8
    """A second response to one request."""
    FLAWED: Final = 16
    """Unterminated or cut."""
    PROBLEM: Final = 32
    """A finding above `INFO` stands beside it."""
    ERROR: Final = 64
    """A finding of severity `ERROR` stands beside it."""
    PROBE: Final = 128
    """Spyglass provoked it while it found out how to talk to the server; it says nothing about the server."""


DIRECTIONS, CHANNELS, KINDS = tuple(Direction), tuple(Channel), tuple(MessageKind)
"""By the number in a column: looking it up here takes a tenth of the time of asking the enumeration."""


_DEFECTS = tuple(map(FrameDefect, range(2 * max(FrameDefect))))


class Row(NamedTuple):
    """What the index holds of one frame."""

    number: int
    """Position in the transcript, from 1."""
    monotonic_s: float
    """Monotonic seconds."""
    wall_s: float
    """Seconds since 1970-01-01 UTC."""
    direction: Direction
    """Who wrote it."""
    channel: Channel
    """Where it travelled."""
    kind: MessageKind
    """What it is."""
    method: str
    """Its own method; for a response the method of its request; else empty."""
    size: int
    """Bytes, those that were not kept included."""
    flags: int
    """What is remarkable about it."""


INTERN_LIMIT = 100_000
"""Distinct texts kept; a server that makes up more shares the last entry."""


class Interned:
    """Texts by number: each distinct text is kept once, up to a limit."""

    def __init__(self) -> None:
        """Start with the empty text as number 0."""
        self.texts: list[str] = [""]
        self._numbers: dict[str, int] = {"": 0}

    def replace(self, texts: list[str]) -> None:
        """Know these texts and no others; the first is the empty one."""
        self.texts = texts
        self._numbers = {text: number for number, text in enumerate(texts)}

    def number(self, text: str) -> int:
        """The number of `text`, new or known."""
        known = self._numbers.get(text)
        if known is None:
            known = self._add(text)
        return known

    def _add(self, text: str) -> int:
        if len(self.texts) > INTERN_LIMIT:
            return INTERN_LIMIT
        if len(self.texts) == INTERN_LIMIT:
            text = "(too many distinct names)"
        self._numbers[text] = len(self.texts)
        self.texts.append(text)
        return len(self.texts) - 1


def flaw_of(columns: Columns, number: int) -> FrameDefect:
    """Return what is amiss with a frame as a frame."""
    return _DEFECTS[columns.flaw[number - 1]]


def numbers_with(column: array[int], value: int, start: int, stop: int) -> Iterator[int]:
    """Yield the frames from `start` to before `stop` that have `value` in a column of bytes; searched by C as well."""
    mask = column[start - 1 : stop - 1].tobytes().translate(_marking(value))
    return compress(range(start, stop), mask)


@cache
def _marking(value: int) -> bytes:
    """Return the table that translates a value to 1 and any other to 0."""
    return bytes(each == value for each in range(256))


def newest_with(column: array[int], value: int, after: int, until: int) -> Iterator[int]:
    """Yield the frames after `after`, up to `until`, that have `value` in a column of bytes, newest first.

    Searched by C: thousands of frames between two hits take microseconds.
    """
    values = column[after:until].tobytes()
    at = len(values)
    while (at := values.rfind(value, 0, at)) >= 0:
        yield after + at + 1


class Columns:
    """The packed columns."""

    def __init__(self) -> None:
        self.monotonic_s = array("d")
        self.wall_s = array("d")
        self.direction = array("B")
        self.channel = array("B")
        self.stream = array("I")
        """The frame that opened the HTTP exchange; 0 for none."""
        self.kind = array("B")
        self.size = array("Q")
        self.flaw = array("B")
        """Its `FrameDefect`."""
        self.flags = array("B")
        self.method = array("I")
        """Into `methods.texts`; for a response the method of its request."""
        self.label = array("I")
        """Into `labels.texts`: the tool, prompt or URI that a request names; for what belongs to it, the same."""
        self.request = array("I")
        """The number of the request that the frame belongs to, itself included; 0 for none."""
        self.send_delay_s = array("f")
        """For a request over HTTP the seconds until the head that carries it was written: the way to the server was made first."""
        self.response = array("I")
        """For a request the number of its response; 0 without a response."""
        self.status = array("B")
        """For a request its `Status` by position in `exchange.STATUSES`."""
        self.tokens = array("H")
        """For the frame that opened an HTTP exchange: which tokens it carried (`CarriedTokens`)."""
        self.methods = Interned()
        self.labels = Interned()
        self._note_unknown()

    def _note_unknown(self) -> None:
        self._unknown = (
            *(self.kind, self.size, self.flaw, self.flags, self.method, self.label),
            *(self.request, self.send_delay_s, self.response, self.status, self.tokens),
        )
        # Looked up once: there are that many calls for every frame.
        self._append_unknown = tuple(column.append for column in self._unknown)

    @property
    def all(self) -> dict[str, array[int] | array[float]]:
        """Every column by name."""
        return {name: each for name, each in vars(self).items() if isinstance(each, array)}

    def replace(self, columns: Mapping[str, array[int] | array[float]]) -> bool:
        """Take other columns in the place of `all`, of the same names and types; return whether they are."""
        codes = {name: each.typecode for name, each in self.all.items()}
        if codes != {name: each.typecode for name, each in columns.items()}:
            return False
        for name, each in columns.items():
            setattr(self, name, each)
        self._note_unknown()
        return True

    def __len__(self) -> int:
        return len(self.monotonic_s)

    def grow(
        self, rows: int, at: float, wall_s: float, *, direction: int, channel: int, stream: int = 0
    ) -> None:
        """Append `rows` frames of one moment, side, channel and stream; what they are is filled in afterwards.

        In the HTTP exchange of a probe, they belong to the probe.
        """
        is_probe = stream and stream <= len(self) and self.flags[stream - 1] & FrameFlags.PROBE
        if rows == 1:  # as with every call that is made: a third of the time
            self.monotonic_s.append(at)
            self.wall_s.append(wall_s)
            self.direction.append(direction)
            self.channel.append(channel)
            self.stream.append(stream)
            for append in self._append_unknown:
                append(0)
            if is_probe:
                self.flags[-1] = FrameFlags.PROBE
            return
        self.monotonic_s.extend(array("d", (at,)) * rows)
        self.wall_s.extend(array("d", (wall_s,)) * rows)
        self.direction.frombytes(bytes((direction,)) * rows)
        self.channel.frombytes(bytes((channel,)) * rows)
        self.stream.extend(array("I", (stream,)) * rows)
        for column in self._unknown:
            column.frombytes(bytes(column.itemsize * rows))
        if is_probe:
            self.flags[-rows:] = array("B", (FrameFlags.PROBE,)) * rows

    def add_page(self, page: PlainPage) -> int:
        """Append the frames of a page, their kinds and what follows from them unset; return their bytes together."""
        first, rows = len(self), len(page.raws)
        self.monotonic_s.extend(page.monotonic_s)
        self.wall_s.extend(page.wall_s)
        self.direction.frombytes(page.directions)
        self.channel.frombytes(page.channels)
        self.stream.extend(page.streams)
        for column in self._unknown:
            column.frombytes(bytes(column.itemsize * rows))
        self.flaw[first:] = array("B", page.flaws)
        self.size[first:] = page.sizes
        self._mark_probes(page, first)
        return sum(page.sizes)

    def _mark_probes(self, page: PlainPage, first: int) -> None:
        flags = self.flags
        if not any(opener and flags[opener - 1] & FrameFlags.PROBE for opener in set(page.streams)):
            return
        for at, opener in enumerate(page.streams, first):
            if opener and flags[opener - 1] & FrameFlags.PROBE:
                flags[at] = FrameFlags.PROBE

    def left_at(self, number: int) -> float:
        """When a frame was written, in monotonic seconds: a request over HTTP leaves when there is a connection for it."""
        return self.monotonic_s[number - 1] + self.send_delay_s[number - 1]

    def note_left(self, request: int, at: float) -> None:
        """Take note of a head that carries a request; later ones are those of redirects, or ask for the rest of a stream."""
        index = request - 1
        if self.kind[index] == MessageKind.REQUEST and not (
            self.send_delay_s[index] or self.response[index]
        ):
            self.send_delay_s[index] = at - self.monotonic_s[index]

    def row(self, number: int) -> Row:
        """Return what the index has of a frame.

        Raises:
            IndexError: the number is below 1 or above the latest.
        """
        if number < 1:
            raise IndexError(number)
        at = number - 1
        return Row(
            number,
            self.monotonic_s[at],
            self.wall_s[at],
            DIRECTIONS[self.direction[at]],
            CHANNELS[self.channel[at]],
            KINDS[self.kind[at]],
            self.methods.texts[self.method[at]],
            self.size[at],
            self.flags[at],
        )
