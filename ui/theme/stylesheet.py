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


def make_stylesheet(
    colors: Mapping[str, QColor], px: Callable[[float], int], *, is_dark: bool
) -> str:
    """Return the style sheet for these colors; `px` scales sizes."""
    values = {name: color.name() for name, color in colors.items()}
    scheme = "dark" if is_dark else "light"
    for arrow in ("down", "up", "left", "right"):
        values[f"arrow_{arrow}"] = path(f"arrow-{arrow}-{scheme}.svg").as_posix()
    for sign in ("close", "check", "dash", "dot"):
        values[sign] = path(f"{sign}-{scheme}.svg").as_posix()
    for size in (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20):
        values[f"px{size}"] = f"{px(size)}px"
    values["field_height"] = f"{px(tokens.FIELD) - 8}px"
    values["row"] = f"{px(tokens.ROW_HEIGHT_PX)}px"
    values["radius"] = f"{px(tokens.RADIUS)}px"
    return Template(path("style.qss").read_text("utf-8")).substitute(values)


_Role = QPalette.ColorRole

ROLES = {
    _Role.Window: "window",
    _Role.WindowText: "text",
    _Role.Base: "panel",
    _Role.AlternateBase: "window",
    _Role.Text: "text",
    _Role.Button: "panel",
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
    _Role.Shadow: "edge",
}
"""Role of the palette → name of the color."""

FADED = (_Role.WindowText, _Role.Text, _Role.ButtonText, _Role.HighlightedText)
"""Roles that pale when the widget is disabled."""


def make_qpalette(color: Callable[[str], QColor]) -> QPalette:
    """Return the palette of Qt; `color` returns a color by name."""
    palette = QPalette()
    for role, name in ROLES.items():
        palette.setColor(role, color(name))
    for role in FADED:
        palette.setColor(QPalette.ColorGroup.Disabled, role, color("faint"))
    return palette
