"""The filter language of the traffic: a text becomes a `Query`, and that finds frames by number.

    tools/call "hello world" -ping      texts that the raw frame must contain, in any case; `-` excludes
    method:tools/* status:error,lost    fields, listed in `fields.FIELDS`
    duration:>500ms size:>=10k          comparisons with units

Pure: a query keeps nothing about a transcript and can be evaluated over any range at any time, in slices of any size. Masks over the packed
columns are evaluated first; bytes are only read of the frames that those leave.
"""

from __future__ import annotations

from array import array
from difflib import get_close_matches
from itertools import compress, islice
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.transcript.filter.fields import FIELDS, Field, field_named
from inspector.transcript.filter.parser import QueryError, Term, quoted, scan
from inspector.transcript.filter.predicates import intersect
from inspector.transcript.text_search import TextPattern, sample_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from inspector.transcript.filter.predicates import Test
    from inspector.transcript.transcript import Transcript

__all__ = ["Query", "QueryError", "Suggestion", "parse", "quoted", "suggestions"]

BLOCK = 2048
"""Frames whose bytes are searched as one text."""

_INVERTED = bytes([1, 0]) + bytes(254)


class _FieldTerm(FrozenStruct, frozen=True):
    test: Test
    negated: bool
    changes: bool


class _Word(FrozenStruct, frozen=True):
    needle: TextPattern
    negated: bool


class Query(FrozenStruct, frozen=True):
    """A filter that was understood."""

    text: str
    """As written."""
    fields: tuple[_FieldTerm, ...] = ()
    """Conditions on columns."""
    terms: tuple[_Word, ...] = ()
    """Conditions on the raw text."""
    names: frozenset[str] = frozenset()
    """Names of the fields it uses."""

    @property
    def is_empty(self) -> bool:
        """Whether every frame matches."""
        return not self.fields and not self.terms

    @property
    def changes(self) -> bool:
        """Whether a frame may begin or cease to match after it came."""
        return any(term.changes for term in self.fields)

    def narrowed(self, other: Query) -> Query:
        """Those frames that match both."""
        return Query(
            f"{self.text} {other.text}".strip(),
            self.fields + other.fields,
            self.terms + other.terms,
            self.names | other.names,
        )

    def matches(self, transcript: Transcript, start: int, stop: int) -> array[int]:
        """Numbers of the matching frames from `start` to before `stop`, in order.

        Raises:
            StorageError: bytes that are needed cannot be read back.
        """
        stop = min(stop, transcript.count + 1)
        found = array("I")
        for first in range(max(start, 1), stop, BLOCK):
            found.extend(self._in_block(transcript, first, min(first + BLOCK, stop)))
        return found

    def _in_block(self, transcript: Transcript, start: int, stop: int) -> list[int] | range:
        numbers: list[int] | range = range(start, stop)
        if self.fields:
            mask = b"\1" * len(numbers)
            for term in self.fields:
                passed = term.test(transcript, start - 1, stop - 1)
                mask = intersect(mask, passed.translate(_INVERTED) if term.negated else passed)
            numbers = list(compress(numbers, mask))
        return self._containing_terms(transcript, numbers) if self.terms and numbers else numbers

    def _containing_terms(
        self, transcript: Transcript, numbers: list[int] | range
    ) -> list[int] | range:
        first, stop = numbers[0], numbers[-1] + 1
        raws = transcript.raws(first, stop)
        if len(numbers) < stop - first:
            raws = [raws[number - first] for number in numbers]
        for word in self._by_frequency(raws):
            needle = word.needle
            found = needle.missing_in(raws) if word.negated else needle.find_in(raws)
            if len(found) < len(raws):
                numbers = [numbers[position] for position in found]
                raws = [raws[position] for position in found]
        return numbers

    def _by_frequency(self, raws: list[bytes]) -> Sequence[_Word]:
        """The terms in the order of how few frames they leave."""
        if len(self.terms) == 1:
            return self.terms
        sample = sample_of(raws)
        return sorted(
            self.terms,
            key=lambda word: len(sample) if word.negated else word.needle.times_in(sample),
        )


def parse(text: str) -> Query:
    """Read a filter.

    Raises:
        QueryError: it is not a filter; the reason says what would be right, the position where.
    """
    fields: list[_FieldTerm] = []
    message: list[_Word] = []
    names: set[str] = set()
    for term in scan(text):
        if term.field is None:
            message.append(_Word(TextPattern(term.value.pieces), term.negated))
            continue
        field = _field(term)
        names.add(field.name)
        fields.append(_FieldTerm(field.make(term.value), term.negated, field.changes))
    return Query(text, tuple(fields), tuple(message), frozenset(names))


def _field(term: Term) -> Field:
    assert term.field is not None
    field = field_named(term.field)
    if field is None:
        raise _no_such_field(term, term.field)
    if not term.value.text and not field.optional:
        expected = (
            f"takes {', '.join(field.values)}"
            if field.values
            else f"needs a value, for example {field.example}"
        )
        raise QueryError(f"{field.name}: {expected}", term.position, stop=term.value.stop)
    return field


def _no_such_field(term: Term, name: str) -> QueryError:
    near = get_close_matches(name, FIELDS, 1)
    text = term.value.text
    hint = f"did you mean {near[0]}:{text}?" if near else f"fields are {', '.join(FIELDS)}."
    message = f'Unknown field “{name}”: {hint} To search for this text, quote it: "{name}:{text}"'
    return QueryError(message, term.position, stop=term.value.stop)


LIMIT = 30
"""Suggestions at once."""


class Suggestion(FrozenStruct, frozen=True):
    """One way to go on."""

    start: int
    """First character of the query that it replaces."""
    stop: int
    """Character after the last one it replaces."""
    text: str
    """What it puts there."""
    summary: str
    """What that means."""


def suggestions(
    text: str, cursor: int, known: Mapping[str, Iterable[str]] | None = None
) -> list[Suggestion]:
    """Fields, or values of the field at the `cursor`; `known` holds the names in the transcript (`methods`, `tools`, `names`, `tokens`)."""
    start, stop = _word(text, cursor)
    typed = text[start:cursor]
    if '"' in typed:
        return []
    if typed.startswith("-"):
        start, typed = start + 1, typed[1:]
    name, colon, value = typed.partition(":")
    if not colon:
        return list(islice(_fields(typed, start, stop), LIMIT))
    field = field_named(name.lower())
    if field is None:
        return []
    part = value.replace("|", ",").rpartition(",")[2]
    begin = cursor - len(part)
    found = (Suggestion(begin, stop, *pair) for pair in _values(field, part, known or {}))
    return list(islice(found, LIMIT))


def _word(text: str, cursor: int) -> tuple[int, int]:
    start = stop = cursor
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while stop < len(text) and not text[stop].isspace():
        stop += 1
    return start, stop


def _fields(typed: str, start: int, stop: int) -> Iterator[Suggestion]:
    for field in FIELDS.values():
        if field.name.startswith(typed.lower()):
            yield Suggestion(
                start, stop, f"{field.name}:", f"{field.summary}, e.g. {field.example}"
            )


def _values(
    field: Field, typed: str, known: Mapping[str, Iterable[str]]
) -> Iterator[tuple[str, str]]:
    text = typed.lower()
    if field.values:
        yield from (
            (value, meaning) for value, meaning in field.values.items() if value.startswith(text)
        )
    for name in known.get(field.known, ()):
        if name and text in name.lower():
            yield quoted(name), ""
