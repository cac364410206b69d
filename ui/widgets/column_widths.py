"""Which columns of a table become narrower, or leave, for one that takes the rest of the width."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def narrowed(widths: dict[int, int], minimum: Mapping[int, int], excess: int) -> dict[int, int]:
    """Return `widths` with `excess` taken from the columns that have a `minimum`, from each the same part of what it can give."""
    spare = {at: max(widths[at] - pixels, 0) for at, pixels in minimum.items()}
    total = sum(spare.values())
    if excess <= 0 or not total:
        return widths
    part = min(excess / total, 1)
    return {at: width - round(spare.get(at, 0) * part) for at, width in widths.items()}


def spared(widths: Mapping[int, int], order: Mapping[int, int], available: int) -> set[int]:
    """Return the columns that leave, by their `order` from 1, until the others are no wider than what is `available`."""
    leaving: set[int] = set()
    total = sum(widths.values())
    for at in sorted(filter(order.get, widths), key=order.__getitem__):
        if total <= available:
            break
        leaving.add(at)
        total -= widths[at]
    return leaving
