"""A request as somebody asked for it: one wish, however many messages it takes to have it answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import field

from inspector.frozen import FrozenStruct
from inspector.spec.keys import META, OF_EVERY_REQUEST

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.session.peer import Reply
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json, JsonObject


class ClientInfo(FrozenStruct, frozen=True):
    """What we say of ourselves."""

    name: str
    """For programs."""
    title: str
    """For people."""
    version: str
    """Of Spyglass."""


class RequestMeta(FrozenStruct, frozen=True):
    """What a request carries besides what it asks for; an era takes of it what belongs to it."""

    token: str = ""
    """Opts in to progress under this token; empty for none."""
    log_level: str = ""
    """Opts in to log messages from this level; empty for none."""
    identity: ClientInfo | None = None
    """Who we are; none to keep that to ourselves."""
    capabilities: JsonObject = field(default_factory=dict[str, "Json"])
    """What we can do."""
    meta_overrides: JsonObject = field(default_factory=dict[str, "Json"])
    """Members of `_meta` that the person set; they win over every other."""


class OutgoingRequest(FrozenStruct, frozen=True):
    """A request on its way."""

    method: str
    """Its method."""
    params: JsonObject
    """Its params without stamp."""
    ask: Callable[[JsonObject, Callable[[int], None] | None], Awaitable[Reply]]
    """Sends it with these params under a new id and waits; the other function takes the frame as soon as there is one."""
    on_sent: Callable[[int], None] | None = None
    """Takes the frame in which it begins."""
    capabilities: JsonObject = field(default_factory=dict[str, "Json"])
    """What was declared with it."""


def note_sent(
    transcript: Transcript,
    frame: int,
    sent: JsonObject,
    stamp: RequestMeta,
    told: Callable[[int], None] | None,
) -> None:
    """Take note of what was set by hand in the request `frame`, and tell `told` of the frame."""
    own = sent.get(META)
    by_hand = OF_EVERY_REQUEST & {*stamp.meta_overrides, *(own if isinstance(own, dict) else ())}
    if by_hand:
        text = f"set by hand: {', '.join(sorted(by_hand))}"
        transcript.note("meta-by-hand", text, request=frame)
    if told is not None:
        told(frame)
