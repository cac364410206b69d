"""The hint for a server that calls itself not initialized although the handshake was completed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.wire.frame import Direction

if TYPE_CHECKING:
    from inspector.errors import PeerError
    from inspector.session.era import Greeting
    from inspector.transcript.transcript import Transcript

INITIALIZED = "notifications/initialized"

_NOT_INITIALIZED = re.compile(
    r"not (?:yet )?(?:been )?initiali[sz]ed|uninitiali[sz]ed|before initiali[sz]|initiali[sz]ation (?:was |is )?(?:not|in)[ -]?complete",
    re.IGNORECASE,
)


def hint_for(error: PeerError, greeting: Greeting, transcript: Transcript) -> str:
    """Return what the server seems to miss; empty when `error` says something else, or there was no handshake."""
    if not greeting.revision.stateful or not _NOT_INITIALIZED.search(error.message[:500]):
        return ""
    numbers = range(transcript.count, greeting.frame, -1)
    sent = next((number for number in numbers if _is_initialized(transcript, number)), 0)
    if not sent:
        return ""
    return (
        f"The handshake is complete: the server responded to initialize in frame {greeting.frame}, and {INITIALIZED} was sent in frame {sent}. "
        f"Check that the server handles {INITIALIZED} before the requests that follow."
    )


def _is_initialized(transcript: Transcript, number: int) -> bool:
    row = transcript.row(number)
    return row.method == INITIALIZED and row.direction is Direction.SENT
