"""The themes, one palette each, and how their colors are used.

To add a theme: a `Palette` in `PALETTES`. The View menu and the settings derive from it. Colors in `READABLE` keep a contrast of 4.5:1 or
more on every color in `BACKGROUNDS`, in every palette; a test measures it.

Source: WCAG 2.2, 1.4.3 "Contrast (Minimum)".
"""

from __future__ import annotations

from typing import NamedTuple

SYSTEM = "system"
"""The theme that follows the system, its color scheme and its preference for contrast."""


class Palette(NamedTuple):
    """The colors of one theme."""

    text: str
    """Its entry in the View menu, with a mnemonic."""
    is_dark: bool
    """Whether the system draws dark title bars around it, and signs on it are the light ones."""
    colors: dict[str, str]
    """Name → `#rrggbb`."""
    has_borders: bool = False
    """Whether buttons and notices are told from what is around them by borders, and not by their grounds."""


# Surfaces: what frames the work is `window`, what one works in is `panel`, wire data is `sunken`. `button` is for what is pressed,
# `field` for what is typed into, `raised` for the selected one of several in a row.
LIGHT = {
    "window": "#f4f4f6",
    "panel": "#ffffff",
    "sunken": "#f7f7f9",
    "field": "#ffffff",
    "raised": "#ffffff",
    "button": "#eceef2",
    "hover": "#eef0f4",
    "pressed": "#e1e4ea",
    "selection": "#d9e4ff",
    "selection_idle": "#e8eaef",
    "hairline": "#e2e4e9",
    "outline": "#7d818e",
    # Text.
    "text": "#1b1c20",
    "muted": "#595d68",
    "quiet": "#686c78",
    "disabled": "#797d89",
    # The one accent, and what is written on it.
    "accent": "#3156d3",
    "accent_hover": "#2a4bbd",
    "accent_pressed": "#2341a6",
    "on_accent": "#ffffff",
    # What things mean.
    "sent": "#1558b5",
    "received": "#73379f",
    "ok": "#166b38",
    "warning": "#824e00",
    "error": "#b6211b",
    "pending": "#0a6076",
    "person": "#9c2860",
    # Wire data.
    "key": "#1c4fa0",
    "string": "#166b38",
    "number": "#824600",
    "keyword": "#73379f",
    # Grounds of notes that stand in the flow of a panel.
    "ok_ground": "#eaf6ee",
    "warning_ground": "#fdf4e3",
    "error_ground": "#fdeeed",
    "info_ground": "#eef2fd",
    "person_ground": "#fcedf4",
}

DARK = {
    "window": "#18191c",
    "panel": "#1f2024",
    "sunken": "#1a1b1e",
    "field": "#17181b",
    "raised": "#45484f",
    "button": "#2d3036",
    "hover": "#2a2c31",
    "pressed": "#34363d",
    "selection": "#2a3a68",
    "selection_idle": "#2e3036",
    "hairline": "#303238",
    "outline": "#868b98",
    "text": "#e6e7eb",
    "muted": "#a6abb7",
    "quiet": "#8f95a5",
    "disabled": "#83899a",
    "accent": "#8ea6ff",
    "accent_hover": "#a3b7ff",
    "accent_pressed": "#b7c7ff",
    "on_accent": "#10152b",
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
    "ok_ground": "#1c2b22",
    "warning_ground": "#2f2819",
    "error_ground": "#352122",
    "info_ground": "#222738",
    "person_ground": "#33202b",
}


def _with_borders(colors: dict[str, str]) -> dict[str, str]:
    """Complete the colors of a theme of high contrast: all surfaces are the panel, and wire data has the colors of its meaning."""
    panel = colors["panel"]
    surfaces = ("window", "sunken", "field", "raised", "button")
    grounds = ("ok_ground", "warning_ground", "error_ground", "info_ground", "person_ground")
    return {
        **dict.fromkeys(surfaces + grounds, panel),
        "accent_hover": colors["accent"],
        "accent_pressed": colors["accent"],
        "key": colors["sent"],
        "string": colors["ok"],
        "number": colors["warning"],
        "keyword": colors["received"],
        **colors,
    }


LIGHT_CONTRAST = _with_borders(
    {
        "panel": "#ffffff",
        "hover": "#e6e6e6",
        "pressed": "#cccccc",
        "selection": "#cfe3ff",
        "selection_idle": "#e6e6e6",
        "hairline": "#767676",
        "outline": "#000000",
        "text": "#000000",
        "muted": "#1f1f1f",
        "quiet": "#595959",
        "disabled": "#595959",
        "accent": "#0037c8",
        "on_accent": "#ffffff",
        "sent": "#00408f",
        "received": "#5a1f85",
        "ok": "#00531f",
        "warning": "#663d00",
        "error": "#980000",
        "pending": "#004a5e",
        "person": "#7d0046",
    }
)

DARK_CONTRAST = _with_borders(
    {
        "panel": "#000000",
        "hover": "#262626",
        "pressed": "#404040",
        "selection": "#003a8c",
        "selection_idle": "#262626",
        "hairline": "#8c8c8c",
        "outline": "#ffffff",
        "text": "#ffffff",
        "muted": "#e0e0e0",
        "quiet": "#a6a6a6",
        "disabled": "#a6a6a6",
        "accent": "#9ab4ff",
        "on_accent": "#000000",
        "sent": "#9cc9ff",
        "received": "#ddbcff",
        "ok": "#7df0a3",
        "warning": "#ffd27a",
        "error": "#ffb0a8",
        "pending": "#83e6f7",
        "person": "#ffb8dc",
    }
)

PALETTES = {
    "light": Palette("&Light theme", is_dark=False, colors=LIGHT),
    "dark": Palette("&Dark theme", is_dark=True, colors=DARK),
    "light_contrast": Palette(
        "Light theme, &high contrast", is_dark=False, colors=LIGHT_CONTRAST, has_borders=True
    ),
    "dark_contrast": Palette(
        "Dark theme, high &contrast", is_dark=True, colors=DARK_CONTRAST, has_borders=True
    ),
}
"""Every palette, by the name that the settings save."""


def system_palette(*, is_dark: bool, has_high_contrast: bool) -> str:
    """Return the name of the palette that fits a system with this color scheme and this preference for contrast."""
    name = "dark" if is_dark else "light"
    return f"{name}_contrast" if has_high_contrast else name


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

QUIET_GROUNDS = ("window", "panel", "hover")
"""Colors behind text in `quiet`, the color of pages that can be opened though the server does not declare what they show."""

MARKS = ("outline", "accent")
"""Colors of what tells a field, a check box or the current row from its surroundings: 3:1 or more on every color in `SURFACES`.

Source: WCAG 2.2, 1.4.11 "Non-text Contrast".
"""

SURFACES = ("window", "panel", "sunken", "field", "selection", "selection_idle")
"""Colors that marks stand on."""

BACKGROUNDS = (
    "window",
    "panel",
    "sunken",
    "field",
    "button",
    "hover",
    "selection",
    "selection_idle",
    "ok_ground",
    "warning_ground",
    "error_ground",
    "info_ground",
    "person_ground",
)
"""Colors behind text."""
