"""What an earlier connection found out about a server, to begin with the next time; never believed blindly.

It holds for one target alone: whoever edits the address or the command of a server begins anew.

Source: basic/versioning, "Backward Compatibility"; C-VER-08, C-VER-09.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.spec.revision import Era
from inspector.wire import json_codec
from inspector.wire.redaction import mask_arguments, mask_urls

if TYPE_CHECKING:
    from inspector.session.protocol_mode import Agreement
    from inspector.session.transport_factory import ConnectionTarget
    from inspector.wire.json_codec import Json


class CachedEra(FrozenStruct, frozen=True):
    """How a server was found to converse."""

    era: Era
    """With a handshake or without."""
    target: str
    """Digest of where it was reached."""
    server: str
    """Who it said it was."""

    def holds_for(self, target: ConnectionTarget) -> bool:
        """Whether it is about that target at all."""
        return self.target == digest(target)

    def as_json(self) -> Json:
        """To be kept."""
        return {"era": self.era.value, "target": self.target, "server": self.server}


def of(greeting: Agreement, target: ConnectionTarget) -> CachedEra:
    """What a greeting tells for the next time."""
    who = greeting.server.server
    return CachedEra(greeting.revision.era, digest(target), f"{who.name} {who.version}")


def read(kept: Json) -> CachedEra | None:
    """What was kept; None for anything that is none."""
    if not isinstance(kept, dict):
        return None
    era, target, server = (kept.get(name) for name in ("era", "target", "server"))
    known = next((each for each in Era if each.value == era), None)
    if known is None or not isinstance(target, str) or not isinstance(server, str):
        return None
    return CachedEra(known, target, server)


def digest(target: ConnectionTarget) -> str:
    """A few characters that change with the address, but not with a secret in it; they give away nothing of it."""
    args, url = mask_arguments(target.args), mask_urls(target.url)
    where = json_codec.write([target.transport, target.command, [*args], url])
    return hashlib.sha256(where.encode("utf-8", "surrogatepass")).hexdigest()[:16]
