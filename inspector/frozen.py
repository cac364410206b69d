"""What plain frozen data is made from: as a frozen dataclass reads, and made thirty times faster.

A start defines some hundred such classes before the first answer is on the screen, and a dataclass takes a millisecond.
"""

from __future__ import annotations

from msgspec import Struct


class FrozenStruct(Struct, frozen=True):
    """Named fields that never change, compared by value.

    Say `frozen=True` in the subclass too: type checkers want it. Annotations are never evaluated, so nothing can be
    decoded into a fact. `msgspec.structs.replace` makes a changed copy.
    """
