"""For which frames a format is offered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec import methods
from inspector.wire.frame import Channel, Direction

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript

OVER_HTTP = {Channel.HTTP, Channel.AUTH, Channel.BODY, Channel.SSE}
"""Channels of the frames of HTTP exchanges."""


def is_any(transcript: Transcript, number: int) -> bool:
    """Whether a format is for a frame: it is for every one."""
    del transcript, number
    return True


def uses_http(transcript: Transcript, number: int) -> bool:
    """Whether a frame was sent or received over HTTP."""
    return transcript.columns.channel[number - 1] in OVER_HTTP


def belongs_to_sent_request(transcript: Transcript, number: int) -> bool:
    """Whether a frame belongs to a request of the client that can be sent at any time."""
    columns = transcript.columns
    owner = columns.request[number - 1]
    if not owner or columns.direction[owner - 1] != Direction.SENT:
        return False
    return not methods.opens_session(columns.methods.texts[columns.method[owner - 1]])
