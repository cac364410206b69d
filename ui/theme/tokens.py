"""Every size and duration, by name; colors are in `palettes`. No other module writes one down."""

from __future__ import annotations

SPACING_PX = 4
"""The unit of spacing, in pixels at 100%. Spaces are 2, 4, 6, 8, 12, 16 or 24: 4 from an icon to its text, 6 between buttons, 8 between fields."""
PADDING_PX = 8
"""Between the edge of a panel and what is in it."""
DENSE_PADDING_PX = 12
"""Left and right of what is in a panel of rows."""
READING_PADDING_PX = 16
"""Around what is read or filled in: a form, a result, a dialog."""
ROW_HEIGHT_PX = 22
"""Height of a row of a table or list."""
ICON = 16
"""Edge of an icon."""
RADIUS = 4
"""Corner of a button or field."""
FIELD = 26
"""Least height of what is typed into."""
MIN_TARGET = 24
"""Least width and height of what is clicked."""
MENU_ITEM = 24
"""Height of an entry of a menu."""
BADGE = 18
"""Height of a badge."""
FINDING_INDENT = 43
"""Left edge of the title of a finding in a table, right of its chevron and its sign; so is the title of the column."""
FACT_ROW = 20
"""Height of a line of names and values."""
DATA_EDGE = 2
"""Pixels at any scale between the edge of wire data and its text: a hairline and its padding, or the border of the focus."""
HEADER_HEIGHT_PX = 40
"""Height of the line at the top of the window."""
STATUS_HEIGHT_PX = 24
"""Height of the status bar."""
BASE_POINTS = 9.0
"""Text size where the system names none."""
SMALL = 0.9
"""Help, counts, column headers and other secondary text, relative to the text; never below `MIN_POINTS`."""
MIN_POINTS = 8.0
"""Least size of secondary text."""
NAME = 1.1
"""The name in the header, and the title of a detail, relative to the text."""
TITLE = 1.3
"""The title of a page or dialog, relative to the text."""
MIN_MONO = 0.92
"""Least size of monospace beside text, relative to it: it may shrink to the height of the letters around it and never grows."""
SCALES = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
"""Text scales on offer."""

CLOCK_MS = 100
"""How often a running clock is redrawn."""
DEBOUNCE_MS = 150
"""How long after the last key a filter is applied."""
