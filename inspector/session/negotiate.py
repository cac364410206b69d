"""Which revision to ask for, and what to try next. The whole policy of negotiation is in this file.

1. A pinned revision is asked for, and nothing else is tried: the person wants to see what the server does with it.
2. Otherwise the newest is asked for. A server that knows an older one answers with that, which needs nothing from us.
3. Some servers answer with an error instead, as the specification's own example does: -32602 with `data.supported`. Then the newest
   revision that both name is asked for once more, on a fresh connection, because the first one has had its handshake.
4. Over streamable HTTP, a server that refuses the POST with a status of 400 to 499 may know the older transport only: that is tried at
   the same address. Statuses that say something else (authorization, proxy, time, rate) are no reason, and neither is an answer in JSON-RPC.
   Any of these statuses counts, because servers were built by revisions that say so; the newest names 400, 404 and 405 alone.
5. Nothing else is a reason to try again: an error that names no revisions would come again.

Source: basic/lifecycle, "Version Negotiation"; C-LC-03, C-LC-04; basic/transports, "Backwards Compatibility".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import NegotiationFailed, PeerError
from inspector.session.stateful import StatefulEra
from inspector.spec.error_codes import INVALID_PARAMS
from inspector.spec.revision import NEWEST_STATEFUL, STATEFUL, Revision, best, find

if TYPE_CHECKING:
    from inspector.errors import HttpStatus, InspectorError
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


_SAYS_SOMETHING_ELSE = {401, 403, 407, 408, 429}
"""Statuses from which nothing follows for the transport."""


def may_be_older(refusal: HttpStatus) -> bool:
    """Whether a server that refused `initialize` so may know the older transport only."""
    return 400 <= refusal.status < 500 and refusal.status not in _SAYS_SOMETHING_ELSE


def neither(newer: InspectorError, older: InspectorError) -> str:
    """Why the server could not be reached by either transport, in words."""
    return f"neither over streamable HTTP ({newer.words}) nor over HTTP+SSE ({older.words})"


def remedy(refusal: HttpStatus) -> str:
    """What to try after a refusal: a revision that its text names, where it names one."""
    named = [revision.date for revision in STATEFUL if revision.date in refusal.words]
    if not named:
        return refusal.remedy
    return (
        f"The answer names {', '.join(reversed(named))}: choose it as the revision of this server."
    )


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
