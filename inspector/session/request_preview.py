"""What the next request will carry besides what it asks for, told before it is sent; asking changes nothing.

Source: basic, "_meta"; basic/transports/streamable-http, "Standard Request Headers"; C-MET-04 to C-MET-06, C-HTTP-20 to C-HTTP-33.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import ConnectionLost
from inspector.frozen import FrozenStruct
from inspector.spec.keys import META
from inspector.spec.mirrored_headers import MirroredHeaders, mirrored
from inspector.wire import json_codec

if TYPE_CHECKING:
    from inspector.session.session import Session
    from inspector.wire.json_codec import Json, JsonObject


class OverriddenMeta(FrozenStruct, frozen=True):
    """A member of `_meta` that is set by hand in the place of one of ours."""

    key: str
    """Its name."""
    ours: Json
    """What would have been sent."""
    meta_overrides: Json
    """What is sent."""


def preview_headers(
    session: Session,
    method: str,
    params: JsonObject,
    meta: JsonObject | None = None,
    input_schema: Json = None,
) -> MirroredHeaders:
    """The headers that a request for `method` would repeat, with the members `meta` of `_meta` set by hand; none where nothing is repeated.

    `input_schema` is that of the tool, where one is called.
    """
    revision = session.revision
    if not session.mirrors_headers or revision is None:
        return MirroredHeaders(())
    by_hand: JsonObject = {**session.meta, **(meta or {})}
    return mirrored(method, {**params, META: by_hand}, revision, input_schema)


def preview_overrides(session: Session, meta: JsonObject | None) -> tuple[OverriddenMeta, ...]:
    """Which members of `_meta` that the next request would carry by itself are set to something else by `meta`."""
    if not meta:
        return ()
    try:
        stamped = session.stamped({}, with_token=True).get(META)
    except ConnectionLost:
        return ()
    ours = stamped if isinstance(stamped, dict) else {}
    return tuple(
        OverriddenMeta(key, ours[key], value)
        for key, value in meta.items()
        if key in ours and json_codec.write(ours[key]) != json_codec.write(value)
    )
