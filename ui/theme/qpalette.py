"""The tokens as a QPalette, for everything that Fusion draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QPalette

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QColor

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
"""Role of the palette → name of the colour."""

FADED = (_Role.WindowText, _Role.Text, _Role.ButtonText, _Role.HighlightedText)
"""Roles that pale when the widget is disabled."""


def make_palette(colour: Callable[[str], QColor]) -> QPalette:
    """A palette whose colours are asked from `colour` by name."""
    palette = QPalette()
    for role, name in ROLES.items():
        palette.setColor(role, colour(name))
    for role in FADED:
        palette.setColor(QPalette.ColorGroup.Disabled, role, colour("faint"))
    return palette
