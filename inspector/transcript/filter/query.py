"""The filter language of the traffic: a text becomes a `Query`, and that finds frames by number.

    tools/call "hello world" -ping      texts that the raw frame must contain, in any case; `-` excludes
    method:tools/* status:error,late    fields, listed in `fields.FIELDS`
    duration:>500ms size:>=10k          comparisons with units
    params.arguments.x=5                values in the message (`json_paths`)
    (kind:error | is:late) -/ping|pong/ groups, alternatives and regular expressions

Pure: a query keeps nothing about a transcript and can be evaluated over any range at any time, in slices of any size. Masks over the packed
columns are evaluated first; bytes are only read of the frames that those leave.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.transcript.filter import json_paths
from inspector.transcript.filter.expression import (
    Block,
    ColumnCondition,
    Content,
    Either,
    Every,
    Inverse,
    RegexCondition,
    TextCondition,
)
from inspector.transcript.filter.fields import FIELDS, Field, Follows, field_named
from inspector.transcript.filter.parser import QueryError, Term, parse_group, quoted
from inspector.transcript.filter.patterns import Pattern
from inspector.transcript.filter.predicates import KINDS
from inspector.transcript.text_search import TextPattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.transcript.filter.expression import Condition
    from inspector.transcript.filter.parser import Factor
    from inspector.transcript.transcript import Transcript
    from inspector.wire.message import MessageKind

__all__ = ["Query", "QueryError", "parse", "quoted"]

BLOCK, BLOCK_BYTES = 2048, 16 << 20
"""Frames whose bytes are searched as one text, at most, and about as many bytes: all of them are in memory then, and are read while the window waits."""


class Query(FrozenStruct, frozen=True):
    """A filter that was understood."""

    text: str
    """As written."""
    condition: Condition | None = None
    """What a frame must match; None for every frame."""
    names: frozenset[str] = frozenset()
    """Names of the fields it uses."""
    kinds: frozenset[MessageKind] = frozenset()
    """Kinds of frames that it requests by name, as in `kind:stderr`."""

    @property
    def is_empty(self) -> bool:
        """Whether every frame matches."""
        return self.condition is None

    @property
    def reads_content(self) -> bool:
        """Whether it needs the bytes of frames."""
        return self.condition is not None and not self.condition.is_columnar

    def follows(self, change: Follows) -> bool:
        """Whether such a change may let an earlier frame begin or cease to match."""
        return any(change in FIELDS[name].follows for name in self.names)

    @property
    def changes(self) -> bool:
        """Whether a frame may begin or cease to match because of frames after it."""
        return self.follows(Follows.FRAMES)

    def narrowed(self, other: Query) -> Query:
        """Those frames that match both."""
        conditions = tuple(each for each in (self.condition, other.condition) if each is not None)
        return Query(
            f"{self.text} {other.text}".strip(),
            _every(conditions),
            self.names | other.names,
            self.kinds | other.kinds,
        )

    def prepare(self, transcript: Transcript, stop: int, until: float) -> bool:
        """Derive what it needs of the frames before `stop`, until `time.perf_counter()` is past `until`; return whether all of it is known.

        Without it `matches` does that as a whole, which takes seconds for a frame far behind those that are known.
        """
        return "operation" not in self.names or transcript.operations.advance(stop, until)

    def matches(self, transcript: Transcript, start: int, stop: int) -> array[int]:
        """Numbers of the matching frames from `start` to before `stop`, in order.

        Raises:
            StorageError: bytes that are needed cannot be read back.
        """
        start, stop = max(start, 1), min(stop, transcript.count + 1)
        if self.condition is None:
            return array("I", range(start, stop))
        found = array("I")
        while start < stop:
            block = Block(transcript, start, self.end_of_block(transcript, start, stop))
            found.extend(self.condition.select(block, range(block.start, block.stop)))
            start = block.stop
        return found

    def end_of_block(self, transcript: Transcript, start: int, stop: int) -> int:
        """Return where the frames from `start` to before `stop` have to be cut, so that they can be searched in one go."""
        stop = min(stop, start + BLOCK)
        sizes = transcript.columns.size[start - 1 : stop - 1]
        if not self.reads_content or sum(sizes) <= BLOCK_BYTES:
            return stop
        return start + max(bisect_right(list(accumulate(sizes)), BLOCK_BYTES), 1)


def parse(text: str) -> Query:
    """Read a filter.

    Raises:
        QueryError: it is not a filter; the reason says what would be right, the position where.
    """
    names: set[str] = set()
    group = parse_group(text)
    condition = _condition(group, names)
    return Query(text, condition, frozenset(names), frozenset(_named_kinds(group)))


def _named_kinds(factor: Factor) -> Iterator[MessageKind]:
    """Yield the kinds that are requested by their whole names; what is excluded is not, nor what a wildcard happens to match."""
    if factor.negated:
        return
    if not isinstance(factor, Term):
        for factors in factor.alternatives:
            for each in factors:
                yield from _named_kinds(each)
    elif factor.field == "kind" and not factor.value.is_pattern:
        for alternative in factor.value.alternatives:
            yield from KINDS.get(alternative.text.lower(), ("", ()))[1]


def _condition(factor: Factor, names: set[str]) -> Condition | None:
    """Return the condition for a term or group; None for one that is empty. Adds the fields it uses to `names`."""
    if isinstance(factor, Term):
        return _term(factor, names)
    alternatives: list[Condition] = []
    for factors in factor.alternatives:
        conditions = [_condition(each, names) for each in factors]
        every = _every(tuple(each for each in conditions if each is not None))
        if every is None:
            return None
        alternatives.append(every)
    whole = alternatives[0] if len(alternatives) == 1 else Either(tuple(alternatives))
    return Inverse(whole) if factor.negated else whole


def _every(conditions: tuple[Condition, ...]) -> Condition | None:
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    parts: list[Condition] = []
    for each in conditions:
        parts += each.conditions if isinstance(each, Every) else [each]
    return Every(tuple(parts))


def _term(term: Term, names: set[str]) -> Condition:
    value = term.value
    if term.path is not None:
        condition: Condition = json_paths.comparison(term.path, term.comparison, value)
    elif term.field is not None:
        field = _field(term, term.field)
        names.add(field.name)
        made = field.make(value)
        condition = made if isinstance(made, Content) else ColumnCondition(made)
    elif value.is_pattern:
        condition = RegexCondition(Pattern(value))
    else:
        return TextCondition(TextPattern(value.pieces), term.negated)
    return Inverse(condition) if term.negated else condition


def _field(term: Term, name: str) -> Field:
    field = field_named(name)
    if field is None:
        raise _no_such_field(term, name)
    if not term.value.text and not field.optional:
        expected = (
            f"takes {', '.join(field.values)}"
            if field.values
            else f"needs a value, for example {field.example}"
        )
        raise QueryError(f"{field.name}: {expected}", term.position, stop=term.value.stop)
    return field


def _no_such_field(term: Term, name: str) -> QueryError:
    from difflib import get_close_matches  # with the first mistake

    near = get_close_matches(name, FIELDS, 1)
    text = term.value.text
    hint = f"did you mean {near[0]}:{text}?" if near else f"fields are {', '.join(FIELDS)}."
    message = f'Unknown field “{name}”: {hint} To search for this text, quote it: "{name}:{text}"'
    return QueryError(message, term.position, stop=term.value.stop)
