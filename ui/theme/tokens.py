"""Every colour, size and duration, by name. No other module writes one down.

Each colour has a light and a dark value. Those in `READABLE` keep a contrast of 4.5:1 or more on every colour in
`BACKGROUNDS`, in both schemes; a test measures it.

Source: WCAG 2.2, 1.4.3 "Contrast (Minimum)".
"""

from __future__ import annotations

from typing import NamedTuple


class ColorPair(NamedTuple):
    """One colour in both schemes."""

    light: str
    """`#rrggbb` on a light desktop."""
    dark: str
    """`#rrggbb` on a dark desktop."""


COLOURS: dict[str, ColorPair] = {
    # Surfaces, from the frame of the window to what is typed into.
    "window": ColorPair("#f4f4f6", "#1c1d20"),
    "panel": ColorPair("#ffffff", "#232428"),
    "field": ColorPair("#ffffff", "#1a1b1e"),
    "hover": ColorPair("#ebecf0", "#2d2f34"),
    "pressed": ColorPair("#dfe1e7", "#383a41"),
    "selection": ColorPair("#dde5fc", "#2c3a63"),
    "hairline": ColorPair("#e0e1e6", "#34363c"),
    "outline": ColorPair("#c6c9d1", "#494c55"),
    "edge": ColorPair("#7d818e", "#8a8e9b"),
    # Words.
    "text": ColorPair("#1c1d21", "#e4e5e9"),
    "muted": ColorPair("#5a5e69", "#a3a7b3"),
    "faint": ColorPair("#9a9eaa", "#6b6f7a"),
    # The one accent, and what is written on it.
    "accent": ColorPair("#3457d5", "#8ea6ff"),
    "on_accent": ColorPair("#ffffff", "#11162b"),
    # What things mean.
    "sent": ColorPair("#175ab8", "#7fb3ff"),
    "received": ColorPair("#7639a6", "#cfa6f7"),
    "ok": ColorPair("#17703a", "#6ed08f"),
    "warning": ColorPair("#875200", "#e8b45c"),
    "error": ColorPair("#bb231c", "#ff9289"),
    "pending": ColorPair("#0b657b", "#62cadd"),
    "person": ColorPair("#a02963", "#f5a1cc"),
    # Wire data.
    "key": ColorPair("#1c4fa0", "#9cc4ff"),
    "string": ColorPair("#17703a", "#9ad7a6"),
    "number": ColorPair("#8a4b00", "#eab676"),
    "keyword": ColorPair("#7639a6", "#cfa6f7"),
    # Grounds of notes that stand in the flow of a panel.
    "ok_ground": ColorPair("#eaf6ee", "#1f2d25"),
    "warning_ground": ColorPair("#fdf4e3", "#322a1c"),
    "error_ground": ColorPair("#fdeeed", "#362324"),
    "info_ground": ColorPair("#eef2fd", "#252a3a"),
}
"""Colours by name."""

READABLE = (
    "text",
    "muted",
    "accent",
    "sent",
    "received",
    "ok",
    "warning",
    "error",
    "pending",
    "person",
    "key",
    "string",
    "number",
    "keyword",
)
"""Colours that words are written in."""

MARKS = ("edge", "accent")
"""Colours of what tells a field, a check box or the current row from its surroundings: 3:1 or more on every colour in `SURFACES`.

Source: WCAG 2.2, 1.4.11 "Non-text Contrast".
"""

SURFACES = ("window", "panel", "field", "selection")
"""Colours that marks stand on."""

BACKGROUNDS = (
    "window",
    "panel",
    "field",
    "hover",
    "selection",
    "ok_ground",
    "warning_ground",
    "error_ground",
    "info_ground",
)
"""Colours that words stand on."""

SPACING_PX = 4
"""The unit of all spacing, in pixels at 100%."""
PADDING_PX = 8
"""Between the edge of a panel and what is in it."""
ROW_HEIGHT_PX = 22
"""Height of a row of a table or list."""
ICON = 16
"""Edge of an icon."""
RADIUS = 4
"""Corner of a button or field."""
FIELD = 26
"""Least height of what is typed into."""
BASE_POINTS = 9.0
"""Text size where the system names none."""
SMALL = 0.9
"""Secondary text, relative to the text."""
TITLE = 1.3
"""The title of a page, relative to the text."""
SCALES = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
"""Text scales on offer."""

CLOCK_MS = 100
"""How often a running clock is redrawn."""
DEBOUNCE_MS = 150
"""How long after the last key a filter is applied."""
