"""Which frames are rows: an array of frame numbers and the place where the view begins. Knows no Qt."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right


class VisibleFrames:
    """Numbers of frames, rising; those up to `floor` are kept but not in view."""

    def __init__(self) -> None:
        """Start empty."""
        self.numbers = array("I")
        self.cleared_before = 0
        self.first = 0
        """Where in `numbers` the view begins; as many are hidden."""

    def __len__(self) -> int:
        """Rows in view."""
        return len(self.numbers) - self.first

    def number_at(self, row: int) -> int:
        """The frame in a row."""
        return self.numbers[self.first + row]

    def above(self, row: int) -> int:
        """The frame in the row above; 0 for none."""
        return self.numbers[self.first + row - 1] if row > 0 else 0

    def row_of(self, number: int) -> int | None:
        """The row of a frame; none while it is not in view."""
        row = self.row_near(number)
        return row if row < len(self) and self.number_at(row) == number else None

    def row_near(self, number: int) -> int:
        """The first row whose frame is not before `number`; `len` when there is none."""
        return max(bisect_left(self.numbers, number) - self.first, 0)

    def replace(self, numbers: array[int]) -> None:
        """Take other frames; those up to `floor` stay out of view."""
        self.numbers = numbers
        self.first = bisect_right(numbers, self.cleared_before)

    def holds(self, number: int) -> bool:
        """Whether a frame is among them, in view or not."""
        place = bisect_left(self.numbers, number)
        return place < len(self.numbers) and self.numbers[place] == number

    def add(self, number: int) -> None:
        """Add a frame that is not among them."""
        self.numbers.insert(bisect_left(self.numbers, number), number)
        self.first += number <= self.cleared_before

    def remove(self, number: int) -> None:
        """Remove a frame that is among them."""
        del self.numbers[bisect_left(self.numbers, number)]
        self.first -= number <= self.cleared_before
