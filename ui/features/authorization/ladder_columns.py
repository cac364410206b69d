"""Where the parts of a ladder row stand at a width. Pure, in pixels."""

from __future__ import annotations

from typing import NamedTuple

SIGN_LEFT, TITLE_LEFT = 12, 36
"""Left edges of the sign and of the title, at 100%."""

TIME_WIDTH = 70
"""At the right edge, at 100%."""

MIN_GAP, MAX_GAP = 60, 104
"""Between the lines of two parties, at 100%."""

TITLE_WIDTH = 300
"""What the title takes before the parties move apart, at 100%."""

MIN_TITLE_WIDTH = 110


class LadderColumns(NamedTuple):
    """Places at one width and text scale."""

    sign_left: int
    title_left: int
    title_right: int
    parties: tuple[int, int, int, int]
    """The vertical lines, from left to right."""
    gap: int
    """Between two of them."""
    time_left: int


def ladder_columns(width: int, scale: float) -> LadderColumns:
    """Divide `width`: the parties stand as far apart as the title lets them, and never nearer than `MIN_GAP`."""
    room = width / scale - TITLE_LEFT - TITLE_WIDTH - TIME_WIDTH
    gap = min(max(room / 3.3, MIN_GAP), MAX_GAP)
    last = width / scale - TIME_WIDTH
    first = max(last - 3 * gap, TITLE_LEFT + MIN_TITLE_WIDTH)
    places = tuple(round((first + at * gap) * scale) for at in range(4))
    margin = min(gap * 0.35, 24)
    return LadderColumns(
        round(SIGN_LEFT * scale),
        round(TITLE_LEFT * scale),
        round((first - margin) * scale),
        (places[0], places[1], places[2], places[3]),
        round(gap * scale),
        places[3] + round(8 * scale),
    )
