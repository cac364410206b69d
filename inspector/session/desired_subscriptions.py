"""What a person wants of one server: the next session with it begins with that, and asks anew for what must be asked for (C-STD-11).

Outlives the sessions, and not Spyglass.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inspector.session.multi_round_trip import MAX_ROUNDS

if TYPE_CHECKING:
    from inspector.spec.subscription_filter import SubscriptionFilter


@dataclass(slots=True)
class DesiredSubscriptions:
    """What is wanted until the person, or the server, ends it."""

    uris: dict[str, None] = field(default_factory=dict[str, None])
    """Resources that are watched."""
    streams: list[SubscriptionFilter] = field(default_factory=list["SubscriptionFilter"])
    """What is asked for on streams that the person opened."""
    most_rounds: int = MAX_ROUNDS
    """How often a request is sent again by itself because its result asks for input."""
    log_level: str = ""
    """From which level the server is to log; empty for what it does by itself."""
