"""Which revision to ask for, and what to try next. The whole policy of negotiation is in this file.

1. A pinned revision is asked for, and nothing else is tried: the person wants to see what the server does with it.
2. Otherwise the newest is asked for. A server that knows an older one answers with that, which needs nothing from us.
3. Some servers answer with an error instead, as the specification's own example does: -32602 with `data.supported`. Then the newest
   revision that both name is asked for once more, on a fresh connection, because the first one has had its handshake.
4. Nothing else is a reason to try again: an error that names no revisions would come again.

Source: basic/lifecycle, "Version Negotiation"; C-LC-03, C-LC-04.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import NegotiationFailed, PeerError
from inspector.session.stateful import StatefulEra
from inspector.spec.error_codes import INVALID_PARAMS
from inspector.spec.revision import NEWEST_STATEFUL, STATEFUL, Revision, best, find

if TYPE_CHECKING:
    from inspector.errors import InspectorError
    from inspector.session.era import Era


def first_offer(pinned: str) -> Revision:
    """The revision to ask for first; `pinned` is a date, or empty for automatic.

    Raises:
        NegotiationFailed: the pinned revision is none we speak.
    """
    if not pinned:
        return NEWEST_STATEFUL
    revision = find(pinned)
    if revision is None or not revision.stateful:
        spoken = ", ".join(str(known) for known in reversed(STATEFUL))
        raise NegotiationFailed(
            f"Spyglass does not speak revision {pinned}", remedy=f"Choose one of {spoken}."
        )
    return revision


def era_for(offer: Revision) -> Era:
    """How to hold the conversation when `offer` is asked for."""
    return StatefulEra(offer)


def counter_offer(error: InspectorError, offered: Revision) -> Revision | None:
    """The revision to ask for after `error`; none when trying again is pointless."""
    if (
        not isinstance(error, PeerError)
        or error.code != INVALID_PARAMS
        or not isinstance(error.data, dict)
    ):
        return None
    revision = best(error.data.get("supported"), STATEFUL)
    return revision if revision != offered else None
