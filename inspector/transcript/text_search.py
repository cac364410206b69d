r"""Text patterns: text in raw bytes, and patterns of names.

Both ignore case and have one wildcard, `*` (any text, also none). Searching takes time proportional to the text for every pattern. A text is
found however JSON writes it: `é` as `\u00e9`, `/` as `\/`.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from itertools import accumulate, compress
from operator import methodcaller
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHORT_ESCAPES = frozenset('"\\/')
"""Characters that JSON may put a backslash before."""

SAMPLE = 32
"""One frame in so many is searched first, to estimate how frequent a text is."""

MANY = 0.25
"""Finds a frame from which looking into each frame is faster than going from find to find."""

_OFTEN_ESCAPED = frozenset("<>&'+=")
"""ASCII characters that careful writers of JSON escape as `\\uXXXX`."""


class Glob:
    """A pattern that a whole name must fit."""

    __slots__ = ("_first", "_last", "_middle", "_single")

    def __init__(self, pieces: Sequence[str]) -> None:
        """Take the texts between the wildcards; one piece means no wildcard."""
        folded = [piece.casefold() for piece in pieces]
        self._single = folded[0] if len(folded) == 1 else None
        self._first, self._last = folded[0], folded[-1]
        self._middle = tuple(piece for piece in folded[1:-1] if piece)

    def matches(self, name: str) -> bool:
        """Whether `name` is one of those meant."""
        name = name.casefold()
        if self._single is not None:
            return name == self._single
        if len(name) < len(self._first) + len(self._last):
            return False
        if not (name.startswith(self._first) and name.endswith(self._last)):
            return False
        return self._has_middle(name)

    def _has_middle(self, name: str) -> bool:
        at, end = len(self._first), len(name) - len(self._last)
        for piece in self._middle:
            found = name.find(piece, at, end)
            if found < 0:
                return False
            at = found + len(piece)
        return True


class _Piece(FrozenStruct, frozen=True):
    """Text without wildcard, to be found in bytes that were made lower case."""

    plain: bytes | None
    """The only spelling, where there is only one."""
    pattern: re.Pattern[bytes] | None
    """All spellings, where there are several."""

    def end_of_next(self, lowered: bytes, start: int, stop: int) -> int:
        """Return the end of the next occurrence before `stop`; -1 without one."""
        if self.plain is not None:
            at = lowered.find(self.plain, start, stop)
            return at + len(self.plain) if at >= 0 else -1
        assert self.pattern is not None
        found = self.pattern.search(lowered, start, stop)
        return found.end() if found else -1


class TextPattern:
    """Text to find anywhere in raw bytes."""

    __slots__ = ("_pieces",)

    def __init__(self, pieces: Sequence[str]) -> None:
        """Take the texts between the wildcards; one piece means no wildcard."""
        self._pieces = tuple(_piece(piece) for piece in pieces if piece)

    def times_in(self, sample: bytes) -> int:
        """How often the text occurs in what `sample_of` took, where that is quickly said; a guess for spellings and wildcards."""
        plain = [piece.plain for piece in self._pieces if piece.plain]
        return min((sample.count(text) for text in plain), default=len(sample))

    def find_in(self, raws: Sequence[bytes]) -> list[int]:
        """Positions in `raws` of those that hold the text, in order."""
        if not self._pieces:
            return list(range(len(raws)))
        only = self._only
        if only is None:
            return self._scan(_as_one(raws), _ends(raws))
        if _is_frequent(only, raws):
            return _others(_lacking(only, raws), len(raws))
        return _scan_plain(raws, only)

    def missing_in(self, raws: Sequence[bytes]) -> list[int]:
        """Positions in `raws` of those that do not hold the text, in order."""
        only = self._only
        if only is not None and _is_frequent(only, raws):
            return _lacking(only, raws)
        return _others(self.find_in(raws), len(raws))

    @property
    def _only(self) -> bytes | None:
        """The one spelling of the one piece, where it is that simple."""
        return self._pieces[0].plain if len(self._pieces) == 1 else None

    def _scan(self, lowered: bytes, ends: list[int]) -> list[int]:
        # All raws are searched as one text: a search that finds little then costs a few ns a frame. The newline between
        # two raws is in no needle, so no single piece is found across the border of two.
        next_end, stop = self._pieces[0].end_of_next, len(lowered)
        found: list[int] = []
        after = next_end(lowered, 0, stop)
        while after >= 0:
            position = bisect_left(ends, after)
            end = ends[position]
            if self._rest_follows(lowered, after, end):
                found.append(position)
            after = next_end(lowered, end, stop)
        return found

    def _rest_follows(self, lowered: bytes, at: int, end: int) -> bool:
        for piece in self._pieces[1:]:
            at = piece.end_of_next(lowered, at, end)
            if at < 0:
                return False
        return True


def sample_of(raws: Sequence[bytes]) -> bytes:
    """Some of them, as one text in lower case."""
    return _as_one(raws[::SAMPLE])


def _as_one(raws: Sequence[bytes]) -> bytes:
    return b"\n".join(raws).lower()


def _ends(raws: Sequence[bytes]) -> list[int]:
    return [end + at for at, end in enumerate(accumulate(map(len, raws)), 1)]


def _is_frequent(plain: bytes, raws: Sequence[bytes]) -> bool:
    return sample_of(raws).count(plain) * SAMPLE > len(raws) * MANY


def _lacking(plain: bytes, raws: Sequence[bytes]) -> list[int]:
    """Positions of those without `plain`; most have it, and most of those spelled as it is, so that few are made lower case."""
    positions = enumerate(map(methodcaller("find", plain), raws))
    return [at for at, found in positions if found < 0 and raws[at].lower().find(plain) < 0]


def _others(positions: list[int], count: int) -> list[int]:
    mask = bytearray(b"\1") * count
    for position in positions:
        mask[position] = 0
    return list(compress(range(count), mask))


def _scan_plain(raws: Sequence[bytes], plain: bytes) -> list[int]:
    """`Needle._scan` for one plain piece, three times as fast."""
    lowered = _as_one(raws)
    at = lowered.find(plain)
    ends = _ends(raws) if at >= 0 else []
    found: list[int] = []
    while at >= 0:
        position = bisect_right(ends, at)
        found.append(position)
        at = lowered.find(plain, ends[position])
    return found


def _piece(text: str) -> _Piece:
    parts = [_spellings(character) for character in text]
    if all(len(part) == 1 for part in parts):
        return _Piece(b"".join(part[0] for part in parts), None)
    source = b"".join(re.escape(part[0]) if len(part) == 1 else _any_of(part) for part in parts)
    return _Piece(None, re.compile(source, re.DOTALL))


def _any_of(spellings: list[bytes]) -> bytes:
    return b"(?:" + b"|".join(map(re.escape, spellings)) + b")"


def _spellings(character: str) -> list[bytes]:
    if character.isascii():
        lower = character.lower().encode()
        if character < " ":
            short = json.dumps(character)[1:-1].encode()
            return list(dict.fromkeys((lower, short, _escaped(character))))
        if character in _SHORT_ESCAPES:
            return [lower, b"\\" + lower]
        if character in _OFTEN_ESCAPED:
            return [lower, _escaped(character)]
        return [lower]
    cases = dict.fromkeys((character, character.lower(), character.upper()))
    return [
        form for case in cases for form in (case.encode("utf-8", "surrogatepass"), _escaped(case))
    ]


def _escaped(text: str) -> bytes:
    units = text.encode("utf-16-be", "surrogatepass")
    return b"".join(b"\\u%02x%02x" % (units[at], units[at + 1]) for at in range(0, len(units), 2))
