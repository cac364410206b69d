"""Which revision a record is of, from what was said in it: whoever opens one was not there when it was agreed on.

Nothing raises; what cannot be read says nothing.

Source: basic/lifecycle, "Version Negotiation"; basic, "General fields" on `_meta` of the stateless revision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.spec import methods
from inspector.spec.keys import META, META_PROTOCOL_VERSION
from inspector.spec.revision import find
from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind, or_null

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json
    from inspector.wire.message import Message

MOST = 2000
"""Frames that are looked at: a conversation agrees on a revision at its beginning."""


def detect_revision(transcript: Transcript) -> Revision | None:
    """The revision that was agreed on by a handshake, or else that of the requests; none where nothing says."""
    stamped: Revision | None = None
    for message, method in _beginning(transcript):
        if message.kind is MessageKind.RESPONSE and method == "initialize":
            agreed = find(_member(or_null(message.result), "protocolVersion"))
            if agreed is not None:
                return agreed
        elif message.kind is MessageKind.REQUEST and not methods.is_greeting(method):
            meta = _member(or_null(message.params), META)
            stamped = stamped or find(_member(meta, META_PROTOCOL_VERSION))
    return stamped


def _beginning(transcript: Transcript) -> Iterator[tuple[Message, str]]:
    """What we asked and what was answered, with the method of the request."""
    columns = transcript.columns
    for number in range(1, min(transcript.count, MOST) + 1):
        owner = columns.request[number - 1]
        if not owner or columns.direction[owner - 1] != Direction.SENT:
            continue
        try:
            message = transcript.message(number)
        except StorageError:
            continue
        yield message, columns.methods.texts[columns.method[owner - 1]]


def _member(value: Json, name: str) -> Json:
    return value.get(name) if isinstance(value, dict) else None
