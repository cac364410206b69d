"""What a person wants to be told of by one server: the next session with it asks for that anew (C-STD-11).

Outlives the sessions, and not Spyglass.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.spec.listen_filter import ListenFilter


@dataclass(slots=True)
class Wishes:
    """What is wanted until the person, or the server, ends it."""

    uris: dict[str, None] = field(default_factory=dict[str, None])
    """Resources that are watched."""
    streams: list[ListenFilter] = field(default_factory=list["ListenFilter"])
    """What is asked for on streams that the person opened."""
