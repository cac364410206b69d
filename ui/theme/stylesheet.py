"""The style sheet: what Fusion would draw as boxes becomes hairlines and space.

No `::item` rules: they would slow down every row of every table. Widgets opt in to variants by a dynamic property:
`primary` for the one main button of a panel, `flat` for a field without a frame, `ground` for notes.
"""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING

from resources import path
from ui.theme import tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QColor


def make_stylesheet(
    colours: Mapping[str, QColor], px: Callable[[float], int], *, dark: bool
) -> str:
    """The sheet for these colours; `px` scales sizes."""
    values = {name: colour.name() for name, colour in colours.items()}
    scheme = "dark" if dark else "light"
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
