"""Colors, sizes, fonts and icons by name; `theme.Theme` applies and returns them.

`palettes` and `tokens` hold the values, `signs` the icons by meaning.
"""

from __future__ import annotations

from ui.theme.theme import STYLE, Theme

__all__ = ["STYLE", "Theme"]
