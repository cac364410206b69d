"""Writes `WWW-Authenticate` for the MCP endpoint.

Source: RFC 6750, 3; RFC 9728, 5.1; RFC 9449, 7.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.auth.faults import Fault
from inspector.demo.auth.jose import ALGORITHMS

if TYPE_CHECKING:
    from inspector.demo.auth.setup import Setup

QUOTES_INSIDE = 'unexpected "aud" claim value'
"""What one of the official SDKs sends as it is."""


def challenge(setup: Setup, scope: str, error: str = "", description: str = "") -> str:
    """One challenge; `error` is left out where the request had no token."""
    found = [("error", error), ("error_description", description), ("scope", scope)]
    if setup.has(Fault.CHALLENGE_QUOTES):
        found[:2] = [("error", "invalid_token"), ("error_description", QUOTES_INSIDE)]
    if setup.dpop:
        found.append(("algs", " ".join(ALGORITHMS)))
    found += [("resource_metadata", url) for url in _metadata_urls(setup)]
    scheme = "DPoP" if setup.dpop else "Bearer"
    return f"{scheme} " + ", ".join(f'{name}="{value}"' for name, value in found if value)


def _metadata_urls(setup: Setup) -> list[str]:
    right = setup.origin + setup.resource_metadata_path
    missing = f"{setup.origin}/.well-known/oauth-protected-resource/missing"
    if setup.has(Fault.RESOURCE_UNDER_MOUNT):
        return []
    if setup.has(Fault.RESOURCE_NOT_FOUND):
        return [missing]
    return [missing, right] if setup.has(Fault.CHALLENGE_TWICE) else [right]
