"""Puts authorization in front of a server."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from inspector.demo.auth.setup import Setup
from inspector.demo.auth.site import ProtectedSite

if TYPE_CHECKING:
    from inspector.demo.http_wire import Handle
    from inspector.demo.options import Options


def protect(options: Options, origin: str, handle: Handle, paths: tuple[str, ...]) -> Handle:
    """What answers instead of `handle`: everything at `paths` needs a token, and the first is the resource."""
    setup = Setup(
        origin,
        paths[0],
        time.time,
        options.auth_issuer_path,
        frozenset(options.auth_faults),
        options.auth_consent,
        options.auth_token_seconds,
        options.auth_dpop,
    )
    return ProtectedSite(setup, handle, paths).handle
