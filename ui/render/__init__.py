"""From content blocks to widgets: by type, from a table; what cannot be rendered is shown as raw JSON, with the reason.

registry      the table of types, and the guard around them
block         the widget of one block: header, problems, views, raw JSON
rendering     what a renderer returns
text image audio resource tools     the renderers
payload image_view markdown csv_table auto_height     their parts
block_column  the blocks of one result
incremental   many widgets, added without stopping the window
answer_panel  the history of one entry, and status and result of one of its operations
answer_kind   what tools, prompts and resources define for it
operation_status  outcome, progress and error of an operation
operation_problems  the problems of its messages
rule_explanation  a rule of the catalog beside what it found, with an excerpt_box
rule_text     how rules and severities are named
"""

from __future__ import annotations

from ui.render.block import BlockWidget
from ui.render.registry import render, render_resource, rendering_of

__all__ = ["BlockWidget", "render", "render_resource", "rendering_of"]
