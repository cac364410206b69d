"""Every size and duration, by name; colors are in `palettes`. No other module writes one down."""

from __future__ import annotations

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
