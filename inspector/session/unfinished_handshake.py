"""The hint for a server that calls itself not initialized although the handshake was completed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.transcript.index import newest_with
from inspector.wire.frame import Direction

if TYPE_CHECKING:
    from inspector.errors import PeerError
    from inspector.session.protocol_mode import Agreement
    from inspector.transcript.transcript import Transcript

INITIALIZED = "notifications/initialized"

MAX_FRAMES = 5000
"""Frames after the handshake among which the notification is looked for."""

_NOT_INITIALIZED = re.compile(
    r"not (?:yet )?(?:been )?initiali[sz]ed|uninitiali[sz]ed|before initiali[sz]|initiali[sz]ation (?:was |is )?(?:not|in)[ -]?complete",
    re.IGNORECASE,
)


def hint_for(error: PeerError, greeting: Agreement, transcript: Transcript) -> str:
    """Return what the server seems to miss; empty when `error` says something else, or there was no handshake."""
    if not greeting.revision.stateful or not _NOT_INITIALIZED.search(error.message[:500]):
        return ""
    last = min(transcript.count, greeting.frame + MAX_FRAMES)
    numbers = newest_with(transcript.columns.direction, Direction.SENT, greeting.frame, last)
    sent = next((number for number in numbers if _is_initialized(transcript, number)), 0)
    if not sent:
        return ""
    return (
        f"The handshake is complete: the server responded to initialize in frame {greeting.frame}, and {INITIALIZED} was sent in frame {sent}. "
        f"Check that the server handles {INITIALIZED} before the requests that follow."
    )


def _is_initialized(transcript: Transcript, number: int) -> bool:
    columns = transcript.columns
    return columns.methods.texts[columns.method[number - 1]] == INITIALIZED
