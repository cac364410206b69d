"""A title and a name of the protocol on one line: which of them is whole where there is not enough width for both.

The entries of a list must be told apart. Names are unique, titles are easier to read; a cut name and a cut title beside each other
may be the same as those of the next entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QFontMetrics

MIN_TITLE_CHARACTERS = 10
"""Of a title that is cut beside its whole name; with room for less, the name stands alone."""

MIN_NAME_CHARACTERS = 6
"""Of a name that is cut beside its whole title."""


def whole_width(metrics: QFontMetrics, text: str) -> int:
    """Return the pixels in which `text` is not elided: its advance is rounded down."""
    return metrics.horizontalAdvance(text) + 1 if text else 0


def title_and_name_widths(
    available: int, gap: int, title: int, name: int, character: int
) -> tuple[int, int]:
    """Return how wide the parts of a title and, after a `gap`, a name are displayed, of which one is whole if that is possible; 0 for what is left out.

    `title` and `name` are what they need, `character` is the width of a digit; all in pixels.
    """
    if title + gap + name <= available:
        return title, name
    beside = available - gap - name
    if beside >= character * MIN_TITLE_CHARACTERS:
        return beside, name
    if name <= available or title > available:
        return 0, min(name, available)
    beside = available - gap - title
    return title, beside if beside >= character * MIN_NAME_CHARACTERS else 0
