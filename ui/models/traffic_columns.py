"""The columns of the traffic, as a table."""

from __future__ import annotations

from enum import IntEnum

from inspector.fact import Fact


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
    ABOUT = 11


class Face(Fact, frozen=True):
    """How a column looks."""

    title: str
    """Above it."""
    words: str
    """What it shows, for its tool tip and the menu of columns."""
    characters: int
    """Width in digits, at first."""
    is_right: bool = False
    """Whether its texts are numbers, aligned to the right."""
    is_mono: bool = False
    """Whether its texts are names or values from the wire."""
    is_hidden: bool = False
    """Whether it is hidden at first."""


FACES: dict[Column, Face] = {
    Column.NUMBER: Face("#", "Frame number", 6, is_right=True),
    Column.TIME: Face("Time", "Time sent or received", 11, is_right=True),
    Column.DELTA: Face("Δ", "Time since the row above", 9, is_right=True),
    Column.DIRECTION: Face("Dir", "→ sent, ← received, · Spyglass note", 4),
    Column.KIND: Face("Kind", "Frame kind; ! marks a problem", 11),
    Column.METHOD: Face("Method", "Method (for responses, the request's method)", 18, is_mono=True),
    Column.ID: Face("Id", "JSON-RPC id; strings are quoted", 9, is_mono=True),
    Column.STATUS: Face("Status", "Request status", 13),
    Column.TOOK: Face("Duration", "Time until the response or cancellation", 12, is_right=True),
    Column.SIZE: Face("Size", "Frame size", 9, is_right=True),
    Column.AUTH: Face(
        "Auth",
        "Fingerprint of the token that the HTTP request carried",
        10,
        is_mono=True,
        is_hidden=True,
    ),
    Column.ABOUT: Face("Summary", "Message data", 12),
}
"""Every column, in the order of the model."""
