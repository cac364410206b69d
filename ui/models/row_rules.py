"""Filters that color the rows they match, each with a sign beside the color."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import StorageError
from inspector.transcript.filter.query import Query, QueryError, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inspector.config.saved_filters import SavedFilter
    from inspector.transcript.transcript import Transcript

MAX_BYTES = 1 << 20
"""Size of a frame above which filters that read content do not color it: a row must be drawn at once."""


class RowColor(NamedTuple):
    """How a colored row is drawn."""

    background: str
    """Name of the color behind the row: one that all text is readable on."""
    tone: str
    """Name of the color of the sign."""
    sign: str
    """The icon in the column of marks: another shape for each color."""


ROW_COLORS = {
    "green": RowColor("ok_ground", "ok", "mdi6.circle"),
    "amber": RowColor("warning_ground", "warning", "mdi6.triangle"),
    "red": RowColor("error_ground", "error", "mdi6.square"),
    "blue": RowColor("info_ground", "accent", "mdi6.rhombus"),
    "pink": RowColor("person_ground", "person", "mdi6.hexagon"),
}
"""Colors of saved filters."""


class RowRule(NamedTuple):
    """A filter that colors rows."""

    name: str
    """What the filter is called."""
    query: Query
    """What matches."""
    color: RowColor
    """How the rows are drawn."""


def rules_of(filters: Iterable[SavedFilter]) -> tuple[RowRule, ...]:
    """Return the rules of the saved filters that have a color."""
    found: list[RowRule] = []
    for each in filters:
        if each.color in ROW_COLORS:
            try:
                query = parse(each.text)
            except QueryError:
                continue  # the dialog says so
            found.append(RowRule(each.name, query, ROW_COLORS[each.color]))
    return tuple(found)


def rule_of(rules: Sequence[RowRule], transcript: Transcript, number: int) -> RowRule | None:
    """Return the first rule that matches a frame; a row that is drawn does not wait until the operations before it are known."""
    is_large = transcript.columns.size[number - 1] > MAX_BYTES
    try:
        return next(
            (
                rule
                for rule in rules
                if not (is_large and rule.query.reads_content)
                and rule.query.prepare(transcript, number + 1, perf_counter())
                and rule.query.matches(transcript, number, number + 1)
            ),
            None,
        )
    except StorageError:
        return None  # the row says so already
