"""The columns of the traffic, as a table."""

from __future__ import annotations

from enum import IntEnum

from inspector.frozen import FrozenStruct


class Column(IntEnum):
    """Where a column stands in the model; a person may move it elsewhere in the view."""

    NUMBER = 0
    TIME = 1
    DELTA = 2
    DIRECTION = 3
    KIND = 4
    METHOD = 5
    ID = 6
    STATUS = 7
    TOOK = 8
    SIZE = 9
    AUTH = 10
    SUMMARY = 11


class ColumnSpec(FrozenStruct, frozen=True):
    """How a column looks."""

    title: str
    """Above it."""
    tooltip: str
    """What it shows, for its tool tip and the menu of columns."""
    characters: int
    """Width in digits, at first."""
    is_right: bool = False
    """Whether its texts are numbers, aligned to the right."""
    is_mono: bool = False
    """Whether its texts are names or values from the wire."""
    is_hidden: bool = False
    """Whether it is hidden at first."""


COLUMN_SPECS: dict[Column, ColumnSpec] = {
    Column.NUMBER: ColumnSpec("#", "Frame number", 6, is_right=True),
    Column.TIME: ColumnSpec("Time", "Time sent or received", 11, is_right=True),
    Column.DELTA: ColumnSpec("Δ", "Time since the row above", 9, is_right=True),
    Column.DIRECTION: ColumnSpec("Dir", "→ sent, ← received, · Spyglass note", 4),
    Column.KIND: ColumnSpec("Kind", "Frame kind; ! marks a problem", 11),
    Column.METHOD: ColumnSpec(
        "Method", "Method (for responses, the request's method)", 18, is_mono=True
    ),
    Column.ID: ColumnSpec("Id", "JSON-RPC id; strings are quoted", 9, is_mono=True),
    Column.STATUS: ColumnSpec("Status", "Request status", 13),
    Column.TOOK: ColumnSpec(
        "Duration", "Time until the response or cancellation", 12, is_right=True
    ),
    Column.SIZE: ColumnSpec("Size", "Frame size", 9, is_right=True),
    Column.AUTH: ColumnSpec(
        "Auth",
        "Fingerprint of the token that the HTTP request carried",
        10,
        is_mono=True,
        is_hidden=True,
    ),
    Column.SUMMARY: ColumnSpec("Summary", "Message data", 12),
}
"""Every column, in the order of the model."""
