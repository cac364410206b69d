"""The columns of the problems."""

from __future__ import annotations

from ui.widgets.table_columns import TableColumn

COLUMNS = (
    TableColumn(
        key="problem",
        title="Problem",
        tooltip="What is wrong; unfolded (→), the frame and the place of each occurrence",
        characters=60,
        min_characters=45,
        max_characters=130,
    ),
    TableColumn(key="count", title="Count", tooltip="Occurrences", characters=9, is_right=True),
    TableColumn(
        key="where",
        title="Where",
        tooltip="The tool, prompt, resource or method that it is about, and when",
        characters=40,
        min_characters=24,
        leaves=2,
        takes_rest=True,
    ),
    TableColumn(
        key="rule", title="Rule", tooltip="Id of the rule", characters=18, leaves=1, is_mono=True
    ),
)
"""From left to right; the problem takes the rest of the width."""

PROBLEM, COUNT, WHERE, RULE = range(len(COLUMNS))
