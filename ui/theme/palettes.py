"""The themes, one palette each, and how their colors are used.

To add a theme: a `Palette` in `PALETTES`. The View menu and the settings derive from it. Colors in `READABLE` keep a contrast of 4.5:1 or
more on every color in `BACKGROUNDS`, in every palette; a test measures it.

Source: WCAG 2.2, 1.4.3 "Contrast (Minimum)".
"""

from __future__ import annotations

from inspector.frozen import FrozenStruct

SYSTEM = "system"
"""The theme that follows the system: `light` or `dark`."""


class Palette(FrozenStruct, frozen=True):
    """The colors of one theme."""

    text: str
    """Its entry in the View menu, with a mnemonic."""
    is_dark: bool
    """Whether the system draws dark title bars around it, and signs on it are the light ones."""
    colors: dict[str, str]
    """Name → `#rrggbb`."""


LIGHT = {
    # Surfaces, from the frame of the window to what is typed into.
    "window": "#f4f4f6",
    "panel": "#ffffff",
    "field": "#ffffff",
    "hover": "#ebecf0",
    "pressed": "#dfe1e7",
    "selection": "#dde5fc",
    "hairline": "#e0e1e6",
    "outline": "#c6c9d1",
    "edge": "#7d818e",
    # Text.
    "text": "#1c1d21",
    "muted": "#5a5e69",
    "faint": "#9a9eaa",
    # The one accent, and what is written on it.
    "accent": "#3457d5",
    "on_accent": "#ffffff",
    # What things mean.
    "sent": "#175ab8",
    "received": "#7639a6",
    "ok": "#17703a",
    "warning": "#875200",
    "error": "#bb231c",
    "pending": "#0b657b",
    "person": "#a02963",
    # Wire data.
    "key": "#1c4fa0",
    "string": "#17703a",
    "number": "#8a4b00",
    "keyword": "#7639a6",
    # Grounds of notes that stand in the flow of a panel.
    "ok_ground": "#eaf6ee",
    "warning_ground": "#fdf4e3",
    "error_ground": "#fdeeed",
    "info_ground": "#eef2fd",
}

DARK = {
    "window": "#1c1d20",
    "panel": "#232428",
    "field": "#1a1b1e",
    "hover": "#2d2f34",
    "pressed": "#383a41",
    "selection": "#2c3a63",
    "hairline": "#34363c",
    "outline": "#494c55",
    "edge": "#8a8e9b",
    "text": "#e4e5e9",
    "muted": "#a3a7b3",
    "faint": "#6b6f7a",
    "accent": "#8ea6ff",
    "on_accent": "#11162b",
    "sent": "#7fb3ff",
    "received": "#cfa6f7",
    "ok": "#6ed08f",
    "warning": "#e8b45c",
    "error": "#ff9289",
    "pending": "#62cadd",
    "person": "#f5a1cc",
    "key": "#9cc4ff",
    "string": "#9ad7a6",
    "number": "#eab676",
    "keyword": "#cfa6f7",
    "ok_ground": "#1f2d25",
    "warning_ground": "#322a1c",
    "error_ground": "#362324",
    "info_ground": "#252a3a",
}

PALETTES = {
    "light": Palette("&Light theme", is_dark=False, colors=LIGHT),
    "dark": Palette("&Dark theme", is_dark=True, colors=DARK),
}
"""Every palette, by the name that the settings save."""

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
"""Colors of text."""

MARKS = ("edge", "accent")
"""Colors of what tells a field, a check box or the current row from its surroundings: 3:1 or more on every color in `SURFACES`.

Source: WCAG 2.2, 1.4.11 "Non-text Contrast".
"""

SURFACES = ("window", "panel", "field", "selection")
"""Colors that marks stand on."""

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
"""Colors behind text."""
