"""How the conditions of a query are evaluated, a block of frames at a time.

Conditions on the packed columns give a mask for a block, and masks are combined first: they cost some nanoseconds a frame. Those on the content
then get only the frames that are still undecided, and the bytes of a block are read once for all of them.
"""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, Protocol, TypeAlias

from inspector.frozen import FrozenStruct
from inspector.transcript.filter.predicates import intersect
from inspector.transcript.text_search import sample_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.transcript.filter.patterns import Pattern
    from inspector.transcript.filter.predicates import Test
    from inspector.transcript.text_search import TextPattern
    from inspector.transcript.transcript import Transcript

Numbers: TypeAlias = "list[int] | range"
"""Frame numbers, ascending."""

_INVERTED = bytes([1, 0]) + bytes(254)


class Block:
    """Frames in a row, from `start` to before `stop`; their bytes are read when a condition needs them."""

    def __init__(self, transcript: Transcript, start: int, stop: int) -> None:
        """Read nothing yet."""
        self.transcript, self.start, self.stop = transcript, start, stop
        self._raws: list[bytes] = []
        self._from = self._until = 0

    def raws(self, numbers: Numbers) -> list[bytes]:
        """Return the bytes of some of the frames.

        Raises:
            StorageError: they cannot be read back.
        """
        if not numbers:
            return []
        low, high = numbers[0], numbers[-1] + 1
        if not self._raws:
            self._read(low, high)
        elif low < self._from or high > self._until:
            self._read(self.start, self.stop)
        if len(numbers) == self._until - self._from:
            return self._raws
        return [self._raws[number - self._from] for number in numbers]

    def _read(self, low: int, high: int) -> None:
        self._raws, self._from, self._until = self.transcript.raws(low, high), low, high


class Condition(Protocol):
    """A part of a query."""

    @property
    def is_columnar(self) -> bool:
        """Whether `mask` can be called: the packed columns alone decide."""
        ...

    def mask(self, block: Block) -> bytes:
        """Return one byte for each frame of the block, 1 where it matches."""
        ...

    def select(self, block: Block, numbers: Numbers) -> Numbers:
        """Return those of the frames that match."""
        ...


class Content(FrozenStruct, frozen=True):
    """Base of the conditions on the bytes of frames."""

    @property
    def is_columnar(self) -> bool:
        """Never: the columns do not know the content."""
        return False

    def mask(self, block: Block) -> bytes:
        """Return the mask of what is selected in the whole block."""
        selected = set(self.select(block, range(block.start, block.stop)))
        return bytes(number in selected for number in range(block.start, block.stop))

    def select(self, block: Block, numbers: Numbers) -> Numbers:
        """Return those of the frames that match."""
        raise NotImplementedError


class ColumnCondition(FrozenStruct, frozen=True):
    """A test of the packed columns."""

    test: Test

    @property
    def is_columnar(self) -> bool:
        """Always."""
        return True

    def mask(self, block: Block) -> bytes:
        """Return the mask of the test."""
        return self.test(block.transcript, block.start - 1, block.stop - 1)

    def select(self, block: Block, numbers: Numbers) -> Numbers:
        """Return the frames of the mask."""
        return _masked(block, numbers, self.mask(block))


class TextCondition(Content, frozen=True):
    """A text that the bytes must contain, or must not."""

    pattern: TextPattern
    negated: bool = False

    def select(self, block: Block, numbers: Numbers) -> Numbers:
        """Return the frames with the text, or those without it."""
        raws, pattern = block.raws(numbers), self.pattern
        found = pattern.missing_in(raws) if self.negated else pattern.find_in(raws)
        return numbers if len(found) == len(numbers) else [numbers[at] for at in found]

    def frequency(self, sample: bytes) -> int:
        """Return about how many of the frames in `sample` match."""
        return len(sample) if self.negated else self.pattern.times_in(sample)


class RegexCondition(Content, frozen=True):
    """A regular expression that must match somewhere in the text of a frame, as it was sent or received."""

    pattern: Pattern

    def select(self, block: Block, numbers: Numbers) -> Numbers:
        """Return the frames in which it matches."""
        return [numbers[at] for at in self.pattern.find_in(block.raws(numbers))]


class Inverse(FrozenStruct, frozen=True):
    """What does not match a condition."""

    condition: Condition

    @property
    def is_columnar(self) -> bool:
        """As the condition."""
        return self.condition.is_columnar

    def mask(self, block: Block) -> bytes:
        """Return the opposite of the mask."""
        return self.condition.mask(block).translate(_INVERTED)

    def select(self, block: Block, numbers: Numbers) -> Numbers:
        """Return the frames that the condition does not select."""
        if self.is_columnar:
            return _masked(block, numbers, self.mask(block))
        selected = set(self.condition.select(block, numbers))
        return [number for number in numbers if number not in selected]


class Every(FrozenStruct, frozen=True):
    """Conditions that must all match."""

    conditions: tuple[Condition, ...]

    @property
    def is_columnar(self) -> bool:
        """Whether all of them are."""
        return all(each.is_columnar for each in self.conditions)

    def mask(self, block: Block) -> bytes:
        """Return what is in all masks."""
        mask = b"\1" * (block.stop - block.start)
        for each in self.conditions:
            mask = intersect(mask, each.mask(block))
        return mask

    def select(self, block: Block, numbers: Numbers) -> Numbers:
        """Return the frames that all conditions select; those on the content get what the others leave."""
        columnar = tuple(each for each in self.conditions if each.is_columnar)
        if columnar:
            numbers = _masked(block, numbers, Every(columnar).mask(block))
        others = [each for each in self.conditions if not each.is_columnar]
        for each in _by_frequency(others, block, numbers):
            if not numbers:
                break
            numbers = each.select(block, numbers)
        return numbers


class Either(FrozenStruct, frozen=True):
    """Conditions of which one must match."""

    conditions: tuple[Condition, ...]

    @property
    def is_columnar(self) -> bool:
        """Whether all of them are."""
        return all(each.is_columnar for each in self.conditions)

    def mask(self, block: Block) -> bytes:
        """Return what is in one of the masks."""
        joined = 0
        for each in self.conditions:
            joined |= int.from_bytes(each.mask(block), "little")
        return joined.to_bytes(block.stop - block.start, "little")

    def select(self, block: Block, numbers: Numbers) -> Numbers:
        """Return the frames that one condition selects; those on the content get what the others leave."""
        columnar = tuple(each for each in self.conditions if each.is_columnar)
        mask = bytearray(Either(columnar).mask(block))
        for each in self.conditions:
            if not each.is_columnar:
                rest = [number for number in numbers if not mask[number - block.start]]
                for number in each.select(block, rest):
                    mask[number - block.start] = 1
        return _masked(block, numbers, bytes(mask))


def _masked(block: Block, numbers: Numbers, mask: bytes) -> Numbers:
    """Return those of the numbers that a mask of the block has."""
    if len(numbers) == len(mask):
        return list(compress(numbers, mask))
    return [number for number in numbers if mask[number - block.start]]


def _by_frequency(
    conditions: Sequence[Condition], block: Block, numbers: Numbers
) -> Sequence[Condition]:
    """Return texts in the order of how few frames they leave, then what takes longer than a search."""
    texts = [each for each in conditions if isinstance(each, TextCondition)]
    others = [each for each in conditions if not isinstance(each, TextCondition)]
    if len(texts) > 1 and numbers:
        sample = sample_of(block.raws(numbers))
        texts.sort(key=lambda each: each.frequency(sample))
    return [*texts, *others]
