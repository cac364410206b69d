"""The colors as Fusion takes them: a QPalette, and a style sheet that makes hairlines and space of its boxes.

No `::item` rules: they would slow down every row of every table. Widgets opt in to variants by a dynamic property:
`primary` for the one main button of a panel, `flat` for a field without a frame, `background` for notices.
"""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING

from PySide6.QtGui import QPalette

from resources import path
from ui.theme import tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QColor

    from ui.theme.palettes import Palette


SIZES = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24)
"""Pixels at 100% that the sheet uses: `$px4` is scaled, `$inner4` a pixel less, for the padding inside of a border that is a pixel more."""

FIELD_TEXT = 2
"""Pixels that Qt leaves before the text of a field, and not before that of a drop-down: below each other, the two begin alike."""

NOTICE_TONES = {
    "ok": "ok",
    "warning": "warning",
    "error": "error",
    "info": "accent",
    "person": "person",
}
"""Notice → its color, which borders it in themes that need borders."""


def make_stylesheet(
    colors: Mapping[str, QColor], px: Callable[[float], int], palette: Palette
) -> str:
    """Return the style sheet for `colors`, those of `palette`; `px` scales sizes."""
    values = {name: color.name() for name, color in colors.items()}
    scheme = "dark" if palette.is_dark else "light"
    for arrow in ("down", "up", "left", "right"):
        values[f"arrow_{arrow}"] = path(f"arrow-{arrow}-{scheme}.svg").as_posix()
    for sign in ("close", "check", "dash", "dot"):
        values[sign] = path(f"{sign}-{scheme}.svg").as_posix()
    for size in SIZES:
        values[f"px{size}"] = f"{px(size)}px"
        values[f"inner{size}"] = f"{px(size) - 1}px"
    values.update({name: f"{size}px" for name, size in _heights(px).items()})
    values["radius"] = f"{px(tokens.RADIUS)}px"
    values.update(_borders(values, has_borders=palette.has_borders))
    return Template(path("style.qss").read_text("utf-8")).substitute(values)


def _heights(px: Callable[[float], int]) -> dict[str, int]:
    """Return what is left of the height of a part for its text, in pixels: an `inner` one within a border that is a pixel more."""
    segment = px(tokens.FIELD) - 2 * px(2) - 2
    link = px(tokens.MIN_TARGET) - 2
    return {
        "field_height": px(tokens.FIELD) - 2,
        "field_inner_height": px(tokens.FIELD) - 4,
        "button_height": px(tokens.FIELD) - 2 * px(3) - 2,
        "segment_height": segment,
        "segment_inner_height": segment - 2,
        "link_height": link,
        "link_inner_height": link - 2,
        "combo_left": px(6) + FIELD_TEXT,
        "combo_inner_left": px(6) + FIELD_TEXT - 1,
        "finding_indent": px(tokens.FINDING_INDENT),
        "menu_item": px(tokens.MENU_ITEM) - 2 * px(3),
        "indicator_inner": px(12) - 2,
        "tab_inner": px(4) - 2,
        "tab_side": px(10) - 2,
    }


def _borders(values: Mapping[str, str], *, has_borders: bool) -> dict[str, str]:
    """Return colors of borders: of the outline or the meaning if there are borders, else of what they are around."""
    pairs = {
        "button": "outline",
        "accent_hover": "text",
        "accent_pressed": "text",
        **{f"{name}_ground": tone for name, tone in NOTICE_TONES.items()},
    }
    borders = {
        f"{name.removesuffix('_ground')}_border": values[tone if has_borders else name]
        for name, tone in pairs.items()
    }
    return {
        **borders,
        "read_only_border": values["hairline" if has_borders else "sunken"],
        "segment_border": values["outline" if has_borders else "hairline"],
    }


_Role = QPalette.ColorRole

ROLES = {
    _Role.Window: "panel",  # what frames the work is in the style sheet
    _Role.WindowText: "text",
    _Role.Base: "panel",
    _Role.AlternateBase: "sunken",
    _Role.Text: "text",
    _Role.Button: "button",
    _Role.ButtonText: "text",
    _Role.BrightText: "error",
    _Role.Highlight: "selection",
    _Role.HighlightedText: "text",
    _Role.Accent: "accent",
    _Role.Link: "accent",
    _Role.LinkVisited: "received",
    _Role.PlaceholderText: "muted",
    _Role.ToolTipBase: "panel",
    _Role.ToolTipText: "text",
    _Role.Light: "panel",
    _Role.Midlight: "hover",
    _Role.Mid: "hairline",
    _Role.Dark: "outline",
    _Role.Shadow: "outline",
}
"""Role of the palette → name of the color."""

FADED = (_Role.WindowText, _Role.Text, _Role.ButtonText, _Role.HighlightedText)
"""Roles that pale when the widget is disabled."""


def make_qpalette(color: Callable[[str], QColor]) -> QPalette:
    """Return the palette of Qt; `color` returns a color by name."""
    palette = QPalette()
    for role, name in ROLES.items():
        palette.setColor(role, color(name))
    palette.setColor(QPalette.ColorGroup.Inactive, _Role.Highlight, color("selection_idle"))
    for role in FADED:
        palette.setColor(QPalette.ColorGroup.Disabled, role, color("disabled"))
    return palette
