"""The era of a server as an earlier connection found it: the next one starts with it, and corrects it.

It is valid for one target only: after the URL or the command of a server is edited, it does not apply.

Source: basic/versioning, "Backward Compatibility"; C-VER-08, C-VER-09.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.spec.revision import Era
from inspector.wire import json_codec
from inspector.wire.argument_secrets import mask_arguments, mask_command_line
from inspector.wire.redaction import mask_urls

if TYPE_CHECKING:
    from inspector.session.protocol_mode import Agreement
    from inspector.session.transport_factory import ConnectionTarget
    from inspector.wire.json_codec import Json


class CachedEra(FrozenStruct, frozen=True):
    """The era of a server, as it was found."""

    era: Era
    """The era."""
    target: str
    """Digest of the target."""
    server: str
    """Name and version of the server."""

    def applies_to(self, target: ConnectionTarget) -> bool:
        """Whether it was found at that target."""
        return self.target == digest(target)

    def as_json(self) -> Json:
        """Return it as JSON to save; `read` reads it."""
        return {"era": self.era.value, "target": self.target, "server": self.server}


def of(greeting: Agreement, target: ConnectionTarget) -> CachedEra:
    """Return what an agreement means for the next connection."""
    who = greeting.server.server
    return CachedEra(greeting.revision.era, digest(target), f"{who.name} {who.version}")


def read(saved: Json) -> CachedEra | None:
    """Return the saved era; None for invalid JSON."""
    if not isinstance(saved, dict):
        return None
    era, target, server = (saved.get(name) for name in ("era", "target", "server"))
    known = next((each for each in Era if each.value == era), None)
    if known is None or not isinstance(target, str) or not isinstance(server, str):
        return None
    return CachedEra(known, target, server)


def digest(target: ConnectionTarget) -> str:
    """Return 16 characters that change with the address, but not with a secret in it, and do not reveal it."""
    command = mask_command_line(target.command)
    args = mask_arguments(target.args, program=target.command)
    text = json_codec.write([target.transport, command, [*args], mask_urls(target.url)])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
