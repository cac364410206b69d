"""The texts of a column that the user added for a path in the messages."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.transcript.filter.json_paths import HAS_JSON, values_in
from inspector.visible_text import one_line
from ui.models.traffic_cells import NAME_LIMIT
from ui.models.traffic_summary import value_text

if TYPE_CHECKING:
    from inspector.transcript.filter.json_paths import JsonPath
    from inspector.transcript.transcript import Transcript

MAX_VALUES = 10
"""Values of one path that a cell shows."""


def path_text(transcript: Transcript, number: int, path: JsonPath) -> str:
    """The values at a path in the message, in short; empty without one."""
    columns = transcript.columns
    if columns.kind[number - 1] not in HAS_JSON:
        return ""
    try:
        found = values_in(transcript.raw(number), columns.channel[number - 1], path)
        values = list(islice(found, MAX_VALUES))
    except StorageError:
        return ""  # the summary says so
    return one_line(", ".join(map(value_text, values)), NAME_LIMIT)
