"""How content is drawn: by type, from a table, falling back to raw JSON and saying so.

draw         the registry and the guard
block        the frame: header, remarks, views, raw
drawn        what a drawer hands back
text image audio resource tools     the drawers
payload picture markdown csv_table annotations fitted     what they are made of
gradual      many of them, without stopping the window
answer_panel attempts of one kind, one of them shown
"""

from __future__ import annotations

from ui.render.block import BlockWidget
from ui.render.registry import render, render_resource

__all__ = ["BlockWidget", "render", "render_resource"]
