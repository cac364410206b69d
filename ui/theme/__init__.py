"""Colors, sizes, fonts and icons by name: `palettes` and `tokens` hold the values, `theme.Theme` applies and returns them."""

from __future__ import annotations

from ui.theme.theme import STYLE, Theme

__all__ = ["STYLE", "Theme"]
