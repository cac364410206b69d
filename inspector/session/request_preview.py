"""What the next request will carry besides its params, before it is sent. Pure: nothing changes.

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
    """A member of `_meta` that the user set instead of the one of Spyglass."""

    key: str
    """Its name."""
    default_value: Json
    """The value that Spyglass would send."""
    meta_overrides: Json
    """The value that is sent."""


def preview_headers(
    session: Session,
    method: str,
    params: JsonObject,
    meta: JsonObject | None = None,
    input_schema: Json = None,
) -> MirroredHeaders:
    """Return the headers that a request for `method` would have, with `meta` as members of `_meta`; empty for a transport without headers.

    `input_schema` is the schema of the tool that is called.
    """
    revision = session.revision
    if not session.mirrors_headers or revision is None:
        return MirroredHeaders(())
    by_hand: JsonObject = {**session.meta, **(meta or {})}
    return mirrored(method, {**params, META: by_hand}, revision, input_schema)


def preview_overrides(session: Session, meta: JsonObject | None) -> tuple[OverriddenMeta, ...]:
    """Return the members of `meta` that replace a different value of the next request."""
    if not meta:
        return ()
    try:
        stamped = session.stamped({}, with_token=True).get(META)
    except ConnectionLost:
        return ()
    defaults = stamped if isinstance(stamped, dict) else {}
    return tuple(
        OverriddenMeta(key, defaults[key], value)
        for key, value in meta.items()
        if key in defaults and json_codec.write(defaults[key]) != json_codec.write(value)
    )
