"""Every colour, size and duration, by name. No other module writes one down.

Each colour has a light and a dark value. Those in `READABLE` keep a contrast of 4.5:1 or more on every colour in
`BACKGROUNDS`, in both schemes; a test measures it.

Source: WCAG 2.2, 1.4.3 "Contrast (Minimum)".
"""

from __future__ import annotations

from typing import NamedTuple


class Pair(NamedTuple):
    """One colour in both schemes."""

    light: str
    """`#rrggbb` on a light desktop."""
    dark: str
    """`#rrggbb` on a dark desktop."""


COLOURS: dict[str, Pair] = {
    # Surfaces, from the frame of the window to what is typed into.
    "window": Pair("#f4f4f6", "#1c1d20"),
    "panel": Pair("#ffffff", "#232428"),
    "field": Pair("#ffffff", "#1a1b1e"),
    "hover": Pair("#ebecf0", "#2d2f34"),
    "pressed": Pair("#dfe1e7", "#383a41"),
    "selection": Pair("#dde5fc", "#2c3a63"),
    "hairline": Pair("#e0e1e6", "#34363c"),
    "outline": Pair("#c6c9d1", "#494c55"),
    "edge": Pair("#7d818e", "#8a8e9b"),
    # Words.
    "text": Pair("#1c1d21", "#e4e5e9"),
    "muted": Pair("#5a5e69", "#a3a7b3"),
    "faint": Pair("#9a9eaa", "#6b6f7a"),
    # The one accent, and what is written on it.
    "accent": Pair("#3457d5", "#8ea6ff"),
    "on_accent": Pair("#ffffff", "#11162b"),
    # What things mean.
    "sent": Pair("#175ab8", "#7fb3ff"),
    "received": Pair("#7639a6", "#cfa6f7"),
    "ok": Pair("#17703a", "#6ed08f"),
    "warning": Pair("#875200", "#e8b45c"),
    "error": Pair("#bb231c", "#ff9289"),
    "pending": Pair("#0b657b", "#62cadd"),
    "person": Pair("#a02963", "#f5a1cc"),
    # Wire data.
    "key": Pair("#1c4fa0", "#9cc4ff"),
    "string": Pair("#17703a", "#9ad7a6"),
    "number": Pair("#8a4b00", "#eab676"),
    "keyword": Pair("#7639a6", "#cfa6f7"),
    # Grounds of notes that stand in the flow of a panel.
    "ok_ground": Pair("#eaf6ee", "#1f2d25"),
    "warning_ground": Pair("#fdf4e3", "#322a1c"),
    "error_ground": Pair("#fdeeed", "#362324"),
    "info_ground": Pair("#eef2fd", "#252a3a"),
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

SPACE = 4
"""The unit of all spacing, in pixels at 100%."""
PAD = 8
"""Between the edge of a panel and what is in it."""
ROW = 22
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
